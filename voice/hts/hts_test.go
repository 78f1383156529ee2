//go:build !novoice

package hts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"annai/fault"
)

func TestSynthesizeRefuses(t *testing.T) {
	mei, err := Mei()
	if err != nil {
		t.Fatal(err)
	}
	labels, _ := oracle(t)[0].split(t)
	for _, c := range []struct {
		name   string
		labels []string
		speed  float64
	}{
		{"a text", []string{"こんにちは"}, 1},
		{"a label without context", []string{"xx^xx-sil+k=o"}, 1},
		{"more labels than are spoken", slices.Repeat(labels, 700), 1},
		{"speech of more than two minutes", slices.Repeat(labels, 150), 1},
		{"a speed", labels, 3},
	} {
		if _, err := mei.Synthesize(t.Context(), c.labels, Options{Speed: c.speed}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Synthesize(%s) = %v, want ErrInvalid", c.name, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := mei.Synthesize(ended, labels, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Synthesize(ended) = %v, want its error", err)
	}
	marks, err := mei.Marks(labels, Options{})
	sound, err2 := mei.Synthesize(t.Context(), labels, Options{})
	if err != nil || err2 != nil || !slices.Equal(marks, sound.Marks) {
		t.Errorf("Marks = %v, %v; with the sound %v, %v", marks, err, sound.Marks, err2)
	}
	if s, err := mei.Synthesize(t.Context(), nil, Options{}); err != nil || len(s.Samples) > 0 {
		t.Errorf("Synthesize(nothing) = %d samples, %v", len(s.Samples), err)
	}
}

func TestLoadRefuses(t *testing.T) {
	whole := string(meiFile)
	for name, data := range map[string]string{
		"nothing":                "",
		"its header alone":       whole[:strings.Index(whole, "[DATA]")],
		"half of it":             whole[:len(whole)/2],
		"other streams":          strings.Replace(whole, "MCP,LF0,LPF", "MCP,LF0", 1),
		"another kind of filter": strings.Replace(whole, "ALPHA=0.55", "ALPHA=0.55,GAMMA=1", 1),
		"no rate":                strings.Replace(whole, "SAMPLING_FREQUENCY:48000", "SAMPLING_FREQUENCY:x", 1),
		"longer vectors":         strings.Replace(whole, "VECTOR_LENGTH[MCP]:35", "VECTOR_LENGTH[MCP]:99", 1),
		"an unknown question":    strings.Replace(whole, "QS C-Phone_Muon", "QS C-Phone_Noum", 1),
		"a node that turns back": strings.Replace(whole, "-131      \n", "-1        \n", 1),
		"a leaf that is not":     strings.Replace(whole, `"dur_s2_145"`, `"dur_s2_999"`, 1),
		"a part beyond the end":  strings.Replace(whole, "GV_TREE[LF0]:861115-861532", "GV_TREE[LF0]:861115-999999", 1),
	} {
		if data == whole {
			t.Fatalf("%s: the file has changed", name)
		}
		if _, err := Load([]byte(data)); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Load(%s) = %v, want ErrInvalid", name, err)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern pattern
		text    string
		want    bool
	}{
		{"*-a+*", "x^k-a+i=u", true},
		{"*-a+*", "x^a-k+a=u", false},
		{"*-1?", "/K:1+2-15", true},
		{"*-1?", "/K:1+2-1", false},
		{"*/A:-??+*", "x/A:-12+3", true},
		{"*/A:-??+*", "x/A:-1+23", false},
		{"*a*b", "aabab", true},
		{"*a*b", "aaba", false},
		{"*", "", true},
		{"a", "", false},
	} {
		if got := c.pattern.matches(c.text); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	head, _, _ := strings.Cut(string(meiFile), "[DATA]\n")
	f.Add(head+"[DATA]\n", 0, byte(0))
	f.Add(string(meiFile[:len(head)+30_000]), 3000, byte('9'))
	f.Fuzz(func(t *testing.T, data string, at int, b byte) {
		changed := []byte(data)
		if at >= 0 && at < len(changed) {
			changed[at] = b
		}
		v, err := Load(changed)
		if err != nil {
			return
		}
		_, err = v.Synthesize(t.Context(), []string{"a^b-c+d=e/A:1+1+1"}, Options{})
		if err != nil && !errors.Is(err, fault.ErrInvalid) {
			t.Error(err)
		}
	})
}
