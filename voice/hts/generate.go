package hts

import "math"

// curves returns a vector of the stream's parameters for each frame that has one, one after the other:
// the likeliest values whose differences are likely too, moved so that they vary as much as speech
// does. Frames that have none, where nothing is voiced, are left out; voiced is nil where all have one.
func curves(s *stream, c choice, u *utterance) (values []float64, voiced []bool) {
	g := newGenerator(s, c, u)
	values = make([]float64, len(g.state)*s.size)
	for m := range s.size {
		g.solve(m)
		if c.variance != nil && g.even > 0 {
			g.widen(float64(c.variance[m]), float64(c.variance[s.size+m]))
		}
		for t, x := range g.curve {
			values[t*s.size+m] = x
		}
	}
	return values, g.voiced
}

// A generator finds one curve after the other. The likeliest curve solves a linear system whose matrix
// has two diagonals beside the main one and mirrors itself.
type generator struct {
	stream *stream
	states [][]float32
	state  []int  // of each frame that has values
	inner  []bool // both neighbours of the frame have values
	holds  []bool // the variance of speech holds for the frame
	even   int    // for how many it does
	voiced []bool

	band   [][3]float64 // of each row: the diagonal and what follows it
	right  []float64    // right side of the system
	step   []float64
	curve  []float64
	window [3][3]float64 // weights of the frame before, of the frame and of the one after
}

func newGenerator(s *stream, c choice, u *utterance) *generator {
	g := &generator{stream: s, states: c.states}
	for i, weights := range s.windows {
		copy(g.window[i][(3-len(weights))/2:], weights)
	}
	if s.voiced {
		g.voiced = make([]bool, 0, u.frames)
	}
	joined := false // to the frame before
	for i, n := range u.lasts {
		has := !s.voiced || c.states[i][s.numbers-1] > 0.5
		for range n {
			if s.voiced {
				g.voiced = append(g.voiced, has)
			}
			if !has {
				g.end()
			} else {
				g.state, g.inner, g.holds = append(g.state, i), append(g.inner, joined), append(g.holds, u.even[i])
			}
			joined = has
		}
	}
	g.end()
	for _, holds := range g.holds {
		if holds {
			g.even++
		}
	}
	n := len(g.state)
	g.band, g.right, g.step, g.curve = make([][3]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	return g
}

// end says that the last frame has none after it.
func (g *generator) end() {
	if n := len(g.inner); n > 0 {
		g.inner[n-1] = false
	}
}

// system writes the system of parameter m into band and right.
func (g *generator) system(m int) {
	clear(g.band)
	clear(g.right)
	for t, state := range g.state {
		of, half := g.states[state], g.stream.size*len(g.stream.windows)
		for i := range g.stream.windows {
			if i > 0 && !g.inner[t] {
				break
			}
			mean, weight := float64(of[i*g.stream.size+m]), inverse(float64(of[half+i*g.stream.size+m]))
			g.add(t, &g.window[i], mean, weight)
		}
	}
}

// add says that the window's weighted sum at t should be near mean.
func (g *generator) add(t int, window *[3]float64, mean, weight float64) {
	for a, x := range window {
		if x == 0 {
			continue
		}
		row := t + a - 1
		g.right[row] += x * weight * mean
		for b := a; b < len(window); b++ {
			g.band[row][b-a] += x * weight * window[b]
		}
	}
}

// solve finds the likeliest curve, by Cholesky's factors.
func (g *generator) solve(m int) {
	g.system(m)
	band, n := g.band, len(g.band)
	for t := range n {
		if t >= 1 {
			band[t][0] -= band[t-1][1] * band[t-1][1] * band[t-1][0]
			band[t][1] -= band[t-1][1] * band[t-1][2] * band[t-1][0]
			g.right[t] -= band[t-1][1] * g.right[t-1]
		}
		if t >= 2 {
			band[t][0] -= band[t-2][2] * band[t-2][2] * band[t-2][0]
			g.right[t] -= band[t-2][2] * g.right[t-2]
		}
		band[t][1] /= band[t][0]
		band[t][2] /= band[t][0]
	}
	for t := n - 1; t >= 0; t-- {
		x := g.right[t] / band[t][0]
		if t+1 < n {
			x -= band[t][1] * g.curve[t+1]
		}
		if t+2 < n {
			x -= band[t][2] * g.curve[t+2]
		}
		g.curve[t] = x
	}
	g.system(m) // for widen
}

// widen moves the curve to one whose variance is likely too: first all at once, then by steps uphill.
func (g *generator) widen(mean, precision float64) {
	centre, variance := g.spread()
	if variance <= 0 {
		return
	}
	ratio := math.Sqrt(mean / variance)
	for t := range g.curve {
		if g.holds[t] {
			g.curve[t] = ratio*(g.curve[t]-centre) + centre
		}
	}
	const rounds = 5
	length, before := 0.1, 0.0
	for round := range rounds {
		likely := g.uphill(mean, precision)
		switch {
		case round == 0:
		case likely > before:
			length *= 0.5
		case likely < before:
			length *= 1.2
		}
		for t := range g.curve {
			g.curve[t] += length * g.step[t]
		}
		before = likely
	}
}

// spread returns mean and variance of the curve where speech is.
func (g *generator) spread() (mean, variance float64) {
	for t, x := range g.curve {
		if g.holds[t] {
			mean += x
		}
	}
	mean /= float64(g.even)
	for t, x := range g.curve {
		if g.holds[t] {
			variance += (x - mean) * (x - mean)
		}
	}
	return mean, variance / float64(g.even)
}

// uphill writes into step where the curve gets likelier, by Newton's method on the diagonal, and
// returns how unlikely it is.
func (g *generator) uphill(gvMean, precision float64) float64 {
	centre, variance := g.spread()
	n := float64(len(g.curve))
	w := 1 / (float64(len(g.stream.windows)) * n)
	off := variance - gvMean
	slope := -2 * precision * off / n
	fit := -0.5 * variance * precision * (variance - 2*gvMean)
	for t, x := range g.curve {
		row := g.times(t)
		fit += w * x * (g.right[t] - 0.5*row)
		move := w * (g.right[t] - row)
		if g.holds[t] {
			move += slope * (x - centre)
		}
		curving := -w*g.band[t][0] - 2/(n*n)*((n-1)*precision*off+2*precision*(x-centre)*(x-centre))
		g.step[t] = move / curving
	}
	return -fit
}

// times returns row t of the matrix times the curve.
func (g *generator) times(t int) float64 {
	sum := g.band[t][0] * g.curve[t]
	for i := 1; i < 3; i++ {
		if t+i < len(g.curve) {
			sum += g.band[t][i] * g.curve[t+i]
		}
		if t >= i {
			sum += g.band[t-i][i] * g.curve[t-i]
		}
	}
	return sum
}

// inverse is 1/x, and finite.
func inverse(x float64) float64 {
	const large, small, most = 1e19, 1e-19, 1e38
	switch {
	case x >= large || x <= -large:
		return 0
	case x >= 0 && x <= small:
		return most
	case x < 0 && x >= -small:
		return -most
	}
	return 1 / x
}
