package embedded

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// pieceSentences and pieceWidth are what a piece has at most: 120 Japanese or 240 Latin
	// characters. Measured: passages of 400 characters are found much better by pieces than whole;
	// between 80 and 140 characters it makes no difference.
	pieceSentences = 3
	pieceWidth     = 240
)

// Pieces makes pieces of one to three sentences of a passage, in order; a vector of each keeps what
// a vector of the whole would lose, and the passage is as near to a question as its nearest piece.
// Only a sentence that is too long by itself is cut, after a comma or a space if it has one. What
// has no letter or digit is left out: it cannot be embedded.
func Pieces(sentences []string) []string {
	var pieces []string
	count := 0 // of the last piece
	for _, sentence := range sentences {
		for part := range parts(strings.ToValidUTF8(sentence, "\uFFFD")) {
			last := len(pieces) - 1
			if count == 0 || count == pieceSentences || width(pieces[last])+1+width(part) > pieceWidth {
				pieces, count = append(pieces, part), 1
				continue
			}
			pieces[last] = join(pieces[last], part)
			count++
		}
	}
	return slices.DeleteFunc(pieces, func(p string) bool { return !strings.ContainsFunc(p, meaningful) })
}

// parts yields a sentence whole, or in parts that are not too long.
func parts(sentence string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for sentence = strings.TrimSpace(sentence); sentence != ""; {
			n := firstPart(sentence)
			if !yield(strings.TrimSpace(sentence[:n])) {
				return
			}
			sentence = strings.TrimSpace(sentence[n:])
		}
	}
}

// firstPart returns how much of a sentence makes a part: all of it, or else up to its last comma or
// space that fits, or else as much as fits.
func firstPart(sentence string) int {
	size, cut := 0, 0
	for i, r := range sentence {
		if size += runeWidth(r); size > pieceWidth {
			if cut > 0 {
				return cut
			}
			return i
		}
		if strings.ContainsRune("、，,;；：", r) || unicode.IsSpace(r) {
			cut = i + utf8.RuneLen(r)
		}
	}
	return len(sentence)
}

// join writes a space between sentences where their language does.
func join(a, b string) string {
	if last, _ := utf8.DecodeLastRuneInString(a); runeWidth(last) == 1 {
		return a + " " + b
	}
	return a + b
}

func width(text string) int {
	size := 0
	for _, r := range text {
		size += runeWidth(r)
	}
	return size
}

// runeWidth is 2 for what says about twice as much as a Latin letter: kana and kanji.
func runeWidth(r rune) int {
	if r < '\u2000' {
		return 1
	}
	return 2
}

// meaningful reports whether a character says something by itself: marks and pictures do not.
func meaningful(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
