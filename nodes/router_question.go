package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/rag"
)

// byQuestion routes a question that was read in its talk: what it is about says which node answers.
// ok is false where that does not say it.
func (c *Concierge) byQuestion(ctx context.Context, s State, r route, now time.Time) (route, bool, error) {
	q := s.Question
	if w := c.infoWishOf(s, now); c.tellsOfVisit(s, w) {
		r.Node, r.Info, r.By, r.Reason = nodeInfo, w, byContext, "a visit"
		r.Info.Hours = hoursDay
		return r, true, nil
	}
	if r, only, ok := courtesy(s, r); ok {
		return r, only, nil
	}
	if n := nlu.BareNumber(s.Turn.Query); !s.Asked.Done && (q.NoItem || n > len(s.Memory.InView)) {
		r.Node, r.By, r.Reason, r.Say = nodeRespond, byContext, "no item", nlu.Unclear
		return r, true, nil
	}
	if w, ok := s.Topic.more(s.Understanding); ok {
		r.Node, r.By, r.Reason, r.Event, r.Inherited = nodeEvent, byContext, "more", w, true
		return r, true, nil
	}
	if i, ok := c.ambiguous(s.Turn.Query); ok && c.mayAsk(s, i) {
		r.Node, r.By, r.Ambiguity, r.Reason = nodeClarify, byRule, i, "ambiguous word"
		return r, true, nil
	}
	if !wantsAnswer(q) || c.byWords(s, now) {
		return r, false, nil
	}
	r.By = byContext
	r.Inherited = q.SubjectFrom == talk.Inherited || q.AskFrom == talk.Inherited || q.WhenFrom == talk.Inherited
	if ids := c.partOfPassage(s); len(ids) > 0 {
		return ofParts(r, q, ids, "part passage")
	}
	if ids := c.onlyParts(q, s.Understanding); len(ids) > 0 {
		return ofParts(r, q, ids, "part alone")
	}
	if asksProgramme(q, s.Understanding) || leavesOut(s) {
		return c.ofProgramme(ctx, s, r, now)
	}
	if c.asksHours(s, now) {
		return c.ofVenue(ctx, s, r, now)
	}
	return c.byAbout(ctx, s, r, now)
}

// asksHours reports whether the words ask for the hours of the venue, and the question for those of nothing else.
func (c *Concierge) asksHours(s State, now time.Time) bool {
	q := s.Question
	howLong := q.Ask == nlu.AskHowLong && q.About == nlu.AboutSubject // 何時間使える, of a room
	ofVenue := q.SubjectFrom != talk.Inherited && !howLong || c.namesVenue(s.Understanding.Text)
	return ofVenue && c.infoWishOf(s, now).Hours != ""
}

// mayAsk reports whether it is asked which meaning of a word is meant, though the talk is about something:
// where that is none of them.
func (c *Concierge) mayAsk(s State, ambiguity int) bool {
	q := s.Question
	return !s.Asked.Done && c.parts.Checkpointer != nil && q.SubjectFrom == talk.Inherited && q.Ask != nlu.AskEvents &&
		!plainReading(q.Subject.Title+" "+q.Text, c.parts.Venue.Ambiguous[ambiguity])
}

// byAbout routes a question by the kind of thing that it is about.
func (c *Concierge) byAbout(ctx context.Context, s State, r route, now time.Time) (route, bool, error) {
	q := s.Question
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
		return c.ofVenue(ctx, s, r, now)
	case nlu.AboutEvents:
		return c.ofProgramme(ctx, s, r, now)
	case nlu.AboutDate:
		if q.AskFrom == talk.Inherited && s.Topic.Node == nodeDate {
			return c.ofDate(s, r, now), true, nil
		}
	case nlu.AboutConcierge, nlu.AboutStaff, nlu.AboutVisitor:
	}
	return r, false, nil
}

