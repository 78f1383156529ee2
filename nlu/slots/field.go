package slots

import "math"

// A sequence is a text as the trainer sees it: for every token the numbers of its features, and its label.
type sequence struct {
	features [][]int32
	labels   []label
	weight   float64
}

// field is a linear chain conditional random field in training: a weight for every feature and label, and for every pair of
// labels that stand side by side. All weights are to be multiplied by scale.
//
// Every product is rounded before it is added, and exp is our own, so that training comes to the same bits on every machine.
type field struct {
	weights []float64 // feature * numLabels + label
	pairs   [numPairs]float64
	scale   float64

	expPairs            [numPairs]float64
	scores, alpha, beta []float64 // token * numLabels + label
	norms               []float64
}

func newField(features int) *field {
	return &field{weights: make([]float64, features*numLabels), scale: 1}
}

// schedule are the settings of training.
type schedule struct {
	epochs   int
	averaged int     // how many of the last epochs the result is the average of
	rate     float64 // of the first step
	decay    float64 // L2, for one sequence
	// left is the share of features that are left out of every token at every step, so that none is relied on alone.
	left float64
	seed uint64
}

// train fits the field to the sequences and leaves the average of its last states in it.
func (f *field) train(sequences []sequence, s schedule) {
	lambda := s.decay / float64(len(sequences))
	random := lcg(s.seed)
	order := make([]int, len(sequences))
	for i := range order {
		order[i] = i
	}
	mean := average{weights: make([]float64, len(f.weights)), kept: 1 - s.left}
	thinned := sequence{}
	steps := 0.0
	for epoch := range s.epochs {
		random.shuffle(order)
		for n, i := range order {
			rate := s.rate / (1 + float64(float64(s.rate*lambda)*steps))
			steps++
			f.scale -= float64(f.scale * float64(rate*lambda))
			thinned.thin(&sequences[i], s.left, &random)
			f.learn(&thinned, float64(rate*thinned.weight))
			if n == len(order)/2 && epoch >= s.epochs-s.averaged {
				mean.add(f)
			}
		}
	}
	mean.leave(f)
}

// thin makes q a copy of p that lacks a share of the features.
func (q *sequence) thin(p *sequence, share float64, random *lcg) {
	q.labels, q.weight = p.labels, p.weight
	for len(q.features) < len(p.features) {
		q.features = append(q.features, nil)
	}
	q.features = q.features[:len(p.features)]
	limit := int(share * 1000)
	for i, all := range p.features {
		q.features[i] = q.features[i][:0]
		for _, feature := range all {
			if random.below(1000) >= limit {
				q.features[i] = append(q.features[i], feature)
			}
		}
	}
}

// average is the mean of states of a field. A feature counts as much in it as all of its kind did in training, where only the
// share kept of them was there.
type average struct {
	weights []float64
	pairs   [numPairs]float64
	states  float64
	kept    float64
}

func (m *average) add(f *field) {
	for k, w := range f.weights {
		m.weights[k] += float64(w * f.scale)
	}
	for k, w := range f.pairs {
		m.pairs[k] += float64(w * f.scale)
	}
	m.states++
}

func (m *average) leave(f *field) {
	for k, w := range m.weights {
		f.weights[k] = float64(w*m.kept) / m.states
	}
	for k, w := range m.pairs {
		f.pairs[k] = w / m.states
	}
	f.scale = 1
}

// learn moves the weights along the gradient of the log likelihood of one sequence.
func (f *field) learn(q *sequence, rate float64) {
	if len(q.labels) == 0 {
		return
	}
	f.score(q)
	f.forward(len(q.labels))
	f.backward(len(q.labels))
	rate /= f.scale
	var row [numLabels]float64
	for i, gold := range q.labels {
		for l := range row {
			row[l] = -float64(rate * float64(f.alpha[i*numLabels+l]*f.beta[i*numLabels+l]))
		}
		row[gold] += rate
		for _, feature := range q.features[i] {
			w := f.weights[int(feature)*numLabels:][:numLabels]
			for l := range row {
				w[l] += row[l]
			}
		}
		if i == 0 {
			for l := range row {
				f.pairs[startLabel*numLabels+l] += row[l]
			}
			continue
		}
		f.pairs[q.labels[i-1]*numLabels+gold] += rate
		f.learnPairs(i, rate/f.norms[i])
	}
}

// learnPairs takes from every pair of labels what is expected of it at tokens i-1 and i.
func (f *field) learnPairs(i int, rate float64) {
	before, here := f.alpha[(i-1)*numLabels:][:numLabels], f.beta[i*numLabels:][:numLabels]
	scores := f.scores[i*numLabels:][:numLabels]
	for b := range here {
		right := float64(rate * float64(scores[b]*here[b]))
		for a := range before {
			k := a*numLabels + b
			f.pairs[k] -= float64(float64(before[a]*f.expPairs[k]) * right)
		}
	}
}

// score fills scores with the exponentials of what the features say, and expPairs.
func (f *field) score(q *sequence) {
	n := len(q.labels) * numLabels
	f.scores, f.alpha, f.beta = grown(f.scores, n), grown(f.alpha, n), grown(f.beta, n)
	f.norms = grown(f.norms, len(q.labels))
	for i, features := range q.features {
		row := f.scores[i*numLabels:][:numLabels]
		clear(row)
		for _, feature := range features {
			w := f.weights[int(feature)*numLabels:][:numLabels]
			for l := range row {
				row[l] += w[l]
			}
		}
		top := math.Inf(-1)
		for l := range row {
			row[l] = float64(row[l] * f.scale)
			top = max(top, row[l])
		}
		for l := range row {
			row[l] = exp(row[l] - top)
		}
	}
	for a := range numLabels + 1 {
		for b := range numLabels {
			f.expPairs[a*numLabels+b] = 0
			if follows(a, b) {
				f.expPairs[a*numLabels+b] = exp(float64(f.pairs[a*numLabels+b] * f.scale))
			}
		}
	}
}

// forward fills alpha with how likely each label is by what stands before and at its token.
func (f *field) forward(n int) {
	for i := range n {
		row, scores := f.alpha[i*numLabels:][:numLabels], f.scores[i*numLabels:][:numLabels]
		sum := 0.0
		for b := range row {
			reached := f.expPairs[startLabel*numLabels+b]
			if i > 0 {
				reached = 0
				for a, left := range f.alpha[(i-1)*numLabels:][:numLabels] {
					reached += float64(left * f.expPairs[a*numLabels+b])
				}
			}
			row[b] = float64(reached * scores[b])
			sum += row[b]
		}
		for b := range row {
			row[b] /= sum
		}
		f.norms[i] = sum
	}
}

// backward fills beta with what stands behind a token makes of the likelihood of its labels.
func (f *field) backward(n int) {
	last := f.beta[(n-1)*numLabels:][:numLabels]
	for l := range last {
		last[l] = 1
	}
	for i := n - 2; i >= 0; i-- {
		var right [numLabels]float64
		for b := range right {
			k := (i+1)*numLabels + b
			right[b] = float64(f.scores[k]*f.beta[k]) / f.norms[i+1]
		}
		row := f.beta[i*numLabels:][:numLabels]
		for a := range row {
			row[a] = 0
			for b, r := range right {
				row[a] += float64(f.expPairs[a*numLabels+b] * r)
			}
		}
	}
}

func grown(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}
