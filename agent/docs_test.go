package agent_test

import (
	"os"
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
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) == 0 {
		t.Error("the page has no code")
	}
	for _, block := range blocks {
		if !strings.Contains(string(source), block[1]) {
			t.Errorf("the page has code that is not in the example:\n%s", block[1])
		}
	}
}
