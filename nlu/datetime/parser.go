package datetime

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
)

// A parser holds the tokens of one text and the instant against which it resolves.
type parser struct {
	text   string
	tokens []token
	// japanese says that some of the text is written in Japanese.
	japanese bool
	ref      time.Time
	today    civil.Date
	// readers are the [components], which could not be named where they are read.
	readers map[class]reader
	// list is the last expression, if further weekdays may be listed behind it.
	list listed
	// ranged is set while the ends of a range are read, where a bare ordinal is a day.
	ranged bool
	// tried are the components read so far, by token and ranged: long texts would be read over and
	// over without it.
	tried []trial
	steps int
	// depth is how many components are being read inside each other.
	depth int
}

// A reader reads something that may stand at a token and returns where it ends, or the token when
// it is not there.
type reader func(p *parser, i int) (value, int)

// A trial is a component that was read, or that is not there.
type trial struct {
	done  bool
	value *value
	end   int
}

const (
	// shortText is how many components are read before they are remembered; few utterances have
	// more.
	shortText = 100
	// maxDepth is how many times a length may count from a length: a week before the day after
	// Christmas is two.
	maxDepth = 6
)

// tok is the token at i, or a barrier outside the text.
func (p *parser) tok(i int) token {
	if i < 0 || i >= len(p.tokens) {
		return token{class: cWord, a: outside}
	}
	return p.tokens[i]
}

// is reports whether the token at i is of a class.
func (p *parser) is(i int, c class) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].class == c
}

// oneOf reports whether the token at i is of one of some classes.
func (p *parser) oneOf(i int, classes ...class) bool {
	return i >= 0 && i < len(p.tokens) && slices.Contains(classes, p.tokens[i].class)
}

// skip passes over tokens of some classes.
func (p *parser) skip(i int, classes ...class) int {
	for p.oneOf(i, classes...) {
		i++
	}
	return i
}

// marksPoint reports whether the token at i is a unit that may mark a point in time.
func (p *parser) marksPoint(i int) bool { return p.is(i, cUnit) && p.tokens[i].b&lengthOnly == 0 }

// unit reports whether the token at i is the unit u and may mark a point in time.
func (p *parser) unit(i, u int) bool { return p.marksPoint(i) && p.tokens[i].a == u }

// word is how a token stands in the text, in lower case.
func (p *parser) word(t token) string { return strings.ToLower(p.text[t.start:t.end]) }

// first is what the first of some readers finds at i.
func (p *parser) first(i int, readers ...reader) (value, int) {
	for _, read := range readers {
		if v, end := read(p, i); end > i {
			return v, end
		}
	}
	return value{}, i
}

// inRange is what a reader finds at i as an end of a range.
func (p *parser) inRange(i int, read reader) (value, int) {
	outer := p.ranged
	p.ranged = true
	v, end := read(p, i)
	p.ranged = outer
	return v, end
}

// component reads one named feature, or several that only make sense together, at i. It returns i
// when there is none.
func (p *parser) component(i int) (value, int) {
	if p.tok(i).class == cWord || p.depth >= maxDepth {
		return value{}, i
	}
	if p.steps++; p.steps < shortText {
		return p.read(i)
	}
	return p.remembered(i)
}

// remembered reads a component, or knows it.
func (p *parser) remembered(i int) (value, int) {
	if p.tried == nil {
		p.tried = make([]trial, 2*len(p.tokens))
	}
	t := &p.tried[2*i]
	if p.ranged {
		t = &p.tried[2*i+1]
	}
	if !t.done {
		v, end := p.read(i)
		if *t = (trial{done: true, end: end}); end > i {
			kept := v
			t.value = &kept
		}
		return v, end
	}
	if t.value == nil {
		return value{}, i
	}
	return *t.value, t.end
}

// read reads a component one level deeper.
func (p *parser) read(i int) (value, int) {
	read := p.readers[p.tokens[i].class]
	if read == nil {
		return value{}, i
	}
	p.depth++
	v, end := read(p, i)
	p.depth--
	return v, end
}

