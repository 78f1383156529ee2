package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alike is how near to the best clause of the evidence others are that count as well.
const alike = 0.75

// sign returns why a clause may not say or deny what it does; "" if it may.
func (t *trial) sign(c *clause) string {
	if c.unknown || c.condition || len(c.tokens)+len(c.anchors) == 0 {
		return ""
	}
	found, same := false, false
	for _, among := range [...]func(i int, e *clause) bool{
		func(_ int, e *clause) bool { return slices.Contains(c.anchors, e) },
		func(i int, _ *clause) bool { return t.stated[i] },
		func(int, *clause) bool { return true },
	} {
		if found, same = t.agrees(c, among); found {
			break
		}
		if len(c.anchors) > 0 {
			found, same = true, slices.ContainsFunc(c.anchors, func(e *clause) bool { return e.denied == c.denied })
			break
		}
	}
	switch {
	case t.opposite(c), len(c.anchors) == 0 && t.reversed(c):
		return "the evidence says the opposite"
	case found && !same:
		return "the evidence says the opposite"
	case !found && c.denied && (t.known(c) || t.affirmed() && !c.dated()):
		return "denied, but not by the evidence"
	}
	return ""
}

// reversed reports whether what a clause ends with is said in the items that the sentence is from,
// and always with the other sign.
func (t *trial) reversed(c *clause) bool {
	k := len(c.tokens) - 1
	for k >= 0 && (!strings.HasPrefix(c.tokens[k].text, "a:") || c.tokens[k].sign == 0) {
		k--
	}
	if k < 0 || len(t.stated) == 0 {
		return false
	}
	there := false
	for i := range t.stated {
		for _, u := range t.c.items[i].units {
			for _, e := range u.clauses {
				for _, y := range e.tokens {
					if u.heading || y.text != c.tokens[k].text || y.sign == 0 {
						continue
					}
					if y.sign == c.tokens[k].sign {
						return false
					}
					there = true
				}
			}
		}
	}
	return there
}

// opposite reports whether a clause has a word with an opposite (open, free, needed) of which the
// sentences of the evidence that share most with it have only the opposite: those of the items that
// the sentence is from, or any.
func (t *trial) opposite(c *clause) bool {
	for i := range c.tokens {
		x := &c.tokens[i]
		if !words().polar[x.text] && !words().status[x.text] || x.sign == 0 || x.start == x.end {
			continue
		}
		found, same := t.polarity(c, x, func(i int) bool { return t.stated[i] })
		if !found {
			found, same = t.polarity(c, x, func(int) bool { return true })
		}
		if found && !same || x.sign > 0 && words().status[x.text] && !t.has(x) {
			return true
		}
	}
	return false
}

// has reports whether an item has a word with its sign.
func (t *trial) has(x *token) bool {
	return slices.ContainsFunc(t.items, func(i int) bool {
		return slices.ContainsFunc(t.c.items[i].units, func(u unit) bool { plus, _ := u.signs(x); return plus })
	})
}

// polarity looks such a word up in some items.
func (t *trial) polarity(c *clause, x *token, among func(int) bool) (found, same bool) {
	best := 0.0
	for _, i := range t.items {
		if !among(i) {
			continue
		}
		it := &t.c.items[i]
		for u := range it.units {
			plus, minus := it.units[u].signs(x)
			if it.units[u].heading || !plus && !minus {
				continue
			}
			of := t.common(c, x, it, &it.units[u])
			switch {
			case of > best/alike:
				best, same = of, plus
			case of >= best*alike:
				best, same = max(best, of), same || plus
			}
			found = true
		}
	}
	return found, same
}

// signs reports whether a unit has a word with its sign, and with the other.
func (u *unit) signs(x *token) (plus, minus bool) {
	sum := false
	for k := range u.clauses {
		for j := range u.clauses[k].tokens {
			switch y := &u.clauses[k].tokens[j]; {
			case y.text != x.text:
			case y.start == y.end:
				sum = sum || y.sign == x.sign
			default:
				plus, minus = plus || y.sign == x.sign, minus || y.sign == -x.sign
			}
		}
	}
	return plus || sum && !minus, minus
}

// common is how much else a clause shares with a unit.
func (t *trial) common(c *clause, but *token, it *item, u *unit) float64 {
	sum := 0.0
	for feature := range c.features(nil) {
		switch {
		case strings.TrimSuffix(feature, "-") == but.text:
		case u.features[feature] != 0:
			sum += t.c.weights[feature]
		case it.title[feature]:
			sum += inTitle * t.c.weights[feature]
		}
	}
	return sum
}

