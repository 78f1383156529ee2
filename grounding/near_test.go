package grounding_test

import (
	"testing"
	"time"

	"annai/grounding"
)

// TestNear: a word may be found in another word of a dictionary, but not alone on a meaning that it has by the way.
func TestNear(t *testing.T) {
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.FixedZone("", 9*3600))
	for _, c := range []struct {
		evidence, text string
		ok             bool
	}{
		{"発電機は夜9時以降は使わないでください。", "Generators must not be used after 9 p.m.", true},
		{"発電機は夜9時以降は使わないでください。", "Generators may be used after 9 p.m.", false},
		{"A rice merchant founded the theatre in 1923.", "劇場は1923年に米商人が設立しました。", true},
		{"A rice merchant founded the theatre in 1923.", "劇場は1923年に医師が設立しました。", false},
		{"池にはカメが住んでいます。", "There are turtles in the pond.", true},
		{"池にはカメが住んでいます。", "There are frogs in the pond.", false},
		{"登録すると会員番号が発行されます。", "It will be recorded.", false},
	} {
		checker := grounding.New(grounding.Evidence{Now: now, Items: []grounding.Item{{ID: "x", Kind: grounding.Passage, Text: c.evidence}}})
		if v := checker.Check(c.text); v.OK != c.ok {
			t.Errorf("Check(%q) with %q = %v (%s), want %v", c.text, c.evidence, v.OK, v.Reason, c.ok)
		}
	}
}
