package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts a text after the marks that end a sentence in Japanese or English, with the
// closing brackets and quotes that follow them. Inside brackets and Japanese quotes nothing is cut.
// Together the sentences are the text, but for the spaces between them.
func Sentences(s string) []string {
	var out []string
	start, depth := 0, 0
	for i, r := range s {
		switch {
		case strings.ContainsRune("「『（(", r):
			depth++
		case strings.ContainsRune("」』）)", r):
			depth = max(depth-1, 0)
		}
		_, size := utf8.DecodeRuneInString(s[i:]) // not that of r: a byte that is no UTF-8 reads as a rune of three
		end := i + size
		if depth > 0 || !endsSentence(s[start:end], s[end:], r) {
			continue
		}
		if sentence := strings.TrimSpace(s[start:end]); sentence != "" {
			out = append(out, sentence)
		}
		start = end
	}
	if sentence := strings.TrimSpace(s[start:]); sentence != "" {
		out = append(out, sentence)
	}
	return out
}

// endsSentence reports whether a sentence ends after before, whose last character is r.
func endsSentence(before, after string, r rune) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case strings.ContainsRune("。！？", r):
		return !strings.ContainsRune("。！？」』）!?", next) || after == ""
	case !strings.ContainsRune(".!?", r) || !unicode.IsSpace(next):
		return false
	}
	following, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, unicode.IsSpace))
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	dotted, isDot := strings.CutSuffix(word, ".")
	return !unicode.IsLower(following) && !(isDot && IsAbbreviation(dotted))
}

// IsAbbreviation reports whether a sentence goes on after this word and its dot: Mr., e.g., Mon. One
// letter is none: sentences end in "room C." and "70 m." more often than names begin with it.
func IsAbbreviation(word string) bool {
	return LongName(word) != "" || abbreviations[strings.ToLower(word)]
}

// abbreviations stand before what they belong to, so that no sentence ends in them.
var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "prof": true, "jr": true, "sr": true, "st": true,
	"no": true, "vs": true, "approx": true, "e.g": true, "i.e": true, "etc": true,
	"dept": true, "est": true, "tel": true, "fig": true, "inc": true, "ltd": true, "co": true,
}
