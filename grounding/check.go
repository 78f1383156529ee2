package grounding

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Checker checks sentences against one evidence. It is safe for concurrent use.
type Checker struct {
	items []item
	names *lexicon
	now   time.Time
	loc   *time.Location
	// titles are the features of the titles of events that tell some of them from others, with the events that have them.
	titles []titleWord
	// vocabulary is made when a sentence first has a word that no item has.
	vocabulary func() *vocabulary
}

// A titleWord is a word of titles, and the events whose titles have it.
type titleWord struct {
	feature
	items []int
}

// names reports whether a feature is this word of a title, in its wording: 発表 names no Lightning Talks.
func (t *titleWord) names(f *feature) bool {
	if t.kind == word && f.kind == word && len(t.text) >= len("もくもく") {
		return strings.HasSuffix(f.text, t.text) // はもくもく
	}
	return t.same(f) && t.text == f.text
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
	// Unsupported are the parts of the sentence that the evidence does not have, or has of something else.
	Unsupported []Span
	// Uses are the ids of the items that support it, in the order of the evidence; none if it claims nothing.
	Uses []string
}

// New returns a checker for an evidence. A zero Now is in UTC.
func New(e Evidence) *Checker {
	c := &Checker{names: newNames(e.Venue, e.Names), now: e.Now, loc: e.Now.Location()}
	c.items = make([]item, 0, len(e.Items))
	for _, in := range e.Items {
		c.items = append(c.items, c.read(in))
	}
	c.learnTitles()
	c.vocabulary = sync.OnceValue(c.learnWords)
	return c
}

// maxSentence is the longest sentence that is read, in bytes. A longer one is none that should be spoken.
const maxSentence = 2000

func (c *Checker) scan(text string, at time.Time) []clause {
	if len(text) > maxSentence {
		text = strings.ToValidUTF8(text[:maxSentence], "")
	}
	return scan(fold(text), at, words(), c.names)
}

// learnTitles finds the words by which a sentence names an event.
func (c *Checker) learnTitles() {
	events := 0
	for i := range c.items {
		if c.items[i].Kind != Event {
			continue
		}
		events++
		for _, f := range c.items[i].title {
			if f.kind == meaning || f.kind == word {
				c.learn(f, i)
			}
		}
	}
	c.titles = slices.DeleteFunc(c.titles, func(t titleWord) bool { return len(t.items) == events })
}

func (c *Checker) learn(f feature, i int) {
	for j := range c.titles {
		if c.titles[j].names(&f) {
			if !slices.Contains(c.titles[j].items, i) {
				c.titles[j].items = append(c.titles[j].items, i)
			}
			return
		}
	}
	c.titles = append(c.titles, titleWord{f, []int{i}})
}

// Check says whether a sentence may be said. It never fails: what it cannot read is not OK.
func (c *Checker) Check(sentence string) Verdict { return c.CheckAfter(Verdict{}, sentence) }

// CheckAfter checks a sentence that follows another of the same answer: one that names nothing ("It starts at seven.") speaks of
// what the one before it spoke of.
func (c *Checker) CheckAfter(before Verdict, sentence string) Verdict {
	if len(sentence) > maxSentence {
		return Verdict{Reason: fmt.Sprintf("longer than %d bytes", maxSentence), Unsupported: []Span{{0, len(sentence), sentence}}}
	}
	f := fold(sentence)
	clauses := scan(f, c.now, words(), c.names)
	related := c.anyUnheard(clauses)
	if related {
		c.relate(clauses)
	}
	t, bad, reason := c.try(clauses, before)
	if len(bad) > 0 && !related {
		c.relate(clauses)
		t, bad, reason = c.try(clauses, before)
	}
	if len(bad) == 0 {
		return Verdict{OK: true, Uses: t.uses()}
	}
	v := Verdict{}
	for _, b := range bad {
		i, j := f.span(b.start, b.end)
		v.Unsupported = append(v.Unsupported, Span{i, j, sentence[i:j]})
	}
	v.Reason = fmt.Sprintf("%s: %q", reason, v.Unsupported[0].Text)
	return v
}

// try holds clauses against the evidence.
func (c *Checker) try(clauses []clause, before Verdict) (trial, []*feature, string) {
	t := trial{c: c, clauses: clauses, used: map[int]bool{}}
	for i := range c.items {
		if slices.Contains(before.Uses, c.items[i].ID) {
			t.before = append(t.before, i)
		}
	}
	bad, reason := t.judge()
	return t, bad, reason
}
