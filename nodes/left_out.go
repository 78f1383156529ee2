package nodes

import (
	"slices"
	"strings"

	"annai/internal/text"
	"annai/nlu/words"
	"annai/nodes/talk"
)

// leavesOut reports whether an utterance leaves out one of those listed that it names: もくもく会以外は？
func leavesOut(s State) bool {
	low := strings.ToLower(s.Turn.Query)
	return besides(low) && slices.ContainsFunc(s.Memory.InView, func(subject talk.Subject) bool {
		return subject.Kind == talk.Event && (inText(low, subject.Title) || leftOut(low, subject.Title))
	})
}

// leftOut reports whether a text in lower case leaves out what has some words in its title: もくもく会以外 the winter one too.
func leftOut(low, title string) bool {
	before, after, ok := words.LeavesOut.Cut(low)
	if !ok {
		return false
	}
	title = strings.ToLower(title)
	if named := []rune(before); text.HasJapanese(before) && len(named) >= leastLeftOut {
		return strings.Contains(title, string(named[len(named)-leastLeftOut:]))
	}
	return mentions(title, contentWords(strings.Fields(after)))
}

// leastLeftOut is how many characters of a Japanese title are named at least.
const leastLeftOut = 3

// besides reports whether a text has a word for leaving out what it names.
func besides(said string) bool {
	return slices.ContainsFunc(words.Filters(), func(f words.FilterRow) bool {
		return f.Name == words.FilterBesides && mentions(strings.ToLower(said), f.Question)
	})
}
