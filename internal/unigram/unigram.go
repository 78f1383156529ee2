// Package unigram cuts texts into the pieces of a vocabulary as SentencePiece's unigram model does.
// A Japanese text needs no spaces for it.
package unigram

import (
	"slices"
	"strings"
	"unicode/utf8"

	"annai/internal/tensorfile"
)

// The tokens that stand for no text.
const (
	Unknown int32 = iota // a character that the vocabulary does not have
	Begin                // the beginning of every text
	End                  // its end
)

// space is how the vocabulary writes the space before a word.
const space = "\u2581"

// A Tokenizer cuts texts into the pieces of a vocabulary: those whose scores have the highest sum.
// It never changes.
type Tokenizer struct {
	norm   map[string]string
	ids    map[string]int32
	pieces []string // by id
	scores []float32
	unk    float32 // score of a character that is no piece
	// longestKey and longestPiece are of norm and ids, in bytes, by the first character.
	longestKey, longestPiece map[rune]int
}

// New reads a vocabulary of a file: its tensors norm, pieces and scores, of size pieces. The score
// of a character that is no piece is less than all others by penalty. What is wrong is the file's
// error.
func New(f *tensorfile.File, size int, penalty float32) *Tokenizer {
	t := &Tokenizer{
		norm: map[string]string{}, scores: f.Floats("scores", size),
		longestKey: map[rune]int{}, longestPiece: map[rune]int{},
	}
	if f.Err != nil {
		return t
	}
	t.pieces, t.ids = make([]string, size), make(map[string]int32, size) // as many scores were in the file
	f.Records("norm", "kv", f.Count("norm"), 2, func(_ int, s []string) {
		t.norm[s[0]] = s[1]
		note(t.longestKey, s[0])
	})
	f.Records("pieces", "str", size, 1, func(i int, s []string) {
		t.pieces[i] = s[0]
		if _, twice := t.ids[s[0]]; int32(i) > End && s[0] != "" && !twice {
			t.ids[s[0]] = int32(i)
			note(t.longestPiece, s[0])
		}
	})
	for _, s := range t.scores {
		t.unk = min(t.unk, s)
	}
	t.unk -= penalty
	return t
}

// note keeps the length of a text if none is longer that begins with the same character.
func note(longest map[rune]int, text string) {
	r, _ := utf8.DecodeRuneInString(text)
	longest[r] = max(longest[r], len(text))
}

// Piece returns what an id stands for.
func (t *Tokenizer) Piece(id int32) string { return t.pieces[id] }

// Count returns how many pieces there are.
func (t *Tokenizer) Count() int { return len(t.pieces) }

// Score returns how likely a piece is, as a logarithm.
func (t *Tokenizer) Score(id int32) float32 { return t.scores[id] }

// Normalize replaces what the file says and makes every space the mark of the vocabulary: one
// before each word, the first included. A text of nothing but spaces is empty.
func (t *Tokenizer) Normalize(text string) string {
	text = string([]rune(text)) // U+FFFD for every byte that is no UTF-8
	var out strings.Builder
	for text != "" {
		n, value := t.longest(text)
		out.WriteString(value)
		text = text[n:]
	}
	words := strings.FieldsFunc(out.String(), func(r rune) bool { return r == ' ' })
	if len(words) == 0 {
		return ""
	}
	return space + strings.Join(words, space)
}

// longest returns the value of the longest key that text begins with, and the key's length; without
// one, the first character.
func (t *Tokenizer) longest(text string) (n int, value string) {
	first, size := utf8.DecodeRuneInString(text)
	for n := min(t.longestKey[first], len(text)); n > 0; n-- {
		if value, ok := t.norm[text[:n]]; ok {
			return n, value
		}
	}
	return size, text[:size]
}

// A step is the best way to reach a place in a text: from where, by which token.
type step struct {
	score float32
	from  int32
	id    int32
}

// Tokens returns the ids of the best pieces of normalised text, between those of its beginning and end.
func (t *Tokenizer) Tokens(text string) []int32 {
	reached := make([]step, len(text)+1)
	for i := range reached {
		reached[i].from = -1
	}
	reached[0].from = 0
	for from := 0; from < len(text); {
		from += t.extend(text, from, reached)
	}
	var ids []int32
	for at := len(text); at > 0; at = int(reached[at].from) {
		if id := reached[at].id; id != Unknown || len(ids) == 0 || ids[len(ids)-1] != Unknown {
			ids = append(ids, id)
		}
	}
	ids = append(ids, Begin)
	slices.Reverse(ids)
	return append(ids, End)
}

// extend tries every piece that begins at a place, and returns the length of the character there.
func (t *Tokenizer) extend(text string, from int, reached []step) int {
	try := func(to int, id int32, score float32) {
		// A place is reached at least by the characters before it, so that hostile scores (NaN)
		// leave no gap.
		if score += reached[from].score; reached[to].from < 0 || score > reached[to].score {
			reached[to] = step{score, int32(from), id}
		}
	}
	r, first := utf8.DecodeRuneInString(text[from:])
	if _, known := t.ids[text[from:from+first]]; !known {
		try(from+first, Unknown, t.unk)
	}
	longest := t.longestPiece[r]
	for to := from; to < len(text); {
		_, n := utf8.DecodeRuneInString(text[to:])
		if to += n; to-from > longest {
			break
		}
		if id, ok := t.ids[text[from:to]]; ok {
			try(to, id, t.scores[id])
		}
	}
	return first
}
