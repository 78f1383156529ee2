package nodes

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/graph"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/nodes/wording"
	"annai/rag"
)

// understand reads the utterance in its talk, and clears what the turn before was working on.
func (c *Concierge) understand(ctx context.Context, s State) (graph.Command[State], error) {
	s, update, err := c.hear(ctx, s)
	if err != nil {
		return graph.Command[State]{}, err
	}
	at := s.Turn.At.In(c.location(s.Turn))
	s.Turn.Query = withDays(s.Turn.Query, s.Topic, at)
	u := afterAlarm(c.parts.Understander.Understand(s.Turn.Query, at), s.Seen.Alarm)
	s.Language = answerLanguage(s.Turn, u, s.Seen)
	become := asked{}
	if u.Reference.Other && s.Seen.Other != "" { // the other of two readings
		s.Turn.Query, become.Done = s.Seen.Other, true
		u = c.parts.Understander.Understand(s.Turn.Query, at)
	}
	s.Understanding = u
	if s, err = c.read(ctx, s, at); err != nil {
		return graph.Command[State]{}, err
	}
	return graph.Command[State]{Update: append(update,
		askedChannel.Write(become), droppedChannel.Write(""),
		understoodChannel.Write(s.Understanding), languageChannel.Write(s.Language), questionChannel.Write(s.Question),
	)}, nil
}

// read makes a question of an utterance whose words were understood, unless it is about danger or the
// owner's calendar. The words are then those of the question.
func (c *Concierge) read(ctx context.Context, s State, at time.Time) (State, error) {
	s.Question = talk.Question{}
	if s.Turn.Capture != nil { // what was given says it all
		return s, nil
	}
	if u := s.Understanding; u.Intent == nlu.Safety || u.Foreign != "" || c.isOwn(ctx, s) {
		return s, nil
	}
	r := c.readWords(ctx, s, s.Understanding, at)
	if lang, ok := languageAsked(r, s.Seen.Language); ok && s.Turn.Language == "" {
		s.Language = lang
	}
	var err error
	if s.Question, err = c.resolve(ctx, s, r, at); err != nil || !s.Question.Alone || c.saysItself(s.Understanding) {
		return s, err
	}
	if r.Full == "" {
		s.Understanding = inTalk(s.Understanding, s.Question, at)
		return s, nil
	}
	// A model says it in other words.
	if full := c.parts.Understander.Understand(r.Full, at); full.Intent != nlu.Safety {
		s.Understanding = full
	}
	return s, nil
}

// saysItself reports whether the words of an utterance mean the same whatever was spoken of: that a danger is over,
// something of the speaker's own calendar, or the venue by its name.
func (c *Concierge) saysItself(u nlu.Understanding) bool {
	own := u.Intent == nlu.Calendar && u.Reason != nlu.NGrams && (u.Owner || u.Write)
	return u.Over || own || c.namesVenue(u.Text)
}

// inTalk is what an utterance says with what its question has from the talk: the sentence that stands by itself, the
// times in that, and its words.
func inTalk(u nlu.Understanding, q talk.Question, at time.Time) nlu.Understanding {
	var times []datetime.Expression
	behind := strings.LastIndex(q.Text, u.Text)
	if behind >= 0 {
		times = datetime.Parse(q.Text[:behind], at)
	}
	for _, e := range u.Times {
		from := behind + e.Start
		if behind < 0 { // it was printed, with the time in place of another one
			from = strings.Index(q.Text, e.Text)
		}
		if from >= 0 {
			e.Start, e.End = from, from+e.End-e.Start
			times = append(times, e)
		}
	}
	if behind < 0 && len(times) == 0 {
		times = datetime.Parse(q.Text, at)
	}
	u.Text, u.Times, u.Keywords = q.Text, times, q.Keywords
	return u
}

// readAs reads other words in place of the utterance.
func (c *Concierge) readAs(ctx context.Context, s State, words string) (State, error) {
	at := s.Turn.At.In(c.location(s.Turn))
	said := s.Turn.Query
	s.Turn.Query, s.Understanding = words, c.parts.Understander.Understand(words, at)
	s, err := c.read(ctx, s, at)
	s.Turn.Query = said
	return s, err
}

