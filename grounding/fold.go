package grounding

import (
	"strings"

	"annai/internal/text"
)

// A folded text is one in which characters that mean the same are the same, and knows where each
// byte came from.
type folded struct {
	text string
	// from has the byte of the original for every byte of text, and the original's length at the
	// end.
	from []int32
}

// fold makes full-width Latin half-width, letters lower-case, and dashes, quotes, tildes and spaces
// of one sort.
func fold(s string) folded {
	var b strings.Builder
	b.Grow(len(s))
	from := make([]int32, 0, len(s)+1)
	for i, r := range s {
		r = text.FoldRune(r)
		if r < 0 {
			continue
		}
		n := b.Len()
		b.WriteRune(r)
		for range b.Len() - n {
			from = append(from, int32(i))
		}
	}
	return folded{text: b.String(), from: append(from, int32(len(s)))}
}

// span is where bytes i to j of the folded text stand in the original.
func (f folded) span(i, j int) (start, end int) {
	return int(f.from[i]), int(f.from[min(j, len(f.from)-1)])
}

// A script is one of package text.
type script = text.Script

// The scripts of package text. Letters of other scripts than the named are words that must be in the evidence as
// they stand, like those of Latin letters.
const (
	other    = text.None
	latin    = text.Latin
	digit    = text.Digit
	hiragana = text.Hiragana
	katakana = text.Katakana
	kanji    = text.Kanji
)

func scriptOf(r rune) text.Script {
	if s := text.ScriptOf(r); s != text.Other {
		return s
	}
	return latin
}

// stem takes off an English word the endings of its forms.
func stem(w string) string { return text.Stem(w) }

// weekdayOf is the day of the week that a kanji stands for.
func weekdayOf(r rune) (int, bool) {
	d, ok := text.Weekday(r)
	return int(d), ok
}
