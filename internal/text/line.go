package text

import (
	"strings"
	"unicode"
)

// OneLine makes untrusted text one line of at most limit characters: control and direction
// characters go, any run of space is one space. What is cut ends in "…".
func OneLine(s string, limit int) string {
	if isLine(s, limit) {
		return s
	}
	var b strings.Builder
	n, space, cut := 0, false, 0 // cut is where the text ends if it turns out to be too long
	for _, r := range s {
		if r <= 0x3000 && unicode.IsSpace(r) {
			space = n > 0
			continue
		}
		if unicode.IsControl(r) || IsHidden(r) || r == unicode.ReplacementChar {
			continue
		}
		if space {
			n++
		}
		if n++; n > limit {
			return b.String()[:cut] + "…"
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		if n < limit {
			cut = b.Len()
		}
	}
	return b.String()
}

// isLine reports whether a text is one line of at most limit characters already, as most are.
func isLine(s string, limit int) bool {
	n, before := 0, ' '
	for _, r := range s {
		switch {
		case r > ' ' && r < 0x7F, r > 0x3000 && r < 0xD800: // letters and marks, as nearly all are
		case r == ' ':
			if before == ' ' {
				return false
			}
		case r <= 0x3000 && unicode.IsSpace(r), unicode.IsControl(r), IsHidden(r), r == unicode.ReplacementChar:
			return false
		}
		before = r
		n++
	}
	return n <= limit && (before != ' ' || n == 0)
}

// IsHidden reports whether r cannot be seen but changes how a text is shown, or ends a line. The
// joiner of pictures is not meant.
func IsHidden(r rune) bool {
	const joiner = 0x200D
	if r < 0xAD || r >= 0x3000 && r < 0xD800 { // none there
		return false
	}
	return unicode.Is(unicode.Cf, r) && r != joiner || r == 0x2028 || r == 0x2029
}

// Enumerate lists things in an English sentence: A, B and C. Things that have commas are kept apart
// by semicolons.
func Enumerate(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	separator := ", "
	if strings.Contains(strings.Join(list, ""), ",") {
		separator = "; "
	}
	return strings.Join(list[:len(list)-1], separator) + " and " + list[len(list)-1]
}