// readAlone reads other words in place of the utterance as if nothing had been said before.
func (c *Concierge) readAlone(ctx context.Context, s State, words string) (State, error) {
	before := s.Memory
	s.Memory = talk.Memory{}
	s, err := c.readAs(ctx, s, words)
	s.Memory = before
	return s, err
}

// languageAsked is the language in which the last answer is wanted: that which is named, else the
// other one than before.
func languageAsked(r nlu.Reading, before nlu.Language) (nlu.Language, bool) {
	if r.Act != nlu.ActTranslates && r.Ask != nlu.AskTranslate {
		return "", false
	}
	low, spoken := strings.ToLower(r.Text), words.Spoken()
	ja, en := hasAny(low, spoken[string(nlu.Japanese)]...), hasAny(low, spoken[string(nlu.English)]...)
	switch {
	case ja && !en:
		return nlu.Japanese, true
	case en && !ja:
		return nlu.English, true
	}
	switch before {
	case nlu.Japanese:
		return nlu.English, true
	case nlu.English:
		return nlu.Japanese, true
	}
	return "", false
}

// resolve makes a question of a reading, with the talk and what its words come near to.
func (c *Concierge) resolve(ctx context.Context, s State, r nlu.Reading, now time.Time) (talk.Question, error) {
	if err := brokenOff(ctx); err != nil {
		return talk.Question{}, err
	}
	near, err := c.near(ctx, s, r, now)
	if err != nil {
		return talk.Question{}, err
	}
	return talk.Resolve(r, s.Memory, near), nil
}

// near is what an utterance and the question before it come near to.
func (c *Concierge) near(ctx context.Context, s State, r nlu.Reading, now time.Time) ([]talk.Candidate, error) {
	if r.Full != "" {
		return nil, nil
	}
	near, err := c.lookFor(ctx, s, r.Text, now)
	if err != nil {
		return nil, err
	}
	var before, joint found
	s.Unread = near.passages.Status == statusError                               // they are not waited for again
	if last := s.Memory.Last; last.Text != "" && last.About != nlu.AboutEvents { // what is on is no question about a passage
		if before, err = c.lookFor(ctx, s, last.Text, now); err != nil {
			return nil, err
		}
	}
	if len(s.Memory.Subjects) > 0 {
		text := text.OneLine(s.Memory.Subjects[0].In(r.Language)+" "+r.Text, maxQuestion)
		if joint, err = c.lookFor(ctx, s, text, now); err != nil {
			return nil, err
		}
	}
	all := near.candidates(before, joint, r.Ask)
	candidates := talk.Point(r, s.Memory, append(all, near.otherParts(all, before, joint)...))
	for i, known := range candidates {
		switch known.Subject.Kind {
		case talk.Part:
			stated := c.partsAnswerTo(known.Subject, r.Ask, now)
			candidates[i].States = known.States || stated
			candidates[i].Answers = stated && !slices.Contains(anySentence, r.Ask)
		case talk.Event:
			candidates[i].Answers = slices.Contains(ofAnyEvent, r.Ask)
		case talk.Passage:
		}
	}
	return candidates, nil
}

// ofAnyEvent are the kinds of answers that every event has, be it written or not.
var ofAnyEvent = []nlu.Ask{
	nlu.AskWhichLanguage, nlu.AskWho, nlu.AskForWhom, nlu.AskAvailability, nlu.AskHowLong, nlu.AskUntilWhen,
	nlu.AskHowDoI,
}

// partAsk is a kind of answer asked of a part.
type partAsk struct {
	id  string
	ask nlu.Ask
}

// partsAnswerTo reports whether the venue file has a kind of answer of parts. All parts are looked at in each turn, so
// that what was found is kept.
func (c *Concierge) partsAnswerTo(parts talk.Subject, ask nlu.Ask, now time.Time) bool {
	return slices.ContainsFunc(idsOf(parts), func(id string) bool {
		key := partAsk{id, ask}
		if has, ok := c.answered.Load(key); ok {
			return has.(bool)
		}
		p := c.parts.Venue.Part(id)
		has := p != nil && len(partAnswer{venue: c.parts.Venue, part: p, now: now}.conclude(ask)) > 0
		c.answered.Store(key, has)
		return has
	})
}

