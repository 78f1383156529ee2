package rag_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
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
	// Passages are those that answer, in either language.
	Passages []int `json:"passages"`
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
	files, err := filepath.Glob("testdata/learnt/*_questions.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("Glob = %d files, %v", len(files), err)
	}
	var lessons []lesson
	for _, place := range learntFrom {
		lessons = append(lessons, lessonOf(t, place.questions, place.dir, place.path, "testdata/"+place.questions+"_questions.txt"))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), "_questions.txt")
		lessons = append(lessons, lessonOf(t, name, "testdata/learnt", name, file))
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

func lessonOf(t *testing.T, name, dir, path, questions string) lesson {
	t.Helper()
	l := lesson{Name: name}
	passages := loadPassages(t, dir, path)
	for i, p := range passages {
		for _, text := range pieces(p.Text) {
			l.Pieces = append(l.Pieces, lessonPiece{i, []string{p.Title + "\n" + text, text, rag.Heading(p.Title)}})
		}
	}
	for _, q := range readQuestions(t, questions) {
		asked := lessonAsked{Texts: []string{q.text}, Passages: []int{}}
		if subject := rag.Subject(q.text); subject != "" && subject != q.text {
			asked.Texts = append(asked.Texts, subject)
		}
		for i, p := range passages {
			if q.states(p) {
				asked.Passages = append(asked.Passages, i)
			}
		}
		if len(q.want) > 0 && len(asked.Passages) == 0 {
			t.Errorf("%s: no passage for %q, which wants %v", name, q.text, q.want)
		}
		l.Questions = append(l.Questions, asked)
	}
	return l
}
