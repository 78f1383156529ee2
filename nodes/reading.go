package nodes

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/civil"
	"annai/internal/text"
	"annai/rag"
	"annai/venue"
)

var (
	// choice finds a reply that describes one of several things, and asks nothing of its own: 食べる方,
	// "the one with food".
	choice    = regexp.MustCompile(choiceEnd.String() + `|^(?:uh |um |oh |ok |i mean )?(?:the|a|that) (?:\w+ )?(?:one|place|part|room|space|side)\b`)
	choiceEnd = regexp.MustCompile(`(?:方|ほう|やつ|所|ところ)(?:です|で|の|が(?:いい|良い)|を?お願い(?:します)?|かな|だよ?|だね)*[。.!！]*$`)
	// noChoice are the words of such a reply that describe nothing.
	noChoice = regexp.MustCompile(`\b(?:uh|um|oh|ok|i mean|the|a|that|one|with|where|which|you|i|we|can|place|part|to|in|at|is|are|has|have)\b`)
	// alikeLabels are words of visitors for those of labels.
	alikeLabels = []struct {
		said *regexp.Regexp
		word string
	}{
		{regexp.MustCompile(`ただ(?:の|で)|タダ|お金[がの](?:かから|いら|要ら)ない|払わな|\bno (?:charge|cost)\b|\bcosts? nothing\b|\bnot paid\b|\b(?:don't|without) pay`), "無料 free"},
		{regexp.MustCompile(`お金[がの](?:かか|いる|要る)|払う|\bcosts? money\b|\bpay for\b|\bnot free\b|\bi pay\b`), "有料 paid"},
	}
)

// maxChoice is how many runes a reply has at most that only chooses.
const maxChoice = 40

// onlyChooses reports whether a reply describes what is meant, and asks nothing of its own.
func onlyChooses(text string) bool {
	return utf8.RuneCountInString(text) <= maxChoice && !strings.ContainsAny(text, "?？") && choice.MatchString(strings.ToLower(strings.TrimSpace(text)))
}

// described returns the reading that a reply describes in words of its own, or -1: the one whose
// label says the same, or the one that the passages which answer to the description speak of.
func (c *Concierge) described(ctx context.Context, s State, r reply, now time.Time) (int, error) {
	said := strings.ToLower(strings.TrimSpace(r.Turn.Query))
	if !onlyChooses(said) {
		return -1, nil
	}
	readings := c.parts.Venue.Ambiguous[s.Route.Ambiguity].Readings
	for _, alike := range alikeLabels {
		if !alike.said.MatchString(said) {
			continue
		}
		for word := range strings.FieldsSeq(alike.word) {
			if i := onlyOne(readings, func(r venue.Reading) bool {
				return text.ContainsWord(r.Label.JA, word) || text.ContainsWord(r.Label.EN, word)
			}); i >= 0 {
				return i, nil
			}
		}
	}
	lang := string(s.Understanding.Language)
	found, err := c.readKnowledge(ctx, rag.Query{Text: noChoice.ReplaceAllString(choiceEnd.ReplaceAllString(said, ""), " "), Lang: lang, On: civil.DateOf(now), Limit: maxHits})
	if err != nil {
		return -1, err
	}
	for _, h := range found.Hits {
		in := h.Passage.Title + " " + h.Passage.Text
		i := onlyOne(readings, func(r venue.Reading) bool {
			return text.ContainsWord(in, r.Means.In(lang)) || slices.ContainsFunc(r.Words, func(w string) bool { return isName(w) && text.ContainsWord(in, w) })
		})
		if i >= 0 {
			return i, nil
		}
	}
	return -1, nil
}

// isName reports whether a word is long enough to be a name, and no common word.
func isName(word string) bool { return utf8.RuneCountInString(word) >= minTitle }

// onlyOne is the place of the only reading of which something holds, or -1.
func onlyOne(readings []venue.Reading, holds func(venue.Reading) bool) int {
	found := -1
	for i, r := range readings {
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
	now := s.Turn.At.In(c.location(s.Turn))
	first := ""
	for i := range c.parts.Venue.Ambiguous[s.Route.Ambiguity].Readings {
		u := c.parts.Understander.Understand(c.meaning(s, i), now)
		w := c.infoWishOf(u, now)
		if w.Hours != "" {
			return false, nil
		}
		found, err := c.readKnowledge(ctx, c.infoQuery(s, w, now))
		if err != nil {
			return false, err
		}
		if len(found.Hits) == 0 || first != "" && found.Hits[0].Passage.ID != first {
			return false, nil
		}
		first = found.Hits[0].Passage.ID
	}
	return first != "", nil
}
