// Package chromem is the [rag.Index] over chromem-go, and the file of vectors in the data folder. It is
// that library's only home.
//
// Its one idea: the library's traps end here. It refuses to look for more results than it has documents,
// turns a zero vector into NaN, checks no dimension on adding, and leaves it open which of several equally
// near documents is found; so everything is checked before it gets there, and its results are compared
// once more, so that they are those of [rag.NewFlat] to the last bit. Each language is a collection of its
// own, because the library looks at every document of a collection, wanted or not.
//
// The package knows no texts: documents are ids and vectors, and what they say stays with the caller.
package chromem

import (
	"context"
	"fmt"
	"slices"

	"github.com/philippgille/chromem-go"

	"annai/fault"
	"annai/rag"
)

// Most is how many entries an index has at most with which a visitor's question, which takes two or three
// searches, takes about a millisecond more than with [rag.NewFlat]: see docs/performance.md.
const Most = 500

// NewIndex is the [rag.NewIndex] of the product: [New] for up to [Most] entries, [rag.NewFlat] for more.
func NewIndex(ctx context.Context, fingerprint string, entries []rag.Entry) (rag.Index, error) {
	if len(entries) > Most {
		return rag.NewFlat(ctx, fingerprint, entries)
	}
	return New(ctx, fingerprint, entries)
}

// index is a [rag.Index].
type index struct {
	dimension int
	languages map[string]language
}

// A language is what there is in one.
type language struct {
	documents *chromem.Collection
	entries   map[string]*rag.Entry
}

var _ rag.NewIndex = New

// New is a [rag.NewIndex] over chromem-go, in memory.
func New(ctx context.Context, fingerprint string, entries []rag.Entry) (rag.Index, error) {
	if err := rag.CheckEntries(entries); err != nil {
		return nil, err
	}
	x, db := index{languages: map[string]language{}}, chromem.NewDB()
	entries = slices.Clone(entries)
	for i := range entries {
		e := &entries[i]
		x.dimension = len(e.Vector)
		l, there := x.languages[e.Lang]
		if !there {
			collection, err := db.CreateCollection(fingerprint+"/"+e.Lang, nil, noEmbedding)
			if err != nil {
				return nil, fmt.Errorf("make a collection for %q: %w: %w", e.Lang, fault.ErrUnavailable, err)
			}
			l = language{documents: collection, entries: map[string]*rag.Entry{}}
			x.languages[e.Lang] = l
		}
		d := chromem.Document{ID: e.ID, Embedding: e.Vector, Metadata: map[string]string{category: e.Category}}
		if err := l.documents.AddDocument(ctx, d); err != nil {
			return nil, fmt.Errorf("add %q: %w: %w", e.ID, fault.ErrUnavailable, err)
		}
		l.entries[e.ID] = e
	}
	return x, ctx.Err()
}

// category is the key of an entry's category in the library's metadata.
const category = "category"

// noEmbedding stands where the library would otherwise call a service on the internet.
func noEmbedding(context.Context, string) ([]float32, error) {
	return nil, fmt.Errorf("chromem was asked to embed: %w", fault.ErrInvalid)
}

// Nearest implements [rag.Index].
func (x index) Nearest(ctx context.Context, v rag.Vector, n int, f rag.Filter) ([]rag.Neighbour, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("search vectors: %w: %w", fault.ErrUnavailable, err)
	}
	dimension := x.dimension
	if dimension == 0 { // nothing is in it
		dimension = len(v)
	}
	if err := rag.CheckSearch(v, n, dimension); err != nil {
		return nil, err
	}
	var found []rag.Neighbour
	for lang, l := range x.languages {
		if f.Lang != "" && f.Lang != lang {
			continue
		}
		near, err := l.nearest(ctx, v, n, f)
		if err != nil {
			return nil, err
		}
		found = append(found, near...)
	}
	slices.SortFunc(found, rag.CompareNeighbours)
	return found[:min(n, len(found))], nil
}

const (
	// more is how many results are asked for besides those that are wanted, so that it seldom takes a second look.
	more = 16
	// off is more than the library's cosines are off: it adds up hundreds of numbers in single precision.
	off = 1e-4
)

// nearest searches one collection. The library can't look at days, nor at which of equally near documents
// comes first, so more and more results are looked at until no other can be among those that are wanted.
func (l language) nearest(ctx context.Context, v rag.Vector, n int, f rag.Filter) ([]rag.Neighbour, error) {
	var where map[string]string
	if f.Category != "" {
		where = map[string]string{category: f.Category}
	}
	for size := min(n, len(l.entries)) + more; ; size *= 2 {
		size = min(size, len(l.entries))
		results, err := l.documents.QueryEmbedding(ctx, v, size, where, nil)
		if err != nil {
			return nil, fmt.Errorf("search vectors: %w: %w", fault.ErrUnavailable, err)
		}
		var near []rag.Neighbour
		for _, r := range results {
			if e := l.entries[r.ID]; f.Keeps(e) {
				near = append(near, rag.Neighbour{ID: r.ID, Cosine: rag.Cosine(v, e.Vector)})
			}
		}
		slices.SortFunc(near, rag.CompareNeighbours)
		near = near[:min(n, len(near))]
		all := len(results) < size || size == len(l.entries)
		if all || len(near) == n && near[n-1].Cosine > float64(results[len(results)-1].Similarity)+off {
			return near, nil
		}
	}
}
