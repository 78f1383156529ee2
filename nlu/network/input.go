package network

import (
	"strings"
	"unicode/utf8"

	"annai/internal/unigram"
)

// The parts of an input; each has a learnt vector that is added to its tokens.
const (
	segmentUtterance = iota
	segmentSaid
	segmentSubject
	segmentEarlier
	segmentView
)

// How many tokens of each part are read: the last of what was said, the first of titles. With an
// end behind each, the beginning, and the token of an ask they are fewer than positions.
const (
	longestUtterance = 64
	longestSaid      = 24
	longestSubject   = 16
	longestEarlier   = 12
	longestInView    = 8
	mostInView       = 4
	longestText      = 1000 // characters of a text; no more can become that many tokens
)

// An input is what the network computes with: tokens, and of which part each is.
type input struct {
	ids      []int32
	segments []uint8
	own      int // how many are of the utterance, with its beginning and end
}

// pack writes the tokens of an utterance and its talk.
func (n *Network) pack(utterance string, c Context, in *input) {
	in.ids, in.segments = append(in.ids[:0], unigram.Begin), append(in.segments[:0], segmentUtterance)
	in.add(segmentUtterance, last(n.tokens(lastPart(utterance)), longestUtterance))
	in.own = len(in.ids)
	if c.Said != "" {
		in.add(segmentSaid, last(n.tokens(lastPart(c.Said)), longestSaid))
	}
	if id, ok := n.asks[c.Ask]; ok {
		in.ids, in.segments = append(in.ids, id), append(in.segments, segmentSubject)
		in.add(segmentSubject, first(n.tokens(firstPart(c.Subject)), longestSubject))
	} else if c.Subject != "" {
		in.add(segmentSubject, first(n.tokens(firstPart(c.Subject)), longestSubject))
	}
	if c.Earlier != "" {
		in.add(segmentEarlier, first(n.tokens(firstPart(c.Earlier)), longestEarlier))
	}
	for _, title := range c.InView[:min(mostInView, len(c.InView))] {
		in.add(segmentView, first(n.tokens(firstPart(title)), longestInView))
	}
}

// add appends tokens of a part and its end.
func (in *input) add(segment uint8, ids []int32) {
	in.ids = append(append(in.ids, ids...), unigram.End)
	for range len(ids) + 1 {
		in.segments = append(in.segments, segment)
	}
}

// tokens returns the ids of a text in lower case, without those of its beginning and end.
func (n *Network) tokens(text string) []int32 {
	text = strings.ToLower(n.tokenizer.Normalize(text))
	if text == "" {
		return nil
	}
	ids := n.tokenizer.Tokens(text)
	return ids[1 : len(ids)-1]
}

func last(ids []int32, most int) []int32 { return ids[max(0, len(ids)-most):] }

func first(ids []int32, most int) []int32 { return ids[:min(most, len(ids))] }

// lastPart cuts a text before its last characters.
func lastPart(text string) string {
	at := len(text)
	for range longestText {
		if at == 0 {
			return text
		}
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text[at:]
}

// firstPart cuts a text behind its first characters.
func firstPart(text string) string {
	count := 0
	for at := range text {
		if count++; count > longestText {
			return text[:at]
		}
	}
	return text
}