// Choice is what an utterance may be about in a talk, and the question that was made of it.
type Choice struct {
	Reading  nlu.Reading
	Options  []talk.Option
	Question talk.Question
}

// Choose reads an utterance in a talk and answers nothing: what the choice of a subject is learnt from.
func (c *Concierge) Choose(ctx context.Context, utterance string, m talk.Memory) (Choice, error) {
	now := c.opts.Now().In(c.parts.Venue.Location)
	u := c.parts.Understander.Understand(utterance, now)
	s := State{Turn: turn{Query: utterance, At: now}, Memory: m, Language: u.Language}
	r := c.readWords(ctx, s, u, now)
	near, err := c.near(ctx, s, r, now)
	return Choice{Reading: r, Options: talk.Options(r, m, near), Question: talk.Resolve(r, m, near)}, err
}

// readWords reads an utterance in its talk, and adds what its words themselves say.
func (c *Concierge) readWords(ctx context.Context, s State, u nlu.Understanding, now time.Time) nlu.Reading {
	r := c.readTalk(ctx, s, now)
	r.Language, r.Text, r.Times, r.Topic = u.Language, u.Text, u.Times, u.Topic
	r.Keywords, r.Ordinal = u.Keywords, cmp.Or(u.Reference.Ordinal, nlu.BareNumber(s.Turn.Query))
	r.Other = u.Reference.Other
	thisPlace := words.ThisPlace.In(r.Text)
	if thisPlace {
		r.Ask, r.Alone = nlu.AskWhatIs, nlu.AskWhatIs
	}
	if thisPlace || c.namesVenue(r.Text) && c.onlyVenue(u) {
		r.About, r.Abouts = nlu.AboutVenue, map[nlu.About]float64{nlu.AboutVenue: 1}
	}
	if ordersBarely(u) {
		return ordered(r, u, s.Memory)
	}
	if r.Ask == nlu.AskContact && words.Permission.In(r.Text) { // who may telephone wants no number
		r.Ask, r.Alone, r.Second, r.Asks = nlu.AskMayI, nlu.AskMayI, nlu.AskContact, nil
	}
	return r
}

// ordersBarely reports whether the words of an utterance are an order, and no more than that: 消して, 予約して.
func ordersBarely(u nlu.Understanding) bool {
	return u.Write && u.Reason != nlu.NGrams && u.AgentConfidence >= sureAgent && len(u.Keywords)+len(u.Times) == 0
}

// ordered is a reading of a bare order. Whoever wants a booking made of what was spoken of is told how that is done.
func ordered(r nlu.Reading, u nlu.Understanding, m talk.Memory) nlu.Reading {
	r.Act, r.Ask, r.Alone, r.Asks, r.Confidence = nlu.ActOrders, nlu.AskNone, nlu.AskNone, nil, 1
	if u.Command.Operation == slots.Create && len(m.Subjects) > 0 && !m.Listed {
		r.Act, r.Ask, r.Alone, r.Ref, r.Named = nlu.ActAsks, nlu.AskHowDoI, nlu.AskHowDoI, nlu.RefLast, 0
	}
	return r
}

// readTalk reads an utterance with a model where there is one, within a third of the turn's time,
// else with the product's own reader.
func (c *Concierge) readTalk(ctx context.Context, s State, now time.Time) nlu.Reading {
	if c.parts.Model == nil || s.Turn.Before != "" {
		return c.parts.Reader.Read(s.Turn.Query, s.Memory.Context())
	}
	reader := wording.NewReader(c.parts.Model, c.parts.Reader, wording.ReaderOptions{
		Deadline: c.opts.Deadline / 3, Venue: c.parts.Venue.Name.In,
		Today: func(time.Time, nlu.Language) string { return c.nowWords(s) },
	})
	return reader.ReadTurn(ctx, wording.Utterance{
		Text: text.OneLine(s.Turn.Query, maxAsked), Talk: s.Memory.Context(), Asked: s.Memory.Last.Text, Now: now, Language: s.Language,
	})
}

