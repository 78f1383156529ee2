package grounding

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// fact returns why a fact may not be said; "" if it may.
func (t *trial) fact(in int, f *fact) string {
	if why := t.impossible(f); why != "" {
		return why
	}
	if t.sameDate(f) || f.kind == weekday && f.n == everyDay {
		return ""
	}
	if f.kind == clock && f.role == at && f.n == minutes(t.c.now) {
		return "" // it is half past ten now
	}
	found := t.find(in, f, func(g *fact) bool { return f.equal(g) && f.sameEnd(g) || t.within(f, g) })
	if !found.bound(f) {
		if times := t.find(in, f, func(g *fact) bool { return t.multiplied(f, g) }); times.item >= 0 {
			found = times
		}
	}
	switch {
	case found.bound(f):
		t.used[found.item] = true
		if found.at != nil && f.kind != name {
			t.clauses[in].anchors = append(t.clauses[in].anchors, found.at)
		}
		return ""
	case t.wasSaid(f), t.follows(f), (f.kind == day || f.kind == weekday) && t.clauses[in].unknown:
		return ""
	case found.item >= 0:
		return "the evidence has it of something else"
	}
	return "not in the evidence"
}

// How much of what fits another value of the same kind best must fit this one: a name that is of no
// event and no place less. What fits hardly anything is none.
const (
	fits     = 0.75
	fitsName = 0.25
	slight   = 1
)

// everyDay are all days of the week.
const everyDay = 1<<7 - 1

// A finding is where the evidence has a fact.
type finding struct {
	item      int // -1 if it has it nowhere
	at        *clause
	of, rival float64
}

// find looks a fact up where the evidence speaks of what the sentence speaks of. What is in the
// language of the sentence comes first: of what is in the other one few words are shared.
func (t *trial) find(in int, f *fact, same func(g *fact) bool) finding {
	features := t.features(in, f)
	own, other := finding{item: -1}, finding{item: -1}
	japanese := isJapanese(t.text)
	items := t.items
	if f.kind == name && f.n == ofEvent && !t.cited { // it may be said for another
		items = t.c.all
	}
	for _, i := range items {
		out := &own
		if !t.c.items[i].speaks(japanese) && !(f.kind == name && f.n > 0) {
			out = &other
		}
		t.findIn(i, f, same, features, out)
	}
	other.rival = max(other.rival, own.rival*inOther*inOther)
	if !own.bound(f) && (own.item < 0 || other.bound(f)) {
		return other
	}
	return own
}

// findIn looks a fact up in one item.
func (t *trial) findIn(i int, f *fact, is func(g *fact) bool, features map[string]float64, out *finding) {
	it := &t.c.items[i]
	for u := range it.units {
		unit := &it.units[u]
		for k := range unit.clauses {
			for j := range unit.clauses[k].facts {
				g := &unit.clauses[k].facts[j]
				if same := is(g); same || f.rivals(g) && !t.states(g) {
					out.add(i, same, t.fit(f, g, same, features, it, unit, k), unit, k)
				}
			}
		}
	}
}

// fit is how much of what a fact is of stands beside one of the evidence, in clause k of a unit:
// the same, or one that could stand in its place.
func (t *trial) fit(f, g *fact, same bool, features map[string]float64, it *item, u *unit, k int) float64 {
	switch of := t.shared(features, it, u, k); {
	case u.heading && g.kind == name:
		return t.sharedBy(features, it)
	case u.heading,
		same && g.kind == weekday && (f.kind != weekday || f.n != g.n), // one of several
		!same && g.derived,
		same && f.kind == clock && f.role == at && g.role == until,
		!same && f.kind != name && it.Kind == Event && !t.speaksOf(it):
		return of * inOther
	default:
		return of
	}
}

// sharedBy is how much of some features stands in an item, where most of them stand together.
func (t *trial) sharedBy(features map[string]float64, it *item) float64 {
	most := 0.0
	for u := range it.units {
		for k := range it.units[u].clauses {
			most = max(most, t.shared(features, it, &it.units[u], k))
		}
	}
	return most
}