// courtesy routes thanks, a greeting, a report and the like; only says that nothing else decides.
func courtesy(s State, r route) (_ route, only, ok bool) {
	if saysBroken(s) && complains(s) {
		r.Node, r.Say, r.By, r.Reason = nodeRespond, nlu.CallStaff, byContext, "report"
		return r, true, true
	}
	q, intent := s.Question, s.Understanding.Intent
	say, ok := courtesies[q.Act]
	if !ok || intent == nlu.Safety || q.Ask != nlu.AskNone || q.About == nlu.AboutSubject {
		return r, false, false
	}
	r.Node, r.Say, r.By, r.Reason = nodeRespond, say, byRule, "a courtesy"
	reason := s.Understanding.Reason
	nobodyKnows := reason == nlu.NoMeaning && q.Confidence >= sureReading
	return r, intent == nlu.Unclear || reason == nlu.NGrams || nobodyKnows, true
}

// partOfPassage is the part that was spoken of before, where a question that names nothing is about
// a passage on that part.
func (c *Concierge) partOfPassage(s State) []string {
	q := s.Question
	if q.Subject.Kind != talk.Passage || len(s.Memory.Subjects) == 0 || !c.onlyVenue(s.Understanding) {
		return nil
	}
	ids := partsNamed(c.parts.Venue, q.Subject.Title)
	if before := idsOf(s.Memory.Subjects[0]); len(before) == 0 || !slices.Equal(ids, before) {
		return nil
	}
	return ids
}

// ofParts routes a question about parts of the venue.
func ofParts(r route, q talk.Question, ids []string, reason string) (route, bool, error) {
	r.Node, r.Reason = nodeInfo, reason
	r.Info = infoWish{Text: text.OneLine(q.Text, maxQuestion), Parts: ids}
	return r, true, nil
}

// asksProgramme reports whether a question is for what is on: which events, how many, or whether
// there is anything at a time.
func asksProgramme(q talk.Question, u nlu.Understanding) bool {
	one := q.Subject.Kind == talk.Passage || q.Subject.Kind == talk.Part
	switch {
	case wordsAskProgramme(q, u):
		return true
	case one || asksHours(q):
		return false
	case q.Ask == nlu.AskEvents:
		return true
	case q.Ask == nlu.AskCount:
		return q.Subject.Title == "" && q.About != nlu.AboutSubject
	case q.Ask == nlu.AskIsThere:
		return q.Subject.Title == "" && len(u.Keywords) == 0 && len(u.Times) > 0
	}
	return false
}

// onlyNarrows reports whether a wish for events says nothing but which property they shall have: 予約がいらないのはどれ,
// "the free ones".
func (c *Concierge) onlyNarrows(w eventWish) bool {
	a := programmeAnswer{eventContext: eventContext{venue: c.parts.Venue}, text: w.Text, rest: w.Rest}
	a.calendar.names = []string{}
	filters, rest, _ := a.asked()
	return len(filters) > 0 && len(rest) == 0 && !talk.SaysEvent(w.Text)
}

// wordsAskProgramme reports whether the words surely ask for events, and the question for nothing
// else: the first event of next year.
func wordsAskProgramme(q talk.Question, u nlu.Understanding) bool {
	if u.Intent != nlu.Event || u.AgentConfidence < sureAgent || u.Reason == nlu.NGrams {
		return false
	}
	many := slices.Contains(programmeAsks, q.Ask)
	switch q.Subject.Kind {
	case talk.Passage:
		return many && len(u.Times) > 0 && q.SubjectFrom != talk.Inherited
	case talk.Event: // 来週の勉強会を教えて
		if q.Ask == nlu.AskNext && len(u.Keywords) == 0 {
			return true
		}
		named := inText(strings.ToLower(q.Text), q.Subject.Title)
		return q.Ask == nlu.AskWhatIs && len(u.Times) > 0 && q.SubjectFrom == talk.Said && !named
	case talk.Part:
		return false
	}
	return !asksHours(q) && q.About != nlu.AboutSubject && q.AskFrom == talk.Said && (many || len(u.Keywords) == 0)
}

// sureReading is the confidence from which a reading goes before what the words alone say.
const sureReading = 0.5

