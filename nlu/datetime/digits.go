package datetime

// digits reads a run of digits with what is written between them (2025-01-15, 14:30, 080-1234-5678) and decides as a
// whole what it is. What is no date, time or small number becomes a word, so that no rule sees a part of it.
func (s *scanner) digits(i int) int {
	var c chain
	end := c.read(s.runes, i)
	if s.inWord(i) || isCurrency(s.lastRune(i)) {
		return s.emit(token{class: cWord}, i, end)
	}
	if r := s.rune(end); r == '%' || r == '°' || isCurrency(r) || r == '_' || r == '+' && s.rune(end+1) != ' ' || r == '/' && s.rune(end+1) != ' ' {
		return s.emit(token{class: cWord}, i, s.plainWord(end+1))
	}
	if c.n <= 8 {
		if next, ok := s.interpret(&c, i, end); ok {
			return next
		}
	}
	return s.emit(token{class: cWord}, i, s.plainWord(end))
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

// afterPoint reports whether what stands before is an hour or a day that ends in letters, as in 1pm-2pm and 4th-7th.
func (s *scanner) afterPoint() bool {
	n := len(s.tokens)
	if n < 2 || s.tokens[n-1].class != cDash {
		return false
	}
	before := s.tokens[n-2]
	return before.class == cAmPm || before.class == cOrdinal || before.class == cUnit && before.a == unitHour
}

// afterMonth reports whether what stands before is a named month, as in Oct-2 and Oct.23.
func (s *scanner) afterMonth() bool {
	n := len(s.tokens)
	return n > 0 && s.tokens[n-1].class == cMonth || n > 1 && s.tokens[n-1].class == cDash && s.tokens[n-2].class == cMonth
}

// plainWord runs on over letters and digits.
func (s *scanner) plainWord(i int) int {
	i = min(i, len(s.runes))
	for isLetter(s.rune(i)) || isDigit(s.rune(i)) {
		i++
	}
	return i
}

func isCurrency(r rune) bool { return r == '$' || r == '¥' || r == '€' || r == '£' || r == '¢' }

// chain is up to eight numbers and the separators between them.
type chain struct {
	num    [8]int
	digits [8]int
	at     [9]int  // where each number starts; after the last, where it ends
	sep    [8]rune // sep[k] stands between number k and k+1
	n      int
}

// read takes numbers joined by a single separator each and returns where the chain ends.
func (c *chain) read(runes []rune, i int) int {
	for {
		v, k := 0, i
		for k < len(runes) && isDigit(runes[k]) {
			v = min(v*10+int(runes[k]-'0'), 1<<40)
			k++
		}
		if c.n < 8 {
			c.num[c.n], c.digits[c.n], c.at[c.n], c.at[c.n+1] = v, k-i, i, k
		}
		c.n++
		if k+1 >= len(runes) || !isDigit(runes[k+1]) || !isSeparator(runes, k) {
			return k
		}
		if c.n-1 < 8 {
			c.sep[c.n-1] = unifySeparator(runes[k])
		}
		i = k + 1
	}
}

func isSeparator(runes []rune, k int) bool {
	switch runes[k] {
	case '-', '/', '.', ':', ',', 't', '~', '〜', '–', '—', '‐', '−', '\u2044':
		return true
	}
	return false
}

func unifySeparator(r rune) rune {
	switch r {
	case '〜', '–', '—', '~':
		return '~'
	case '‐', '−':
		return '-'
	case '\u2044':
		return '/'
	}
	return r
}

// interpret emits the tokens of a chain: one, or two around a dash, or a date and its clock time.
func (s *scanner) interpret(c *chain, i, end int) (int, bool) {
	t, ok := c.single(0, c.n)
	if c.n == 3 && s.japanese {
		t, ok = c.japaneseDate(t, ok)
	}
	if t.class == cClock && t.a > 24 && !s.japanese { // only in Japan is it a quarter past 25
		return 0, false
	}
	if ok && (t.class != cYM || c.sep[0] != '.' || !s.afterNoun()) {
		return s.finish(t, c, i, end)
	}
	for k := 1; k < c.n; k++ {
		join := c.sep[k-1]
		if join != '~' && join != '-' && join != 't' && join != '/' {
			continue
		}
		left, okLeft := c.single(0, k)
		right, okRight := c.single(k, c.n)
		if !okLeft || !okRight || !joins(left, right, join) {
			continue
		}
		s.emit(left, i, c.at[k]-1)
		if join != 't' && (left.class != cYMD || right.class != cClock) {
			s.emit(token{class: cDash}, c.at[k]-1, c.at[k])
		}
		return s.finish(right, c, c.at[k], end)
	}
	return 0, false
}

// joins reports whether two readings may stand on either side of a separator.
func joins(left, right token, join rune) bool {
	switch join {
	case 't':
		return left.class == cYMD && right.class == cClock
	case '/':
		return (left.class == cYMD || left.class == cClock) && right.class == cYMD
	}
	if left.class == right.class {
		return left.class != cNum || left.b <= 2 && right.b <= 2 || left.b == 4 && right.b == 4
	}
	return left.class == cNum && right.class == cClock || left.class == cYMD && (right.class == cMD || right.class == cClock) ||
		left.class == cMD && right.class == cYMD ||
		left.class == cMD && right.class == cNum && right.b <= 2 || left.class == cClock && right.class == cNum && right.b <= 2
}

// finish emits the last token of a chain unless letters that mean nothing here are glued to it (3D, 2F, v1).
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
	case after == end:
		return 0, false
	case known.class == cOrdinal:
		if t.class != cNum || t.a < 1 || t.a > 31 {
			return 0, false
		}
		return s.emit(token{class: cOrdinal, a: t.a, b: 1}, i, after), true
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

// glued marks a word that is one only where it touches the number before it: 9a, 25m.
const glued = 2

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
	if i+2 <= len(s.runes) && !isLetter(s.rune(i+2)) && !isDigit(s.rune(i+2)) {
		switch string(s.runes[i : i+2]) {
		case "st", "nd", "rd", "th":
			return token{class: cOrdinal}, i + 2
		}
	}
	if s.runes[i] == 'h' && isDigit(s.rune(i+1)) { // 19h30
		return token{class: cUnit, a: unitHour}, i + 1
	}
	node, end := 0, i
	var found token
	for j := i; j < len(s.runes); j++ {
		var ok bool
		if node, ok = words.step(node, s.runes[j]); !ok {
			break
		}
		if e := words.entry(node); e >= 0 && !isLetter(s.rune(j+1)) && gluable(words.items[e].token) {
			found, end = words.items[e].token, j+1
		}
	}
	if t, ok := letterWords[s.runes[i]]; ok && end <= i+1 && !isLetter(s.rune(i+1)) && !isDigit(s.rune(i+1)) {
		return t, i + 1
	}
	return found, end
}

