package nlu_test

import (
	"testing"

	"annai/nlu"
)

// TestTypos checks that a slip in an everyday English word is read as what was meant, and that no
// other word is taken for one.
func TestTypos(t *testing.T) {
	r := nlu.New(nlu.Options{})
	for _, c := range []struct{ say, text string }{
		{"toilte where", "toilet where"},
		{"Where is the tolet?", "Where is the toilet?"},
		{"wifi pasword pls", "wifi password pls"},
		{"events tomorow", "events tomorrow"},
		{"what is on Wendesday", "what is on wednesday"},
		{"weekends in december", "weekends in december"},
		{"is it scheduled", "is it scheduled"},
		{"printed matter", "printed matter"},
		{"stations and toilets", "stations and toilets"},
		{"トイレはtoilteですか", "トイレはtoilteですか"},
	} {
		if got := r.Understand(c.say, now(t)).Text; got != c.text {
			t.Errorf("Understand(%q).Text = %q, want %q", c.say, got, c.text)
		}
	}
}
