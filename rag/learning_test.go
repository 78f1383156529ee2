package rag_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
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
	// Passages are those that answer, in either language, or would if they were there.
	Passages []int `json:"passages"`
	// Paired questions were written to be like others that have no answer, so that their own words say nothing of whether they have one.
	Paired bool `json:"paired"`
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

// A learntCorpus is a place to learn from.
type learntCorpus struct {
	name      string
	passages  []rag.Passage
	questions []question
	pairs     []pairQuestion
}

// A pairQuestion is one that was written to be like another that has an answer where it has none, or the other way round.
type pairQuestion struct {
	question
	// near is what the question is about, in the languages that there are; none if no passage is near.
	near []int
	// heading and sentence are what the place would have to say so that it has an answer; empty where it has one.
	heading, sentence string
}

// learntCorpora returns the places that were read before they were learnt from, those of testdata/learnt, and the small ones of testdata/learnt/venues.
func learntCorpora(t *testing.T) []learntCorpus {
	t.Helper()
	var all []learntCorpus
	for _, place := range learntFrom {
		all = append(all, readCorpus(t, place.questions, place.dir, place.path, "testdata/"+place.questions))
	}
	files, err := filepath.Glob("testdata/learnt/*_questions.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("Glob = %d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), "_questions.txt")
		all = append(all, readCorpus(t, name, "testdata/learnt", name, "testdata/learnt/"+name))
	}
	if files, err = filepath.Glob("testdata/learnt/venues/*.txt"); err != nil || len(files) < 100 {
		t.Fatalf("Glob = %d files, %v", len(files), err)
	}
	for _, file := range files {
		all = append(all, readVenue(t, file))
	}
	return all
}

// readCorpus reads a place with its questions, and its pairs if there is a file of them.
func readCorpus(t *testing.T, name, dir, path, files string) learntCorpus {
	t.Helper()
	c := learntCorpus{name: name, passages: loadPassages(t, dir, path), questions: readQuestions(t, files+"_questions.txt")}
	data, err := os.ReadFile(files + "_pairs.txt")
	if errors.Is(err, fs.ErrNotExist) {
		return c
	}
	if err != nil {
		t.Fatal(err)
	}
	lang := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		want, text, found := strings.Cut(line, ": ")
		if !found {
			lang = line
			continue
		}
		p := pairQuestion{question: question{lang: lang, text: text}}
		place, without := strings.CutPrefix(want, "~")
		if place != "" {
			p.want = strings.Split(place, "|")
		}
		for i, passage := range c.passages {
			if p.states(passage) {
				p.near = append(p.near, i)
			}
		}
		if len(p.near) == 0 && place != "" {
			t.Errorf("%s: no passage %q for %q", name, place, text)
		}
		if without {
			p.want = nil
			if p.text, p.sentence, found = strings.Cut(text, " => "); !found {
				t.Errorf("%s: nothing would answer %q", name, text)
			}
			if place == "" {
				p.heading, p.sentence, _ = strings.Cut(p.sentence, "|")
			}
			p.heading, p.sentence = strings.TrimSpace(p.heading), strings.TrimSpace(p.sentence)
		}
		c.pairs = append(c.pairs, p)
	}
	return c
}

// readVenue reads a small place: "@LANG HEADING | TEXT" is a passage, and below it stand "+ QUESTION", which it answers, and "~ QUESTION => SENTENCE", which
// it would with that sentence.
func readVenue(t *testing.T, file string) learntCorpus {
	t.Helper()
	c := learntCorpus{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		kind, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		last := len(c.passages) - 1
		switch {
		case kind == "@ja" || kind == "@en":
			heading, text, found := strings.Cut(text, "|")
			if !found {
				t.Errorf("%s: a passage without a heading: %s", file, line)
			}
			id := fmt.Sprintf("%s#%d", c.name, len(c.passages))
			title := map[string]string{"@ja": "ご案内", "@en": "Guide"}[kind] + rag.TitleSeparator + strings.TrimSpace(heading)
			c.passages = append(c.passages, rag.Passage{ID: id, Document: c.name, Title: title, Text: strings.TrimSpace(text), Lang: kind[1:]})
		case kind == "+" && last >= 0:
			c.pairs = append(c.pairs, pairQuestion{question: question{lang: scriptOf(text), text: text, want: []string{c.passages[last].ID}}, near: []int{last}})
		case kind == "~" && last >= 0:
			text, sentence, found := strings.Cut(text, " => ")
			if !found {
				t.Errorf("%s: nothing would answer %q", file, text)
			}
			c.pairs = append(c.pairs, pairQuestion{question: question{lang: scriptOf(text), text: text}, near: []int{last}, sentence: strings.TrimSpace(sentence)})
		default:
			t.Errorf("%s: not understood: %s", file, line)
		}
	}
	return c
}

// scriptOf returns the language of a text.
func scriptOf(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r > 0x3000 }) {
		return "ja"
	}
	return "en"
}

// would returns the passage that would answer a question which has no answer, under the heading of the nearest one.
func (c learntCorpus) would(p pairQuestion) rag.Passage {
	lang := scriptOf(p.sentence)
	would := rag.Passage{Title: p.heading, Text: p.sentence, Lang: lang}
	if len(p.near) == 0 {
		return would
	}
	near := c.passages[p.near[0]]
	for _, i := range p.near {
		if c.passages[i].Lang == lang {
			near = c.passages[i]
		}
	}
	would.Title = near.Title
	return would
}

// lesson is what scripts/learn learns an adaptation from. What would answer is a passage of its own, behind those of the place.
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
		l.Questions = append(l.Questions, asked)
	}
	for i, p := range c.pairs {
		asked := lessonAsked{Texts: asTexts(p.text), Passages: p.near, Paired: true}
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
