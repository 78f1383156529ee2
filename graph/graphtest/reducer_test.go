package graphtest_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"annai/graph"
	"annai/graph/graphtest"
)

// A verdict is a test that may fail.
type verdict struct {
	testing.TB

	said string
}

func (*verdict) Helper() {}

func (v *verdict) Fatalf(format string, args ...any) {
	v.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// A reducer that breaks the law is found out, and so is one that changes what it is given.
func TestCheckReducer(t *testing.T) {
	numbers := func(r *rand.Rand) []int { return []int{r.IntN(9), r.IntN(9), r.IntN(9)} }
	appended := func(a, b []int) []int { return slices.Concat(a, b) }
	for name, c := range map[string]struct {
		reducer graph.Reducer[[]int, []int]
		want    string
	}{
		"lawful":      {graph.Reducer[[]int, []int]{Reduce: appended, Combine: appended}, ""},
		"wrong order": {graph.Reducer[[]int, []int]{Reduce: appended, Combine: func(a, b []int) []int { return slices.Concat(b, a) }}, "combined differ"},
		"changes": {graph.Reducer[[]int, []int]{
			Reduce:  func(a, b []int) []int { a[0] += b[0]; return slices.Clone(a) },
			Combine: func(a, b []int) []int { return []int{a[0] + b[0]} },
		}, "value"},
	} {
		t.Run(name, func(t *testing.T) {
			v := new(verdict)
			done := make(chan struct{})
			go func() {
				defer close(done)
				graphtest.CheckReducer(v, c.reducer, numbers, numbers)
			}()
			<-done
			if (c.want == "") != (v.said == "") || !strings.Contains(v.said, c.want) {
				t.Errorf("CheckReducer said %q, want %q in it", v.said, c.want)
			}
		})
	}
}
