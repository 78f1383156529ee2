package network

import (
	"os"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/internal/matrix"
)

// sixty is a reading of some 60 tokens.
var sixty = Context{
	Said:    "すみません、こども向けのイベントって今週末なにかありますか",
	Ask:     "events",
	Subject: "親子で作るミニプラネタリウム",
	InView:  []string{"親子で作るミニプラネタリウム", "ロボット教室"},
}

func BenchmarkRead(b *testing.B) {
	plain := *opened(b)
	plain.multiply, plain.attend = matrix.PlainTile, matrix.PlainFloatTile
	for _, bench := range []struct {
		name, row string
		network   *Network
		limit     float64
	}{
		{"fastest", "reading-60-tokens", opened(b), 20},
		{"plain", "reading-60-tokens-plain", &plain, 400},
	} {
		b.Run(bench.name, func(b *testing.B) {
			tokens := 1 // of the ask
			for _, text := range bench.network.pack("二つめのやつって予約いるんですか？あと何歳から？", sixty).texts {
				tokens += len(text.ids)
			}
			var rounds []float64
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				bench.network.Read("二つめのやつって予約いるんですか？あと何歳から？", sixty)
				rounds = append(rounds, float64(time.Since(began))/float64(time.Millisecond))
			}
			b.ReportMetric(float64(tokens), "tokens")
			budget.AtMost(os.Stdout, bench.row, budget.Median(rounds), "ms", bench.limit)
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	var rounds []float64
	for b.Loop() {
		began := time.Now()
		if _, err := read(file); err != nil {
			b.Fatal(err)
		}
		rounds = append(rounds, float64(time.Since(began))/float64(time.Millisecond))
	}
	budget.AtMost(os.Stdout, "reader-open", budget.Median(rounds), "ms", 200)
}
