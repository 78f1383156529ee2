//go:build !novoice

package jtalk_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"annai/voice/jtalk"
)

func TestLabelsOfNothing(t *testing.T) {
	a := analyzer(t, nil)
	for _, text := range []string{"", " ", "。", "？", "\x00\n", "\xff\xfe", "😀", "(笑"[:1], "ー"} {
		if labels, err := a.Labels(text); !errors.Is(err, jtalk.ErrSilent) {
			t.Errorf("Labels(%q) = %v, %v, want %v", text, labels, err, jtalk.ErrSilent)
		}
	}
}

func TestLabelsAreCutOff(t *testing.T) {
	a := analyzer(t, nil)
	long, err := a.Labels(strings.Repeat("か", 1_000_000))
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*jtalk.MaxRunes + 2; len(long) != want { // k, a ..., and silence
		t.Errorf("Labels of a million か are %d, want %d", len(long), want)
	}
}

// TestLabelsOfAnything reads random texts of characters that rules look at, and of all others.
func TestLabelsOfAnything(t *testing.T) {
	a := analyzer(t, map[string]string{"会": "かい", "12": "じゅうに"})
	r := rand.New(rand.NewPCG(1, 2))
	known := []rune("0123456789一二三十百千万億日月年人時分半円階本、。？！ー〜・，．,.:/-()（）〇ｶﾞﾟ’っゃんをはですますしうaZＡBFNo¥$ 　会😀\u3099\xff")
	for range 400 {
		text := make([]rune, r.IntN(60))
		for i := range text {
			text[i] = known[r.IntN(len(known))]
			if r.IntN(8) == 0 {
				text[i] = r.Int32N(0x11000)
			}
		}
		read(t, a, string(text))
	}
}

// read checks what is true of the labels of any text.
func read(t *testing.T, a *jtalk.Analyzer, text string) {
	t.Helper()
	for name, labels := range map[string]func(string) ([]string, error){"Labels": a.Labels, "Say": a.Say} {
		got, err := labels(text)
		if errors.Is(err, jtalk.ErrSilent) {
			continue
		}
		if err != nil || len(got) < 3 {
			t.Errorf("%s(%q) = %v, %v, want three labels or ErrSilent", name, text, got, err)
			continue
		}
		if jtalk.Phoneme(got[0]) != "sil" || jtalk.Phoneme(got[len(got)-1]) != "sil" {
			t.Errorf("%s(%q) begins with %s and ends with %s, want silence", name, text, got[0], got[len(got)-1])
		}
	}
}

func FuzzLabels(f *testing.F) {
	for _, text := range []string{"10:30〜", "1,2,3.4", "二十四日間", "ｶﾞｷﾞ", "\xff", "https://a.b/c", "¥-1", "〜", "十四"} {
		f.Add(text)
	}
	a := analyzer(f, map[string]string{"会": "かい"})
	f.Fuzz(func(t *testing.T, text string) { read(t, a, text) })
}
