package nlu

import (
	"maps"
	"strings"
	"sync"

	"annai/internal/kana"
)

// spellingLexicon has the words of [spellings] by how they sound.
var spellingLexicon = sync.OnceValue(func() *kana.Lexicon { return kana.NewLexicon(everydayWords()) })

// wordsSaid are the words of [spellings] and those of a venue.
func wordsSaid(words map[string]string) *kana.Lexicon {
	if len(words) == 0 {
		return spellingLexicon()
	}
	all := everydayWords()
	maps.Copy(all, words)
	return kana.NewLexicon(all)
}

// everydayWords are those of [spellings], with their readings.
func everydayWords() map[string]string {
	all := map[string]string{}
	for _, list := range spellings {
		for pair := range strings.SplitSeq(list, "|") {
			if reading, usual, _ := strings.Cut(pair, "="); usual != reading {
				all[usual] = reading
			}
		}
	}
	return all
}
