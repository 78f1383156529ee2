package rag

import (
	_ "embed"
	"math"

	"annai/internal/text"
)

// backgroundFile has questions that people ask anywhere, "japanese = english" a line.
//
//go:embed data/background.txt
var backgroundFile string

// everyday are the questions of one language that a passage does not answer, as an embedder sees
// them. The one idea: how near is near depends on the embedder and on the passage (a short and
// general one is near to everything), so that nearness is measured in deviations from what these
// questions have.
type everyday struct {
	vectors []Vector
	// all is how near the questions are to the passages, and passages how near to each of them.
	all      spread
	passages []spread
}

// A spread is a mean and a standard deviation.
type spread struct{ mean, deviation float64 }

// leastDeviation keeps an embedder to which all texts are the same from dividing by nothing.
const leastDeviation = 1e-6

func (s spread) of(x float64) float64 { return (x - s.mean) / max(s.deviation, leastDeviation) }

func spreadOf(values []float64) spread {
	var s spread
	for _, x := range values {
		s.mean += x / float64(len(values))
	}
	for _, x := range values {
		s.deviation += (x - s.mean) * (x - s.mean) / float64(len(values))
	}
	s.deviation = math.Sqrt(s.deviation)
	return s
}

// measure compares the questions, whose vectors are there, with all passages.
func (e *everyday) measure(m *meaning, passages int) {
	e.passages = make([]spread, passages)
	_ = share(passages, func(i int) error { // which never fails
		cosines := make([]float64, len(e.vectors))
		for j, v := range e.vectors {
			cosines[j], _ = m.cosine(v, int32(i))
		}
		e.passages[i] = spreadOf(cosines)
		return nil
	})
	var squares float64
	for _, s := range e.passages {
		e.all.mean += s.mean / float64(passages)
		squares += (s.deviation*s.deviation + s.mean*s.mean) / float64(passages)
	}
	e.all.deviation = math.Sqrt(max(squares-e.all.mean*e.all.mean, 0))
}

// ofOne is what the deviations from what unrelated questions are to this passage count, besides
// those from what they are to all. Measured: each of the two finds questions that the other misses.
const ofOne = 0.8

// nearness says how near a passage with that cosine is, in deviations from what unrelated questions are.
func (e *everyday) nearness(cosine float64, passage int32) float64 {
	return (1-ofOne)*e.all.of(cosine) + ofOne*e.passages[passage].of(cosine)
}

// languageOf says in which language a question is written, by its characters.
func languageOf(question string) string {
	if text.HasJapanese(text.Fold(question)) {
		return "ja"
	}
	return "en"
}
