package flyer

import (
	"strings"
	"time"
	"unicode"

	"annai/civil"
	"annai/nlu/datetime"
)

// A cue is what the words beside a date or a time say it is. It is a closed set; empty: the event's.
type cue string

const (
	cueDoors    cue = "doors"
	cueStart    cue = "start"
	cueEnd      cue = "end"
	cueAside    cue = "aside" // another time: of the last day, of the last entry
	cueDeadline cue = "deadline"
	cuePay      cue = "pay"
	cueSubmit   cue = "submit"
	cueOther    cue = "unrelated" // another date: of the issue, of a rain date
)

// A moment is one expression of a line, with what it is.
type moment struct {
	datetime.Expression

	line *line
	cue  cue
}

// moments are the dates and times of all lines, in order.
func (p page) moments() []moment {
	var out []moment
	for i := range p.lines {
		l := &p.lines[i]
		if l.role == roleContact || l.role == roleHost {
			continue
		}
		for n, e := range l.times {
			if !e.Invalid && e.Kind != datetime.KindSet && e.Kind != datetime.KindDuration {
				out = append(out, moment{e, l, l.cueOf(n)})
			}
		}
	}
	return out
}

// beside is what stands before the nth expression of a line and behind it, up to the next ones.
func (l *line) beside(n int) (before, behind string) {
	from, to := 0, len(l.text)
	if n > 0 {
		from = l.times[n-1].End
	}
	if n+1 < len(l.times) {
		to = l.times[n+1].Start
	}
	e := l.times[n]
	return fold(l.text[from:e.Start]), fold(l.text[e.End:to])
}

// cueOf is what the words beside the nth expression of a line say it is. Words stand before what
// they are said of, or in other lines behind it: 開演 18:30, or 18:30開演.
func (l *line) cueOf(n int) cue {
	before, behind := l.beside(n)
	if c := l.role.cue(); c != "" {
		return c
	}
	if l.times[n].Kind == datetime.KindTime && l.times[n].NoDay {
		first, _ := l.beside(0)
		if c := clockCue(before, true); c != "" && clockCue(first, true) != "" {
			return c
		}
		if i := strings.IndexAny(behind, "(（/／、,|｜"); i >= 0 { // what is said of the next one
			behind = behind[:i]
		}
		return clockCue(behind, false)
	}
	for _, words := range []string{before, behind} {
		if c := dayCue(words); c != "" {
			return c
		}
	}
	return ""
}

// cue is what a label says of all dates in its line.
func (r role) cue() cue {
	switch r {
	case roleApply:
		return cueDeadline
	case rolePay:
		return cuePay
	case roleFee, roleOther, roleBring:
		return cueOther
	case roleWhen, roleTime, rolePlace, roleTitle, roleHost, roleContact:
	}
	return ""
}

// clockCue is what words say a time of day is: the last of them where they stand before it, else the
// first.
func clockCue(words string, last bool) cue {
	found, at := cue(""), -1
	for _, one := range []struct {
		list
		cue
	}{
		{aside, cueAside},
		{deadline, cueDeadline},
		{doors, cueDoors},
		{start, cueStart},
		{end, cueEnd},
	} {
		i, to := one.index(words)
		switch {
		case i < 0:
		case last && to > at, !last && (at < 0 || i < at):
			found, at = one.cue, i
			if last {
				at = to
			}
		}
	}
	return found
}

// dayCue is what words say a date is.
func dayCue(words string) cue {
	switch {
	case pay.in(words):
		return cuePay
	case submit.in(words):
		return cueSubmit
	case deadline.in(words):
		return cueDeadline
	case unrelated.in(words):
		return cueOther
	}
	return ""
}

// when is when the event is.
func (p page) when() When {
	all := p.moments()
	var w When
	i := p.dayOf(all, &w)
	p.hours(all, i, &w)
	if w.Start == nil && w.Doors != nil {
		w.Start = w.Doors
	}
	return w
}

// dayOf finds the day, and returns which moment says it; -1 for none.
func (p page) dayOf(all []moment, w *When) int {
	best, rank := -1, 0
	for i, m := range all {
		if r := m.rank(); r > rank {
			best, rank = i, r
		}
	}
	if best < 0 {
		return best
	}
	m := all[best]
	loc := p.now.Location()
	w.Day = civil.DateOf(m.TimeRange.Start.In(loc))
	w.Assumed, w.Conflict = m.Assumed && m.Kind != datetime.KindTime, m.Conflict
	w.DayFrom = m.source()
	switch {
	case m.Kind == datetime.KindDays:
		if last := civil.DateOf(m.TimeRange.End.In(loc).Add(-time.Nanosecond)); last.Sub(w.Day) <= maxDays {
			w.LastDay = last
		}
	case best+1 < len(all) && p.nextDay(m, all[best+1]):
		w.LastDay = w.Day.AddDays(1)
	}
	return best
}

