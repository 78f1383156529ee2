package server

import (
	"embed"
	"strconv"
	"strings"
	"unicode"
)

//go:embed words/*.txt
var wordFiles embed.FS

// words has the sentences for failures by language and name.
var words = map[string]map[string]string{"ja": readWords("ja"), "en": readWords("en")}

func readWords(language string) map[string]string {
	text, err := wordFiles.ReadFile("words/" + language + ".txt")
	if err != nil {
		panic(err) // it is embedded
	}
	sentences := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, sentence, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "" && name != "#" {
			sentences[name] = strings.TrimSpace(sentence)
		}
	}
	return sentences
}

// say returns the sentence called name, without a tag.
func say(name, language string) string { return words[language][name] }

// script tells a text's language by its letters: any kana or kanji is Japanese, else any Latin letter English, else it is not known.
func script(text string) string {
	language := ""
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han):
			return "ja"
		case unicode.Is(unicode.Latin, r):
			language = "en"
		}
	}
	return language
}

// preferred returns the language that an Accept-Language header likes best among those we speak; Japanese if neither is in it.
func preferred(acceptLanguage string) string {
	best, weight := "ja", 0.0
	for entry := range strings.SplitSeq(acceptLanguage, ",") {
		tag, parameters, _ := strings.Cut(entry, ";")
		language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		if language != "ja" && language != "en" {
			continue
		}
		q := 1.0
		if text, ok := strings.CutPrefix(strings.TrimSpace(parameters), "q="); ok {
			q, _ = strconv.ParseFloat(text, 64)
		}
		if q > weight {
			best, weight = language, q
		}
	}
	return best
}
