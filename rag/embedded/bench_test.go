package embedded

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/internal/matrix"
)

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// BenchmarkMemory is what the model adds to a process, pages of the program that it reads included.
// It comes first, while the process is still small.
func BenchmarkMemory(b *testing.B) {
	runtime.GC()
	before := resident(b)
	e := adapted(b)
	for b.Loop() {
		embed(b, e, "コインロッカーは改札を出て右側にあります。")
	}
	budget.AtMost(os.Stdout, "embedder-resident", resident(b)-before, "MB", 60)
}

// BenchmarkEmbed is a question of 15 tokens on one core.
func BenchmarkEmbed(b *testing.B) {
	texts := []string{"コインロッカーは改札を出て右側にあります。"}
	for _, bench := range []struct {
		name, row string
		multiply  matrix.Tile
		limit     float64
	}{
		{"fastest", "embedder-15-tokens", matrix.FastestTile(), 3},
		{"plain", "embedder-15-tokens-plain", matrix.PlainTile, 20},
	} {
		b.Run(bench.name, func(b *testing.B) {
			e := adapted(b)
			e.multiply = bench.multiply
			embed(b, e, texts...) // reads the model
			var rounds []float64
			for b.Loop() {
				began := time.Now()
				embed(b, e, texts...)
				rounds = append(rounds, ms(time.Since(began)))
			}
			budget.AtMost(os.Stdout, bench.row, budget.Median(rounds), "ms", bench.limit)
		})
	}
}

// BenchmarkLoad reads the model inside the program; "nothing" is all that a process pays that never embeds.
func BenchmarkLoad(b *testing.B) {
	b.Run("nothing", func(b *testing.B) {
		for b.Loop() {
			newWith(b, matrix.FastestTile())
		}
	})
	b.Run("model", func(b *testing.B) {
		var rounds []float64
		for b.Loop() {
			began := time.Now()
			modelInside(b)
			rounds = append(rounds, ms(time.Since(began)))
		}
		budget.AtMost(os.Stdout, "embedder-load", budget.Median(rounds), "ms", 100)
	})
}

// resident returns the memory of this process, in MB.
func resident(b *testing.B) float64 {
	b.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Skipf("SKIPPED: %v", err)
	}
	pages, err := strconv.Atoi(string(bytes.Fields(data)[1]))
	if err != nil {
		b.Fatalf("statm = %q: %v", data, err)
	}
	return float64(pages*os.Getpagesize()) / (1 << 20)
}