func gluable(t token) bool {
	return t.class == cAmPm || t.class == cMonth || t.class == cUnit || t.class == cSub || t.class == cApprox || t.class == cWord && t.a == 1
}

// single reads numbers from..to of the chain as one token.
func (c *chain) single(from, to int) (token, bool) {
	switch to - from {
	case 1:
		if v := c.num[from]; c.digits[from] == 8 && c.n == 1 && isYear(v/10000) && isMonth(v/100%100) && isDom(v%100) {
			return token{class: cYMD, a: v / 10000, b: v / 100 % 100, c: v % 100}, true
		}
		return token{class: cNum, a: c.num[from], b: c.digits[from]}, c.digits[from] <= 4
	case 2:
		return c.pair(from)
	case 3:
		return c.triple(from)
	case 4:
		if c.sep[from] == ':' && c.sep[from+1] == ':' && c.sep[from+2] == '.' {
			return c.triple(from)
		}
	}
	return token{}, false
}

func (c *chain) pair(k int) (token, bool) {
	x, y := c.num[k], c.num[k+1]
	dx, dy := c.digits[k], c.digits[k+1]
	switch c.sep[k] {
	case ':':
		zero := 0
		if dx == 2 && x < 10 {
			zero = 1
		}
		return token{class: cClock, a: x, b: y, n: zero}, dx <= 2 && dy == 2 && x <= 30 && y < 60
	case '/':
		if dx == 4 && dy <= 2 && isYear(x) && isMonth(y) {
			return token{class: cYM, a: x, b: y}, true
		}
		if dy == 4 && dx <= 2 && isYear(y) && isMonth(x) {
			return token{class: cYM, a: y, b: x}, true
		}
		ok := dx <= 2 && dy <= 2 && (isMonth(x) && isDom(y) || isDom(x) && isMonth(y))
		return token{class: cMD, a: x, b: y, n: eitherOrder}, ok
	case '-':
		if dx == 4 && dy == 2 && isYear(x) && isMonth(y) {
			return token{class: cYM, a: x, b: y}, true
		}
		if dy == 4 && dx <= 2 && isYear(y) && isMonth(x) {
			return token{class: cYM, a: y, b: x}, true
		}
	case '.':
		if dx == 4 && dy == 2 && isYear(x) && isMonth(y) {
			return token{class: cYM, a: x, b: y}, true
		}
		if dx <= 3 && dy <= 3 {
			milli := y * 100
			for range dy - 1 {
				milli /= 10
			}
			if dy > 1 {
				milli = y * [4]int{0, 100, 10, 1}[dy]
			}
			return token{class: cNum, a: x, b: -dy, c: milli}, true
		}
	}
	return token{}, false
}

