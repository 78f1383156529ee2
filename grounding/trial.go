package grounding

import (
	"slices"
	"strings"
)

// A trial is the checking of one sentence.
type trial struct {
	c       *Checker
	clauses []clause
	before  []int // items that the sentence before this one spoke of
	used    map[int]bool
	// subject are the events of which one must be meant by clauses that name none.
	subject []int
	// last supported the clause before, as did all of fits.
	last *item
	fits []int
	// condition are the passages that support the condition under which the next clause is said; nil if there is none.
	condition []int
}

func (t *trial) uses() []string {
	var out []string
	for i := range t.c.items {
		if t.used[i] {
			out = append(out, t.c.items[i].ID)
		}
	}
	return out
}

// judge returns what is not supported, and why; nothing if the sentence may be said.
func (t *trial) judge() ([]*feature, string) {
	for i := range t.clauses {
		for j := range t.clauses[i].features {
			if f := &t.clauses[i].features[j]; f.kind == suspect {
				return []*feature{f}, f.text
			}
		}
	}
	for i := range t.clauses {
		if f := t.reversed(&t.clauses[i]); f != nil {
			return []*feature{f}, "the evidence says the opposite"
		}
	}
	if t.one() {
		return nil, ""
	}
	for i := range t.clauses {
		if bad, reason := t.clause(&t.clauses[i]); len(bad) > 0 {
			return bad, reason
		}
	}
	return nil, ""
}

// continues reports whether a passage may be what a clause goes on about: it speaks of something that the clause before names.
func (t *trial) continues(cl *clause, i int) bool {
	if cl.before == nil || slices.Contains(t.fits, i) {
		return true
	}
	it, names := &t.c.items[i], 0
	for k := range cl.before.features {
		f := &cl.before.features[k]
		switch {
		case f.kind == meaning && slices.ContainsFunc(f.ids, func(s signed) bool { return it.meanings[s.id] != 0 }):
			return true
		case (f.kind == word || f.kind == literal) && it.hasWord(f.text) != 0:
			return true
		case f.kind == meaning || f.kind == word && !f.soft:
			names++
		}
	}
	return names == 0
}

// conditional reports whether a clause says when the next one holds: "if you need to take a call,", 雨の場合は、.
func (c *clause) conditional() bool {
	text := strings.TrimSpace(c.text)
	return strings.HasPrefix(text, "if ") || strings.HasPrefix(text, "when ") ||
		slices.ContainsFunc([]string{"場合は、", "ときは、", "なら、", "でしたら、"}, func(end string) bool { return strings.HasSuffix(text, end) })
}

// claims reports whether a clause says anything.
func claims(cl *clause) bool {
	return slices.ContainsFunc(cl.features, func(f feature) bool { return f.kind != role })
}

// one finds one item that supports the whole sentence.
func (t *trial) one() bool {
	said := false
	for i := range t.clauses {
		said = said || claims(&t.clauses[i])
	}
	if !said {
		return true
	}
	for _, i := range t.order() {
		if t.all(i) {
			t.used[i] = true
			return true
		}
	}
	return false
}

// order are the items, those of the sentence before first.
func (t *trial) order() []int {
	out := slices.Clone(t.before)
	for i := range t.c.items {
		if !slices.Contains(t.before, i) {
			out = append(out, i)
		}
	}
	return out
}

// all reports whether an item supports every clause.
func (t *trial) all(i int) bool {
	for j := range t.clauses {
		cl := &t.clauses[j]
		for _, group := range t.named(cl.features) {
			if !slices.Contains(group, i) {
				return false
			}
		}
		if !t.allowed(cl, i) || !t.supported(cl, i) {
			return false
		}
	}
	return true
}

// allowed reports whether a clause without a word of its own may speak of an item, after the sentence before.
func (t *trial) allowed(cl *clause, i int) bool {
	if len(t.before) == 0 || slices.Contains(t.before, i) || t.c.items[i].Kind != Event {
		return true
	}
	return slices.ContainsFunc(cl.features, func(f feature) bool { return f.kind == meaning || f.kind == word }) ||
		!slices.ContainsFunc(t.before, func(b int) bool { return t.c.items[b].Kind == Event }) || !claims(cl)
}

func (t *trial) supported(cl *clause, i int) bool {
	it := &t.c.items[i]
	return len(t.c.unsupported(cl, it)) == 0 && modals(cl, it)
}

// modals reports whether what a clause says may not be, or need not be, is that in the item: "no booking needed" and "no booking
// possible" both deny a booking.
func modals(cl *clause, it *item) bool {
	if !claims(cl) {
		return true
	}
	if cl.cannot && it.needless && !it.cannot {
		return false
	}
	return !(cl.needless && it.cannot && !it.needless)
}

// named are the events that features name: one group for each name, with the events that may be meant.
func (t *trial) named(features []feature) [][]int {
	var groups [][]int
	for i := range features {
		f := &features[i]
		for j := range t.c.titles {
			if w := &t.c.titles[j]; w.names(f) {
				groups = join(groups, w.items)
			}
		}
	}
	return groups
}

// join narrows the group that shares an event with a set, or begins a new one.
func join(groups [][]int, items []int) [][]int {
	for i, g := range groups {
		var both []int
		for _, x := range g {
			if slices.Contains(items, x) {
				both = append(both, x)
			}
		}
		if len(both) > 0 {
			groups[i] = both
			return groups
		}
	}
	return append(groups, items)
}

// clause checks one clause by itself.
func (t *trial) clause(cl *clause) ([]*feature, string) {
	if !claims(cl) {
		return nil, ""
	}
	groups := t.named(cl.features)
	switch len(groups) {
	case 0:
		return t.unnamed(cl)
	case 1:
		t.subject = groups[0]
		return t.of(cl, groups[0])
	}
	return t.several(cl)
}

// of checks a clause that speaks of one of some events.
func (t *trial) of(cl *clause, group []int) ([]*feature, string) {
	var best []*feature
	for _, i := range group {
		bad := t.c.unsupported(cl, &t.c.items[i])
		if len(bad) == 0 {
			t.used[i] = true
			return nil, ""
		}
		if best == nil || len(bad) < len(best) {
			best = bad
		}
	}
	return best, "not so of what it names"
}

// unnamed checks a clause that names no event: it speaks of the event named before, or of any one item.
func (t *trial) unnamed(cl *clause) ([]*feature, string) {
	own := slices.ContainsFunc(cl.features, func(f feature) bool { return f.kind == meaning || f.kind == word || f.kind == literal })
	var best []*feature
	var fits []int
	condition := t.condition
	t.condition = nil
	for _, i := range t.order() {
		event := t.c.items[i].Kind == Event
		if !event && (condition != nil && !slices.Contains(condition, i) || !t.continues(cl, i)) {
			continue
		}
		if t.subject != nil && (event || !own) && !slices.Contains(t.subject, i) || !own && t.fits != nil && !slices.Contains(t.fits, i) || !t.allowed(cl, i) {
			continue
		}
		bad := t.c.unsupported(cl, &t.c.items[i])
		switch {
		case len(bad) == 0 && modals(cl, &t.c.items[i]):
			fits = append(fits, i)
		case best == nil || len(bad) > 0 && len(bad) < len(best):
			best = bad
		}
	}
	if t.last != nil && len(cl.features) == 1 {
		if f := t.last.contradicts(cl); f != nil && !slices.ContainsFunc(fits, func(i int) bool { return &t.c.items[i] == t.last }) {
			return []*feature{f}, "denied by what the sentence speaks of"
		}
	}
	if len(fits) > 0 && cl.conditional() {
		t.condition = fits
	}
	if len(fits) > 0 {
		t.used[fits[0]] = true
		t.last, t.fits = &t.c.items[fits[0]], fits
		if t.c.items[fits[0]].Kind == Event || !own {
			t.subject = fits
		}
		return nil, ""
	}
	if f := t.opposed(cl); f != nil {
		return []*feature{f}, "the evidence says the opposite"
	}
	if own && condition == nil && (t.pair(cl) || t.enumerated(cl)) {
		return nil, ""
	}
	if len(best) == 0 {
		for i := range cl.features {
			best = append(best, &cl.features[i])
		}
	}
	return best, "not in the evidence"
}

// reversed finds "free" or "paid" where the passage that speaks most of what the clause speaks of has its opposite.
func (t *trial) reversed(cl *clause) *feature {
	for i := range cl.features {
		f := &cl.features[i]
		if f.kind != meaning || len(f.ids) != 1 || f.ids[0].id != words().ids["fee"] || f.topic {
			continue
		}
		label, want := cl.label(f), signOf(f.ids[0].sign, f.negative)
		if want == affirmed && cl.has(money, "", cl.phraseOf(f.start)) {
			continue // the fee is 500 yen
		}
		best, exact := map[mask]int{}, map[mask]bool{}
		for j := range t.c.items {
			for _, m := range t.c.items[j].mentions {
				if m.id != f.ids[0].id {
					continue
				}
				shared, extra := overlap(label, m.label)
				if shared+1 >= best[m.sign] {
					exact[m.sign] = extra == 0 || exact[m.sign] && shared+1 == best[m.sign]
					best[m.sign] = shared + 1
				}
			}
		}
		other := (affirmed | denied) &^ want
		if best[want] < best[other] || best[want] == best[other] && best[other] > 1 && !exact[want] {
			return f
		}
	}
	return nil
}

// enumerated checks a clause that says the same of several things, each with its value, phrase by phrase.
func (t *trial) enumerated(cl *clause) bool {
	if len(cl.denied) > 0 {
		return t.deniedEach(cl)
	}
	if len(cl.breaks) < 2 {
		return false
	}
	parts := 0
	for n := 0; n <= len(cl.breaks); n++ {
		part := clause{start: cl.start, end: cl.end, text: cl.text}
		worded, valued := false, false
		for _, f := range cl.features {
			if cl.phraseOf(f.start) == n {
				part.features = append(part.features, f)
				worded, valued = worded || f.kind == meaning || f.kind == word, valued || f.value()
			}
		}
		if len(part.features) == 0 {
			continue
		}
		if !worded || !valued || !t.any(&part) {
			return false
		}
		parts++
	}
	return parts > 1
}

// deniedEach checks a clause that denies several things, of which each has its passage: "neither A nor B".
func (t *trial) deniedEach(cl *clause) bool {
	n := 0
	for _, f := range cl.features {
		if f.kind == role {
			continue
		}
		if f.kind != meaning || !f.negative || !t.any(&clause{features: []feature{f}, start: cl.start, end: cl.end, text: cl.text}) {
			return false
		}
		n++
	}
	return n > 1
}

// any finds an item that supports a clause.
func (t *trial) any(cl *clause) bool {
	for i := range t.c.items {
		if t.c.items[i].Kind != Event && t.supported(cl, i) {
			t.used[i] = true
			return true
		}
	}
	return false
}

// opposed finds what an item denies that has all else of a clause.
func (t *trial) opposed(cl *clause) *feature {
	for i := range t.c.items {
		it := &t.c.items[i]
		f := it.contradicts(cl)
		if bad := t.c.unsupported(cl, it); f != nil && len(bad) == 1 && bad[0] == f && len(cl.features) > 2 {
			return f
		}
	}
	return nil
}

// several checks a clause that names more than one event, phrase by phrase. Bare names wait for what is said of them.
func (t *trial) several(cl *clause) ([]*feature, string) {
	for i := range cl.features {
		if f := &cl.features[i]; f.kind == number && f.count {
			if !t.c.counted(cl, f) {
				return []*feature{f}, "not so many"
			}
			cl.features = slices.Delete(slices.Clone(cl.features), i, i+1)
			break
		}
	}
	var waiting [][]int
	var phrase clause
	for n := 0; n <= len(cl.breaks); n++ {
		phrase = clause{breaks: cl.breaks, start: cl.start, end: cl.end, text: cl.text}
		for _, f := range cl.features {
			if cl.phraseOf(f.start) == n {
				phrase.features = append(phrase.features, f)
			}
		}
		groups := t.named(phrase.features)
		if t.onlyNames(&phrase) && n < len(cl.breaks) {
			waiting = append(waiting, groups...)
			continue
		}
		if len(groups) == 0 && len(waiting) == 0 {
			groups = t.named(cl.features)
		}
		for _, group := range append(waiting, groups...) {
			if bad, reason := t.of(&clause{features: t.without(phrase.features, group), breaks: cl.breaks, start: cl.start, end: cl.end, text: cl.text}, group); len(bad) > 0 {
				return bad, reason
			}
		}
		waiting = nil
	}
	return nil, ""
}

// onlyNames reports whether features do nothing but name events.
func (t *trial) onlyNames(cl *clause) bool {
	return !slices.ContainsFunc(cl.features, func(f feature) bool {
		inTitle := f.kind == number && slices.ContainsFunc(t.c.items, func(it item) bool { return it.Kind == Event && it.titled(cl, &f) })
		return f.kind != role && !inTitle && len(t.named([]feature{f})) == 0
	})
}

// without leaves the names of other events out.
func (t *trial) without(features []feature, group []int) []feature {
	var out []feature
	for _, f := range features {
		named := t.named([]feature{f})
		if len(named) == 1 && !slices.ContainsFunc(named[0], func(i int) bool { return slices.Contains(group, i) }) {
			continue
		}
		out = append(out, f)
	}
	return out
}
