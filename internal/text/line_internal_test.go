package text

import (
	"testing"
	"unicode"
)

// TestIsLineOfEveryCharacter compares isLine with what it says of each character by itself.
func TestIsLineOfEveryCharacter(t *testing.T) {
	for r := range unicode.MaxRune {
		want := !(unicode.IsSpace(r) || unicode.IsControl(r) || IsHidden(r) || r == unicode.ReplacementChar) &&
			(r < 0xD800 || r > 0xDFFF) // which no text has
		if got := isLine(string(r), 1); got != want {
			t.Errorf("isLine(%q) = %v, want %v", r, got, want)
		}
	}
}
