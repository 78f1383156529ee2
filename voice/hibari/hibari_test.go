package hibari

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

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
