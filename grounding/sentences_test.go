package grounding_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"annai/grounding"

	"github.com/google/go-cmp/cmp"
)

var splits = []struct {
	text string
	want []string
}{
	{"はい、あります。19時からです。", []string{"はい、あります。", "19時からです。"}},
	{"It costs 1.5 yen. See https://example.com/a.b?c=d. Enjoy!", []string{"It costs 1.5 yen.", "See https://example.com/a.b?c=d.", "Enjoy!"}},
	{"From 7 p.m. to 9 p.m. on Friday. Mr. Sato, e.g. at 9 a.m. Then home.", []string{"From 7 p.m. to 9 p.m. on Friday.", "Mr. Sato, e.g. at 9 a.m.", "Then home."}},
	{"「ようこそ。どうぞ。」という展示です。次へ。", []string{"「ようこそ。どうぞ。」という展示です。", "次へ。"}},
	{"Events:\n- もくもく会 19:00\n- LT会\n1. First item\n", []string{"Events:", "- もくもく会 19:00", "- LT会", "1. First item"}},
	{"[happy]こんにちは！[relaxed]どうぞ。", []string{"こんにちは！", "どうぞ。"}},
	{"本当ですか？！はい。", []string{"本当ですか？！", "はい。"}},
	{"3階 [予約制] です。", []string{"3階 [予約制] です。"}},
	{"It is open (really!) today. OK", []string{"It is open (really!) today.", "OK"}},
	{"cut off in the mid", []string{"cut off in the mid"}},
}

// TestSentences cuts the same texts whole and character by character.
func TestSentences(t *testing.T) {
	for _, c := range splits {
		var whole, slow grounding.Sentences
		got := append(whole.Write(c.text), whole.Close()...)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Write(%q) at once: -want +got\n%s", c.text, diff)
		}
		var pieces []string
		for _, r := range c.text {
			pieces = append(pieces, slow.Write(string(r))...)
		}
		if diff := cmp.Diff(c.want, append(pieces, slow.Close()...)); diff != "" {
			t.Errorf("Write(%q) by character: -want +got\n%s", c.text, diff)
		}
	}
}

// TestSentencesLeaveAsTheyComplete: a sentence does not wait for the next one, and a tag never
// leaves in parts.
func TestSentencesLeaveAsTheyComplete(t *testing.T) {
	var s grounding.Sentences
	if got := s.Write("[hap"); len(got) != 0 {
		t.Errorf("Write of half a tag = %q, want nothing", got)
	}
	if diff := cmp.Diff([]string{"はい。"}, s.Write("py]はい。次は")); diff != "" {
		t.Errorf("Write of a sentence and a half: -want +got\n%s", diff)
	}
	if got := s.Write(strings.Repeat("あ", 10_000)); len(got) < 5 {
		t.Errorf("Write of 10,000 characters without an end gave %d pieces, want it cut", len(got))
	}
}

func FuzzSentences(f *testing.F) {
	for _, c := range splits {
		f.Add(c.text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, step int) {
		if step < 1 || len(text) > 10_000 || !utf8.ValidString(text) {
			return
		}
		var s grounding.Sentences
		n := 0
		for len(text) > 0 {
			k := min(step, len(text))
			for k < len(text) && !utf8.RuneStart(text[k]) {
				k++
			}
			for _, out := range s.Write(text[:k]) {
				n += len(out)
			}
			text = text[k:]
		}
		s.Close()
		if got := s.Close(); len(got) != 0 {
			t.Errorf("a second Close() = %q, want nothing", got)
		}
	})
}
