package datetime

import (
	"iter"
	"time"

	"annai/internal/civil"
)

// How many bytes of a text are read, and how many expressions in it; what a visitor says has far less of both.
const (
	maxText        = 8192
	maxExpressions = 100
)

// Parse returns the temporal expressions of text in order of appearance; they do not overlap. They are resolved against
// reference, in its location: what is named without a year or a week is the nearest that is not past. Where two
// readings start at the same place the longer wins. It never fails: what it does not know is no expression.
func Parse(text string, reference time.Time) []Expression {
	p := newParser(text, reference)
	var found []Expression
	for e := range p.expressions() {
		found = append(found, e)
	}
	return found
}

func newParser(text string, reference time.Time) parser {
	if len(text) > maxText {
		text = text[:maxText]
	}
	p := parser{text: text, ref: reference, today: civil.DateOf(reference)}
	p.tokens, p.japanese = scan(text)
	return p
}

// expressions reads the whole text: every expression with the features that it names.
func (p *parser) expressions() iter.Seq2[Expression, feature] {
	return func(yield func(Expression, feature) bool) {
		for i, n := 0, 0; i < len(p.tokens) && n < maxExpressions; {
			e, named, end := p.expressionAt(i)
			if end == i {
				i++
				continue
			}
			if !yield(e, named) {
				return
			}
			i, n = end, n+1
		}
	}
}

// expressionAt reads and resolves the expression that starts at token i.
func (p *parser) expressionAt(i int) (e Expression, named feature, end int) {
	if !p.tok(i).starts() {
		return Expression{}, 0, i
	}
	v, end := p.expression(i)
	if end == i || v.has == fYear && p.besideSeason(i, end) {
		return Expression{}, 0, i
	}
	e, ok := p.resolve(v)
	if !ok {
		if v, end = p.sequence(i); end == i {
			return Expression{}, 0, i
		}
		if e, ok = p.resolve(v); !ok {
			return Expression{}, 0, i
		}
	}
	e.Start, e.End = p.tokens[i].start, p.tokens[end-1].end
	e.Text = p.text[e.Start:e.End]
	return e, v.has, end
}

// besideSeason reports whether the year at i up to end is that of a season: 今年の夏 is not the whole year, and no days that
// everybody agrees on.
func (p *parser) besideSeason(i, end int) bool {
	for p.is(end, cOf) {
		end++
	}
	i--
	for p.is(i, cOf) || p.is(i, cIn) || p.is(i, cThe) {
		i--
	}
	return p.is(end, cSeason) || p.is(i, cSeason)
}

// starts reports whether an expression may start with the token; most words of a text end here.
func (t token) starts() bool {
	switch t.class {
	case cWord, cComma, cDash, cOf, cThe, cAnd, cPlace, cMiddle, cAmPm, cApprox, cOn, cAt, cOClock, cYearOf, cAgo, cFor,
		cOpen, cClose, cEach, cExtra, cSeason:
		return false
	}
	return true
}
