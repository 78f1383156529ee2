package hts

import "math"

// A source makes what goes into the filter: white noise, and where there is pitch, pulses of which a
// frame's weights keep the low part and noise of which they keep the high part.
type source struct {
	noise noise
	// period is that of the current sample; 0: there is no pitch. It changes by bend, and since is the
	// time since the last pulse.
	period, bend, since float64
	// ring has what comes, at first what comes next.
	ring  []float64
	first int
}

func newSource(weights int) *source {
	return &source{noise: noise{seed: 1}, ring: make([]float64, weights)}
}

func (s *source) begin(period float64) { s.period, s.since = period, period }

// turn lets the period go to the next one in so many samples. From or to noise it jumps.
func (s *source) turn(period, samples float64) {
	if s.period != 0 && period != 0 {
		s.bend = (period - s.period) / samples
		return
	}
	s.bend, s.period, s.since = 0, period, period
}

func (s *source) sample(weights []float64) float64 {
	noise, middle := s.noise.next(), (len(weights)-1)/2
	at := s.first + middle
	if at >= len(s.ring) {
		at -= len(s.ring)
	}
	s.ring[at] += noise
	if s.period != 0 {
		low := -noise
		if s.since++; s.since >= s.period {
			low += math.Sqrt(s.period)
			s.since -= s.period
		}
		s.add(low, weights)
		s.period += s.bend
	}
	x := s.ring[s.first]
	s.ring[s.first] = 0
	if s.first++; s.first == len(s.ring) {
		s.first = 0
	}
	return x
}

// add puts x in, weighed.
func (s *source) add(x float64, weights []float64) {
	tail := s.ring[s.first:]
	for i, w := range weights[:len(tail)] {
		tail[i] += x * w
	}
	head := s.ring[:s.first]
	for i, w := range weights[len(tail):] {
		head[i] += x * w
	}
}

// noise is Gaussian, by the polar method over a linear congruential generator: always the same.
type noise struct {
	seed   uint64
	second float64 // the method makes two
	kept   bool
}

func (n *noise) next() float64 {
	if n.kept {
		n.kept = false
		return n.second
	}
	for {
		x, y := n.uniform(), n.uniform()
		if r := x*x + y*y; r <= 1 && r != 0 {
			scale := math.Sqrt(-2 * math.Log(r) / r)
			n.second, n.kept = y*scale, true
			return x * scale
		}
	}
}

// uniform returns a number from -1 to 1.
func (n *noise) uniform() float64 {
	const most = 1<<15 - 1
	n.seed = n.seed*1103515245 + 12345
	return 2*float64(n.seed>>16&most)/most - 1
}