// affirmed reports whether nothing is denied in the items that a sentence is from.
func (t *trial) affirmed() bool {
	for i := range t.used {
		for _, u := range t.c.items[i].units {
			if slices.ContainsFunc(u.clauses, func(e clause) bool { return e.denied || e.unknown || e.negative() }) {
				return false
			}
		}
	}
	return len(t.used) > 0
}

// dated reports whether a clause says a day.
func (c *clause) dated() bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool { return f.kind == day || f.kind == weekday })
}

// negative reports whether a clause has a word that says the opposite of another.
func (c *clause) negative() bool {
	return slices.ContainsFunc(c.tokens, func(x token) bool { return x.sign < 0 })
}

// known reports whether the evidence has a word of a clause.
func (t *trial) known(c *clause) bool {
	return slices.ContainsFunc(c.tokens, func(x token) bool { return t.c.weights[x.text] > 0 })
}

// agrees finds the clauses of the evidence that say most of what a clause does, and reports whether
// one of them says it with the same sign.
func (t *trial) agrees(c *clause, among func(item int, e *clause) bool) (found, same bool) {
	type candidate struct {
		likeness
		item int
	}
	var all []candidate
	best := 0.0
	for _, i := range t.items {
		it := &t.c.items[i]
		for u := range it.units {
			if it.units[u].heading {
				continue
			}
			for k := range it.units[u].clauses {
				if !among(i, &it.units[u].clauses[k]) {
					continue
				}
				l := candidate{item: i}
				l.likeness = t.compare(c, &it.units[u].clauses[k], it)
				if l.agree+l.differ > 0 && (len(c.anchors) == 0 || l.whole > l.differ) {
					all = append(all, l)
					best = max(best, l.whole)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.whole, a.whole) })
	for _, l := range all {
		if l.whole >= alike*best && !l.against && l.agree >= l.differ {
			t.used[l.item] = true
			return true, true
		}
	}
	return len(all) > 0, false
}

// A likeness is how much a clause shares with one of the evidence, how much of it with the same
// sign and with the other, and whether one of its words that have an opposite has the other sign.
type likeness struct {
	whole, agree, differ float64
	against              bool
}

func (t *trial) compare(c, e *clause, it *item) (l likeness) {
	for i := range c.tokens {
		x := &c.tokens[i]
		if x.start == x.end {
			continue // a sum, which is compared itself
		}
		weight := t.c.weights[x.text]
		if weight == 0 {
			continue
		}
		sign, found := 0, false
		for j := range e.tokens {
			if y := &e.tokens[j]; y.text == x.text {
				found = true
				if sign = y.sign; sign == x.sign {
					break
				}
			}
		}
		if !found && it.title[x.text] {
			l.whole += inTitle * weight
		} else if found {
			l.whole += weight
		}
		switch {
		case sign*x.sign < 0:
			l.differ += weight
			l.against = l.against || words().polar[x.text]
		case sign*x.sign > 0:
			l.agree += weight
		}
	}
	for i := range c.facts {
		f := &c.facts[i]
		if slices.ContainsFunc(e.facts, func(g fact) bool { return f.equal(&g) }) {
			l.whole += t.c.weights[f.feature()]
		}
	}
	return l
}

// suspect finds what no sentence may hold: markup, talk of programs, names of tools, keys, and
// doing.
func suspect(text string) (start, end int, why string) {
	traces := words().signs["traces"]
	for i := 0; i < len(text); {
		if f, ok := traces.at(text, i); ok {
			return i, i + len(f.text), "no part of an answer"
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r <= ' ' || r > 0x7E || strings.ContainsRune("()\"`,;|", r)
	}) {
		i := strings.Index(text, w)
		if literalOf(strings.TrimRight(w, ".,:;!?'-")) != "" {
			continue
		}
		if strings.Contains(strings.Trim(w, "_*"), "_") || strings.Contains(w, "\\") {
			return i, i + len(w), "looks like the name of a tool"
		}
		if secret(w) {
			return i, i + len(w), "looks like a key"
		}
	}
	return 0, 0, ""
}

// secret reports whether a token is long and mixed, as only a key is.
func secret(token string) bool {
	if strings.HasPrefix(token, "sk-") && len(token) > 8 {
		return true
	}
	const long = 20
	return len(token) >= long && strings.ContainsAny(token, "0123456789") && strings.ContainsFunc(token, unicode.IsLower) &&
		!strings.Contains(token, ".")
}
