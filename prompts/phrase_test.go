package prompts_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"annai/prompts"
)

// madeUp are the beginnings of names that code puts together, of which each row is used.
var madeUp = regexp.MustCompile(`^(written|spoken)_(day|month|year)$|^(in|rhythm)_[a-z]+$|^(this|next|dayAfter)[A-Z]`)

// TestPhrases looks for a name in nodes that the table does not have, and for a row that nobody says.
func TestPhrases(t *testing.T) {
	called := regexp.MustCompile(`\b[pP]hrase\([^"()]*(?:nlu\.Japanese, |[lL]ang(?:uage)?, )?"(\w+)"`)
	literal := regexp.MustCompile(`"(\w+)"`)
	said := map[string]bool{}
	files := 0
	err := filepath.WalkDir("../nodes", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		files++
		for _, m := range literal.FindAllSubmatch(src, -1) {
			said[string(m[1])] = true
		}
		for _, m := range called.FindAllSubmatch(src, -1) {
			name := string(m[1])
			if begun := name == "in_" || name == "written" || name == "spoken"; !begun && !prompts.HasPhrase(name) {
				t.Errorf("%s says the phrase %s, which phrases.tsv does not have", path, name)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("read nodes: %d files, %v", files, err)
	}
	table, err := os.ReadFile("phrases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		name, _, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(line, "#") && !said[name] && !madeUp.MatchString(name) && name != "weekend" {
			t.Errorf("nobody says the phrase %s", name)
		}
	}
	if got, want := prompts.Phrase("hours_between", "en", "today", "9:00", "{1}"), "today, 9:00–{1}"; got != want {
		t.Errorf("Phrase(hours_between) = %q, want %q", got, want)
	}
}
