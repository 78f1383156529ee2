package voice

import (
	"math"
	"strings"
	"time"

	"annai/api"
)

// A Mark says when a phoneme is spoken.
type Mark struct {
	Phoneme    string
	Start, End time.Duration
}

// Shapes of a mouth: the five vowels, lips that are closed and a mouth at rest.
const (
	closed = "n"
	rest   = ""
	// asNext is the shape of whatever is spoken next: most consonants are made within the vowel to come.
	asNext = "next"
)

// mouthOf returns how the mouth moves, each phoneme having a shape, from `since` on.
func mouthOf(marks []Mark, shapeOf func(phoneme string) string, since time.Duration) []api.Viseme {
	mouth := []api.Viseme{}
	for i, m := range marks {
		shape := shapeOf(m.Phoneme)
		for next := i + 1; shape == asNext; next++ {
			if shape = rest; next < len(marks) {
				shape = shapeOf(marks[next].Phoneme)
			}
		}
		at := max(0, int((m.Start - since).Milliseconds()))
		mouth = added(mouth, api.Viseme{MS: at, Shape: shape})
	}
	return mouth
}

// added adds a viseme, unless nothing changes by it.
func added(mouth []api.Viseme, v api.Viseme) []api.Viseme {
	switch last := len(mouth) - 1; {
	case last >= 0 && mouth[last].Shape == v.Shape:
		return mouth
	case last >= 0 && mouth[last].MS == v.MS:
		mouth[last].Shape = v.Shape
		return mouth
	}
	return append(mouth, v)
}

// JapaneseMouth returns the mouth of phonemes as VOICEVOX names them.
func JapaneseMouth(marks []Mark) []api.Viseme { return mouthOf(marks, japaneseShape, 0) }

// japaneseShape returns the shape of a phoneme as Open JTalk and VOICEVOX name it.
func japaneseShape(phoneme string) string {
	switch phoneme {
	case "a", "i", "u", "e", "o":
		return phoneme
	case "A", "I", "U", "E", "O": // without voice
		return strings.ToLower(phoneme)
	case "N", "m", "my", "b", "by", "p", "py":
		return closed
	case "sil", "pau", "cl":
		return rest
	}
	return asNext
}

// englishShapes has the shapes of phonemes in the International Phonetic Alphabet, and of diphthongs in
// the letters that Kokoro's voices have for them.
var englishShapes = func() map[string]string {
	shapes := map[string]string{}
	for shape, phonemes := range map[string]string{
		"a": "ɑaæʌɐIW", "i": "iɪjᵻ", "u": "uʊw", "e": "eɛAəɜᵊɚɝ", "o": "oɔOQɒY",
		closed: "mbpfv", rest: " .,!?;:—…\"()“”",
	} {
		for _, p := range phonemes {
			shapes[string(p)] = shape
		}
	}
	return shapes
}()

// englishShape returns the shape of a phoneme. Marks of stress and consonants go with what follows.
func englishShape(phoneme string) string {
	for _, letter := range phoneme {
		if shape, ok := englishShapes[string(letter)]; ok {
			return shape
		}
	}
	return asNext
}

// Loudness returns a mouth that is open where there is sound, for speech of which nothing better is known.
func Loudness(samples []int16) []api.Viseme {
	const step, quiet = 60, 600 // milliseconds, and of 32768
	mouth := []api.Viseme{}
	for at := 0; at < len(samples); at += Rate * step / 1000 {
		sum := 0.0
		piece := samples[at:min(len(samples), at+Rate*step/1000)]
		for _, x := range piece {
			sum += float64(x) * float64(x)
		}
		shape := rest
		if math.Sqrt(sum/float64(len(piece))) > quiet {
			shape = "a"
		}
		mouth = added(mouth, api.Viseme{MS: at * 1000 / Rate, Shape: shape})
	}
	return mouth
}

// Stretched returns the mouth of a speech that lasts `was` for one that lasts `is`.
func Stretched(mouth []api.Viseme, was, is time.Duration) []api.Viseme {
	out := make([]api.Viseme, 0, len(mouth))
	for _, v := range mouth {
		if was > 0 {
			v.MS = int(math.Round(float64(v.MS) * float64(is) / float64(was)))
		}
		out = added(out, v)
	}
	return out
}
