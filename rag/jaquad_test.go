package rag_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"annai/rag"
)

// retrievalSet is where the Japanese retrieval set lies beside a checkout. It is not part of the repository.
const retrievalSet = "../../shared/testdata/nlu/retrieval"

func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(retrievalSet, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: the retrieval set is not at %s, so the accuracy of retrieval in Japanese was not measured",
			retrievalSet)
	} else if err != nil {
		t.Fatal(err)
	}
	var out []T
	for scanner := bufio.NewScanner(bytes.NewReader(data)); scanner.Scan(); {
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatalf("%s, line %d: %v", name, len(out)+1, err)
		}
		out = append(out, line)
	}
	return out
}

func jaquad(t *testing.T) ([]rag.Passage, []jaquadQuestion) {
	t.Helper()
	var passages []rag.Passage
	for _, p := range readLines[struct{ PID, Title, Text string }](t, "passages_ja.jsonl") {
		passages = append(passages, rag.Passage{ID: p.PID, Title: p.Title, Text: p.Text, Lang: "ja"})
	}
	return passages, readLines[jaquadQuestion](t, "questions_ja.jsonl")
}

type jaquadQuestion struct {
	Text string
	Gold []string
}

// reciprocalRank returns the mean of 1/rank of the first right passage among ten.
func reciprocalRank(t *testing.T, h *rag.Hybrid, questions []jaquadQuestion) float64 {
	t.Helper()
	sum := 0.0
	for _, q := range questions {
		hits, err := h.Search(t.Context(), rag.Query{Text: q.Text, Lang: "ja", Limit: 10})
		if err != nil {
			t.Fatalf("Search(%q): %v", q.Text, err)
		}
		rank := slices.IndexFunc(hits, func(hit rag.Hit) bool { return slices.Contains(q.Gold, hit.Passage.ID) })
		if rank >= 0 {
			sum += 1 / float64(rank+1)
		}
	}
	return sum / float64(len(questions))
}

func TestJapaneseRetrieval(t *testing.T) {
	passages, questions := jaquad(t)
	h := newHybrid(t, passages, rag.Options{Threshold: -1})
	mrr := reciprocalRank(t, h, questions)
	t.Logf("MRR@10 %.4f over %d questions and %d passages", mrr, len(questions), len(passages))
	if mrr < 0.945 {
		t.Errorf("MRR@10 = %.4f, want at least 0.945", mrr)
	}
}
