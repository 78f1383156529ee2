package rag

import "strings"

// stem cuts the endings of an English word that change nothing about its subject: plurals, -ing, -ed, a last e.
// It is light on purpose: two words that become one by mistake find wrong passages.
func stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	w = singular(apostrophes.Replace(w))
	for _, ending := range []string{"ing", "ed"} {
		rest, cut := strings.CutSuffix(w, ending)
		if cut && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			w = undouble(rest)
			break
		}
	}
	if len(w) > 3 && isLetters(w) {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

func singular(w string) string {
	switch {
	case len(w) <= 3 || !isLetters(w) || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return strings.TrimSuffix(w, "ies") + "y"
	case strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "sses"):
		return strings.TrimSuffix(w, "es")
	default:
		return strings.TrimSuffix(w, "s")
	}
}

func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgklmnprt", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return w
}

func isLetters(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}
