package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/nlu"
)

// followUp reads an utterance that leaves out what the talk is about. ok is false for one that stands by itself.
func followUp(s State, now time.Time, r route) (route, bool) {
	u, t := s.Understanding, s.Topic
	if t.Node == "" || u.Owner || u.Write {
		return r, false
	}
	r.By, r.Inherited = byContext, true
	var ok bool
	switch t.Node {
	case nodeEvent:
		ok = followEvent(&r, u, t, now)
	case nodeDate:
		ok = leavesOut(u) && len(u.Times) > 0 && u.Topic == ""
		if ok {
			r.Node, r.Date = nodeDate, dateWishOf(u, now, t.Date)
		}
	case nodeInfo:
		ok = followInfo(&r, u, t, now)
	case nodeCalendar:
		ok = t.Look.Do == "" && leavesOut(u) && len(u.Times) > 0 && u.Topic == "" // what an owner was told is followed elsewhere
		r.Node = nodeCalendar
	}
	return r, ok
}

// leavesOut reports whether the utterance does not say what it is about. A correction (いや、明日の) does not either.
func leavesOut(u nlu.Understanding) bool {
	if u.Reference.Elliptic {
		return true
	}
	return len(u.Times) > 0 && (u.Intent == nlu.Unclear || u.Intent == nlu.Deny || u.Intent == nlu.Affirm)
}

// followEvent reads what hangs on a list of events: an item of it, a detail, the rest, or the same question for another time.
func followEvent(r *route, u nlu.Understanding, t topic, now time.Time) bool {
	r.Node = nodeEvent
	ref := u.Reference
	span, timed := spanOf(u.Times, now)
	if beside, ok := t.Range.beside(strings.ToLower(u.Text)); ok {
		r.Reason = "the time beside"
		r.Event = again(t, beside)
		return true
	}
	switch {
	case ref.More && !timed && ownKind(u, nlu.Event):
		r.Reason = "more"
		r.Event = again(t, t.Range)
		r.Event.Skip = t.Offset + len(t.Items)
		return true
	case timed && leavesOut(u) && ref.Ordinal == 0:
		r.Reason = "other time"
		r.Event = again(t, span)
		r.Event.PastAsked = u.PastAsked
		return true
	case timed || len(t.Items) == 0 || asksForNext(u):
		return false
	}
	item, meant := t.item(u)
	if !meant {
		return false
	}
	r.Reason = "item"
	r.Event = eventWish{Recall: true, Item: item, Field: detailOf(u), Range: t.Range}
	return true
}

// again is the event question of the topic, for a range.
func again(t topic, s span) eventWish {
	return eventWish{Range: s, Words: t.Words, Keywords: t.Keywords}
}

// ownKind reports whether the utterance may be read as one of that intent: it says nothing else.
func ownKind(u nlu.Understanding, intent nlu.Intent) bool {
	return u.Intent == intent || u.Intent == nlu.Unclear || u.Intent == nlu.Affirm || u.Reference.Elliptic
}

// item says which of the events told is meant: its place, 0 for all of them, -1 for one that is not there.
func (t topic) item(u nlu.Understanding) (item int, meant bool) {
	ref := u.Reference
	switch {
	case ref.Ordinal > len(t.Items), ref.Ordinal < -len(t.Items):
		return -1, true
	case ref.Ordinal > 0:
		return ref.Ordinal, true
	case ref.Ordinal < 0:
		return len(t.Items) + 1 + ref.Ordinal, true
	case ref.Other && len(t.Items) > 1:
		return t.Focus%len(t.Items) + 1, true
	}
	if named := t.named(u.Keywords); named > 0 && (ref.Field != nlu.FieldNone || ref.That || hasAny(strings.ToLower(u.Text), "について", "のこと", "about")) {
		return named, true
	}
	if len(u.Keywords) == 0 && (ref.That || ref.Field != nlu.FieldNone) || len(u.Keywords) > 0 && onlyDetail(u.Keywords) {
		return t.Focus, true
	}
	return 0, false
}

