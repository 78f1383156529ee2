package rag_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/markdown"
)

// A question is a line of a file of questions.
type question struct {
	lang, text string
	// want are the places that answer it, document or document#heading. None: nothing may be found.
	want []string
}

// readQuestions reads a file of questions: a line "ja" or "en" says the language of those that follow.
func readQuestions(t *testing.T, file string) []question {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var questions []question
	lang := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		want, text, found := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case !found:
			lang = line
		case want == "-":
			questions = append(questions, question{lang: lang, text: text})
		default:
			questions = append(questions, question{lang: lang, text: text, want: strings.Split(want, "|")})
		}
	}
	return questions
}

// answers reports whether the passage is one that the question wants.
func (q question) answers(p rag.Passage) bool {
	return slices.ContainsFunc(q.want, func(want string) bool {
		document, heading, precise := strings.Cut(want, "#")
		return strings.HasSuffix(p.Document, document+"."+q.lang+".md") && (!precise || strings.HasSuffix(p.Title, rag.TitleSeparator+heading))
	})
}

// loadPassages reads a folder of documents, all of which must be right.
func loadPassages(t testing.TB, dir, path string) []rag.Passage {
	t.Helper()
	passages, problems := markdown.Load(os.DirFS(dir), []string{path})
	for _, p := range problems {
		t.Errorf("Load(%s): %v", path, p)
	}
	return passages
}

// A tallyOfAnswers counts how questions were answered.
type tallyOfAnswers struct{ right, answerable, silent, unanswerable int }

// askAll asks the questions of one language and logs each wrong answer with its explanation.
func askAll(t *testing.T, h *rag.Hybrid, questions []question, lang string) (n tallyOfAnswers) {
	t.Helper()
	for _, q := range questions {
		if q.lang != lang {
			continue
		}
		hits, err := h.Search(t.Context(), rag.Query{Text: q.text, Lang: lang})
		if err != nil {
			t.Fatalf("Search(%q): %v", q.text, err)
		}
		good := len(hits) == 0
		if len(q.want) > 0 {
			n.answerable++
			if good = len(hits) > 0 && q.answers(hits[0].Passage); good {
				n.right++
			}
		} else if n.unanswerable++; good {
			n.silent++
		}
		if !good {
			logWrong(t, h, q)
		}
	}
	return n
}

func logWrong(t *testing.T, h *rag.Hybrid, q question) {
	t.Helper()
	e, err := h.Explain(t.Context(), rag.Query{Text: q.text, Lang: q.lang})
	if err != nil {
		t.Fatalf("Explain(%q): %v", q.text, err)
	}
	t.Logf("Search(%q) is wrong, want %v first; looked for %v", q.text, q.want, e.Terms)
	for _, c := range e.Candidates[:min(2, len(e.Candidates))] {
		t.Logf("  %.2f (cosine %.2f, BM25 %.1f) %s %q %s", c.Hit.Score, c.Hit.Cosine, c.Hit.BM25, c.Hit.Passage.ID, c.Hit.Passage.Title, c.Left)
	}
}

// wantShares fails where too few answers are right or too many questions without an answer found one.
func (n tallyOfAnswers) wantShares(t *testing.T, lang string, right, silent float64) {
	t.Helper()
	gotRight := float64(n.right) / float64(n.answerable)
	gotSilent := float64(n.silent) / float64(n.unanswerable)
	t.Logf("%s: right first %d of %d, nothing found %d of %d", lang, n.right, n.answerable, n.silent, n.unanswerable)
	if gotRight < right {
		t.Errorf("%s: right passage first for %.3f of the questions, want at least %.2f", lang, gotRight, right)
	}
	if gotSilent < silent {
		t.Errorf("%s: nothing found for %.3f of the questions without an answer, want at least %.2f", lang, gotSilent, silent)
	}
}

func TestLibraryQuestions(t *testing.T) {
	h := newHybrid(t, loadPassages(t, "testdata", "library"), rag.Options{})
	questions := readQuestions(t, "testdata/library_questions.txt")
	for _, lang := range []string{"ja", "en"} {
		askAll(t, h, questions, lang).wantShares(t, lang, 0.85, 0.80)
	}
}

func TestDemoVenueQuestions(t *testing.T) {
	const demo = "../venue/demo"
	if _, err := os.Stat(demo + "/knowledge"); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: no %s/knowledge", demo)
	}
	h := newHybrid(t, loadPassages(t, demo, "knowledge"), rag.Options{})
	questions := readQuestions(t, "testdata/demo_questions.txt")
	for _, lang := range []string{"ja", "en"} {
		askAll(t, h, questions, lang).wantShares(t, lang, 0.95, 0.90)
	}
}

func newHybrid(t testing.TB, passages []rag.Passage, opts rag.Options) *rag.Hybrid {
	t.Helper()
	h, err := rag.New(t.Context(), passages, rag.HashedEmbedder{}, chromem.New, opts)
	if err != nil {
		t.Fatalf("New(%d passages): %v", len(passages), err)
	}
	return h
}
