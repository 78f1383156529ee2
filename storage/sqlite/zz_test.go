package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"annai/graph"
	"annai/internal/budget"
	"annai/storage/row"
	"annai/storage/sqlite"
)

func BenchmarkZZ(b *testing.B) {
	for _, d := range []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync} {
		var out [4][]float64
		store, _ := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "annai.db"), sqlite.Options{})
		seen := &witness{Checkpointer: store, codec: new(row.Codec)}
		g := w1(b, seen, d)
		g.Invoke(context.Background(), graph.Input[work]{}, graph.RunOptions{ThreadID: "1"})
		hand := byHand(b, seen)
		hand2 := byHand(b, seen)
		n := 1
		puts := func() {
			n++
			for _, r := range seen.records {
				if err := store.Put(context.Background(), strconv.Itoa(n), r); err != nil {
					b.Fatal(err)
				}
			}
		}
		behind := func() {
			n++
			th := strconv.Itoa(n)
			for i, r := range seen.records {
				if i == 0 {
					store.Put(context.Background(), th, r)
					continue
				}
				c := make(chan error, 1)
				go func() { c <- store.Put(context.Background(), th, r) }()
				<-c
			}
		}
		full := w1(b, store, d)
		runs := func() {
			n++
			full.Invoke(context.Background(), graph.Input[work]{}, graph.RunOptions{ThreadID: strconv.Itoa(n)})
		}
		fs := []func(){runs, puts, hand2, behind}
		for range 400 {
			hand()
			hand2()
			runs()
		}
		for range 14 {
			for i, f := range fs {
				out[i] = append(out[i], alternate(50, f, hand))
			}
		}
		var abs [5][]float64
		for range 500 {
			for i, f := range append(fs, hand) {
				began := time.Now()
				f()
				abs[i] = append(abs[i], float64(time.Since(began))/1000)
			}
		}
		for i := range abs { fmt.Printf("%.1f ", budget.Median(abs[i])) }
		store.Close()
		for i, name := range []string{"runs", "puts", "hand2", "behind"} {
			fmt.Printf("%s %s %.3f\n", d, name, budget.Median(out[i]))
		}
	}
}
