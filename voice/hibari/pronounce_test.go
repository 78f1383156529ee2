package hibari

import (
	"os"
	"strings"
	"testing"
)

// TestPronunciation compares how sentences are pronounced with the Python package that the data are
// from; see generate/pronounce.py.
func TestPronunciation(t *testing.T) {
	v := voice(t)
	text, err := os.ReadFile("testdata/phonemes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		sentence, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got := v.reader.read(sentence); got != want {
			t.Errorf("%s\n got %s\nwant %s", sentence, got, want)
		}
	}
}
