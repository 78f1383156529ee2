package server

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	named := map[string]bool{"empty": true, "too_long": true, "resume_lost": true, internal.words: true}
	for _, f := range failures {
		if f.status != statusGone {
			named[f.words] = true
		}
	}
	for language := range words {
		for name := range named {
			sentence := say(name, language)
			if sentence == "" || script(sentence) != language || strings.ContainsAny(sentence, "[]*#") {
				t.Errorf("say(%q, %q) = %q, want plain words in that language", name, language, sentence)
			}
		}
		for name := range words[language] {
			if !named[name] {
				t.Errorf("words/%s.txt has %q, which nothing says", language, name)
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
