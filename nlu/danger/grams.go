package danger

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"annai/nlu/linear"
	"annai/nlu/words"
)

// gramsFile is the linear model; nlu/danger/generate learns it.
//
//go:embed data/grams.bin
var gramsFile []byte

var grams = sync.OnceValues(func() (*linear.Model, error) { return linear.Read(gramsFile) })

// Features is an utterance as the linear model reads it: in one form, with a word at its end for each class of
// danger that has a word in it.
func Features(utterance string) string {
	text := strings.ToLower(norm.NFKC.String(utterance))
	var b strings.Builder
	b.WriteString(text)
	seen := map[string]bool{}
	for _, row := range words.Dangers() {
		if !seen[row.Class] && hasAny(text, row.Words) {
			seen[row.Class] = true
			b.WriteString(" zz")
			b.WriteString(strings.ReplaceAll(row.Class, "_", ""))
		}
	}
	return b.String()
}

func hasAny(text string, list []string) bool {
	for _, w := range list {
		if at := strings.Index(text, w); at >= 0 && (w[0] >= utf8.RuneSelf || isWhole(text, at, at+len(w))) {
			return true
		}
	}
	return false
}

// isWhole reports whether a part of a text is no part of a longer word of Latin letters.
func isWhole(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !isLatin(before) && !isLatin(after)
}

func isLatin(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }
