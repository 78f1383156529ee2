package grounding

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
)

// A Checker checks sentences against one evidence. It is safe for concurrent use.
type Checker struct {
	items []item
	names forms
	now   time.Time
	// weights say how much it tells that a word is shared, by how many sentences of the evidence
	// have it.
	weights map[string]float64
	said    []fact
	// question are the features of the question.
	question map[string]bool
	// asked are the words of the visitor, and free are all names that a sentence may always use,
	// folded.
	asked, free string
}

// A Span is a stretch of a sentence in bytes, half-open, with its words.
type Span struct {
	Start, End int
	Text       string
}

// A Verdict says whether a sentence may be said.
type Verdict struct {
	OK bool
	// Reason says why not, in English, for people who look into it. It quotes the sentence.
	Reason string
	// Unsupported are the parts of the sentence that the evidence does not have, or has of
	// something else.
	Unsupported []Span
	// Uses are the ids of the items that support it, in the order of the evidence; none if it
	// states nothing that they have.
	Uses []string
	// Unknown says that the sentence says of something that was asked that it is not known.
	Unknown bool
}

// New returns a checker for an evidence. A zero Now is in UTC.
func New(e Evidence) *Checker {
	c := &Checker{now: e.Now, names: namesOf(e), weights: map[string]float64{}}
	for _, in := range e.Items {
		c.items = append(c.items, c.read(in))
	}
	n := 0
	for i := range c.items {
		for j := range c.items[i].units {
			n++
			for feature := range c.items[i].units[j].features {
				c.weights[feature]++
			}
		}
	}
	for feature, of := range c.weights {
		c.weights[feature] = math.Log(1 + float64(n)/of)
	}
	var free []string
	for _, group := range append([][]string{e.Venue}, e.Names...) {
		free = append(free, group...)
	}
	c.free = fold(strings.Join(free, "\n")).text
	return c
}

// Asked returns a checker for the same evidence that knows what was asked: the question as a
// sentence that stands by itself, of which is what a sentence leaves out, and what the visitor said
// in the talk, whose numbers a sentence may take up.
func (c *Checker) Asked(question, said string) *Checker {
	out := *c
	out.question = map[string]bool{}
	for _, cl := range readClauses(fold(question).text, c.now, c.names) {
		for feature := range cl.features(nil) {
			out.question[feature] = true
		}
	}
	out.asked, out.said = fold(said+"\n"+question).text, nil
	for _, cl := range readClauses(out.asked, c.now, c.names) {
		out.said = append(out.said, cl.facts...)
	}
	return &out
}

// maxSentence is the longest sentence that is read, in bytes. A longer one is none that should be
// spoken.
const maxSentence = 2000

// Check says whether a sentence may be said. It is held against the items that it says it is from,
// or against all where those are none of the evidence. It never fails: what it cannot read is not
// OK.
func (c *Checker) Check(sentence string, from ...string) Verdict {
	return c.CheckAfter(Verdict{}, sentence, from...)
}

// CheckAfter checks a sentence that follows another of the same answer: one that names nothing ("It
// starts at seven.") speaks of what the one before it spoke of.
func (c *Checker) CheckAfter(before Verdict, sentence string, from ...string) Verdict {
	if len(sentence) > maxSentence {
		all := []Span{{0, len(sentence), sentence}}
		return Verdict{Reason: fmt.Sprintf("longer than %d bytes", maxSentence), Unsupported: all}
	}
	f := fold(sentence)
	t := trial{c: c, text: f.text, used: map[int]bool{}}
	t.choose(from)
	for i := range c.items {
		if slices.Contains(before.Uses, c.items[i].ID) {
			t.before = append(t.before, i)
		}
	}
	t.clauses = readClauses(f.text, c.now, c.names)
	start, end, reason := t.judge(sentence)
	if reason == "" {
		return Verdict{OK: true, Uses: t.uses(), Unknown: t.saysUnknown()}
	}
	i, j := f.span(start, end)
	return Verdict{Reason: fmt.Sprintf("%s: %q", reason, sentence[i:j]), Unsupported: []Span{{i, j, sentence[i:j]}}}
}

