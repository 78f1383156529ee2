package datetime

import "strings"

// timesPer reads 週2回 and 月に一度; i is where the unit stands.
func (p *parser) timesPer(i int, unit token) (value, int) {
	j := i + 1
	if unit.a < unitWeek || p.is(i-1, cNum) || p.is(i-1, cNth) {
		return value{}, i
	}
	if t := p.tok(j); t.class == cWord && t.a == 0 && p.text[t.start:t.end] == "に" {
		j++
	}
	if t := p.tok(j); t.class != cNum || !strings.HasPrefix(p.text[t.end:], "回") && !strings.HasPrefix(p.text[t.end:], "度") {
		return value{}, i
	}
	return value{has: fSet}, j + 2
}

// set reads what comes again: 毎週, every Wednesday, every 2 weeks.
func (p *parser) set(i int) (value, int) {
	t := p.tok(i)
	v := value{has: fSet}
	if t.class == cSet {
		return v, i + 1
	}
	j := i + 1
	if p.is(j, cOrdinal) {
		j++
	}
	if l, end, _ := p.lengthAt(j); end > j && l != (length{}) {
		return v, end
	}
	switch p.tok(j).class {
	case cMeridiem, cNum, cClock: // 毎午前9時
		if w, end := p.clock(j); end > j && w.any(fClock) {
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
