package hts

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"annai/fault"
)

// Options are the settings of a synthesis that have a default.
type Options struct {
	// Speed is how much faster than the voice's own it speaks, 0.5 to 2. 0: 1.
	Speed float64
}

// A Sound is speech, and when which phoneme is spoken.
type Sound struct {
	// Samples are mostly between -1 and 1: the loudest of a voice may be beyond.
	Samples []float32
	// Rate is the number of samples per second.
	Rate  int
	Marks []Mark
}

// A Mark says when a phoneme is spoken: "a", "ky", "pau". It ends where the next one starts.
type Mark struct {
	Phoneme    string
	Start, End time.Duration
}

// Bounds of one utterance, which bound the memory.
const (
	maxLabels  = 4000
	maxSeconds = 120
	maxFrames  = 1e5 // of one state
	minSpeed   = 0.5
	maxSpeed   = 2.0
)

// Synthesize speaks the labels. Labels that are none, or so many that they would last more than two
// minutes, are [fault.ErrInvalid]; it ends early with the error of ctx. No labels are no sound.
func (v *Voice) Synthesize(ctx context.Context, labels []string, opts Options) (Sound, error) {
	u, err := v.plan(labels, opts)
	if err != nil {
		return Sound{}, err
	}
	for _, label := range labels {
		u.choose(v, label)
	}
	samples, err := v.speak(ctx, u)
	return Sound{Samples: samples, Rate: v.rate, Marks: u.marks}, err
}

// An utterance is what the trees chose for labels: how long each state lasts, in frames, and its
// distributions.
type utterance struct {
	lasts                   []int
	frames                  int
	even                    []bool // the variance of speech holds for the state
	spectrum, pitch, mixing choice
	marks                   []Mark
}

// A choice is the distribution of each state in a stream, and that of the utterance's variance.
type choice struct {
	states   [][]float32
	variance []float32
}

// plan says how long all lasts.
func (v *Voice) plan(labels []string, opts Options) (*utterance, error) {
	if opts.Speed == 0 {
		opts.Speed = 1
	}
	if opts.Speed < minSpeed || opts.Speed > maxSpeed {
		return nil, fmt.Errorf("speed %g, want %g to %g: %w", opts.Speed, minSpeed, maxSpeed, fault.ErrInvalid)
	}
	if len(labels) > maxLabels {
		return nil, fmt.Errorf("%d labels, at most %d: %w", len(labels), maxLabels, fault.ErrInvalid)
	}
	u := &utterance{}
	var lasts []float32 // means, then variances, of the states of each label
	for _, label := range labels {
		phoneme, err := phonemeOf(label)
		if err != nil {
			return nil, err
		}
		u.marks = append(u.marks, Mark{Phoneme: phoneme})
		lasts = append(lasts, v.durations.distribution(&answers{label: label}, 0)...)
	}
	u.lasts = durations(lasts, v.states, opts.Speed)
	for i, n := range u.lasts {
		if i%v.states == 0 {
			u.marks[i/v.states].Start = v.at(u.frames)
		}
		u.frames += n
		u.marks[i/v.states].End = v.at(u.frames)
	}
	if u.frames*v.period > maxSeconds*v.rate {
		return nil, fmt.Errorf("speech of %v, at most %d s: %w", v.at(u.frames), maxSeconds, fault.ErrInvalid)
	}
	return u, nil
}

// choose chooses the distributions of the next label.
func (u *utterance) choose(v *Voice, label string) {
	first, even := len(u.even) == 0, !v.uneven.matches(label)
	for range v.states {
		u.even = append(u.even, even)
	}
	u.spectrum.add(&v.spectrum, label, v.states, first)
	u.pitch.add(&v.pitch, label, v.states, first)
	u.mixing.add(&v.mixing, label, v.states, first)
}

// add chooses for one label. The first one also chooses the variance of the utterance.
func (c *choice) add(s *stream, label string, states int, first bool) {
	asked := answers{label: label}
	for state := range states {
		c.states = append(c.states, s.distribution(&asked, state))
	}
	if first && s.variance != nil {
		c.variance = s.variance.distribution(&answers{label: label}, 0)
	}
}

// at is when a frame starts.
func (v *Voice) at(frame int) time.Duration {
	return time.Duration(frame) * time.Duration(v.period) * time.Second / time.Duration(v.rate)
}

// phonemeOf returns the phoneme that a label is about: what stands between "-" and "+".
func phonemeOf(label string) (string, error) {
	_, rest, ok := strings.Cut(label, "-")
	phoneme, _, ok2 := strings.Cut(rest, "+")
	if !ok || !ok2 || phoneme == "" || !strings.Contains(rest, "/A:") {
		return "", fmt.Errorf("label %q is no full context: %w", label, fault.ErrInvalid)
	}
	return phoneme, nil
}

// durations returns how many frames each state lasts, from means and variances of the states of each
// label. At another speed than 1 states that vary much give or take more.
func durations(of []float32, states int, speed float64) []int {
	n := len(of) / 2
	lasts, means, variances := make([]int, 0, n), make([]float64, 0, n), make([]float64, 0, n)
	for ; len(of) > 0; of = of[2*states:] {
		for i := range states {
			means, variances = append(means, float64(of[i])), append(variances, float64(of[states+i]))
		}
	}
	rate, target := 0.0, 0
	if speed != 1 {
		all, vary := 0.0, 0.0
		for i := range means {
			all, vary = all+means[i], vary+variances[i]
		}
		target = max(n, int(all/speed+0.5))
		rate = (float64(target) - all) / vary
	}
	sum := 0
	for i := range means {
		lasts = append(lasts, max(1, int(min(means[i]+rate*variances[i]+0.5, maxFrames))))
		sum += lasts[i]
	}
	for ; speed != 1 && sum < target; sum++ {
		lasts[leastChanged(lasts, means, variances, rate, 1)]++
	}
	for ; speed != 1 && sum > target; sum-- {
		lasts[leastChanged(lasts, means, variances, rate, -1)]--
	}
	return lasts
}

// leastChanged returns the state that a step changes least.
func leastChanged(lasts []int, means, variances []float64, rate float64, step int) int {
	best, least := 0, math.Inf(1)
	for i := range lasts {
		if lasts[i]+step < 1 {
			continue
		}
		if change := math.Abs(rate - (float64(lasts[i]+step)-means[i])/variances[i]); change < least {
			best, least = i, change
		}
	}
	return best
}

// Marks is when each phoneme will be spoken, as [Voice.Synthesize] says it with the sound, in a
// hundredth of the time.
func (v *Voice) Marks(labels []string, opts Options) ([]Mark, error) {
	u, err := v.plan(labels, opts)
	if err != nil {
		return nil, err
	}
	return u.marks, nil
}
