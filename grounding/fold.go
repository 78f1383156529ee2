package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A folded text is one in which characters that mean the same are the same, and knows where each byte came from.
type folded struct {
	text string
	// from has the byte of the original for every byte of text, and the original's length at the end.
	from []int32
}

// fold makes full-width Latin half-width, letters lower-case, and dashes, quotes, tildes and spaces of one sort.
func fold(s string) folded {
	var b strings.Builder
	b.Grow(len(s))
	from := make([]int32, 0, len(s)+1)
	for i, r := range s {
		r = foldRune(r)
		if r < 0 {
			continue
		}
		n := b.Len()
		b.WriteRune(r)
		for range b.Len() - n {
			from = append(from, int32(i))
		}
	}
	return folded{text: b.String(), from: append(from, int32(len(s)))}
}

// foldRune is the form in which r is compared, or negative if r has no meaning of its own.
func foldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < 0x80:
		return r
	case r >= 0xFF01 && r <= 0xFF5E && r != 0xFF5E:
		return foldRune(r - 0xFEE0)
	}
	switch r {
	case '‘', '’', 'ʼ':
		return '\''
	case '“', '”':
		return '"'
	case '–', '—', '‒', '‐', '‑', '−', '―':
		return '-'
	case '〜', '～', '∼':
		return '~'
	case '￥':
		return '¥'
	case 0x3000, 0xA0, 0x2009, 0x202F:
		return ' '
	case 'é':
		return 'e'
	case utf8.RuneError, 0xFE0F, 0x200D, 0xAD:
		return -1
	}
	if r >= 0x200B && r <= 0x206F && unicode.Is(unicode.Cf, r) {
		return -1
	}
	return unicode.ToLower(r)
}

// span is where bytes i to j of the folded text stand in the original.
func (f folded) span(i, j int) (start, end int) {
	return int(f.from[i]), int(f.from[min(j, len(f.from)-1)])
}

// blank returns the text with spaces in place of bytes i to j.
func blank(text []byte, i, j int) {
	for ; i < j; i++ {
		text[i] = ' '
	}
}

// A script is what a rune is to the reader.
type script uint8

const (
	other script = iota
	latin
	digit
	hiragana
	katakana
	kanji
)

func scriptOf(r rune) script {
	switch {
	case r >= 'a' && r <= 'z', r >= 0xC0 && r < 0x250 && unicode.IsLetter(r):
		return latin
	case r >= '0' && r <= '9':
		return digit
	case r >= 0x3041 && r <= 0x309F:
		return hiragana
	case r >= 0x30A1 && r <= 0x30FA, r == 'ー', r >= 0xFF66 && r <= 0xFF9F:
		return katakana
	case r >= 0x4E00 && r <= 0x9FFF, r == '々', r >= 0x3400 && r < 0x4DC0:
		return kanji
	case r >= 0x250 && unicode.IsLetter(r):
		return latin // another script: a word that must be in the evidence as it stands
	}
	return other
}
