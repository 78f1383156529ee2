package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/nlu"
	"annai/nodes/talk"
)

// byQuestion routes a question that was read in its talk: what it is about says which node answers. ok is false where that does not say it.
func (c *Concierge) byQuestion(ctx context.Context, s State, r route, now time.Time) (route, bool, error) {
	q := s.Question
	if say, ok := courtesies[q.Act]; ok && s.Understanding.Intent != nlu.Safety && !s.Turn.Owner && q.Ask == nlu.AskNone && q.About != nlu.AboutSubject {
		r.Node, r.Say, r.By, r.Reason = nodeRespond, say, byRule, "a courtesy"
		if s.Understanding.Intent == nlu.Unclear || s.Understanding.Intent == nlu.Info || s.Understanding.Intent == nlu.OutOfScope {
			return r, true, nil
		}
		return r, false, nil
	}
	if c.parts.Reader == nil || c.parts.Index == nil || s.Turn.Owner || s.Turn.Spec || !wantsAnswer(q) || s.Understanding.Intent == nlu.Safety {
		return r, false, nil
	}
	if c.byWords(s) {
		return r, false, nil
	}
	r.By, r.Inherited = byContext, q.SubjectFrom == talk.Inherited || q.AskFrom == talk.Inherited || q.WhenFrom == talk.Inherited
	if ids := c.onlyParts(q, s.Understanding); len(ids) > 0 {
		return ofParts(r, q, ids, "only a part")
	}
	if asksProgramme(q, s.Understanding) {
		return c.ofProgramme(ctx, s, r, now)
	}
	if q.SubjectFrom != talk.Inherited && c.infoWishOf(s.Understanding, now).Hours != "" {
		return c.ofVenue(s, r, now)
	}
	switch q.About {
	case nlu.AboutSubject, nlu.AboutUnknown, nlu.AboutNone:
		f, err := c.lookFor(ctx, s, q.Text, now)
		if err != nil {
			return r, false, err
		}
		return c.ofSubject(ctx, s, r, f, now)
	case nlu.AboutVenue:
		if ids := partsNamed(c.parts.Venue, q.Text); len(ids) > 0 {
			return ofParts(r, q, ids, "a part")
		}
		return c.ofVenue(s, r, now)
	case nlu.AboutEvents:
		return c.ofProgramme(ctx, s, r, now)
	case nlu.AboutDate, nlu.AboutConcierge, nlu.AboutStaff, nlu.AboutVisitor:
	}
	return r, false, nil
}

// ofParts routes a question about parts of the venue.
func ofParts(r route, q talk.Question, ids []string, reason string) (route, bool, error) {
	r.Node, r.Reason = nodeInfo, reason
	r.Info = infoWish{Text: oneLine(q.Text, maxQuestion), Asked: true, Parts: ids}
	return r, true, nil
}

// byWords reports whether the words of a question alone say where it leads: to the owner's calendar, to dates, to the staff, to a question back, or
// on with the time of the question before.
func (c *Concierge) byWords(s State) bool {
	u, q := s.Understanding, s.Question
	if q.SubjectFrom == talk.Inherited && !(u.Write && u.Intent == nlu.Calendar && u.AgentConfidence >= sureAgent) {
		return false
	}
	_, ambiguous := c.ambiguous(u.Text)
	rule := u.Reason != nlu.NGrams
	switch {
	case s.Asked.Done, u.Write && (q.Act == nlu.ActOrders || u.Intent == nlu.Calendar && u.AgentConfidence >= sureAgent), u.Reference.ThatDay:
		return true
	case !q.Alone && q.AskFrom == talk.Inherited && q.About != nlu.AboutVenue, ambiguous && !s.Asked.Done && c.parts.Checkpointer != nil:
		return true
	case u.Intent == nlu.Calendar:
		return u.Owner || u.Write
	case u.Intent == nlu.DateCalc:
		return u.AgentConfidence >= sureAgent
	case u.Intent == nlu.CallStaff, u.Intent == nlu.Identity, u.Intent == nlu.OutOfScope, u.Intent == nlu.SmallTalk, u.Intent == nlu.Unclear && len(u.Keywords) == 0:
		return rule && q.SubjectFrom == talk.Absent
	}
	return false
}

// sureAgent is the confidence from which the words alone say which node answers.
const sureAgent = 0.9

// asksProgramme reports whether a question is for what is on: which events, how many, or whether there is anything at a time.
func asksProgramme(q talk.Question, u nlu.Understanding) bool {
	if u.Intent == nlu.Event && u.AgentConfidence >= sureAgent && len(u.Keywords) == 0 && q.Subject.Title == "" {
		return true
	}
	switch q.Ask {
	case nlu.AskEvents:
		return true
	case nlu.AskCount:
		return q.Subject.Title == "" && q.About != nlu.AboutSubject
	case nlu.AskIsThere:
		return q.Subject.Title == "" && len(u.Keywords) == 0 && len(u.Times) > 0
	default:
		return false
	}
}

