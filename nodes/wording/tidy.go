package wording

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/nlu"
)

var emphasis = strings.NewReplacer("**", "", "__", "", "`", "")

// maxSentence is how many runes of a sentence are read.
const maxSentence = 600

// tidy takes off a sentence what models like to put around one.
func tidy(sentence string) string {
	s := strings.Join(strings.Fields(strings.Map(visible, emphasis.Replace(sentence))), " ")
	if utf8.RuneCountInString(s) > maxSentence {
		return ""
	}
	return strings.TrimSpace(withoutBullet(s))
}

// withoutBullet takes off a bullet, or the number of a list.
func withoutBullet(s string) string {
	if rest := strings.TrimLeft(s, "-*•・#>"); rest != s && strings.HasPrefix(rest, " ") {
		return rest
	}
	if rest := strings.TrimLeft(s, "0123456789"); rest != s && len(s)-len(rest) < 3 {
		for _, mark := range [...]string{".", ")", "．", "、"} {
			if after, ok := strings.CutPrefix(rest, mark); ok && strings.HasPrefix(after, " ") {
				return after
			}
		}
	}
	return s
}

// visible drops pictures and what nobody sees.
func visible(r rune) rune {
	if r == 0x200D || r >= 0xFE00 && r <= 0xFE0F || r > 0xFF && unicode.In(r, unicode.So, unicode.Sk, unicode.Cf) || r == unicode.ReplacementChar {
		return -1
	}
	if unicode.IsControl(r) && !unicode.IsSpace(r) {
		return -1
	}
	return r
}

// hasMarkup reports whether a sentence has characters that nobody speaks.
func hasMarkup(s string) bool { return strings.ContainsAny(s, "<>{}[]|\\［］‹›") }

// inLanguage reports whether a sentence is in the language, but for the names of what it speaks of.
func inLanguage(s string, lang nlu.Language, e *Evidence) bool {
	if lang == nlu.Japanese {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
	}
	for i := range e.Items {
		for _, half := range halves(e.Items[i].Title) {
			s = strings.ReplaceAll(s, half, "")
		}
	}
	japanese, latin := 0, 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han):
			japanese++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	return latin > 0 && japanese <= latin/3
}

// Stretches of what a model was told that are no coincidence in an answer, in runes.
const (
	quotedJA = 14
	quotedEN = 32
)

// quotes reports whether a sentence repeats what the model was told.
func quotes(s, rules string) bool {
	runes := []rune(s)
	n := quotedEN
	if slices.ContainsFunc(runes, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
		n = quotedJA
	}
	for i := 0; i+n <= len(runes); i++ {
		if strings.Contains(rules, string(runes[i:i+n])) {
			return true
		}
	}
	return false
}

// names reports whether a sentence names a title, or half of one that is in both languages.
func names(sentence, title string) bool {
	return slices.ContainsFunc(halves(title), func(half string) bool {
		return strings.Contains(strings.ToLower(sentence), strings.ToLower(half))
	})
}

// halves are what a title is made of that is in both languages, もくもく会 (Mokumoku Night), as a
// model says it: without pictures.
func halves(title string) []string {
	const short = 3
	var out []string
	for half := range strings.FieldsFuncSeq(title, func(r rune) bool { return strings.ContainsRune("()（）/／|｜", r) }) {
		if half = strings.TrimSpace(strings.Map(visible, half)); utf8.RuneCountInString(half) >= short {
			out = append(out, half)
		}
	}
	return out
}

// echoes reports whether a sentence is nothing but words of the visitor's.
func echoes(sentence, said string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	return strings.Contains(letters(said), letters(sentence))
}

// pairsOf are the pairs of letters that stand beside each other.
func pairsOf(s string) map[[2]rune]bool {
	pairs := map[[2]rune]bool{}
	var before rune
	for _, r := range strings.ToLower(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			before = 0
			continue
		}
		if before != 0 {
			pairs[[2]rune{before, r}] = true
		}
		before = r
	}
	return pairs
}

// shareOf is how many of the pairs a text has, of 1.
func shareOf(pairs map[[2]rune]bool, text string) float64 {
	if len(pairs) == 0 {
		return 0
	}
	there, n := pairsOf(text), 0
	for p := range pairs {
		if there[p] {
			n++
		}
	}
	return float64(n) / float64(len(pairs))
}
