package rag

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// answeredFile was learnt from questions about invented places, with and without an answer there (docs/decisions/0008).
//
//go:embed data/answered.json
var answeredFile string

// answered tells by a question alone how likely it is that a place says anything to it: "where can
// I leave my bag" is, "who was the architect's father" is not. It was learnt with the vectors of
// one embedder, and is silent with another. It is a network with one inner layer.
type answered struct {
	Embedder string
	// Direct is what each dimension of a question's vector adds to the log odds, and Mean what the
	// log odds are on average.
	Direct Vector
	Mean   float64
	// Hidden are the weights of the inner layer, signed bytes, a row for each output, with a scale
	// and a bias; Out is what an output adds, if above 0.
	Hidden            []byte
	Scales, Bias, Out []float64
	rows              []Vector
}

const (
	// logOddsWeight is what one of the log odds counts in a score.
	logOddsWeight = 0.15
	// maxGain and maxLoss bound what it counts: what is seldom answered elsewhere may be answered
	// here, and is then plainly said.
	maxGain, maxLoss = 0.25, 0.2
)

var learnt = sync.OnceValue(func() answered {
	var a answered
	if err := json.Unmarshal([]byte(answeredFile), &a); err != nil {
		panic("rag: data/answered.json: " + err.Error()) // a file of this package, which a test reads
	}
	a.rows = make([]Vector, len(a.Out))
	for i, scale := range a.Scales {
		row := make(Vector, len(a.Direct))
		for j, b := range a.Hidden[i*len(row):][:len(row)] {
			row[j] = float32(scale) * float32(int8(b))
		}
		a.rows[i] = row
	}
	a.Hidden = nil // it is in rows now
	return a
})

// of is what a question needs less than the average one, in score; below 0 it needs more.
func (a answered) of(question Vector, fingerprint string) float64 {
	if fingerprint != a.Embedder || len(question) != len(a.Direct) {
		return 0
	}
	odds := float64(dot(a.Direct, question)) - a.Mean
	for i, row := range a.rows {
		odds += a.Out[i] * max(0, float64(dot(row, question))+a.Bias[i])
	}
	return min(max(logOddsWeight*odds, -maxLoss), maxGain)
}
