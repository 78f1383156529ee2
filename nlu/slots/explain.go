package slots

import (
	"cmp"
	"slices"

	"annai/nlu/datetime"
)

// An Explanation is how a command came about, for people.
type Explanation struct {
	Command Command
	// Tokens are what the text was cut into.
	Tokens []ExplainedToken
	// Operation are the features that spoke most for the operation of the model, or against it.
	Operation []Weight
}

// An ExplainedToken is a token and why it got its label.
type ExplainedToken struct {
	Piece
	// Label is empty, or B- or I- with the type of the slot that the token begins or is inside of.
	Label string
	// Classes are the classes of words that it is part of.
	Classes []string
	// InTime says that it is part of a temporal expression.
	InTime bool
	// Because are the features that spoke most for the label, or against it.
	Because []Weight
}

// A Weight is how much a feature counts for what was chosen, against the mean of everything else; negative is against it.
type Weight struct {
	Feature string
	Weight  float64
}

// shown is how many features an explanation has at most for one choice.
const shown = 3

// Explain reads a command as [Extract] does and says why it is read so.
func Explain(text, lang string, times []datetime.Expression) Explanation {
	e := Explanation{Command: Extract(text, lang, times)}
	if lang != Japanese {
		lang = English
	}
	m := modelOf(lang)
	r := read(text, lang, times)
	defer r.done()
	if len(r.tokens) == 0 {
		return e
	}
	for i, l := range m.tagger.label(r) {
		t := r.tokens[i]
		x := ExplainedToken{Piece: r.piece(i, i+1), Classes: r.words.namesOf(t.classes), InTime: t.time != 0}
		if l != outside {
			x.Label = "B-" + string(typeOf(l))
			if isInside(l) {
				x.Label = "I-" + string(typeOf(l))
			}
		}
		f := featurer{explain: true}
		f.token(r, i)
		x.Because = m.tagger.because(&f, l, numLabels)
		e.Tokens = append(e.Tokens, x)
	}
	operation, _ := m.operation(r)
	f := featurer{explain: true}
	f.command(r)
	e.Operation = m.operations.because(&f, begin(slices.Index(operations[:], operation)), len(operations))
	return e
}

// because returns the features that count most for a label or against it, out of the number of labels that there are to choose from.
func (w *weights) because(f *featurer, l label, choices int) []Weight {
	var all []Weight
	for n, h := range f.hashes {
		row := w.row(h)
		if row == nil {
			continue
		}
		own, sum := 0, 0
		for k := range numLabels {
			v := int(row[k/8]>>(k%8*8)&0xFF) - bias
			sum += v
			if k == l {
				own = v
			}
		}
		if v := float64(own) - float64(sum-own)/float64(choices-1); v != 0 {
			all = append(all, Weight{templateNames[f.templates[n]], v * w.unit})
		}
	}
	slices.SortStableFunc(all, func(a, b Weight) int { return cmp.Compare(max(b.Weight, -b.Weight), max(a.Weight, -a.Weight)) })
	return all[:min(shown, len(all))]
}

// namesOf are the names of a set of classes.
func (w *wordClasses) namesOf(set classes) []string {
	var names []string
	for c := set; c != 0; c &= c - 1 {
		names = append(names, w.names[bit(c)])
	}
	return names
}
