package corpus

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A kind is what a value is of.
type kind string

// The kinds of values that are compared.
const (
	hours    kind = "hours"
	price    kind = "price"
	phone    kind = "phone number"
	capacity kind = "number of places"
	date     kind = "date"
	duration kind = "duration"
	percent  kind = "percentage"
)

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

const monthNames = `(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)`

// Patterns of values in folded text.
var (
	moneyValue = regexp.MustCompile(`[¥￥]\s?(\d[\d,]*)|(?:(\d+)万)?(\d[\d,]*)?[ -]?(?:円|yen\b|jpy\b)`)
	phoneValue = regexp.MustCompile(`(?:\+81[- ]?|\b0)\d{1,4}[- (]\d{1,4}[- )]\d{3,4}\b`)
	// A number of seats, people or things; "2 or more people" is no number of places.
	placesValue   = regexp.MustCompile(`(\d+)\s?(?:席|(?:seats?|booths?)\b)`)
	percentValue  = regexp.MustCompile(`(\d+)\s?%`)
	durationValue = regexp.MustCompile(`(\d+)[ -]?(分|時間|日間|週間|か月|ヶ月|カ月|年間|minutes?\b|hours?\b|days?\b|weeks?\b|months?\b|years?\b)`)
	dateJA        = regexp.MustCompile(`(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?|(\d{4})年`)
	dateISO       = regexp.MustCompile(`\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b`)
	dateEN        = regexp.MustCompile(`\b` + monthNames +
		`\.?\s(?:(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s(\d{4})\b)?|(\d{4})\b)`)
	yearEN     = regexp.MustCompile(`\b(?:in|since|of) ((?:18|19|20)\d{2})\b`)
	timeValue  = regexp.MustCompile(`(午前|午後|夜の?|夕方の?|朝の?)?(\d{1,2})(?::(\d{2})\s?(a\.?m\b\.?|p\.?m\b\.?)?|時(?:(半)|(\d{1,2})分)?|\s?(a\.?m\b\.?|p\.?m\b\.?|noon\b))|\bnoon\b|正午`)
	shortRange = regexp.MustCompile(`\b(\d{1,2})(?::(\d{2}))?\s?(?:to|-|until)\s?(\d{1,2}(?::\d{2})?)\s?(a\.?m|p\.?m)\b`)
)

// valuesOf returns the values of a kind in a folded text, each written in one way.
func valuesOf(k kind, text string) []string {
	var out []string
	switch k {
	case price:
		for _, m := range moneyValue.FindAllStringSubmatch(text, -1) {
			if amount := 10_000*atoi(m[2]) + atoi(strings.ReplaceAll(m[1]+m[3], ",", "")); m[1]+m[2]+m[3] != "" {
				out = append(out, strconv.Itoa(amount)+" yen")
			}
		}
	case phone:
		for _, m := range phoneValue.FindAllString(text, -1) {
			out = append(out, digits(strings.Replace(m, "+81", "0", 1)))
		}
	case capacity:
		out = numbers(placesValue, text, " places")
	case percent:
		out = numbers(percentValue, text, " %")
	case duration:
		for _, m := range durationValue.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1]+" "+unit(m[2]))
		}
	case date:
		out = datesIn(text)
	case hours:
		for _, t := range timesIn(text) {
			out = append(out, clock(t.minute))
		}
	// these are read from sentences: see [sentenceOf]
	case opening, closing, lastOrder, closedDays, openDays, floor, polarity:
	}
	return out
}

func numbers(pattern *regexp.Regexp, text, unit string) []string {
	var out []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+unit)
	}
	return out
}

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// unit is the English name of a unit of time.
func unit(word string) string {
	for name, words := range map[string]string{
		"minutes": "分 minute minutes", "hours": "時間 hour hours", "days": "日間 day days", "weeks": "週間 week weeks",
		"months": "か月 ヶ月 カ月 month months", "years": "年間 year years",
	} {
		for w := range strings.FieldsSeq(words) {
			if w == word {
				return name
			}
		}
	}
	return word
}

// datesIn returns days, months and years, as 2026-02-23, 2026-02, 2026 or --02-23.
func datesIn(text string) []string {
	var out []string
	for _, m := range dateISO.FindAllStringSubmatch(text, -1) {
		out = append(out, dateName(m[1], atoi(m[2]), m[3]))
	}
	for _, m := range dateJA.FindAllStringSubmatch(text, -1) {
		out = append(out, dateName(m[1]+m[4], atoi(m[2]), m[3]))
	}
	for _, m := range dateEN.FindAllStringSubmatch(text, -1) {
		out = append(out, dateName(m[3]+m[4], months[m[1]], m[2]))
	}
	for _, m := range yearEN.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

func dateName(year string, month int, day string) string {
	name := year
	if name == "" {
		name = "-"
	}
	if month > 0 {
		name += fmt.Sprintf("-%02d", month)
	}
	if day != "" {
		name += fmt.Sprintf("-%02d", atoi(day))
	}
	return name
}

// A moment is a time of the day in a text, from begin until end.
type moment struct{ minute, begin, end int }

// timesIn returns the times of the day in a text, in order.
func timesIn(text string) []moment {
	text = shortRange.ReplaceAllStringFunc(text, fullRange)
	var out []moment
	for _, at := range timeValue.FindAllStringSubmatchIndex(text, -1) {
		if strings.HasPrefix(text[at[1]:], "間") { // 2時間 is no time of the day
			continue
		}
		group := func(n int) string {
			if at[2*n] < 0 {
				return ""
			}
			return text[at[2*n]:at[2*n+1]]
		}
		out = append(out, moment{minuteOf(group), at[0], at[1]})
	}
	return out
}

// fullRange says "1 p.m. to 5 p.m." for "1 to 5 p.m."; the text stays as long, or grows.
func fullRange(text string) string {
	m := shortRange.FindStringSubmatch(text)
	minutes, mark := m[2], m[4]
	if minutes == "" {
		minutes = "00"
	}
	if atoi(m[1])%12 > atoi(strings.Split(m[3], ":")[0])%12 {
		mark = map[byte]string{'a': "p.m", 'p': "a.m"}[mark[0]]
	}
	return fmt.Sprintf("%s:%s %s to %s %s", m[1], minutes, mark, m[3], m[4])
}

func minuteOf(group func(int) string) int {
	hour, minute := atoi(group(2)), atoi(group(3)+group(6))
	mark := group(4) + group(7)
	switch {
	case group(2) == "" || strings.HasPrefix(mark, "noon"):
		return 12 * 60
	case (group(1) == "午後" || strings.HasPrefix(group(1), "夜") || strings.HasPrefix(group(1), "夕方") ||
		strings.HasPrefix(mark, "p")) && hour < 12:
		hour += 12
	case (group(1) == "午前" || strings.HasPrefix(mark, "a")) && hour == 12:
		hour = 0
	}
	if group(5) != "" {
		minute = 30
	}
	return hour*60 + minute
}

func clock(minute int) string { return fmt.Sprintf("%d:%02d", minute/60, minute%60) }

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // the pattern has made sure that these are few digits
	return n
}
