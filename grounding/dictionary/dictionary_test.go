package dictionary_test

import (
	"slices"
	"testing"

	"annai/grounding/dictionary"
)

func TestJapanese(t *testing.T) {
	for _, c := range []struct {
		text, word, translation string
	}{
		{"予約が必要です", "予約", "reservation"},
		{"混んでいます", "混", "crowded"},
		{"預かります", "預かり", "keep"}, // the noun has more characters, the verb means the same
		{"通れません", "通", "go along"},
		{"うどんです", "うどん", "udon"},
		{"犬は入れません", "犬", "dog"},
		{"abc", "", ""},
		{"", "", ""},
		{"。", "", ""},
	} {
		n, list := dictionary.Japanese(c.text)
		if c.text[:n] != c.word || c.translation != "" && !slices.Contains(list, c.translation) || c.word == "" && len(list) > 0 {
			t.Errorf("Japanese(%q) = %q %v, want %q with %q", c.text, c.text[:n], list, c.word, c.translation)
		}
	}
}

func TestEnglish(t *testing.T) {
	same, _ := dictionary.English("begin")
	if !slices.Contains(same, "start") {
		t.Errorf("English(begin) = %v, want start among them", same)
	}
	_, kinds := dictionary.English("whale")
	if slices.Contains(kinds, "fish") {
		t.Errorf("English(whale) is a kind of %v, want no fish", kinds)
	}
	if same, kinds := dictionary.English("notaword"); same != nil || kinds != nil {
		t.Errorf("English(notaword) = %v, %v, want nothing", same, kinds)
	}
}

func TestBase(t *testing.T) {
	for word, want := range map[string]string{"children": "child", "begun": "begin", "inspected": "inspect", "stopping": "stop", "making": "make", "berries": "berry", "glass": "glass", "": ""} {
		if got := dictionary.Base(word); got != want {
			t.Errorf("Base(%q) = %q, want %q", word, got, want)
		}
	}
}

func FuzzJapanese(f *testing.F) {
	f.Add("預かります")
	f.Add("\xff\xfe")
	f.Add("石\x00段")
	f.Fuzz(func(t *testing.T, text string) {
		n, list := dictionary.Japanese(text)
		if n < 0 || n > len(text) || (n > 0) != (len(list) > 0) {
			t.Errorf("Japanese(%q) = %d %v, want a length within the text, and translations with it alone", text, n, list)
		}
	})
}
