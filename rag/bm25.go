package rag

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// The usual parameters of BM25: how soon a repeated word stops to count, and how much long texts are held back.
const (
	bm25K1 = 1.2
	bm25B  = 0.4
	// headingTimes is how often a word in a heading counts as said; one in the title of the document counts once.
	headingTimes = 2
)

// A lexicon is an inverted index over the terms of one language's passages: a question costs what its postings cost.
type lexicon struct {
	terms    map[string]int32 // the number of each term
	postings [][]posting      // by it
	size     int
	// titles are the terms of each passage's title, with what each weighs in it: together 1.
	titles map[int32][]titleTerm
	// scratch holds *tally, so that a question allocates nothing of the size of the corpus.
	scratch sync.Pool
}

// A posting says how well a term is stated by a passage: about 1 for once in a text of average length, less than k1+1.
type posting struct {
	passage int32
	part    float32
}

// A titleTerm is a term of a title, by its number.
type titleTerm struct {
	term   int32
	weight float32
}

// newLexicon indexes the passages whose numbers are given.
func newLexicon(passages []Passage, members []int32) *lexicon {
	l := &lexicon{terms: map[string]int32{}, titles: make(map[int32][]titleTerm, len(members)), size: len(members)}
	lengths := make(map[int32]float32, len(members))
	var total float32
	for _, m := range members {
		counts := map[string]float32{}
		title, heading := cutTitle(passages[m].Title)
		length := count(counts, title, 2) + count(counts, heading, headingTimes) + count(counts, passages[m].Text, 1)
		lengths[m] = length
		total += length
		for t, n := range counts {
			number, there := l.terms[t]
			if !there {
				number = int32(len(l.postings))
				l.terms[t], l.postings = number, append(l.postings, nil)
			}
			l.postings[number] = append(l.postings[number], posting{m, n})
		}
	}
	average := max(total/float32(max(len(members), 1)), 1)
	for _, ps := range l.postings {
		for i, p := range ps {
			k := bm25K1 * (1 - bm25B + bm25B*lengths[p.passage]/average)
			ps[i].part = (bm25K1 + 1) * p.part / (p.part + k)
		}
	}
	for _, m := range members {
		l.titles[m] = l.weighTitle(passages[m].Title)
	}
	n := len(passages)
	l.scratch.New = func() any { return newTally(n) }
	return l
}

// of are the passages that state a term.
func (l *lexicon) of(t term) []posting {
	if number, there := l.terms[t.text]; there {
		return l.postings[number]
	}
	return nil
}

// known are the numbers, sorted, of those of some terms that stand in any passage.
func (l *lexicon) known(terms map[string]bool) []int32 {
	var out []int32
	for t := range terms {
		if number, there := l.terms[t]; there {
			out = append(out, number)
		}
	}
	slices.Sort(out)
	return out
}

// weighTitle returns the terms of a title, the rarer the heavier, with weights that add up to 1.
func (l *lexicon) weighTitle(title string) []titleTerm {
	before, heading := cutTitle(title)
	ts := newAlternative(terms(heading))
	own := len(ts)
	ts = newAlternative(append(ts, terms(before)...))
	var total float32
	for i, t := range ts {
		ts[i].weight *= float32(l.idf(len(l.of(t))))
		if i >= own {
			ts[i].weight *= documentTitleShare
		}
		total += ts[i].weight
	}
	out := make([]titleTerm, len(ts))
	for i, t := range ts {
		out[i] = titleTerm{l.terms[t.text], t.weight / total}
	}
	return out
}

// cutTitle returns what stands before the last heading of a title, and the heading.
func cutTitle(title string) (before, heading string) {
	if i := strings.LastIndex(title, TitleSeparator); i >= 0 {
		return title[:i], title[i+len(TitleSeparator):]
	}
	return "", title
}

// documentTitleShare is what a word of the document's title counts against one of the passage's own heading.
const documentTitleShare = 0.25

// fit returns the share of a passage's title that is asked for, in 0..1: a heading with words that the question has not
// stands over something narrower than what was asked. The numbers of the terms that are asked for are sorted.
func (l *lexicon) fit(passage int32, asked []int32) float64 {
	var sum float32
	for _, t := range l.titles[passage] {
		if _, is := slices.BinarySearch(asked, t.term); is {
			sum += t.weight
		}
	}
	return float64(sum)
}

