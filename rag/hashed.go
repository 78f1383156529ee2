package rag

import (
	"context"
	"fmt"
	"math"
	"unicode/utf8"

	"annai/internal/fault"
)

// HashedEmbedder is an [Embedder] without a model: texts are near each other where they share words or pieces of words.
// It knows no meaning, so a question finds what is written alike, misspelled or inflected, never what is said otherwise.
// The zero value is ready.
type HashedEmbedder struct{}

// hashedDimension is how many numbers a vector has.
const hashedDimension = 256

// Fingerprint implements [Embedder].
func (HashedEmbedder) Fingerprint() string { return fmt.Sprintf("hashed-ngrams/%d/1", hashedDimension) }

// Embed implements [Embedder].
func (HashedEmbedder) Embed(ctx context.Context, texts []string) ([]Vector, error) {
	vectors := make([]Vector, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("embed: %w: %w", fault.ErrUnavailable, err)
		}
		v, ok := hashedVector(text)
		if !ok {
			return nil, fmt.Errorf("embed text %d: no letters or digits in it: %w", i, fault.ErrInvalid)
		}
		vectors[i] = v
	}
	return vectors, nil
}

// hashedVector adds up the features of a text and makes the sum of unit length.
func hashedVector(text string) (Vector, bool) {
	counts := features{weights: map[uint64]float64{}}
	for _, r := range runs(fold(text)) {
		if r.script == scriptWord {
			counts.word(r.text)
		} else {
			counts.japanese(r)
		}
	}
	v := make(Vector, hashedDimension)
	for _, h := range counts.order {
		x := float32(math.Sqrt(counts.weights[h])) // less than in proportion: saying it twice is not twice as true
		if h>>63 == 1 {                            // the sign keeps features that fall together from always adding up
			x = -x
		}
		v[h%hashedDimension] += x
	}
	return v, normalize(v)
}

// How much a feature weighs, besides its length: what is grammar rather than subject weighs little.
const (
	stopFeature     = 0.05
	hiraganaFeature = 0.1
	pieceFeature    = 0.15
)

// features are what a text is made of, in order of appearance: adding them up in another order gives other last bits.
type features struct {
	weights map[uint64]float64
	order   []uint64
}

func (f *features) add(kind byte, s string, weight float64) {
	h := hash(kind, s)
	if _, seen := f.weights[h]; !seen {
		f.order = append(f.order, h)
	}
	f.weights[h] += weight
}

func (f *features) word(w string) {
	if stopWords[w] {
		f.add('s', w, stopFeature)
		return
	}
	w = stem(w)
	f.add('w', w, 1)
	pieces("^"+w+"$", 3, func(piece string) { f.add('p', piece, pieceFeature) })
}

func (f *features) japanese(r run) {
	weight := 1.0
	switch {
	case r.script == scriptHiragana:
		weight = hiraganaFeature
	case r.script == scriptKatakana:
		weight = 0.5
		f.add('w', katakana(r.text), 1)
	}
	pieces(r.text, 1, func(piece string) { f.add('1', piece, 0.3*weight) })
	pieces(r.text, 2, func(piece string) { f.add('2', piece, weight) })
	pieces(r.text, 3, func(piece string) { f.add('3', piece, 0.5*weight) })
}

// pieces calls yield with every stretch of n characters of s.
func pieces(s string, n int, yield func(string)) {
	end := 0
	for range n {
		if end >= len(s) {
			return
		}
		end += runeLength(s[end:])
	}
	for start := 0; ; {
		yield(s[start:end])
		if end >= len(s) {
			return
		}
		start += runeLength(s[start:])
		end += runeLength(s[end:])
	}
}

func runeLength(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// hash is FNV-1a with its bits mixed once more, because its top bit alone is poor.
func hash(kind byte, s string) uint64 {
	h := (uint64(14695981039346656037) ^ uint64(kind)) * 1099511628211
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// normalize makes v of unit length in place and reports whether it could: a zero vector has no direction.
func normalize(v Vector) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return false
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return true
}
