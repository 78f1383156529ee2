package nodes

import (
	"testing"

	"annai/nlu"
)

func TestLanguageWish(t *testing.T) {
	for text, want := range map[string]nlu.Language{
		"in English please":          nlu.English,
		"In English, please.":        nlu.English,
		"English please":             nlu.English,
		"Can you speak Japanese?":    nlu.Japanese,
		"please  answer in Japanese": nlu.Japanese,
		"switch to english":          nlu.English,
		"Say it again in English":    nlu.English,
		"英語でお願いします":                  nlu.English,
		"すみません、日本語で話してください。":                   nlu.Japanese,
		"英語でもう一度":                              nlu.English,
		"日本語に切り替えて":                            nlu.Japanese,
		"英語で":                                  nlu.English,
		"Does the staff speak English?":        "",
		"スタッフは英語が話せますか":                        "",
		"英語は通じますか":                             "",
		"Is there an English class this week?": "",
		"英語の勉強会はある？":                           "",
		"English menu":                         "",
		"日本語":                                  "",
		"":                                     "",
	} {
		if got, ok := languageWish(text); got != want || ok != (want != "") {
			t.Errorf("languageWish(%q) = %q, %t, want %q", text, got, ok, want)
		}
	}
}
