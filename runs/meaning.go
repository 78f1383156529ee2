package runs

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"

	"annai/fault"
)

// A Meaning turns texts into vectors, so that items are found by what they mean. It is safe for concurrent use.
type Meaning interface {
	// Vectors returns a vector of unit length for each part of a text, all of one dimension; none for a text that says nothing.
	Vectors(ctx context.Context, text string) ([][]float32, error)
	// Fingerprint names what makes the vectors. Those of another are not compared with them.
	Fingerprint() string
}

// A FoundItem is an item that a search found. Score says how near it is to the query, up to 1; nil: it was not found by its meaning.
type FoundItem struct {
	Item

	Score *float64 `json:"score,omitempty"`
}

// SearchItems returns items; the filter's Now is given here. With a query those that are nearest to it in meaning come first, then those of which nothing
// is known to compare; without one, or without a [Meaning], they are sorted by namespace and key.
func (s *Service) SearchItems(ctx context.Context, f ItemFilter, query string) ([]FoundItem, error) {
	f.Now = s.now()
	wanted, err := s.meant(ctx, query)
	if err != nil {
		return nil, err
	}
	if len(wanted) == 0 {
		items, err := s.parts.Store.SearchItems(ctx, f)
		return scored(items, func(Item) *float64 { return nil }), err
	}
	found, err := s.nearby.search(ctx, s.parts.Store, f, wanted)
	if err != nil {
		return nil, err
	}
	if wants := f.Page.Offset + f.Page.Limit; found == nil || len(found) < wants {
		found, err = s.compareAll(ctx, f, wanted)
	} else {
		found = found[f.Page.Offset:]
	}
	if err == nil && f.Refresh {
		err = s.refreshItems(ctx, found, f)
	}
	return found, err
}

// compareAll reads all items of the filter, and compares each.
func (s *Service) compareAll(ctx context.Context, f ItemFilter, wanted [][]float32) ([]FoundItem, error) {
	all := f
	all.Page, all.Refresh = Page{Limit: -1}, false
	items, err := s.parts.Store.SearchItems(ctx, all)
	if err != nil {
		return nil, err
	}
	stamp := stampOf(s.parts.Meaning)
	found := scored(items, func(i Item) *float64 { return nearness(wanted, stamp, i.Meaning) })
	slices.SortStableFunc(found, func(a, b FoundItem) int { return cmp.Compare(rank(b), rank(a)) })
	found = found[min(max(f.Page.Offset, 0), len(found)):]
	if f.Page.Limit >= 0 {
		found = found[:min(f.Page.Limit, len(found))]
	}
	return found, nil
}

func scored(items []Item, score func(Item) *float64) []FoundItem {
	found := make([]FoundItem, len(items))
	for n, i := range items {
		found[n] = FoundItem{i, score(i)}
	}
	return found
}

// rank sorts what has no score last.
func rank(f FoundItem) float64 {
	if f.Score == nil {
		return math.Inf(-1)
	}
	return *f.Score
}

// refreshItems lets those of the items that have a TTL live that long from now on.
func (s *Service) refreshItems(ctx context.Context, items []FoundItem, f ItemFilter) error {
	for _, i := range items {
		if i.TTLMinutes == 0 {
			continue
		}
		if _, err := s.parts.Store.Item(ctx, i.Namespace, i.Key, f.Now, true); err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
	}
	return nil
}

// meant returns the vectors of a text; none where there is nothing to make them, or nothing to make them of.
func (s *Service) meant(ctx context.Context, text string) ([][]float32, error) {
	if s.parts.Meaning == nil || text == "" {
		return nil, nil
	}
	return s.parts.Meaning.Vectors(ctx, text)
}

// meaning is what an item keeps of what it means: the stamp of what made the vectors, and their numbers. Nil for nothing.
func (s *Service) meaning(ctx context.Context, text string) ([]byte, error) {
	vectors, err := s.meant(ctx, text)
	if err != nil || len(vectors) == 0 {
		return nil, err
	}
	kept := binary.LittleEndian.AppendUint64(nil, stampOf(s.parts.Meaning))
	for _, v := range vectors {
		for _, x := range v {
			kept = binary.LittleEndian.AppendUint32(kept, math.Float32bits(x))
		}
	}
	return kept, nil
}

func stampOf(m Meaning) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(m.Fingerprint()))
	return h.Sum64()
}

// vectorsOf reads the vectors, of that size, of what an item keeps; none where they can't be compared.
func vectorsOf(kept []byte, stamp uint64, size int) (vectors [][]float32) {
	if len(kept) < 8 || binary.LittleEndian.Uint64(kept) != stamp {
		return nil
	}
	for kept = kept[8:]; len(kept) >= 4*size; kept = kept[4*size:] {
		v := make([]float32, size)
		for n := range v {
			v[n] = math.Float32frombits(binary.LittleEndian.Uint32(kept[4*n:]))
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// nearness is the largest cosine between one of the vectors and one of those kept; nil where none can be compared.
func nearness(wanted [][]float32, stamp uint64, kept []byte) *float64 {
	if len(kept) < 8 || binary.LittleEndian.Uint64(kept) != stamp {
		return nil
	}
	best := math.Inf(-1)
	for kept, size := kept[8:], 4*len(wanted[0]); len(kept) >= size; kept = kept[size:] {
		for _, v := range wanted {
			cosine := 0.0
			for n, x := range v {
				cosine += float64(x) * float64(math.Float32frombits(binary.LittleEndian.Uint32(kept[4*n:])))
			}
			best = max(best, cosine)
		}
	}
	return &best
}
