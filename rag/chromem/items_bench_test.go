package chromem_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/rag"
	"annai/rag/chromem"
	"annai/runs"
	"annai/runs/mem"
	"annai/runs/sqlite"
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

// vectors is the index of the product.
type vectors struct{ *chromem.Mutable }

func (x vectors) Put(ctx context.Context, id string, given [][]float32) error {
	list := make([]rag.Vector, len(given))
	for n, v := range given {
		list[n] = v
	}
	return x.Mutable.Put(ctx, id, list)
}

func (x vectors) Nearest(ctx context.Context, v []float32, n int) ([]runs.Near, error) {
	found, err := x.Mutable.Nearest(ctx, v, n)
	near := make([]runs.Near, len(found))
	for i, f := range found {
		near[i] = runs.Near(f)
	}
	return near, err
}

const (
	itemsWanted = 10
	itemQuery   = "what is sweet?"
)

// BenchmarkItems is a search by meaning among the items of LangGraph's store, in a file and in memory, with the index
// of chromem-go beside comparing one by one: how many times as long the latter takes.
func BenchmarkItems(b *testing.B) {
	for _, n := range []int{400, 1000, 10_000} {
		file, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "items.db"), sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for name, store := range map[string]runs.Store{"memory": mem.New(mem.Options{MaxItems: n}), "file": file} {
			b.Run(fmt.Sprintf("%s-%d", name, n), func(b *testing.B) { searchItems(b, store, name, n) })
		}
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func searchItems(b *testing.B, store runs.Store, name string, n int) {
	plain := itemService(b, store, nil)
	indexed := itemService(b, store, func() (runs.Vectors, error) {
		index, err := chromem.NewMutable()
		return vectors{index}, err
	})
	for i := range n {
		key := fmt.Sprint("item ", i)
		item := runs.NewItem{Namespace: []string{"food"}, Key: key, Value: runs.Object{"text": key}}
		if err := plain.PutItem(b.Context(), item); err != nil {
			b.Fatal(err)
		}
	}
	began := time.Now()
	findItems(b, indexed)
	b.ReportMetric(milliseconds(began), "ms-first")
	var took [2][]float64
	for b.Loop() {
		for i, s := range []*runs.Service{plain, indexed} {
			began := time.Now()
			findItems(b, s)
			took[i] = append(took[i], milliseconds(began))
		}
	}
	one, by := budget.Median(took[0]), budget.Median(took[1])
	b.ReportMetric(one, "ms-one-by-one")
	b.ReportMetric(by, "ms-chromem")
	budget.AtLeast(os.Stdout, fmt.Sprintf("items-%s-%d", name, n), one/by, "times as fast with the index", 1)
}

func milliseconds(since time.Time) float64 {
	return float64(time.Since(since)) / float64(time.Millisecond)
}

func itemService(b *testing.B, store runs.Store, newVectors func() (runs.Vectors, error)) *runs.Service {
	b.Helper()
	s, err := runs.New(runs.Parts{
		Store: store, Queue: mem.NewQueue(store, time.Now, mem.QueueOptions{}), Graphs: []runs.Graph{noGraph{}},
		Now: time.Now, Meaning: anyMeaning{}, NewVectors: newVectors,
	}, runs.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// findItems says where a search did not find as many items as it should.
func findItems(b *testing.B, s *runs.Service) {
	b.Helper()
	f := runs.ItemFilter{Prefix: []string{"food"}, Page: runs.Page{Limit: itemsWanted}}
	found, err := s.SearchItems(b.Context(), f, itemQuery)
	if err != nil || len(found) != itemsWanted || found[0].Key == "" || found[0].Score == nil {
		b.Fatalf("%d items were found, %v; want %d with scores", len(found), err, itemsWanted)
	}
}
