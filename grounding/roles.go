package grounding

import (
	"strings"
	"unicode/utf8"
)

// separator reads what stands between weekdays that belong together.
func (r *reader) separator(i int) (end int, ranged bool) {
	next, ranged := r.between(i)
	if _, end := r.oneWeekday(next); end > next {
		return next, ranged
	}
	return i, false
}

// between reads what stands between two values that belong together, and says whether they are the
// ends of a range. It returns i where nothing does.
func (r *reader) between(i int) (next int, ranged bool) {
	rest := strings.TrimLeft(r.text[i:], " ,")
	next = len(r.text) - len(rest)
	f, ok := r.words.values["pairs"].at(r.text, next)
	if !ok && !strings.Contains(r.text[i:next], ",") {
		return i, false
	}
	_, ranged = r.words.values["ranges"].at(f.text+" ", 0)
	next += len(f.text)
	return next + len(r.text[next:]) - len(strings.TrimLeft(r.text[next:], " ")), ok && ranged
}

// endsRange reports whether a time is the second of two: 19:00~21:30.
func (r *reader) endsRange(f *fact) bool {
	for i := range r.facts {
		if g := &r.facts[i]; g.kind == f.kind && g.end < f.start && joined(r.text[g.end:f.start], "ranges") {
			return true
		}
	}
	return false
}

// joined reports whether a text is nothing but one of the words that stand between two values.
func joined(between, list string) bool {
	between = strings.TrimSpace(strings.TrimRight(between, "(「")) + " "
	f, ok := words().values[list].at(between, 0)
	return ok && len(f.text) == len(between)-1
}

// giveRole finds which end of a range a value is, by the words beside it.
func (r *reader) giveRole(f *fact) {
	before, after := r.text[:f.start], r.text[f.end:]
	const near = 40
	for len(before) > near || len(before) > 0 && !utf8.RuneStart(before[0]) {
		before = before[1:]
	}
	switch f.kind {
	case clock, day:
		if f.role = r.endOf(f, before, after); f.role == at && f.kind == clock {
			f.role = r.endOf(f, r.beforeDays(f), "")
		}
	case number, money:
		f.role = r.limitOf(f, before, after)
	case weekday, month, literal, name:
	}
}

// beforeDays is what stands before the days that a time is of: "ends on Thursday, November 26, at 7
// p.m."
func (r *reader) beforeDays(f *fact) string {
	start := f.start
	for i := len(r.facts) - 1; i >= 0; i-- {
		g := &r.facts[i]
		if g.kind != day && g.kind != weekday || g.end > start {
			continue
		}
		if between := strings.Trim(r.text[g.end:start], " ,()"); between == "" || joined(between, "of days") {
			start = g.start
		}
	}
	if start == f.start {
		return ""
	}
	return r.text[:start]
}

// endOf is which end of a range a time is.
func (r *reader) endOf(f *fact, before, after string) role {
	v := r.words.values
	switch {
	case r.endsRange(f), v["until after"].startAt(after):
		return until
	case v["from after"].startAt(after):
		return from
	case v["until before"].endAt(before):
		return until
	case v["from before"].endAt(before):
		return from
	}
	return at
}

// limitOf is whether a number is the least or the most that is meant.
func (r *reader) limitOf(f *fact, before, after string) role {
	v := r.words.values
	switch {
	case v["least after"].startAt(after), v["least before"].endAt(before):
		return from
	case v["most after"].startAt(after), v["most before"].endAt(before):
		return until
	case f.unit != perPerson && f.unit != perAge && f.unit != "grade":
		return at
	}
	rest, ok := strings.CutPrefix(after, "から")
	if ok && (rest == "" || !isDigit(rest[0])) || strings.HasSuffix(before, "from ") {
		return from
	}
	return at
}
