package danger

import (
	"math"
	"strings"
	"sync"

	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
	"annai/internal/unigram"
)

const (
	longest = 64 // pieces of an utterance that are read, the last of it
	rows    = longest + 2
	// sentenceLength is that of the vector of an utterance.
	sentenceLength = 8
)

// A network is a small convolutional network over the pieces of an utterance: that of rag/embedded, begun with its
// weights and learnt further, with a layer that decides behind it. Pieces and embeddings are those of the encoder.
type network struct {
	pieces      *encoder.Pieces
	layers      *encoder.Layers
	inside, out matrix.Matrix
	multiply    matrix.Tile
	memory      sync.Pool // of *scratch
}

func newNetwork(f *tensorfile.File, h header, pieces *encoder.Pieces) *network {
	n := &network{
		pieces: pieces, layers: encoder.NewLayers(f, h.Epsilon),
		inside: encoder.NewMatrix(f, "inside", 2*features+dimension, inside),
		out:    encoder.NewMatrix(f, "out", inside, outputs), multiply: matrix.FastestTile(),
	}
	n.memory.New = func() any { return newScratch() }
	return n
}

// A scratch is the memory of one computation.
type scratch struct {
	text   *encoder.Scratch
	sum    []float32
	pooled []float32 // mean and greatest of each feature, and the vector of the sentence
	inside []float32
	out    [outputs]float32
}

func newScratch() *scratch {
	return &scratch{
		text: encoder.NewScratch(rows), sum: make([]float32, features), pooled: make([]float32, 2*features+dimension),
		inside: make([]float32, inside),
	}
}

// logits computes what each class weighs; the first is that of no danger.
func (n *network) logits(utterance string) []float32 {
	s := n.memory.Get().(*scratch)
	defer n.memory.Put(s)
	ids := n.tokens(utterance)
	n.layers.Features(n.multiply, n.pieces, ids, s.text)
	n.pool(len(ids), s)
	n.inside.Apply(n.multiply, s.pooled, 0, 1, s.inside, 0)
	for i, x := range s.inside {
		s.inside[i] = x * 0.5 * float32(math.Erfc(-float64(x)/math.Sqrt2))
	}
	n.out.Apply(n.multiply, s.inside, 0, 1, s.out[:], 0)
	return append([]float32(nil), s.out[:len(classes)]...)
}

// tokens returns the pieces of an utterance in lower case, between a beginning and an end.
func (n *network) tokens(utterance string) []int32 {
	ids := []int32{unigram.Begin, unigram.End}
	if text := strings.ToLower(n.pieces.Normalize(utterance)); text != "" {
		ids = n.pieces.Tokens(text)
	}
	if len(ids) > rows {
		ids = append([]int32{unigram.Begin}, ids[len(ids)-longest-1:]...)
	}
	return ids
}

// pool writes what is known of the whole utterance: the mean of each feature, half of its greatest value, and the
// vector of the sentence.
func (n *network) pool(tokens int, s *scratch) {
	clear(s.sum)
	greatest := s.pooled[features : 2*features]
	copy(greatest, s.text.F[:features])
	for t := range tokens {
		row := s.text.F[t*features:][:features]
		matrix.Add(s.sum, row)
		for i, v := range row {
			greatest[i] = max(greatest[i], v)
		}
	}
	for i, v := range s.sum {
		s.pooled[i] = v / float32(tokens)
		greatest[i] *= 0.5
	}
	n.layers.Vector(n.multiply, s.sum, tokens, sentenceLength, s.pooled[2*features:])
}