// spokenOf is what an answer was about, in its order.
func spokenOf(s State, d draft) []talk.Subject {
	var out []talk.Subject
	switch {
	case len(d.About) > 0:
		return d.About
	case s.Route.Node == nodeEvent && s.Topic.Focus > 0 && s.Topic.Focus <= len(s.Topic.Items):
		return []talk.Subject{subjectOf(s.Topic.Items[s.Topic.Focus-1])}
	case s.Route.Node == nodeEvent:
		for _, e := range s.Topic.Items {
			if subject := subjectOf(e); !slices.ContainsFunc(out, subject.Same) {
				out = append(out, subject)
			}
		}
	case s.Route.Node == nodeInfo && d.Facts.Unknown && s.Question.Sure(): // what is not known was asked of that
		return []talk.Subject{s.Question.Subject}
	case s.Route.Node == nodeInfo && d.Facts.Unknown: // it was about nothing that is known
	case s.Route.Node == nodeInfo:
		for _, p := range d.Passages[:min(1, len(d.Passages))] {
			_, title, _ := cutLast(p.Title, rag.TitleSeparator)
			out = append(out, talk.Subject{Kind: talk.Passage, ID: p.ID, Title: title})
		}
	}
	return out
}

// answeredAs is the question with what it was taken to be about, as the answer shows.
func answeredAs(s State) talk.Question {
	q := s.Question
	switch {
	case s.Route.Node == nodeDate:
		q.About = nlu.AboutDate
	case s.Route.Node == nodeInfo && s.Topic.Hours != "":
		q.About = nlu.AboutVenue
	case s.Route.Node == nodeEvent && s.Route.Event.Programme:
		q.About = nlu.AboutEvents
	case s.Route.Node == nodeInfo, s.Route.Node == nodeEvent && s.Topic.Focus > 0 && q.Ask != nlu.AskEvents:
		q.About = nlu.AboutSubject
	case s.Route.Node == nodeEvent:
		q.About = nlu.AboutEvents
	}
	return q
}

// subjectOf is an event as a subject.
func subjectOf(e display.Entry) talk.Subject {
	at := e.Start
	if e.AllDay {
		at = e.FirstDay.In(time.UTC)
	}
	s := talk.Subject{Kind: talk.Event, Title: e.Title, At: at}
	if yen, ok := priceOf(e.Description); ok {
		s.Yen = &yen
	}
	if !e.AllDay && !e.EndInferred {
		s.Minutes = int(e.End.Sub(e.Start).Minutes())
	}
	return s
}

// cutLast cuts a text at the last separator; without one, all of it is behind.
func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(sep):], true
}

// answerLanguage is the language that the words or the request ask for, else that of the utterance,
// or English where it is neither of ours, else, where it has no words ("2"), that of the talk so
// far.
func answerLanguage(t turn, u nlu.Understanding, before seen) nlu.Language {
	switch {
	case u.Speak != "":
		return u.Speak
	case t.Language != "":
		return t.Language
	case before.Language != "" && !hasLetters(t.Query):
		return before.Language
	case u.Foreign != "":
		return nlu.English
	}
	return u.Language
}

func hasLetters(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

// guessLanguage is the language that an answer will have as far as can be told before the utterance
// is read.
func guessLanguage(t utterance) nlu.Language {
	if t.Language != "" {
		return nlu.Language(t.Language)
	}
	if nlu.Foreign(t.Query) != "" {
		return nlu.English
	}
	if text.HasJapanese(t.Query) {
		return nlu.Japanese
	}
	if hasLetters(t.Query) {
		return nlu.English
	}
	return nlu.Japanese
}

// location is the visitor's location. Where the system does not know the zone, it is the venue's.
func (c *Concierge) location(t turn) *time.Location {
	if t.Zone == "" || t.Zone == c.parts.Venue.Location.String() {
		return c.parts.Venue.Location
	}
	if loc, ok := c.zones.Load(t.Zone); ok {
		return loc.(*time.Location)
	}
	loc, err := time.LoadLocation(t.Zone)
	if err != nil {
		return c.parts.Venue.Location
	}
	c.zones.Store(t.Zone, loc)
	return loc
}
