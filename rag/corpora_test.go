package rag_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"annai/rag"
)

// A learntCorpus is a place to learn from.
type learntCorpus struct {
	name      string
	passages  []rag.Passage
	questions []question
	aimed     []aimedQuestion
}

// An aimedQuestion says what it is near to, with an answer or without. Those of the files of pairs
// were written to be like another that has one where they have none, or the other way round.
type aimedQuestion struct {
	question
	// near is what the question is about, in the languages that there are; none if no passage is near.
	near []int
	// heading and sentence are what the place would have to say so that it has an answer; empty where it has one.
	heading, sentence string
}

// learntCorpora returns the places that were read before they were learnt from, those of
// testdata/learnt, and the small ones of testdata/learnt/venues.
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
	c := learntCorpus{
		name: name, passages: loadPassages(t, dir, path),
		questions: readQuestions(t, files+"_questions.txt"),
	}
	data, err := os.ReadFile(files + "_pairs.txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	lang := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if place, text, found := strings.Cut(line, ": "); found {
			c.aimed = append(c.aimed, c.pair(t, lang, place, text))
		} else {
			lang = line
		}
	}
	return c
}

// pair reads a question of a file of pairs: "DOCUMENT#SECTION: QUESTION" has an answer there,
// "~DOCUMENT#SECTION: QUESTION => SENTENCE" would have one with that sentence, and "~: QUESTION =>
// HEADING | TEXT" with a passage that is like none of the place.
func (c learntCorpus) pair(t *testing.T, lang, place, text string) aimedQuestion {
	t.Helper()
	p := aimedQuestion{question: question{lang: lang, text: text}}
	place, without := strings.CutPrefix(place, "~")
	if place != "" {
		p.want = strings.Split(place, "|")
	}
	for i, passage := range c.passages {
		if p.states(passage) {
			p.near = append(p.near, i)
		}
	}
	if len(p.near) == 0 && place != "" {
		t.Errorf("%s: no passage %q for %q", c.name, place, text)
	}
	if !without {
		return p
	}
	text, sentence, found := strings.Cut(text, " => ")
	if !found {
		t.Errorf("%s: nothing would answer %q", c.name, text)
	}
	heading := ""
	if place == "" {
		heading, sentence, _ = strings.Cut(sentence, "|")
	}
	p.want, p.text, p.heading, p.sentence = nil, text, strings.TrimSpace(heading), strings.TrimSpace(sentence)
	return p
}

// readVenue reads a small place: "@LANG HEADING | TEXT" is a passage, and below it stand "+
// QUESTION", which it answers, and "~ QUESTION => SENTENCE", which it would with that sentence; "-
// QUESTION" no passage of the place answers.
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
			title := map[string]string{
				"@ja": "ご案内",
				"@en": "Guide",
			}[kind] + rag.TitleSeparator + strings.TrimSpace(heading)
			c.passages = append(c.passages, rag.Passage{
				ID: id, Document: c.name, Title: title,
				Text: strings.TrimSpace(text), Lang: kind[1:],
			})
		case kind == "+" && last >= 0:
			asked := question{lang: scriptOf(text), text: text, want: []string{c.passages[last].ID}}
			c.aimed = append(c.aimed, aimedQuestion{question: asked, near: []int{last}})
		case kind == "-":
			c.aimed = append(c.aimed, aimedQuestion{
				question: question{lang: scriptOf(text), text: text},
				near:     []int{},
			})
		case kind == "~" && last >= 0:
			text, sentence, found := strings.Cut(text, " => ")
			if !found {
				t.Errorf("%s: nothing would answer %q", file, text)
			}
			c.aimed = append(c.aimed, aimedQuestion{
				question: question{lang: scriptOf(text), text: text},
				near:     []int{last}, sentence: strings.TrimSpace(sentence),
			})
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
func (c learntCorpus) would(p aimedQuestion) rag.Passage {
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
