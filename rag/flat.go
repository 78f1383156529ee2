package rag

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"annai/fault"
	"annai/internal/matrix"
)

// NewFlat is the [NewIndex] of the reference: it compares with every entry and uses no library. Where
// the machine has a fast product of integers, entries are first compared with their vectors rounded to
// bytes, which says how near they are to within some hundredths. Those that may be among the nearest are
// then compared as they are, so that what is found is the same to the last bit.
func NewFlat(ctx context.Context, _ string, entries []Entry) (Index, error) {
	if err := CheckEntries(entries); err != nil {
		return nil, err
	}
	x := flat{scans: map[kind]*scan{}}
	for _, e := range entries {
		k := kind{e.Lang, e.Category}
		if x.dimension = len(e.Vector); x.scans[k] == nil {
			x.scans[k] = new(scan)
		}
		s := x.scans[k]
		s.entries = append(s.entries, e)
		s.dated = s.dated || !e.ValidFrom.IsZero() || !e.ValidUntil.IsZero()
	}
	if x.rounded = fastRounded && x.dimension%matrix.Block == 0; x.rounded {
		for _, s := range x.scans {
			s.round(x.dimension)
		}
	}
	return x, ctx.Err()
}

// flat has a scan for each language and category: few titles are parts of a venue, and many are events.
type flat struct {
	dimension int // 0 where there is nothing
	scans     map[kind]*scan
	rounded   bool // the scans have vectors as bytes
}

type kind struct{ lang, category string }

// Nearest implements [Index].
func (x flat) Nearest(ctx context.Context, v Vector, n int, f Filter) ([]Neighbour, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("search vectors: %w: %w", fault.ErrUnavailable, err)
	}
	dimension := x.dimension
	if dimension == 0 {
		dimension = len(v)
	}
	if err := CheckSearch(v, n, dimension); err != nil {
		return nil, err
	}
	var kept []*scan
	size := 0
	for k, s := range x.scans {
		if (f.Lang == "" || f.Lang == k.lang) && (f.Category == "" || f.Category == k.category) {
			kept = append(kept, s)
			size += s.parts() * flatShare
		}
	}
	if !x.rounded {
		return nearestOf(kept, v, n, f), nil
	}
	memory := productMemory.Get().(*[]float32)
	defer productMemory.Put(memory)
	*memory = slices.Grow((*memory)[:0], size)[:size]
	rest, about := *memory, make([][]float32, len(kept))
	for i, s := range kept {
		about[i], rest = rest[:s.parts()*flatShare], rest[s.parts()*flatShare:]
		s.products(v, about[i])
	}
	return exactly(kept, about, v, n, f), nil
}

// nearestOf returns the n nearest entries of some scans, nearest first, and compares with every one.
func nearestOf(scans []*scan, v Vector, n int, f Filter) []Neighbour {
	var best []Neighbour
	for _, s := range scans {
		found := make([][]Neighbour, s.parts())
		s.each(func(p int) {
			some := s.entries[p*flatShare : min((p+1)*flatShare, len(s.entries))]
			for i := range some {
				found[p] = nearer(found[p], v, &some[i], n, f)
			}
		})
		best = append(best, slices.Concat(found...)...)
	}
	slices.SortFunc(best, CompareNeighbours)
	return best[:min(n, len(best))]
}

// A scan compares with every entry of a kind.
type scan struct {
	entries []Entry
	// rounded are the vectors of the entries as bytes, a part of them each; none where it is not worth it.
	rounded []matrix.Matrix
	// off is by how much a product with a rounded vector differs from the cosine, at most.
	off float32
	// dated says that some entries are not valid always.
	dated bool
}

// parts is how many goroutines the entries are worth.
func (s *scan) parts() int { return (len(s.entries) + flatShare - 1) / flatShare }

// keeps reports whether a filter for the kind of these entries leaves one of them in.
func (s *scan) keeps(i int, f Filter) bool { return !s.dated || f.Keeps(&s.entries[i]) }

