package nodes

import (
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/owner"
)

// sayAgain leads where the last utterance was led: it is answered anew, perhaps in another
// language. ok is false where nothing was said that can be said again.
func sayAgain(last, r route) (route, bool) {
	r.By, r.Reason, r.Inherited = byContext, "asks to hear it again", true
	r.Node, r.Event, r.Date, r.Info, r.Calendar, r.Say, r.Second = last.Node, last.Event, last.Date, last.Info, last.Calendar, last.Say, last.Second
	switch last.Node {
	case nodeEvent, nodeDate, nodeInfo:
		return r, true
	case nodeCalendar:
		return r, last.Calendar.Do != "" && last.Calendar.Do != owner.DoWrite
	}
	return r, false
}

// repeats reads an utterance that asks for what was said, in a language or once more.
func repeats(s State, r route) (route, bool) {
	u := s.Understanding
	_, language := languageWish(u.Text)
	if !language && !u.Reference.Repeat {
		return r, false
	}
	again, ok := sayAgain(s.Seen.Last, r)
	switch {
	case ok:
		return again, true
	case language:
		r.Node, r.By, r.Reason, r.Say, r.Speak = nodeRespond, byRule, "asks for a language", nlu.Identity, true
	case s.Seen.Last.Node == nodeRespond:
		return again, true
	default:
		r.Node, r.By, r.Say = nodeRespond, byDefault, nlu.Unclear
	}
	return r, true
}

// onThatDay gives an utterance the day that it only points at (その日は開いてますか): that of the event, or
// the one day, spoken of. A question for events without a time, right after one for a day, is about
// that day too.
func onThatDay(s State, now time.Time) nlu.Understanding {
	u, t := s.Understanding, s.Topic
	points := u.Reference.ThatDay || u.Intent == nlu.Event && u.Topic == "" && (t.Node == nodeDate || t.Node == nodeInfo) && !asksForNext(u) && asksForRegular(u) == 0 && !looksAhead(u)
	if !points || len(u.Times) > 0 {
		return u
	}
	day := t.Range.In(now.Location()).OneDay()
	if t.Node == nodeEvent && t.Focus > 0 && t.Focus <= len(t.Items) {
		day = civil.DateOf(t.Items[t.Focus-1].Span(now.Location()).Start)
	}
	if day.IsZero() {
		return u
	}
	u.Times = []datetime.Expression{{
		Kind: datetime.KindDay, Name: datetime.Date, TimeRange: civil.TimeRange{Start: day.In(now.Location()), End: day.AddDays(1).In(now.Location())},
	}}
	u.Reference.Elliptic = u.Reference.Elliptic || strings.TrimSpace(u.Topic) == "" && u.Intent == nlu.Unclear
	return u
}
