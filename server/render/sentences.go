package render

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// maxSentence is how many characters a sentence has at most, so that a voice begins soon and a frame fits
// into a packet.
const maxSentence = 160

// Sentences makes of any text what every reader speaks whole, in the language ("ja" or else English) that
// it is mostly in. Each sentence is one line that ends with its one full stop, question mark or
// exclamation mark; there is no other in it, nor a dot for any other purpose, a bracket that could be a
// tag or a stage direction, markup, an address of the web, a picture or a control character.
func Sentences(text, language string) []string {
	if language = voiceOf(text, language); language != "ja" {
		language = "en"
	}
	text = unmarked(strings.ToValidUTF8(text, ""))
	var out []string
	for line := range strings.Lines(text) {
		line = bullet.ReplaceAllString(line, "")
		line = number.ReplaceAllString(line, "$1, ")
		line = plain(line, language)
		for _, s := range cut(undotted(line, language)) {
			out = append(out, finished(s, language)...)
		}
	}
	return out
}

// voiceOf returns the language in which the text is read: that of the answer, unless it has no letter of it.
func voiceOf(answer, language string) string {
	found := text.Language(answer)
	if language == "en" && found == "ja" && strings.HasSuffix(strings.TrimSpace(answer), "。") {
		return "ja"
	}
	if language == "ja" && found == "en" && !strings.ContainsAny(answer, "、。") || language == "" {
		return found
	}
	return language
}

var (
	link      = regexp.MustCompile(`!?\[([^\[\]\n]*)\]\([^()\n]*\)`)
	address   = regexp.MustCompile(`(?i)(?:(?:https?|ftp)://|mailto:)[^\s、。「」（）()<>\[\]]+|www\.[^\s、。「」（）()<>\[\]]+`)
	htmlTag   = regexp.MustCompile(`</?[A-Za-z][^<>\n]*>`)
	bullet    = regexp.MustCompile(`^\s*(?:(?:[-•‣*+>#]+\s+)+|・\s*)`)
	number    = regexp.MustCompile(`^\s*(\d{1,3})[.)．]\s+`)
	initials  = regexp.MustCompile(`\b(?:[A-Za-z]\.){2,}`)
	shortWord = regexp.MustCompile(`\b(Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|etc|approx|No|Inc|Ltd|Co|` +
		`Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.(\s*[\p{L}\d])`)
	half    = regexp.MustCompile(`(^|[^\d.])(\d{1,3})\.5($|[^\d.]|\.\s|\.$)`)
	crowded = regexp.MustCompile(`\s*,(?:\s*,)+`)
	pauses  = regexp.MustCompile(`、{2,}`)
)

// unmarked takes the markup out of a text.
func unmarked(text string) string {
	if strings.ContainsRune(text, '&') {
		text = html.UnescapeString(text)
	}
	if strings.Contains(text, "](") {
		text = link.ReplaceAllString(text, "$1")
	}
	if strings.ContainsRune(text, '<') {
		text = htmlTag.ReplaceAllString(text, " ")
	}
	if strings.ContainsRune(text, ':') || strings.Contains(text, "www.") {
		text = strings.ReplaceAll(address.ReplaceAllString(text, ""), "://", " ")
	}
	return text
}

// plain replaces every character that a reader takes for something else.
func plain(line, language string) string {
	japanese := language == "ja"
	var b strings.Builder
	for _, r := range line {
		switch r {
		case '[', '［':
			b.WriteString("〔")
		case ']', '］':
			b.WriteString("〕")
		case '(', '{', '（', '｛':
			b.WriteString(either(japanese, "（", ", "))
		case ')', '}', '）', '｝':
			b.WriteString(either(japanese, "）", ", "))
		case '<', '＜':
			b.WriteString("〈")
		case '>', '＞':
			b.WriteString("〉")
		case '|', '｜':
			b.WriteString(either(japanese, "、", ", "))
		case '℃':
			b.WriteString(either(japanese, "度", " degrees"))
		case '．':
			b.WriteByte('.')
		case '｡':
			b.WriteString("。")
		case '*', '`', '#', '\\', '＊', '＃', '~':
		case '_':
			b.WriteByte(' ')
		default:
			b.WriteString(shown(r))
		}
	}
	return b.String()
}

func either(japanese bool, ja, en string) string {
	if japanese {
		return ja
	}
	return en
}

// shown is the character if a voice can read it, a space for any space, and nothing for pictures, marks
// that build them, and what can't be seen.
func shown(r rune) string {
	switch {
	case unicode.IsSpace(r):
		return " "
	case !unicode.IsPrint(r), unicode.In(r, unicode.So, unicode.Sk, unicode.Me, unicode.Variation_Selector):
		return ""
	}
	return string(r)
}

