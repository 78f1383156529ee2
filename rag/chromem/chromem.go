// Package chromem is the [rag.Index] over chromem-go, in memory. It is that library's only home.
//
// Its one idea: the library's traps end here. It refuses to look for more results than it has documents, turns a zero
// vector into NaN and checks no dimension on adding; so everything is checked before it gets there. Each language is a
// collection of its own, because the library looks at every document of a collection, wanted or not.
//
// The package knows no texts: documents are ids and vectors, and what they say stays with the caller.
package chromem

import (
	"context"
	"fmt"
	"slices"

	"github.com/philippgille/chromem-go"

	"annai/internal/fault"
	"annai/rag"
)

// Index is a [rag.Index]. Make one with [New].
type Index struct {
	dimension   int
	collections map[string]*chromem.Collection // by language
	langs       []string                       // sorted
}

var _ rag.NewIndex = New

// New is a [rag.NewIndex].
func New(ctx context.Context, fingerprint string, entries []rag.Entry) (rag.Index, error) {
	if err := rag.CheckEntries(entries); err != nil {
		return nil, err
	}
	x := &Index{collections: map[string]*chromem.Collection{}}
	db := chromem.NewDB()
	for _, e := range entries {
		c, err := db.GetOrCreateCollection(fingerprint+"/"+e.Lang, nil, noEmbedding)
		if err != nil {
			return nil, fmt.Errorf("make a collection for %q: %w: %w", e.Lang, fault.ErrUnavailable, err)
		}
		x.collections[e.Lang], x.dimension = c, len(e.Vector)
		document := chromem.Document{ID: e.ID, Embedding: e.Vector, Metadata: map[string]string{category: e.Category}}
		if err := c.AddDocument(ctx, document); err != nil {
			return nil, fmt.Errorf("add %q: %w: %w", e.ID, fault.ErrUnavailable, err)
		}
	}
	for lang := range x.collections {
		x.langs = append(x.langs, lang)
	}
	slices.Sort(x.langs)
	return x, ctx.Err()
}

// category is the key of an entry's category in the library's metadata.
const category = "category"

// noEmbedding stands where the library would otherwise call a service on the internet.
func noEmbedding(context.Context, string) ([]float32, error) {
	return nil, fmt.Errorf("chromem was asked to embed: %w", fault.ErrInvalid)
}

// Nearest implements [rag.Index].
func (x *Index) Nearest(ctx context.Context, v rag.Vector, n int, f rag.Filter) ([]rag.Neighbour, error) {
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
	langs := x.langs
	if f.Lang != "" {
		langs = []string{f.Lang}
	}
	var found []rag.Neighbour
	for _, lang := range langs {
		near, err := x.nearest(ctx, v, n, lang, f.Category)
		if err != nil {
			return nil, err
		}
		found = append(found, near...)
	}
	slices.SortFunc(found, rag.CompareNeighbours)
	return found[:min(n, len(found))], nil
}

// nearest searches one collection.
func (x *Index) nearest(ctx context.Context, v rag.Vector, n int, lang, wanted string) ([]rag.Neighbour, error) {
	c := x.collections[lang]
	if c == nil {
		return nil, nil
	}
	var where map[string]string
	if wanted != "" {
		where = map[string]string{category: wanted}
	}
	results, err := c.QueryEmbedding(ctx, v, min(n, c.Count()), where, nil)
	if err != nil {
		return nil, fmt.Errorf("search vectors of %q: %w: %w", lang, fault.ErrUnavailable, err)
	}
	near := make([]rag.Neighbour, len(results))
	for i, r := range results {
		near[i] = rag.Neighbour{ID: r.ID, Cosine: float64(r.Similarity)}
	}
	return near, nil
}
