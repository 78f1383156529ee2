package datetime

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
