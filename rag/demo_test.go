package rag_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"annai/internal/text"
	"annai/rag"
	"annai/rag/embedded"
	"annai/rag/markdown"
)

// A question is a line of a file of questions.
type question struct {
	lang, text string
	// want are the places that answer it: document, document#heading, or document#section where the
	// section is a number. None: nothing may be found; "-" among them: nothing need be found.
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
		document, place, precise := strings.Cut(want, "#")
		return strings.HasSuffix(p.Document, "/"+document+"."+q.lang+".md") &&
			(!precise || strings.HasSuffix(p.ID, "#"+place) || strings.HasSuffix(p.Title, rag.TitleSeparator+place))
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
			if good = len(hits) > 0 && q.answers(hits[0].Passage) || len(hits) == 0 &&
				slices.Contains(q.want, "-"); good {
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
		t.Logf("  %.2f (cosine %.2f, BM25 %.1f) %s %q %s", c.Hit.Score, c.Hit.Cosine, c.Hit.BM25, c.Hit.Passage.ID,
			c.Hit.Passage.Title, c.Rejection)
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
		t.Errorf("%s: nothing found for %.3f of the questions without an answer, want at least %.2f", lang, gotSilent,
			silent)
	}
}

func TestLibraryQuestions(t *testing.T) {
	h := newHybrid(t, loadPassages(t, "testdata", "library"), rag.Options{})
	questions := readQuestions(t, "testdata/library_questions.txt")
	for _, lang := range []string{"ja", "en"} {
		askAll(t, h, questions, lang).wantShares(t, lang, 0.85, 0.80)
	}
}

// demoVectors are the vectors of the demo venue's passages, so that a concierge starts without computing them.
const demoVectors = "../venue/demo/knowledge.vectors"

var update = flag.Bool("update", false, "write "+demoVectors+" anew")

// TestDemoVectors says that the file has the vectors of all passages as they are now; run it with
// -update after a change of them. Machines differ in the last digits, so that what is there stays
// if it is right.
func TestDemoVectors(t *testing.T) {
	passages := loadPassages(t, "../venue/demo", "knowledge")
	known := new(rag.Vectors)
	data, err := os.ReadFile(demoVectors)
	if err == nil {
		if known, err = rag.ReadVectors(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	} else if !*update {
		t.Skipf("SKIPPED: no %s", demoVectors)
	}
	had := newHybrid(t, passages, rag.Options{Known: known, Threshold: -1})
	if known.Added() == 0 {
		some := passages[:20]
		computed := newHybrid(t, some, rag.Options{Threshold: -1})
		for _, p := range some {
			q := rag.Query{Text: p.Title, Lang: p.Lang, Limit: 100}
			if a, b := cosineOf(t, had, q, p.ID), cosineOf(t, computed, q, p.ID); math.Abs(a-b) > 1e-4 {
				t.Errorf("cosine of %q and %s = %.5f by the file, %.5f computed", q.Text, p.ID, a, b)
			}
		}
		return
	}
	if !*update {
		t.Fatalf("%s lacks the vectors of %d pieces: run go test ./rag -run TestDemoVectors -update", demoVectors,
			known.Added())
	}
	var file bytes.Buffer
	if err := known.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(demoVectors, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// cosineOf returns how near the passage is to the question.
func cosineOf(t *testing.T, h *rag.Hybrid, q rag.Query, id string) float64 {
	t.Helper()
	e, err := h.Explain(t.Context(), q)
	if err != nil {
		t.Fatalf("Explain(%+v): %v", q, err)
	}
	for _, c := range e.Candidates {
		if c.By == id || c.By == "" && c.Hit.Passage.ID == id {
			return c.Hit.Cosine
		}
	}
	t.Fatalf("Explain(%+v) did not consider %s", q, id)
	return 0
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

// TestKioskQuestions asks the demo venue what people said to it who did not know its words, each concern in many ways.
func TestKioskQuestions(t *testing.T) {
	h := newHybrid(t, loadPassages(t, "../venue/demo", "knowledge"), rag.Options{})
	for file, shares := range map[string][2]float64{"seen": {0.85, 0.55}, "unseen": {0.70, 0.30}} {
		questions := readQuestions(t, "testdata/kiosk_"+file+"_questions.txt")
		for _, lang := range []string{"ja", "en"} {
			t.Run(file+" "+lang, func(t *testing.T) {
				askAll(t, h, questions, lang).wantShares(t, lang, shares[0], shares[1])
			})
		}
	}
}

// embedder is the one that a concierge has, and remembers what it embedded: many tests have the same passages.
var embedder = sync.OnceValue(func() rag.Embedder {
	e, err := embedded.New()
	if err != nil {
		panic(err)
	}
	return &remembering{Embedder: e, known: map[string]rag.Vector{}}
})

type remembering struct {
	rag.Embedder
	mu    sync.Mutex
	known map[string]rag.Vector
}

func (r *remembering) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	vectors := make([]rag.Vector, len(texts))
	for i, text := range texts {
		r.mu.Lock()
		v := r.known[text]
		r.mu.Unlock()
		if v == nil || ctx.Err() != nil {
			made, err := r.Embedder.Embed(ctx, []string{text})
			if err != nil {
				return nil, err
			}
			v = made[0]
			r.mu.Lock()
			r.known[text] = v
			r.mu.Unlock()
		}
		vectors[i] = v
	}
	return vectors, nil
}

// pieces cuts a text as a concierge does.
func pieces(passage string) []string { return embedded.Pieces(text.Sentences(passage)) }

func newHybrid(t testing.TB, passages []rag.Passage, opts rag.Options) *rag.Hybrid {
	t.Helper()
	opts.Pieces = pieces
	h, err := rag.New(t.Context(), passages, embedder(), rag.NewFlat, opts)
	if err != nil {
		t.Fatalf("New(%d passages): %v", len(passages), err)
	}
	return h
}