// components say what reads the component that starts with a token.
var components = map[class]reader{
	cNum:        (*parser).number,
	cHalf:       (*parser).number,
	cQuarter:    (*parser).number,
	cArticle:    (*parser).number,
	cOrdinal:    (*parser).ordinal,
	cYMD:        (*parser).dateInDigits,
	cYM:         (*parser).dateInDigits,
	cMD:         (*parser).slashDate,
	cClock:      (*parser).clock,
	cMeridiem:   (*parser).clock,
	cNoon:       (*parser).clock,
	cPart:       (*parser).clock,
	cAmPm:       (*parser).clock,
	cMonth:      (*parser).month,
	cWeekday:    (*parser).weekday,
	cRel:        (*parser).relative,
	cPast:       (*parser).run,
	cLastN:      (*parser).run,
	cNextN:      (*parser).run,
	cPlus:       (*parser).signed,
	cBound:      (*parser).bound,
	cWeekOf:     (*parser).weekStarting,
	cRest:       (*parser).restOf,
	cSegment:    (*parser).segment,
	cHoliday:    (*parser).holiday,
	cEra:        (*parser).era,
	cNth:        (*parser).nth,
	cEvery:      (*parser).set,
	cSet:        (*parser).set,
	cDayRel:     (*parser).dayFromToday,
	cDayPartRel: (*parser).dayFromToday,
	cPeriodRel:  (*parser).periodFromNow,
	cWeekdays:   (*parser).workdays,
	cNow:        (*parser).now,
	cIn:         (*parser).offsetPrefix,
	cWithin:     (*parser).offsetPrefix,
	cAfter:      (*parser).stillToCome,
	cSub:        (*parser).partOfYear,
	cUnit:       (*parser).bareUnit,
}

func (p *parser) workdays(i int) (value, int) {
	return value{has: fWeek | fWorkdays, monday: p.today.Monday()}, i + 1
}

func (p *parser) now(i int) (value, int) { return value{has: fInstant, at: p.ref, till: p.ref}, i + 1 }

// bareUnit reads a unit without a number: the current one (in the week, of the year, 週の残り), or one
// with a number of its own behind it (week 27, year 2016).
func (p *parser) bareUnit(i int) (value, int) {
	t := p.tok(i)
	switch {
	case !t.latin && p.is(i+1, cOf) && p.is(i+2, cRest):
		return p.period(0, t.a), i + 1
	case !t.latin:
		return p.timesPer(i)
	case t.b&plural != 0 || t.a < unitDay || t.a > unitYear:
		return value{}, i
	}
	return p.first(i, (*parser).numbered, (*parser).yearOfEra, (*parser).dayBeside, (*parser).weekOfDay,
		(*parser).current)
}

// dayBeside reads the day before Christmas.
func (p *parser) dayBeside(i int) (value, int) {
	if p.tok(i).a != unitDay || !p.is(i-1, cThe) || !p.oneOf(i+1, cBefore, cAfter) {
		return value{}, i
	}
	return p.offsetFrom(i, length{days: p.tok(i + 1).direction()}, i+1)
}

// weekOfDay reads the week of the 18th.
func (p *parser) weekOfDay(i int) (value, int) {
	if p.tok(i).a != unitWeek || !p.is(i+1, cOf) {
		return value{}, i
	}
	return p.weekStarting(i)
}

// current reads within the week, in the week and of the year, but not the week, nor the day of the
// month.
func (p *parser) current(i int) (value, int) {
	t, before := p.tok(i), p.tok(i-2)
	if t.a == unitDay {
		return value{}, i
	}
	is := p.is(i-1, cWithin) && p.tok(i-1).n == definite
	if p.is(i-1, cThe) {
		switch before.class {
		case cIn:
			is = true
		case cOn, cFor:
			is = t.a != unitYear
		case cOf:
			is = !p.is(i-3, cUnit) || p.oneOf(i-4, cOrdinal, cRel)
		}
	}
	if !is {
		return value{}, i
	}
	return p.period(0, t.a), i + 1
}

// direction is -1 for before and ago, 1 for after and from.
func (t token) direction() int {
	if t.class == cBefore || t.class == cAgo {
		return -1
	}
	return 1
}