const (
	// flatShare is how many entries are worth a goroutine. It is a multiple of [matrix.TileColumns].
	flatShare = 1024
	// offProduct is more than the product itself adds to what rounding a vector does: it rounds the
	// question to 16 bits within blocks, which is 0.00035 at most, and adds up in single precision.
	offProduct = 1e-3
)

// round prepares the vectors as bytes.
func (s *scan) round(dimension int) {
	weights := make([]byte, dimension*flatShare) // by input, then by entry
	for from := 0; from < len(s.entries); from += flatShare {
		some := s.entries[from:min(from+flatShare, len(s.entries))]
		columns := (len(some) + matrix.TileColumns - 1) / matrix.TileColumns * matrix.TileColumns
		scales := make([]float32, columns)
		clear(weights)
		for c, e := range some {
			var off float32
			scales[c], off = roundVector(e.Vector, weights[c:], columns)
			s.off = max(s.off, off+offProduct)
		}
		s.rounded = append(s.rounded, matrix.New(string(weights[:dimension*columns]), dimension, columns, scales))
	}
}

// roundVector writes the numbers of a vector as bytes, so far apart, and returns the value of a 1, and
// by how much the vector is off then: products with vectors of unit length differ by no more.
func roundVector(v Vector, to []byte, apart int) (scale, off float32) {
	for _, x := range v {
		scale = max(scale, float32(math.Abs(float64(x))))
	}
	scale /= math.MaxInt8
	sum := 0.0
	for i, x := range v {
		n := math.Round(float64(x / scale))
		to[i*apart] = byte(int8(n))
		d := float64(x) - n*float64(scale)
		sum += d * d
	}
	return scale, float32(math.Sqrt(sum))
}

// products multiplies a vector with the rounded ones of all entries.
func (s *scan) products(v Vector, to []float32) {
	s.each(func(p int) {
		m := &s.rounded[p]
		m.Apply(tile, v, 0, 1, to[p*flatShare:][:m.Out], 0)
	})
}

// productMemory is what nobody needs now to keep products in.
var productMemory = sync.Pool{New: func() any { return new([]float32) }}

// tile multiplies with rounded vectors.
var tile = matrix.FastestTile()

// each does something with parts of the entries, on as many cores as they are worth.
func (s *scan) each(do func(p int)) {
	parts := s.parts()
	if parts == 1 || runtime.GOMAXPROCS(0) == 1 {
		for p := range parts {
			do(p)
		}
		return
	}
	_ = share(parts, func(p int) error { do(p); return nil }) // which never fails
}

// exactly returns the n nearest entries of some scans, of each of which it is known about how near it is. One that is
// farther than the n-th by more than both may be off is not among them.
func exactly(scans []*scan, about [][]float32, v Vector, n int, f Filter) []Neighbour {
	var top []float32 // the n greatest, the least first
	var off float32
	least := float32(math.Inf(-1))
	for k, s := range scans {
		off = max(off, s.off)
		for i, a := range about[k][:len(s.entries)] {
			if a <= least || !s.keeps(i, f) {
				continue
			}
			if len(top) == n {
				top = slices.Delete(top, 0, 1)
			}
			at, _ := slices.BinarySearch(top, a)
			if top = slices.Insert(top, at, a); len(top) == n {
				least = top[0]
			}
		}
	}
	var best []Neighbour
	for k, s := range scans {
		for i, a := range about[k][:len(s.entries)] {
			if a >= least-2*off {
				best = nearer(best, v, &s.entries[i], n, f)
			}
		}
	}
	return best
}

// nearer puts an entry among the n nearest, nearest first, if it is one of them.
func nearer(best []Neighbour, v Vector, e *Entry, n int, f Filter) []Neighbour {
	if !f.Keeps(e) {
		return best
	}
	near := Neighbour{ID: e.ID, Cosine: Cosine(v, e.Vector)}
	if len(best) == n && CompareNeighbours(near, best[n-1]) > 0 {
		return best
	}
	i, _ := slices.BinarySearchFunc(best, near, CompareNeighbours)
	return slices.Insert(best[:min(len(best), n-1)], i, near)
}
