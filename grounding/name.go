package grounding

import (
	"fmt"
	"slices"
	"strings"
)

// fewer is how much of what a sentence says an item that it names must have, of what another has
// that it does not name.
const fewer = 0.55

// name returns why a name may not be said; "" if it may: the evidence has it, and nothing that is
// not named fits the rest of the sentence clearly better.
func (t *trial) name(f *fact) string {
	features := map[string]float64{}
	for i := range t.clauses {
		for feature := range t.clauses[i].features(nil) {
			if feature != f.feature() {
				features[feature] = 1
			}
		}
	}
	best, rival, found := 0.0, 0.0, -1
	for _, i := range t.items {
		it := &t.c.items[i]
		of := 0.0
		for feature := range features {
			if it.speaksOf(feature) {
				of += t.c.weights[feature]
			}
		}
		switch {
		case it.has(f):
			if found < 0 || of > best {
				best, found = of, i
			}
		case !t.names(it) && (f.n == 0 || it.Kind == Event):
			rival = max(rival, of)
		}
	}
	if found < 0 {
		return "not in the evidence"
	}
	if best < fewer*rival {
		return "the evidence says it of something else"
	}
	t.used[found] = true
	return ""
}

// has reports whether an item has a name.
func (it *item) has(f *fact) bool {
	for g := range it.facts() {
		if g.kind == name && g.text == f.text {
			return true
		}
	}
	return false
}

// titles reports whether the sentence, the one before it or the question names an event.
func (t *trial) titles(it *item) bool {
	for feature := range it.title {
		if strings.HasPrefix(feature, nameFeature) && (t.c.question[feature] || slices.ContainsFunc(t.clauses, func(c clause) bool {
			return slices.ContainsFunc(c.facts, func(f fact) bool { return f.kind == name && f.feature() == feature })
		})) {
			return true
		}
	}
	return slices.ContainsFunc(t.before, func(i int) bool { return &t.c.items[i] == it })
}

// nameFeature is how the features of names begin.
var nameFeature = fmt.Sprintf("f:%d:", name)

// names reports whether the sentence names something of an item.
func (t *trial) names(it *item) bool {
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			if f := &t.clauses[i].facts[j]; f.kind == name && it.has(f) {
				return true
			}
		}
	}
	return false
}
