package prompts

import (
	_ "embed"
	"strings"
	"sync"
)

// Foreign says which languages we speak, and where a person is, to somebody who speaks another one.
type Foreign struct {
	Staff string
}

// In returns the words in one of our languages.
func (p Foreign) In(lang string) string { return fill("foreign", lang, p) }

//go:embed foreign.tsv
var foreign string

// foreignSentences has the sentences of the table by the tags of their languages.
var foreignSentences = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(foreign) {
		if tag, sentence, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(tag, "#") {
			out[tag] = sentence
		}
	}
	return out
})

// InForeign is what [Foreign] says in the other language itself; staff is where the staff are, in
// English. It is empty for a language that the table does not have.
func InForeign(tag, staff string) string {
	return strings.Replace(foreignSentences()[tag], "{}", staff, 1)
}
