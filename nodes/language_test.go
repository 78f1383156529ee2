package nodes

import (
	"testing"

	"annai/nlu"
)

func TestLanguageWish(t *testing.T) {
	for want, texts := range map[nlu.Language][]string{
		nlu.English: {
			"in English please", "In English, please.", "English please", "switch to english", "Say it again in English",
			"英語でお願いします", "英語でもう一度", "英語で",
		},
		nlu.Japanese: {"Can you speak Japanese?", "please  answer in Japanese", "すみません、日本語で話してください。", "日本語に切り替えて"},
		"": {
			"Does the staff speak English?", "スタッフは英語が話せますか", "英語は通じますか", "Is there an English class this week?", "英語の勉強会はある？",
			"English menu", "日本語", "",
		},
	} {
		for _, text := range texts {
			if got, ok := languageWish(text); got != want || ok != (want != "") {
				t.Errorf("languageWish(%q) = %q, %t, want %q", text, got, ok, want)
			}
		}
	}
}
