package prompts

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed phrases.tsv
var phraseTable string

// phrases has the words of the table by name, in Japanese and English.
var phrases = sync.OnceValue(func() map[string][2]string {
	out := map[string][2]string{}
	for line := range strings.Lines(phraseTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if _, twice := out[row[0]]; len(row) != 3 || twice {
			panic("phrases.tsv: a row has a name of its own, and words in two languages: " + line)
		}
		out[row[0]] = [2]string{row[1], row[2]}
	}
	return out
})

// Phrase is a piece of a sentence from phrases.tsv, filled in with args: a day, a span of hours, a name in its
// brackets. It panics where the table has no such name, which a test of the names in nodes rules out.
func Phrase(name, lang string, args ...any) string {
	row, known := phrases()[name]
	if !known {
		panic("phrases.tsv has no " + name)
	}
	words := row[0]
	if lang == "en" {
		words = row[1]
	}
	if len(args) == 0 {
		return words
	}
	filled := make([]string, 0, 2*len(args))
	for i, arg := range args {
		filled = append(filled, "{"+strconv.Itoa(i+1)+"}", fmt.Sprint(arg))
	}
	return strings.NewReplacer(filled...).Replace(words)
}

// HasPhrase reports whether the table has a phrase of that name.
func HasPhrase(name string) bool {
	_, known := phrases()[name]
	return known
}
