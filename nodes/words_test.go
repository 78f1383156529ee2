package nodes

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"annai/internal/civil"
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
		entry  entry
		ja, en string
	}{
		{"evening", entry{Start: at(15, 19, 0), End: at(15, 21, 0)}, "2025年1月15日(水) 19:00〜21:00", "Wed, Jan 15, 2025, 19:00–21:00"},
		{"morning", entry{Start: at(15, 9, 5), End: at(15, 10, 30)}, "2025年1月15日(水) 9:05〜10:30", "Wed, Jan 15, 2025, 09:05–10:30"},
		{"end not known", entry{Start: at(15, 19, 0), End: at(15, 20, 0), EndInferred: true}, "2025年1月15日(水) 19:00〜", "Wed, Jan 15, 2025, 19:00"},
		{"no length", entry{Start: at(15, 19, 0), End: at(15, 19, 0)}, "2025年1月15日(水) 19:00", "Wed, Jan 15, 2025, 19:00"},
		{"until midnight", entry{Start: at(15, 19, 0), End: at(16, 0, 0)}, "2025年1月15日(水) 19:00〜24:00", "Wed, Jan 15, 2025, 19:00–24:00"},
		{"past midnight", entry{Start: at(15, 22, 0), End: at(16, 2, 0)}, "2025年1月15日(水) 22:00〜16日(木) 2:00", "Wed, Jan 15, 2025, 22:00 – Thu, Jan 16, 2025, 02:00"},
		{"two months", entry{Start: at(31, 10, 0), End: at(33, 17, 0)}, "2025年1月31日(金) 10:00〜2月2日(日) 17:00", "Fri, Jan 31, 2025, 10:00 – Sun, Feb 2, 2025, 17:00"},
		{"two years", entry{Start: at(-0, 22, 0), End: at(1, 2, 0)}, "2024年12月31日(火) 22:00〜2025年1月1日(水) 2:00", "Tue, Dec 31, 2024, 22:00 – Wed, Jan 1, 2025, 02:00"},
		{"all day", entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, "2025年1月15日(水) 終日", "Wed, Jan 15, 2025, all day"},
		{"three days", entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 18)}, "2025年1月15日(水)〜17日(金) 終日", "Wed, Jan 15 – Fri, Jan 17, 2025, all day"},
		{"days of two months", entry{AllDay: true, FirstDay: on(1, 30), EndDay: on(2, 3)}, "2025年1月30日(木)〜2月2日(日) 終日", "Thu, Jan 30 – Sun, Feb 2, 2025, all day"},
		{
			"days of two years",
			entry{AllDay: true, FirstDay: on(12, 31), EndDay: civil.Date{Year: 2026, Month: 1, Day: 3}},
			"2025年12月31日(水)〜2026年1月2日(金) 終日", "Wed, Dec 31, 2025 – Fri, Jan 2, 2026, all day",
		},
		{"end before start", entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 15)}, "2025年1月15日(水) 終日", "Wed, Jan 15, 2025, all day"},
	} {
		if got := writtenWhen(test.entry, tokyo, nlu.Japanese); got != test.ja {
			t.Errorf("%s: writtenWhen(ja) = %q, want %q", test.name, got, test.ja)
		}
		if got := writtenWhen(test.entry, tokyo, nlu.English); got != test.en {
			t.Errorf("%s: writtenWhen(en) = %q, want %q", test.name, got, test.en)
		}
	}
}

func TestSpecTimes(t *testing.T) {
	e := entry{Start: at(15, 19, 0), End: at(15, 21, 0)}
	for _, test := range []struct {
		entry      entry
		lang       nlu.Language
		start, end string
	}{
		{e, nlu.Japanese, "2025/01/15 19:00:00", "2025/01/15 21:00:00"},
		{e, nlu.English, "1/15/2025, 7:00:00 PM", "1/15/2025, 9:00:00 PM"},
		{entry{Start: at(15, 0, 0), End: at(15, 1, 0), EndInferred: true}, nlu.English, "1/15/2025, 12:00:00 AM", ""},
		{entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, nlu.Japanese, "2025/01/15", ""},
		{entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 18)}, nlu.English, "1/15/2025", "1/17/2025"},
	} {
		if start, end := specTimes(test.entry, tokyo, test.lang); start != test.start || end != test.end {
			t.Errorf("specTimes(%+v, %s) = %q, %q, want %q, %q", test.entry, test.lang, start, end, test.start, test.end)
		}
	}
}

