package datetime

import "strings"

// A shape is a way to write a date: what each of its parts is, by the letters of [dateParts].
type shape string

// The parts of a date.
const (
	yearPart = iota
	monthPart
	dayPart
)

// dateParts are what a number of a date may be, with how many digits.
var dateParts = map[byte]struct {
	of          int
	least, most int
	is          func(n int) bool
}{
	'Y': {yearPart, 4, 4, isYear},
	'y': {yearPart, 2, 2, isShortYear},
	'p': {yearPart, 2, 2, isNoDay},
	'm': {monthPart, 1, 2, isMonth},
	'M': {monthPart, 2, 2, isMonth},
	'n': {monthPart, 0, 0, isMonth}, // a name
	'd': {dayPart, 1, 2, isDom},
	'D': {dayPart, 2, 2, isDom},
}

// shapes are the ways to write a date with some separators, the likelier of two first.
var shapes = [...]struct {
	separators string
	japanese   bool // only in Japanese
	shapes     []shape
}{
	{separators: "/", japanese: true, shapes: []shape{"ymD"}},
	{separators: "-/.", shapes: []shape{"Ymd", "mdY", "dmY"}},
	{separators: "-/", shapes: []shape{"mY"}},
	{separators: "-", shapes: []shape{"mdp"}},
	{separators: "-.", shapes: []shape{"YM"}},
	{separators: "/", shapes: []shape{"mdy", "dmy", "Ym", "md", "dm"}},
	{separators: "-/", shapes: []shape{"Yn", "nY", "nd", "dn", "Ynd", "nYd", "ndY", "ndy", "Ydn", "dYn", "dnY", "dny"}},
}

// dateInNumbers reads numbers with separators between them as a date. The name of a month is a
// number of no digits.
func dateInNumbers(num, digits []int, seps []byte, japanese bool) (token, bool) {
	if len(seps) == 0 || len(seps) > 2 || len(seps) == 2 && seps[1] != seps[0] && seps[1] != ',' {
		return token{}, false
	}
	for i := range shapes {
		row := &shapes[i]
		if row.japanese && !japanese || strings.IndexByte(row.separators, seps[0]) < 0 {
			continue
		}
		for _, shape := range row.shapes {
			if t, ok := shape.read(num, digits); ok {
				return t, true
			}
		}
	}
	return token{}, false
}

// read makes the token of a date in the shape.
func (s shape) read(num, digits []int) (token, bool) {
	if len(s) != len(num) {
		return token{}, false
	}
	var date [3]int
	for k, n := range num {
		part := dateParts[s[k]]
		if digits[k] < part.least || digits[k] > part.most || !part.is(n) {
			return token{}, false
		}
		if part.of == yearPart && digits[k] == 2 {
			n = fullYear(n)
		}
		date[part.of] = n
	}
	t := token{class: cYMD, a: date[yearPart], b: date[monthPart], c: date[dayPart]}
	switch {
	case s == "md" || s == "dm":
		t = token{class: cMD, a: num[0], b: num[1], n: eitherOrder}
	case t.c == 0:
		t.class = cYM
	case t.a == 0:
		t = token{class: cMD, a: t.b, b: t.c}
	case (s == "mdY" || s == "mdy") && isMonth(t.c):
		t.n = eitherOrder
	}
	return t, true
}

func isShortYear(n int) bool { return n < 100 }

// isNoDay reports whether two digits at the end are those of a year: house numbers are smaller and
// not padded.
func isNoDay(n int) bool { return n < 10 || n > 31 }

// inCalendar reports whether a number may be a year where the words say that it is one.
func inCalendar(n int) bool { return 1000 <= n && n < 3000 }

func isYear(n int) bool  { return 1900 <= n && n <= 2199 }
func isMonth(n int) bool { return 1 <= n && n <= 12 }
func isDom(n int) bool   { return 1 <= n && n <= 31 }

// fullYear reads a year of two digits as 1950..2049.
func fullYear(n int) int {
	if n < 50 {
		return 2000 + n
	}
	return 1900 + n
}
