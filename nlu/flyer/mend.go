package flyer

import (
	"strconv"
	"strings"
	"unicode"

	"annai/internal/text"
)

// mend writes what flyers have ways of their own for, and what machines read in place of it, as
// everybody writes it: blanks, the wave between two times (10時て15時), and dates with a dot (12.6(日)).
func mend(s string) string {
	s = strings.NewReplacer("　", " ", "\t", " ", "\r", "", "→", wave, "⇒", wave).Replace(s)
	s = waved(dates(hours(s)))
	for at := 0; at < len(s); at++ {
		if dot, ok := dottedDate(s, at); ok {
			s = s[:dot] + "/" + s[dot+1:]
		}
	}
	return strings.TrimSpace(s)
}

// wave stands between the two ends of a time.
const wave = "～"

// likeWave are what machines read in its place.
const likeWave = "てつ一ーへ"

// waved puts a wave between two times where something like it was read, or nothing at all: 10時16時.
func waved(s string) string {
	runes := []rune(s)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case i == 0 || i+1 == len(runes):
		case strings.ContainsRune(likeWave, r) && endsTime(runes[i-1]) && beginsTime(runes[i+1]):
			b.WriteString(wave)
			continue
		case runes[i-1] == '時' && unicode.IsDigit(r) && hourFollows(runes[i:]):
			b.WriteString(wave)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// hours writes the digits of times before am and pm that were read as letters: llam is 11am.
func hours(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		half := max(strings.Index(fold(w), "am"), strings.Index(fold(w), "pm"))
		if half < 1 || half > len("00:00") || strings.Trim(w[:half], likeDigits+"0123456789:.") != "" {
			continue
		}
		words[i] = strings.NewReplacer("l", "1", "I", "1", "|", "1", "O", "0", "o", "0").Replace(w[:half]) + w[half:]
	}
	return strings.Join(words, " ")
}

// dates writes the characters for month and day that were read as ones that look like them: 1朋17目.
func dates(s string) string {
	runes := []rune(s)
	digit := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsDigit(runes[i]) }
	inMonth := false
	for i, r := range runes {
		switch {
		case digit(i):
			continue
		case strings.ContainsRune(likeMonth, r) && digit(i-1) && digit(i+1):
			runes[i], inMonth = '月', true
			continue
		case inMonth && strings.ContainsRune(likeDay, r) && digit(i-1):
			runes[i] = '日'
		}
		inMonth = r == '月'
	}
	return string(runes)
}

// Characters that machines read in place of 月 and 日.
const (
	likeMonth = "朋肩冃"
	likeDay   = "目曰口"
)

// likeDigits are letters that machines read in place of 1 and 0.
const likeDigits = "lI|Oo"

func endsTime(r rune) bool   { return unicode.IsDigit(r) || strings.ContainsRune("時分日)）", r) }
func beginsTime(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("午正", r) }

// hourFollows reports whether a text begins with an hour: digits, and 時.
func hourFollows(runes []rune) bool {
	i := 0
	for i < len(runes) && unicode.IsDigit(runes[i]) {
		i++
	}
	return i < len(runes) && runes[i] == '時'
}

// dottedDate reports whether the month and the day of a date begin at a byte, with a dot between them and
// the day of the week behind them; dot is where that stands.
func dottedDate(s string, at int) (dot int, ok bool) {
	if at > 0 && (isDigit(s[at-1]) || s[at-1] == '.') || !isDigit(s[at]) {
		return 0, false
	}
	month, rest := number(s[at:])
	if month < 1 || month > 12 || !strings.HasPrefix(rest, ".") {
		return 0, false
	}
	dot = len(s) - len(rest)
	day, rest := number(rest[1:])
	if day < 1 || day > 31 {
		return 0, false
	}
	rest = strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '（' })
	return dot, isWeekday(fold(rest))
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// number is the number that a text begins with, of one or two digits; 0 for none.
func number(s string) (n int, rest string) {
	end := 0
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	if end == 0 || end > 2 {
		return 0, s
	}
	n, _ = strconv.Atoi(s[:end])
	return n, s[end:]
}

// isWeekday reports whether a folded text begins with a day of the week.
func isWeekday(folded string) bool {
	if _, ok := text.Weekday(firstRune(folded)); ok {
		return true
	}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		if strings.HasPrefix(folded, day) {
			return true
		}
	}
	return false
}
