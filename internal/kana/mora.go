package kana

import (
	"strings"
	"sync"
)

// A mora is one beat of what is heard.
type mora struct {
	row   byte // its consonant, by the row of the kana; 0 is none
	vowel byte // 0 is the syllabic n
	// glide says that the consonant is not the plain one of its row: きゃ, ふぁ, てぃ.
	glide bool
	// weak says that it lengthens what is before it or doubles the consonant behind it, which is
	// easily missed.
	weak bool
}

// The rows that are no Latin letter.
const (
	noRow    = 0
	doubled  = 'Q' // small tsu
	syllabic = 'N'
	numeral  = '#'
)

// sounds are the morae of all kana, by how they are written.
var sounds = sync.OnceValue(func() map[string]mora {
	m := map[string]mora{"ん": {row: syllabic}, "っ": {row: doubled, weak: true}}
	for kana, letters := range romaji().letters {
		if _, ok := m[kana]; ok || kana == "ー" {
			continue
		}
		m[kana] = moraOf(strings.ReplaceAll(letters, "'", ""), strings.Contains(letters, "'"))
	}
	return m
})

// moraOf is the mora of a kana by the letters of its row, without what only English ears tell
// apart: じ and ぢ, お and を.
func moraOf(letters string, foreign bool) mora {
	consonant, vowel := letters[:len(letters)-1], letters[len(letters)-1]
	m := mora{vowel: vowel, glide: foreign}
	switch consonant {
	case "":
	case "sh":
		m.row, m.glide = 's', vowel != 'i'
	case "ch", "ty":
		m.row, m.glide = 't', vowel != 'i'
	case "ts":
		m.row, m.glide = 't', vowel != 'u'
	case "j", "dy":
		m.row, m.glide = 'z', vowel != 'i'
	case "f":
		m.row, m.glide = 'h', vowel != 'u'
	case "v":
		m.row, m.glide = 'b', vowel != 'u'
	case "d":
		m.row = 'd'
		if !foreign && (vowel == 'i' || vowel == 'u') {
			m.row = 'z'
		}
	case "x", "xy", "xw", "xts":
		m.weak = true
	case "w":
		m.row = 'w'
		if vowel == 'o' && !foreign {
			m.row = noRow
		}
	default:
		m.row = consonant[0]
		m.glide = m.glide || len(consonant) > 1
	}
	return m
}

// morae are those of hiragana. What is neither kana nor a digit is left out. Where is the place of
// each in runes.
func morae(runes []rune) (out []mora, where []int) {
	for i := 0; i < len(runes); {
		m, n := moraAt(runes, i)
		switch {
		case runes[i] == 'ー' && len(out) > 0 && out[len(out)-1].vowel != 0:
			m = mora{vowel: longVowel(out[len(out)-1].vowel), weak: true}
		case m == (mora{}):
			i += n
			continue
		case m.row == noRow && !m.glide && len(out) > 0:
			before := out[len(out)-1].vowel
			m.weak = m.weak || m.vowel == before || m.vowel == longVowel(before)
		}
		out, where = append(out, m), append(where, i)
		i += n
	}
	return out, where
}

func moraAt(runes []rune, i int) (m mora, n int) {
	if '0' <= runes[i] && runes[i] <= '9' {
		return mora{row: numeral, vowel: byte(runes[i])}, 1
	}
	for n = min(maxKana, len(runes)-i); n > 0; n-- {
		if m, ok := sounds()[string(runes[i:i+n])]; ok {
			return m, n
		}
	}
	return mora{}, 1
}

// longVowel is the kana that a long vowel is written with.
func longVowel(vowel byte) byte {
	switch vowel {
	case 'o':
		return 'u'
	case 'e':
		return 'i'
	default:
		return vowel
	}
}

// What it costs, in hundredths, to hear one mora for another, or one too many or too few.
const (
	oneMora   = 100
	weakMora  = 20
	nasal     = 50
	voicing   = 25
	gliding   = 25
	particle  = 25 // は and わ, へ and え
	rowAlone  = 70
	vowelSame = 80
)

func (m mora) missing() int {
	switch {
	case m.weak:
		return weakMora
	case m.row == syllabic:
		return nasal
	default:
		return oneMora
	}
}

// against is what it costs to hear m for o.
func (m mora) against(o mora) int {
	cost := 0
	if m.glide != o.glide {
		cost = gliding
	}
	switch {
	case m.row == o.row && m.vowel == o.vowel:
		return cost
	case m.row == numeral || o.row == numeral:
		return oneMora
	case m.vowel != o.vowel && m.row == o.row:
		return min(oneMora, cost+rowAlone)
	case m.vowel != o.vowel || m.vowel == 0:
		return oneMora
	case plain(m.row) == plain(o.row):
		return cost + voicing
	case m.vowel == 'a' && pair(m.row, o.row, 'h', 'w'), m.vowel == 'e' && pair(m.row, o.row, 'h', noRow):
		return cost + particle
	default:
		return min(oneMora, cost+vowelSame)
	}
}

func pair(a, b, x, y byte) bool { return a == x && b == y || a == y && b == x }

// plain is the row of which a voiced one is written with marks.
func plain(row byte) byte {
	switch row {
	case 'g':
		return 'k'
	case 'z':
		return 's'
	case 'd':
		return 't'
	case 'b', 'p':
		return 'h'
	default:
		return row
	}
}
