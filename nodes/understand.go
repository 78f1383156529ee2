package nodes

import (
	"context"
	"time"
	"unicode"

	"annai/graph"
	"annai/nlu"
)

// understand reads the utterance and clears what the turn before was working on.
func (c *Concierge) understand(_ context.Context, s State) (graph.Command[State], error) {
	u := c.parts.Understander.Understand(s.Turn.Query, s.Turn.At.In(c.location(s.Turn)))
	return graph.Command[State]{Update: graph.Update[State]{
		understoodChannel.Write(u), languageChannel.Write(answerLanguage(s.Turn, u, s.Seen)), askedChannel.Write(asked{}), droppedChannel.Write(""),
	}}, nil
}

// answerLanguage is the language that the words or the request ask for, else that of the utterance, else, where it has no words ("2"), that of the talk so far.
func answerLanguage(t turn, u nlu.Understanding, before seen) nlu.Language {
	if wish, ok := languageWish(t.Query); ok {
		return wish
	}
	switch {
	case t.Language != "":
		return t.Language
	case before.Language != "" && !hasLetters(t.Query):
		return before.Language
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
