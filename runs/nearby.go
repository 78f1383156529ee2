package runs

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
)

// Vectors is an index of vectors, several for each id. It need not be safe for concurrent use.
type Vectors interface {
	// Put adds the vectors of an id, in place of those that it had.
	Put(ctx context.Context, id string, vectors [][]float32) error
	// Remove removes the vectors of an id. One that has none is no error.
	Remove(ctx context.Context, id string) error
	// Len returns how many vectors there are.
	Len() int
	// Nearest returns the ids of the n vectors that are nearest to v, nearest first, or of all if there are fewer.
	Nearest(ctx context.Context, v []float32, n int) ([]Near, error)
}

// A Near is what [Vectors].Nearest found: the cosine is at most 1, and off by less than 1e-4.
type Near struct {
	ID     string
	Cosine float64
}

// Where items are looked for with an index. Fewer are read and compared sooner than looked up; more would take more
// memory than the whole of the program.
const (
	indexedFrom = 64
	indexedTo   = 20_000
)

// nearby follows what the store holds, with an index for each namespace. The store stays the truth, since other
// processes write to it too: each search asks it which version of which item there is, and reads those that changed.
type nearby struct {
	new   func() (Vectors, error)
	stamp uint64
	size  int // how many numbers a vector has

	mu     sync.Mutex
	spaces map[string]*space // by namespace
	count  int               // of vectors in all of them
}

// A space is what is known of a namespace.
type space struct {
	labels   []string
	vectors  Vectors
	versions map[string]int64 // by key
}

func newNearby(parts Parts) *nearby {
	if parts.Meaning == nil || parts.NewVectors == nil {
		return nil
	}
	return &nearby{new: parts.NewVectors, stamp: stampOf(parts.Meaning), spaces: map[string]*space{}}
}

// nameOf names a namespace; its labels have no dots.
func nameOf(namespace []string) string { return strings.Join(namespace, ".") }

