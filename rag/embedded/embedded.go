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

	"annai/internal/fault"
	"annai/internal/matrix"
	"annai/internal/unigram"
	"annai/rag"
)

// file is the model; data/NOTICE says where it comes from.
//
//go:embed data/use-ml3-ja-en-q4.bin
var file string

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
type model struct {
	tokenizer *unigram.Tokenizer
	network   network
}

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
	return newEmbedder(c, adaptedHash(), sync.OnceValues(func() (*model, error) { return newModel(c) })), nil
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
	m, err := newModel(c)
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

func newModel(c *container) (*model, error) {
	m := &model{tokenizer: unigram.New(c.File, c.Vocab, c.UnkPenalty), network: newNetwork(c)}
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
	text = m.tokenizer.Normalize(text)
	if text == "" {
		return nil
	}
	ids := m.tokenizer.Tokens(text)
	for _, id := range ids[1 : len(ids)-1] {
		if id != unigram.Unknown && strings.ContainsFunc(m.tokenizer.Piece(id), meaningful) {
			return ids
		}
	}
	return nil
}
