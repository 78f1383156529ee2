package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold makes different ways to write the same look the same: width, case, composed characters.
func Fold(s string) string {
	if !norm.NFKC.IsNormalString(s) {
		s = norm.NFKC.String(s)
	}
	return strings.ToLower(s)
}

// FoldRune is the form in which a character is compared that stays one character: half-width Latin
// in lower case, and dashes, quotes, tildes and spaces of one sort. It is negative for characters
// that cannot be seen.
func FoldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	case r >= '！' && r <= '｝':
		return FoldRune(r - '！' + '!')
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
	case 0x3000, 0xA0, 0x2009, 0x202F: // ideographic, no-break, thin and narrow no-break space
		return ' '
	case 'é':
		return 'e'
	case utf8.RuneError, 0xFE0F, 0x200D, 0xAD: // variation selector, joiner, soft hyphen
		return -1
	}
	if r >= 0x200B && r <= 0x206F && unicode.Is(unicode.Cf, r) {
		return -1
	}
	return unicode.ToLower(r)
}

// Compose makes one character of a letter and the marks after it (Unicode NFC), as faces have them.
func Compose(s string) string { return norm.NFC.String(s) }
