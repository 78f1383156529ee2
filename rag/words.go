package rag

import (
	_ "embed"
	"strings"

	"annai/internal/text"
)

// Words that many questions share and that say nothing about the subject.
var (
	//go:embed data/stopwords_en.txt
	stopWordsFile string
	// phrasesFile is what Japanese questions are made of besides their subject (ありますか, 教えてください).
	//go:embed data/phrases_ja.txt
	phrasesFile string

	stopWords = wordSet(stopWordsFile)
	// hintWords ask for a kind of answer. Headings have them too, so they help a little to find it.
	hintWords = map[string]bool{"where": true, "when": true, "who": true, "how": true, "why": true, "what": true}
)

// dataLines returns the lines of a data file without comments and blank ones.
func dataLines(file string) []string {
	var out []string
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

func wordSet(file string) map[string]bool {
	out := map[string]bool{}
	for _, line := range dataLines(file) {
		for word := range strings.FieldsSeq(text.Fold(line)) {
			out[word] = true
		}
	}
	return out
}
