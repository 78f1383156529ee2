package datetime

// era reads a year of a Japanese era, in either language: 令和7年, 平成元年, Reiwa 8, Reiwa year 8.
func (p *parser) era(i int) (value, int) {
	era, t := p.tok(i), p.tok(i+1)
	switch {
	case t.class == cYearOf:
		return p.eraYear(era, 1, i+2, i)
	case t.class == cNum && p.is(i+2, cUnit) && p.tok(i+2).a == unitYear && !era.latin:
		return p.eraYear(era, t.a, i+3, i)
	case isYearWord(t) && p.is(i+2, cNum):
		return p.eraYear(era, p.tok(i+2).a, i+3, i)
	case t.class == cNum && t.b >= 0 && t.c == 0 && !p.countsOn(i+2):
		return p.eraYear(era, t.a, i+2, i)
	}
	return value{}, i
}

// countsOn reports whether the token at i takes the number before it for itself.
func (p *parser) countsOn(i int) bool {
	switch t := p.tok(i); t.class {
	case cUnit, cAmPm, cOClock, cPlace, cEach, cSlash, cDash:
		return true
	default:
		return t.isNoun() && !t.gap && !p.japanese
	}
}

// yearOfEra reads the nth year of Heisei and year 8 of Reiwa: at stands the word behind the number, or behind the year.
func (p *parser) yearOfEra(i, n, at int) (value, int) {
	if !p.is(at, cOf) {
		return value{}, i
	}
	at++
	if p.is(at, cThe) {
		at++
	}
	if !p.is(at, cEra) {
		return value{}, i
	}
	return p.eraYear(p.tok(at), n, at+1, i)
}

// eraYear is the nth year of an era, up to token end; i is returned where the era has none.
func (p *parser) eraYear(era token, n, end, i int) (value, int) {
	if n < 1 || n > era.b {
		return value{}, i
	}
	year := era.a + n
	return value{has: fYear, year: year, past: year < p.today.Year}, end
}

// isYearWord reports whether a token is the word "year".
func isYearWord(t token) bool {
	return t.class == cUnit && t.latin && t.a == unitYear && t.b&plural == 0
}
