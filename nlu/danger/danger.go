// Package danger reads whether an utterance reports a danger to people, and which: a small, closed set of classes. Its
// one idea: it is learnt, from reports and from harmless sentences that sound like them, by different authors. Words of
// danger (nlu/words) are features and decide nothing: "AED course" is no alarm, and "he won't wake up" is one.
//
// Two models of different kinds read each utterance, and what they say is added up: a linear one over n-grams, and a
// small convolutional network over the pieces of the encoder's vocabulary. Both are inside the program. The package
// knows no talk, no venue and nothing of what is answered.
package danger

import (
	"math"
	"sync"

	"annai/internal/tensorfile"
)

// A Class is what a report is about.
type Class string

// The values of [Class].
const (
	None      Class = "none"
	Life      Class = "life" // somebody may die now: does not breathe, does not wake up, drowns
	Fire      Class = "fire"
	Gas       Class = "gas"    // and what else must not be breathed
	Injury    Class = "injury" // and illness
	Crime     Class = "crime"  // and people to be afraid of
	LostChild Class = "lost_child"
	Quake     Class = "quake"
	Suicide   Class = "suicide" // somebody wants to die
)

// classes are in the order of what both models compute.
var classes = [...]Class{None, Life, Fire, Gas, Injury, Crime, LostChild, Quake, Suicide}

// Labels returns the names of all classes in the order of the models.
func Labels() []string {
	var out []string
	for _, c := range classes {
		out = append(out, string(c))
	}
	return out
}

// How the two models are added up, and from where on it is an alarm: chosen with each author's sentences read by models
// that had learnt nothing of that author (scripts/learn/danger).
const (
	gramsWeight = 1.1
	leastGrams  = -6  // where the n-grams give lower odds, the network is not asked: three in four utterances
	alarm       = 0   // of the logarithm of the odds
	sureness    = 0.6 // what the logarithm is multiplied by, so that probabilities are as good as they say
)

// longestText is how many bytes of an utterance are read: its end.
const longestText = 1000

// A Detector reads utterances. It is safe for concurrent use.
type Detector struct {
	network *network
}

var open = sync.OnceValues(func() (*Detector, error) {
	if _, err := grams(); err != nil {
		return nil, err
	}
	file, err := tensorfile.Unpack("danger network", networkFile)
	if err != nil {
		return nil, err
	}
	n, err := read(file)
	if err != nil {
		return nil, err
	}
	return &Detector{network: n}, nil
})

// Open returns the detector inside the program, which is read once. An error says that the program was built with a
// damaged file.
func Open() (*Detector, error) { return open() }

// Read returns the class of an utterance, which is [None] where it reports no danger, and how likely it is that it
// reports one. Of a long utterance it reads the end.
func (d *Detector) Read(utterance string) (Class, float64) {
	best, odds := d.odds(utterance)
	if odds < alarm {
		best = None
	}
	return best, 1 / (1 + math.Exp(-sureness*(odds-alarm)))
}

// odds returns the likeliest class of danger and the logarithm of the odds that it is one, both models together; none
// and low odds where the first of them sees nothing.
func (d *Detector) odds(utterance string) (Class, float64) {
	utterance = lastPart(utterance)
	var sums [len(classes)]float64
	add := func(logits []float32, weight float64) float64 {
		harmless, danger := float64(logits[0]), math.Inf(-1)
		for i, l := range logits[1:len(classes)] {
			sums[i+1] += weight * float64(l)
			danger = logAdd(danger, float64(l))
		}
		return weight * (danger - harmless)
	}
	model, _ := grams()
	p := make([]float32, len(classes))
	model.Score(Features(utterance), p)
	for i := range p {
		p[i] = float32(math.Log(float64(p[i]) + 1e-7))
	}
	odds := add(p, gramsWeight)
	if odds < gramsWeight*leastGrams {
		return None, odds
	}
	odds += add(d.network.logits(utterance), 1)
	best := 1
	for i := range classes {
		if i > 1 && sums[i] > sums[best] {
			best = i
		}
	}
	return classes[best], odds
}

// logAdd is the logarithm of the sum of what two numbers are logarithms of.
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// lastPart returns the end of a text, from the beginning of a character.
func lastPart(text string) string {
	if len(text) <= longestText {
		return text
	}
	text = text[len(text)-longestText:]
	for i := range text {
		if i > 0 { // what was cut off may be the middle of a character
			return text[i:]
		}
	}
	return text
}
