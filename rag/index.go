package rag

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"annai/civil"
	"annai/fault"
)

// An Entry is a passage's vector in an [Index], with what the index can filter by.
type Entry struct {
	ID       string
	Vector   Vector
	Lang     string
	Category string
	// ValidFrom and ValidUntil are those of the passage.
	ValidFrom, ValidUntil civil.Date
}

// A Filter leaves entries out. The zero Filter leaves none out.
type Filter struct {
	// Lang and Category keep only entries that have the same, if they are not empty.
	Lang, Category string
	// On keeps only entries that are valid on that day, if it is not zero.
	On civil.Date
}

// Keeps reports whether an entry is not left out.
func (f Filter) Keeps(e *Entry) bool {
	return (f.Lang == "" || f.Lang == e.Lang) && (f.Category == "" || f.Category == e.Category) &&
		holds(f.On, e.ValidFrom, e.ValidUntil)
}

// holds reports whether something is valid on a day, both bounds included; zero is unbounded, and any day.
func holds(on, from, until civil.Date) bool {
	return on.IsZero() || (from.IsZero() || !on.Before(from)) && (until.IsZero() || !on.After(until))
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
