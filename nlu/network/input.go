package network

import (
	"slices"
	"strings"
	"unicode/utf8"

	"annai/internal/unigram"
)

// The parts of an input; each has a learnt vector that is added to its tokens, and each title in
// view has its own.
const (
	segmentUtterance = iota
	segmentSaid
	segmentSubject
	segmentEarlier
	segmentView
	mostInView = 4
	segments   = segmentView + mostInView
	matchParts = segmentView // parts of the talk whose pieces are marked in the utterance: all titles in view are one
)

// How many pieces of each part are read: the last of what was said, the first of titles.
const (
	// longestUtterance is what hardly anybody says more than: of long stories nothing was learnt, and
	// the more of one is read, the less its question counts.
	longestUtterance = 32
	longestSaid      = 24
	longestSubject   = 16
	longestEarlier   = 12
	longestInView    = 8
	longestText      = 1000 // characters of a text; no more can become that many pieces
	positions        = 66   // that were learnt
	// most is how many tokens an input has at most: each text has a beginning and an end, and there
	// is one token for an ask.
	most = positions + longestSaid + longestSubject + longestEarlier + 3*2 + mostInView*(longestInView+2) + 1
)

// A text is a part of an input: its pieces, between a beginning and an end.
type text struct {
	segment int
	ids     []int32
}

// An input is what the network computes with: texts, of which the first is the utterance, and the
// label of the ask before, or -1.
type input struct {
	texts []text
	ask   int
}

// pack writes the pieces of an utterance and its talk.
func (n *Network) pack(utterance string, c Context) input {
	in := input{ask: slices.Index(n.about.Heads[headAsk].Labels, c.Ask)}
	add := func(segment int, ids []int32) {
		ids = append(append([]int32{unigram.Begin}, ids...), unigram.End)
		in.texts = append(in.texts, text{segment, ids})
	}
	add(segmentUtterance, last(n.pieces(lastPart(utterance)), longestUtterance))
	if c.Said != "" {
		add(segmentSaid, last(n.pieces(lastPart(c.Said)), longestSaid))
	}
	if c.Subject != "" {
		add(segmentSubject, first(n.pieces(firstPart(c.Subject)), longestSubject))
	}
	if c.Earlier != "" {
		add(segmentEarlier, first(n.pieces(firstPart(c.Earlier)), longestEarlier))
	}
	for i, title := range c.InView[:min(mostInView, len(c.InView))] {
		add(segmentView+i, first(n.pieces(firstPart(title)), longestInView))
	}
	return in
}

// pieces returns the ids of a text in lower case, without those of its beginning and end.
func (n *Network) pieces(text string) []int32 {
	text = strings.ToLower(n.vocabulary.Normalize(text))
	if text == "" {
		return nil
	}
	ids := n.vocabulary.Tokens(text)
	return ids[1 : len(ids)-1]
}

// matches reports whether a piece says something and stands in a text too.
func (n *Network) matches(id int32, t text) bool {
	return id > unigram.End && n.vocabulary.Score(id) <= n.about.Common && slices.Contains(t.ids, id)
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
