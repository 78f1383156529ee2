package datetime_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"annai/nlu/datetime"
)

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return loc
}

// at is an instant by the wall clock of a zone.
func at(tb testing.TB, name, wall string) time.Time {
	tb.Helper()
	t, err := time.ParseInLocation("2006-01-02T15:04", wall, zone(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// said is what an expression means, in the notation of the tables: name or kind, then the range,
// then what was noted.
func said(e datetime.Expression) string {
	var b strings.Builder
	switch e.Kind {
	case datetime.KindDay, datetime.KindDays:
		b.WriteString(string(e.Name))
	case datetime.KindTime, datetime.KindDuration, datetime.KindSet:
		b.WriteString(string(e.Kind))
	}
	switch {
	case e.Invalid:
	case e.Kind == datetime.KindDuration:
		b.WriteString(" " + (time.Duration(e.Seconds) * time.Second).String())
	case e.Kind == datetime.KindDay:
		b.WriteString(" " + e.TimeRange.Start.Format(time.DateOnly))
	case e.Kind == datetime.KindDays:
		b.WriteString(" " + e.TimeRange.Start.Format(time.DateOnly) + ".." + e.TimeRange.End.Format(time.DateOnly))
	case e.Kind == datetime.KindTime && e.TimeRange.Start.Equal(e.TimeRange.End):
		b.WriteString(" " + e.TimeRange.Start.Format("2006-01-02T15:04"))
	case e.Kind == datetime.KindTime:
		const layout = "2006-01-02T15:04"
		b.WriteString(" " + e.TimeRange.Start.Format(layout) + ".." + e.TimeRange.End.Format(layout))
	}
	for _, mark := range []struct {
		on   bool
		word string
	}{
		{e.Assumed, "assumed"},
		{e.Past, "past"},
		{e.Invalid, "invalid"},
		{e.Conflict, "conflict"},
		{e.NoDay, "noday"},
		{e.OpenStart, "until"},
		{e.OpenEnd, "from"},
	} {
		if mark.on {
			b.WriteString(" " + mark.word)
		}
	}
	return b.String()
}

// meaningOf is all that Parse finds in a text, in the notation of the tables.
func meaningOf(text string, ref time.Time) string {
	var got []string
	for _, e := range datetime.Parse(text, ref) {
		got = append(got, e.Text+" => "+said(e))
	}
	return strings.Join(got, " | ")
}

func TestParse(t *testing.T) {
	ref := at(t, "Asia/Tokyo", "2025-01-15T10:00")
	for _, c := range slices.Concat(meanings, forms) {
		if got := meaningOf(c.text, ref); got != c.want {
			t.Errorf("Parse(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestParseElsewhereAndAtEdges(t *testing.T) {
	const tokyo, newYork = "Asia/Tokyo", "America/New_York"
	for _, c := range []struct{ zone, ref, text, want string }{
		// The end of a year, to the minute.
		{tokyo, "2025-12-31T23:59", "今日", "今日 => today 2025-12-31"},
		{tokyo, "2025-12-31T23:59", "明日", "明日 => tomorrow 2026-01-01"},
		{tokyo, "2026-01-01T00:00", "昨日", "昨日 => date 2025-12-31 past"},
		{tokyo, "2025-12-31T23:59", "来月のイベント", "来月 => nextMonth 2026-01-01..2026-02-01"},
		{tokyo, "2025-12-31T23:59", "今週", "今週 => thisWeek 2025-12-29..2026-01-05"},
		{tokyo, "2025-12-31T23:59", "来週", "来週 => nextWeek 2026-01-05..2026-01-12"},
		{tokyo, "2025-12-31T10:00", "1月15日", "1月15日 => date 2026-01-15 assumed"},
		{tokyo, "2025-12-30T10:00", "12月28日から1月3日", "12月28日から1月3日 => range 2025-12-28..2026-01-04 assumed"},
		{tokyo, "2026-01-02T10:00", "年末年始", "年末年始 => range 2025-12-29..2026-01-04 assumed"},
		{tokyo, "2026-01-01T10:00", "January 1", "January 1 => date 2026-01-01 assumed"},
		{tokyo, "2026-01-01T10:00", "December 31", "December 31 => date 2026-12-31 assumed"},
		{tokyo, "2025-12-31T23:59", "in two days", "in two days => date 2026-01-02"},
		// Months of different lengths, leap years.
		{tokyo, "2025-01-31T10:00", "来月", "来月 => nextMonth 2025-02-01..2025-03-01"},
		{tokyo, "2025-01-31T10:00", "1か月後", "1か月後 => date 2025-02-28"},
		{tokyo, "2024-01-31T10:00", "in one month", "in one month => date 2024-02-29"},
		{tokyo, "2024-02-28T10:00", "明日", "明日 => tomorrow 2024-02-29"},
		{tokyo, "2024-02-29T10:00", "2月29日", "2月29日 => date 2024-02-29 assumed"},
		{tokyo, "2024-03-01T10:00", "2月29日", "2月29日 => date 2028-02-29 assumed"},
		{tokyo, "2025-02-10T10:00", "30日", "30日 => date 2025-03-30 assumed"},
		{tokyo, "2025-02-10T10:00", "the 31st", "31st => date 2025-03-31 assumed"},
		{tokyo, "2024-05-01T10:00", "2024年2月30日", "2024年2月30日 => date invalid"},
		{tokyo, "2024-05-01T10:00", "13月1日", "13月1日 => date invalid"},
		// Every day of the week: the current week holds it, the weekend is the current one on its
		// own days.
		{tokyo, "2025-01-13T00:00", "今週", "今週 => thisWeek 2025-01-13..2025-01-20"},
		{tokyo, "2025-01-19T23:59", "今週", "今週 => thisWeek 2025-01-13..2025-01-20"},
		{tokyo, "2025-01-19T12:00", "this weekend", "this weekend => weekend 2025-01-18..2025-01-20"},
		{tokyo, "2025-01-19T12:00", "今週末", "今週末 => weekend 2025-01-18..2025-01-20"},
		{tokyo, "2025-01-19T12:00", "来週末", "来週末 => nextWeekend 2025-01-25..2025-01-27"},
		{tokyo, "2025-01-19T12:00", "next Monday", "next Monday => date 2025-01-20"},
		{tokyo, "2025-01-19T12:00", "来週の月曜", "来週の月曜 => date 2025-01-20"},
		{tokyo, "2025-01-20T12:00", "next Monday", "next Monday => date 2025-01-27"},
		{tokyo, "2025-01-20T12:00", "月曜", "月曜 => date 2025-01-20"},
		{tokyo, "2025-01-19T12:00", "this Saturday", "this Saturday => date 2025-01-25"},
		// Midnight and the hours that have gone by.
		{tokyo, "2025-01-15T00:00", "今日", "今日 => today 2025-01-15"},
		{tokyo, "2025-01-15T23:59", "3pm", "3pm => time 2025-01-16T15:00 noday"},
		{tokyo, "2025-01-15T15:00", "15時", "15時 => time 2025-01-15T15:00 noday"},
		{tokyo, "2025-01-15T10:00", "今日の22時から2時", "今日の22時から2時 => time 2025-01-15T22:00..2025-01-16T02:00"},
		{tokyo, "2025-01-15T10:00", "9時から17時", "9時から17時 => time 2025-01-15T09:00..2025-01-15T17:00 noday"},
		{tokyo, "2025-01-15T10:00", "9時から5時", "9時から5時 => time 2025-01-15T09:00..2025-01-15T17:00 noday"},
		{tokyo, "2025-01-15T10:00", "明日の25時", "明日の25時 => time 2025-01-17T01:00"},
		// A zone with clock changes: by the wall clock, whatever lies between.
		{newYork, "2025-01-15T22:00", "today", "today => today 2025-01-15"},
		{newYork, "2025-01-15T22:00", "tomorrow at 3pm", "tomorrow at 3pm => time 2025-01-16T15:00"},
		{newYork, "2025-03-08T12:00", "tomorrow", "tomorrow => tomorrow 2025-03-09"},
		{newYork, "2025-03-08T12:00", "tomorrow at 3pm", "tomorrow at 3pm => time 2025-03-09T15:00"},
		{newYork, "2025-03-07T12:00", "this weekend", "this weekend => weekend 2025-03-08..2025-03-10"},
		{newYork, "2025-11-01T12:00", "明日の9時から17時", "明日の9時から17時 => time 2025-11-02T09:00..2025-11-02T17:00"},
		{newYork, "2025-11-01T12:00", "next week", "next week => nextWeek 2025-11-03..2025-11-10"},
		{newYork, "2025-03-09T01:30", "in 2 hours", "in 2 hours => time 2025-03-09T04:30"},
		{newYork, "2025-12-31T23:59", "明日", "明日 => tomorrow 2026-01-01"},
		{newYork, "2025-12-31T23:59", "this weekend", "this weekend => weekend 2026-01-03..2026-01-05"},
		{newYork, "2025-12-25T10:00", "Christmas", "Christmas => date 2025-12-25 assumed"},
		{newYork, "2025-12-26T10:00", "Christmas", "Christmas => date 2026-12-25 assumed"},
		{newYork, "2025-07-04T10:00", "来週の金曜の夜", "来週の金曜の夜 => time 2025-07-11T18:00..2025-07-12T00:00"},
	} {
		if got := meaningOf(c.text, at(t, c.zone, c.ref)); got != c.want {
			t.Errorf("Parse(%q) at %s in %s = %q, want %q", c.text, c.ref, c.zone, got, c.want)
		}
	}
}

// A day on which the clock changes is 23 or 25 hours long, and its range says so.
func TestParseClockChange(t *testing.T) {
	days := map[string]float64{"2025-03-09T00:30": 23, "2025-11-02T00:30": 25, "2025-06-01T00:30": 24}
	for wall, hours := range days {
		got := datetime.Parse("today", at(t, "America/New_York", wall))
		if len(got) != 1 || got[0].TimeRange.End.Sub(got[0].TimeRange.Start).Hours() != hours {
			t.Errorf("Parse(today) at %s = %v, want a day of %v hours", wall, got, hours)
		}
	}
}

func TestParseAlternatives(t *testing.T) {
	ref := at(t, "Asia/Tokyo", "2025-01-15T10:00")
	for text, want := range map[string]string{
		"1月20日":        "2024-01-20T00:00",
		"3時":           "2025-01-15T03:00",
		"next Friday":  "2025-01-17T00:00",
		"水曜":           "2025-01-22T00:00",
		"this weekend": "",
	} {
		got := datetime.Parse(text, ref)
		if len(got) != 1 {
			t.Fatalf("Parse(%q) = %v, want one expression", text, got)
		}
		first := ""
		if len(got[0].Alternatives) > 0 {
			first = got[0].Alternatives[0].Start.Format("2006-01-02T15:04")
		}
		if first != want {
			t.Errorf("Parse(%q): first alternative starts %q, want %q", text, first, want)
		}
	}
}

// Offsets refer to the text as given, however it is written.
func TestParseOffsets(t *testing.T) {
	ref := at(t, "Asia/Tokyo", "2025-01-15T10:00")
	for text, want := range map[string]string{
		"さて、１月１６日のイベント":       "１月１６日",
		"ＴＯＤＡＹのイベント":          "ＴＯＤＡＹ",
		"The ﬁrst: tomorrow.": "tomorrow",
		"会は㍻31年1月":            "㍻31年1月",
		"\xff今日\xfe":          "今日",
	} {
		got := datetime.Parse(text, ref)
		if len(got) != 1 || got[0].Text != want || text[got[0].Start:got[0].End] != want {
			t.Errorf("Parse(%q) = %+v, want the words %q", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"明日の14時から16時", "1月1日から1月1日から", "between 2 and 4 on Friday", "第5火曜", "2月30日",
		"\xff\xfe今日", "十十十十百千年月日", "ｱｽ ㍻元年1月",
	} {
		f.Add(s)
	}
	for _, m := range slices.Concat(meanings, forms) {
		f.Add(m.text)
	}
	for _, word := range hostile {
		f.Add(strings.Repeat(word, 5))
	}
	for _, text := range hostileTexts() {
		f.Add(text)
	}
	ref := at(f, "Asia/Tokyo", "2024-02-29T23:59")
	f.Fuzz(func(t *testing.T, text string) {
		if components, tokens := datetime.Work(text, ref); components > 8*tokens+100 {
			t.Fatalf("Parse(%q) read %d components of %d tokens", text, components, tokens)
		}
		last := 0
		for _, e := range datetime.Parse(text, ref) {
			if e.Start < last || e.End <= e.Start || e.End > len(text) || text[e.Start:e.End] != e.Text {
				t.Fatalf("Parse(%q): span [%d,%d) %q after %d of %d bytes",
					text, e.Start, e.End, e.Text, last, len(text))
			}
			if utf8.ValidString(text) && !utf8.ValidString(e.Text) {
				t.Fatalf("Parse(%q): %q cuts a character", text, e.Text)
			}
			if e.TimeRange.End.Before(e.TimeRange.Start) {
				t.Fatalf("Parse(%q): %q ends before it starts: %v", text, e.Text, e.TimeRange)
			}
			if r, ok := e.Result(); ok == e.Invalid || ok && r.Kind == "" {
				t.Fatalf("Parse(%q): %q.Result() = %+v, %v, invalid %v", text, e.Text, r, ok, e.Invalid)
			}
			last = e.End
		}
	})
}

func BenchmarkParse(b *testing.B) {
	ref := at(b, "Asia/Tokyo", "2025-01-15T10:00")
	b.ReportAllocs()
	for b.Loop() {
		datetime.Parse("明日の14時から16時までのTypeScriptの勉強会はどこでやりますか？", ref)
		datetime.Parse("What events are there between 2 and 4 on Friday next week in the main hall?", ref)
	}
}

// TestParseMarks is what else an expression says of how it was said: that it counts from now, and
// that its borders are rough.
func TestParseMarks(t *testing.T) {
	ref := at(t, "Asia/Tokyo", "2025-01-15T10:00").Add(1700 * time.Millisecond)
	for _, c := range []struct {
		text    string
		fromNow time.Duration
		rough   bool
		counted bool
		ofThat  bool
	}{
		{text: "会議を1時間前にずらして", fromNow: -time.Hour},
		{text: "an hour earlier", fromNow: -time.Hour},
		{text: "two hours later", fromNow: 2 * time.Hour},
		{text: "3日後に", fromNow: 72 * time.Hour},
		{text: "前日", fromNow: -24 * time.Hour, ofThat: true},
		{text: "to the next day", fromNow: 24 * time.Hour, ofThat: true},
		{text: "明日"},
		{text: "来週の月曜"},
		{text: "2 weeks from Friday", counted: true},
		{text: "1月31日の1か月後は？", counted: true},
		{text: "one month from January 31", counted: true},
		{text: "more than 2 weeks ago"},
		{text: "1時間"},
		{text: "end of the week", rough: true},
		{text: "early next week", rough: true},
		{text: "来月の初め", rough: true},
		{text: "月末まで"},
		{text: "6月初めから7月末まで"},
		{text: "来週"},
	} {
		e := datetime.Parse(c.text, ref)[0]
		if e.FromNow != c.fromNow || e.Rough != c.rough || e.Counted != c.counted || e.OfThat != c.ofThat {
			t.Errorf("Parse(%q) is %s from now, rough %t, counted %t, of that %t",
				c.text, e.FromNow, e.Rough, e.Counted, e.OfThat)
		}
	}
}