// bound reports whether nothing fits what the fact is of clearly better than it.
func (f *finding) bound(of *fact) bool {
	least := fits
	if of.kind == name && of.n == 0 {
		least = fitsName
	}
	return f.item >= 0 && (f.of >= least*f.rival || f.rival < slight)
}

// add takes in a fact of an item that is the one that is looked for, or could stand in its place.
func (f *finding) add(item int, same bool, of float64, u *unit, k int) {
	switch {
	case same && (f.item < 0 || of > f.of):
		f.item, f.of, f.at = item, of, nil
		if !u.heading {
			f.at = &u.clauses[k]
		}
	case !same:
		f.rival = max(f.rival, of)
	}
}

// states reports whether the sentence itself states a fact of the evidence, or any at all.
func (t *trial) states(g *fact) bool {
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			if g == nil || t.clauses[i].facts[j].equal(g) {
				return true
			}
		}
	}
	return false
}

// Weights of words by where they stand: in the clause of a fact, in one before it, in one after it,
// in a heading.
const (
	inEarlier  = 0.6
	inLater    = 0.4
	inOther    = 0.5
	inTitle    = 0.8
	ofBefore   = 0.5
	ofQuestion = 0.3
	ofName     = 0.8
)

// features are the words and other facts by which a fact of a sentence is found again.
func (t *trial) features(in int, f *fact) map[string]float64 {
	out := map[string]float64{}
	named := false
	for i := range t.clauses {
		weight := 1.0
		switch {
		case i < in:
			weight = inEarlier
		case i > in:
			weight = inLater
		}
		for feature := range t.clauses[i].features(f) {
			out[feature] = max(out[feature], weight)
		}
		named = named || slices.ContainsFunc(t.clauses[i].facts, func(f fact) bool { return f.kind == name })
	}
	for feature := range t.c.question {
		weight := ofQuestion
		if !named && strings.HasPrefix(feature, nameFeature) {
			weight = ofName
		}
		out[feature] = max(out[feature], weight)
	}
	if named {
		return out
	}
	for _, i := range t.before {
		for feature := range t.c.items[i].title {
			out[feature] = max(out[feature], ofBefore)
		}
	}
	return out
}

// features are the words of a clause, and its facts but for one.
func (c *clause) features(but *fact) map[string]bool {
	out := map[string]bool{}
	for i := range c.tokens {
		if but != nil && (c.tokens[i].named || c.tokens[i].start >= but.start && c.tokens[i].end <= but.end) {
			continue // a part of its name
		}
		text := c.tokens[i].text
		if c.tokens[i].sign < 0 && !c.denied {
			text += "-"
		}
		out[text] = true
	}
	for i := range c.facts {
		if f := &c.facts[i]; f != but && (but == nil || !f.alike(but)) {
			out[f.feature()] = true
		}
	}
	return out
}

// feature is a fact as a word of its own.
func (f *fact) feature() string {
	n := f.n
	if f.kind == clock {
		n %= half
	}
	if f.kind == day {
		n %= 10000
	}
	return fmt.Sprintf("f:%d:%d:%s", f.kind, n, f.text)
}

// shared is how much of the features of a fact stands beside one of the evidence, in clause k of a
// unit.
func (t *trial) shared(features map[string]float64, it *item, u *unit, k int) float64 {
	sum := 0.0
	for feature, weight := range features {
		there := 0.0
		switch in := u.features[feature]; {
		case in&(1<<min(k, 31)) != 0:
			there = 1
		case it.title[feature]:
			there = inTitle
		case in != 0:
			there = inOther
		}
		sum += weight * there * t.c.weights[feature]
	}
	return sum
}

// within reports whether a day of a sentence is one of those that a fact of the evidence says: a
// weekday of a rule.
func (t *trial) within(f, g *fact) bool {
	d, ok := f.date(t.c.now)
	return ok && g.kind == weekday && g.n>>int(d.In(time.UTC).Weekday())&1 == 1
}
