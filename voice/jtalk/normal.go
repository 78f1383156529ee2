package jtalk

import "strings"

// wideMarks are the ASCII characters that have another wide form than the one at the same place of
// the wide block.
var wideMarks = map[rune]rune{
	' ': '　', '"': '”', '\'': '’', '-': '−', '\\': '￥', '`': '‘', '~': '〜',
}

// The narrow katakana from U+FF61, and what they are when a mark for voice follows.
const (
	firstNarrow = '｡'
	narrow      = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
	unvoiced    = "ｳｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾊﾋﾌﾍﾎ"
	voiced      = "ヴガギグゲゴザジズゼゾダヂヅデドバビブベボ"
	halfVoiced  = "パピプペポ"
)

var narrowKana = []rune(narrow)

// normal writes a text as the dictionary does, in wide characters. Control characters are left out.
func normal(text string) string {
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case wideMarks[r] != 0:
			b.WriteRune(wideMarks[r])
		case r < ' ' || r == 0x7f || r == '\ufffd':
		case r < 0x7f:
			b.WriteRune(r + 'Ａ' - 'A')
		case r == 'ﾞ' || r == 'ﾟ':
		case r >= firstNarrow && int(r-firstNarrow) < len(narrowKana):
			wide, used := ofNarrow(runes[i:])
			b.WriteRune(wide)
			i += used - 1
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ofNarrow returns the wide katakana of a narrow one and of the mark that may follow it.
func ofNarrow(runes []rune) (wide rune, used int) {
	if len(runes) > 1 {
		at := len([]rune(unvoiced[:max(0, strings.IndexRune(unvoiced, runes[0]))]))
		known := strings.ContainsRune(unvoiced, runes[0])
		half := at - (len([]rune(voiced)) - len([]rune(halfVoiced)))
		switch {
		case known && runes[1] == 'ﾞ':
			return []rune(voiced)[at], 2
		case known && runes[1] == 'ﾟ' && half >= 0:
			return []rune(halfVoiced)[half], 2
		}
	}
	return narrowKana[runes[0]-firstNarrow], 1
}
