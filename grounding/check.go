package grounding

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// A Checker checks sentences against one evidence. It is safe for concurrent use.
type Checker struct {
	items []item
	all   []int // their indices
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
		c.items, c.all = append(c.items, c.read(in)), append(c.all, len(c.all))
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
		for feature := range cl.features(&fact{}) {
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
	for i := range c.items {
		if slices.Contains(before.Uses, c.items[i].ID) {
			t.before = append(t.before, i)
		}
	}
	t.clauses = readClauses(f.text, c.now, c.names)
	t.choose(from)
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
	cited   bool  // it says so itself
	before  []int // of which the sentence before this one spoke
	used    map[int]bool
	// stated are those of used that have a fact or a name of the sentence.
	stated map[int]bool
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
	for _, i := range t.items {
		if len(t.used) == 0 && t.speaksOf(&t.c.items[i]) {
			t.stated[i] = true
		}
	}
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
