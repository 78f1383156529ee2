// Package embedded turns Japanese and English texts into vectors without a network, a key or a
// second process: a question in one language is near a passage in the other that answers it. Its
// one idea: the whole model is one file inside the program, and its weights stay quantised in
// memory, where an AVX2 loop reads them as they are.
//
// It knows no passages and no scores; other languages than these two mean nothing to it.
package embedded

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"

	"annai/fault"
	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/internal/unigram"
	"annai/rag"
)

// file is the model.
var file = encoder.File

// fileHash is the SHA-256 of file: computing it at every start would read all of it.
const fileHash = "3ce3053453339ce1ab7ac895876a128bff63056055f5b0a010fea93271d26c9b"

// maxFile is what [Load] reads at most, in bytes.
const maxFile = 64 << 20

// An Embedder is a [rag.Embedder] that computes in this process, on the caller's goroutine. Texts
// have no greatest length, but one vector of a long text loses what is said in it: see [Pieces].
type Embedder struct {
	fingerprint string
	model       func() (*model, error)
	multiply    matrix.Tile
	memory      sync.Pool // of *scratch
}

// A model is a file, read. It never changes.
type model struct{ network network }

// New returns the embedder of the model inside the program, adapted to what visitors ask. It costs
// nothing until the first text, which reads the model (some milliseconds, once). An error says that
// the program was built with a damaged file; it is [fault.ErrInvalid].
func New() (*Embedder, error) {
	c, err := open(file)
	if err != nil {
		return nil, err
	}
	if err := c.adapt(adaptation); err != nil {
		return nil, err
	}
	return newEmbedder(c, adaptedHash(), sync.OnceValues(func() (*model, error) {
		pieces, err := encoder.Open() // the adaptation has none of its own
		if err != nil {
			return nil, err
		}
		return newModel(c, pieces)
	})), nil
}

// Load returns the embedder of a model file in the format of the one inside the program, all of it
// read and checked, without an adaptation. What is no such file, or not the whole of it, is
// [fault.ErrInvalid], said in one sentence.
func Load(r io.Reader) (*Embedder, error) {
	var text strings.Builder
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(&text, hash), io.LimitReader(r, maxFile)); err != nil {
		return nil, fmt.Errorf("read embedding model: %w: %w", fault.ErrUnavailable, err)
	}
	c, m, err := read(text.String())
	if err != nil {
		return nil, err
	}
	return newEmbedder(c, hex.EncodeToString(hash.Sum(nil)), func() (*model, error) { return m, nil }), nil
}

// read reads and checks all of a file.
func read(file string) (*container, *model, error) {
	c, err := open(file)
	if err != nil {
		return nil, nil, err
	}
	m, err := newModel(c, nil)
	return c, m, err
}

func newEmbedder(c *container, hash string, m func() (*model, error)) *Embedder {
	return &Embedder{
		fingerprint: fmt.Sprintf("%s/%d/%d-%s", c.Name, c.Dim, c.Version, hash[:16]),
		model:       m,
		multiply:    matrix.FastestTile(),
		memory:      sync.Pool{New: func() any { return newScratch(section) }},
	}
}

// newModel reads the layers of a file; without pieces, those too.
func newModel(c *container, pieces *encoder.Pieces) (*model, error) {
	if pieces == nil {
		pieces = encoder.NewPieces(c.File, c.Vocab, c.UnkPenalty)
	}
	m := &model{network{pieces: pieces, layers: encoder.NewLayers(c.File, c.Epsilon)}}
	return m, c.Err
}

// Fingerprint implements [rag.Embedder]: name, dimension, version and the beginning of the file's hash.
func (e *Embedder) Fingerprint() string { return e.fingerprint }

// Embed implements [rag.Embedder]. A text with no letter or digit that the model knows is
// [fault.ErrInvalid]. The vector of a text does not depend on the others, nor on what was embedded
// before. A context that ends between two texts, or within a long one, is [fault.ErrUnavailable].
func (e *Embedder) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("embed: %w: %w", fault.ErrUnavailable, err)
	}
	m, err := e.model()
	if err != nil {
		return nil, err
	}
	s := e.memory.Get().(*scratch)
	defer e.memory.Put(s)
	vectors := make([]rag.Vector, len(texts))
	for i, text := range texts {
		ids := m.tokens(text)
		if ids == nil {
			return nil, fmt.Errorf("embed text %d: no word or number in it that the model knows: %w", i,
				fault.ErrInvalid)
		}
		if vectors[i], err = m.network.embed(ctx, e.multiply, ids, s); err != nil {
			return nil, fmt.Errorf("embed text %d: %w", i, err)
		}
	}
	return vectors, nil
}

// tokens returns the ids of a text, or nil if there is nothing to embed in it: no piece with a letter or a digit.
func (m *model) tokens(text string) []int32 {
	text = m.network.pieces.Normalize(text)
	if text == "" {
		return nil
	}
	ids := m.network.pieces.Tokens(text)
	for _, id := range ids[1 : len(ids)-1] {
		if id != unigram.Unknown && strings.ContainsFunc(m.network.pieces.Piece(id), meaningful) {
			return ids
		}
	}
	return nil
}
