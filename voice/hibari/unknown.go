package hibari

import (
	"fmt"
	"strings"

	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

const (
	letterWidth = 128
	// longestWord is how many letters of a word are read.
	longestWord = 24
	// sounds is how many phonemes a letter has at most.
	sounds = 4
)

// A speller is a network that reads words that no lexicon knows, such as names.
type speller struct {
	letters           map[rune]int
	spoken            []rune
	embedding, places []float32
	layers            [4]attention
	last              norm
	head              *dense
}

func newSpeller(f *tensorfile.File, h *header) *speller {
	s := &speller{letters: map[rune]int{}, spoken: []rune(h.Spoken)}
	for i, r := range []rune(h.Letters) {
		s.letters[r] = i + 1
	}
	s.embedding = halves(f.Tensor("word.emb", "f16", len(s.letters)+1, letterWidth).Data)
	s.places = f.Floats("word.pos", longestWord, letterWidth)
	for i := range s.layers {
		s.layers[i] = newAttention(f, fmt.Sprintf("word.%d", i), letterWidth, 4, 3*letterWidth,
			func(name string, in, out int) linear { return newDense(f, name, in, out) })
	}
	s.last = newNorm(f, "word.norm", letterWidth)
	s.head = newDense(f, "word.head", letterWidth, padded(sounds*(len(s.spoken)+1)))
	return s
}

// padded is how many outputs a matrix has for as many.
func padded(outputs int) int {
	return (outputs + matrix.TileColumns - 1) / matrix.TileColumns * matrix.TileColumns
}

// read returns the phonemes of a word. They are empty if it has no letter that is known.
func (s *speller) read(word string) string {
	var x []float32
	for _, r := range word {
		id, ok := s.letters[r]
		if !ok || len(x) == longestWord*letterWidth {
			continue
		}
		row := s.embedding[id*letterWidth:][:letterWidth]
		x = append(x, row...)
	}
	if len(x) == 0 {
		return ""
	}
	matrix.Add(x, s.places[:len(x)])
	for i := range s.layers {
		s.layers[i].apply(x)
	}
	rows := len(x) / letterWidth
	for t := range rows {
		s.last.apply(x[t*letterWidth:][:letterWidth])
	}
	y := make([]float32, rows*s.head.out)
	s.head.apply(x, letterWidth, rows, y)
	var phonemes strings.Builder
	before := 0
	for slot := range rows * sounds {
		choices := y[slot/sounds*s.head.out+slot%sounds*(len(s.spoken)+1):][:len(s.spoken)+1]
		best := 0
		for i, score := range choices {
			if score > choices[best] {
				best = i
			}
		}
		if best != before && best != 0 {
			phonemes.WriteRune(s.spoken[best-1])
		}
		before = best
	}
	return phonemes.String()
}
