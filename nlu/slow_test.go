package nlu_test

import (
	"strings"
	"testing"
	"time"
)

// hostile are words that, said over and over, make the rules work hardest.
var hostile = []string{
	"今日", "1月", "1日から", "最後の", "2つ目", "a day from ", "between 1 and ", "next ", "from from ", "in 1 day after ", "half past ", "1-", "1/1/", "一二三", "[",
	"the end of ", "あ", "a", " ", "、", "火事", "第1", "3日後の", "every ", "two weeks before ", "1〜2〜", "えーと、", "のは", "今日から明日", "x1 ", "monday to ", "5時間前の",
	"within the next ", "1 week and ", "a couple of days from ",
}

// TestUnderstandIsQuick bounds the time for 2,000 characters of anything; alone it takes a few milliseconds.
func TestUnderstandIsQuick(t *testing.T) {
	r, at := demo(), now(t)
	for _, word := range hostile {
		n := 2000 / len([]rune(word))
		text := strings.Repeat(word, n)
		best := time.Hour
		for range 3 {
			start := time.Now()
			r.Understand(text, at)
			best = min(best, time.Since(start))
		}
		t.Logf("%q x %d: %v", word, n, best)
		if best > time.Second {
			t.Errorf("Understand(%q x %d) took %v", word, n, best)
		}
	}
}
