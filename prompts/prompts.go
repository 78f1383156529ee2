// Package prompts holds every sentence that is said to a visitor, and every text that is sent to a model, in Japanese and English: one
// file per sentence in text/, one struct with the fields it needs.
//
// The idea to hold: code decides what is said, a file decides how. A change of wording is a change of one file and of
// the golden file that shows it filled in. The package knows no event and no node; dates and numbers reach it as words.
package prompts

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"text/template"
)

// A Prompt is a sentence, or a few that belong together, with what is needed to say it.
type Prompt interface {
	// In returns the words in lang, "en" or else Japanese, without a line break at the end.
	In(lang string) string
}

//go:embed text/*.tmpl
var files embed.FS

// texts has a template for each file, parsed once when the program starts.
var texts = template.Must(template.New("prompts").Funcs(template.FuncMap{
	"number": number, "data": data, "the": article, "The": capitalArticle, "fit": plural, "nth": nth, "yen": thousands,
}).ParseFS(files, "text/*.tmpl"))

// fill says the prompt called name with the fields of p. The files are part of the program and the tests fill in each of
// them, so one that does not fit its struct is a mistake in the program.
func fill(name, lang string, p Prompt) string {
	if lang != "en" {
		lang = "ja"
	}
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, name+"."+lang+".tmpl", p); err != nil {
		panic(fmt.Sprintf("prompt %s does not fit its file: %v", name, err))
	}
	return strings.TrimRight(b.String(), "\n")
}

// fixed holds the prompts that vary in nothing but their kind.
var fixed sync.Map

// fillKind is fill for a prompt of which there are as many as kinds, each filled in once.
func fillKind(name, lang, kind string, p Prompt) string {
	key := [3]string{name, lang, kind}
	if words, ok := fixed.Load(key); ok {
		return words.(string)
	}
	words := fill(name, lang, p)
	if words != "" && len(kind) < 32 {
		fixed.Store(key, words)
	}
	return words
}

// number spells out the small numbers, as a good English sentence does.
func number(n int) string {
	words := [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}
