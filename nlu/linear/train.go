package linear

import (
	"cmp"
	"math"
	"slices"
)

// An Example is a text with its label.
type Example struct {
	Text, Label string
	// Weight is how much it counts; 0 counts as 1.
	Weight float32
}

// Options are the settings of [Train] that have a default.
type Options struct {
	// Rows is how many buckets of n-grams are kept.
	Rows int
	// Rare is how many examples an n-gram must be in.
	Rare int
	// Rounds is how often it is learnt anew, in another order; the result is the mean.
	Rounds int
	// Epochs is how often every example is seen in a round, Rate how far a weight moves at first,
	// Decay how much it is drawn to zero.
	Epochs      int
	Rate, Decay float32
}

func (o Options) withDefaults() Options {
	o.Rows = cmp.Or(o.Rows, 10000)
	o.Rare = cmp.Or(o.Rare, 2)
	o.Rounds = cmp.Or(o.Rounds, 3)
	o.Epochs = cmp.Or(o.Epochs, 6)
	o.Rate = cmp.Or(o.Rate, 0.5)
	o.Decay = cmp.Or(o.Decay, 1e-4)
	return o
}

// Train makes a model of examples; labels are all their labels, in the order that the model shall
// have. The same examples in the same order make the same model. It is a logistic regression,
// learnt twice: first on all n-grams that are not too rare, then on those that came out to say
// most.
func Train(examples []Example, labels []string, opts Options) *Model {
	opts = opts.withDefaults()
	t := newTrainer(examples, labels, opts)
	t.keep(t.common())
	t.learn(opts, 1)
	t.keep(t.telling(opts.Rows))
	t.learn(opts, opts.Rounds)
	return t.model()
}

// A trainer holds examples as lists of n-grams, and what was learnt of them.
type trainer struct {
	labels   []string
	examples []bag
	buckets  []uint32 // by row: the bucket that it stands for; before the first keep, rows are buckets
	counts   []int32  // by row: in how many examples it is
	rare     int32
	weights  []float32
	bias     []float32
}

// bag is an example: the rows of its n-grams, in order, and its label.
type bag struct {
	rows   []uint32
	label  int
	weight float32
}

func newTrainer(examples []Example, labels []string, opts Options) *trainer {
	t := &trainer{
		labels: labels, rare: int32(opts.Rare), counts: make([]int32, 1<<bucketBits),
		buckets: make([]uint32, 1<<bucketBits),
	}
	for i := range t.buckets {
		t.buckets[i] = uint32(i)
	}
	var g grams
	for _, e := range examples {
		b := bag{label: slices.Index(labels, e.Label), weight: cmp.Or(e.Weight, 1)}
		g.read(e.Text)
		g.each(func(n gram) { b.rows = append(b.rows, n.hash&bucketMask) })
		slices.Sort(b.rows)
		b.rows = slices.Clip(slices.Compact(b.rows))
		for _, row := range b.rows {
			t.counts[row]++
		}
		t.examples = append(t.examples, b)
	}
	return t
}

// common are the rows that are not too rare.
func (t *trainer) common() []uint32 {
	var rows []uint32
	for row, n := range t.counts {
		if n >= t.rare {
			rows = append(rows, uint32(row))
		}
	}
	return rows
}

// telling are the n rows that say most: the squares of their weights, by how often they occur.
func (t *trainer) telling(n int) []uint32 {
	power := make([]float64, len(t.counts))
	rows := make([]uint32, len(t.counts))
	for row := range rows {
		rows[row] = uint32(row)
		for _, w := range t.weights[row*len(t.labels) : (row+1)*len(t.labels)] {
			power[row] += float64(float64(w) * float64(w))
		}
		power[row] *= float64(t.counts[row])
	}
	slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(power[b], power[a]) })
	rows = rows[:min(n, len(rows))]
	slices.Sort(rows)
	return rows
}

// keep forgets all rows but these, and what was learnt.
func (t *trainer) keep(rows []uint32) {
	became := make([]uint32, len(t.counts)) // one more than the row
	buckets, counts := make([]uint32, len(rows)), make([]int32, len(rows))
	for i, row := range rows {
		became[row] = uint32(i) + 1
		buckets[i], counts[i] = t.buckets[row], t.counts[row]
	}
	t.buckets, t.counts = buckets, counts
	for i := range t.examples {
		var left []uint32
		for _, row := range t.examples[i].rows {
			if became[row] > 0 {
				left = append(left, became[row]-1)
			}
		}
		t.examples[i].rows = left
	}
}

// unlikely is the probability below which a label does not learn from an example.
const unlikely = 0.0005

