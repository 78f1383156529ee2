package display

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/tools/calendar"
)

var tokyo = time.FixedZone("JST", 9*60*60)

func at(day, hour, minute int) time.Time { return time.Date(2025, 1, day, hour, minute, 0, 0, tokyo) }

func on(month time.Month, day int) civil.Date { return civil.Date{Year: 2025, Month: month, Day: day} }

func TestWrittenWhen(t *testing.T) {
	for _, test := range []struct {
		name   string
		entry  Entry
		ja, en string
	}{
		{"evening", Entry{Start: at(15, 19, 0), End: at(15, 21, 0)}, "2025年1月15日(水) 19:00〜21:00", "Wed, Jan 15, 2025, 19:00–21:00"},
		{"morning", Entry{Start: at(15, 9, 5), End: at(15, 10, 30)}, "2025年1月15日(水) 9:05〜10:30", "Wed, Jan 15, 2025, 09:05–10:30"},
		{"end not known", Entry{Start: at(15, 19, 0), End: at(15, 20, 0), EndInferred: true}, "2025年1月15日(水) 19:00〜", "Wed, Jan 15, 2025, 19:00"},
		{"no length", Entry{Start: at(15, 19, 0), End: at(15, 19, 0)}, "2025年1月15日(水) 19:00", "Wed, Jan 15, 2025, 19:00"},
		{"until midnight", Entry{Start: at(15, 19, 0), End: at(16, 0, 0)}, "2025年1月15日(水) 19:00〜24:00", "Wed, Jan 15, 2025, 19:00–24:00"},
		{"past midnight", Entry{Start: at(15, 22, 0), End: at(16, 2, 0)}, "2025年1月15日(水) 22:00〜16日(木) 2:00", "Wed, Jan 15, 2025, 22:00 – Thu, Jan 16, 2025, 02:00"},
		{"two months", Entry{Start: at(31, 10, 0), End: at(33, 17, 0)}, "2025年1月31日(金) 10:00〜2月2日(日) 17:00", "Fri, Jan 31, 2025, 10:00 – Sun, Feb 2, 2025, 17:00"},
		{"two years", Entry{Start: at(-0, 22, 0), End: at(1, 2, 0)}, "2024年12月31日(火) 22:00〜2025年1月1日(水) 2:00", "Tue, Dec 31, 2024, 22:00 – Wed, Jan 1, 2025, 02:00"},
		{"all day", Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, "2025年1月15日(水) 終日", "Wed, Jan 15, 2025, all day"},
		{"three days", Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 18)}, "2025年1月15日(水)〜17日(金) 終日", "Wed, Jan 15 – Fri, Jan 17, 2025, all day"},
		{"days of two months", Entry{AllDay: true, FirstDay: on(1, 30), EndDay: on(2, 3)}, "2025年1月30日(木)〜2月2日(日) 終日", "Thu, Jan 30 – Sun, Feb 2, 2025, all day"},
		{
			"days of two years",
			Entry{AllDay: true, FirstDay: on(12, 31), EndDay: civil.Date{Year: 2026, Month: 1, Day: 3}},
			"2025年12月31日(水)〜2026年1月2日(金) 終日", "Wed, Dec 31, 2025 – Fri, Jan 2, 2026, all day",
		},
		{"end before start", Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 15)}, "2025年1月15日(水) 終日", "Wed, Jan 15, 2025, all day"},
	} {
		if got := WrittenWhen(test.entry, tokyo, nlu.Japanese); got != test.ja {
			t.Errorf("%s: WrittenWhen(ja) = %q, want %q", test.name, got, test.ja)
		}
		if got := WrittenWhen(test.entry, tokyo, nlu.English); got != test.en {
			t.Errorf("%s: WrittenWhen(en) = %q, want %q", test.name, got, test.en)
		}
	}
}

func TestSpecTimes(t *testing.T) {
	e := Entry{Start: at(15, 19, 0), End: at(15, 21, 0)}
	for _, test := range []struct {
		entry      Entry
		lang       nlu.Language
		start, end string
	}{
		{e, nlu.Japanese, "2025/01/15 19:00:00", "2025/01/15 21:00:00"},
		{e, nlu.English, "1/15/2025, 7:00:00 PM", "1/15/2025, 9:00:00 PM"},
		{Entry{Start: at(15, 0, 0), End: at(15, 1, 0), EndInferred: true}, nlu.English, "1/15/2025, 12:00:00 AM", ""},
		{Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, nlu.Japanese, "2025/01/15", ""},
		{Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 18)}, nlu.English, "1/15/2025", "1/17/2025"},
	} {
		if start, end := SpecTimes(test.entry, tokyo, test.lang); start != test.start || end != test.end {
			t.Errorf("SpecTimes(%+v, %s) = %q, %q, want %q, %q", test.entry, test.lang, start, end, test.start, test.end)
		}
	}
}