// maxDays is how long an event takes at most: a longer one was misread more likely.
const maxDays = 200

// rank says how well a moment says the day of the event; 0 for one that does not.
func (m moment) rank() int {
	switch {
	case m.cue != "" && m.cue != cueDoors && m.cue != cueStart, m.OpenStart, m.Past:
		return 0
	case m.Kind == datetime.KindTime && m.NoDay, m.TimeRange.Start.IsZero():
		return 0
	case m.Kind == datetime.KindDays && (m.Rough || m.Name != datetime.Range):
		return 0
	case m.line.role == roleWhen && !m.Holiday:
		return 3
	case m.Holiday:
		return 0
	case m.Month:
		return 2
	}
	return 1
}

func (m moment) source() Source {
	by := ByWords
	if m.line.role == roleWhen || m.line.role == roleTime {
		by = ByLabel
	}
	return Source{Line: m.line.no, By: by}
}

// nextDay reports whether a moment stands right behind another in the same line, and is the day after it:
// 12月5日(土)・6日(日).
func (p page) nextDay(m, next moment) bool {
	if m.line != next.line || next.Kind != datetime.KindDay || m.Kind != datetime.KindDay {
		return false
	}
	between := m.line.text[m.End:next.Start]
	loc := p.now.Location()
	day := civil.DateOf(m.TimeRange.Start.In(loc))
	return !strings.ContainsFunc(between, unicode.IsLetter) &&
		civil.DateOf(next.TimeRange.Start.In(loc)) == day.AddDays(1)
}

// hours finds the times of day. Those of the line that says the day come first, then those of the
// lines below it, then those above.
func (p page) hours(all []moment, day int, w *When) {
	ordered := all
	if day >= 0 {
		at := day
		for at > 0 && all[at-1].line == all[day].line {
			at--
		}
		ordered = append(append([]moment{}, all[at:]...), all[:at]...)
	}
	var plain *moment
	for i := range ordered {
		m := &ordered[i]
		otherDay := !m.NoDay && day >= 0 && ordered[0].line != m.line && !p.sameDay(m, w.Day)
		if m.Kind != datetime.KindTime || m.part() || otherDay {
			continue
		}
		if m.cue == "" && (plain == nil || m.better(plain)) {
			plain = m
		}
		p.cued(m, w)
	}
	if w.Start == nil && plain != nil {
		p.begin(plain, w)
	}
}

// cued takes a time of which the words beside it say what it is.
func (p page) cued(m *moment, w *When) {
	switch m.cue {
	case cueDoors:
		p.set(&w.Doors, m)
	case cueEnd:
		p.set(&w.End, m)
	case cueStart:
		if w.StartFrom == (Source{}) {
			p.begin(m, w)
		}
	case "", cueAside, cueDeadline, cuePay, cueSubmit, cueOther:
	}
}

// part reports whether a moment is a part of the day and no time: the afternoon.
func (m moment) part() bool { return m.Hours != datetime.Hours{} }

// better reports whether a time without a word beside it says more than another: a label, or an end.
func (m moment) better(other *moment) bool {
	labelled := func(m moment) bool { return m.line.role == roleWhen || m.line.role == roleTime }
	if labelled(m) != labelled(*other) {
		return labelled(m)
	}
	return m.ranged() && !other.ranged() && m.line.no-other.line.no <= near
}

// near is how many lines below another one is that belongs to it.
const near = 3

// ranged reports whether a time has both ends.
func (m moment) ranged() bool {
	return m.TimeRange.End.After(m.TimeRange.Start) && !m.OpenEnd && !m.OpenStart
}

func (p page) sameDay(m *moment, day civil.Date) bool {
	return civil.DateOf(m.TimeRange.Start.In(p.now.Location())) == day
}

// begin takes a moment for the time at which it begins, and where it has an end, ends.
func (p page) begin(m *moment, w *When) {
	if m.OpenStart { // until 17:00
		p.set(&w.End, m)
		return
	}
	p.set(&w.Start, m)
	w.StartFrom, w.Afternoon = m.source(), m.Assumed && m.NoDay
	if m.ranged() && w.End == nil {
		last := minutes(m.TimeRange.End.In(p.now.Location()))
		w.End = &last
	}
}

// set takes the time of a moment, unless one was found before.
func (p page) set(field **int, m *moment) {
	if *field != nil {
		return
	}
	at := m.TimeRange.Start
	if m.OpenStart {
		at = m.TimeRange.End
	}
	n := minutes(at.In(p.now.Location()))
	*field = &n
}

// minutes are those from midnight.
func minutes(t time.Time) int { return t.Hour()*60 + t.Minute() }