// count adds the terms of a text, each so many times, and returns the length of the text in words.
func count(counts map[string]float32, text string, times float32) float32 {
	var length float32
	for _, t := range terms(text) {
		counts[t.text] += times
		length += t.weight
	}
	return length
}

// idf is the rarity of what stands in that many passages. What stands in none is the rarest.
func (l *lexicon) idf(passages int) float64 {
	n := float64(passages)
	return math.Log(1 + (float64(l.size)-n+0.5)/(n+0.5))
}

// score adds up BM25 for every passage that states any unit. It also returns the ideal: what a
// passage of average length that states every unit once would have. A unit that stands nowhere
// makes the ideal larger and nothing else. What stands beside a unit that the whole question is
// about counts as a hint, but in full where a passage states that unit too.
func (l *lexicon) score(units []unit, scores *tally) (ideal float64) {
	stated := l.scratch.Get().(*tally)
	about := l.scratch.Get().(*tally)
	defer func() { about.reset(); l.scratch.Put(stated); l.scratch.Put(about) }()
	for _, u := range units {
		beside := units[0].whole && !u.whole // those come first
		weight := float64(u.weight) * l.state(u, stated)
		ideal += weight * portion(beside)
		for _, p := range stated.touched {
			scores.add(p, weight*stated.values[p]*portion(beside && about.values[p] < statedAt))
			if u.whole {
				about.raise(p, stated.values[p])
			}
		}
		stated.reset()
	}
	return ideal
}

// portion is what a unit counts of its weight, a hint or all of it.
func portion(hint bool) float64 {
	if hint {
		return hintWeight
	}
	return 1
}

// state gives each passage how well it states the unit, and returns the rarity of that.
func (l *lexicon) state(u unit, into *tally) (rarity float64) {
	if len(u.alternatives) == 1 && len(u.alternatives[0]) == 1 {
		postings := l.of(u.alternatives[0][0])
		for _, p := range postings {
			into.add(p.passage, float64(p.part))
		}
		return l.idf(len(postings))
	}
	part := l.scratch.Get().(*tally)
	defer l.scratch.Put(part)
	for _, a := range u.alternatives {
		l.scoreAlternative(a, part)
		for _, p := range part.touched {
			into.raise(p, part.values[p])
		}
		part.reset()
	}
	rarity = l.idf(into.count(statedAt))
	for _, p := range into.touched {
		into.values[p] = whole(into.values[p])
	}
	return rarity
}

// whole makes less of a phrase of which only a part is stated: half of "tea ceremony" is no ceremony.
func whole(stated float64) float64 { return stated * min(stated, 1) }

// statedAt is the share of a phrase from which on a passage counts as one that states it.
const statedAt = 0.5

// scoreAlternative gives each passage the share of the alternative that it states.
func (l *lexicon) scoreAlternative(a alternative, into *tally) {
	var total float64
	for _, t := range a {
		total += float64(t.weight) * l.idf(len(l.of(t)))
	}
	for _, t := range a {
		share := float64(t.weight) * l.idf(len(l.of(t))) / total
		for _, p := range l.of(t) {
			into.add(p.passage, share*float64(p.part))
		}
	}
}

// A tally holds a number for each passage and remembers which are not zero.
type tally struct {
	values  []float64
	touched []int32
}

func newTally(n int) *tally { return &tally{values: make([]float64, n)} }

func (t *tally) add(i int32, x float64) {
	if t.values[i] == 0 {
		t.touched = append(t.touched, i)
	}
	t.values[i] += x
}

func (t *tally) raise(i int32, x float64) {
	if x > t.values[i] {
		t.add(i, x-t.values[i])
	}
}

// count returns how many numbers are at least x.
func (t *tally) count(x float64) int {
	n := 0
	for _, i := range t.touched {
		if t.values[i] >= x {
			n++
		}
	}
	return n
}

func (t *tally) reset() {
	for _, i := range t.touched {
		t.values[i] = 0
	}
	t.touched = t.touched[:0]
}
