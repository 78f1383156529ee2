package jtalk

// How the packed dictionary writes pronunciations: a katakana is one byte, the last one of its code
// point.
const (
	codedUnvoiced = 0xff // ’ after a mora whose vowel is not voiced
	codedColon    = 0x05 // : between the words of a compound
)

func decodedKana(code byte) rune {
	switch code {
	case codedUnvoiced:
		return '’'
	case codedColon:
		return ':'
	}
	return 0x3000 + rune(code)
}

// small has the kana that make no mora of their own, by their codes.
var small = func() (set [256]bool) {
	for _, r := range "ャュョァィゥェォヮ" {
		set[byte(r)] = true
	}
	set[codedUnvoiced], set[codedColon] = true, true
	return set
}()

// codedMoras counts as the command generate does, which names the exceptions.
func codedMoras(coded []byte) uint8 {
	n := uint8(0)
	for _, code := range coded {
		if !small[code] {
			n++
		}
	}
	return n
}
