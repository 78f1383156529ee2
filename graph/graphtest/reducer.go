package graphtest

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"annai/graph"
)

// CheckReducer looks for values and updates that break the law of [graph.Reducer], or that a reducer changes. The two functions make random
// ones; they are called a thousand times with the same seed.
func CheckReducer[T, U any](t testing.TB, r graph.Reducer[T, U], value func(*rand.Rand) T, update func(*rand.Rand) U) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test wants the same numbers every time
	for range 1000 {
		v, x, y := value(random), update(random), update(random)
		one := r.Reduce(r.Reduce(v, x), y)
		both := r.Reduce(v, r.Combine(x, y))
		if diff := cmp.Diff(one, both, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("one after the other and combined differ for value %v, updates %v and %v (-one after the other +combined):\n%s", v, x, y, diff)
		}
		if again := r.Reduce(r.Reduce(v, x), y); !cmp.Equal(one, again, cmpopts.EquateEmpty()) {
			t.Fatalf("the reducer changed what it was given: value %v, updates %v and %v gave %v, then %v", v, x, y, one, again)
		}
	}
}
