package nlu_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/nlu"
	"annai/nlu/slots"
)

// whole is everything that may be read of an utterance: language, intent, times and, whatever the
// intent, the slots of a command.
func whole(r *nlu.Reader, text string, at time.Time) {
	u := r.Understand(text, at)
	if u.Intent != nlu.Calendar {
		slots.Extract(u.Text, string(u.Language), u.Times)
	}
}

// utterances are the texts of the outside data, or our own where that is absent.
func utterances(b *testing.B) []string {
	b.Helper()
	var texts []string
	for _, name := range []string{"route.jsonl", "route_kiosk.jsonl", "datetime.jsonl", "slots.jsonl"} {
		if _, err := os.Stat(outside + name); err != nil {
			continue
		}
		texts = append(texts, textsOf(b, name)...)
	}
	if len(texts) > 0 {
		return texts
	}
	b.Logf("the outside test data is not in %s: our own utterances are measured", outside)
	for _, c := range readings {
		texts = append(texts, c.text)
	}
	return texts
}

// textsOf are the texts of a file of the outside data.
func textsOf(b *testing.B, name string) []string {
	b.Helper()
	file, err := os.ReadFile(outside + name)
	if err != nil {
		b.Fatal(err)
	}
	var texts []string
	for line := range bytes.Lines(file) {
		var c struct{ Text string }
		if err := json.Unmarshal(line, &c); err != nil {
			b.Fatal(err)
		}
		texts = append(texts, c.Text)
	}
	return texts
}

// BenchmarkUnderstanding measures one utterance after the other, on one core.
func BenchmarkUnderstanding(b *testing.B) {
	r, at, texts := nlu.New(nlu.Options{}), now(b), utterances(b)
	for n := 0; b.Loop(); n++ {
		whole(r, texts[n%len(texts)], at)
	}
	var medians, tails []float64
	for range budget.Rounds {
		took := make([]float64, len(texts))
		for i, text := range texts {
			began := time.Now()
			whole(r, text, at)
			took[i] = milliseconds(time.Since(began))
		}
		slices.Sort(took)
		medians, tails = append(medians, took[len(took)/2]), append(tails, took[len(took)*99/100])
	}
	budget.AtMost(os.Stdout, "understand-p50", budget.Median(medians), "ms", 0.2)
	budget.AtMost(os.Stdout, "understand-p99", budget.Median(tails), "ms", 4)

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, text := range texts {
		whole(r, text, at)
	}
	runtime.ReadMemStats(&after)
	n := float64(len(texts))
	budget.AtMost(os.Stdout, "understand-allocations", float64(after.Mallocs-before.Mallocs)/n, "each", 100)
	budget.AtMost(os.Stdout, "understand-bytes", float64(after.TotalAlloc-before.TotalAlloc)/n/1024, "KB", 24)
}

// BenchmarkHostile looks for the text of 2,000 characters, or 200 bytes of anything, that takes
// longest. Of each the best of several counts, as nothing but the text is to be measured.
func BenchmarkHostile(b *testing.B) {
	r, at := demo(), now(b)
	texts := hostileTexts()
	longest, worst := time.Duration(0), ""
	for name, text := range texts {
		best := time.Hour
		for range budget.Rounds {
			began := time.Now()
			whole(r, text, at)
			best = min(best, time.Since(began))
		}
		if testing.Verbose() {
			b.Logf("%8v %q", best, name)
		}
		if best > longest {
			longest, worst = best, name
		}
	}
	for b.Loop() {
		whole(r, texts[worst], at)
	}
	b.Logf("%d texts; %v for %q", len(texts), longest, worst)
	budget.AtMost(os.Stdout, "understand-2000-worst", milliseconds(longest), "ms", 12)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// hostileTexts are 2,000 characters each, of words over and over and of words mixed, and strings of
// 200 bytes of anything.
func hostileTexts() map[string]string {
	texts := map[string]string{}
	for _, word := range hostile {
		texts[word] = strings.Repeat(word, 2000/len([]rune(word)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		var text []string
		for length := 0; length < 2000; {
			word := hostile[random.IntN(len(hostile))]
			text, length = append(text, word), length+len([]rune(word))
		}
		texts["mixed "+strconv.Itoa(n)] = strings.Join(text, "")
	}
	for n := range 30 {
		anything := make([]byte, 200)
		for i := range anything {
			anything[i] = byte(random.Uint32())
		}
		texts["bytes "+strconv.Itoa(n)] = string(anything)
	}
	return texts
}
