package hibari

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// Rate is how many samples a second there are.
	Rate    = 24000
	fftSize = 1200
	hop     = 300 // samples a frame
	// voiced is the pitch in hertz below which nothing vibrates, highestHarmonic where harmonics end.
	voiced, highestHarmonic = 40, 11000
	// loudest is the greatest logarithm of a magnitude.
	loudest = 7
	// together is how many frames are computed at once. It is even: frames are transformed in pairs.
	together = 32
)

// A synthesizer turns spectra into sound: pulses at the pitch, filtered, and noise of the shape of
// the spectrum, and a part whose phases the network says.
type synthesizer struct {
	fourier          *fourier
	window, analysis []float32 // Hann's, and what makes a cosine of 1 a magnitude of 1
}

func newSynthesizer() *synthesizer {
	s := &synthesizer{fourier: newFourier(4, 4, 5, 5, 3)}
	for i := range fftSize {
		w := float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/fftSize))
		s.window, s.analysis = append(s.window, w), append(s.analysis, w/(fftSize/4))
	}
	return s
}

// sound returns hop samples for every frame. Noise says where the noise of a frame comes from.
func (s *synthesizer) sound(
	ctx context.Context, n *network, frames, pitch []float32, noise func(frame int) func() float64,
) ([]float32, error) {
	source := pulses(pitch)
	windows := make([]float32, len(pitch)*fftSize)
	err := parallel(ctx, (len(pitch)+1)/2, func(from, to int) {
		scratch := newScratch()
		rows := make([]float32, together*headWidth)
		for t := 2 * from; t < min(2*to, len(pitch)) && ctx.Err() == nil; t += together {
			count := min(together, 2*to-t, len(pitch)-t)
			n.spectrum(frames[t*frameWidth:], rows[:count*headWidth])
			for i := 0; i < count; i += 2 {
				s.two(scratch, source, rows[i*headWidth:min(count, i+2)*headWidth], t+i, noise, windows[(t+i)*fftSize:])
			}
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return s.overlap(windows), nil
}

// A scratch is memory for two frames: their transform, and one spectrum after the other.
type scratch struct {
	x, spare []complex64
	spectra  [2][]complex64
}

func newScratch() *scratch {
	return &scratch{
		x: make([]complex64, fftSize), spare: make([]complex64, fftSize),
		spectra: [2][]complex64{make([]complex64, bins), make([]complex64, bins)},
	}
}

// two writes the samples of frame t, and of the next if there are rows for two. A transform of
// complex numbers is one of two frames of real ones.
func (s *synthesizer) two(
	c *scratch, source, rows []float32, t int, noise func(frame int) func() float64, windows []float32,
) {
	count := len(rows) / headWidth
	for i, w := range s.analysis {
		var second float32
		if count == 2 {
			second = w * reflected(source, (t+1)*hop+i-fftSize/2)
		}
		c.x[i] = complex(w*reflected(source, t*hop+i-fftSize/2), second)
	}
	both := s.fourier.transform(c.x, c.spare)
	for k := range bins {
		p, q := both[k], both[(fftSize-k)%fftSize]
		c.spectra[0][k] = complex(real(p)+real(q), imag(p)-imag(q)) / 2
		c.spectra[1][k] = complex(imag(p)+imag(q), real(q)-real(p)) / 2
	}
	clear(c.spectra[1][:len(c.spectra[1])*(2-count)])
	for i := range count {
		shape(c.spectra[i], rows[i*headWidth:][:headWidth], noise(t+i))
	}
	for k := range bins { // exchanging the parts of the numbers turns a transform into its inverse
		a, b := c.spectra[0][k], c.spectra[1][k]
		if k == 0 || k == bins-1 {
			c.x[k] = complex(real(b), real(a))
			continue
		}
		c.x[k] = complex(imag(a)+real(b), real(a)-imag(b))
		c.x[fftSize-k] = complex(real(b)-imag(a), real(a)+imag(b))
	}
	for i, v := range s.fourier.transform(c.x, c.spare) {
		w := s.window[i] / fftSize
		windows[i] = imag(v) * w
		if count == 2 {
			windows[fftSize+i] = real(v) * w
		}
	}
}

// reflected is a sample of x, which is continued at both ends by its mirror image.
func reflected(x []float32, at int) float32 {
	if at < 0 {
		at = -at
	}
	if at >= len(x) {
		at = 2*(len(x)-1) - at
	}
	return x[at]
}

// shape makes the spectrum of the pulses that of a frame, with five numbers of the network for every bin.
func shape(spectrum []complex64, row []float32, noise func() float64) {
	loud, turn, noisy, rest, phase := row, row[bins:], row[2*bins:], row[3*bins:], row[4*bins:]
	for k, p := range spectrum {
		sin, cos := math.Sincos(math.Pi * math.Tanh(float64(turn[k])))
		magnitude := magnitudeOf(loud[k])
		p *= complex(float32(magnitude*cos), float32(magnitude*sin))
		hiss := magnitudeOf(noisy[k])
		sin, cos = math.Sincos(float64(phase[k]))
		magnitude = magnitudeOf(rest[k])
		p += complex(float32(magnitude*cos+hiss*noise()), float32(magnitude*sin+hiss*noise()))
		spectrum[k] = p
	}
}

func magnitudeOf(logarithm float32) float64 { return math.Exp(float64(min(logarithm, loudest))) }

// pulses are a train of them at the pitch of each frame: every harmonic is as loud as the others.
func pulses(pitch []float32) []float32 {
	out, phase := make([]float32, len(pitch)*hop), 0.0
	for i := range out {
		place := (float64(i)+0.5)/hop - 0.5
		frame := int(math.Floor(place))
		part := float32(place - math.Floor(place))
		hertz := pitch[max(frame, 0)]*(1-part) + pitch[min(frame+1, len(pitch)-1)]*part
		phase += float64(max(hertz, voiced)) / Rate
		if hertz <= voiced {
			continue
		}
		_, turned := math.Modf(phase)
		harmonics := math.Floor(float64(highestHarmonic/hertz)) + 0.5
		angle := 2 * math.Pi * turned
		// the sum of cosines of multiples of the angle
		if sin := 2 * math.Sin(angle/2); math.Abs(sin) > 2e-3 {
			out[i] = float32(math.Sin(harmonics*angle)/sin - 0.5)
		} else {
			out[i] = float32(harmonics - 0.5)
		}
	}
	return out
}

// overlap adds frames, each hop samples after the one before, and divides by what their windows weigh.
func (s *synthesizer) overlap(windows []float32) []float32 {
	frames := len(windows) / fftSize
	sum, weight := make([]float32, frames*hop+fftSize), make([]float32, frames*hop+fftSize)
	for t := range frames {
		for i, v := range windows[t*fftSize:][:fftSize] {
			sum[t*hop+i] += v
			weight[t*hop+i] += s.window[i] * s.window[i]
		}
	}
	out := slices.Clip(sum[fftSize/2:][:frames*hop])
	for i := range out {
		out[i] /= max(weight[fftSize/2+i], 1e-11)
	}
	return out
}

// hiss is noise that is the same each time: so is the sound of a text.
func hiss(frame int) func() float64 {
	return rand.New(rand.NewPCG(24, uint64(frame))).NormFloat64
}
