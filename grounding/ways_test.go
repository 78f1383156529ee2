package grounding_test

import (
	"testing"
	"time"

	"annai/grounding"
)

// TestWays: what comes from a place is not what goes to it.
func TestWays(t *testing.T) {
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.FixedZone("", 9*3600))
	names := [][]string{{"天神", "Tenjin"}, {"博多", "Hakata"}}
	for _, c := range []struct {
		evidence, text string
		ok             bool
	}{
		{"From Tenjin Station it is 5 minutes on foot from exit 16.", "It is a five-minute walk from Tenjin Station.", true},
		{"From Tenjin Station it is 5 minutes on foot from exit 16.", "It is a five-minute walk to Tenjin Station.", false},
		{"The nearest station is Tenjin. Take exit 16.", "To get to Tenjin station, take exit 16.", false},
		{"The nearest station is Tenjin. Take exit 16.", "From Tenjin station, take exit 16.", true},
		{"Take the subway from Hakata to Tenjin.", "地下鉄で博多から天神までお越しください。", true},
		{"Take the subway from Hakata to Tenjin.", "地下鉄で天神から博多までお越しください。", false},
		{"天神駅から徒歩5分です。", "天神駅まで徒歩5分です。", false},
		{"天神駅から徒歩5分です。", "It is a five-minute walk from Tenjin Station.", true},
		{"天神駅から徒歩5分です。", "天神駅へ行くには徒歩5分です。", false},
	} {
		checker := grounding.New(grounding.Evidence{Now: now, Names: names, Items: []grounding.Item{{ID: "x", Kind: grounding.Passage, Text: c.evidence}}})
		if v := checker.Check(c.text); v.OK != c.ok {
			t.Errorf("Check(%q) with %q = %v (%s), want %v", c.text, c.evidence, v.OK, v.Reason, c.ok)
		}
	}
}
