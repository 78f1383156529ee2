// Package jtalk says how Japanese text sounds: as the full-context labels of HTS, one for each
// phoneme, by the rules of Open JTalk 1.11 and with the dictionary naist-jdic. A voice makes sound
// of them, and a mouth moves by their phonemes.
//
// The one idea: a text becomes the cheapest way through a lattice of words, as MeCab finds it; the
// words get pronunciations, numbers are read, words join to accent phrases, accents move, vowels
// lose their voice; and what is left is a list of morae, which labels describe. Labels are those
// that open_jtalk prints with -ot, on which voices were trained. [Analyzer.Spoken] stands before
// all that, and not in Open JTalk: it writes out what people read in another way than it is
// written.
//
// The package knows nothing of sound, and of no language but Japanese. The dictionary is embedded;
// with the build tag novoice it is not, and [New] says so.
package jtalk

import (
	"fmt"
	"strings"

	"annai/fault"
)

// MaxRunes is how many characters of a text are read; the rest is cut off.
const MaxRunes = 400

// ErrSilent is returned for a text in which there is nothing to be read.
var ErrSilent = fmt.Errorf("nothing in the text can be read aloud: %w", fault.ErrInvalid)

// An Analyzer makes labels. It may be used by several goroutines.
type Analyzer struct {
	dictionary *dictionary
	readings   *readings
}

// New returns an Analyzer that reads names in the way that readings says, before the dictionary is
// asked: a name as it is written and how it is read, in kana. An apostrophe behind a mora of the
// reading marks the accent, as in アカ'リ; one at the very end says that the voice stays high. Without
// one a name in katakana gets the accent that foreign words have, and another one none.
//
// The first call takes a third of a second, for it unpacks the dictionary, which stays in memory.
func New(readings map[string]string) (*Analyzer, error) {
	given, err := parseReadings(readings)
	if err != nil {
		return nil, err
	}
	d, err := loaded()
	if err != nil {
		return nil, err
	}
	return &Analyzer{d, given}, nil
}

// Labels returns the labels of a sentence, the first and the last of which are silence. Control
// characters and what is not UTF-8 are passed over.
func (a *Analyzer) Labels(text string) ([]string, error) {
	return a.labels(a.morphemes(text, a.readings), func(*sentence) {})
}

func (a *Analyzer) morphemes(text string, given ...*readings) []morpheme {
	return a.dictionary.morphemes(normal(cut(text)), given)
}

// labels makes labels of words. When their numbers are read, change may change them.
func (a *Analyzer) labels(words []morpheme, change func(*sentence)) ([]string, error) {
	s := a.dictionary.sentence(words)
	s.pronounce()
	s.readNumbers()
	change(s)
	s.joinPhrases()
	s.moveAccents()
	s.devoice()
	labels := s.utter().labels()
	if labels == nil {
		return nil, ErrSilent
	}
	return labels, nil
}

func cut(text string) string {
	n := 0
	for i := range text {
		if n == MaxRunes {
			return text[:i]
		}
		n++
	}
	return text
}

// Phoneme returns which phoneme a label is of: a vowel, in capitals where it has no voice, a
// consonant such as ky or sh, N, cl for the stop of っ, pau for a pause, sil for the silence before
// and behind.
func Phoneme(label string) string {
	_, rest, _ := strings.Cut(label, "-")
	phoneme, _, _ := strings.Cut(rest, "+")
	return phoneme
}

// errReading says what is wrong with a reading of the operator.
func errReading(name, reading, why string) error {
	return fmt.Errorf("reading %q of %q: %s: %w", reading, name, why, fault.ErrInvalid)
}
