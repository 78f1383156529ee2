package server

import "testing"

func TestScript(t *testing.T) {
	for text, want := range map[string]string{
		"今日": "ja", "Wi-Fiは？": "ja", "カフェ": "ja", "ｶﾌｪ": "ja", "hello 世界": "ja", "hello": "en", "é": "en", "2026": "", "": "", "Привет": "",
	} {
		if got := script(text); got != want {
			t.Errorf("script(%q) = %q, want %q", text, got, want)
		}
	}
}
