package nodes

import (
	"strings"
	"testing"
	"unicode/utf8"

	"annai/dialog"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/tools/calendar"
)

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
		if got := text.OneLine(test.text, test.limit); got != test.want {
			t.Errorf("oneLine(%q, %d) = %q, want %q", test.text, test.limit, got, test.want)
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
		if got := nlu.BareNumber(text); got != want {
			t.Errorf("bareNumber(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestMoodOf(t *testing.T) {
	for _, test := range []struct {
		facts facts
		want  dialog.Emotion
	}{
		{facts{Events: 1}, dialog.Excited},
		{facts{Events: 2, Changed: true}, dialog.Surprised},
		{facts{Nothing: true}, dialog.Apologetic},
		{facts{Unknown: true}, dialog.Apologetic},
		{facts{Asking: true}, dialog.Surprised},
		{facts{Grave: true, Asking: true}, dialog.Neutral},
		{facts{Knowledge: statusOK}, dialog.Helpful},
		{facts{Calendar: statusError, Knowledge: statusOK}, dialog.Helpful},
	} {
		if got := emotionOf(test.facts); got != test.want {
			t.Errorf("emotionOf(%+v) = %s, want %s", test.facts, got, test.want)
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
		line := text.OneLine(display.EntryOf(calendar.Event{Description: s}).Description, 50)
		if utf8.RuneCountInString(line) > 50 || strings.ContainsAny(line, "\n\r\t\x00\x1b") || strings.TrimSpace(line) != line {
			t.Errorf("oneLine(%q) = %q", s, line)
		}
		if again := text.OneLine(line, 50); again != line {
			t.Errorf("oneLine(%q) = %q, want it unchanged", line, again)
		}
		for _, lang := range []nlu.Language{nlu.Japanese, nlu.English} {
			for _, sentence := range display.Sentences(line) {
				if got := spoken(sentence, lang); strings.ContainsAny(got, "[]*`#\n") {
					t.Errorf("spoken(%q, %s) = %q", sentence, lang, got)
				}
			}
		}
	})
}
