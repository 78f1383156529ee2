package datetime

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every line of the table is of a class, and knows numbers and names that there are.
func TestWordTable(t *testing.T) {
	classes, err := os.ReadFile("token.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(wordTable) {
		row := cells(line)
		if row == nil {
			continue
		}
		if len(row) != 3 || row[2] == "" || !strings.Contains(string(classes), fmt.Sprintf("class = %q", row[0])) {
			t.Errorf("%q is no line of the table", line)
			continue
		}
		for _, field := range strings.FieldsFunc(row[1], func(r rune) bool { return r == ' ' || r == '+' }) {
			if _, err := strconv.Atoi(field); err != nil && known[field] == 0 {
				t.Errorf("%q: %s is unknown", line, field)
			}
		}
	}
}
