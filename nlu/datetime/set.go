package datetime

// particleInto may stand between a unit and how often: 週に一度.
const particleInto = "に"

// timesPer reads 週2回 and 月に一度; i is where the unit stands.
func (p *parser) timesPer(i int) (value, int) {
	j := i + 1
	if p.word(p.tok(j)) == particleInto {
		j++
	}
	counts := p.is(j, cNum) && p.is(j+1, cWord) && p.tok(j+1).b == counter
	if !counts || p.tok(i).a < unitWeek || p.oneOf(i-1, cNum, cNth) {
		return value{}, i
	}
	return value{has: fSet}, j + 2
}

// set reads what comes again: 毎週, every Wednesday, every 2 weeks.
func (p *parser) set(i int) (value, int) {
	v, j := value{has: fSet}, i+1
	if p.is(i, cSet) {
		return v, j
	}
	if l, end := p.lengthAt(j); end > j && l.nominal != 0 {
		return v, end
	}
	switch p.tok(j).class {
	case cMeridiem, cNum, cClock: // 毎午前9時
		if w, end := p.clock(j); w.any(fClock) {
			return v, end
		}
	case cWeekday, cWeekdays:
		v.each = p.weekOf(j)
		return v, j + 1
	case cUnit, cPart, cMonth, cHoliday:
		return v, j + 1
	case cPeriodRel:
		if p.tok(j).b == unitWeekend {
			v.each = weekend
			return v, j + 1
		}
	}
	return value{}, i
}
