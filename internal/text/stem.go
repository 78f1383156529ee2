package text

import (
	"strings"
	"unicode/utf8"
)

// Stem cuts the endings of an English word in lower case that change nothing about its subject:
// plurals, possessives, -ing, -ed, a last e. It is light on purpose: two words that become one by
// mistake find wrong passages. What remains need not be a word.
func Stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	w = Singular(apostrophes.Replace(w))
	for _, ending := range []string{"ing", "ed"} {
		rest, cut := strings.CutSuffix(w, ending)
		if cut && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			w = undouble(rest)
			break
		}
	}
	if len(w) > 3 && isLower(w) {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

// Singular cuts the plural's ending of an English word that is all small letters, and hyphens.
func Singular(w string) string {
	if len(w) <= 3 || !isLower(w) || hasSuffix(w, "ss", "us", "is") {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return strings.TrimSuffix(w, "ies") + "y"
	case hasSuffix(w, "xes", "ches", "shes", "sses"):
		return strings.TrimSuffix(w, "es")
	default:
		return strings.TrimSuffix(w, "s")
	}
}

// undouble makes "cutt" of cutting "cut". What is seldom doubled by an ending stays, as in pass.
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgklmnprt", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return w
}

func isLower(w string) bool {
	for i := range len(w) {
		if (w[i] < 'a' || w[i] > 'z') && w[i] != '-' && w[i] < utf8.RuneSelf {
			return false
		}
	}
	return true
}

func hasSuffix(w string, endings ...string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}
