package rag_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"annai/rag"
)

// learningTexts is where scripts/learn reads what it learns from.
var learningTexts = flag.String("texts", "", "write the texts that scripts/learn learns from to this file")

// lesson is a place to learn from: each vector is the middle of those of some texts.
type lesson struct {
	Name      string        `json:"name"`
	Pieces    []lessonPiece `json:"pieces"`
	Questions []lessonAsked `json:"questions"`
}

type lessonPiece struct {
	Passage int      `json:"passage"`
	Texts   []string `json:"texts"`
}

type lessonAsked struct {
	Texts []string `json:"texts"`
	// Passages are those that answer, in either language, or would if they were there.
	Passages []int `json:"passages"`
	// Answered says that the place itself has one of them.
	Answered bool `json:"answered"`
}

// learntFrom are the places that were read before they were learnt from, besides those of testdata/learnt.
var learntFrom = []struct{ questions, dir, path string }{
	{"observatory", "testdata", "observatory"},
	{"aquarium", "testdata", "aquarium"},
	{"railway", "testdata", "railway"},
	{"garden", "testdata", "garden"},
	{"island", "testdata", "island"},
	{"onsen", "testdata", "onsen"},
	{"library", "testdata", "library"},
	{"castle", "testdata", "castle"},
	{"demo", "../venue/demo", "knowledge"},
	{"kiosk_seen", "../venue/demo", "knowledge"},
	{"kiosk_unseen", "../venue/demo", "knowledge"},
}

// TestLearntPlaces looks at the places that scripts/learn learns from: every question names passages that are there.
func TestLearntPlaces(t *testing.T) {
	var lessons []lesson
	for _, c := range learntCorpora(t) {
		lessons = append(lessons, c.lesson(t))
	}
	if len(lessons) < 150 {
		t.Errorf("%d places to learn from", len(lessons))
	}
	if *learningTexts == "" {
		return
	}
	data, err := json.Marshal(map[string]any{"places": lessons, "common": rag.CommonTexts()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*learningTexts, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// lesson is what scripts/learn learns an adaptation from. What would answer is a passage of its
// own, behind those of the place.
func (c learntCorpus) lesson(t *testing.T) lesson {
	t.Helper()
	l := lesson{Name: c.name}
	for i, p := range c.passages {
		l.add(i, p)
	}
	for _, q := range c.questions {
		asked := lessonAsked{Texts: asTexts(q.text), Passages: []int{}}
		for i, p := range c.passages {
			if q.states(p) {
				asked.Passages = append(asked.Passages, i)
			}
		}
		if len(q.want) > 0 && len(asked.Passages) == 0 {
			t.Errorf("%s: no passage for %q, which wants %v", c.name, q.text, q.want)
		}
		asked.Answered = len(asked.Passages) > 0
		l.Questions = append(l.Questions, asked)
	}
	for i, p := range c.aimed {
		asked := lessonAsked{Texts: asTexts(p.text), Passages: p.near, Answered: len(p.want) > 0}
		if p.sentence != "" {
			asked.Passages = []int{len(c.passages) + i}
			l.add(len(c.passages)+i, c.would(p))
		}
		l.Questions = append(l.Questions, asked)
	}
	return l
}

func (l *lesson) add(number int, p rag.Passage) {
	for _, text := range pieces(p.Text) {
		l.Pieces = append(l.Pieces, lessonPiece{number, []string{p.Title + "\n" + text, text, rag.Heading(p.Title)}})
	}
}

// asTexts returns what the vector of a question is made of.
func asTexts(q string) []string {
	if subject := rag.Subject(q); subject != "" && subject != q {
		return []string{q, subject}
	}
	return []string{q}
}
