package server

import (
	"strings"
	"testing"

	"annai/prompts"
)

// TestWords holds that each failure is told in words of its own.
func TestWords(t *testing.T) {
	named := []string{"empty", "too_long", "resume_lost"}
	for _, f := range failures {
		if f.status != statusGone {
			named = append(named, f.words)
		}
	}
	for _, language := range []string{"ja", "en"} {
		apology := prompts.Failure{Name: internal.words}.In(language)
		for _, name := range named {
			sentence := prompts.Failure{Name: name}.In(language)
			if sentence == apology || script(sentence) != language || strings.ContainsAny(sentence, "[]*#") {
				t.Errorf("Failure{%s}.In(%q) = %q, want plain words in that language", name, language, sentence)
			}
		}
	}
}

func TestScript(t *testing.T) {
	for text, want := range map[string]string{
		"今日": "ja", "Wi-Fiは？": "ja", "カフェ": "ja", "ｶﾌｪ": "ja", "hello 世界": "ja", "hello": "en", "é": "en", "2026": "", "": "", "Привет": "",
	} {
		if got := script(text); got != want {
			t.Errorf("script(%q) = %q, want %q", text, got, want)
		}
	}
}
