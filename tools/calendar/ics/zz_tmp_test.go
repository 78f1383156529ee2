package ics

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
	"annai/internal/civil"
)

func TestZZ(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.ics")
	var seeds [][]byte
	for _, f := range files { d, _ := os.ReadFile(f); seeds = append(seeds, d) }
	tokyo, _ := time.LoadLocation("Asia/Tokyo")
	first := civil.Date{Year: 2026, Month: 1, Day: 1}
	windows := []civil.TimeRange{civil.Days(first, first.AddDays(7), tokyo), civil.Days(first, first.AddDays(400), time.UTC)}
	end := time.Now().Add(40*time.Second)
	n := 0
	var worst time.Duration
	for time.Now().Before(end) {
		d := append([]byte{}, seeds[rand.IntN(len(seeds))]...)
		for range 1+rand.IntN(6) {
			i := rand.IntN(len(d))
			switch rand.IntN(4) {
			case 0: d[i] = byte(rand.IntN(256))
			case 1: d[i] = "0123456789;:,=\n"[rand.IntN(15)]
			case 2: j := min(len(d), i+rand.IntN(20)); d = append(d[:i:i], d[j:]...)
			case 3: j := min(len(d), i+rand.IntN(60)); d = append(d[:j:j], d[i:]...)
			}
		}
		done := make(chan bool)
		began := time.Now()
		go func() {
			defer close(done)
			doc, err := parse(d, tokyo)
			if err != nil { return }
			for _, w := range windows { doc.events(context.Background(), w, 1000) }
		}()
		select {
		case <-done:
			if took := time.Since(began); took > worst { worst = took; os.WriteFile("/tmp/cal-worst.ics", d, 0o644) }
		case <-time.After(10*time.Second):
			os.WriteFile("/tmp/cal-hang.ics", d, 0o644)
			panic("hang")
		}
		n++
	}
	fmt.Println("runs", n, "worst", worst)
}
