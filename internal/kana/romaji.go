package kana

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/romaji.txt
var romajiFile string

// An alphabet is how kana are written with Latin letters.
type alphabet struct {
	kana    map[string]string // by Latin letters
	letters map[string]string // by kana
}

// How long the longest of each are.
const (
	maxKana    = 2 // runes
	maxLetters = 4
)

var romaji = sync.OnceValue(func() alphabet {
	a := alphabet{kana: map[string]string{}, letters: map[string]string{}}
	for line := range strings.Lines(romajiFile) {
		letters, kana, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || letters == "#" {
			continue
		}
		a.kana[letters] = kana
		if a.letters[kana] == "" {
			a.letters[kana] = letters
		}
	}
	return a
})

// Romaji writes hiragana with Latin letters, so that [FromRomaji] has them back. What is no kana is
// left out.
func Romaji(hiragana string) string {
	var b strings.Builder
	runes := []rune(hiragana)
	for i := 0; i < len(runes); {
		if runes[i] == 'ん' {
			b.WriteByte('n')
			i++
			if next, _ := lettersOf(runes[i:]); next != "" && strings.ContainsRune("aiueoy", rune(next[0])) {
				b.WriteByte('\'')
			}
			continue
		}
		if next, _ := lettersOf(runes[i+1:]); runes[i] == 'っ' && next != "" && doubles(next[0]) {
			b.WriteByte(next[0])
			i++
			continue
		}
		letters, n := lettersOf(runes[i:])
		b.WriteString(letters)
		i += n
	}
	return b.String()
}

// doubles reports whether a letter is written twice for a small tsu before it. N is not: that is
// the syllabic n.
func doubles(letter byte) bool { return !strings.ContainsRune("aiueoyxn-", rune(letter)) }

// lettersOf is how the first kana is written, and how many runes it has.
func lettersOf(runes []rune) (letters string, n int) {
	for n = min(maxKana, len(runes)); n > 0; n-- {
		if letters = romaji().letters[string(runes[:n])]; letters != "" {
			return letters, n
		}
	}
	return "", 1
}

// FromRomaji writes Latin letters as hiragana, if all of them can be read so.
func FromRomaji(letters string) (hiragana string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(letters); {
		if kana, n := firstKana(letters[i:]); n > 0 {
			b.WriteString(kana)
			i += n
			continue
		}
		switch rest := letters[i:]; {
		case rest[0] == 'n', rest[0] == 'm' && len(rest) > 1 && strings.ContainsRune("bpm", rune(rest[1])):
			b.WriteRune('ん')
			i++
			if i < len(letters) && letters[i] == '\'' {
				i++
			}
		case len(rest) > 1 && (rest[0] == rest[1] || rest[0] == 't' && rest[1] == 'c') && doubles(rest[0]):
			b.WriteRune('っ')
			i++
		default:
			return "", false
		}
	}
	return b.String(), true
}

// firstKana is the kana that the longest possible beginning is written for, and how long that is.
func firstKana(letters string) (kana string, n int) {
	for n = min(maxLetters, len(letters)); n > 0; n-- {
		if kana = romaji().kana[letters[:n]]; kana != "" {
			return kana, n
		}
	}
	return "", 0
}
