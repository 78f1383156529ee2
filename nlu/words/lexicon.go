package words

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

var (
	//go:embed lexicon.tsv
	lexicon string
	//go:embed answers.tsv
	answers string
	//go:embed ordinals.tsv
	ordinals string
)

// A Row of the lexicon is words, separated by bars, with the names of all that they say about an utterance.
type Row struct {
	Says  []string
	Words string
}

// Lexicon returns the words that the rules of nlu know.
var Lexicon = sync.OnceValue(func() []Row {
	var out []Row
	for _, row := range rows(lexicon, 2) {
		r := Row{Words: row[1]}
		if row[0] != "-" {
			r.Says = strings.Split(row[0], ",")
		}
		out = append(out, r)
	}
	return out
})

// Answers returns whole utterances that only answer a question, separated by bars, by what they answer.
var Answers = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range rows(answers, 2) {
		out[row[0]] = row[1]
	}
	return out
})

// Ordinals returns words for the item of a list, separated by bars, by its number; -1 is the last.
var Ordinals = sync.OnceValue(func() map[int]string {
	out := map[int]string{}
	for _, row := range rows(ordinals, 2) {
		n, err := strconv.Atoi(row[0])
		if err != nil {
			panic(fmt.Sprintf("ordinals.tsv: %v", err)) // every test reads the table
		}
		out[n] = row[1]
	}
	return out
})
