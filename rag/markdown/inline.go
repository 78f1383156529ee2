package markdown

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

var (
	codeSpan  = regexp.MustCompile("`+([^`]+)`+")
	image     = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	link      = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
	reference = regexp.MustCompile(`\[([^\]]+)\]\[[^\]]*\]`)
	autolink  = regexp.MustCompile(`<((?:https?://|mailto:)[^>\s]+)>`)
	lineBreak = regexp.MustCompile(`(?i)<br\s*/?>`)
	tag       = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
	strong    = regexp.MustCompile(`(\*\*|__|~~)(\S(?:.*?\S)?)(\*\*|__|~~)`)
	starred   = regexp.MustCompile(`\*(\S(?:[^*]*?\S)?)\*`)
	scored    = regexp.MustCompile(`(^|[^\p{L}\p{N}_])_([^_\s](?:[^_]*?[^_\s])?)_($|[^\p{L}\p{N}_])`)
	escaped   = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
	spaces    = regexp.MustCompile(`\s+`)
)

// inline removes the marks within a line that are only there for the eye. What stands in code and after a backslash is
// kept as it is.
func inline(text string) string {
	var kept []string
	keep := func(s string) string {
		kept = append(kept, s)
		return string(rune(keptFirst + len(kept) - 1))
	}
	text = strings.Map(func(r rune) rune {
		if r >= keptFirst && r <= keptLast || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	if strings.Count(text, "`")+strings.Count(text, `\`)+strings.Count(text, "<") < keptLast-keptFirst {
		text = codeSpan.ReplaceAllStringFunc(text, func(m string) string { return keep(strings.Trim(m, "` ")) })
		text = escaped.ReplaceAllStringFunc(text, func(m string) string { return keep(m[1:]) })
		text = autolink.ReplaceAllStringFunc(text,
			func(m string) string { return keep(strings.TrimPrefix(m[1:len(m)-1], "mailto:")) })
	}
	text = image.ReplaceAllString(text, "$1")
	text = link.ReplaceAllString(text, "$1")
	text = reference.ReplaceAllString(text, "$1")
	text = lineBreak.ReplaceAllString(text, " ")
	text = tag.ReplaceAllString(text, "")
	text = strong.ReplaceAllString(text, "$2")
	text = starred.ReplaceAllString(text, "$1")
	text = scored.ReplaceAllString(text, "$1$2$3")
	text = html.UnescapeString(text)
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	for i, s := range kept {
		text = strings.Replace(text, string(rune(keptFirst+i)), s, 1)
	}
	return strings.TrimSpace(spaces.ReplaceAllString(text, " "))
}

// Characters of Unicode's private area hold the places of what is kept.
const (
	keptFirst = 0xE000
	keptLast  = 0xF8FF
)

// join puts two pieces of text one after the other.
func join(a, b string) string { return a + gap(a, b) + b }

// gap is what stands between two pieces of text: a space, except beside Japanese characters.
func gap(a, b string) string {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	if a == "" || b == "" || text.IsWide(last) || text.IsWide(first) {
		return ""
	}
	return " "
}

// finish ends a sentence that has no end.
func finish(text, lang string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case isEnd(last) || strings.ContainsRune("」』)）:：", last):
		return text
	case lang == "ja":
		return text + "。"
	default:
		return text + "."
	}
}
