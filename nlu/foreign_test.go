package nlu_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"annai/nlu"
)

// TestForeign holds what visitors may say in other languages, and what must not be taken for one.
func TestForeign(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/foreign.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	others, harmless, languages := 0, 0, map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		want, said, ok := strings.Cut(lines.Text(), "\t")
		switch {
		case !ok: // a remark
			continue
		case want == "-":
			want = ""
			harmless++
		default:
			others++
			languages[want] = true
		}
		if got := nlu.Foreign(said); got != want {
			t.Errorf("Foreign(%q) = %q, want %q", said, got, want)
		}
	}
	if others < 100 || harmless < 100 || len(languages) < 20 {
		t.Errorf("testdata/foreign.tsv: %d utterances in %d languages and %d harmless ones, want 100 in 20 and 100",
			others, len(languages), harmless)
	}
}