// saysUnknown reports whether a sentence says of something that was asked that it is not known.
func (t *trial) saysUnknown() bool {
	unknown, asked := false, false
	for i := range t.clauses {
		unknown = unknown || t.clauses[i].unknown
		for feature := range t.clauses[i].features(nil) {
			asked = asked || t.c.question[feature]
		}
	}
	return unknown && asked
}

// A trial is the checking of one sentence.
type trial struct {
	c       *Checker
	text    string
	clauses []clause
	items   []int // that it is held against
	before  []int // of which the sentence before this one spoke
	used    map[int]bool
	// stated are those of used that have a fact or a name of the sentence.
	stated map[int]bool
}

// choose takes the items that a sentence is held against.
func (t *trial) choose(from []string) {
	for i := range t.c.items {
		if slices.Contains(from, t.c.items[i].ID) {
			t.items = append(t.items, i)
		}
	}
	if len(t.items) > 0 {
		return
	}
	for i := range t.c.items {
		t.items = append(t.items, i)
	}
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

// judge returns what may not be said, and why; no reason if the sentence may.
func (t *trial) judge(sentence string) (start, end int, reason string) {
	if i, j, why := suspect(t.text); why != "" {
		return i, j, why
	}
	if t.many() {
		return 0, len(t.text), "more facts than anybody says at once"
	}
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			f := &t.clauses[i].facts[j]
			if why := t.fact(i, f); why != "" {
				return f.start, f.end, why
			}
		}
	}
	if i, j, ok := t.unknownName(sentence); ok {
		return i, j, "a name that the evidence does not have"
	}
	t.stated = maps.Clone(t.used)
	if len(t.used) == 0 && !t.states(nil) && t.foreign() {
		return 0, len(t.text), "of something that the evidence does not speak of"
	}
	for i := range t.clauses {
		if why := t.sign(&t.clauses[i]); why != "" {
			return t.clauses[i].start, t.clauses[i].end, why
		}
	}
	return 0, 0, ""
}

// maxFacts is how many facts a sentence has at most.
const maxFacts = 40

// many reports whether a sentence has more facts than are looked up.
func (t *trial) many() bool {
	n := 0
	for i := range t.clauses {
		n += len(t.clauses[i].facts)
	}
	return n > maxFacts
}

// fact returns why a fact may not be said; "" if it may.
func (t *trial) fact(in int, f *fact) string {
	if why := t.impossible(f); why != "" {
		return why
	}
	if t.sameDate(f) || f.kind == weekday && f.n == everyDay {
		return ""
	}
	if f.kind == name {
		return t.name(f)
	}
	if f.kind == clock && f.role == at && f.n == minutes(t.c.now) {
		return "" // it is half past ten now
	}
	found := t.find(in, f)
	if found.bound() {
		t.used[found.item] = true
		if found.at != nil {
			t.clauses[in].anchors = append(t.clauses[in].anchors, found.at)
		}
		return ""
	}
	if t.wasSaid(f) || t.follows(f) || (f.kind == day || f.kind == weekday) && t.clauses[in].unknown {
		return ""
	}
	if found.item >= 0 {
		return "the evidence has it of something else"
	}
	return "not in the evidence"
}

// fits is how much of what fits another value of the same kind best must fit this one.
const fits = 0.75

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
func (t *trial) find(in int, f *fact) finding {
	features := t.features(in, f)
	own, other := finding{item: -1}, finding{item: -1}
	japanese := isJapanese(t.text)
	for _, i := range t.items {
		out := &own
		if !t.c.items[i].speaks(japanese) {
			out = &other
		}
		t.findIn(i, f, features, out)
	}
	other.rival = max(other.rival, own.rival*inOther*inOther)
	if !own.bound() && (own.item < 0 || other.bound()) {
		return other
	}
	return own
}

// findIn looks a fact up in one item.
func (t *trial) findIn(i int, f *fact, features map[string]float64, out *finding) {
	it := &t.c.items[i]
	for u := range it.units {
		unit := &it.units[u]
		for k := range unit.clauses {
			for j := range unit.clauses[k].facts {
				g := &unit.clauses[k].facts[j]
				same := f.equal(g) && f.sameEnd(g) || t.within(f, g)
				if !same && (!f.rivals(g) || t.states(g)) {
					continue
				}
				of := t.shared(features, it, unit, k)
				if unit.heading || !same && (g.derived || it.Kind == Event && !t.titles(it)) {
					of *= inOther
				}
				out.add(i, same, of, unit, k)
			}
		}
	}
}

