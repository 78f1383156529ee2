package nlu_test

import (
	"strings"
	"testing"
)

// hostile are words that, said over and over, make the rules work hardest.
var hostile = []string{
	"今日", "1月", "1日から", "最後の", "2つ目", "a day from ", "between 1 and ", "next ", "from from ", "in 1 day after ",
	"half past ", "1-", "1/1/", "一二三", "[",
	"the end of ", "あ", "a", " ", "、", "火事", "第1", "3日後の", "every ", "two weeks before ", "1〜2〜", "えーと、", "のは",
	"今日から明日", "x1 ", "monday to ", "5時間前の",
	"within the next ", "1 week and ", "a couple of days from ", "エンジニア壁", "engineer calf ", "明日の会議を消して",
	"move my meeting to ", "um ", "the the ", "会議会議", "の場所をBに変更して",
	"ﾊﾝｶｸ", "㍿", "\u200b", "🙂", "é", "\xff", "İ", "ß", "ǅ", "Ⅻ", "٣", "한국어", "ไทย",
}

// TestWorkIsLinear says that the work on a text grows with its length and no faster, counted in
// allocations: a clock would say more about the machine. The benchmarks look at the clock.
func TestWorkIsLinear(t *testing.T) {
	r, at := demo(), now(t)
	for _, word := range hostile {
		runes := []rune(strings.Repeat(word, 1000/len([]rune(word))))
		text := string(runes)
		half := string(runes[:len(runes)/2])
		work := func(text string) float64 { return testing.AllocsPerRun(1, func() { whole(r, text, at) }) }
		if a, b := work(half), work(text); b > 3*a+200 {
			t.Errorf("Understand(%q over and over) allocates %v times, half of it %v times", word, b, a)
		}
	}
}
