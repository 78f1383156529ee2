package calendar

import (
	"testing"
	"unicode"
)

// TestOpens compares what opens a bracket with the list of them.
func TestOpens(t *testing.T) {
	listed := map[rune]bool{}
	for _, r := range opening {
		listed[r] = true
	}
	for r := range unicode.MaxRune {
		if opens(r) != listed[r] {
			t.Errorf("opens(%q) = %v, want %v", r, opens(r), listed[r])
		}
	}
}
