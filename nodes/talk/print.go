package talk

import (
	"strings"

	"annai/nlu"
	"annai/nlu/words"
)

// Print is a question for one kind of answer as a sentence: Print(how_much, 会議室1, 明日, ja) is
// 明日の会議室1の料金はいくらですか？
func Print(ask nlu.Ask, about, when string, lang nlu.Language) string {
	row := words.Asks()[string(ask)]
	if lang == nlu.English {
		return strings.TrimSpace(strings.Replace(row.English, "{}", about, 1) + " " + when)
	}
	if when != "" {
		about = when + words.Of + about
	}
	return strings.Replace(row.Japanese, "{}", about, 1)
}

// about says of an utterance what it is about.
func about(title, text string, lang nlu.Language) string {
	if lang == nlu.English {
		return title + ": " + text
	}
	return title + words.Topic + "、" + text
}
