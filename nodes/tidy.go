package nodes

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/nlu"
)

var (
	bullet   = regexp.MustCompile(`^(?:[-*•・#>]+|\d{1,2}[.)．、])\s+`)
	emphasis = strings.NewReplacer("**", "", "__", "", "`", "")
	// yesOrNo is not a model's to say: what it claims, it claims of the question.
	yesOrNo = regexp.MustCompile(`(?i)^(?:(?:はい|いいえ|ええ|いえ)[、,。！!\s]+|(?:yes|no|sure|certainly|of course|absolutely)[,.!]\s+)`)
)

// tidy takes off a sentence what models like to put around one.
func tidy(sentence string) string {
	s := oneLine(emphasis.Replace(sentence), maxPassage)
	s = strings.TrimSpace(strings.Map(noPicture, bullet.ReplaceAllString(s, "")))
	if rest := yesOrNo.ReplaceAllString(s, ""); rest != s {
		first, size := utf8.DecodeRuneInString(rest)
		s = string(unicode.ToUpper(first)) + rest[min(size, len(rest)):]
		if rest == "" {
			return ""
		}
	}
	return s
}

// noPicture drops pictures.
func noPicture(r rune) rune {
	if r == 0x200D || r >= 0xFE00 && r <= 0xFE0F || r > 0xFF && unicode.In(r, unicode.So, unicode.Sk) {
		return -1
	}
	return r
}

// hasMarkup reports whether a sentence has characters that nobody speaks.
func hasMarkup(s string) bool { return strings.ContainsAny(s, "<>{}[]|\\［］‹›") }

// inLanguage reports whether a sentence is in the language, but for the names of what it speaks of.
func inLanguage(s string, lang nlu.Language, g *grounds) bool {
	if lang == nlu.Japanese {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
	}
	for _, item := range g.Items {
		for _, half := range halves(item.Title) {
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
	if isJapanese(s) {
		n = quotedJA
	}
	for i := 0; i+n <= len(runes); i++ {
		if strings.Contains(rules, string(runes[i:i+n])) {
			return true
		}
	}
	return false
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