// programmeAsks are the kinds of answers by which the programme, or one event of it, is asked for.
var programmeAsks = []nlu.Ask{
	nlu.AskEvents, nlu.AskWhich, nlu.AskWhatIs, nlu.AskNext, nlu.AskIsThere, nlu.AskCount, nlu.AskHowOften,
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
	if titles := f.alike(q, s.Understanding.Keywords); len(titles) > 1 {
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
		r.Node, r.Reason, r.Event = nodeEvent, "each listed", eventWish{Each: titles, Range: around(now)}
		return r, true, nil
	}
	if title, ok := f.event(q); ok {
		r.Node, r.Reason = nodeEvent, "an event"
		r.Event = eventWish{Subject: title, Range: around(now)}
		return r, true, nil
	}
	if ids := f.part(q, partsNamed(c.parts.Venue, s.Turn.Query)); len(ids) > 0 {
		r, ok, err := ofParts(r, q, ids, "a part")
		r.Info.Near = q.SubjectFrom != talk.Inherited && f.partsNamed.ID == ""
		return r, ok, err
	}
	r.Node, r.Reason = nodeInfo, "a passage"
	r.Info = infoWish{Text: text.OneLine(q.Text, maxQuestion)}
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

// ofProgramme routes a question for events.
func (c *Concierge) ofProgramme(ctx context.Context, s State, r route, now time.Time) (route, bool, error) {
	hits, err := c.eventsAbout(ctx, s.Question.Text, s.Language, now)
	if err != nil {
		return r, false, err
	}
	q := s.Question
	w := programmeWish(s, now)
	pointsBack := q.Ref != nlu.RefNamed && q.Ref != nlu.RefNone || besides(w.Text) || c.onlyNarrows(w)
	ofList := pointsBack && len(s.Memory.InView) > 1 && !w.Range.Explicit
	if ofList || q.AskFrom == talk.Inherited && len(s.Understanding.Times) > 0 {
		var kept bool
		w, kept = w.sameTimes(s.Topic, s.Understanding.Times, now)
		r.Inherited = r.Inherited || kept
	}
	if day, ok := s.Topic.openDay(now.Location()); ok && !w.Range.Explicit && w.anyEvent() {
		w.Range, r.Inherited = day, true
	}
	text := strings.ToLower(s.Question.Text)
	for _, h := range hits {
		if h.Score >= max(eventScore, nearBest*hits[0].Score) {
			w.Near = append(w.Near, h.Passage.Pair)
		}
	}
	if titles := namedIn(text, hits); len(titles) > 0 {
		w.Near, w.Named = titles, true
	}
	r.Node, r.Reason, r.Event = nodeEvent, "the programme", w
	return r, true, nil
}

// anyEvent reports whether a wish for events names none.
func (w eventWish) anyEvent() bool { return !w.Next && len(contentWords(w.Rest)) == 0 }

// openDay is the day of which it was told whether the venue is open then, if that was told last.
func (t topic) openDay(loc *time.Location) (display.Span, bool) {
	day := t.Range.In(loc)
	day.Explicit = true
	return day, t.Node == nodeInfo && t.Hours != "" && !day.OneDay().IsZero()
}

// more is the event question of the topic for what was left out, where that is asked for.
func (t topic) more(u nlu.Understanding) (eventWish, bool) {
	w := t.Wish
	w.Range, w.Skip = t.Range, t.Offset+len(t.Items)
	bare := len(u.Times) == 0 && len(contentWords(u.Keywords)) == 0
	return w, t.Node == nodeEvent && w.Programme && u.Reference.More && bare
}

// namedIn are the titles of the events that a text in lower case names.
func namedIn(text string, hits []rag.Hit) []string {
	var out []string
	for _, h := range hits {
		if inText(text, h.Passage.Pair) {
			out = append(out, h.Passage.Pair)
		}
	}
	return out
}

// nearBest is the part of the best score from which another event is near to the same words.
const nearBest = 0.8

// restOf are the content words of a question that are no part of a title.
func restOf(u nlu.Understanding, title string) []string {
	title = strings.ToLower(title)
	return slices.DeleteFunc(slices.Clone(u.Keywords), func(w string) bool {
		return strings.Contains(title, w) || lone(w) && !text.HasJapanese(w)
	})
}