// search returns the first items that are near one of the vectors, nearest first, as many as the page's end says.
// Fewer, or nil, say that the index does not know: then all items have to be compared.
func (x *nearby) search(ctx context.Context, store Items, f ItemFilter, wanted [][]float32) ([]FoundItem, error) {
	last := f.Page.Offset + f.Page.Limit
	if x == nil || f.Page.Limit < 0 || f.Page.Offset < 0 || last <= 0 {
		return nil, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	there, err := store.ItemVersions(ctx, f.Prefix, f.Now)
	if err != nil || len(there) < max(indexedFrom, last) || len(there) > indexedTo {
		return nil, err
	}
	x.size = len(wanted[0])
	spaces, err := x.follow(ctx, store, f, there)
	if err != nil || x.count > indexedTo {
		x.spaces, x.count = map[string]*space{}, 0 // too many, or out of step: the next search makes it anew
		return nil, err
	}
	s := nearbySearch{store: store, filter: f, wanted: wanted, stamp: x.stamp, spaces: spaces}
	return s.run(ctx, last)
}

// follow brings the index to what is there below the prefix, and returns the namespaces there.
func (x *nearby) follow(
	ctx context.Context, store Items, f ItemFilter, there []ItemVersion,
) (map[string]*space, error) {
	if x.count+len(there) > 2*indexedTo {
		x.spaces, x.count = map[string]*space{}, 0
	}
	seen := map[string]map[string]bool{}
	var changed []ItemVersion
	for _, v := range there {
		name := nameOf(v.Namespace)
		if seen[name] == nil {
			seen[name] = map[string]bool{}
		}
		seen[name][v.Key] = true
		if known := x.spaces[name]; known != nil {
			if version, ok := known.versions[v.Key]; ok && version == v.Version {
				continue
			}
		}
		changed = append(changed, v)
	}
	if err := x.forget(ctx, f.Prefix, seen); err != nil {
		return nil, err
	}
	for some := range slices.Chunk(changed, 256) {
		items, err := store.ItemsAt(ctx, some, f.Now)
		if err != nil {
			return nil, err
		}
		for _, i := range items {
			if err := x.put(ctx, i); err != nil {
				return nil, err
			}
		}
	}
	spaces := map[string]*space{}
	for name := range seen {
		if s := x.spaces[name]; s != nil {
			spaces[name] = s
		}
	}
	return spaces, nil
}

// forget drops what is there no more below the prefix.
func (x *nearby) forget(ctx context.Context, prefix []string, seen map[string]map[string]bool) error {
	for name, s := range x.spaces {
		if !Begins(s.labels, prefix) {
			continue
		}
		before := s.vectors.Len()
		for key := range s.versions {
			if seen[name][key] {
				continue
			}
			if err := s.vectors.Remove(ctx, key); err != nil {
				return err
			}
			delete(s.versions, key)
		}
		x.count += s.vectors.Len() - before
		if len(s.versions) == 0 {
			delete(x.spaces, name)
		}
	}
	return nil
}

func (x *nearby) put(ctx context.Context, i Item) error {
	name := nameOf(i.Namespace)
	s := x.spaces[name]
	if s == nil {
		vectors, err := x.new()
		if err != nil {
			return err
		}
		s = &space{labels: i.Namespace, vectors: vectors, versions: map[string]int64{}}
		x.spaces[name] = s
	}
	before := s.vectors.Len()
	if err := s.vectors.Put(ctx, i.Key, vectorsOf(i.Meaning, x.stamp, x.size)); err != nil {
		return err
	}
	s.versions[i.Key] = i.Version
	x.count += s.vectors.Len() - before
	return nil
}

// nearbySearch is one search.
type nearbySearch struct {
	store  Items
	filter ItemFilter
	wanted [][]float32
	stamp  uint64
	spaces map[string]*space

	asked map[itemID]bool
	found []FoundItem
}

// itemID says which item.
type itemID struct{ namespace, key string }

const (
	// moreNear is how many vectors are asked for besides those that are wanted.
	moreNear = 16
	// nearOff is more than the cosines of an index are off.
	nearOff = 1e-4
)

// run asks for more and more vectors until no other item can be among those that are wanted.
func (s *nearbySearch) run(ctx context.Context, last int) ([]FoundItem, error) {
	s.asked = map[itemID]bool{}
	for n := last + moreNear; ; n *= 4 {
		beyond, err := s.look(ctx, n)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(s.found, byScore)
		if len(s.found) >= last && *s.found[last-1].Score > beyond+nearOff {
			return s.found[:last], nil
		}
		if math.IsInf(beyond, -1) { // all vectors have been looked at
			return s.found[:min(last, len(s.found))], nil
		}
	}
}

// byScore sorts the nearest first, and equally near ones as the store does.
func byScore(a, b FoundItem) int {
	return cmp.Or(cmp.Compare(*b.Score, *a.Score), slices.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Key, b.Key))
}

// look adds the items of the n nearest vectors of each namespace to what was found. What was not looked at is no nearer
// than beyond.
func (s *nearbySearch) look(ctx context.Context, n int) (beyond float64, err error) {
	beyond = math.Inf(-1)
	var more []ItemVersion
	for name, space := range s.spaces {
		for _, v := range s.wanted {
			near, err := space.vectors.Nearest(ctx, v, n)
			if err != nil {
				return 0, err
			}
			if len(near) == n && space.vectors.Len() > n {
				beyond = max(beyond, near[n-1].Cosine)
			}
			for _, each := range near {
				id := itemID{name, each.ID}
				if !s.asked[id] {
					s.asked[id] = true
					more = append(more, ItemVersion{Namespace: space.labels, Key: each.ID})
				}
			}
		}
	}
	items, err := s.store.ItemsAt(ctx, more, s.filter.Now)
	if err != nil {
		return 0, err
	}
	for _, i := range items {
		if score := nearness(s.wanted, s.stamp, i.Meaning); score != nil && Matches(i.Value, s.filter.Match) {
			s.found = append(s.found, FoundItem{i, score})
		}
	}
	return beyond, nil
}