// bound reports whether nothing fits what the fact is of clearly better than it.
func (f *finding) bound() bool { return f.item >= 0 && f.of >= fits*f.rival }

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
		out[feature] = max(out[feature], ofQuestion)
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
		text := c.tokens[i].text
		if c.tokens[i].sign < 0 && !c.denied {
			text += "-"
		}
		out[text] = true
	}
	for i := range c.facts {
		if f := &c.facts[i]; f != but && (but == nil || f.kind != but.kind) {
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

// impossible says what is wrong with a fact by itself: a day that is none, a weekday that its day
// is not.
func (t *trial) impossible(f *fact) string {
	d, ok := f.date(t.c.now)
	if !ok {
		return ""
	}
	if civil.DateOf(d.In(time.UTC)) != d {
		return "no such day"
	}
	if w := t.weekdayOf(f); w != nil && w.n>>int(d.In(time.UTC).Weekday())&1 == 0 {
		return "another weekday"
	}
	return ""
}

// weekdayOf is the weekday that a sentence says of a day: 6月20日(土), Saturday, June 20.
func (t *trial) weekdayOf(f *fact) *fact {
	const near = 6 // bytes between them
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			w := &t.clauses[i].facts[j]
			if between := max(w.start-f.end, f.start-w.end); w.kind == weekday && between >= 0 && between <= near {
				return w
			}
		}
	}
	return nil
}

// sameDate reports whether a weekday is that of a day beside it.
func (t *trial) sameDate(w *fact) bool {
	if w.kind != weekday {
		return false
	}
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			if f := &t.clauses[i].facts[j]; t.weekdayOf(f) == w {
				if _, ok := f.date(t.c.now); ok {
					return true
				}
			}
		}
	}
	return false
}

// namesEvent reports whether the sentence names an event, whose days are its own.
func (t *trial) namesEvent() bool {
	return slices.ContainsFunc(t.clauses, func(c clause) bool {
		return slices.ContainsFunc(c.facts, func(f fact) bool { return f.kind == name && f.n > 0 })
	})
}

// mostForeign is how many of the words of a sentence may be none of the evidence, nor of the
// question, where nothing else is from it.
const mostForeign = 0.6

// foreign reports whether a sentence speaks of what the evidence does not speak of. Where the
// evidence is in the other language nobody can say.
func (t *trial) foreign() bool {
	japanese, known, all := isJapanese(t.text), 0, 0
	if slices.ContainsFunc(t.items, func(i int) bool { return !t.c.items[i].speaks(japanese) }) {
		return false
	}
	for i := range t.clauses {
		c := &t.clauses[i]
		if c.unknown || c.condition {
			return false
		}
		for feature := range c.features(nil) {
			all++
			if t.c.question[feature] || t.speakOf(feature) {
				if known++; strings.HasPrefix(feature, "a:") {
					return false
				}
			}
		}
	}
	if last := strings.TrimRight(t.text, " "); strings.HasSuffix(last, "?") || strings.HasSuffix(last, "か。") {
		return false
	}
	return all > 2 && float64(all-known) > mostForeign*float64(all)
}

// speakOf reports whether a word stands in an item.
func (t *trial) speakOf(feature string) bool {
	return slices.ContainsFunc(t.items, func(i int) bool { return t.c.items[i].speaksOf(feature) })
}

// wasSaid reports whether a fact is one of the visitor's own: six people, the day that was asked
// about. Prices and times of day are none.
func (t *trial) wasSaid(f *fact) bool {
	if f.kind == day {
		return sameDay(f.n, ofDay(civil.DateOf(t.c.now))) && !t.namesEvent()
	}
	if f.kind != number || f.role != at {
		return false
	}
	return slices.ContainsFunc(t.c.said, func(g fact) bool { return f.equal(&g) })
}
