package kana

import (
	"strings"
	"unicode/utf8"
)

const (
	// shortestMended is how many morae a word has at least for which a homophone is taken: shorter ones have too many.
	shortestMended = 5
	// longestMended is how many tokens one is made of at most.
	longestMended = 8
)

// A Lexicon has words that are likely said, and mends texts in which a recogniser wrote them with other characters
// that sound the same (中車場 is 駐車場), or katakana with one consonant misheard (クリンター is プリンター). It may be shared.
type Lexicon struct {
	words   map[string]string // how they are written, by how they sound
	written map[string]bool
	// slips are runs of katakana by how they sound but for one consonant; see addSlips.
	slips map[string]slip
}

// NewLexicon makes a lexicon of words as they are written, each with its reading in kana; where that is empty it is
// that of the dictionary. Words that are short or end in hiragana, as verbs do, are left out, and of two that sound
// the same, both.
func NewLexicon(words map[string]string) *Lexicon {
	l := &Lexicon{words: map[string]string{}, written: map[string]bool{}, slips: map[string]slip{}}
	for word, reading := range words {
		l.addSlips(word)
		if reading == "" {
			reading = strings.ReplaceAll(Of(word), " ", "")
		}
		l.written[word] = true
		sound, morae := soundOf(toHiragana(reading))
		if morae < shortestMended || endsInHiragana(word) {
			continue
		}
		if other, ok := l.words[sound]; ok && other != word {
			word = "" // either may be meant
		}
		l.words[sound] = word
	}
	return l
}

// Mend returns the text with the words of the lexicon in place of what sounds just like them and is no word: pieces
// that the dictionary does not know together, such as 開関時間 or 会館時間; and with their katakana in place of katakana
// that nobody knows and that is one consonant away. A word of the dictionary stays, whatever it sounds like.
func (l *Lexicon) Mend(text string) string {
	all := tokens(text)
	var out strings.Builder
	var runes []rune
	done := 0
	for i := 0; i < len(all); {
		end, word := l.misheard(all, i)
		if meant := l.meant(all[i]); end == i && meant != "" {
			end, word = i+1, meant
		}
		if end == i {
			i++
			continue
		}
		if runes == nil {
			runes = []rune(composed(text))
		}
		last := all[end-1]
		out.WriteString(string(runes[done:all[i].at]) + word)
		done = last.at + utf8.RuneCountInString(last.text)
		i = end
	}
	if done == 0 {
		return text
	}
	return out.String() + string(runes[done:])
}

// misheard returns the word that the tokens from start on sound like, the longest, and where they end; start where
// they are none.
func (l *Lexicon) misheard(all []token, start int) (end int, word string) {
	if start > 0 && all[start].glued && all[start-1].single() {
		return start, ""
	}
	text, reading := "", ""
	end = start
	for i := start; i < len(all) && i < start+longestMended; i++ {
		t := all[i]
		if i > start && !t.glued || t.script == latin {
			break
		}
		text, reading = text+t.text, reading+t.reading
		goesOn := i+1 < len(all) && all[i+1].glued && all[i+1].single()
		if goesOn || i == start && t.script != katakana || endsInHiragana(t.text) {
			continue
		}
		sound, _ := soundOf(reading)
		if meant := l.words[sound]; meant != "" && !l.written[text] {
			end, word = i+1, meant
		}
	}
	return end, word
}

// soundOf is a reading as it sounds: long vowels are alike however they are written, and so are じ and ぢ.
func soundOf(reading string) (sound string, n int) {
	all, _ := morae([]rune(reading))
	b := make([]byte, 0, 3*len(all))
	for _, m := range all {
		glide := byte(' ')
		if m.glide {
			glide = 'y'
		}
		if m.weak && m.row == noRow {
			m.vowel, glide = 'L', ' '
		}
		b = append(b, m.row, m.vowel, glide)
	}
	return string(b), len(all)
}

func endsInHiragana(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	return scriptOf(last) == hiragana
}