func (c *chain) triple(k int) (token, bool) {
	x, y, z := c.num[k], c.num[k+1], c.num[k+2]
	dx, dz := c.digits[k], c.digits[k+2]
	one, two := c.sep[k], c.sep[k+1]
	if one == ':' && two == ':' {
		zero := 0
		if dx == 2 && x < 10 {
			zero = 1
		}
		return token{class: cClock, a: x, b: y, c: z, n: zero}, dx <= 2 && x <= 30 && y < 60 && z < 60
	}
	if (one != two && two != ',') || one != '-' && one != '/' && one != '.' {
		return token{}, false
	}
	switch {
	case dx == 4 && isYear(x) && y <= 12 && z <= 31 && c.digits[k+1] <= 2 && dz <= 2:
		return token{class: cYMD, a: x, b: y, c: z}, y > 0 && z > 0
	case one == '-' && dz == 2 && (z < 10 || z > 31) && dx <= 2 && isMonth(x) && isDom(y): // house numbers are smaller and not padded
		return token{class: cYMD, a: fullYear(z, dz), b: x, c: y}, true
	case dz == 4 && isYear(z) || dz == 2 && one == '/' && dx <= 2:
		year := fullYear(z, dz)
		if isMonth(x) && isDom(y) {
			t := token{class: cYMD, a: year, b: x, c: y}
			if isMonth(y) {
				t.n = eitherOrder
			}
			return t, true
		}
		return token{class: cYMD, a: year, b: y, c: x}, isMonth(y) && isDom(x)
	}
	return token{}, false
}

// eitherOrder marks a date in digits of which the day may come first as well: it does in most of the world.
const eitherOrder = 1

// japaneseDate reads 25/04/16 in the order of Japanese, the year first.
func (c *chain) japaneseDate(t token, ok bool) (token, bool) {
	if c.sep[0] == '/' && c.sep[1] == '/' && c.digits[0] == 2 && c.digits[2] == 2 && isMonth(c.num[1]) && isDom(c.num[2]) {
		return token{class: cYMD, a: fullYear(c.num[0], 2), b: c.num[1], c: c.num[2]}, true
	}
	return t, ok
}

// afterNoun reports whether a word that takes a number stands before, as in version 2024.04.
func (s *scanner) afterNoun() bool {
	n := len(s.tokens)
	return n > 0 && s.tokens[n-1].class == cPlace
}

func isYear(n int) bool  { return 1900 <= n && n <= 2199 }
func isMonth(n int) bool { return 1 <= n && n <= 12 }
func isDom(n int) bool   { return 1 <= n && n <= 31 }

// fullYear reads a year of two digits as 1950..2049.
func fullYear(n, digits int) int {
	switch {
	case digits > 2 || n > 99:
		return n
	case n < 50:
		return 2000 + n
	}
	return 1900 + n
}
