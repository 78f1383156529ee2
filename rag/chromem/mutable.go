package chromem

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/philippgille/chromem-go"

	"annai/fault"
	"annai/rag"
)

// Mutable is an index that things are put into and removed from, each with some vectors. It is not safe for
// concurrent use while something is put or removed.
type Mutable struct {
	documents *chromem.Collection
	vectors   map[string]int // how many each thing has
	dimension int
}

// NewMutable returns an empty index.
func NewMutable() (*Mutable, error) {
	documents, err := chromem.NewDB().CreateCollection("mutable", nil, noEmbedding)
	if err != nil {
		return nil, fmt.Errorf("make a collection: %w: %w", fault.ErrUnavailable, err)
	}
	return &Mutable{documents: documents, vectors: map[string]int{}}, nil
}

// Put adds the vectors of a thing, in place of those that it had. One that is not of unit length and of the
// others' dimension, or an empty id, is [fault.ErrInvalid], and then the index is as it was.
func (m *Mutable) Put(ctx context.Context, id string, vectors []rag.Vector) error {
	dimension := m.dimension
	for _, v := range vectors {
		if dimension == 0 {
			dimension = len(v)
		}
		if err := rag.CheckSearch(v, 1, dimension); err != nil {
			return fmt.Errorf("put %q: %w", id, err)
		}
	}
	if id == "" {
		return fmt.Errorf("put a thing without an id: %w", fault.ErrInvalid)
	}
	if err := m.Remove(ctx, id); err != nil {
		return err
	}
	for n, v := range vectors {
		d := chromem.Document{ID: strconv.Itoa(n) + "/" + id, Embedding: v, Metadata: map[string]string{thing: id}}
		if err := m.documents.AddDocument(ctx, d); err != nil {
			return fmt.Errorf("put %q: %w: %w", id, fault.ErrUnavailable, err)
		}
		m.vectors[id], m.dimension = n+1, dimension
	}
	return nil
}

// thing is the key of what a document belongs to in the library's metadata.
const thing = "thing"

// Remove takes a thing out. One that is not in is no error.
func (m *Mutable) Remove(ctx context.Context, id string) error {
	documents := make([]string, m.vectors[id])
	if len(documents) == 0 {
		return nil
	}
	for n := range documents {
		documents[n] = strconv.Itoa(n) + "/" + id
	}
	if err := m.documents.Delete(ctx, nil, nil, documents...); err != nil {
		return fmt.Errorf("remove %q: %w: %w", id, fault.ErrUnavailable, err)
	}
	delete(m.vectors, id)
	return nil
}

// Len is how many vectors are in.
func (m *Mutable) Len() int { return m.documents.Count() }

// Nearest returns the things of the n vectors that are nearest to v, nearest first: a thing as often as its vectors
// are among them. Cosines are off by less than 1e-4. Fewer than n are all.
func (m *Mutable) Nearest(ctx context.Context, v rag.Vector, n int) ([]rag.Neighbour, error) {
	if err := rag.CheckSearch(v, n, len(v)); err != nil || m.dimension == 0 || m.Len() == 0 {
		return nil, err
	}
	if len(v) != m.dimension {
		return nil, fmt.Errorf("search with %d numbers among vectors of %d: %w", len(v), m.dimension, fault.ErrInvalid)
	}
	results, err := m.documents.QueryEmbedding(ctx, v, min(n, m.Len()), nil, nil)
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w: %w", fault.ErrUnavailable, err)
	}
	found := make([]rag.Neighbour, len(results))
	for i, r := range results {
		found[i] = rag.Neighbour{ID: r.Metadata[thing], Cosine: float64(r.Similarity)}
	}
	slices.SortFunc(found, rag.CompareNeighbours)
	return found, nil
}
