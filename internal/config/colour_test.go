package config

import "testing"

func TestNoColour(t *testing.T) {
	for _, test := range []struct {
		noColor, term string
		want          bool
	}{
		{"", "xterm-256color", false},
		{"", "", false},
		{"1", "xterm-256color", true},
		{"", "dumb", true},
	} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		if got := NoColour(); got != test.want {
			t.Errorf("NoColour() with NO_COLOR=%q TERM=%q = %t, want %t", test.noColor, test.term, got, test.want)
		}
	}
}
