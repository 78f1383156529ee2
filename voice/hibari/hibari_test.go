//go:build !novoice

package hibari

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"annai/fault"
)

var loaded = sync.OnceValues(New)

// voice is the same for all tests.
func voice(t testing.TB) *Voice {
	t.Helper()
	v, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSynthesize(t *testing.T) {
	v := voice(t)
	const text = "Doors open at 10:30 am. Tea is 500 yen."
	pcm, rate, marks, err := v.Synthesize(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	if seconds := float64(len(pcm)) / float64(rate); rate != Rate || seconds < 3 || seconds > 7 {
		t.Errorf("Synthesize(%q) = %d samples, %d a second, want 3 to 7 s", text, len(pcm), rate)
	}
	loudest := float32(0)
	for _, s := range pcm {
		loudest = max(loudest, s, -s)
	}
	if !(loudest > 0.1 && loudest <= 1) {
		t.Errorf("the loudest sample is %g, want one that is heard", loudest)
	}
	var heard strings.Builder
	last := 0
	for _, m := range marks {
		if m.Start < last || m.End <= m.Start || m.End > len(pcm)*1000/rate {
			t.Errorf("mark %v is not between %d and the end", m, last)
		}
		last = m.End
		heard.WriteString(m.Phoneme)
	}
	if want := "dɔɹzOpᵊnættɛnθɜɹTiAɛmtiɪzfIvhʌndɹədjɛn"; heard.String() != want {
		t.Errorf("marks of %q, want of %q", heard.String(), want)
	}
	again, _, _, err := v.Synthesize(t.Context(), text)
	if err != nil || !slices.Equal(pcm, again) {
		t.Errorf("the sound is another the second time, %v", err)
	}
}

func TestRefused(t *testing.T) {
	v := voice(t)
	for name, text := range map[string]string{
		"kana": "Welcome to カフェ.", "kanji": "Room 会議室 A", "long": strings.Repeat("a ", 201), "empty": "",
		"silent": " ... \n", "address": "https://annai.example/events",
		"long to say": strings.Repeat("$7.77 ", 66),
	} {
		if _, _, _, err := v.Synthesize(t.Context(), text); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Synthesize of a text that is %s = %v, want ErrInvalid", name, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := voice(t).Synthesize(ctx, "Hello."); !errors.Is(err, context.Canceled) {
		t.Errorf("Synthesize without time = %v, want context.Canceled", err)
	}
}

// FuzzSynthesize is that any text is spoken or refused.
func FuzzSynthesize(f *testing.F) {
	v := voice(f)
	for _, text := range []string{
		"", "a", "\xff\xfe B\xc3 ok", "-", "--- -1 +2 1/2 .5 1.2.3 ,, 1,", "٣ ٣٤٥ ²½ ⅻ Ⅳ １２", "'",
		"’s '' x'y'z 'T", "Ж щ Ω ß ŉ ﬁ",
		"0000 00:00 99:99 31/31 $ £. €1.2.3 ¥ Rs -$5 1e9 999999999999999999999999 $99999999999999999999.99",
		"\u0301\u200d\U0001f468\u200d\U0001f469 \ufffd\u202e", "a.b.c.D E.F. .. ... …",
		"[x](/h/) {} <> |~^_\\", "MIX2wiFi-3D/x&y@z#1%+c++",
		"(Mon) 1F 1:00-2:00", strings.Repeat("é", 300), strings.Repeat("9", 300),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.RuneCountInString(text) > 40 { // the sound of long ones would take most of the time
			v.reader.read(spoken(strings.ToValidUTF8(text, " ")))
			return
		}
		pcm, rate, marks, err := v.Synthesize(t.Context(), text)
		switch {
		case err == nil && (len(pcm) == 0 || rate != Rate || len(marks) == 0):
			t.Errorf("Synthesize(%q) = %d samples, %d marks", text, len(pcm), len(marks))
		case err != nil && !errors.Is(err, fault.ErrInvalid):
			t.Errorf("Synthesize(%q) = %v, want ErrInvalid or a sound", text, err)
		}
		for i, s := range pcm {
			if !(s >= -1 && s <= 1) {
				t.Fatalf("Synthesize(%q): sample %d is %g", text, i, s)
			}
		}
	})
}
