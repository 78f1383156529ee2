package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPageHasTheExample keeps the code on the page as it stands in the example, where it is compiled and run.
func TestPageHasTheExample(t *testing.T) {
	page, err := os.ReadFile("../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) == 0 {
		t.Error("the page has no code")
	}
	for _, block := range blocks {
		if !strings.Contains(source, block[1]) {
			t.Errorf("the page has code that is not in the example:\n%s", block[1])
		}
	}
}

// examples are all of them.
func examples() (string, error) {
	files, err := filepath.Glob("example*_test.go")
	var all strings.Builder
	for _, file := range files {
		text, failed := os.ReadFile(file)
		all.Write(text)
		err = errors.Join(err, failed)
	}
	return all.String(), err
}