// detailWords are words for details of an event, by what is asked with them; needed things are said beside them.
var detailWords = map[string]nlu.Field{
	"無料": nlu.FieldPrice, "有料": nlu.FieldPrice, "free": nlu.FieldPrice, "paid": nlu.FieldPrice,
	"予約": nlu.FieldSignUp, "登録": nlu.FieldSignUp, "申し込み": nlu.FieldSignUp, "申込": nlu.FieldSignUp, "申込み": nlu.FieldSignUp,
	"book": nlu.FieldSignUp, "booking": nlu.FieldSignUp, "reservation": nlu.FieldSignUp, "registration": nlu.FieldSignUp, "register": nlu.FieldSignUp, "reserve": nlu.FieldSignUp,
	"必要": nlu.FieldNone, "いる": nlu.FieldNone, "いります": nlu.FieldNone, "required": nlu.FieldNone, "needed": nlu.FieldNone, "necessary": nlu.FieldNone,
	"need": nlu.FieldNone, "do": nlu.FieldNone, "i": nlu.FieldNone, "have": nlu.FieldNone, "advance": nlu.FieldNone,
}

// onlyDetail reports whether the words ask for a detail of what was spoken of, and name nothing.
func onlyDetail(keywords []string) bool {
	return !slices.ContainsFunc(keywords, func(word string) bool { _, ok := detailWords[strings.ToLower(word)]; return !ok })
}

// detailOf is the detail that is asked for.
func detailOf(u nlu.Understanding) nlu.Field {
	for _, word := range u.Keywords {
		if f := detailWords[strings.ToLower(word)]; f != nlu.FieldNone && u.Reference.Field == nlu.FieldNone {
			return f
		}
	}
	return u.Reference.Field
}

// named returns the place of the only event told whose title has all these words, or 0.
func (t topic) named(keywords []string) int {
	if len(keywords) == 0 {
		return 0
	}
	found := 0
	for i, e := range t.Items {
		if !fits(e, keywords) {
			continue
		}
		if found > 0 {
			return 0
		}
		found = i + 1
	}
	return found
}

// followInfo reads what hangs on an answer about the venue.
func followInfo(r *route, u nlu.Understanding, t topic, now time.Time) bool {
	r.Node = nodeInfo
	ref := u.Reference
	span, timed := spanOf(u.Times, now)
	switch {
	case timed && leavesOut(u) && t.Hours != "" && u.Topic == "":
		r.Reason = "hours at another time"
		r.Info = infoWish{Hours: hoursDay, Range: span, Text: u.Text}
		if t.Hours == hoursClosed && span.oneDay().IsZero() {
			r.Info.Hours = hoursClosed
		}
		return true
	case ref.More && ownKind(u, nlu.Info) && t.Question != "":
		r.Reason = "more"
		r.Info = infoWish{Text: t.Question, Skip: t.Passages}
		return true
	case !timed && t.Question != "" && len(u.Keywords) == 0 && (ref.That || ref.Field != nlu.FieldNone && u.Confidence < sure) && ref.Ordinal == 0:
		r.Reason = "detail"
		r.Info = infoWish{Text: oneLine(t.Question+" "+u.Text, maxQuestion), Question: t.Question, Avoid: t.Passages, Field: ref.Field}
		return true
	case u.Intent == nlu.Unclear && ref.Elliptic && len(u.Keywords) > 0 && t.Question != "":
		r.Reason = "other thing"
		r.Info = infoWish{Text: oneLine(u.Text+" "+t.Question, maxQuestion), Question: strings.TrimSpace(u.Text)}
		return true
	}
	return false
}

// sure is the confidence from which an utterance stands by itself.
const sure = 0.7

// maxQuestion is how many runes of a question are remembered.
const maxQuestion = 200
