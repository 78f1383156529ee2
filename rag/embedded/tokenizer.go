package embedded

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The tokens that stand for no text.
const (
	unk int32 = iota // a character that the model does not know
	bos              // the beginning of every text
	eos              // its end
)

// space is how the vocabulary writes the space before a word.
const space = "\u2581"

// A tokenizer cuts texts into the pieces of a vocabulary: those whose scores have the highest sum (SentencePiece's unigram model).
type tokenizer struct {
	norm   map[string]string
	ids    map[string]int32
	pieces []string // by id
	scores []float32
	unk    float32 // score of a character that is no piece
	// longestKey is of norm, in bytes; longestPiece of ids, in bytes.
	longestKey, longestPiece int
}

func newTokenizer(c *container) tokenizer {
	t := tokenizer{norm: map[string]string{}, scores: c.floats("scores", c.Vocab)}
	if c.err != nil {
		return t
	}
	t.pieces, t.ids = make([]string, c.Vocab), make(map[string]int32, c.Vocab) // as many scores were in the file
	c.records("norm", "kv", c.count("norm"), 2, func(_ int, s []string) {
		t.norm[s[0]] = s[1]
		t.longestKey = max(t.longestKey, len(s[0]))
	})
	c.records("pieces", "str", c.Vocab, 1, func(i int, s []string) {
		t.pieces[i] = s[0]
		if _, twice := t.ids[s[0]]; int32(i) > eos && s[0] != "" && !twice {
			t.ids[s[0]] = int32(i)
			t.longestPiece = max(t.longestPiece, len(s[0]))
		}
	})
	for _, s := range t.scores {
		t.unk = min(t.unk, s)
	}
	t.unk -= c.UnkPenalty
	return t
}

// tokens returns the ids of a text, or nil if there is nothing to embed in it: no piece with a letter or a digit.
func (t *tokenizer) tokens(text string) []int32 {
	text = t.normalize(text)
	if text == "" {
		return nil
	}
	ids := t.best(text)
	for _, id := range ids[1 : len(ids)-1] {
		if id != unk && strings.ContainsFunc(t.pieces[id], meaningful) {
			return ids
		}
	}
	return nil
}

// normalize replaces what the file says and makes every space the mark of the vocabulary: one before each word, the first included.
// A text of nothing but spaces is empty.
func (t *tokenizer) normalize(text string) string {
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

// longest returns the value of the longest key that text begins with, and the key's length; without one, the first character.
func (t *tokenizer) longest(text string) (n int, value string) {
	for n := min(t.longestKey, len(text)); n > 0; n-- {
		if value, ok := t.norm[text[:n]]; ok {
			return n, value
		}
	}
	_, n = utf8.DecodeRuneInString(text)
	return n, text[:n]
}

// A step is the best way to reach a place in a text: from where, by which token.
type step struct {
	score float32
	from  int32
	id    int32
}

// best returns the ids of the best pieces of normalised text, between those of its beginning and end.
func (t *tokenizer) best(text string) []int32 {
	reached := make([]step, len(text)+1)
	for i := range reached {
		reached[i].from = -1
	}
	reached[0].from = 0
	for from := 0; from < len(text); {
		_, n := utf8.DecodeRuneInString(text[from:])
		t.extend(text, from, n, reached)
		from += n
	}
	var ids []int32
	for at := len(text); at > 0; at = int(reached[at].from) {
		if id := reached[at].id; id != unk || len(ids) == 0 || ids[len(ids)-1] != unk {
			ids = append(ids, id)
		}
	}
	ids = append(ids, bos)
	slices.Reverse(ids)
	return append(ids, eos)
}

// extend tries every piece that begins at a place; first is the length of the character there.
func (t *tokenizer) extend(text string, from, first int, reached []step) {
	try := func(to int, id int32, score float32) {
		// A place is reached at least by the characters before it, so that hostile scores (NaN) leave no gap.
		if score += reached[from].score; reached[to].from < 0 || score > reached[to].score {
			reached[to] = step{score, int32(from), id}
		}
	}
	if _, known := t.ids[text[from:from+first]]; !known {
		try(from+first, unk, t.unk)
	}
	for to := from; to < len(text); {
		_, n := utf8.DecodeRuneInString(text[to:])
		if to += n; to-from > t.longestPiece {
			return
		}
		if id, ok := t.ids[text[from:to]]; ok {
			try(to, id, t.scores[id])
		}
	}
}
