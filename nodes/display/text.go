// Package display shows what answers are made of, in both languages: spans of time, dates and times
// of day, and events of calendars, as they are written, said and put on cards.
//
// Its one idea: what comes from a calendar is text of somebody else's, so that it becomes an
// [Entry] first, which is bounded and safe to show. The package looks nothing up and reads no words
// of visitors.
package display

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/prompts"
)

// Lengths to which text from calendars and documents is cut, in runes.
const (
	MaxTitle       = 120
	MaxPlace       = 120
	maxDescription = 300
	MaxPassage     = 600
	maxURL         = 500
)

// lines is text.OneLine for each line of a text; empty ones go. Limit is for all of them together.
func lines(s string, limit int) string {
	if !strings.Contains(s, "\n") {
		return text.OneLine(s, limit)
	}
	var out []string
	for line := range strings.Lines(s) {
		if line = text.OneLine(line, limit); line != "" {
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

// NoBrackets makes text that an avatar can't take for a tag.
func NoBrackets(s string) string { return bracketReplacer.Replace(s) }

// plain strips the markup that calendars of others put into descriptions: tags of HTML and a few
// entities.
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

// WebAddress returns the address if a browser may be sent there, else "".
func WebAddress(s string) string {
	s = strings.TrimSpace(s)
	secure, open := strings.HasPrefix(s, "https://"), strings.HasPrefix(s, "http://")
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if !secure && !open || len(s) > maxURL || strings.ContainsFunc(s, odd) {
		return ""
	}
	return s
}

// Sentences splits a text at the ends of sentences and lines. Each piece keeps its own full stop.
func Sentences(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		out = append(out, text.Sentences(line)...)
	}
	return out
}

// JoinParts puts two parts of a text together as paragraphs. The first may be empty.
func JoinParts(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n\n" + b
}

// JoinSentences makes a running text of sentences. What has lines of its own, as a list of prices, ends with one.
func JoinSentences(list []string, lang nlu.Language) string {
	var b strings.Builder
	for i, s := range list {
		switch {
		case i == 0:
		case strings.Contains(list[i-1], "\n"):
			b.WriteString("\n\n")
		default:
			b.WriteString(InLang(lang, "", " "))
		}
		b.WriteString(s)
	}
	return b.String()
}

// InLang picks one of two.
func InLang(lang nlu.Language, ja, en string) string {
	if lang == nlu.English {
		return en
	}
	return ja
}

// Phrase is a piece of a sentence, filled in: see [prompts.Phrase].
func Phrase(lang nlu.Language, name string, args ...any) string {
	return prompts.Phrase(name, string(lang), args...)
}

// Suggestions words kinds of suggestions, three at most.
func Suggestions(lang nlu.Language, kinds ...string) []string {
	out := make([]string, 0, len(kinds))
	for _, kind := range kinds[:min(len(kinds), 3)] {
		out = append(out, prompts.Suggestion{Kind: kind}.In(string(lang)))
	}
	return out
}

// Capital begins an English title with a capital letter, as one would write it.
func Capital(title string, lang nlu.Language) string {
	if lang != nlu.English || title == "" || title[0] < 'a' || title[0] > 'z' {
		return title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// Enumerate lists things in a sentence.
func Enumerate(list []string, lang nlu.Language) string {
	if lang == nlu.English {
		return text.Enumerate(list)
	}
	return strings.Join(list, "、")
}
