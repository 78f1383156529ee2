package datetime

import (
	"slices"
	"strings"
)

// digits reads a run of digits with what is written between them (2025-01-15, 14:30, 080-1234-5678)
// and decides as a whole what it is. What is no date, time or small number becomes a word, so that
// no rule sees a part of it.
func (s *scanner) digits(i int) int {
	var c chain
	end := c.read(s.runes, i)
	if s.inWord(i) || isCurrency(s.lastRune(i)) {
		return s.emit(token{class: cWord}, i, end)
	}
	if s.goesOnAsWord(end) {
		return s.emit(token{class: cWord}, i, s.plainWord(end+1))
	}
	if c.n <= maxChain {
		if next, ok := s.interpret(&c, i, end); ok {
			return next
		}
	}
	return s.emit(token{class: cWord}, i, s.plainWord(end))
}

// goesOnAsWord reports whether what stands behind a number at i makes another thing of it: 5%, 20°,
// 3+1.
func (s *scanner) goesOnAsWord(i int) bool {
	switch r := s.rune(i); r {
	case '%', '°', '_':
		return true
	case '+', '/':
		return s.rune(i+1) != ' '
	default:
		return isCurrency(r)
	}
}

// inWord reports whether the digits at i continue what stands before them, as in v.3 and covid-19.
func (s *scanner) inWord(i int) bool {
	before := s.rune(i - 1)
	if s.gap || before != '.' && before != '-' {
		return false
	}
	return (before == '.' || isLetter(s.rune(i-2))) && !s.afterMonth() && !s.afterPoint()
}

// lastRune is the last before i that is no blank.
func (s *scanner) lastRune(i int) rune {
	for i--; s.rune(i) == ' '; {
		i--
	}
	return s.rune(i)
}

// afterPoint reports whether what stands before is an hour or a day that ends in letters, as in
// 1pm-2pm and 4th-7th.
func (s *scanner) afterPoint() bool {
	before := s.last(2)
	return before.class == cAmPm || before.class == cOrdinal || before.class == cUnit && before.a == unitHour
}

// afterMonth reports whether what stands before is a named month, as in Oct-2 and Oct.23.
func (s *scanner) afterMonth() bool {
	return s.last(1).class == cMonth || s.last(1).class == cDash && s.last(2).class == cMonth
}

// plainWord runs on over letters and digits.
func (s *scanner) plainWord(i int) int {
	i = min(i, len(s.runes))
	for s.inLatinWord(i) {
		i++
	}
	return i
}

func isCurrency(r rune) bool {
	switch r {
	case '$', '¥', '€', '£', '¢':
		return true
	}
	return false
}

// maxChain is how many numbers a chain may have.
const maxChain = 8

// chain is numbers and the separators between them.
type chain struct {
	num, digits [maxChain]int
	at          [maxChain + 1]int // where each number starts; after the last, where it ends
	sep         [maxChain]byte    // sep[k] stands between number k and k+1
	n           int
}

// read takes numbers joined by a single separator each and returns where the chain ends.
func (c *chain) read(runes []rune, i int) int {
	for {
		v, k := 0, i
		for k < len(runes) && isDigit(runes[k]) {
			v = min(v*10+int(runes[k]-'0'), 1<<40)
			k++
		}
		if c.n < maxChain {
			c.num[c.n], c.digits[c.n], c.at[c.n], c.at[c.n+1] = v, k-i, i, k
		}
		c.n++
		if k+1 >= len(runes) || !isDigit(runes[k+1]) || separator(runes[k]) == 0 {
			return k
		}
		if c.n <= maxChain {
			c.sep[c.n-1] = separator(runes[k])
		}
		i = k + 1
	}
}

// separator is one of the ways in which a separator of numbers is written, 0 for anything else.
func separator(r rune) byte {
	switch r {
	case '-', '/', '.', ':', ',', 't', '~':
		return byte(r)
	case '〜', '–', '—':
		return '~'
	case '‐', '−':
		return '-'
	case '\u2044':
		return '/'
	}
	return 0
}

// interpret emits the tokens of a chain: one, or two around a dash, or a date and its clock time.
func (s *scanner) interpret(c *chain, i, end int) (int, bool) {
	t, ok := c.single(0, c.n, s.japanese)
	if t.class == cClock && t.a > 24 && !s.japanese { // only in Japan is it a quarter past 25
		return 0, false
	}
	if ok && (t.class != cYM || c.sep[0] != '.' || s.last(1).class != cPlace) {
		return s.finish(t, c, i, end)
	}
	for k := 1; k < c.n; k++ {
		left, okLeft := c.single(0, k, s.japanese)
		right, okRight := c.single(k, c.n, s.japanese)
		if !okLeft || !okRight || !joins(left, right, c.sep[k-1]) {
			continue
		}
		s.emit(left, i, c.at[k]-1)
		if c.sep[k-1] != 't' && (left.class != cYMD || right.class != cClock) {
			s.emit(token{class: cDash}, c.at[k]-1, c.at[k])
		}
		return s.finish(right, c, c.at[k], end)
	}
	return 0, false
}

