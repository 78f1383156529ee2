package slots_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/nlu/datetime"
	"annai/nlu/slots"
)

var commands = []struct{ lang, text string }{
	{"ja", "来週月曜14時に山田さんと打ち合わせを入れて"},
	{"ja", "明日の午後三時に会議室でプロジェクトの定例ミーティングがあることを十分前にリマインドしてください"},
	{"en", "put lunch with my mother on friday at noon"},
	{"en", "please remind me about the meeting with brian at the office on tuesday at three p. m."},
	{"ja", strings.Repeat("明日の会議を消して", 222)},
	{"en", strings.Repeat("cancel my meeting tomorrow at nine ", 57)},
}

func BenchmarkExtract(b *testing.B) {
	for _, c := range commands {
		times := datetime.Parse(c.text, now(b))
		b.Run(c.lang+"/"+firstRunes(c.text, 10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				slots.Extract(c.text, c.lang, times)
			}
		})
	}
}

// BenchmarkHostile looks for the text of 2,000 characters that takes longest.
func BenchmarkHostile(b *testing.B) {
	longest, worst := time.Duration(0), ""
	for _, word := range hostile {
		text := strings.Repeat(word, 2000/len([]rune(word)))
		times := datetime.Parse(text, now(b))
		best := time.Hour
		for range budget.Rounds {
			began := time.Now()
			slots.Extract(text, slots.Japanese, times)
			best = min(best, time.Since(began))
		}
		if best > longest {
			longest, worst = best, word
		}
	}
	for b.Loop() {
		slots.Extract(worst, slots.Japanese, nil)
	}
	b.Logf("%v for %q", longest, worst)
	budget.AtMost(os.Stdout, "slots-2000-worst", float64(longest)/float64(time.Millisecond), "ms", 5)
}

func firstRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
