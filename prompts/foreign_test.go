package prompts_test

import (
	"strings"
	"testing"

	tables "annai/nlu/words"
	"annai/prompts"
)

// TestInForeign holds that whoever is recognised is answered: each language of the table by which they are told has a sentence.
func TestInForeign(t *testing.T) {
	const staff = "the staff at the desk"
	for _, row := range tables.Foreign() {
		switch row.Language {
		case "en", "ja", "und":
			continue
		}
		if got := prompts.InForeign(row.Language, staff); strings.Count(got, staff) != 1 || strings.ContainsAny(got, "[]{}\n\t") {
			t.Errorf("InForeign(%s) = %q, want one line that says where the staff are", row.Language, got)
		}
	}
	if got := prompts.InForeign("und", staff); got != "" {
		t.Errorf("InForeign(und) = %q, want nothing", got)
	}
}
