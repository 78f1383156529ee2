package corpus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"annai/rag"
)

// contradictions finds different values for one fact: between a passage and its translation, and
// between passages of different documents that are about the same.
func contradictions(ctx context.Context, passages []rag.Passage, opts ReportOptions) []Finding {
	found := betweenPairs(passages)
	r := reader{lexicon: newLexicon(opts.Venue, opts.Names)}
	for i, p := range passages {
		if ctx.Err() != nil {
			return nil
		}
		r.read(i, p)
	}
	c := comparison{passages: passages, statements: r.statements, seen: map[string]bool{}, works: works(passages)}
	c.run(ctx)
	return append(found, c.found...)
}

// betweenPairs compares values of passages that say the same. Both must have one that the other has
// not: what only one says may be left out of the other, or said in words.
func betweenPairs(passages []rag.Passage) []Finding {
	var found []Finding
	first := map[string]rag.Passage{}
	for _, p := range passages {
		other, there := first[p.Pair]
		switch {
		case p.Pair == "":
		case !there:
			first[p.Pair] = p
		default:
			for _, k := range []kind{hours, price, phone, capacity, date, duration, percent} {
				ours, theirs := valuesOf(k, fold(other.Text)), valuesOf(k, fold(p.Text))
				if onlyA, onlyB := without(ours, theirs), without(theirs, ours); len(onlyA) > 0 && len(onlyB) > 0 {
					found = append(found, Finding{Contradiction, []string{other.ID, p.ID}, string(k), fmt.Sprintf(
						"%s: %s in one language, %s in the other", k, strings.Join(onlyA, ", "),
						strings.Join(onlyB, ", "))})
				}
			}
		}
	}
	return found
}

// without returns the values of a that are not in b, sorted, each once.
func without(a, b []string) []string {
	set := map[string]bool{}
	for _, x := range a {
		if !slices.Contains(b, x) {
			set[x] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// A comparison looks at statements of one kind about the same subject.
type comparison struct {
	passages   []rag.Passage
	statements []statement
	seen       map[string]bool
	works      map[string]string
	found      []Finding
}

// works gives the documents that are translations of each other the same name: what they say in one
// section is not compared with what they say in another.
func works(passages []rag.Passage) map[string]string {
	byPair, out := map[string]string{}, map[string]string{}
	for _, p := range passages {
		other, found := byPair[p.Pair]
		switch {
		case p.Pair == "" && out[p.Document] == "":
			out[p.Document] = p.Document
		case p.Pair != "" && !found:
			byPair[p.Pair] = p.Document
		case p.Pair != "":
			out[p.Document] = min(p.Document, other)
			out[other] = out[p.Document]
		}
	}
	return out
}

// crowd is how many statements may share a word for it to tell what they are about.
const crowd = 400

func (c *comparison) run(ctx context.Context) {
	groups := map[string][]int{}
	for i, s := range c.statements {
		for _, key := range s.keys() {
			groups[key] = append(groups[key], i)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		group := groups[key]
		if len(group) > crowd || ctx.Err() != nil {
			continue
		}
		for n, i := range group {
			for _, j := range group[:n] {
				c.compare(c.statements[j], c.statements[i])
			}
		}
	}
}

// comparedWith are the kinds that are compared with another one.
var comparedWith = map[kind]kind{openDays: closedDays}

// keys are where statements meet that may be about the same.
func (s statement) keys() []string {
	k := s.kind
	if other, found := comparedWith[k]; found {
		k = other
	}
	var keys []string
	for _, set := range []map[string]bool{s.subject.topics, s.subject.words, s.about.topics} {
		for word := range set {
			keys = append(keys, string(k)+" "+word)
		}
	}
	if len(s.subject.topics) == 0 && len(keys) == 0 || isAboutHours(s.kind) && len(s.subject.topics) == 0 {
		keys = append(keys, string(k)+" ")
	}
	return keys
}

func isAboutHours(k kind) bool {
	return k == opening || k == closing || k == closedDays || k == openDays
}

// likeness is from which on two subjects are the same, by kind.
func likeness(k kind) float64 {
	switch k {
	case price, duration, date, capacity:
		return 0.75
	case polarity:
		return 0.7
	default:
		return 0.6
	}
}

func (c *comparison) compare(a, b statement) {
	p, q := c.passages[a.passage], c.passages[b.passage]
	if p.Document == q.Document || c.works[p.Document] != "" && c.works[p.Document] == c.works[q.Document] ||
		p.Pair != "" && p.Pair == q.Pair || !overlapInTime(p, q) || !a.against(b) {
		return
	}
	if !a.sameSubject(b) {
		return
	}
	key := fmt.Sprint(min(a.passage, b.passage), max(a.passage, b.passage), a.kind)
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	about := a.kind
	if a.kind == openDays {
		about = closedDays
	}
	c.found = append(c.found, Finding{
		Contradiction,
		[]string{p.ID, q.ID},
		string(about),
		fmt.Sprintf("%s: %q against %q", about, shorten(a.text), shorten(b.text)),
	})
}

// overlapInTime reports whether there is a day on which both are valid.
func overlapInTime(p, q rag.Passage) bool {
	before := func(p, q rag.Passage) bool { return !p.ValidUntil.IsZero() && p.ValidUntil.Before(q.ValidFrom) }
	return !before(p, q) && !before(q, p)
}

// sameSubject reports whether two statements seem to be about one thing.
func (s statement) sameSubject(o statement) bool {
	like := s.subject.like(o.subject, s.lang == o.lang)
	if like >= likeness(s.kind) {
		return true
	}
	// What stands first under the same heading, and names it, is about it whatever else it names.
	same := len(s.about.topics) > 0 && len(o.about.topics) > 0 && s.about.like(o.about, s.lang == o.lang) >= 0.75
	return s.kind == polarity && same && like >= 0.4
}

// against reports whether the values of two statements can't both be true.
func (s statement) against(o statement) bool {
	if s.kind != o.kind {
		return (s.kind == openDays && o.kind == closedDays || s.kind == closedDays && o.kind == openDays) &&
			meet(s.values, o.values)
	}
	switch s.kind {
	case openDays:
		return false
	case opening, closing, lastOrder:
		sameDays := len(s.days) == 0 && len(o.days) == 0 || meet(s.days, o.days) || s.whole(o) || o.whole(s)
		return sameDays && !meet(s.values, o.values)
	case closedDays:
		return !slices.Equal(s.values, o.values)
	default:
		return !meet(s.values, o.values)
	}
}

// whole reports whether s holds for any day, and o for most days of the week.
func (s statement) whole(o statement) bool { return len(s.days) == 0 && len(o.days) >= 3 }

func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}
