package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
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
	if (q.SubjectFrom != talk.Inherited || c.namesVenue(s.Understanding.Text)) && c.infoWishOf(s, now).Hours != "" {
		return c.ofVenue(ctx, s, r, now)
	}
	return c.byAbout(ctx, s, r, now)
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

// tellsOfVisit reports whether a visitor only says on which day they want to come: whether the
// venue is open then is told.
func (c *Concierge) tellsOfVisit(s State, w infoWish) bool {
	q, intent := s.Question, s.Understanding.Intent
	if q.Ask != nlu.AskNone || intent == nlu.Safety {
		return false
	}
	if len(c.parts.Venue.Hours.Weekly) == 0 {
		return false
	}
	if q.About != nlu.AboutVenue && q.About != nlu.AboutVisitor && q.About != nlu.AboutDate {
		return false
	}
	return !w.Range.IsZero() && !w.Range.Clock && !w.Range.OneDay().IsZero() && w.Range.End.After(s.Turn.At)
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

// byWords reports whether the words of a question alone say where it leads: to the owner's
// calendar, to dates, to the staff, to a question back, or on with the time of the question before.
func (c *Concierge) byWords(s State, now time.Time) bool {
	u, q, date := s.Understanding, s.Question, dateWishOf(s.Understanding, now, "").Kind
	_, ambiguous := c.ambiguous(u.Text)
	if ambiguous && c.parts.Checkpointer != nil && q.SubjectFrom != talk.Inherited {
		return true
	}
	rule := u.Reason != nlu.NGrams
	switch own := u.Owner || u.Write && u.AgentConfidence >= sureAgent; {
	case q.SubjectFrom != talk.Inherited, u.Intent == nlu.Calendar && own:
	default: // 今何時ですか is about no event, but 何曜日ですか is
		return u.Intent == nlu.DateCalc && rule && date != dateIs && date != dateHour
	}
	return s.Asked.Done && !s.Asked.Either || u.Write && q.Act == nlu.ActOrders || intentLeads(u, q, date)
}

// intentLeads reports whether what the words alone say goes before what the question is about.
func intentLeads(u nlu.Understanding, q talk.Question, date dateKind) bool {
	rule := u.Reason != nlu.NGrams
	sure := q.Sure() || q.Alone && q.About == nlu.AboutSubject // a reader that says it in full knows what it is about
	switch u.Intent {
	case nlu.Calendar:
		return (u.Owner || u.Write) && !asksOfOthers(q) && (q.Act == nlu.ActOrders || surelyOwn(u, q))
	case nlu.DateCalc:
		return u.AgentConfidence >= sureAgent && q.About != nlu.AboutEvents && !ofSomething(u, q, date)
	case nlu.CallStaff, nlu.Identity, nlu.OutOfScope, nlu.SmallTalk:
		return rule && (!sure || wantsPerson(u.Intent, q))
	case nlu.Unclear:
		return rule && !q.Sure() && len(u.Keywords) == 0
	case nlu.Event, nlu.Info, nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Safety, nlu.Affirm, nlu.Deny:
	}
	return false
}

// ofSomething reports whether what seems to ask for a date asks of something that is known: an event, or something else
// that only n-grams took for a date, or of which it is asked whether it is open on a day.
func ofSomething(u nlu.Understanding, q talk.Question, date dateKind) bool {
	if q.Subject.Kind == talk.Event && q.Sure() {
		return true
	}
	openThen := q.Ask == nlu.AskIsOpen && date == dateIs
	return q.About == nlu.AboutSubject && (u.Reason == nlu.NGrams || openThen)
}

// wantsPerson reports whether a question may be for somebody to speak to, or who speaks.
func wantsPerson(intent nlu.Intent, q talk.Question) bool {
	switch intent {
	case nlu.CallStaff:
		return q.Act == nlu.ActOrders || q.Ask == nlu.AskContact || q.Ask == nlu.AskNone
	case nlu.Identity:
		return q.Ask == nlu.AskWho
	default:
		return false
	}
}

// asksOfOthers reports whether a question is surely for what nobody's own calendar states: whether one has to
// book, what it costs, who may come.
func asksOfOthers(q talk.Question) bool {
	return q.Act == nlu.ActAsks && q.Confidence >= sureReading && slices.Contains(ofOthers, q.Ask)
}

// ofOthers are the kinds of answers that no calendar of one's own has.
var ofOthers = []nlu.Ask{
	nlu.AskNeedI, nlu.AskHowMuch, nlu.AskForWhom, nlu.AskWhichLanguage, nlu.AskStillOn, nlu.AskHowDoI, nlu.AskContact,
}

// surelyOwn reports whether the words surely speak of somebody's own calendar, and name no event.
func surelyOwn(u nlu.Understanding, q talk.Question) bool {
	if u.Reason == nlu.NGrams {
		return u.AgentConfidence >= sureAgent && !q.Sure()
	}
	named := q.SubjectFrom != talk.Inherited && q.Subject.Kind == talk.Event && q.Sure()
	return u.Owner || !named
}

// sureAgent is the confidence from which the words alone say which node answers.
const sureAgent = 0.9

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

// leavesOut reports whether an utterance leaves out one of those listed that it names: もくもく会以外は？
func leavesOut(s State) bool {
	low := strings.ToLower(s.Turn.Query)
	named := func(subject talk.Subject) bool { return subject.Kind == talk.Event && inText(low, subject.Title) }
	return besides(low) && slices.ContainsFunc(s.Memory.InView, named)
}

// besides reports whether a text has a word for leaving out what it names.
func besides(said string) bool {
	return slices.ContainsFunc(words.Filters(), func(f words.FilterRow) bool {
		return f.Name == words.FilterBesides && mentions(strings.ToLower(said), f.Question)
	})
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

// asksHours reports whether a question is surely one for the opening hours of the venue.
func asksHours(q talk.Question) bool {
	return q.About == nlu.AboutVenue && slices.Contains(ofHours, q.Ask) && q.Confidence >= sureReading
}

// sureReading is the confidence from which a reading goes before what the words alone say.
const sureReading = 0.5

// programmeAsks are the kinds of answers by which the programme, or one event of it, is asked for.
var programmeAsks = []nlu.Ask{nlu.AskEvents, nlu.AskWhich, nlu.AskWhatIs, nlu.AskNext, nlu.AskIsThere, nlu.AskCount}

// ofHours are the kinds of answers that the opening hours give.
var ofHours = []nlu.Ask{nlu.AskIsOpen, nlu.AskUntilWhen}

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

// ofVenue routes a question about the venue as a whole: its hours are computed.
func (c *Concierge) ofVenue(ctx context.Context, s State, r route, now time.Time) (route, bool, error) {
	w := c.infoWishOf(s, now)
	if w.Hours == "" && len(c.parts.Venue.Hours.Weekly) > 0 {
		ask, last := s.Question.Ask, s.Memory.Last
		before := last.About == nlu.AboutVenue && last.Ask == nlu.AskIsOpen
		if before && ask == nlu.AskDate && !w.Range.OneDay().IsZero() {
			ask = last.Ask // fine, and what about the 14th then?
		}
		switch ask {
		case nlu.AskIsOpen, nlu.AskUntilWhen, nlu.AskWhen:
			switch {
			case w.Weekdays != 0 && weekdayAsSuch(s.Understanding.Times):
				w.Hours = hoursWeekly
			case w.Range.IsZero():
				w.Hours = hoursUsual
			default:
				w.Hours = hoursDay
			}
			var err error
			if w.Beside, err = c.namedBeside(ctx, s, now); err != nil {
				return r, false, err
			}
		default:
			r.Node, r.Reason = nodeInfo, "the venue"
			r.Info = infoWish{Text: text.OneLine(c.asksOfVenue(s), maxQuestion)}
			return r, true, nil
		}
	}
	r.Node, r.Info, r.Reason = nodeInfo, w, "the venue"
	return r, true, nil
}

// namedBeside is what a question for the hours of the venue names as a thing of its own that nothing known has a word
// of; "" where it names none.
func (c *Concierge) namedBeside(ctx context.Context, s State, now time.Time) (string, error) {
	q, general := s.Question, general()
	if q.SubjectFrom == talk.Inherited || q.AskFrom == talk.Inherited {
		return "", nil
	}
	name, ask := strings.ToLower(c.parts.Venue.Name.JA+" "+c.parts.Venue.Name.EN), words.AskWords()
	said := strings.ToLower(s.Understanding.Text)
	i := slices.IndexFunc(s.Understanding.Keywords, func(w string) bool {
		ofVenue := strings.Contains(name, w) || slices.Contains(general, w)
		if ofVenue || ask[w] != nil || len(contentWords([]string{w})) == 0 {
			return false
		}
		return !onlyOpening([]string{w}) && namesThing(said, strings.ToLower(w))
	})
	if i < 0 {
		return "", nil
	}
	beside := s.Understanding.Keywords[i]
	f, err := c.lookFor(ctx, s, beside, now)
	if err != nil || f.passages.Status == statusError || f.has(contentWords([]string{beside})[0]) {
		return "", err
	}
	return beside, nil
}

// namesThing reports whether a word stands in a text as the name of a thing: behind an article, or before what marks a
// topic.
func namesThing(said, word string) bool {
	at := strings.Index(said, word)
	if at < 0 {
		return false
	}
	_, before := words.BeforeName.End(said[:at])
	_, behind := words.BehindName.Begin(said[at+len(word):])
	return before && !text.HasJapanese(word) || behind && text.HasJapanese(word)
}

// has reports whether anything that was found has a word.
func (f found) has(word string) bool {
	return slices.ContainsFunc(slices.Concat(f.events, f.parts, f.passages.Hits), func(h rag.Hit) bool {
		return text.ContainsWord(strings.ToLower(h.Passage.Title+" "+h.Passage.Text), strings.ToLower(word))
	})
}

// general are words that name nothing of a venue: its kind, a place, an event.
func general() []string {
	for _, f := range words.Filters() {
		if f.Name == words.FilterGeneral {
			return f.Question
		}
	}
	return nil
}

// asksOfVenue is the text to look up a question about the venue as a whole by. One that names
// nothing but the venue is printed in full.
func (c *Concierge) asksOfVenue(s State) string {
	row := words.Asks()[string(s.Question.Ask)]
	if text := row.Venue[string(s.Language)]; text != "" && c.onlyVenue(s.Understanding) {
		return text
	}
	return s.Question.Text
}

// onlyVenue reports whether an utterance names nothing but the venue, if that.
func (c *Concierge) onlyVenue(u nlu.Understanding) bool {
	name, ask := strings.ToLower(c.parts.Venue.Name.JA+" "+c.parts.Venue.Name.EN), words.AskWords()
	return !slices.ContainsFunc(u.Keywords, func(w string) bool { return ask[w] == nil && !strings.Contains(name, w) })
}

// ofProgramme routes a question for events.
func (c *Concierge) ofProgramme(ctx context.Context, s State, r route, now time.Time) (route, bool, error) {
	hits, err := c.eventsAbout(ctx, s.Question.Text, s.Language, now)
	if err != nil {
		return r, false, err
	}
	q := s.Question
	w := programmeWish(s, now)
	pointsBack := (q.Ref != nlu.RefNamed && q.Ref != nlu.RefNone || besides(w.Text)) && len(s.Memory.InView) > 1
	if pointsBack && !w.Range.Explicit || q.AskFrom == talk.Inherited && len(s.Understanding.Times) > 0 {
		var kept bool
		w, kept = w.sameTimes(s.Topic, s.Understanding.Times, now)
		r.Inherited = r.Inherited || kept
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
