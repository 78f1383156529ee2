package graph_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPagesHaveTheExamples keeps the code on pages as it stands in examples, where it is compiled and run.
func TestPagesHaveTheExamples(t *testing.T) {
	code := regexp.MustCompile("(?s)```go\n(.*?)```")
	for page, example := range map[string]string{
		"../docs/add-a-node.md":     "example_node_test.go",
		"../docs/from-langgraph.md": "example_agent_test.go",
	} {
		text, source := read(t, page), read(t, example)
		blocks := code.FindAllStringSubmatch(text, -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no code", page)
		}
		for _, block := range blocks {
			if !strings.Contains(source, block[1]) {
				t.Errorf("%s has code that is not in %s:\n%s", page, example, block[1])
			}
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
