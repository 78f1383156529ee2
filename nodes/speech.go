package nodes

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/tools/date"
)

// maxSpoken is how many sentences of a passage are spoken.
const maxSpoken = 3

// spoken makes a written sentence one that a voice reads well: no markup, no addresses, no
// pictures, times and days as they are said.
func spoken(s string, lang nlu.Language) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "- ")
	if s, colon := strings.CutSuffix(s, "："); colon {
		return spoken(s+"。", lang)
	}
	if s, colon := strings.CutSuffix(s, ":"); colon {
		return spoken(s+".", lang)
	}
	s = withoutAddresses(withoutTags(s))
	s = display.NoBrackets(strings.Map(unspoken, s))
	if strings.ContainsAny(s, "0123456789") {
		s = spokenTimes(s, lang)
	}
	return strings.Join(strings.Fields(s), " ")
}

// unspoken drops what a voice stumbles over: marks of Markdown and pictures.
func unspoken(r rune) rune {
	switch {
	case r == '_':
		return ' '
	case r == '*' || r == '`' || r == '#' || r == 0x200D || r >= 0xFE00 && r <= 0xFE0F:
		return -1
	case r == '：':
		return '、'
	case unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > 0xFF:
		return -1
	}
	return r
}

// withoutTags leaves out what looks like markup, which a voice takes for orders.
func withoutTags(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(strings.ReplaceAll(before, ">", " "))
		if !ok {
			return b.String()
		}
		b.WriteByte(' ')
		end := strings.IndexAny(rest, "<>")
		if s = rest; end > 0 && rest[end] == '>' && (strings.IndexByte("/!?|", rest[0]) >= 0 || isLetter(rest[0])) {
			s = rest[end+1:]
		}
	}
}

// withoutAddresses leaves out addresses of pages.
func withoutAddresses(s string) string {
	for _, begins := range [...]string{"https://", "http://", "www."} {
		before, rest, ok := strings.Cut(s, begins)
		for ; ok; before, rest, ok = strings.Cut(s, begins) {
			after := strings.TrimLeftFunc(rest, inAddress)
			if after == rest {
				break
			}
			s = before + after
		}
	}
	return s
}

// inAddress reports whether a character may stand in the address of a page.
func inAddress(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune("、。）」", r) }

// spokenTimes writes days and times as they are said.
func spokenTimes(s string, lang nlu.Language) string {
	if lang != nlu.English {
		return spokenClocks(japaneseDays.Replace(s), func(hour, minute int, _ string) string {
			return display.ClockJapanese(hour, minute)
		})
	}
	return halves.Replace(spokenClocks(englishDashes.Replace(longNames(s)), englishClock))
}

var (
	halves        = strings.NewReplacer(" a.m.", " AM", " p.m.", " PM")
	englishDashes = strings.NewReplacer(" – ", " to ", "–", " to ", "〜", " to ")
	japaneseDays  = func() *strings.Replacer {
		to := display.Phrase(nlu.Japanese, "from_to", "", "")
		pairs := []string{"〜", to, "–", to}
		for day := time.Sunday; day <= time.Saturday; day++ {
			short, name := "("+date.WeekdayShort(day, "ja")+")", "、"+date.WeekdayName(day, "ja")
			pairs = append(pairs, short+" ", name+words.Of, short, name)
		}
		return strings.NewReplacer(pairs...)
	}()
)

// longNames writes out the weekday before a comma and the month before a day: Sun, Nov 22.
func longNames(s string) string {
	var b strings.Builder
	for s != "" {
		n := 0
		for n < len(s) && inWord(s[n]) {
			n++
		}
		word, rest := s[:n], s[n:]
		long := text.LongName(word)
		isDay := strings.HasSuffix(long, "day") && strings.HasPrefix(rest, ",")
		isMonth := !strings.HasSuffix(long, "day") && len(rest) > 1 && rest[0] == ' ' && isDigit(rest[1])
		if long != "" && (isDay || isMonth) {
			word = long
		}
		_, size := utf8.DecodeRuneInString(rest)
		b.WriteString(word + rest[:size])
		s = rest[size:]
	}
	return b.String()
}

// spokenClocks says the times of day in a text, with the half of the day that stands behind.
func spokenClocks(s string, say func(hour, minute int, half string) string) string {
	var b strings.Builder
	done := 0
	for i := range s {
		hour, minute, from, ok := clockAround(s, i)
		if !ok || from < done {
			continue
		}
		half, n := halfOfDay(s[i+3:])
		b.WriteString(s[done:from] + say(hour, minute, half))
		done = i + 3 + n
	}
	return b.String() + s[done:]
}

// clockAround reads the time of day around a colon, and where it begins.
func clockAround(s string, colon int) (hour, minute, from int, ok bool) {
	for from = colon; from > 0 && isDigit(s[from-1]); from-- {
	}
	if s[colon] != ':' || colon+3 > len(s) || from > 0 && inWord(s[from-1]) || colon+3 < len(s) && inWord(s[colon+3]) {
		return 0, 0, 0, false
	}
	hour, bad := strconv.Atoi(s[from:colon])
	minute, worse := strconv.Atoi(s[colon+1 : colon+3])
	return hour, minute, from, bad == nil && worse == nil && hour <= 24 && minute < 60 && colon-from <= 2
}

// halfOfDay reads AM or PM at the beginning of a text, and how long it is with the blanks before. In
// brackets it is that of another way to write the time, and is cut.
func halfOfDay(s string) (half string, length int) {
	word := strings.TrimLeft(s, " ")
	blanks := len(s) - len(word)
	if inside, ok := strings.CutPrefix(word, "("); ok {
		inside, _, ok = strings.Cut(inside, ")")
		clock := strings.ToUpper(unpointed.Replace(inside))
		before, am := strings.CutSuffix(clock, "AM")
		before, pm := strings.CutSuffix(before, "PM")
		if ok && am != pm && before != "" && strings.Trim(before, "0123456789:") == "" {
			return "", blanks + len(inside) + len("()")
		}
		return "", 0
	}
	for n := min(len(word), len("p.m.")); n >= len("pm"); n-- {
		half = strings.ToUpper(strings.ReplaceAll(word[:n], ".", ""))
		if (half == "AM" || half == "PM") && (n == len(word) || !inWord(word[n])) {
			return half, blanks + n
		}
	}
	return "", 0
}

var unpointed = strings.NewReplacer(" ", "", ".", "")

// inWord reports whether a byte is part of a word or of a number.
func inWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// englishClock says a time of day; one that says which half of the day it is already stays as it is.
func englishClock(hour, minute int, half string) string {
	switch {
	case half == "":
		return display.ClockEnglish(hour, minute)
	case minute == 0:
		return fmt.Sprintf("%d %s", hour, half)
	}
	return fmt.Sprintf("%d:%02d %s", hour, minute, half)
}
