package datetime

// namedDate reads a date whose parts are joined without blanks and whose month is a name: 23/Sep/2020, 2019-aug-1, Nov/2,
// 2024-August.
func (s *scanner) namedDate(i int) (token, int) {
	if before := s.rune(i - 1); !s.gap && (isLetter(before) || isDigit(before) || before == '-' || before == '/') {
		return token{}, i
	}
	if sep := s.rune(s.plainWord(i)); sep != '-' && sep != '/' {
		return token{}, i
	}
	var d namedParts
	end := d.read(s, i)
	if end == i || isLetter(s.rune(end)) || isDigit(s.rune(end)) || s.rune(end) == d.sep && isDigit(s.rune(end+1)) {
		return token{}, i
	}
	if t, ok := d.date(); ok {
		return t, end
	}
	return token{}, i
}

// namedParts are the parts of such a date: the month, and one or two numbers in the order in which they stand.
type namedParts struct {
	sep         rune
	month       int
	num, digits [2]int
	n           int
}

// read takes the parts and returns where they end, or i when there is no month or no number.
func (d *namedParts) read(s *scanner, i int) int {
	end := i
	for range 3 {
		month, next := s.monthName(end)
		switch {
		case next > end && d.month == 0:
			d.month = month
		case isDigit(s.rune(end)) && d.n < 2:
			for next = end; isDigit(s.rune(next)) && next-end < 4; next++ {
				d.num[d.n] = d.num[d.n]*10 + int(s.runes[next]-'0')
			}
			d.digits[d.n] = next - end
			d.n++
		default:
			return i
		}
		end = next
		if sep := s.rune(end); (d.sep == 0 && (sep == '-' || sep == '/') || d.sep == sep && sep != 0) && (isDigit(s.rune(end+1)) || isLetter(s.rune(end+1))) {
			d.sep = sep
			end++
			continue
		}
		break
	}
	if d.sep == 0 || d.month == 0 || d.n == 0 {
		return i
	}
	return end
}

// date makes a token of the parts. A number of four digits is the year; of two short ones the second is.
func (d *namedParts) date() (token, bool) {
	if d.n == 1 {
		if d.digits[0] == 4 {
			return token{class: cYM, a: d.num[0], b: d.month}, isYear(d.num[0])
		}
		return token{class: cMD, a: d.month, b: d.num[0]}, isDom(d.num[0])
	}
	year, dom := 1, 0
	if d.digits[0] == 4 {
		year, dom = 0, 1
	}
	y := fullYear(d.num[year], d.digits[year])
	return token{class: cYMD, a: y, b: d.month, c: d.num[dom]}, isDom(d.num[dom]) && isYear(y) && d.digits[year]%2 == 0
}

// monthName finds the name of a month at i, in Latin letters.
func (s *scanner) monthName(i int) (month, end int) {
	node, end := 0, i
	for j := i; j < len(s.runes) && isLetter(s.runes[j]); j++ {
		var ok bool
		if node, ok = words.step(node, s.runes[j]); !ok {
			break
		}
		if e := words.entry(node); e >= 0 && words.items[e].token.class == cMonth && !isLetter(s.rune(j+1)) {
			month, end = words.items[e].token.a, j+1
		}
	}
	return month, end
}
