//go:build !novoice

package jtalk_test

import (
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"annai/voice/jtalk"
)

// TestGolden compares labels with those of Open JTalk 1.11 itself, which the command golden wrote
// down.
func TestGolden(t *testing.T) {
	a := analyzer(t, nil)
	sentences, expected := golden(t)
	equal := 0
	for i, sentence := range sentences {
		labels, err := a.Labels(sentence)
		if err != nil && expected[i] != "" {
			t.Errorf("Labels(%q): %v", sentence, err)
			continue
		}
		if got := strings.Join(labels, " "); got != expected[i] {
			t.Logf("Labels(%q) sounds\n%s, want\n%s", sentence, sounds(got), sounds(expected[i]))
			continue
		}
		equal++
	}
	if equal < len(sentences) {
		t.Errorf("%d of %d sentences have the labels of Open JTalk, want all", equal, len(sentences))
	}
	if len(sentences) < 500 {
		t.Errorf("%d sentences, want 500", len(sentences))
	}
}

// golden returns sentences and their labels, with spaces between.
func golden(t testing.TB) (sentences, expected []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "# ") {
			sentences = append(sentences, strings.TrimSuffix(line, "\n"))
		}
	}
	packed, err := os.ReadFile("testdata/labels.zst")
	if err != nil {
		t.Fatal(err)
	}
	zr, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer zr.Close()
	labels, err := zr.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	expected = strings.Split(strings.TrimSuffix(string(labels), "\n"), "\n")
	if len(sentences) != len(expected) {
		t.Fatalf("%d sentences have %d lines of labels; run go run ./generate/golden", len(sentences), len(expected))
	}
	return sentences, expected
}

// sounds returns the phonemes of labels with spaces between.
func sounds(labels string) string {
	var names []string
	for _, label := range strings.Fields(labels) {
		names = append(names, jtalk.Phoneme(label))
	}
	return strings.Join(names, " ")
}

func analyzer(t testing.TB, readings map[string]string) *jtalk.Analyzer {
	t.Helper()
	a, err := jtalk.New(readings)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func BenchmarkLabels(b *testing.B) {
	a := analyzer(b, nil)
	sentences, _ := golden(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := a.Labels(sentences[i%len(sentences)]); err != nil && i < 0 {
			b.Fatal(err)
		}
		i++
	}
}
