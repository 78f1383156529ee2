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
	own := func() *Network {
		n, err := New(file)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	plain := own()
	plain.multiply, plain.attend = matrix.PlainTile, matrix.PlainFloatTile
	for _, bench := range []struct {
		row     string
		network *Network
		known   bool // whether the texts of the talk are
		limit   float64
	}{
		{"reading-60-tokens", own(), false, 10},
		{"reading-60-tokens-known", own(), true, 6},
		{"reading-60-tokens-plain", plain, false, 400},
	} {
		b.Run(bench.row, func(b *testing.B) {
			n, say := bench.network, "二つめのやつって予約いるんですか？あと何歳から？"
			tokens := 1 // of the ask
			for _, text := range n.pack(say, sixty).texts {
				tokens += len(text.ids)
			}
			var rounds []float64
			b.ReportAllocs()
			for b.Loop() {
				if !bench.known {
					n.known = &texts{most: mostOfTexts}
				}
				began := time.Now()
				n.Read(say, sixty)
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
		if _, err := New(file); err != nil {
			b.Fatal(err)
		}
		rounds = append(rounds, float64(time.Since(began))/float64(time.Millisecond))
	}
	budget.AtMost(os.Stdout, "reader-open", budget.Median(rounds), "ms", 200)
}
