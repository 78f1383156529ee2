package datetime_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/nlu/datetime"
)

// selected is a selection as a line: the days, which of them, the part of each; and the first time
// that is left.
func selected(s datetime.Selection) string {
	var words []string
	for _, e := range s.Days {
		first, last := civil.DateOf(e.TimeRange.Start), civil.DateOf(e.TimeRange.End.Add(-time.Nanosecond))
		switch {
		case e.Kind == datetime.KindTime:
			words = append(words, e.TimeRange.Start.Format("01-02T15:04")+"/"+e.TimeRange.End.Format("15:04"))
		case e.Kind == datetime.KindDay || e.Kind == datetime.KindDays:
			words = append(words, fmt.Sprintf("%02d-%02d/%02d-%02d", first.Month, first.Day, last.Month, last.Day))
		default:
			words = append(words, string(e.Kind))
		}
	}
	for _, d := range s.Weekdays {
		words = append(words, d.String()[:3])
	}
	if h := s.Hours; h != (datetime.Hours{}) {
		words = append(words, fmt.Sprintf("%02d:%02d-%02d:%02d", h.From/60, h.From%60, h.Until/60, h.Until%60))
	}
	return strings.Join(words, " ")
}

func TestCombine(t *testing.T) {
	sunday := time.Date(2026, 3, 1, 17, 20, 0, 0, time.FixedZone("JST", 9*60*60))
	for _, test := range []struct{ text, want string }{
		// A day of the week of a longer time is one of those.
		{"来月の火曜日は空いてる？", "04-01/04-30 Tue"},
		{"来月の火曜日の10時に定例を入れて", "04-01/04-30 Tue 10:00-11:00"},
		{"Schedule a meeting next month on Monday at 10am", "04-01/04-30 Mon 10:00-11:00"},
		{"Am I free on Tuesdays next month?", "04-01/04-30 Tue"},
		{"What are the Tuesdays of next month?", "04-01/04-30 Tue"},
		{"来月の火曜日と木曜日の午後", "04-01/04-30 Tue Thu 12:00-18:00"},
		{"来月の毎週火曜10時", "04-01/04-30 Tue"},
		{"3月の毎週水曜にミーティング", "03-01/03-31 Wed"},
		{"来月の平日の午後", "04-01/04-30 Mon Tue Wed Thu Fri 12:00-18:00"},
		{"来月の週末", "04-01/04-30 Sat Sun"},
		{"来週の平日で1時間空いてる？", "03-02/03-08 Mon Tue Wed Thu Fri"},
		{"weekdays next week", "03-02/03-08 Mon Tue Wed Thu Fri"},
		{"every Tuesday in April", "04-01/04-30 Tue"},
		{"毎週土曜と日曜", "Sat Sun"},
		// A day of the month of days which have it once is that day.
		{"お盆の15日は開いてますか", "08-15/08-15"},
		{"年末の30日", "12-30/12-30"},
		{"is it open on the 14th during obon?", "08-14/08-14"},
		{"来月の火曜日と15日", "03-03/03-03 04-15/04-15"},
		// A holiday of a longer time is that day, and the day of the week beside it is its own.
		{"8月の山の日のへん、火曜だけど開いてます？", "08-11/08-11"},
		{"weekends in december", "12-01/12-31 Sat Sun"},
		{"every weekend", "Sat Sun"},
		{"every weekday in April", "04-01/04-30 Mon Tue Wed Thu Fri"},
		{"every Monday and Wednesday", "Mon Wed"},
		{"来週は、火曜日が空いてる？", "03-03/03-03"},
		{"next week, I'd like Tuesday at ten", "03-03T10:00/10:00"},
		// What the words themselves say stays.
		{"来週の火曜日", "03-03/03-03"},
		{"来月の第2火曜日", "04-14/04-14"},
		{"来月3日", "04-03/04-03"},
		{"火曜日", "03-03/03-03"},
		{"来週か再来週の火曜", "03-02/03-08 03-10/03-10"},
		// A part of the day is one of each day.
		{"来週の午後は空いてる？", "03-02/03-08 12:00-18:00"},
		{"午後は来週いつ空いてる？", "03-02/03-08 12:00-18:00"},
		{"When could I meet Ken next week in the afternoon?", "03-02/03-08 12:00-18:00"},
		{"afternoons of next week", "03-02/03-08 12:00-18:00"},
		{"来週の14時から16時", "03-02/03-08 14:00-16:00"},
		{"来週、18時以降", "03-02/03-08 18:00-24:00"},
		{"12月14日から18日の午後で1時間", "12-14/12-18 duration 12:00-18:00"},
		{"in the afternoon of the 14th to the 18th", "03-14/03-18 12:00-18:00"},
		{"明日の朝から明後日の夜まで", "03-02T05:00/00:00"},
		// A time of day is on the day that is named.
		{"明日は、15時から空いてる？", "03-02/03-02 03-02T15:00/00:00"},
		{"明日の午後", "03-02T12:00/18:00"},
		{"来週会議があるのは月曜、時間は午後六時", "03-02/03-02 03-02T18:00/18:00"},
		{"next week there is a meeting, Monday I think, say at 6pm", "03-02/03-02 03-02T18:00/18:00"},
		{"午後", "03-01T12:00/18:00"},
		{"15時", "03-02T15:00/15:00"},
	} {
		if got := selected(datetime.Combine(datetime.Parse(test.text, sunday), sunday)); got != test.want {
			t.Errorf("Combine(%q) = %s, want %s", test.text, got, test.want)
		}
	}
}

// TestCombineTimes checks on which day a time is settled, as a new entry needs one.
func TestCombineTimes(t *testing.T) {
	friday := time.Date(2026, 3, 13, 9, 0, 0, 0, time.FixedZone("JST", 9*60*60))
	for _, test := range []struct{ text, want string }{
		{"来月の火曜日の10時", "2026-04-07T10:00"},
		{"next month on Monday at 10am", "2026-04-06T10:00"},
		{"今月の火曜日の10時", "2026-03-17T10:00"},
		{"先月の火曜日の10時", "2026-02-03T10:00"},
		{"明日は、15時から", "2026-03-14T15:00"},
		{"火曜日の10時", "2026-03-17T10:00"},
	} {
		s := datetime.Combine(datetime.Parse(test.text, friday), friday)
		got := ""
		for _, e := range s.Times {
			if e.Kind == datetime.KindTime {
				got = e.TimeRange.Start.Format("2006-01-02T15:04")
			}
		}
		if got != test.want {
			t.Errorf("Combine(%q) is at %s, want %s", test.text, got, test.want)
		}
	}
}
