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

func observatory(t *testing.T) place {
	t.Helper()
	p := place{passages: loadPassages(t, "testdata", "observatory"), questions: readQuestions(t, "testdata/observatory_questions.txt")}
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
	return len(q.want) > 0 && strings.HasSuffix(p.Pair, strings.TrimPrefix(q.want[0], "observatory/"))
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
type scoreboard struct {
	found, asked int
	// best and wrong are the scores of the best candidates of questions with and without an answer.
	best, wrong []float64
}

// ask asks for three passages; right says whether one of them answers.
func (s *scoreboard) ask(t *testing.T, h *rag.Hybrid, q question, right func(rag.Passage) bool) {
	t.Helper()
	hits, err := h.Search(t.Context(), rag.Query{Text: q.text, Lang: q.lang, Limit: 3})
	if err != nil {
		t.Fatalf("Search(%q): %v", q.text, err)
	}
	top := -1.0
	if len(hits) > 0 {
		top = hits[0].Score
	}
	if len(q.want) == 0 {
		s.wrong = append(s.wrong, top)
		return
	}
	s.asked++
	s.best = append(s.best, top)
	if slices.ContainsFunc(hits, func(h rag.Hit) bool { return right(h.Passage) }) {
		s.found++
	}
}

func (s *scoreboard) recall() float64 { return float64(s.found) / float64(s.asked) }

func TestObservatoryRecall(t *testing.T) {
	p := observatory(t)
	var all, foreign scoreboard
	everything := p.hybrid(t, func(rag.Passage) bool { return true }, rag.Options{Threshold: -1})
	for _, q := range p.questions {
		all.ask(t, everything, q, q.states)
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
	t.Logf("recall@3 %.3f of %d; %.3f of %d whose passage exists only in the other language", all.recall(), all.asked, foreign.recall(), foreign.asked)
	if all.asked < 120 || foreign.asked < 120 || all.recall() < 0.82 || foreign.recall() < 0.80 {
		t.Errorf("recall@3 = %.3f of %d, %.3f of %d in the other language; want at least 0.82 and 0.80 of 120", all.recall(), all.asked, foreign.recall(), foreign.asked)
	}
}

// TestUnanswerable prints the curve of docs/knowledge.md: how many questions without an answer get one, and how many with
// an answer are refused.
func TestUnanswerable(t *testing.T) {
	boards := map[string]*scoreboard{"all": {}}
	for _, set := range []struct{ name, dir, path string }{
		{"observatory", "testdata", "observatory"}, {"library", "testdata", "library"}, {"demo", "../venue/demo", "knowledge"},
	} {
		var b scoreboard
		h := newHybrid(t, loadPassages(t, set.dir, set.path), rag.Options{Threshold: -1})
		for _, q := range readQuestions(t, "testdata/"+set.name+"_questions.txt") {
			b.ask(t, h, q, func(rag.Passage) bool { return true })
		}
		boards[set.name] = &b
		all := boards["all"]
		all.best, all.wrong = append(all.best, b.best...), append(all.wrong, b.wrong...)
	}
	for _, name := range []string{"observatory", "library", "demo", "all"} {
		b := boards[name]
		sort.Float64s(b.best)
		sort.Float64s(b.wrong)
		line := fmt.Sprintf("%-11s %d without and %d with an answer; answered/refused", name, len(b.wrong), len(b.best))
		for threshold := 0.37; threshold < 0.68; threshold += 0.05 {
			line += fmt.Sprintf(" | %.2f %.3f/%.3f", threshold, share(b.wrong, threshold), 1-share(b.best, threshold))
		}
		t.Log(line)
	}
	for _, want := range []struct {
		name              string
		answered, refused float64
	}{{"all", 0.10, 0.20}, {"library", 0.10, 0.12}, {"demo", 0.10, 0.05}, {"observatory", 0.10, 0.50}} {
		b := boards[want.name]
		answered, refused := share(b.wrong, rag.DefaultThreshold), 1-share(b.best, rag.DefaultThreshold)
		if answered > want.answered || refused > want.refused {
			t.Errorf("%s: %.3f of the questions without an answer get one and %.3f of the others are refused, want at most %.2f and %.2f",
				want.name, answered, refused, want.answered, want.refused)
		}
	}
}

// share returns how much of the sorted scores is at or above x.
func share(sorted []float64, x float64) float64 {
	return 1 - float64(sort.SearchFloat64s(sorted, x))/float64(len(sorted))
}
