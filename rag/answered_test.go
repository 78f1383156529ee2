package rag_test

import (
	"testing"

	"annai/rag"
	"annai/rag/embedded"
)

// TestLearntWithThisEmbedder fails when the encoder or its adaptation was exchanged and what was
// learnt with it was not.
func TestLearntWithThisEmbedder(t *testing.T) {
	e, err := embedded.New()
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Fingerprint(); got != rag.LearntWith() {
		t.Errorf("the embedder is %q, but data/answered.json was learnt with %q: run scripts/learn", got,
			rag.LearntWith())
	}
}

// TestAskedOfAPlace says that what visitors need is given more credit than what nobody writes down,
// and that another embedder gets none.
func TestAskedOfAPlace(t *testing.T) {
	texts := []string{
		"荷物が重いんですけど、預けられますか", "Where can I leave my suitcase?", "館長さんは結婚していますか",
		"Which film was shot here?",
	}
	vectors, err := embedder().Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	credit := make([]float64, len(texts))
	for i, v := range vectors {
		credit[i] = rag.Answered(v, embedder().Fingerprint())
	}
	if min(credit[0], credit[1]) < max(credit[2], credit[3])+0.1 {
		t.Errorf("credit of %q = %.2f, want the first two well above the others", texts, credit)
	}
	if got := rag.Answered(vectors[0], "another/512/1"); got != 0 {
		t.Errorf("credit with another embedder = %g, want 0", got)
	}
}