func TestSpokenWhen(t *testing.T) {
	now := at(14, 10, 0)
	for _, test := range []struct {
		entry  Entry
		oneDay civil.Date
		ja, en string
	}{
		{Entry{Start: at(15, 19, 0), End: at(15, 21, 0)}, civil.Date{}, "15日、水曜日の19時から", "On Wednesday the 15th, from 7 PM"},
		{Entry{Start: at(15, 9, 30), End: at(15, 21, 0)}, on(1, 15), "9時30分から", "From 9:30 AM"},
		{Entry{Start: at(33, 12, 0), End: at(33, 13, 0)}, civil.Date{}, "2月2日、日曜日の12時から", "On Sunday, February 2nd, from noon"},
		{Entry{Start: at(400, 0, 0), End: at(400, 1, 0)}, civil.Date{}, "2026年2月4日、水曜日の0時から", "On Wednesday, February 4th, 2026, from midnight"},
		{Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, civil.Date{}, "15日、水曜日は終日", "All day on Wednesday the 15th"},
		{Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, on(1, 15), "終日", "All day"},
		{Entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 18)}, on(1, 15), "15日、水曜日から17日、金曜日まで", "From Wednesday the 15th to Friday the 17th"},
	} {
		if got := SpokenWhen(test.entry, now, test.oneDay, nlu.Japanese); got != test.ja {
			t.Errorf("SpokenWhen(%+v, ja) = %q, want %q", test.entry, got, test.ja)
		}
		if got := SpokenWhen(test.entry, now, test.oneDay, nlu.English); got != test.en {
			t.Errorf("SpokenWhen(%+v, en) = %q, want %q", test.entry, got, test.en)
		}
	}
}

func TestSpanWords(t *testing.T) {
	now := at(14, 10, 0)
	days := func(first, until civil.Date) Span {
		r := civil.Days(first, until, tokyo)
		return Span{Name: datetime.Range, Start: r.Start, End: r.End, Explicit: true}
	}
	clock := Span{Name: datetime.Range, Start: at(15, 18, 0), End: at(16, 0, 0), Clock: true}
	open := clock
	open.OpenEnd = true
	from, until := days(on(1, 17), on(12, 31)), days(on(1, 14), on(1, 18))
	from.OpenEnd, until.OpenStart = true, true
	for _, test := range []struct {
		span           Span
		ja, en, adverb string
	}{
		{Span{Name: datetime.ThisWeek, Start: at(13, 0, 0), End: at(20, 0, 0)}, "今週", "this week", "this week"},
		{days(on(1, 15), on(1, 16)), "1月15日(水)", "Wed, Jan 15", "on Wed, Jan 15"},
		{days(on(1, 13), on(1, 14)), "昨日", "yesterday", "yesterday"},
		{days(on(1, 15), on(1, 18)), "1月15日(水)〜17日(金)", "Wed, Jan 15 – Fri, Jan 17", "on Wed, Jan 15 – Fri, Jan 17"},
		{
			days(civil.Date{Year: 2026, Month: 1, Day: 15}, civil.Date{Year: 2026, Month: 1, Day: 16}),
			"2026年1月15日(木)", "Thu, Jan 15, 2026", "on Thu, Jan 15, 2026",
		},
		{days(on(3, 1), on(4, 1)), "3月", "March", "in March"},
		{days(civil.Date{Year: 2026, Month: 3, Day: 1}, civil.Date{Year: 2026, Month: 4, Day: 1}), "2026年3月", "March 2026", "in March 2026"},
		{days(on(1, 1), civil.Date{Year: 2026, Month: 1, Day: 1}), "2025年", "2025", "in 2025"},
		{clock, "1月15日(水) 18:00〜24:00", "Wed, Jan 15, 18:00–24:00", "on Wed, Jan 15, 18:00–24:00"},
		{open, "1月15日(水) 18:00以降", "Wed, Jan 15, 18:00 or later", "on Wed, Jan 15, 18:00 or later"},
		{from, "1月17日(金)以降", "the time from Fri, Jan 17", "in the time from Fri, Jan 17"},
		{until, "1月17日(金)まで", "the time until Fri, Jan 17", "in the time until Fri, Jan 17"},
	} {
		ja, en, adverb := test.span.Words(now, nlu.Japanese), test.span.Words(now, nlu.English), test.span.Adverb(now, nlu.English)
		if ja != test.ja || en != test.en || adverb != test.adverb {
			t.Errorf("words of %+v are %q, %q, %q, want %q, %q, %q", test.span, ja, en, adverb, test.ja, test.en, test.adverb)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"一つ目です。二つ目です！三つ目ですか？":                      {"一つ目です。", "二つ目です！", "三つ目ですか？"},
		"「そうです。」と言いました。次。":                         {"「そうです。」と言いました。", "次。"},
		"It is 5.30 now. Ask Mr. Sato, e.g. at 3.": {"It is 5.30 now.", "Ask Mr. Sato, e.g. at 3."},
		"It opens at 9 a.m. on weekdays. Come!":    {"It opens at 9 a.m. on weekdays.", "Come!"},
		"so do I. Yes.":                            {"so do I.", "Yes."},
		"一行目\n\n二行目":                               {"一行目", "二行目"},
		"":                                         nil,
		"。":                                        {"。"},
	} {
		if diff := cmp.Diff(want, Sentences(text)); diff != "" {
			t.Errorf("Sentences(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a < b & c > d":                         "a < b & c > d",
		"<p>One</p><br/>two&amp;three&nbsp;4":   " One  two&three 4",
		"open <a href=\"https://x.example\">it": "open  it",
		"cut <b":                                "cut ",
		"5<":                                    "5<",
		"":                                      "",
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTame(t *testing.T) {
	e := EntryOf(calendar.Event{Title: "[a]\n b", URL: "javascript:alert(1)", Description: "<i>x</i>", Status: calendar.Confirmed})
	if want := (Entry{Title: "[a] b", Description: "x"}); e != want {
		t.Errorf("EntryOf = %+v, want %+v", e, want)
	}
	for url, want := range map[string]string{
		"https://example.com/a?b=c": "https://example.com/a?b=c", " http://example.com ": "http://example.com", "https://a b": "", "ftp://x": "",
		"https://example.com/" + strings.Repeat("x", 600): "",
	} {
		if got := WebAddress(url); got != want {
			t.Errorf("WebAddress(%q) = %q, want %q", url, got, want)
		}
	}
}
