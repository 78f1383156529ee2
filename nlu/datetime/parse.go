package datetime

import (
	"iter"
	"slices"
	"time"

	"annai/civil"
)

// How many bytes of a text are read, and how many expressions in it; what a visitor says has far
// less of both.
const (
	maxText        = 8192
	maxExpressions = 100
)

// Parse returns the temporal expressions of text in order of appearance; they do not overlap. They
// are resolved against reference, in its location: what is named without a year or a week is the
// nearest that is not past. Where two readings start at the same place the longer wins. It never
// fails: what it does not know is no expression.
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
	p := parser{text: text, ref: reference, today: civil.DateOf(reference), readers: components}
	p.tokens, p.japanese = scan(text)
	return p
}

// expressions reads the whole text: every expression with the features that it names.
func (p *parser) expressions() iter.Seq2[Expression, feature] {
	return func(yield func(Expression, feature) bool) {
		n := 0
		for i := 0; i < len(p.tokens) && n < maxExpressions; {
			if !p.starts(i) {
				i++
				continue
			}
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
	v, end := p.expression(i)
	p.sameWeek(&v, i, end)
	if end == i || v.has == fYear && p.besideSeason(i, end) {
		return Expression{}, 0, i
	}
	e, ok := p.resolve(v)
	if !ok {
		v, end = p.sequence(i)
		e, ok = p.resolve(v)
	}
	if !ok || end == i {
		return Expression{}, 0, i
	}
	e.Start, e.End = p.tokens[i].start, p.tokens[end-1].end
	e.Text = p.text[e.Start:e.End]
	if len(e.Weekdays) == 0 && !e.Invalid {
		e.Weekdays = p.weekdays(v, e.Kind, i, end).list()
	}
	e.Named, e.Month = p.named(i, end).list(), v.any(fMonth)
	if counted := v.has == fInstant || v.has == fDays; counted && !v.openStart && !v.openEnd {
		e.FromNow, e.Counted, e.OfThat = v.fromNow, v.counted, v.ofThat
	}
	e.Rough = e.Kind == KindDays && v.any(fSegment) && !v.any(fTo) && !v.openStart && !v.openEnd
	e.NoMonth = e.Kind != KindSet && !e.Invalid && v.has&^(timeFeatures|fWeekday) == fDom
	if e.Hours != (Hours{}) {
		e.Part = p.partWord(i, end)
	}
	return e, v.has, end
}

// partWord is the word for a part of the day among some tokens.
func (p *parser) partWord(from, to int) string {
	for i, t := range p.tokens[from:to] {
		if p.oneOf(from+i, cPart, cMeridiem, cAmPm, cDayPartRel) {
			return p.text[t.start:t.end]
		}
	}
	return ""
}

// A listed is a weekday of a week that was said, behind which further ones of that week may stand.
type listed struct {
	monday civil.Date
	end    int // of the expression, in tokens; 0 for none
}

// sameWeek gives the weekday at i up to end the week of the one that it is listed with: 来週の月曜と水曜.
// Of two that are offered (来週の月曜か火曜) the second may be any.
func (p *parser) sameWeek(v *value, i, end int) {
	isListed := p.list.end > 0 && p.list.end == i-1 && p.oneOf(i-1, cAnd, cComma)
	if isListed && v.has&^timeFeatures == fWeekday && !v.coming {
		v.has, v.monday = v.has|fWeek, p.list.monday
	}
	p.list = listed{}
	if v.has&^timeFeatures == fWeekday|fWeek {
		p.list = listed{monday: v.monday, end: end}
	}
}

// besideSeason reports whether the year at i up to end is that of a season: 今年の夏 is not the whole
// year, and no days that everybody agrees on.
func (p *parser) besideSeason(i, end int) bool {
	for i--; p.oneOf(i, cOf, cIn, cThe); {
		i--
	}
	return p.is(p.skip(end, cOf), cSeason) || p.is(i, cSeason)
}

// starts reports whether an expression may start with the token at i; most words of a text end
// here.
func (p *parser) starts(i int) bool {
	switch p.tokens[i].class {
	case cWord, cComma, cDash, cOf, cThe, cAnd, cPlace, cMiddle, cInside, cAmPm, cApprox, cOn, cAt, cOClock, cYearOf,
		cAgo, cFor, cOpen, cClose, cEach, cExtra, cSeason:
		return false
	case cPart:
		return !p.namesEvening(i)
	}
	return true
}

// beforeNight are words behind which "night" is a time. Behind another one, which nothing here
// knows, it is what is on: chess night.
var beforeNight = []string{
	"all", "whole", "entire", "same", "some", "no", "that", "those", "my", "your", "our", "his", "her", "their", "what",
	"which", "late", "per", "good",
}

// namesEvening reports whether the word at i is the night of a name: "movie night on Friday".
func (p *parser) namesEvening(i int) bool {
	t, before := p.tok(i), p.tok(i-1)
	night := t.a == partNight && t.b != atPart && t.latin
	named := before.class == cWord && before.a == 0 && before.latin
	return night && named && !slices.Contains(beforeNight, p.word(before))
}
