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

// answered tells by a question alone how likely it is that a place says anything to it: "where can I leave my bag" is, "who was the architect's
// father" is not. It was learnt with the vectors of one embedder, and is silent with another.
type answered struct {
	Embedder string
	// Weights give the log odds of a question's vector, and Mean is what they are on average.
	Weights Vector
	Mean    float64
}

const (
	// credit is what one of the log odds counts in a score.
	credit = 0.13
	// mostCredit bounds what a question that is like none of those learnt from can gain or lose.
	mostCredit = 0.3
)

var learnt = sync.OnceValue(func() answered {
	var a answered
	if err := json.Unmarshal([]byte(answeredFile), &a); err != nil {
		panic("rag: data/answered.json: " + err.Error()) // a file of this package, which a test reads
	}
	return a
})

// of is what a question needs less than the average one, in score; below 0 it needs more.
func (a answered) of(question Vector, fingerprint string) float64 {
	if fingerprint != a.Embedder || len(question) != len(a.Weights) {
		return 0
	}
	sum := -a.Mean
	for i, w := range a.Weights {
		sum += float64(w) * float64(question[i])
	}
	return min(max(credit*sum, -mostCredit), mostCredit)
}
