package datetime_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"annai/internal/budget"
	"annai/nlu/datetime"
)

// hostile are words that, said over and over, make the grammar work hardest.
var hostile = []string{
	"1", "12", "一", "十", "千百", "月", "日", "年", "1月", "1日から", "1 to 2 to 3 ", "最後の", "a day from ", "between 1 and ",
	"next ", "from from ",
	"in 1 day after ", "half past ", "1-", "1/", "1/1/", "1:", "1.", "Jan-", "jan-1-", "一二三", "the end of ", "あ",
	"a", " ", "、", "(", ")", "第1", "3日後の",
	"every ", "two weeks before ", "1〜2〜", "今日から明日", "monday to ", "5時間前の", "within the next ", "1 week and ",
	"a couple of days from ",
	"the last week of ", "the first day of ", "week of ", "later ", "rest of ", "Friday (",
	"more than 2 weeks after ", "+1 day ", "今日+1日", "の前の", "2020年、",
	"the day before ", "last ", "twenty three ", "one hundred and ", "6月以降", "after 3pm but before ",
	"from the end of ", "\x80", "\u3000", "㍻", "$", "１",
	"毎週月曜と", "水曜の夜", "1月1日の2日前", "one and a half ", "1d ", "quarter to ",
}

// hostileTexts are 2,000 characters each.
func hostileTexts() map[string]string {
	texts := map[string]string{}
	for _, word := range hostile {
		texts[word] = strings.Repeat(word, 2000/len([]rune(word)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 20 {
		var text []string
		for length := 0; length < 2000; {
			word := hostile[random.IntN(len(hostile))]
			text, length = append(text, word), length+len([]rune(word))
		}
		texts["mixed "+strconv.Itoa(n)] = strings.Join(text, "")
	}
	return texts
}

// The work grows with the length of a text and no faster, whatever stands in it.
func TestWorkIsLinear(t *testing.T) {
	ref := at(t, "Asia/Tokyo", "2025-01-15T10:00")
	for word, text := range hostileTexts() {
		if components, tokens := datetime.Work(text, ref); components > 8*tokens+100 {
			t.Errorf("Parse(%q ...) read %d components of %d tokens", word, components, tokens)
		}
	}
}

// BenchmarkHostile looks for the text that takes longest. Of each the best of several counts, as
// nothing but the text is to be measured.
func BenchmarkHostile(b *testing.B) {
	ref := at(b, "Asia/Tokyo", "2025-01-15T10:00")
	texts := hostileTexts()
	longest, worst := time.Duration(0), ""
	for name, text := range texts {
		best := time.Hour
		for range budget.Rounds {
			start := time.Now()
			datetime.Parse(text, ref)
			best = min(best, time.Since(start))
		}
		if best > longest {
			longest, worst = best, name
		}
	}
	for b.Loop() {
		datetime.Parse(texts[worst], ref)
	}
	b.Logf("%v for %q", longest, worst)
	budget.AtMost(os.Stdout, "datetime-2000-worst", float64(longest)/float64(time.Millisecond), "ms", 5)
}