// ofSubject routes a question about something that is known: an event, several that are compared or
// listed, parts of the venue, or what a passage says.
func (c *Concierge) ofSubject(ctx context.Context, s State, r route, f found, now time.Time) (route, bool, error) {
	q := s.Question
	if q.Ask == nlu.AskCompare || q.Ask == nlu.AskWhich {
		titles := comparedEvents(s, f.named(s.Turn.Query))
		if len(titles) >= 2 && compares(q, strings.ToLower(s.Turn.Query)) {
			r.Node, r.Reason, r.Event = nodeEvent, "compares events", eventWish{Compare: titles, Range: around(now)}
			return r, true, nil
		}
	}
	if titles := f.alike(q); len(titles) > 1 {
		r, ok, err := c.ofProgramme(ctx, s, r, now)
		r.Event.Near, r.Event.Kind = titles, true
		return r, ok, err
	}
	if u := s.Understanding; u.Intent == nlu.Event && q.SubjectFrom == talk.Absent && f.strongest().Strength < 0 ||
		u.Intent == nlu.Event && q.SubjectFrom != talk.Inherited && f.onlyNearPart() {
		return r, false, nil
	}
	if ids := f.comparedParts(q, s.Memory, strings.ToLower(s.Turn.Query)); len(ids) > 1 {
		return ofParts(r, q, ids, "compares parts")
	}
	if titles := titlesOf(q.Each); len(titles) > 1 {
		r.Node, r.Reason, r.Event = nodeEvent, "asks about each of a list", eventWish{Each: titles, Range: around(now)}
		return r, true, nil
	}
	if title, ok := f.event(q); ok {
		r.Node, r.Reason = nodeEvent, "asks about an event"
		r.Event = eventWish{Subject: title, Range: around(now), Words: title}
		return r, true, nil
	}
	if ids := f.part(q, partsNamed(c.parts.Venue, s.Turn.Query)); len(ids) > 0 {
		r, ok, err := ofParts(r, q, ids, "a part")
		r.Info.Near = q.SubjectFrom != talk.Inherited && f.partsNamed.ID == ""
		return r, ok, err
	}
	r.Node, r.Reason = nodeInfo, "asks about what a passage says"
	r.Info = infoWish{Text: oneLine(q.Text, maxQuestion), Asked: true}
	return r, true, nil
}

// titlesOf are the titles of events.
func titlesOf(subjects []talk.Subject) []string {
	var out []string
	for _, s := range subjects {
		if s.Kind == talk.Event {
			out = append(out, s.Title)
		}
	}
	return out
}

// courtesies are what is said to an utterance that asks for nothing.
var courtesies = map[nlu.Act]nlu.Intent{
	nlu.ActThanks: nlu.Thanks, nlu.ActGreets: nlu.Greeting, nlu.ActLeaves: nlu.Farewell, nlu.ActChats: nlu.Affirm,
}

// wantsAnswer reports whether a question asks for something that evidence may state.
func wantsAnswer(q talk.Question) bool {
	switch q.Act {
	case nlu.ActAdds:
		return true
	case nlu.ActAsks, nlu.ActChanges, nlu.ActDoubts, nlu.ActOrders, nlu.ActReports:
		return q.Ask != nlu.AskNone && q.Ask != "" && q.Ask != nlu.AskRepeat && q.Ask != nlu.AskTranslate
	case nlu.ActAnswers, nlu.ActRepeats, nlu.ActTranslates, nlu.ActGreets, nlu.ActThanks, nlu.ActLeaves, nlu.ActChats:
	}
	return false
}

// ofVenue routes a question about the venue as a whole: its hours are computed.
func (c *Concierge) ofVenue(s State, r route, now time.Time) (route, bool, error) {
	w := c.infoWishOf(s.Understanding, now)
	if w.Range.isZero() && !s.Topic.Range.isZero() {
		if beside, ok := s.Topic.Range.in(now.Location()).beside(strings.ToLower(s.Understanding.Text)); ok {
			w.Range = beside
		}
	}
	if w.Hours == "" && len(c.parts.Venue.Hours.Weekly) > 0 {
		switch s.Question.Ask {
		case nlu.AskIsOpen, nlu.AskUntilWhen, nlu.AskWhen:
			switch text := strings.ToLower(s.Understanding.Text); {
			case weekdaysAsked(text) != 0 && weekdayAsSuch(s.Understanding.Times, text):
				w.Hours = hoursWeekly
			case w.Range.isZero():
				w.Hours = hoursUsual
			default:
				w.Hours = hoursDay
			}
		default:
			r.Node, r.Info, r.Reason = nodeInfo, infoWish{Text: oneLine(s.Question.Text, maxQuestion), Asked: true}, "asks about the venue"
			return r, true, nil
		}
	}
	r.Node, r.Info, r.Reason = nodeInfo, w, "asks about the venue"
	return r, true, nil
}

// ofProgramme routes a question for events.
func (c *Concierge) ofProgramme(ctx context.Context, s State, r route, now time.Time) (route, bool, error) {
	hits, err := c.eventsAbout(ctx, s.Question.Text, s.Language, now)
	if err != nil {
		return r, false, err
	}
	w := programmeRange(c.eventWishOf(s.Understanding, now, ""), now)
	w.Programme = true
	if t := s.Topic; !w.Range.Explicit && len(s.Memory.InView) > 1 && t.Node == nodeEvent && s.Question.Ref != nlu.RefNamed && s.Question.Ref != nlu.RefNone {
		w.Range = t.Range.in(now.Location()) // those of them that are as wished
		r.Inherited = true
	}
	for _, h := range hits {
		if h.Score >= max(eventScore, nearBest*hits[0].Score) {
			w.Near = append(w.Near, h.Passage.Pair)
		}
	}
	r.Node, r.Reason, r.Event = nodeEvent, "asks for events", w
	return r, true, nil
}

// nearBest is the part of the best score from which another event is near to the same words.
const nearBest = 0.8

// restOf are the content words of a question that are no part of a title.
func restOf(u nlu.Understanding, title string) []string {
	title = strings.ToLower(title)
	return slices.DeleteFunc(slices.Clone(u.Keywords), func(w string) bool {
		return strings.Contains(title, w) || slices.Contains(kinds, w) || lone(w) && !isJapanese(w)
	})
}
