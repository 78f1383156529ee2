package nodes

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/graph"
	"annai/nlu"
	"annai/nodes/talk"
	"annai/nodes/wording"
	"annai/rag"
)

// understand reads the utterance in its talk, and clears what the turn before was working on.
func (c *Concierge) understand(ctx context.Context, s State) (graph.Command[State], error) {
	at := s.Turn.At.In(c.location(s.Turn))
	u := afterAlarm(c.parts.Understander.Understand(s.Turn.Query, at), s.Seen.Alarm)
	s.Language = answerLanguage(s.Turn, u, s.Seen)
	update := graph.Update[State]{languageChannel.Write(s.Language), askedChannel.Write(asked{}), droppedChannel.Write("")}
	if c.parts.Reader != nil && !s.Turn.Owner && u.Intent != nlu.Safety && u.Foreign == "" {
		q, err := c.read(ctx, s, u, at)
		if err != nil {
			return graph.Command[State]{}, err
		}
		update = append(update, questionChannel.Write(q))
		if q.Alone {
			full := c.parts.Understander.Understand(q.Text, at)
			if full.Intent != nlu.Safety { // danger was read in what was said
				u = full
			}
			update = append(update, topicChannel.Write(topic{}))
		}
	}
	return graph.Command[State]{Update: append(update, understoodChannel.Write(u))}, nil
}

// read makes a question of an utterance in its talk: what the network reads, what its words themselves say, and what they come near to.
func (c *Concierge) read(ctx context.Context, s State, u nlu.Understanding, now time.Time) (talk.Question, error) {
	r := c.readWords(ctx, s, now)
	if err := brokenOff(ctx); err != nil {
		return talk.Question{}, err
	}
	r.Language, r.Text, r.Times, r.Topic, r.Keywords, r.Ordinal = u.Language, u.Text, u.Times, u.Topic, u.Keywords, u.Reference.Ordinal
	if r.Full != "" || c.parts.Index == nil {
		return talk.Resolve(r, s.Memory, nil), nil
	}
	near, err := c.lookFor(ctx, s, u.Text, now)
	if err != nil {
		return talk.Question{}, err
	}
	var before found
	if last := s.Memory.Last.Text; last != "" {
		if before, err = c.lookFor(ctx, s, last, now); err != nil {
			return talk.Question{}, err
		}
	}
	return talk.Resolve(r, s.Memory, near.candidates(before)), nil
}

// readWords reads an utterance in its talk: a model where there is one, within a third of the turn's time, else the product's own reader.
func (c *Concierge) readWords(ctx context.Context, s State, now time.Time) nlu.Reading {
	if c.parts.Model == nil || s.Turn.Before != "" {
		return c.parts.Reader.Read(s.Turn.Query, s.Memory.Context())
	}
	reader := wording.NewReader(c.parts.Model, c.parts.Reader, wording.ReaderOptions{
		Deadline: c.opts.Deadline / 3, Venue: c.parts.Venue.Name.In,
		Today: func(time.Time, nlu.Language) string { return c.nowWords(s) },
	})
	return reader.ReadTurn(ctx, wording.Utterance{
		Text: oneLine(s.Turn.Query, maxAsked), Talk: s.Memory.Context(), Asked: s.Memory.Last.Text, Now: now, Language: s.Language,
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
	case s.Route.Node == nodeInfo && d.Facts.Unknown && s.Question.SubjectFrom != talk.Absent: // what is not known was asked of that
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
	case s.Route.Node == nodeInfo, s.Route.Node == nodeEvent && s.Topic.Focus > 0:
		q.About = nlu.AboutSubject
	case s.Route.Node == nodeEvent:
		q.About = nlu.AboutEvents
	}
	return q
}

// subjectOf is an event as a subject.
func subjectOf(e entry) talk.Subject {
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

// answerLanguage is the language that the words or the request ask for, else that of the utterance, or English where it is neither of
// ours, else, where it has no words ("2"), that of the talk so far.
func answerLanguage(t turn, u nlu.Understanding, before seen) nlu.Language {
	if wish, ok := languageWish(t.Query); ok {
		return wish
	}
	switch {
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

// guessLanguage is the language that an answer will have as far as can be told before the utterance is read.
func guessLanguage(t Turn) nlu.Language {
	if t.Language != "" {
		return t.Language
	}
	if nlu.Foreign(t.Query) != "" {
		return nlu.English
	}
	if isJapanese(t.Query) {
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
