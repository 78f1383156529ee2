package voice

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"annai/fault"
)

// fade is how long sound that was cut takes to come and go.
const fade = 4 * time.Millisecond

// resampled returns the samples at [Rate]: a low-pass that both rates can carry, read at the new times.
func resampled(samples []float32, rate int) []float32 {
	if rate == Rate || len(samples) == 0 {
		return samples
	}
	up, down := reduced(Rate, rate)
	const reach = 16 // zero crossings on each side
	width := max(1, float64(down)/float64(up))
	half := int(reach * width)
	taps := make([][]float32, up) // for each fraction of a sample
	for phase := range taps {
		taps[phase] = lowPass(float64(phase)/float64(up), width, half)
	}
	out := make([]float32, len(samples)*up/down)
	for i := range out {
		at, phase := i*down/up, i*down%up
		sum := float32(0)
		for j, w := range taps[phase] {
			if k := at + j - half; k >= 0 && k < len(samples) {
				sum += w * samples[k]
			}
		}
		out[i] = sum
	}
	return out
}

// lowPass returns the weights of the samples around a time that is so much after one: a windowed sinc.
func lowPass(after, width float64, half int) []float32 {
	weights := make([]float32, 2*half+1)
	for i := range weights {
		x := float64(i-half) - after
		w := 1 / width
		if s := math.Pi * x / width; s != 0 {
			w *= math.Sin(s) / s
		}
		if edge := math.Abs(x) / float64(half+1); edge < 1 {
			w *= 0.5 + 0.5*math.Cos(math.Pi*edge)
		} else {
			w = 0
		}
		weights[i] = float32(w)
	}
	return weights
}

func reduced(a, b int) (int, int) {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x, b / x
}

// whole returns the samples, times gain, as whole numbers. What is too loud is turned down as a whole.
func whole(samples []float32, gain float32) []int16 {
	const most = 0.98
	peak := float32(0)
	for _, x := range samples {
		peak = max(peak, x*gain, -x*gain)
	}
	if peak > most {
		gain *= most / peak
	}
	out := make([]int16, len(samples))
	for i, x := range samples {
		out[i] = int16(math.Round(float64(x * gain * math.MaxInt16)))
	}
	return out
}

// cut returns what is between two times, faded at the ends. It changes the samples.
func cut(samples []float32, rate int, from, to time.Duration) []float32 {
	at := func(d time.Duration) int { return min(max(0, int(d*time.Duration(rate)/time.Second)), len(samples)) }
	samples = samples[at(from):max(at(from), at(to))]
	n := min(int(fade*time.Duration(rate)/time.Second), len(samples)/2)
	for i := range n {
		w := float32(i) / float32(n)
		samples[i] *= w
		samples[len(samples)-1-i] *= w
	}
	return samples
}

const wavHead = 44

// WAV returns the speech as a file of that kind.
func (s Speech) WAV() []byte {
	const bytes, channels = 2, 1
	size := bytes * len(s.Samples)
	b := make([]byte, 0, wavHead+size)
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(wavHead-8+size))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // whole numbers
	b = binary.LittleEndian.AppendUint16(b, channels)
	b = binary.LittleEndian.AppendUint32(b, Rate)
	b = binary.LittleEndian.AppendUint32(b, Rate*bytes)
	b = binary.LittleEndian.AppendUint16(b, bytes)
	b = binary.LittleEndian.AppendUint16(b, 8*bytes)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	return append(b, s.PCM()...)
}

// PCM returns the samples as bytes, the low one first.
func (s Speech) PCM() []byte {
	b := make([]byte, 0, 2*len(s.Samples))
	for _, x := range s.Samples {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// ReadWAV returns the sound of a WAV file of 16 bits as a speech without a mouth. Another file is
// [fault.ErrUnavailable]: it came from a service.
func ReadWAV(file []byte) (Speech, error) {
	if len(file) < 12 || string(file[:4]) != "RIFF" || string(file[8:12]) != "WAVE" {
		return Speech{}, fmt.Errorf("sound is no WAV file: %w", fault.ErrUnavailable)
	}
	var rate, channels int
	for rest := file[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), int(binary.LittleEndian.Uint32(rest[4:]))
		body := rest[8:min(len(rest), 8+size)] // streams say no size that is true
		switch {
		case name == "fmt " && len(body) >= 16:
			if binary.LittleEndian.Uint16(body[14:]) != 16 {
				return Speech{}, fmt.Errorf("WAV file is not of 16 bits: %w", fault.ErrUnavailable)
			}
			channels = int(binary.LittleEndian.Uint16(body[2:]))
			rate = int(binary.LittleEndian.Uint32(body[4:]))
		case name == "data" && channels >= 1 && channels <= 2 && rate >= 8000 && rate <= 192_000:
			return Speech{Samples: whole(resampled(mixed(body, channels), rate), 1)}, nil
		}
		rest = rest[min(len(rest), 8+size+size%2):]
	}
	return Speech{}, fmt.Errorf("WAV file has no sound: %w", fault.ErrUnavailable)
}

// mixed returns samples of 16 bits of so many channels as one.
func mixed(body []byte, channels int) []float32 {
	out := make([]float32, len(body)/2/channels)
	for i := range out {
		for c := range channels {
			x := int16(binary.LittleEndian.Uint16(body[2*(i*channels+c):]))
			out[i] += float32(x) / (1 << 15) / float32(channels)
		}
	}
	return out
}
