package hts

import (
	"context"
	"math"
)

// speak makes curves for the utterance, and sound of them.
func (v *Voice) speak(ctx context.Context, u *utterance) ([]float32, error) {
	spectra, _ := curves(&v.spectrum, u.spectrum, u)
	pitches, voiced := curves(&v.pitch, u.pitch, u)
	mixing, _ := curves(&v.mixing, u.mixing, u)
	samples := make([]float32, 0, u.frames*v.period)
	source := newSource(v.mixing.size)
	size := v.spectrum.size
	now, next, step := make([]float64, size), make([]float64, size), make([]float64, size)
	filter := filter{alpha: v.alpha, state: make([][stages]float64, size)}
	for frame := range u.frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		period := 0.0
		if voiced[frame] {
			period, pitches = v.periodOf(pitches[0]), pitches[1:]
		}
		filterOf(spectra[frame*size:][:size], next, v.alpha)
		if frame == 0 {
			copy(now, next)
			source.begin(period)
		}
		for i := range step {
			step[i] = (next[i] - now[i]) / float64(v.period)
		}
		source.turn(period, float64(v.period))
		weights := mixing[frame*v.mixing.size:][:v.mixing.size]
		for range v.period {
			x := filter.pass(source.sample(weights)*math.Exp(now[0]), now)
			samples = append(samples, float32(x/(1<<15)))
			for i, d := range step {
				now[i] += d
			}
		}
		source.period = period
		copy(now, next)
	}
	return samples, nil
}

// periodOf returns how many samples a period of the voice lasts whose pitch has this logarithm.
func (v *Voice) periodOf(logPitch float64) float64 {
	const lowest, highest = 20.0, 20_000.0
	return float64(v.rate) / min(max(math.Exp(logPitch), lowest), highest)
}

// filterOf makes coefficients of the filter from a mel-cepstrum.
func filterOf(cepstrum, to []float64, alpha float64) {
	last := len(cepstrum) - 1
	to[last] = cepstrum[last]
	for i := last - 1; i >= 0; i-- {
		to[i] = cepstrum[i] - alpha*to[i+1]
	}
}

// stages is the order of the approximation of exp in the filter.
const stages = 5

// pade are the coefficients of the approximation, whose signs change where it divides.
var pade = [stages + 1]float64{1, 0.4999391, 0.1107098, 0.01369984, 0.0009564853, 0.00003041721}

// A filter approximates the exponential of a mel-cepstrum (MLSA): a filter of its first coefficient,
// then one of the others, each as a rational function of as many copies of a basic filter as there are
// stages.
type filter struct {
	alpha         float64
	delay, first  [stages]float64 // of the first coefficient: what is remembered, and what each stage put out
	rest          [stages]float64 // what each stage of the others put out
	input, middle float64         // what went into the two filters before
	state         [][stages]float64
}

// pass returns the filtered sample. The gain, coefficient 0, is not part of it.
func (f *filter) pass(x float64, coefficients []float64) float64 {
	a, aa := f.alpha, 1-f.alpha*f.alpha
	in, out := x, 0.0
	for i := stages - 1; i >= 0; i-- {
		before := f.input
		if i > 0 {
			before = f.first[i-1]
		}
		f.delay[i] = aa*before + a*f.delay[i]
		f.first[i] = f.delay[i] * coefficients[1]
		in, out = fold(f.first[i], i, in, out)
	}
	f.input = in
	x = in + out

	from := [stages]float64{f.middle, f.rest[0], f.rest[1], f.rest[2], f.rest[3]}
	f.basic(from, coefficients)
	in, out = x, 0.0
	for i := stages - 1; i >= 0; i-- {
		in, out = fold(f.rest[i], i, in, out)
	}
	f.middle = in
	return in + out
}

// fold adds what a stage put out to what the filter puts out and, with its sign, to what goes in.
func fold(y float64, stage int, in, out float64) (float64, float64) {
	y *= pade[stage+1]
	if stage%2 == 0 {
		return in + y, out + y
	}
	return in - y, out + y
}

// basic runs the copies of the basic filter, a chain of all-passes, beside each other: none waits for
// another's sum.
func (f *filter) basic(from [stages]float64, coefficients []float64) {
	a, aa := f.alpha, 1-f.alpha*f.alpha
	s := &f.state[1]
	p0, p1, p2, p3, p4 := s[0], s[1], s[2], s[3], s[4] // the tap before, as it was
	v0, v1, v2, v3, v4 := aa*from[0]+a*p0, aa*from[1]+a*p1, aa*from[2]+a*p2, aa*from[3]+a*p3, aa*from[4]+a*p4
	*s = [stages]float64{v0, v1, v2, v3, v4}
	var y0, y1, y2, y3, y4 float64
	state := f.state[2:]
	coefficients = coefficients[2:][:len(state)]
	for i := range state {
		s, b := &state[i], coefficients[i]
		o0, o1, o2, o3, o4 := s[0], s[1], s[2], s[3], s[4]
		v0, v1, v2 = p0+a*(o0-v0), p1+a*(o1-v1), p2+a*(o2-v2)
		v3, v4 = p3+a*(o3-v3), p4+a*(o4-v4)
		s[0], s[1], s[2], s[3], s[4] = v0, v1, v2, v3, v4
		y0, y1, y2, y3, y4 = y0+v0*b, y1+v1*b, y2+v2*b, y3+v3*b, y4+v4*b
		p0, p1, p2, p3, p4 = o0, o1, o2, o3, o4
	}
	f.rest = [stages]float64{y0, y1, y2, y3, y4}
}
