package nlu

import (
	"strings"
	"unicode/utf8"
)

// BareNumber reads an utterance that is nothing but a number of one digit: 2, ２, 2番. It is 0 for
// any other.
func BareNumber(utterance string) int {
	s := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(utterance), "。"), "番")
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case size == 0 || size != len(s):
		return 0
	case r >= '1' && r <= '9':
		return int(r - '0')
	case r >= '１' && r <= '９':
		return int(r - '１' + 1)
	}
	return 0
}

// LeavesOut reports whether the utterance does not say what it is about. A correction (いや、明日の) does
// not either.
func (u Understanding) LeavesOut() bool {
	if u.Reference.Elliptic {
		return true
	}
	return len(u.Times) > 0 && (u.Intent == Unclear || u.Intent == Deny || u.Intent == Affirm)
}
