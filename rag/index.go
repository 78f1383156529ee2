package rag

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"annai/internal/fault"
)

// An Entry is a passage's vector in an [Index], with what the index can filter by.
type Entry struct {
	ID       string
	Vector   Vector
	Lang     string
	Category string
}

// A Filter leaves entries out. The zero Filter leaves none out.
type Filter struct {
	// Lang and Category keep only entries that have the same, if they are not empty.
	Lang, Category string
}

// A Neighbour is an entry found by its vector.
type Neighbour struct {
	ID string
	// Cosine is in -1..1, higher is nearer.
	Cosine float64
}

// An Index finds entries by nearness. What is in it never changes. It is safe for concurrent use.
type Index interface {
	// Nearest returns the n entries nearest to v, nearest first, fewer where fewer match f, none where none does.
	// An n below 1, or a v that is not of unit length and of the entries' dimension, is [fault.ErrInvalid].
	Nearest(ctx context.Context, v Vector, n int, f Filter) ([]Neighbour, error)
}

// A NewIndex builds an [Index] of entries whose vectors came from the embedder of that fingerprint. It keeps the
// vectors and does not change them. An empty or repeated id, or a vector that is not of unit length and of the others'
// dimension, is [fault.ErrInvalid]. No entries are an index that finds nothing.
type NewIndex func(ctx context.Context, fingerprint string, entries []Entry) (Index, error)

// NewFlat is the [NewIndex] of the reference: it compares with every entry and uses no library.
func NewFlat(ctx context.Context, _ string, entries []Entry) (Index, error) {
	if err := CheckEntries(entries); err != nil {
		return nil, err
	}
	return flat(slices.Clone(entries)), ctx.Err()
}

type flat []Entry

func (x flat) Nearest(ctx context.Context, v Vector, n int, f Filter) ([]Neighbour, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("search vectors: %w: %w", fault.ErrUnavailable, err)
	}
	dimension := len(v)
	if len(x) > 0 {
		dimension = len(x[0].Vector)
	}
	if err := CheckSearch(v, n, dimension); err != nil {
		return nil, err
	}
	workers := min(runtime.GOMAXPROCS(0), len(x)/flatShare+1)
	found := make([][]Neighbour, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() { found[w] = x[len(x)*w/workers:len(x)*(w+1)/workers].best(v, n, f) })
	}
	group.Wait()
	best := slices.Concat(found...)
	slices.SortFunc(best, CompareNeighbours)
	return best[:min(n, len(best))], nil
}

// flatShare is how many entries are worth a goroutine.
const flatShare = 1000

// best returns the n nearest entries, nearest first.
func (x flat) best(v Vector, n int, f Filter) []Neighbour {
	var best []Neighbour // once there are n, the last is the farthest
	for _, e := range x {
		if f.Lang != "" && f.Lang != e.Lang || f.Category != "" && f.Category != e.Category {
			continue
		}
		near := Neighbour{ID: e.ID, Cosine: Cosine(v, e.Vector)}
		if len(best) == n && CompareNeighbours(near, best[n-1]) > 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(best, near, CompareNeighbours)
		best = slices.Insert(best[:min(len(best), n-1)], i, near)
	}
	return best
}

// CompareNeighbours orders nearest first, equally near ones by id.
func CompareNeighbours(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID))
}

// IsUnit reports whether v is of unit length, as far as single precision can tell.
func (v Vector) IsUnit() bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Abs(sum-1) < 1e-3 // false for NaN too
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

// CheckEntries returns what a [NewIndex] has to refuse, as [fault.ErrInvalid].
func CheckEntries(entries []Entry) error {
	seen := make(map[string]bool, len(entries))
	for i, e := range entries {
		switch {
		case e.ID == "":
			return fmt.Errorf("entry %d has no id: %w", i, fault.ErrInvalid)
		case seen[e.ID]:
			return fmt.Errorf("entry %q is there twice: %w", e.ID, fault.ErrInvalid)
		case len(e.Vector) != len(entries[0].Vector):
			return fmt.Errorf("entry %q has %d dimensions, others %d: %w", e.ID, len(e.Vector), len(entries[0].Vector),
				fault.ErrInvalid)
		case !e.Vector.IsUnit():
			return fmt.Errorf("vector of entry %q is not of unit length: %w", e.ID, fault.ErrInvalid)
		}
		seen[e.ID] = true
	}
	return nil
}

// CheckSearch returns what Nearest of an [Index] of that dimension has to refuse, as [fault.ErrInvalid].
func CheckSearch(v Vector, n, dimension int) error {
	switch {
	case n < 1:
		return fmt.Errorf("search for %d entries: %w", n, fault.ErrInvalid)
	case len(v) != dimension:
		return fmt.Errorf("vector of %d dimensions in an index of %d: %w", len(v), dimension, fault.ErrInvalid)
	case !v.IsUnit():
		return fmt.Errorf("vector is not of unit length: %w", fault.ErrInvalid)
	}
	return nil
}
