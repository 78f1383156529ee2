// Package budget prints the rows of the budget of speed and memory, from benchmarks: what was measured beside its limit. A ratio to a
// hand-written limit is the median over rounds in which both take turns, because machines differ and are noisy.
package budget

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// Rounds is how often what takes long is measured.
const Rounds = 7

// Ratio returns the median of a hundred rounds of [Once]. They should take less than a millisecond each: then most of them are not disturbed, even on
// a machine that others use.
func Ratio(n int, ours, limit func()) float64 {
	ratios := make([]float64, 101)
	for i := range ratios {
		ratios[i] = Once(n, ours, limit)
	}
	return Median(ratios)
}

// Once returns the time of ours over that of limit, each called n times.
func Once(n int, ours, limit func()) float64 {
	times := func(f func()) float64 {
		began := time.Now()
		for range n {
			f()
		}
		return float64(time.Since(began))
	}
	a := times(ours)
	return a / times(limit)
}

// Median returns the median; values is sorted afterwards.
func Median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// AtMost prints a row whose value must not be above the limit.
func AtMost(w io.Writer, row string, value float64, unit string, limit float64) {
	line(w, row, value, unit, limit, value <= limit)
}

// AtLeast prints a row whose value must not be below the limit.
func AtLeast(w io.Writer, row string, value float64, unit string, limit float64) {
	line(w, row, value, unit, limit, value >= limit)
}

func line(w io.Writer, row string, value float64, unit string, limit float64, ok bool) {
	verdict := "ok"
	if !ok {
		verdict = "OVER"
	}
	_, _ = fmt.Fprintf(w, "bench: %s %.3g %s limit %g %s\n", row, value, unit, limit, verdict)
}