func TestSpokenWhen(t *testing.T) {
	now := at(14, 10, 0)
	for _, test := range []struct {
		entry  entry
		oneDay civil.Date
		ja, en string
	}{
		{entry{Start: at(15, 19, 0), End: at(15, 21, 0)}, civil.Date{}, "15日、水曜日の19時から", "On Wednesday the 15th, from 7 PM"},
		{entry{Start: at(15, 9, 30), End: at(15, 21, 0)}, on(1, 15), "9時30分から", "From 9:30 AM"},
		{entry{Start: at(33, 12, 0), End: at(33, 13, 0)}, civil.Date{}, "2月2日、日曜日の12時から", "On Sunday, February 2nd, from noon"},
		{entry{Start: at(400, 0, 0), End: at(400, 1, 0)}, civil.Date{}, "2026年2月4日、水曜日の0時から", "On Wednesday, February 4th, 2026, from midnight"},
		{entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, civil.Date{}, "15日、水曜日は終日", "All day on Wednesday the 15th"},
		{entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 16)}, on(1, 15), "終日", "All day"},
		{entry{AllDay: true, FirstDay: on(1, 15), EndDay: on(1, 18)}, on(1, 15), "15日、水曜日から17日、金曜日まで", "From Wednesday the 15th to Friday the 17th"},
	} {
		if got := spokenWhen(test.entry, now, test.oneDay, nlu.Japanese); got != test.ja {
			t.Errorf("spokenWhen(%+v, ja) = %q, want %q", test.entry, got, test.ja)
		}
		if got := spokenWhen(test.entry, now, test.oneDay, nlu.English); got != test.en {
			t.Errorf("spokenWhen(%+v, en) = %q, want %q", test.entry, got, test.en)
		}
	}
}

func TestOrdinal(t *testing.T) {
	var got []string
	for _, n := range []int{1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31} {
		got = append(got, ordinal(n))
	}
	if want := "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 31st"; strings.Join(got, " ") != want {
		t.Errorf("ordinals are %q, want %q", strings.Join(got, " "), want)
	}
}

