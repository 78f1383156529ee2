package nodes

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
)

// maxSpoken is how many sentences of a passage are spoken.
const maxSpoken = 3

var (
	tagLike   = regexp.MustCompile(`<[/!?|A-Za-z][^<>]*>`)
	address   = regexp.MustCompile(`(?:https?://|www\.)[^\s、。）」]+`)
	clockTime = regexp.MustCompile(`\b([01]?\d|2[0-4]):([0-5]\d)\b(?:\s*\(\d{1,2}(?::\d\d)?\s*[ap]\.?m\.?\)|\s*[AaPp]\.?[Mm]\.?)?`)
	dayMark   = regexp.MustCompile(`\(([日月火水木金土])\)( ?)`)
	enWeekday = regexp.MustCompile(`\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),`)
	enMonth   = regexp.MustCompile(`\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d)`)
	dottedAM  = regexp.MustCompile(`\b([ap])\.m\.`)
)

var angles = strings.NewReplacer("<", " ", ">", " ")

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
	if strings.ContainsAny(s, "<>") { // a voice takes tags for orders
		s = angles.Replace(tagLike.ReplaceAllString(s, " "))
	}
	if strings.Contains(s, "://") || strings.Contains(s, "www.") {
		s = address.ReplaceAllString(s, "")
	}
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

func spokenTimes(s string, lang nlu.Language) string {
	if lang == nlu.English {
		if strings.Contains(s, ", ") {
			s = enWeekday.ReplaceAllStringFunc(s, func(m string) string { return text.LongName(m[:3]) + "," })
			s = enMonth.ReplaceAllStringFunc(s, func(m string) string { return text.LongName(m[:3]) + m[3:] })
		}
		s = englishDashes.Replace(s)
		if strings.Contains(s, ":") {
			s = clockTime.ReplaceAllStringFunc(s, englishClock)
		}
		if strings.Contains(s, ".m.") {
			s = dottedAM.ReplaceAllStringFunc(s, func(m string) string { return strings.ToUpper(m[:1]) + "M" })
		}
		return s
	}
	if strings.Contains(s, "(") {
		s = strings.ReplaceAll(dayMark.ReplaceAllString(s, "、${1}曜日$2"), "曜日 ", "曜日の")
	}
	s = japaneseDashes.Replace(s)
	if strings.Contains(s, ":") {
		s = clockTime.ReplaceAllStringFunc(s, func(m string) string { return display.ClockJapanese(atoiPair(m)) })
	}
	return s
}

var (
	englishDashes  = strings.NewReplacer(" – ", " to ", "–", " to ", "〜", " to ")
	japaneseDashes = strings.NewReplacer("〜", "から", "–", "から")
)

// englishClock says a time of day; one that says which half of the day it is already stays as it is.
func englishClock(m string) string {
	hour, minute := atoiPair(m)
	half := strings.ToUpper(strings.NewReplacer(" ", "", ".", "").Replace(m[strings.IndexByte(m, ':')+3:]))
	if half == "AM" || half == "PM" {
		if minute == 0 {
			return fmt.Sprintf("%d %s", hour, half)
		}
		return fmt.Sprintf("%d:%02d %s", hour, minute, half)
	}
	return display.ClockEnglish(hour, minute)
}

func atoiPair(clock string) (hour, minute int) {
	h, m, _ := strings.Cut(clock, ":")
	hour, _ = strconv.Atoi(h)
	minute, _ = strconv.Atoi(m[:2])
	return hour, minute
}
