package datetime

import (
	"strconv"
	"strings"
	"time"
)

// era reads a year of a Japanese era, in either language: 令和7年, 平成元年, Reiwa 8, Reiwa year 8.
func (p *parser) era(i int) (value, int) {
	j := i + 1
	if isYearWord(p.tok(j)) {
		j++
	}
	n := p.tok(j)
	switch {
	case n.class == cYearOf:
		return p.eraYear(p.tok(i), 1, j+1, i)
	case n.class != cNum || n.b < 0:
		return value{}, i
	case p.is(j+1, cUnit) && p.tok(j+1).a == unitYear:
		return p.eraYear(p.tok(i), n.a, j+2, i)
	}
	return p.eraYear(p.tok(i), n.a, j+1, i)
}

// yearOfEra reads the 8th year of Reiwa and year 8 of Reiwa.
func (p *parser) yearOfEra(i int) (value, int) {
	n, next, at := p.tok(i), p.tok(i+1), p.skip(i+2, cOf, cThe)
	switch {
	case isYearWord(n) && next.class == cNum:
		n = next
	case !isYearWord(next):
		return value{}, i
	}
	return p.eraYear(p.tok(at), n.a, at+1, i)
}

// eraYear is the nth year of an era, up to token end; i is returned where it is no era or the era
// has none.
func (p *parser) eraYear(era token, n, end, i int) (value, int) {
	if era.class != cEra || n < 1 || n > era.b {
		return value{}, i
	}
	return value{has: fYear, year: era.a + n}, end
}

// isYearWord reports whether a token is the word "year".
func isYearWord(t token) bool {
	return t.class == cUnit && t.latin && t.a == unitYear && t.b&plural == 0
}

// An Era is a Japanese era that a text names.
type Era struct {
	// First is its first year, Year the year of it that is named, 0 for none.
	First, Year int
	// Start and End are the byte offsets of its name in the text.
	Start, End int
}

// EraIn finds the first Japanese era that a text names, with or without a year: 昭和64年, the 8th year of
// Reiwa, M45年.
func EraIn(text string) (e Era, ok bool) {
	p := newParser(text, time.Time{})
	for i, t := range p.tokens {
		if t.class == cEra {
			return Era{First: t.a + 1, Year: p.yearAround(i), Start: t.start, End: t.end}, true
		}
	}
	return initialOfEra(text)
}

// yearAround is the number of a year behind the era at token i or before it; 0 if there is none.
func (p *parser) yearAround(i int) int {
	behind := p.skip(i+1, cOf)
	if isYearWord(p.tok(behind)) {
		behind++
	}
	switch n := p.tok(behind); {
	case n.class == cYearOf:
		return 1
	case n.class == cNum && n.b >= 0:
		return n.a
	}
	for i--; p.oneOf(i, cOf, cThe); {
		i--
	}
	n, unit := p.tok(i-1), p.tok(i)
	if isYearWord(n) {
		n, unit = unit, n
	}
	if isYearWord(unit) && (n.class == cNum || n.class == cOrdinal) {
		return n.a
	}
	return 0
}

// initials are the first letters of the eras, as they stand before the number of a year, with the
// first year of each.
var initials = map[byte]int{'m': 1868, 't': 1912, 's': 1926, 'h': 1989, 'r': 2019}

// initialOfEra finds the year of an era that is written with its first letter.
func initialOfEra(text string) (e Era, ok bool) {
	for at := range text {
		if !strings.HasPrefix(text[at:], "年") {
			continue
		}
		from := at
		for from > 0 && isDigit(rune(text[from-1])) {
			from--
		}
		if n, err := strconv.Atoi(text[from:at]); err == nil && from > 0 {
			first, known := initials[text[from-1]|0x20]
			if known && (from == 1 || !isLetter(rune(text[from-2])) && !isDigit(rune(text[from-2]))) {
				return Era{First: first, Year: n, Start: from - 1, End: at}, true
			}
		}
	}
	return Era{}, false
}
