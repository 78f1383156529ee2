package nodes

import (
	"testing"

	"annai/rag"
)

func TestNamed(t *testing.T) {
	var passages []rag.Passage
	for _, title := range []string{"こどもScratch / Scratch for Kids", "Pitch Night", "蔵びらき", "生活相談"} {
		passages = append(passages, rag.Passage{Lang: "ja", Pair: title}, rag.Passage{Lang: "en", Pair: title})
	}
	titles := heardTitles(passages)
	for _, c := range []struct{ utterance, want string }{
		{"こどもの すくらっち いつ？", "こどもScratch"},
		{"すくらっち いつ？", "Scratch"},
		{"ピッチナイトっていつでしたっけ", "Pitch Night"},
		{"蔵開きの日って何日やったっけ", "蔵びらき"},
		{"生活早段は予約いりますか", "生活相談"},
		{"そうだったんですね", ""},
		{"きょうはいい天気ですね", ""},
		{"", ""},
	} {
		if got, ok := named(c.utterance, titles); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("named(%q) = %q, %t, want %q", c.utterance, got, ok, c.want)
		}
	}
	if got, ok := named("ピッチナイト", nil); ok {
		t.Errorf("named without titles = %q, want nothing", got)
	}
}
