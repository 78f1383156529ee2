package datetime

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text as runes in lower case and NFKC, each with the byte offset it came from.
type folded struct {
	runes []rune
	at    []int
}

// fold normalises rune by rune, so that every offset refers to the text as given.
func fold(text string) folded {
	f := folded{runes: make([]rune, 0, len(text)+1), at: make([]int, 0, len(text)+1)}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		f.add(r, text[i:i+size], i)
		i += size
	}
	f.at = append(f.at, len(text))
	return f
}

func (f *folded) add(r rune, raw string, at int) {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		} else if r < ' ' {
			r = ' '
		}
		f.push(r, at)
	case isJapanese(r):
		f.push(r, at)
	case r == '’' || r == '‘':
		f.push('\'', at)
	case r == utf8.RuneError || unicode.Is(unicode.Cf, r):
		f.push(' ', at)
	default:
		var buf [32]byte
		for _, n := range string(norm.NFKC.AppendString(buf[:0], raw)) {
			f.push(unicode.ToLower(n), at)
		}
	}
}

func (f *folded) push(r rune, at int) {
	f.runes = append(f.runes, r)
	f.at = append(f.at, at)
}

func (f *folded) rune(i int) rune {
	if i < 0 || i >= len(f.runes) {
		return 0
	}
	return f.runes[i]
}

// end is the byte offset at which the rune before i ends.
func (f *folded) end(i int) int {
	for i < len(f.runes) && i > 0 && f.at[i] == f.at[i-1] {
		i++
	}
	return f.at[i]
}

func isDigit(r rune) bool    { return '0' <= r && r <= '9' }
func isLetter(r rune) bool   { return 'a' <= r && r <= 'z' || r >= 0xC0 && r < 0x250 }
func isHiragana(r rune) bool { return 0x3041 <= r && r <= 0x3096 }
func isKanji(r rune) bool    { return 0x4E00 <= r && r <= 0x9FFF }
func isJapanese(r rune) bool { return 0x3041 <= r && r <= 0x30FE || 0x4E00 <= r && r <= 0x9FFF }
