// Package hibari speaks English: it says how a text is pronounced, how long and how high each of its
// phonemes is, and makes sound of that, all with the weights and lexicons that it carries.
//
// The voice is "heart" of hibari-tts, a network of 6 million weights whose bytes are multiplied by
// [annai/internal/matrix]; the pronunciation follows the same rules as there, with some for what a kiosk
// says and for Japanese names in Latin letters. A text is always spoken alike. A second of sound takes some
// 0.025 s of a processor, or 0.14 without AVX2. It knows no Japanese letters.
package hibari

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/fault"
	"annai/internal/tensorfile"
)

// A Mark says when a phoneme is heard, to 25 ms. Phonemes are single letters of the International
// Phonetic Alphabet, and as in Kokoro and misaki A is the vowel of "face", I of "price", O of "goat",
// W of "mouth" and Y of "choice", T is the t of "water", ʤ and ʧ are one each, and ᵊ and ᵻ are weak vowels.
type Mark struct {
	Phoneme    string
	Start, End int // milliseconds
}

// stepMillis is how long a step of two frames lasts.
const stepMillis = 2 * hop * 1000 / Rate

// A Voice speaks. It never changes: any number of goroutines may use it.
type Voice struct {
	network     *network
	synthesizer *synthesizer
	reader      *reader
	ids         map[rune]int
}

// New reads the voice. It is [fault.ErrUnavailable] in a program built with the tag novoice.
func New() (*Voice, error) {
	f, header, err := open()
	if err != nil {
		return nil, fmt.Errorf("voice for English: %w", err)
	}
	v := &Voice{network: newNetwork(f), synthesizer: newSynthesizer(), ids: map[rune]int{}}
	for i, r := range []rune(header.Phonemes) {
		v.ids[r] = header.IDs[i]
	}
	speller := newSpeller(f, header)
	if f.Err != nil {
		return nil, f.Err
	}
	if v.reader, err = newReader(speller); err != nil {
		return nil, fmt.Errorf("voice for English: %w", err)
	}
	return v, nil
}

// longestSpeech is how many phonemes are spoken at most: some minute.
const longestSpeech = 1000

// Synthesize speaks a text: samples between -1 and 1, [Rate] of them a second, and when each phoneme
// is heard. A text that is longer than 400 letters or long to say, that has Japanese letters, or in
// which there is nothing to say is [fault.ErrInvalid].
func (v *Voice) Synthesize(ctx context.Context, text string) (pcm []float32, rate int, marks []Mark, err error) {
	text = strings.ToValidUTF8(text, " ")
	if err := checked(text); err != nil {
		return nil, 0, nil, err
	}
	var list []string
	count := 0
	for _, sentence := range v.reader.sentences(text) {
		if phonemes := v.reader.read(spoken(sentence)); strings.ContainsFunc(phonemes, isSound) {
			list = append(list, chunks(phonemes)...)
			count += utf8.RuneCountInString(phonemes)
		}
	}
	switch {
	case count == 0:
		return nil, 0, nil, fmt.Errorf("there is nothing to say in the text: %w", fault.ErrInvalid)
	case count > longestSpeech:
		return nil, 0, nil, fmt.Errorf("the text is longer than can be spoken at once: %w", fault.ErrInvalid)
	}
	for _, phonemes := range list {
		sound, heard, err := v.speak(ctx, phonemes, len(pcm)*1000/Rate)
		if err != nil {
			return nil, 0, nil, err
		}
		pcm, marks = append(pcm, sound...), append(marks, heard...)
	}
	return pcm, Rate, marks, nil
}

// speak speaks phonemes. The marks begin at start.
func (v *Voice) speak(ctx context.Context, phonemes string, start int) ([]float32, []Mark, error) {
	ids := v.idsOf(phonemes)
	p, err := v.network.speak(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	frames, err := v.network.frames(ctx, ids, p)
	if err != nil {
		return nil, nil, err
	}
	sound, err := v.synthesizer.sound(ctx, v.network, frames, p.pitch, hiss)
	for i, s := range sound {
		sound[i] = max(-1, min(s, 1))
	}
	return sound, v.marks(phonemes, p.steps, start), err
}

// marks says when phonemes are heard. A mark of stress belongs to what follows, one of length to what
// is before it; pauses are silent.
func (v *Voice) marks(phonemes string, steps []int, start int) (marks []Mark) {
	i := 1
	end := start + steps[0]*stepMillis
	begin := end
	for _, r := range phonemes {
		if _, ok := v.ids[r]; !ok {
			continue
		}
		end += steps[i] * stepMillis
		i++
		switch {
		case isStress(r):
			continue
		case r == 'ː' && len(marks) > 0:
			marks[len(marks)-1].End = end
		case isSound(r):
			marks = append(marks, Mark{string(r), begin, end})
		}
		begin = end
	}
	return marks
}

// isSound says whether a phoneme is heard: marks of stress and length, which are letters too, are not.
func isSound(r rune) bool { return unicode.IsLetter(r) && !isStress(r) && r != 'ː' }

func isStress(r rune) bool { return r == 'ˈ' || r == 'ˌ' }

// A header is what the file of weights says besides its tensors.
type header struct {
	Phonemes string `json:"phonemes"`
	IDs      []int  `json:"ids"`
	Letters  string `json:"letters"`
	Spoken   string `json:"spoken"`
}

func (h *header) check() error {
	if len([]rune(h.Phonemes)) != len(h.IDs) {
		return fmt.Errorf("voice for English has ids for %d phonemes of %d: %w",
			len(h.IDs), len([]rune(h.Phonemes)), fault.ErrInvalid)
	}
	return nil
}

// open reads the file of weights.
func open() (*tensorfile.File, *header, error) {
	weights, err := read("hibari.bin.gz")
	if err != nil {
		return nil, nil, err
	}
	h := &header{}
	f, err := tensorfile.Open("English voice", "HIBARI01", weights, h, h.check)
	return f, h, err
}

// read returns an embedded file.
func read(name string) (string, error) {
	file, err := data.ReadFile("data/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("this program was built without voices: %w", fault.ErrUnavailable)
	}
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return string(file), err
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return "", fmt.Errorf("%s: %w: %w", name, fault.ErrInvalid, err)
	}
	var text strings.Builder
	text.Grow(int(binary.LittleEndian.Uint32(file[len(file)-4:]))) // where such a file says how long it was
	if _, err := io.Copy(&text, z); err != nil {
		return "", fmt.Errorf("%s: %w: %w", name, fault.ErrInvalid, err)
	}
	return text.String(), nil
}

// idsOf returns what the network knows phonemes by, with a pause at both ends. Those that it
// doesn't know are left out.
func (v *Voice) idsOf(phonemes string) []int {
	ids := []int{0}
	for _, r := range phonemes {
		if id, ok := v.ids[r]; ok {
			ids = append(ids, id)
		}
	}
	return append(ids, 0)
}
