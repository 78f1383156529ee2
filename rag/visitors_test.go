package rag

import (
	"math"
	"testing"
)

// TestCommonTexts says that the two files are what the package takes them for: every line in both
// languages, and every statement with questions.
func TestCommonTexts(t *testing.T) {
	questions := map[int]map[string]int{}
	seen := map[string]bool{}
	for _, c := range commonTexts() {
		if c.text == "" || c.role == statement && c.also == "" {
			t.Errorf("common text %+v lacks a language", c)
		}
		if c.role != statement && seen[c.text] {
			t.Errorf("the question %q is there twice", c.text)
		}
		seen[c.text] = true
		switch {
		case c.role == statement:
			questions[c.concern] = map[string]int{}
			if languageOf(c.text) != "ja" || languageOf(c.also) != "en" {
				t.Errorf("statement %q = %q, want Japanese and English", c.text, c.also)
			}
		case c.role == visitorsQuestion && questions[c.concern] == nil:
			t.Errorf("the question %q stands under no statement", c.text)
		case c.role == visitorsQuestion:
			questions[c.concern][c.lang]++
		}
	}
	for concern, n := range questions {
		if n["ja"] == 0 || n["en"] == 0 {
			t.Errorf("concern %d has %d questions in Japanese and %d in English, want some in each", concern, n["ja"],
				n["en"])
		}
	}
	if len(questions) < 100 {
		t.Errorf("%d concerns, want at least 100", len(questions))
	}
}

// TestVisitors says what a question gains by being like one that was asked elsewhere.
func TestVisitors(t *testing.T) {
	axis := func(i int) Vector { v := make(Vector, 4); v[i] = 1; return v }
	v := &visitors{
		questions: []Vector{axis(0)}, answers: []Vector{axis(1)}, others: []Vector{axis(2)},
		apart: spread{0, 0.1},
	}
	for _, test := range []struct {
		name      string
		q         Vector
		kind, own float64
	}{
		{"a visitor's question", axis(0), maxKind, 1 / math.Sqrt(1+priorWeight*priorWeight)},
		{"an everyday one", axis(2), minKind, 1},
		{"one like neither", axis(3), 0, 1},
	} {
		near := v.near(test.q)
		if got := v.kind(near, test.q); math.Abs(got-test.kind) > 1e-6 {
			t.Errorf("kind(%s) = %.3f, want %.3f", test.name, got, test.kind)
		}
		if got := Cosine(v.expect(near, test.q), test.q); math.Abs(got-test.own) > 1e-6 {
			t.Errorf("expect(%s) is %.3f near to the question, want %.3f", test.name, got, test.own)
		}
	}
}
