package chromem_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	library "github.com/philippgille/chromem-go"

	"annai/internal/budget"
	"annai/runs"
	"annai/runs/mem"
)

// anyMeaning gives each text a vector of its own.
type anyMeaning struct{}

func (anyMeaning) Fingerprint() string { return "any" }

func (anyMeaning) Vectors(_ context.Context, text string) ([][]float32, error) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
	v, sum := make([]float32, 512), 0.0
	for i := range v {
		x := random.Float64() - 0.5
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return [][]float32{v}, nil
}

// noGraph is there because a service has one.
type noGraph struct{ runs.Graph }

func (noGraph) ID() string { return "none" }

// itemSearch is a store with items, and an index of their vectors.
type itemSearch struct {
	store   *mem.Store
	service *runs.Service
	index   *library.Collection
}

const (
	itemsWanted = 10
	itemQuery   = "what is sweet?"
)

// read reads all items that match. What is kept outside may have been written by another process, so that each
// search does.
func (s itemSearch) read(ctx context.Context) ([]runs.Item, error) {
	return s.store.SearchItems(ctx, runs.ItemFilter{Prefix: []string{"food"}, Page: runs.Page{Limit: -1}})
}

// byOne is the search of the product: it compares all that was read.
func (s itemSearch) byOne(ctx context.Context) error {
	f := runs.ItemFilter{Prefix: []string{"food"}, Page: runs.Page{Limit: itemsWanted}}
	found, err := s.service.SearchItems(ctx, f, itemQuery)
	if err != nil {
		return err
	}
	return checkItems(found)
}

// byIndex compares with the library, which is made the best of: its index is there already, nobody looks whether
// it still holds what was read, and it is asked for little more than is wanted, as if every item matched.
func (s itemSearch) byIndex(ctx context.Context) error {
	vectors, err := anyMeaning{}.Vectors(ctx, itemQuery)
	if err != nil {
		return err
	}
	items, err := s.read(ctx)
	if err != nil {
		return err
	}
	known := make(map[string]runs.Item, len(items))
	for _, i := range items {
		known[i.Key] = i
	}
	near, err := s.index.QueryEmbedding(ctx, vectors[0], itemsWanted+16, nil, nil)
	if err != nil {
		return err
	}
	var found []runs.FoundItem
	for _, r := range near[:itemsWanted] {
		score := float64(r.Similarity)
		found = append(found, runs.FoundItem{Item: known[r.ID], Score: &score})
	}
	return checkItems(found)
}

// BenchmarkItems is a search by meaning among the items of LangGraph's store, as it is, and with an index of
// chromem-go in the place of comparing one by one: how many times as long it takes with the latter, beside how long
// the reading alone takes, which both do. Less than the limit would be a reason to have the index: see decision 5.
func BenchmarkItems(b *testing.B) {
	for _, n := range []int{100, 300, 1000, 10_000} {
		s := itemsOf(b, n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var took [3][]float64
			for b.Loop() {
				for i, search := range []func(context.Context) error{
					s.byOne, s.byIndex, func(ctx context.Context) error { _, err := s.read(ctx); return err },
				} {
					began := time.Now()
					if err := search(b.Context()); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], float64(time.Since(began))/float64(time.Millisecond))
				}
			}
			one, by := budget.Median(took[0]), budget.Median(took[1])
			b.ReportMetric(one, "ms-one-by-one")
			b.ReportMetric(by, "ms-chromem")
			b.ReportMetric(budget.Median(took[2]), "ms-reading")
			budget.AtLeast(os.Stdout, fmt.Sprintf("items-chromem-%d", n), by/one, "x the time of one by one", 0.5)
		})
	}
}

// itemsOf puts n items in a store, and their vectors in an index of the library.
func itemsOf(b *testing.B, n int) itemSearch {
	b.Helper()
	s := itemSearch{store: mem.New(mem.Options{})}
	var err error
	s.service, err = runs.New(runs.Parts{
		Store: s.store, Queue: mem.NewQueue(s.store, time.Now, mem.QueueOptions{}), Graphs: []runs.Graph{noGraph{}},
		Now: time.Now, Meaning: anyMeaning{},
	}, runs.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if s.index, err = library.NewDB().CreateCollection("items", nil, nil); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		key := fmt.Sprint("item ", i)
		item := runs.NewItem{Namespace: []string{"food"}, Key: key, Value: runs.Object{"text": key}}
		if err := s.service.PutItem(b.Context(), item); err != nil {
			b.Fatal(err)
		}
		vectors, err := anyMeaning{}.Vectors(b.Context(), key)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.index.AddDocument(b.Context(), library.Document{ID: key, Embedding: vectors[0]}); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// checkItems says that a search did not find as many items as it should.
func checkItems(found []runs.FoundItem) error {
	if len(found) != itemsWanted || found[0].Key == "" || found[0].Score == nil {
		return fmt.Errorf("%d items were found, want %d with scores", len(found), itemsWanted)
	}
	return nil
}
