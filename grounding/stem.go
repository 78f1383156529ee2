package grounding

import "strings"

// stem cuts the endings of an English word, so that its forms are one. What remains need not be a word.
func stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
	if len(w) <= 3 || nouns[w] {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ss"):
	case strings.HasSuffix(w, "s"):
		w = w[:len(w)-1]
	}
	for _, ending := range [...]string{"ing", "ed"} {
		if base, ok := strings.CutSuffix(w, ending); ok && len(base) >= 3 && strings.ContainsAny(base, "aeiouy") {
			w = undouble(base)
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	if base, ok := strings.CutSuffix(w, "y"); ok && len(base) > 2 {
		w = base + "i"
	}
	return w
}

// nouns end like verbs and are not those verbs.
var nouns = set("coding meeting building evening morning during sitting site sites")

// undouble makes "cutt" of cutting "cut"; "bill" stays as it is.
func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
		return s[:n-1]
	}
	return s
}

// nominal are endings that make nouns or adverbs of verbs and adjectives.
var nominal = [...]string{"ization", "isation", "ation", "ition", "ment", "ness", "ance", "ence", "ion", "abl", "ibl", "al", "ly", "li", "iti"}

// root cuts such an ending off a stem, so that exhibit is found in exhibition. It compares words that are on no list.
func root(stem string) string {
	for _, ending := range nominal {
		if base, ok := strings.CutSuffix(stem, ending); ok && len(base) >= 4 {
			return base
		}
	}
	return stem
}
