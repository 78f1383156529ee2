package hibari

import (
	"strings"
	"unicode"
)

func isApostrophe(r rune) bool { return r == '\'' || r == '‘' || r == '’' }

// subtokens splits a token further: at a change between letters, digits and marks, and inside a word
// like "WiFi".
func subtokens(text string) (parts []string) {
	runes := []rune(text)
	for at := 0; at < len(runes); {
		n := subtoken(runes, at)
		if n > 0 {
			parts = append(parts, string(runes[at:at+n]))
		}
		at += max(n, 1)
	}
	return parts
}

// subtoken is how long the part at a place is. It is zero for a mark that is no part of anything.
func subtoken(runes []rune, at int) int {
	rest := runes[at:]
	apostrophes := length(rest, isApostrophe)
	switch {
	case apostrophes > 0:
		if at == 0 || apostrophes > 1 || apostrophes == len(rest) {
			return apostrophes
		}
		return 0
	case len(rest) > 2 && isUpper(rest[0]) && isUpper(rest[1]) && isLower(rest[2]):
		return 1
	}
	if n := digitsLength(rest, at == 0); n > 0 {
		return n
	}
	if n := length(rest, func(r rune) bool { return r == '-' || r == '_' }); n > 0 {
		return n
	}
	letters := length(rest, isLetter)
	if letters == 0 {
		return 1
	}
	if n := humped(rest, letters); n > 0 {
		return n
	}
	return contracted(rest, letters)
}

// length is how many runes at the beginning are of a kind.
func length(runes []rune, is func(rune) bool) int {
	for i, r := range runes {
		if !is(r) {
			return i
		}
	}
	return len(runes)
}

// digitsLength is how long a number is, with points and commas between its digits, and perhaps a sign.
func digitsLength(runes []rune, signed bool) int {
	at, end := 0, 0
	if signed && len(runes) > 0 && runes[0] == '-' {
		at = 1
	}
	for at < len(runes) {
		switch {
		case unicode.IsDigit(runes[at]):
			at++
			end = at
		case strings.ContainsRune(",.", runes[at]) && at+1 < len(runes) && unicode.IsDigit(runes[at+1]):
			at++
		default:
			return end
		}
	}
	return end
}

// humped is the length of a part that ends in a small letter before a capital.
func humped(runes []rune, letters int) int {
	for n := range letters + 1 {
		for end := n; end < len(runes); end += 2 {
			if isLower(runes[end]) && end+1 < len(runes) && isUpper(runes[end+1]) {
				return end + 1
			}
			if !isApostrophe(runes[end]) || end+1 >= len(runes) || !isLetter(runes[end+1]) {
				break
			}
		}
	}
	return 0
}

// contracted is the length of a word with what is behind apostrophes.
func contracted(runes []rune, letters int) int {
	end := letters
	for end+1 < len(runes) && isApostrophe(runes[end]) && isLetter(runes[end+1]) {
		end += 2
	}
	return end
}
