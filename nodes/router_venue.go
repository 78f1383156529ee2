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

// asksHours reports whether a question is surely one for the opening hours of the venue.
func asksHours(q talk.Question) bool {
	return q.About == nlu.AboutVenue && slices.Contains(ofHours, q.Ask) && q.Confidence >= sureReading
}

// ofHours are the kinds of answers that the opening hours give.
var ofHours = []nlu.Ask{nlu.AskIsOpen, nlu.AskUntilWhen}

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
	if words.ThisPlace.In(s.Turn.Query) {
		return talk.Print(nlu.AskWhatIs, c.parts.Venue.Name.In(string(s.Language)), "", s.Language)
	}
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
