package nodes

import (
	"slices"
	"testing"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/talk"
)

// TestFactsOf tells of a list of facts those that are asked for, as a sentence.
func TestFactsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sentence string
		ask      nlu.Ask
		want     string
		property bool
	}{
		{"参加費1,000円(材料費込み)、申込不要。", nlu.AskHowMuch, "参加費は1,000円(材料費込み)です。", true},
		{"参加費1,000円(材料費込み)、申込不要。", nlu.AskNeedI, "申込不要です。", false},
		{"受講料2,200円、定員4人。", nlu.AskHowMany, "定員は4人です。", true},
		{"参加費は500円です。", nlu.AskHowMuch, "参加費は500円です。", false},
		{"10歳から。", nlu.AskForWhom, "10歳からです。", false},
	} {
		if got, property := factsOf(c.sentence, c.ask, nlu.Japanese); got != c.want || property != c.property {
			t.Errorf("factsOf(%q, %s) = %q, %t, want %q, %t", c.sentence, c.ask, got, property, c.want, c.property)
		}
	}
}

func TestDetailAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		ask  nlu.Ask
		want nlu.Ask
	}{
		{"締切いつまでやっけ", nlu.AskUntilWhen, words.DetailDeadline},
		{"申し込みはいつまでですか", nlu.AskUntilWhen, words.DetailDeadline},
		{"雨でもやるん？", nlu.AskStillOn, words.DetailRain},
		{"what if it rains", nlu.AskStillOn, words.DetailRain},
		{"do I need to book?", nlu.AskNeedI, words.DetailBooking},
		{"え、なんで？", nlu.AskWhatIs, words.DetailReason},
		{"なんでもいい", nlu.AskWhatIs, nlu.AskWhatIs},
		{"what do I need to bring?", nlu.AskNeedI, nlu.AskNeedI},
		{"何時までですか", nlu.AskUntilWhen, nlu.AskUntilWhen},
		{"is there a train station", nlu.AskIsThere, nlu.AskIsThere},
	} {
		if got := detailAsked(talk.Question{Text: c.text, Ask: c.ask}); got != c.want {
			t.Errorf("detailAsked(%q, %s) = %q, want %q", c.text, c.ask, got, c.want)
		}
	}
}

// TestSeriesOf tells the first and third Saturday from every other one, and days of the week from days on end.
func TestSeriesOf(t *testing.T) {
	t.Parallel()
	day := func(month time.Month, day int) civil.Date { return civil.Date{Year: 2026, Month: month, Day: day} }
	firstAndThird := []civil.Date{
		day(5, 16), day(6, 6), day(6, 20), day(7, 4), day(7, 18), day(8, 1), day(8, 15), day(9, 5),
	}
	if p, ok := seriesOf(firstAndThird, nlu.Japanese); !ok || !slices.Equal(p.Nths, []int{1, 3}) || p.Biweekly {
		t.Errorf("seriesOf the first and third Saturdays = %+v, %t", p, ok)
	}
	everyOther := []civil.Date{day(6, 6), day(6, 20), day(7, 4), day(7, 18), day(8, 1), day(8, 15), day(8, 29)}
	if p, ok := seriesOf(everyOther, nlu.Japanese); !ok || !p.Biweekly || p.Nths != nil {
		t.Errorf("seriesOf every other Saturday = %+v, %t", p, ok)
	}
	weekdays := []civil.Date{day(6, 2), day(6, 5), day(6, 9), day(6, 12), day(6, 19)}
	if p, ok := seriesOf(weekdays, nlu.Japanese); !ok || p.Biweekly || p.Nths != nil {
		t.Errorf("seriesOf Tuesdays and Fridays = %+v, %t", p, ok)
	}
	festival := []civil.Date{day(6, 5), day(6, 6), day(6, 7)}
	if p, ok := seriesOf(festival, nlu.Japanese); ok {
		t.Errorf("seriesOf three days on end = %+v, want none", p)
	}
}
