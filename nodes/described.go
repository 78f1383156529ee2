package nodes

import (
	"context"
	"slices"
	"unicode/utf8"

	"annai/civil"
	"annai/internal/text"
	"annai/rag"
	"annai/venue"
)

// described returns the reading that a reply describes in words of its own, or -1: the one that the
// passages which answer to the description speak of.
func (c *Concierge) described(ctx context.Context, s State, r reply) (int, error) {
	readings := c.parts.Venue.Ambiguous[s.Route.Ambiguity].Readings
	lang := string(s.Understanding.Language)
	found, err := c.readKnowledge(ctx, rag.Query{
		Text: r.Turn.Query, Lang: lang, On: civil.DateOf(r.Turn.At.In(c.location(r.Turn))), Limit: maxHits, Near: true,
	})
	if err != nil {
		return -1, err
	}
	for _, h := range found.Hits {
		in := h.Passage.Title + " " + h.Passage.Text
		i := onlyOne(readings, func(r venue.Reading) bool {
			named := func(w string) bool { return utf8.RuneCountInString(w) >= minName && text.ContainsWord(in, w) }
			return text.ContainsWord(in, r.Means.In(lang)) || slices.ContainsFunc(r.Words, named)
		})
		if i >= 0 {
			return i, nil
		}
	}
	return -1, nil
}

// minName is how many characters a word has at least that names something.
const minName = 3

// onlyOne is the place of the only one of which something holds, or -1.
func onlyOne[T any](list []T, holds func(T) bool) int {
	found := -1
	for i, r := range list {
		if !holds(r) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// sameAnswer reports whether all readings of an ambiguous question are answered by one passage, so
// that nobody need be asked: a wallet lost in a meeting room is found at the same desk, whichever
// room it was.
func (c *Concierge) sameAnswer(ctx context.Context, s State) (bool, error) {
	first := ""
	for i := range c.parts.Venue.Ambiguous[s.Route.Ambiguity].Readings {
		read, err := c.readAlone(ctx, s, c.meaning(s, i))
		if err != nil {
			return false, err
		}
		now := s.Turn.At.In(c.location(s.Turn))
		w := c.infoWishOf(read, now)
		if w.Hours != "" {
			return false, nil
		}
		d, _, err := c.answerFromPassages(ctx, read, w, now)
		if err != nil {
			return false, err
		}
		if len(d.Passages) == 0 || first != "" && d.Passages[0].ID != first {
			return false, nil
		}
		first = d.Passages[0].ID
	}
	return first != "", nil
}