func TestSpanWords(t *testing.T) {
	now := at(14, 10, 0)
	days := func(first, until civil.Date) span {
		r := civil.Days(first, until, tokyo)
		return span{Name: datetime.Range, Start: r.Start, End: r.End, Explicit: true}
	}
	clock := span{Name: datetime.Range, Start: at(15, 18, 0), End: at(16, 0, 0), Clock: true}
	open := clock
	open.OpenEnd = true
	from, until := days(on(1, 17), on(12, 31)), days(on(1, 14), on(1, 18))
	from.OpenEnd, until.OpenStart = true, true
	for _, test := range []struct {
		span           span
		ja, en, adverb string
	}{
		{span{Name: datetime.ThisWeek, Start: at(13, 0, 0), End: at(20, 0, 0)}, "今週", "this week", "this week"},
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
		ja, en, adverb := test.span.words(now, nlu.Japanese), test.span.words(now, nlu.English), test.span.adverb(now, nlu.English)
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
		if diff := cmp.Diff(want, sentences(text)); diff != "" {
			t.Errorf("sentences(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestSpoken(t *testing.T) {
	for _, test := range []struct {
		lang       nlu.Language
		text, want string
	}{
		{nlu.Japanese, "2025年1月15日(水) 19:00〜21:00です。", "2025年1月15日、水曜日の19時から21時です。"},
		{nlu.Japanese, "9:00から22:00まで。火曜日は12:30〜17:00。", "9時から22時まで。火曜日は12時30分から17時。"},
		{nlu.Japanese, "今週は以下のイベントがあります：", "今週は以下のイベントがあります。"},
		{nlu.Japanese, "🎉**大会**🎉は[3F]です。https://example.com/x を見て。", "大会は〔3F〕です。 を見て。"},
		{nlu.English, "Wed, Jan 15, 2025, 19:00–21:00.", "Wednesday, January 15, 2025, 7 PM to 9 PM."},
		{nlu.English, "Open 09:00 to 22:00 (10:00 p.m.), until 24:00.", "Open 9 AM to 10 PM, until midnight."},
		{nlu.English, "It starts at 18:00 (6:00 p.m.) or 6:30 PM or 9 a.m. sharp", "It starts at 6 PM or 6:30 PM or 9 AM sharp"},
		{nlu.English, "Here are the events:", "Here are the events."},
		{nlu.English, "Call 080-6742-7231, 5:1 odds, 99:99", "Call 080-6742-7231, 5:1 odds, 99:99"},
	} {
		if got := spoken(test.text, test.lang); got != test.want {
			t.Errorf("spoken(%q, %s) = %q, want %q", test.text, test.lang, got, test.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"  a \n\t b  ", 10, "a b"},
		{"a\x1b[31mb\x00c\u202ed\u200be\u2066f", 20, "a[31mbcdef"},
		{"あいうえお", 5, "あいうえお"},
		{"あいうえおか", 5, "あいうえ…"},
		{"a b", 2, "a…"},
		{"👩\u200d💻", 10, "👩\u200d💻"},
		{"", 5, ""},
	} {
		if got := oneLine(test.text, test.limit); got != test.want {
			t.Errorf("oneLine(%q, %d) = %q, want %q", test.text, test.limit, got, test.want)
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
	e := tame(calendar.Event{Title: "[a]\n b", URL: "javascript:alert(1)", Description: "<i>x</i>", Status: calendar.Confirmed})
	if want := (entry{Title: "[a] b", Description: "x"}); e != want {
		t.Errorf("tame = %+v, want %+v", e, want)
	}
	for url, want := range map[string]string{
		"https://example.com/a?b=c": "https://example.com/a?b=c", " http://example.com ": "http://example.com", "https://a b": "", "ftp://x": "",
		"https://example.com/" + strings.Repeat("x", 600): "",
	} {
		if got := webAddress(url); got != want {
			t.Errorf("webAddress(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestWholeWord(t *testing.T) {
	for _, test := range []struct {
		text, word string
		want       int
	}{
		{"カフェは？", "カフェ", 0},
		{"エンジニアカフェは？", "カフェ", -1},
		{"あのカフェ", "カフェ", len("あの")},
		{"カフェー", "カフェ", -1},
		{"the Cafe?", "cafe", 4},
		{"cafeteria", "cafe", -1},
		{"大会議室", "会議室", -1},
		{"会議室の料金", "会議室", 0},
		{"cafeteria cafe", "cafe", 10},
		{"x", "", -1},
	} {
		if got := wholeWord(test.text, test.word); got != test.want {
			t.Errorf("wholeWord(%q, %q) = %d, want %d", test.text, test.word, got, test.want)
		}
	}
}

func TestBareNumber(t *testing.T) {
	for text, want := range map[string]int{"2": 2, "２": 2, " 1番。": 1, "0": 0, "12": 0, "二つ目": 0, "": 0, "a": 0} {
		if got := bareNumber(text); got != want {
			t.Errorf("bareNumber(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestMoodOf(t *testing.T) {
	for _, test := range []struct {
		facts facts
		want  mood
	}{
		{facts{Events: 1}, excited},
		{facts{Events: 2, Changed: true}, surprised},
		{facts{Nothing: true}, apologetic},
		{facts{Unknown: true}, apologetic},
		{facts{Asking: true}, surprised},
		{facts{Grave: true, Asking: true}, neutral},
		{facts{Knowledge: statusOK}, helpful},
		{facts{Calendar: statusError, Knowledge: statusOK}, helpful},
	} {
		if got := moodOf(test.facts); got != test.want {
			t.Errorf("moodOf(%+v) = %s, want %s", test.facts, got, test.want)
		}
	}
}

func TestConfidence(t *testing.T) {
	for _, test := range []struct {
		facts facts
		want  float64
	}{
		{facts{Events: 1, Calendar: statusOK, Knowledge: statusEmpty}, 0.8},
		{facts{Calendar: statusEmpty, Knowledge: statusEmpty}, 0.7},
		{facts{Events: 1, Calendar: statusOK, Knowledge: statusError}, 0.7},
		{facts{Calendar: statusError, Knowledge: statusOK}, 0.6},
		{facts{Calendar: statusError, Knowledge: statusError, Assumed: true}, 0.45},
		{facts{Events: 1, Calendar: statusOK, Partial: true}, 0.7},
		{facts{Unknown: true}, 0.7},
	} {
		if got := confidence(test.facts); got != test.want {
			t.Errorf("confidence(%+v) = %v, want %v", test.facts, got, test.want)
		}
	}
}

// FuzzUntrusted holds what is promised of text of others: one line, short, no control characters, no brackets once they are away, and
// nothing spoken that has markup.
func FuzzUntrusted(f *testing.F) {
	for _, s := range []string{"[sad]中止", "a\x1b[31m", "<b>x</b>&amp;", "🎉 https://example.com", "Wed, Jan 15, 19:00–21:00", "9:00〜", "\xff\xfe", "「。」。"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := oneLine(plain(s), 50)
		if utf8.RuneCountInString(line) > 50 || strings.ContainsAny(line, "\n\r\t\x00\x1b") || strings.TrimSpace(line) != line {
			t.Errorf("oneLine(%q) = %q", s, line)
		}
		if again := oneLine(line, 50); again != line {
			t.Errorf("oneLine(%q) = %q, want it unchanged", line, again)
		}
		for _, lang := range []nlu.Language{nlu.Japanese, nlu.English} {
			for _, sentence := range sentences(line) {
				if got := spoken(sentence, lang); strings.ContainsAny(got, "[]*`#\n") {
					t.Errorf("spoken(%q, %s) = %q", sentence, lang, got)
				}
			}
		}
	})
}
