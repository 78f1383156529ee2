package unigram

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small is a tokenizer whose pieces are "▁", "a", "b", "ab", "aba" and "ba", from id 3.
func small(scores ...float32) *Tokenizer {
	t := &Tokenizer{
		ids: map[string]int32{}, pieces: make([]string, 3), scores: []float32{0, 0, 0}, longestPiece: map[rune]int{},
	}
	for i, piece := range []string{"▁", "a", "b", "ab", "aba", "ba"} {
		t.ids[piece] = int32(len(t.pieces))
		note(t.longestPiece, piece)
		t.pieces, t.scores = append(t.pieces, piece), append(t.scores, scores[i])
		t.unk = min(t.unk, scores[i])
	}
	t.unk -= 10
	return t
}

func TestBest(t *testing.T) {
	nan := float32(math.NaN())
	for _, test := range []struct {
		name, text string
		tokenizer  *Tokenizer
		want       []int32
	}{
		{"highest sum", "▁aba", small(-1, -2, -2, -3, -9, -2), []int32{Begin, 3, 4, 8, End}},
		{"long piece", "▁aba", small(-1, -2, -2, -3, -3, -2), []int32{Begin, 3, 7, End}},
		{"the first of equals", "▁ab", small(-1, -2, -2, -4, -9, -9), []int32{Begin, 3, 6, End}},
		{"run of unknown ones", "▁axyzb☃", small(-1, -2, -2, -4, -9, -9), []int32{Begin, 3, 4, Unknown, 5, Unknown, End}},
		{"scores that are no numbers", "▁ab", small(nan, nan, nan, nan, nan, nan), []int32{Begin, 3, 6, End}},
	} {
		if diff := cmp.Diff(test.want, test.tokenizer.Tokens(test.text)); diff != "" {
			t.Errorf("%s: Tokens(%q) differs (-want +got):\n%s", test.name, test.text, diff)
		}
	}
}