// joinable are the readings that may stand on either side of some separators.
var joinable = [...]struct {
	left, right class
	separators  string
}{
	{cYMD, cClock, "t-~"},
	{cYMD, cYMD, "/-~"},
	{cClock, cYMD, "/"},
	{cYM, cYM, "-~"},
	{cMD, cMD, "-~"},
	{cClock, cClock, "-~"},
	{cNum, cNum, "-~"},
	{cNum, cClock, "-~"},
	{cYMD, cMD, "-~"},
	{cMD, cYMD, "-~"},
	{cMD, cNum, "-~"},
	{cClock, cNum, "-~"},
}

// joins reports whether two readings may stand on either side of a separator.
func joins(left, right token, sep byte) bool {
	for _, j := range &joinable {
		if j.left == left.class && j.right == right.class && strings.IndexByte(j.separators, sep) >= 0 {
			short := right.class != cNum || right.b <= 2 && (left.class != cNum || left.b <= 2)
			return short || left.class == cNum && left.b == 4 && right.b == 4
		}
	}
	return false
}

// finish emits the last token of a chain unless letters that mean nothing here are glued to it (3D,
// 2F, v1).
func (s *scanner) finish(t token, c *chain, i, end int) (int, bool) {
	if !isLetter(s.rune(end)) || c.n > 1 && s.rune(end) == 'z' {
		next := s.emit(t, i, end)
		if c.n == 1 && s.dotBeforeMonth(end) { // 16. Nov. 2016
			next++
		}
		return next, true
	}
	known, after := s.lookupGlued(end)
	switch {
	case after == end || known.class == cOrdinal && t.class != cNum:
		return 0, false
	case known.class == cOrdinal:
		return s.emit(token{class: cOrdinal, a: t.a, b: inDigits}, i, after), true
	case known.n == glued: // a word only here
		s.emit(t, i, end)
		return s.emit(known, end, after), true
	}
	return s.emit(t, i, end), true
}

// dotBeforeMonth reports whether a full stop, a blank and the name of a month follow.
func (s *scanner) dotBeforeMonth(i int) bool {
	if s.rune(i) != '.' || s.rune(i+1) != ' ' {
		return false
	}
	_, end := s.monthName(i + 2)
	return end > i+2
}

// letterWords are the single letters that may follow a number.
var letterWords = map[rune]token{
	'a': {class: cAmPm, a: halfAM, b: weakWord, n: glued},
	'p': {class: cAmPm, a: halfPM, b: weakWord, n: glued},
	's': {class: cUnit, a: unitSecond, b: lengthOnly | weakWord, n: glued},
	'm': {class: cUnit, a: unitMinute, b: lengthOnly | weakWord, n: glued},
	'd': {class: cUnit, a: unitDay, b: lengthOnly | weakWord, n: glued},
	'w': {class: cUnit, a: unitWeek, b: lengthOnly | weakWord, n: glued},
	'y': {class: cUnit, a: unitYear, b: lengthOnly | weakWord, n: glued},
}

// lookupGlued finds a word that may follow a digit without a space.
func (s *scanner) lookupGlued(i int) (token, int) {
	for _, ending := range [...]string{"st", "nd", "rd", "th"} {
		if s.has(i, ending) && !s.inLatinWord(i+2) {
			return token{class: cOrdinal}, i + 2
		}
	}
	found, end := s.longest(i, func(it *item, end int) bool { return !isLetter(s.rune(end)) && gluable(it.token) })
	if t, ok := letterWords[s.runes[i]]; ok && end <= i+1 && !s.inLatinWord(i+1) {
		return t, i + 1
	}
	return found, end
}

func gluable(t token) bool {
	return slices.Contains([]class{cAmPm, cMonth, cUnit, cSub, cApprox}, t.class) || t.class == cWord && t.a == measure
}

// single reads numbers from..to of the chain as one token.
func (c *chain) single(from, to int, japanese bool) (token, bool) {
	num, digits, seps := c.num[from:to], c.digits[from:to], c.sep[from:to-1]
	switch string(seps) {
	case "":
		if date := num[0]; digits[0] == 8 && c.n == 1 {
			num, digits, seps = []int{date / 10000, date / 100 % 100, date % 100}, []int{4, 2, 2}, []byte("--")
			break
		}
		return token{class: cNum, a: num[0], b: digits[0]}, digits[0] <= 4
	case ":":
		return clockToken(num[0], num[1], 0, digits[0]), digits[1] == 2 && digits[0] <= 2 && num[0] <= 30 && num[1] < 60
	case "::", "::.":
		ok := digits[0] <= 2 && num[0] <= 30 && num[1] < 60 && num[2] < 60
		return clockToken(num[0], num[1], num[2], digits[0]), ok
	case ".":
		if digits[0] <= 3 && digits[1] <= 3 {
			milli := num[1] * [...]int{0, 100, 10, 1}[digits[1]]
			return token{class: cNum, a: num[0], b: -digits[1], c: milli}, true
		}
	}
	return dateInNumbers(num, digits, seps, japanese)
}

// clockToken is a time on the clock; digits is how many the hour is written with.
func clockToken(hour, minute, second, digits int) token {
	t := token{class: cClock, a: hour, b: minute, c: second}
	if digits == 2 && hour < 10 {
		t.n = 1
	}
	return t
}
