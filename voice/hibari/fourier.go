package hibari

import "math"

// A fourier computes discrete Fourier transforms of one size, by the self-sorting algorithm of
// Stockham. It never changes.
type fourier struct{ stages []stage }

// A stage combines transforms of one size into such of radix times it.
type stage struct {
	radix, rest, stride int
	roots, twiddles     []complex64 // radix each, by output and input; radix each, by place and output
}

// newFourier returns transforms of a size that is the product of the factors.
func newFourier(factors ...int) *fourier {
	f := &fourier{}
	size, stride := 1, 1
	for _, r := range factors {
		size *= r
	}
	for _, r := range factors {
		s := stage{radix: r, rest: size / r, stride: stride}
		for k := range r {
			for j := range r {
				s.roots = append(s.roots, root(j*k, r))
			}
		}
		for p := range s.rest {
			for k := range r {
				s.twiddles = append(s.twiddles, root(p*k, size))
			}
		}
		f.stages = append(f.stages, s)
		size, stride = s.rest, stride*r
	}
	return f
}

// root is the k-th power of the first root of one of order n.
func root(k, n int) complex64 {
	sin, cos := math.Sincos(-2 * math.Pi * float64(k%n) / float64(n))
	return complex(float32(cos), float32(sin))
}

// transform returns the transform of x. Both x and spare are overwritten, and it lies in one of them.
func (f *fourier) transform(x, spare []complex64) []complex64 {
	for i := range f.stages {
		f.stages[i].apply(x, spare)
		x, spare = spare, x
	}
	return x
}

func (s *stage) apply(x, y []complex64) {
	switch s.radix {
	case 4:
		s.apply4(x, y)
	default:
		s.applyAny(x, y)
	}
}

// applyAny is for every radix.
func (s *stage) applyAny(x, y []complex64) {
	r, step := s.radix, s.stride*s.rest
	for p := range s.rest {
		for k := range r {
			twiddle, roots := s.twiddles[p*r+k], s.roots[k*r:][:r]
			to := y[s.stride*(r*p+k):][:s.stride]
			for q := range to {
				at := q + s.stride*p
				sum := x[at]
				for _, w := range roots[1:] {
					at += step
					sum += x[at] * w
				}
				to[q] = sum * twiddle
			}
		}
	}
}

// apply4 is for radix 4, whose roots need no multiplication.
func (s *stage) apply4(x, y []complex64) {
	step := s.stride * s.rest
	for p := range s.rest {
		twiddles := s.twiddles[4*p:][:4]
		to := y[4*s.stride*p:][:4*s.stride]
		for q := range s.stride {
			at := q + s.stride*p
			a, b, c, d := x[at], x[at+step], x[at+2*step], x[at+3*step]
			even, odd := a+c, b+d
			difference, turned := a-c, b-d
			turned = complex(imag(turned), -real(turned)) // times -i
			to[q] = even + odd
			to[q+s.stride] = (difference + turned) * twiddles[1]
			to[q+2*s.stride] = (even - odd) * twiddles[2]
			to[q+3*s.stride] = (difference - turned) * twiddles[3]
		}
	}
}
