package kana

import "strings"

// A slip is a run of katakana by how it sounds but for one consonant, and that consonant.
type slip struct {
	word string
	row  byte
}

// addSlips remembers the runs of katakana in a word, by how they sound with any one consonant left open.
func (l *Lexicon) addSlips(word string) {
	for _, t := range tokens(word) {
		sound, morae := soundOf(t.reading)
		if t.script != katakana || morae < shortestMended {
			continue
		}
		l.written[t.text] = true
		for open, row := range withOneOpen(sound) {
			if other, ok := l.slips[open]; ok && other.word != t.text {
				l.slips[open] = slip{} // either may be meant
				continue
			}
			l.slips[open] = slip{t.text, row}
		}
	}
}

// meant returns the katakana that was meant by katakana which is no word, and differs from it by one consonant that is
// easily taken for the other: クリンター is プリンター. Empty: there is none. What the dictionary knows is a word, whatever it
// sounds like.
func (l *Lexicon) meant(t token) string {
	if t.script != katakana || l.written[t.text] {
		return ""
	}
	sound, morae := soundOf(t.reading)
	if morae < shortestMended {
		return ""
	}
	word := ""
	for open, row := range withOneOpen(sound) {
		found := l.slips[open]
		if found.word == "" || found.word == word || !confused(row, found.row) {
			continue
		}
		if word != "" {
			return ""
		}
		word = found.word
	}
	if word == "" || strings.Contains(readings().lines, "\t"+Romaji(t.reading)+"\n") {
		return ""
	}
	return word
}

// alike are consonants that recognisers take for each other, besides those that differ by their voice.
var alike = []string{"ktp", "gdb", "zd", "mn", "rd", "rn"}

func confused(a, b byte) bool {
	if plain(a) == plain(b) {
		return true
	}
	for _, rows := range alike {
		if strings.IndexByte(rows, a) >= 0 && strings.IndexByte(rows, b) >= 0 {
			return true
		}
	}
	return false
}

// withOneOpen yields a sound of [soundOf] as often as it has consonants, each time with another one left open, and that
// one.
func withOneOpen(sound string) func(yield func(open string, row byte) bool) {
	const size = 3 // row, vowel, glide
	return func(yield func(string, byte) bool) {
		for at := 0; at+size <= len(sound); at += size {
			row, vowel := sound[at], sound[at+1]
			if row == noRow || row == doubled || row == syllabic || row == numeral {
				continue
			}
			if !yield(sound[:at]+"?"+string(vowel)+"?"+sound[at+size:], row) {
				return
			}
		}
	}
}
