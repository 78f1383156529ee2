package flyer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// place is where the event is.
func (p page) place() Field {
	for i, l := range p.lines {
		if l.role == rolePlace && l.value != "" {
			return Field{p.withAddress(i, l.value), Source{l.no, ByLabel}}
		}
	}
	best, score := Field{}, 0
	last := p.lastMoment()
	for i, l := range p.lines {
		value, n := l.site()
		if n == 0 {
			continue
		}
		if i >= last && last >= 0 { // places stand at or below the date
			n += 2
		}
		if n > score {
			best, score = Field{value, Source{l.no, ByWords}}, n
		}
	}
	if score < leastSite {
		return Field{}
	}
	return best
}

// leastSite is how much must speak for a place that no label says.
const leastSite = 2

// lastMoment is the first line with a time of the event; -1 for none.
func (p page) lastMoment() int {
	for i, l := range p.lines {
		if len(l.times) > 0 && l.role.cue() == "" && l.cueOf(0) != cueDeadline {
			return i
		}
	}
	return -1
}

// withAddress is a place with the address on the line below, if one is there.
func (p page) withAddress(i int, place string) string {
	if i+1 < len(p.lines) {
		if next := p.lines[i+1]; next.role == "" && strings.HasPrefix(next.text, "〒") {
			return text.OneLine(place+" "+next.text, maxPlace)
		}
	}
	return text.OneLine(place, maxPlace)
}

// site is the place that a line without a label names, and how much speaks for it: 0 for none.
func (l line) site() (value string, score int) {
	if l.role != "" {
		return "", 0
	}
	rest := l.text
	if n := len(l.times); n > 0 { // 12月6日(日)10時 @市民ホール
		if l.cueOf(n-1) == cueDeadline {
			return "", 0
		}
		rest = strings.TrimFunc(l.text[l.times[n-1].End:], between)
	}
	value, at := placeMark(rest)
	switch {
	case value == "", isSentence(value), len(l.times) > 0 && !at && len(value) < len(l.text)/4:
		return "", 0
	case at:
		score++
	}
	for _, part := range strings.FieldsFunc(value, partsPlace) {
		if isSite(part) || isAddress(part) {
			score += 2
		}
	}
	if at && score == 1 && !startsUpper(value) {
		return "", 0
	}
	if at {
		score++
	}
	return text.OneLine(value, maxPlace), score
}

// placeMark takes a word off that says that a place follows: at, @, 於.
func placeMark(s string) (value string, marked bool) {
	if rest, ok := atJA.begins(s); ok {
		return rest, true
	}
	return atEN.begins(s)
}

// partsPlace parts the pieces of a place's name.
func partsPlace(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",、，()（）/／「」", r)
}

// isSite reports whether a piece of a name is that of a place: it begins or ends with a word for one.
func isSite(part string) bool {
	folded := strings.Trim(fold(part), ".")
	if text.HasJapanese(folded) {
		return sitesJA.around(strings.TrimRight(folded, "前内横隣"+digitsAndLetters))
	}
	return sitesEN.around(folded)
}

// isAddress reports whether a piece of a line is a Japanese address: a city or a ward, and a number behind it.
func isAddress(part string) bool {
	at := strings.LastIndexAny(part, "市区町村郡")
	return at > 0 && strings.ContainsFunc(part[at:], unicode.IsDigit)
}

// digitsAndLetters may stand behind the name of a room: 会議室A.
const digitsAndLetters = "0123456789abcdefghijklmnopqrstuvwxyz"

// isSentence reports whether words say something and do not only name it.
func isSentence(s string) bool {
	if strings.HasSuffix(s, ".") && len(strings.Fields(s)) > 4 || utf8.RuneCountInString(s) > maxPlace/3 {
		return true
	}
	if !text.HasJapanese(s) {
		return len(strings.Fields(s)) > maxNameWords
	}
	for _, ending := range []string{"。", "で", "に", "へ", "ます", "です", "ください", "！"} {
		if strings.HasSuffix(s, ending) {
			return true
		}
	}
	return false
}

// maxNameWords is how many words the name of a place has at most.
const maxNameWords = 10

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || text.IsJapanese(r) || unicode.IsDigit(r)
}

func between(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",、，/／|｜・-)）", r)
}
