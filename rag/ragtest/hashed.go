package ragtest

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"unicode"

	"annai/fault"
	"annai/rag"
)

// Hashed is a [rag.Embedder] without a model, for tests: texts are near each other where they share pairs of letters.
type Hashed struct{}

// hashedDimension is how many numbers a vector has.
const hashedDimension = 64

// Fingerprint implements [rag.Embedder].
func (Hashed) Fingerprint() string { return fmt.Sprintf("hashed-pairs/%d/1", hashedDimension) }

// Embed implements [rag.Embedder].
func (Hashed) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	vectors := make([]rag.Vector, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("embed: %w: %w", fault.ErrUnavailable, err)
		}
		v := hashed(text)
		if v == nil {
			return nil, fmt.Errorf("embed text %d: no letters or digits in it: %w", i, fault.ErrInvalid)
		}
		vectors[i] = v
	}
	return vectors, nil
}

// hashed counts the pairs of letters by their hash and makes the counts of unit length; nil where there are none.
func hashed(text string) rag.Vector {
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text))
	if len(letters) == 0 {
		return nil
	}
	v := make(rag.Vector, hashedDimension)
	for i := range letters {
		h := fnv.New32a()
		_, _ = h.Write([]byte(string(letters[i:min(i+2, len(letters))]))) // never fails
		v[h.Sum32()%hashedDimension]++
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
