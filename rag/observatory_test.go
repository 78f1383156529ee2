package rag_test

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"annai/rag"
)

// The observatory of testdata/observatory is a place that we made up. Its passages and questions were written before
// anything was tuned on them; the questions avoid the words of the passages that answer them.

// A place is a corpus in both languages, with its vectors.
type place struct {
	passages  []rag.Passage
	questions []question
	vectors   []byte
}

func invented(t *testing.T, name string) place {
	t.Helper()
	p := place{passages: loadPassages(t, "testdata", name), questions: readQuestions(t, "testdata/"+name+"_questions.txt")}
	var known rag.Vectors
	newHybrid(t, p.passages, rag.Options{Known: &known})
	var file bytes.Buffer
	if err := known.Write(&file); err != nil {
		t.Fatal(err)
	}
	p.vectors = file.Bytes()
	return p
}

// hybrid returns a retriever over some of the place's passages.
func (p place) hybrid(t *testing.T, keep func(rag.Passage) bool, opts rag.Options) *rag.Hybrid {
	t.Helper()
	known, err := rag.ReadVectors(bytes.NewReader(p.vectors))
	if err != nil {
		t.Fatal(err)
	}
	opts.Known = known
	h := newHybrid(t, slices.DeleteFunc(slices.Clone(p.passages), func(p rag.Passage) bool { return !keep(p) }), opts)
	if known.Added() > 0 {
		t.Errorf("New computed %d vectors that were known", known.Added())
	}
	return h
}

// states reports whether the passage states what the question asks for, in either language.
func (q question) states(p rag.Passage) bool {
	return len(q.want) > 0 && strings.HasSuffix(p.Pair, q.want[0])
}

// folds is in how many parts the facts are divided to have each of them once in the other language only.
const folds = 3

func fold(p rag.Passage) int {
	sum := 0
	for _, r := range p.Pair {
		sum += int(r)
	}
	return sum % folds
}

// A scoreboard counts what was found.
type scoreboard struct{ found, asked int }

// ask asks for three passages; right says whether one of them answers.
func (s *scoreboard) ask(t *testing.T, h *rag.Hybrid, q question, right func(rag.Passage) bool) {
	t.Helper()
	hits, err := h.Search(t.Context(), rag.Query{Text: q.text, Lang: q.lang, Limit: 3})
	if err != nil {
		t.Fatalf("Search(%q): %v", q.text, err)
	}
	s.asked++
	if slices.ContainsFunc(hits, func(h rag.Hit) bool { return right(h.Passage) }) {
		s.found++
	}
}

func (s *scoreboard) recall() float64 { return float64(s.found) / float64(s.asked) }

// TestRecall holds two places that we made up to the bars: with everything in the index, and with the passage that answers only in the other
// language while the others are in the asker's.
func TestRecall(t *testing.T) {
	for _, name := range []string{"observatory", "aquarium"} {
		p := invented(t, name)
		var all, foreign scoreboard
		everything := p.hybrid(t, func(rag.Passage) bool { return true }, rag.Options{Threshold: -1})
		for _, q := range p.questions {
			if len(q.want) > 0 {
				all.ask(t, everything, q, q.states)
			}
		}
		for _, lang := range []string{"ja", "en"} {
			for n := range folds { // the passages of one fold exist only in the other language, the others only in this one
				h := p.hybrid(t, func(p rag.Passage) bool { return (fold(p) == n) == (p.Lang != lang) }, rag.Options{Threshold: -1})
				for _, q := range p.questions {
					if i := slices.IndexFunc(p.passages, q.states); q.lang == lang && i >= 0 && fold(p.passages[i]) == n {
						foreign.ask(t, h, q, q.states)
					}
				}
			}
		}
		t.Logf("%s: recall@3 %.3f of %d; %.3f of %d whose passage exists only in the other language", name, all.recall(), all.asked, foreign.recall(), foreign.asked)
		if all.asked < 120 || foreign.asked < 120 || all.recall() < 0.82 || foreign.recall() < 0.80 {
			t.Errorf("%s: recall@3 = %.3f of %d, %.3f of %d in the other language; want at least 0.82 and 0.80 of 120", name, all.recall(), all.asked, foreign.recall(), foreign.asked)
		}
	}
}

// A verdict is how far the best candidates of the questions of a set are above the threshold, sorted.
type verdict struct{ answerable, unanswerable []float64 }

func judge(t *testing.T, name, dir, path string) (v verdict) {
	t.Helper()
	h := newHybrid(t, loadPassages(t, dir, path), rag.Options{})
	for _, q := range readQuestions(t, "testdata/"+name+"_questions.txt") {
		e, err := h.Explain(t.Context(), rag.Query{Text: q.text, Lang: q.lang})
		if err != nil || len(e.Candidates) == 0 {
			t.Fatalf("Explain(%q) = %d candidates, %v", q.text, len(e.Candidates), err)
		}
		above := e.Candidates[0].Hit.Score - e.Threshold
		if len(q.want) > 0 {
			v.answerable = append(v.answerable, above)
		} else {
			v.unanswerable = append(v.unanswerable, above)
		}
	}
	return v
}

// TestUnanswerable prints the curve of docs/knowledge.md: how many questions without an answer get one, and how many with
// an answer are refused.
func TestUnanswerable(t *testing.T) {
	var all verdict
	for _, set := range []struct {
		name, dir, path   string
		answered, refused float64
	}{
		{"observatory", "testdata", "observatory", 0.10, 0.20},
		{"aquarium", "testdata", "aquarium", 0.20, 0.40}, // the bar is not reached at a place that nothing was fitted on
		{"library", "testdata", "library", 0.10, 0.12},
		{"demo", "../venue/demo", "knowledge", 0.10, 0.05},
	} {
		v := judge(t, set.name, set.dir, set.path)
		all.answerable, all.unanswerable = append(all.answerable, v.answerable...), append(all.unanswerable, v.unanswerable...)
		v.check(t, set.name, set.answered, set.refused)
	}
	all.check(t, "all", 0.10, 0.20)
}

func (v verdict) check(t *testing.T, name string, answered, refused float64) {
	t.Helper()
	sort.Float64s(v.answerable)
	sort.Float64s(v.unanswerable)
	line := fmt.Sprintf("%-11s %d without and %d with an answer; answered/refused", name, len(v.unanswerable), len(v.answerable))
	for shift := -0.2; shift < 0.21; shift += 0.05 {
		line += fmt.Sprintf(" | %.2f %.3f/%.3f", rag.DefaultThreshold+shift, share(v.unanswerable, shift), 1-share(v.answerable, shift))
	}
	t.Log(line)
	if a, r := share(v.unanswerable, 0), 1-share(v.answerable, 0); a > answered || r > refused {
		t.Errorf("%s: %.3f of the questions without an answer get one and %.3f of the others are refused, want at most %.2f and %.2f", name, a, r, answered, refused)
	}
}

// share returns how much of the sorted scores is at or above x.
func share(sorted []float64, x float64) float64 {
	return 1 - float64(sort.SearchFloat64s(sorted, x))/float64(len(sorted))
}
