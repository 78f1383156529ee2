package nodes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// Lengths to which text from calendars and documents is cut, in runes.
const (
	maxTitle       = 120
	maxPlace       = 120
	maxDescription = 300
	maxPassage     = 600
	maxURL         = 500
)

// oneLine makes untrusted text one line of at most limit characters: see [text.OneLine].
func oneLine(s string, limit int) string { return text.OneLine(s, limit) }

// lines is oneLine for each line of a text; empty ones go. Limit is for all of them together.
func lines(s string, limit int) string {
	var out []string
	for line := range strings.Lines(s) {
		if line = oneLine(line, limit); line != "" {
			out = append(out, line)
			limit -= utf8.RuneCountInString(line)
		}
		if limit <= 0 {
			break
		}
	}
	return strings.Join(out, "\n")
}

var bracketReplacer = strings.NewReplacer("[", "〔", "]", "〕", "［", "〔", "］", "〕")

// noBrackets makes text that an avatar can't take for a tag.
func noBrackets(s string) string { return bracketReplacer.Replace(s) }

// plain strips the markup that calendars of others put into descriptions: tags of HTML and a few entities.
func plain(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	var b strings.Builder
	for s != "" {
		start := strings.IndexByte(s, '<')
		if start < 0 || start+1 == len(s) || !isTagStart(s[start+1]) {
			b.WriteString(s[:start+1])
			s = s[start+1:]
			if start < 0 {
				b.WriteString(s)
				break
			}
			continue
		}
		b.WriteString(s[:start])
		end := strings.IndexByte(s[start:], '>')
		if end < 0 {
			break
		}
		b.WriteByte(' ')
		s = s[start+end+1:]
	}
	return entities.Replace(b.String())
}

func isTagStart(c byte) bool {
	return c == '/' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&nbsp;", " ")

// webAddress returns the address if a browser may be sent there, else "".
func webAddress(s string) string {
	s = strings.TrimSpace(s)
	secure, open := strings.HasPrefix(s, "https://"), strings.HasPrefix(s, "http://")
	if !secure && !open || len(s) > maxURL || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return ""
	}
	return s
}
