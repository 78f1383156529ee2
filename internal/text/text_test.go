package text

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestScriptOf(t *testing.T) {
	for chars, want := range map[string]Script{
		"aZéÄōếＡ":  Latin,
		"09０٣":     Digit,
		"ぁんゖゝゟ":    Hiragana,
		"ァンヺーヽｱｰﾞ": Katakana,
		"一龠々〆〇㐀豈𠮷": Kanji,
		"αжא한":     Other,
		" -_'、。・「×÷☀\ufe0f\u3099\x00": None,
	} {
		for _, r := range chars {
			if got := ScriptOf(r); got != want {
				t.Errorf("ScriptOf(%q) = %d, want %d", r, got, want)
			}
			if got := IsJapanese(r); got != want.Japanese() {
				t.Errorf("IsJapanese(%q) = %v", r, got)
			}
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, test := range []struct{ text, want, main string }{
		{"", "", "en"},
		{"12:30 …", "", "en"},
		{"Où est la salle?", "en", "en"},
		{"привет", "", "en"},
		{"Wi-Fiは？", "ja", "ja"},
		{"ｶﾌｪ", "ja", "ja"},
		{"A long sentence about one 傘 that somebody lost", "ja", "en"},
	} {
		if got := Language(test.text); got != test.want {
			t.Errorf("Language(%q) = %q, want %q", test.text, got, test.want)
		}
		if got := HasJapanese(test.text); got != (test.want == "ja") {
			t.Errorf("HasJapanese(%q) = %v", test.text, got)
		}
		if got := MainLanguage(test.text); got != test.main {
			t.Errorf("MainLanguage(%q) = %q, want %q", test.text, got, test.main)
		}
	}
}

func TestFold(t *testing.T) {
	for _, test := range []struct{ text, fold, runes string }{
		{"ＷｉＦｉ　Café", "wifi café", "wifi cafe"},
		{"ｶﾌｪ", "カフェ", "ｶﾌｪ"},
		{"10〜12 – “It’s”", "10〜12 – “it’s”", "10~12 - \"it's\""},
		{"①", "1", "①"},
		{"a\u200bb", "a\u200bb", "ab"},
	} {
		if got := Fold(test.text); got != test.fold {
			t.Errorf("Fold(%q) = %q, want %q", test.text, got, test.fold)
		}
		if got := strings.Map(FoldRune, test.text); got != test.runes {
			t.Errorf("FoldRune of each in %q = %q, want %q", test.text, got, test.runes)
		}
	}
}

func TestStem(t *testing.T) {
	for _, test := range []struct{ word, stem, singular string }{
		{"cat", "cat", "cat"},
		{"bus", "bus", "bus"},
		{"classes", "class", "class"},
		{"boxes", "box", "box"},
		{"parties", "party", "party"},
		{"ties", "tie", "tie"},
		{"visitor's", "visitor", "visitor's"},
		{"booking", "book", "booking"},
		{"cutting", "cut", "cutting"},
		{"passing", "pass", "passing"},
		{"sing", "sing", "sing"},
		{"closed", "clos", "closed"},
		{"closes", "clos", "close"},
		{"size", "siz", "size"},
		{"3ds", "3ds", "3ds"},
		{"node.js", "node.js", "node.js"},
		{"meet-ups", "meet-up", "meet-up"},
		{"cafés", "café", "café"},
	} {
		if got := Stem(test.word); got != test.stem {
			t.Errorf("Stem(%q) = %q, want %q", test.word, got, test.stem)
		}
		if got := Singular(test.word); got != test.singular {
			t.Errorf("Singular(%q) = %q, want %q", test.word, got, test.singular)
		}
	}
}

func TestStemJoins(t *testing.T) {
	for _, same := range [][]string{
		{"park", "parks", "parked", "parking"},
		{"copy", "copies", "copying"},
		{"price", "prices", "pricing", "priced"},
		{"box", "boxes"},
		{"plan", "planned", "planning"},
		{"close", "closes", "closed", "closing"},
		{"child's", "child"},
		{"smoke", "smoking"},
		{"class", "classes"},
	} {
		for _, w := range same {
			if got, want := Stem(w), Stem(same[0]); got != want {
				t.Errorf("Stem(%q) = %q, want %q as of %q", w, got, want, same[0])
			}
		}
	}
	for _, w := range []string{"bus", "this", "ring", "red", "p1s", "9th", "king"} {
		if got := Stem(w); got != w {
			t.Errorf("Stem(%q) = %q, want it unchanged", w, got)
		}
	}
}

func TestIndexWord(t *testing.T) {
	for _, test := range []struct {
		text, word  string
		want, latin int // by InWord, by InLatinWord
	}{
		{"the art of start", "ART", 4, 4},
		{"start", "art", -1, -1},
		{"start art", "art", 6, 6},
		{"3d printer", "3D", 0, 0},
		{"会議室はどこ", "会議", -1, 0},
		{"会議はどこ", "会議", 0, 0},
		{"アポロ", "アポ", -1, 0},
		{"アポは", "アポ", 0, 0},
		{"あのかさ", "かさ", len("あの"), len("あの")},
		{"Wi-Fiは", "wi-fi", 0, 0},
		{"İ art", "art", 3, 3},
		{"anything", "", -1, -1},
	} {
		if got := IndexWord(test.text, test.word, InWord); got != test.want {
			t.Errorf("IndexWord(%q, %q, InWord) = %d, want %d", test.text, test.word, got, test.want)
		}
		if got := IndexWord(test.text, test.word, InLatinWord); got != test.latin {
			t.Errorf("IndexWord(%q, %q, InLatinWord) = %d, want %d", test.text, test.word, got, test.latin)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"  ", nil},
		{"開館は9時です。閉館は？22時です", []string{"開館は9時です。", "閉館は？", "22時です"}},
		{"「はい。どうぞ。」と言った。次", []string{"「はい。どうぞ。」と言った。", "次"}},
		{"すごい！！本当？！はい。", []string{"すごい！！", "本当？！", "はい。"}},
		{"It is open. Is it? Yes!", []string{"It is open.", "Is it?", "Yes!"}},
		{"Ask Dr. Sato, e.g. at Node.js. Bring 1.5 l.", []string{"Ask Dr. Sato, e.g. at Node.js.", "Bring 1.5 l."}},
		{"Sat. and Sun. only. On Mon. Closed", []string{"Sat. and Sun. only.", "On Mon. Closed"}},
		{"Sit in the sun. Then go.", []string{"Sit in the sun.", "Then go."}},
		{"Open till 9 p.m. on weekdays. Or 5 p.m. Go.", []string{"Open till 9 p.m. on weekdays.", "Or 5 p.m.", "Go."}},
		{"(Free. For all.) In room C. We", []string{"(Free. For all.) In room C.", "We"}},
		{"a\xffb. Next\xfe", []string{"a\xffb.", "Next\xfe"}},
		{"\xffあ。\xe3", []string{"\xffあ。", "\xe3"}}, // what is read for a wrong byte is longer than the byte
	} {
		if diff := cmp.Diff(test.want, Sentences(test.text)); diff != "" {
			t.Errorf("Sentences(%q) (-want +got):\n%s", test.text, diff)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("「a。」b. C\xff!")
	f.Fuzz(func(t *testing.T, s string) {
		without := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got, want := without(strings.Join(Sentences(s), " ")), without(s); got != want {
			t.Errorf("Sentences(%q) has %q, want %q", s, got, want)
		}
	})
}

func TestWeekdays(t *testing.T) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		kanji := WeekdayKanji(day)
		for _, r := range kanji {
			if got, ok := Weekday(r); !ok || got != day {
				t.Errorf("Weekday(%c) = %v, %v, want %v", r, got, ok, day)
			}
		}
		if got := LongName(day.String()[:3]); got != day.String() {
			t.Errorf("LongName(%s) = %q", day.String()[:3], got)
		}
	}
	if _, ok := Weekday('曜'); ok {
		t.Error("Weekday(曜) is a day")
	}
	for short, want := range map[string]string{"Jan": "January", "Sept": "September", "May": "", "mon": "", "": ""} {
		if got := LongName(short); got != want {
			t.Errorf("LongName(%q) = %q, want %q", short, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{" a\n b\tc ", 10, "a b c"},
		{"a\x00b\u202ec\u2028d", 10, "abc d"},
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "abcd…"},
		{"明日の会", 3, "明日…"},
		{"👩\u200d🚀", 5, "👩\u200d🚀"},
	} {
		if got := OneLine(test.text, test.limit); got != test.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", test.text, test.limit, got, test.want)
		}
	}
}

func TestEnumerate(t *testing.T) {
	for want, list := range map[string][]string{
		"":                     nil,
		"a":                    {"a"},
		"a and b":              {"a", "b"},
		"a, b and c":           {"a", "b", "c"},
		"Mon, 1; Tue, 2 and 3": {"Mon, 1", "Tue, 2", "3"},
	} {
		if got := Enumerate(list); got != want {
			t.Errorf("Enumerate(%q) = %q, want %q", list, got, want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	var got []string
	for _, n := range []int{1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31} {
		got = append(got, Ordinal(n))
	}
	if want := "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 31st"; strings.Join(got, " ") != want {
		t.Errorf("Ordinals are %q, want %q", strings.Join(got, " "), want)
	}
}
