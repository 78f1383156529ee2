package voice

import (
	"context"
	"slices"
	"time"

	"annai/api"
	"annai/voice/hts"
)

// An Analyser says how Japanese is pronounced, as full-context labels; a text with nothing to say has none.
// It is safe for concurrent use.
type Analyser interface {
	Labels(text string) ([]string, error)
}

// Gains make the voices equally loud. The loudest samples of the Japanese one are beyond what fits.
const (
	japaneseGain = 0.75
	englishGain  = 1.9
)

// What is left of the silence before and after speech.
const (
	silenceBefore = 30 * time.Millisecond
	silenceAfter  = 150 * time.Millisecond
)

type japanese struct {
	analyser Analyser
	voice    *hts.Voice
	options  hts.Options
}

// Japanese returns the embedded speaker of Japanese, a [Timer]. Speed is 0.5 to 2.
func Japanese(analyser Analyser, voice *hts.Voice, speed float64) Speaker {
	return &japanese{analyser, voice, hts.Options{Speed: speed}}
}

func (j *japanese) Speak(ctx context.Context, text, _ string) (Speech, error) {
	labels, err := j.analyser.Labels(text)
	if err != nil {
		return Speech{}, err
	}
	sound, err := j.voice.Synthesize(ctx, labels, j.options)
	if err != nil {
		return Speech{}, err
	}
	from, to := spoken(sound.Marks)
	samples := resampled(cut(sound.Samples, sound.Rate, from, to), sound.Rate)
	return Speech{Samples: whole(samples, japaneseGain), Mouth: japaneseMouth(sound.Marks, from)}, nil
}

func (j *japanese) Mouth(text, _ string) ([]api.Viseme, time.Duration, error) {
	labels, err := j.analyser.Labels(text)
	if err != nil {
		return nil, 0, err
	}
	marks, err := j.voice.Marks(labels, j.options)
	if err != nil {
		return nil, 0, err
	}
	from, to := spoken(marks)
	return japaneseMouth(marks, from), to - from, nil
}

// spoken returns from when to when there is more than silence.
func spoken(marks []hts.Mark) (from, to time.Duration) {
	if len(marks) == 0 {
		return 0, 0
	}
	to = marks[len(marks)-1].End
	if first := marks[0]; first.Phoneme == "sil" {
		from = max(0, first.End-silenceBefore)
	}
	if last := marks[len(marks)-1]; last.Phoneme == "sil" {
		to = min(to, last.Start+silenceAfter)
	}
	return from, max(from, to)
}

func japaneseMouth(marks []hts.Mark, since time.Duration) []api.Viseme {
	var ours []Mark
	for _, m := range marks {
		ours = append(ours, Mark(m))
	}
	return mouthOf(ours, japaneseShape, since)
}

// An Engine makes sound of an English text. It is safe for concurrent use.
type Engine interface {
	// Synthesize returns samples from -1 to 1, how many there are in a second, and when which phoneme is
	// spoken, in the International Phonetic Alphabet. It ends early with the error of ctx.
	Synthesize(ctx context.Context, text string) (samples []float32, rate int, marks []Mark, err error)
}

type english struct{ engine Engine }

// English returns the embedded speaker of English.
func English(engine Engine) Speaker { return &english{engine} }

func (e *english) Speak(ctx context.Context, text, _ string) (Speech, error) {
	samples, rate, marks, err := e.engine.Synthesize(ctx, text)
	if err != nil {
		return Speech{}, err
	}
	length := time.Duration(len(samples)) * time.Second / time.Duration(max(rate, 1))
	from, to := time.Duration(0), length
	heard := func(m Mark) bool { return englishShape(m.Phoneme) != rest }
	if first := slices.IndexFunc(marks, heard); first >= 0 {
		from = max(0, marks[first].Start-silenceBefore)
	}
	for _, m := range marks {
		if heard(m) {
			to = min(length, m.End+silenceAfter)
		}
	}
	samples = resampled(cut(slices.Clone(samples), rate, from, to), rate)
	return Speech{Samples: whole(samples, englishGain), Mouth: mouthOf(marks, englishShape, from)}, nil
}
