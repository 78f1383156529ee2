package datetime

import (
	"iter"
	"slices"
	"strings"
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
	if !p.tok(i).starts() || p.namesEvening(i) {
		return Expression{}, 0, i
	}
	v, end := p.expression(i)
	p.sameWeek(&v, i, end)
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
	if e.Kind != KindSet && !e.Invalid {
		e.Weekdays = v.weekdays(e).list()
		e.NoMonth = v.has&^(timeFeatures|fWeekday) == fDom
	}
	if e.Kind == KindSet && len(e.Weekdays) == 0 {
		e.Weekdays = p.kindOfDays(i, end).list()
	}
	if e.Hours != (Hours{}) {
		e.Part = p.partWord(i, end)
	}
	return e, v.has, end
}

// partWord is the word for a part of the day among some tokens.
func (p *parser) partWord(from, to int) string {
	for _, t := range p.tokens[from:to] {
		switch t.class {
		case cPart, cMeridiem, cAmPm, cDayPartRel:
			return p.text[t.start:t.end]
		}
	}
	return ""
}

// A listed is a weekday of a week that was said, behind which further ones of that week may stand.
type listed struct {
	monday civil.Date
	past   bool
	end    int // of the expression, in tokens; 0 for none
}

// sameWeek gives the weekday at i up to end the week of the one that it is listed with: 来週の月曜と水曜. Of two that are offered (来週の月曜か
// 火曜) the second may be any.
func (p *parser) sameWeek(v *value, i, end int) {
	if v.has&^timeFeatures == fWeekday && !v.coming && p.list.end > 0 && p.list.end == i-1 && (p.is(i-1, cAnd) || p.is(i-1, cComma)) {
		v.has, v.monday, v.past = v.has|fWeek, p.list.monday, p.list.past
	}
	p.list = listed{}
	if v.has&^timeFeatures == fWeekday|fWeek {
		p.list = listed{monday: v.monday, past: v.past, end: end}
	}
}

// beforeNight are words behind which "night" is a time. Behind another one, which nothing here knows, it is what is on: chess night.
var beforeNight = []string{"all", "whole", "entire", "same", "some", "no", "that", "those", "my", "your", "our", "his", "her", "their", "what", "which", "late", "per", "good"}

// namesEvening reports whether the word at i is the night of a name: "movie night on Friday".
func (p *parser) namesEvening(i int) bool {
	t, before := p.tok(i), p.tok(i-1)
	if t.class != cPart || t.a != partNight || t.b != 0 || !t.latin || before.class != cWord || !before.latin || before.a != 0 {
		return false
	}
	return !slices.Contains(beforeNight, strings.ToLower(p.text[before.start:before.end]))
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
	case cWord, cComma, cDash, cOf, cThe, cAnd, cPlace, cMiddle, cInside, cAmPm, cApprox, cOn, cAt, cOClock, cYearOf, cAgo, cFor,
		cOpen, cClose, cEach, cExtra, cSeason:
		return false
	}
	return true
}
