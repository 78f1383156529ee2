// Package hibari speaks English: it says how a text is pronounced, how long and how high each of its
// phonemes is, and makes sound of that, all with the weights and lexicons that it carries.
//
// The voice is "heart" of hibari-tts, a network of 6 million weights whose bytes are multiplied by
// [annai/internal/matrix]; the pronunciation follows the same rules as there. A text is always spoken alike.
// It knows no Japanese: names have to be in Latin letters.
package hibari

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"annai/fault"
	"annai/internal/tensorfile"
)

// A Mark says when a phoneme is heard.
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
		return nil, fmt.Errorf("English voice: %w", err)
	}
	v := &Voice{network: newNetwork(f), synthesizer: newSynthesizer(), ids: map[rune]int{}}
	for i, r := range []rune(header.Phonemes) {
		v.ids[r] = header.IDs[i]
	}
	speller := newSpeller(f, header)
	if f.Err != nil {
		return nil, f.Err
	}
	v.reader, err = newReader(speller)
	return v, err
}

// A header is what the file of weights says besides its tensors.
type header struct {
	Phonemes string `json:"phonemes"`
	IDs      []int  `json:"ids"`
	Letters  string `json:"letters"`
	Spoken   string `json:"spoken"`
}

func (h *header) check() error {
	if len([]rune(h.Phonemes)) != len(h.IDs) {
		return fmt.Errorf("English voice has ids for %d phonemes of %d: %w",
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
	f, err := data.Open("data/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("this program was built without voices: %w", fault.ErrUnavailable)
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	if !strings.HasSuffix(name, ".gz") {
		_, err = io.Copy(&text, f)
		return text.String(), err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w: %w", name, fault.ErrInvalid, err)
	}
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
