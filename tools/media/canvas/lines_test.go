package canvas_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/tools/media/canvas"
)

func TestBreak(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		ems  float64
		want []string
	}{
		"fits":             {"勉強会", 3, []string{"勉強会"}},
		"between kanji":    {"勉強会案内", 3, []string{"勉強会", "案内"}},
		"stop not first":   {"あいう。えお", 3, []string{"あい", "う。え", "お"}},
		"small kana":       {"アイシャツ", 3, []string{"アイ", "シャツ"}},
		"long mark":        {"アイコーヒー", 3, []string{"アイ", "コー", "ヒー"}},
		"opening not last": {"ああ「いい」", 3, []string{"ああ", "「いい」"}},
		"no half dots":     {"あああ……う", 4, []string{"あああ", "……う"}},
		"Latin words":      {"Go and TypeScript", 6, []string{"Go and", "TypeScript"}},
		"apostrophe":       {"I don't", 2.8, []string{"I", "don't"}},
		"word too long":    {"TypeScript", 2, []string{"Typ", "eSc", "ript"}},
		"number and unit":  {"開催は12月です", 4.6, []string{"開催は", "12月です"}},
		"paragraphs":       {"一\n\n二", 5, []string{"一", "", "二"}},
		"nothing":          {"", 5, []string{""}},
	} {
		set := canvas.Type{Face: canvas.Sans, Size: 10}
		got := set.Break(test.text, test.ems*10)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: Break(%q, %v ems) (-want +got):\n%s", name, test.text, test.ems, diff)
		}
	}
}

func TestClamp(t *testing.T) {
	set := canvas.Type{Face: canvas.Sans, Size: 10}
	for _, test := range []struct {
		most int
		want []string
	}{
		{3, []string{"これは長い", "お話です。", "終わり"}},
		{2, []string{"これは長い", "お話です…"}},
		{1, []string{"これは長…"}},
		{0, []string{}},
	} {
		if diff := cmp.Diff(test.want, set.Clamp("これは長いお話です。終わり", 50, test.most)); diff != "" {
			t.Errorf("Clamp to %d lines (-want +got):\n%s", test.most, diff)
		}
	}
}

func TestFit(t *testing.T) {
	box := canvas.Box{Width: 1000, Height: 600, Smallest: 40, Largest: 180, Leading: 1.2, Lines: 5}
	for _, test := range []struct {
		text string
		want []string
	}{
		{"もくもく会", []string{"もくもく会"}},
		{"冬のブロックチェーンミートアップ", []string{"冬の", "ブロックチェーン", "ミートアップ"}},
		{"大きな勉強会のご案内です", []string{"大きな", "勉強会の", "ご案内です"}},
		{"はじめてのTypeScript勉強会", []string{"はじめての", "TypeScript", "勉強会"}},
		{"Introduction to Generative Art", []string{"Introduction", "to Generative", "Art"}},
	} {
		set, lines := canvas.Type{Face: canvas.Heavy}.Fit(test.text, box)
		if diff := cmp.Diff(test.want, lines); diff != "" {
			t.Errorf("Fit(%q) (-want +got):\n%s", test.text, diff)
		}
		checkFits(t, set, lines, box)
	}
	long := strings.Repeat("とても長い題名の勉強会", 20)
	set, lines := canvas.Type{Face: canvas.Heavy}.Fit(long, box)
	checkFits(t, set, lines, box)
	if set.Size != box.Smallest || !strings.HasSuffix(lines[len(lines)-1], "…") {
		t.Errorf("Fit of a long title = %v at %v, want the smallest size and …", lines, set.Size)
	}
}

func checkFits(t *testing.T, set canvas.Type, lines []string, box canvas.Box) {
	t.Helper()
	for _, line := range lines {
		if w := set.Width(line); w > box.Width+0.01 {
			t.Errorf("line %q is %v wide, want at most %v", line, w, box.Width)
		}
	}
	if h := float64(len(lines)) * set.Size * box.Leading; h > box.Height+0.01 {
		t.Errorf("%q of size %v is %v high, want at most %v", lines, set.Size, h, box.Height)
	}
	if set.Size < box.Smallest || set.Size > box.Largest {
		t.Errorf("size of %q = %v, want %v to %v", lines, set.Size, box.Smallest, box.Largest)
	}
}

// FuzzBreak holds that no line is too wide, begins with a stop or ends with an opening bracket
// while there was room, and that nothing but spaces is lost.
func FuzzBreak(f *testing.F) {
	for _, seed := range []string{"これは「長い」お話。", "Hello, world! (again)", "…………、、、、「「「「", "a\nb  c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text, _ = canvas.Sans.Drawable(text)
		set := canvas.Type{Face: canvas.Sans, Size: 10}
		lines := set.Break(text, 100)
		for _, line := range lines {
			if w := set.Width(line); w > 100.01 && len([]rune(line)) > 1 {
				t.Errorf("line %q of %q is %v wide", line, text, w)
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := squeeze(strings.Join(lines, "")); got != squeeze(text) {
			t.Errorf("Break(%q) = %q, want all of it", text, lines)
		}
	})
}
