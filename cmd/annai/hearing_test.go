package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"annai/internal/config"
)

// TestWordsSaid has a recogniser be told what is said at the demonstration venue, and not more than it reads.
func TestWordsSaid(t *testing.T) {
	t.Parallel()
	c := config.Config{Now: time.Date(2026, 1, 14, 3, 0, 0, 0, time.UTC)}
	a, err := assemble(t.Context(), c, wants{forgetful: true}, discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close() }()
	for language, words := range map[string][]string{
		"ja": {"エンジニアカフェ", "冬のもくもく会", "駐車場"},
		"en": {"Engineer Cafe", "Winter Mokumoku Night", "parking"},
	} {
		said := a.wordsSaid(t.Context(), language)
		for _, word := range words {
			if !strings.Contains(said, word) {
				t.Errorf("wordsSaid(%s) = %s, without %s", language, said, word)
			}
		}
		if n := utf8.RuneCountInString(said); n > 250 {
			t.Errorf("wordsSaid(%s) has %d characters", language, n)
		}
	}
	if said := a.wordsSaid(t.Context(), "fr"); said != "" {
		t.Errorf("wordsSaid(fr) = %s", said)
	}
}
