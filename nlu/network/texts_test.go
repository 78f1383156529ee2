package network

import (
	"fmt"
	"slices"
	"testing"
)

// TestTexts: what comes again stays, whatever else comes, and the rest is forgotten in time.
func TestTexts(t *testing.T) {
	known := texts{most: 10}
	to := make([]float32, 2)
	known.put("again", []float32{1, 2})
	for i := range 100 {
		known.put(fmt.Sprint(i), []float32{3, 4})
		if !known.get("again", to) || !slices.Equal(to, []float32{1, 2}) {
			t.Fatalf("after %d others what comes again is %v", i+1, to)
		}
	}
	if known.get("0", to) || !known.get("99", to) {
		t.Error("the first other one is known, or the last one is not")
	}
	if n := len(known.known) + len(known.before); n > 10 {
		t.Errorf("%d texts of 2 numbers are known, want at most 20 numbers", n)
	}
}
