package graphtest

import (
	"fmt"
	"testing"

	"annai/graph"
)

// BenchmarkLoad loads the newest record, with five ancestors, and lists a page, out of threads of several lengths: the length must not matter.
func BenchmarkLoad(b *testing.B, s graph.Checkpointer) {
	b.Helper()
	for _, length := range []int64{10, 5000} {
		thread := fmt.Sprint("thread of ", length)
		for id := int64(1); id <= length; id++ {
			r := record(id, id-1)
			r.Base = max(1, id-5)
			if err := s.Put(b.Context(), thread, r); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(fmt.Sprint("load out of ", length), func(b *testing.B) {
			for b.Loop() {
				if chain, _, err := s.Load(b.Context(), thread, "", 0); err != nil || len(chain) != 6 {
					b.Fatalf("Load = %d records, %v, want 6", len(chain), err)
				}
			}
		})
		b.Run(fmt.Sprint("list 10 out of ", length), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.List(b.Context(), thread, "", length/2, 10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
