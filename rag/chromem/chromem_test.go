package chromem_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/internal/text"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/embedded"
	"annai/rag/markdown"
	"annai/rag/ragtest"
)

func TestIndex(t *testing.T) { ragtest.Index(t, chromem.New) }

func TestNewIndex(t *testing.T) { ragtest.Index(t, chromem.NewIndex) }

// places are some of the sets of retrieval.
var places = []string{"library", "castle", "onsen", "hospital", "tokinari", "kazahi"}

// questionsOf are those of a set, with the language they are in.
func questionsOf(t *testing.T, place string) (questions []rag.Query) {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + place + "_questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	lang := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if _, asked, found := strings.Cut(line, ": "); found && !strings.HasPrefix(line, "#") {
			questions = append(questions, rag.Query{Text: asked, Lang: lang})
		} else if line == "ja" || line == "en" {
			lang = line
		}
	}
	return questions
}

// demoVectors are the vectors that all places share.
func demoVectors(t *testing.T) *rag.Vectors {
	t.Helper()
	data, err := os.ReadFile("../../venue/demo/knowledge.vectors")
	if err != nil {
		t.Fatal(err)
	}
	known, err := rag.ReadVectors(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// The hits over the sets of retrieval, and what they are made of, are those of the flat index.
func TestSameHits(t *testing.T) {
	e, err := embedded.New()
	if err != nil {
		t.Fatal(err)
	}
	pieces := func(passage string) []string { return embedded.Pieces(text.Sentences(passage)) }
	asked := new(rag.QuestionVectors) // which both indexes are asked with
	for _, place := range places {
		passages, problems := markdown.Load(os.DirFS("../testdata"), []string{place})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		opts := rag.Options{Pieces: pieces, Known: demoVectors(t), Asked: asked}
		flat, err := rag.New(t.Context(), passages, e, rag.NewFlat, opts)
		if err != nil {
			t.Fatal(err)
		}
		by, err := rag.New(t.Context(), passages, e, chromem.New, opts) // which knows all vectors by now
		if err != nil {
			t.Fatal(err)
		}
		questions := questionsOf(t, place)
		if len(questions) < 60 {
			t.Fatalf("%s has %d questions", place, len(questions))
		}
		for i, q := range questions {
			if q.Near = i%3 == 0; i%5 == 0 {
				q.Categories = []string{passages[i%len(passages)].Category}
			}
			want, err := flat.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := by.Search(t.Context(), q)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s: Search(%+v) = %v (-flat +chromem):\n%s", place, q, err, diff)
			}
		}
	}
}
