package talk

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A choice says how likely an utterance is about an option: one learnt hidden layer over its features.
type choice struct {
	features []feature // in the order of the columns, in which they are added up
	hidden   []unit
}

// unit is a hidden unit: its weight in the score, and its weights of the features.
type unit struct {
	weight, bias float64
	of           []float64
}

// choiceFile is written by scripts/learn/options.py: a line a hidden unit, and the names of the
// columns first.
//
//go:embed data/choice.tsv
var choiceFile string

var learntChoice = sync.OnceValue(func() choice {
	c, err := readChoice(choiceFile)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return c
})

func readChoice(file string) (choice, error) {
	lines := strings.Split(strings.TrimSpace(file), "\n")
	names := strings.Split(lines[0], "\t")
	if len(names) < 3 {
		return choice{}, fmt.Errorf("the first line of a choice has %d columns", len(names))
	}
	var c choice
	for _, name := range names[2:] {
		at := slices.Index(featureNames, name)
		if at < 0 {
			return choice{}, fmt.Errorf("options have no feature %q", name)
		}
		c.features = append(c.features, feature(at))
	}
	for n, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) != len(names) {
			return choice{}, fmt.Errorf("unit %d of a choice has %d columns, not %d", n, len(columns), len(names))
		}
		values := make([]float64, len(columns))
		for i, column := range columns {
			v, err := strconv.ParseFloat(column, 64)
			if err != nil {
				return choice{}, fmt.Errorf("unit %d of a choice, %s: %w", n, names[i], err)
			}
			values[i] = v
		}
		c.hidden = append(c.hidden, unit{weight: values[0], bias: values[1], of: values[2:]})
	}
	return c, nil
}

// score is the logarithm of how likely an option is, but for a constant.
func (c choice) score(o Option) float64 {
	present := make([]int, 0, len(c.features)) // most are 0, and add nothing
	for column, f := range c.features {
		if o.features[f] != 0 {
			present = append(present, column)
		}
	}
	sum := 0.0
	for _, u := range c.hidden {
		x := u.bias
		for _, column := range present {
			x += u.of[column] * o.features[c.features[column]]
		}
		sum += u.weight * math.Tanh(x)
	}
	return sum
}

// of is the likeliest option with its probability, and the next one where that is nearly as likely, else none.
func (c choice) of(options []Option) (best, other Option, p float64) {
	scores, first, second := make([]float64, len(options)), -1, -1
	for i, o := range options {
		scores[i] = c.score(o)
		if o.told {
			scores[i] -= toldAgain
		}
		switch {
		case first < 0 || scores[i] > scores[first]:
			first, second = i, first
		case second < 0 || scores[i] > scores[second]:
			second = i
		}
	}
	if first < 0 {
		return Option{}, Option{}, 0
	}
	sum := 0.0
	for _, score := range scores {
		sum += math.Exp(score - scores[first])
	}
	if second >= 0 && scores[first]-scores[second] < doubtful {
		other = options[second]
	}
	return options[first], other, 1 / sum
}

// toldAgain is by how much the logarithm of the likelihood of a passage is smaller that was told by the last
// answer, and does not state what is asked now: nobody wants to hear it again.
const toldAgain = 0.4

// doubtful is how far the logarithms of two likelihoods are apart where either may be meant.
const doubtful = 1