// undotted says dots that end no sentence in words, or leaves them out.
func undotted(line, language string) string {
	if !strings.ContainsAny(line, ".…") {
		return line
	}
	line = initials.ReplaceAllStringFunc(line, spelled)
	line = shortWord.ReplaceAllStringFunc(line, func(m string) string {
		word, rest, _ := strings.Cut(m, ".")
		if word == "No" && !strings.ContainsAny(rest, "0123456789") {
			return m // it is a no
		}
		return cmp.Or(text.LongName(word), longWords[word], word) + rest
	})
	if language == "en" {
		line = half.ReplaceAllString(line, "$1$2 and a half$3")
	}
	return dots(line, language)
}

// longWords are other abbreviations as they are said.
var longWords = map[string]string{"approx": "about", "No": "number"}

// spelled says "a.m." as AM, "U.S." as US and "e.g." in words.
func spelled(m string) string {
	switch strings.ToLower(m) {
	case "e.g.":
		return "for example"
	case "i.e.":
		return "that is"
	case "a.m.", "p.m.":
		return strings.ToUpper(strings.ReplaceAll(m, ".", ""))
	}
	return strings.ReplaceAll(m, ".", "")
}

// dots replaces every dot but one that ends a sentence: after a word and before a space or the end.
func dots(line, language string) string {
	point, dot := " point ", " dot "
	if language == "ja" {
		point, dot = "点", "ドット"
	}
	runes := []rune(line)
	var b strings.Builder
	for i, r := range runes {
		before, after := ' ', ' '
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		switch {
		case r != '.':
			b.WriteRune(r)
		case after == '.' || before == '.': // three dots are a pause
			if before != '.' {
				b.WriteString("…")
			}
		case unicode.IsDigit(before) && unicode.IsDigit(after):
			b.WriteString(point)
		case isWord(before) && isWord(after):
			b.WriteString(dot)
		case after == ' ' || !isWord(after):
			b.WriteByte('.')
		}
	}
	return b.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isEnder(r rune) bool { return strings.ContainsRune("。.!?！？", r) }

func isCloser(r rune) bool { return strings.ContainsRune("」』）〕〉】》”’\"'", r) }

// cut parts a line behind its enders. What closes a quotation stays with what it closes; an ender inside
// one that goes on is left out.
func cut(line string) []string {
	runes := []rune(line)
	var out []string
	var b strings.Builder
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if !isEnder(r) {
			b.WriteRune(r)
			continue
		}
		if quoted(b.String(), runes[i+1:]) {
			continue
		}
		for i+1 < len(runes) && isEnder(runes[i+1]) {
			i++
			r = stronger(r, runes[i])
		}
		closers := i + 1
		for closers < len(runes) && isCloser(runes[closers]) {
			closers++
		}
		if closers > i+1 && strings.TrimSpace(string(runes[closers:])) != "" {
			continue
		}
		b.WriteString(string(runes[i+1 : closers]))
		b.WriteRune(r)
		out = append(out, b.String())
		b.Reset()
		i = closers - 1
	}
	return append(out, b.String())
}

// quoted says whether a quotation is open behind the text, which the rest closes.
func quoted(before string, rest []rune) bool {
	for i, open := range "「『" {
		end := []rune("」』")[i/len("「")]
		at := strings.LastIndex(before, string(open))
		if at >= 0 && !strings.ContainsRune(before[at:], end) && slices.Contains(rest, end) {
			return true
		}
	}
	return false
}

// stronger returns which of two enders in a row stays: the one that asks, else the one that calls.
func stronger(a, b rune) rune {
	for _, r := range "？?！!" {
		if a == r || b == r {
			return r
		}
	}
	return a
}

// finished returns the sentence with its ender, in pieces if it is too long; nothing if there is nothing
// to say in it.
func finished(s, language string) []string {
	stop := either(language == "ja", "。", ".")
	s = crowded.ReplaceAllString(strings.Join(strings.Fields(s), " "), ",")
	s = pauses.ReplaceAllString(strings.ReplaceAll(s, " ,", ","), "、")
	if last, size := utf8.DecodeLastRuneInString(s); size > 0 && isEnder(last) {
		stop, s = string(last), s[:len(s)-size]
	}
	var out []string
	for s != "" {
		piece := s
		if utf8.RuneCountInString(s) > maxSentence {
			piece = head(s)
		}
		s = strings.TrimSpace(s[len(piece):])
		piece = strings.TrimRight(strings.TrimLeft(piece, " 、,;:；：・…。-–—」』）〕〉】》"), " 、,;:；：・…-–—")
		if !strings.ContainsFunc(piece, isWord) {
			continue
		}
		if s != "" {
			out = append(out, piece+either(language == "ja", "。", "."))
		} else {
			out = append(out, piece+stop)
		}
	}
	return out
}

// head returns the beginning of a sentence that is too long: up to its last pause or space, or simply as
// much as there may be.
func head(s string) string {
	end, best, n := 0, 0, 0
	for i, r := range s {
		if n == maxSentence {
			break
		}
		n++
		end = i + utf8.RuneLen(r)
		if n > maxSentence/4 && strings.ContainsRune("、,;； ", r) {
			best = end
		}
	}
	if best > 0 {
		return s[:best]
	}
	return s[:end]
}
