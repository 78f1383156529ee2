package runs_test

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"annai/runs"
)

// anyMeaning gives each text a vector of its own, and a text of two words two.
type anyMeaning struct{}

func (anyMeaning) Fingerprint() string { return "any" }

func (anyMeaning) Vectors(_ context.Context, text string) (vectors [][]float32, _ error) {
	for word := range slices.Values(wordsOf(text)) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(word))
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		angle := random.Float64() * 2 * math.Pi
		vectors = append(vectors, []float32{float32(math.Cos(angle)), float32(math.Sin(angle))})
	}
	return vectors, nil
}

func wordsOf(text string) (words []string) {
	var a, b string
	n, _ := fmt.Sscan(text, &a, &b)
	return []string{a, b}[:n]
}

// flatVectors is an index that compares all.
type flatVectors map[string][][]float32

func (x flatVectors) Put(_ context.Context, id string, vectors [][]float32) error {
	x[id] = vectors
	return nil
}

func (x flatVectors) Remove(_ context.Context, id string) error {
	delete(x, id)
	return nil
}

func (x flatVectors) Len() (n int) {
	for _, vectors := range x {
		n += len(vectors)
	}
	return n
}

func (x flatVectors) Nearest(_ context.Context, v []float32, n int) (near []runs.Near, _ error) {
	for id, vectors := range x {
		for _, kept := range vectors {
			near = append(near, runs.Near{ID: id, Cosine: float64(v[0]*kept[0] + v[1]*kept[1])})
		}
	}
	slices.SortFunc(near, func(a, b runs.Near) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return near[:min(n, len(near))], nil
}

// What a search with an index finds is what one finds that compares all, whatever another process writes, forgets or
// lets end between two searches.
func TestSearchWithIndex(t *testing.T) {
	bubble(t, func(w *world) {
		w.meaning = anyMeaning{}
		writes := w.process(runs.Options{})
		looked := 0
		w.vectors = func() (runs.Vectors, error) {
			looked++
			return flatVectors{}, nil
		}
		searches := w.process(runs.Options{})
		random := rand.New(rand.NewPCG(3, 4))
		write := func() {
			n := random.IntN(900)
			item := runs.NewItem{Namespace: []string{"all", fmt.Sprint("of", min(n%8, 1))}, Key: fmt.Sprint(n)}
			switch random.IntN(6) {
			case 0:
				if err := writes.DeleteItem(t.Context(), item.Namespace, item.Key); err != nil {
					t.Fatal(err)
				}
				return
			case 1:
				item.TTL = 1
			case 2:
				item.Index.Off = true
			}
			item.Value = runs.Object{"is": fmt.Sprint(random.IntN(200), " ", random.IntN(200)), "even": n%7 == 0}
			if err := writes.PutItem(t.Context(), item); err != nil {
				t.Fatal(err)
			}
		}
		for range 2000 {
			write()
		}
		for step := range 200 {
			for range 20 {
				write()
			}
			time.Sleep(3 * time.Second)
			f := runs.ItemFilter{Page: runs.Page{Limit: 1 + random.IntN(20), Offset: random.IntN(3) * 5}}
			f.Prefix = [][]string{nil, {"all"}, {"all", "of1"}, {"all", "of"}}[step%4]
			if step%3 == 0 {
				f.Match = runs.Object{"even": true}
			}
			query := fmt.Sprint("query", step)
			want, err := writes.SearchItems(t.Context(), f, query)
			if err != nil {
				t.Fatal(err)
			}
			got, err := searches.SearchItems(t.Context(), f, query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("step %d, %+v (-compared +index):\n%s", step, f, diff)
			}
		}
		if looked == 0 {
			t.Error("no index was made")
		}
	})
}