// learn is the mean of rounds of learning.
func (t *trainer) learn(opts Options, rounds int) {
	n := len(t.labels)
	mean := &mean{weights: make([]float32, len(t.counts)*n), bias: make([]float32, n)}
	random := uint64(1)
	for range rounds {
		random = t.round(opts, random, mean)
	}
	mean.divide()
	t.weights, t.bias = mean.weights, mean.bias
}

// round descends the gradient of the examples' loss one by one, in an order that is shuffled anew
// each time. Steps shrink with what a weight has moved already (AdaGrad). What is learnt after each
// pass but the first goes into the mean.
func (t *trainer) round(opts Options, random uint64, mean *mean) uint64 {
	n := len(t.labels)
	d := &descent{
		trainer: t, rate: opts.Rate, decay: opts.Decay,
		moved: make([]float32, len(t.counts)*n), movedBias: make([]float32, n), z: make([]float32, n),
	}
	t.weights, t.bias = make([]float32, len(t.counts)*n), make([]float32, n)
	order := make([]int, len(t.examples))
	for i := range order {
		order[i] = i
	}
	for epoch := range opts.Epochs {
		random = shuffle(order, random)
		for _, i := range order {
			d.step(&t.examples[i])
		}
		if epoch > 0 {
			mean.add(t)
		}
	}
	return random
}

// mean is the mean of what was learnt at several points.
type mean struct {
	weights, bias []float32
	n             int
}

func (m *mean) add(t *trainer) {
	m.n++
	for i, w := range t.weights {
		m.weights[i] += w
	}
	for i, b := range t.bias {
		m.bias[i] += b
	}
}

func (m *mean) divide() {
	for i := range m.weights {
		m.weights[i] /= float32(m.n)
	}
	for i := range m.bias {
		m.bias[i] /= float32(m.n)
	}
}

// descent is what one learning needs.
type descent struct {
	*trainer
	rate, decay      float32
	moved, movedBias []float32 // the sums of the squares of the gradients
	z                []float32
	active           []int
}

// step learns from one example.
func (d *descent) step(b *bag) {
	n, x := len(d.labels), length(len(b.rows))
	copy(d.z, d.bias)
	for _, row := range b.rows {
		weights := d.weights[int(row)*n : int(row)*n+n]
		for i, w := range weights {
			d.z[i] += float32(w * x)
		}
	}
	softmax(d.z)
	weight := b.weight * believed(d.z[b.label])
	d.z[b.label]--
	d.active = d.active[:0]
	for i, g := range d.z {
		if abs(g) < unlikely {
			continue
		}
		g *= weight
		d.z[i] = float32(g * x)
		d.active = append(d.active, i)
		d.descend(&d.bias[i], &d.movedBias[i], g)
	}
	for _, row := range b.rows {
		for _, i := range d.active {
			at := int(row)*n + i
			d.descend(&d.weights[at], &d.moved[at], d.z[i]+float32(d.decay*d.weights[at]))
		}
	}
}

// believed is how much an example teaches to whose label the model gives the probability p: the
// fourth root. What seems impossible is often a wrong label.
func believed(p float32) float32 { return float32(math.Sqrt(math.Sqrt(float64(p)))) }

// descend moves a weight against its gradient.
func (d *descent) descend(weight, moved *float32, gradient float32) {
	const start = 1e-4 // keeps the first steps small
	*moved += float32(gradient * gradient)
	*weight -= float32(d.rate*gradient) / float32(math.Sqrt(float64(*moved+start)))
}

// shuffle puts the numbers into another order, by a generator with 64 bits of state (splitmix), and returns its state.
func shuffle(order []int, state uint64) uint64 {
	for i := len(order) - 1; i > 0; i-- {
		state += 0x9E3779B97F4A7C15
		r := state
		r = (r ^ r>>30) * 0xBF58476D1CE4E5B9
		r = (r ^ r>>27) * 0x94D049BB133111EB
		r ^= r >> 31
		j := int(r % uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	return state
}

// model makes small integers of what was learnt.
func (t *trainer) model() *Model {
	n := len(t.labels)
	m := &Model{labels: t.labels, weights: make([]int8, len(t.weights)), scale: make([]float32, n), bias: t.bias}
	for i := range n {
		top := float32(0)
		for at := i; at < len(t.weights); at += n {
			top = max(top, abs(t.weights[at]))
		}
		m.scale[i] = cmp.Or(top, 1) / math.MaxInt8
		for at := i; at < len(t.weights); at += n {
			m.weights[at] = int8(math.Round(float64(t.weights[at] / m.scale[i])))
		}
	}
	m.index(t.buckets)
	return m
}

// index notes which row stands for which bucket.
func (m *Model) index(buckets []uint32) {
	m.rows = make([]uint16, 1<<bucketBits)
	for row, bucket := range buckets {
		m.rows[bucket] = uint16(row) + 1
	}
}
