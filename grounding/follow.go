package grounding

import (
	"slices"
	"time"

	"annai/civil"
)

// follows reports whether a number follows from others by arithmetic: a price for several, a sum or
// a difference of two that the sentence says as well, a length of time between two times, a count
// of what is listed.
func (t *trial) follows(f *fact) bool {
	if f.kind == day {
		return t.daysBefore(f)
	}
	if f.kind != money && f.kind != number {
		return false
	}
	if f.kind == number && f.role == at && oneOf(f) {
		return true
	}
	return combined(f, t.told(f)) ||
		f.kind == number && f.role == at && t.counts(f)
}

// multiplied reports whether a number is one of the evidence so many times over as the visitor said,
// or as the sentence does that says that one too.
func (t *trial) multiplied(f, g *fact) bool {
	if f.kind != money && f.kind != number || g.kind != f.kind || g.unit != f.unit {
		return false
	}
	return times(f, g, pointers(t.c.said)) || t.states(g) && times(f, g, t.told(f))
}

// oneOf reports whether a number is one of what is counted, which says nothing: 1時間150円, one
// person.
func oneOf(f *fact) bool {
	if f.unit == perLength {
		for _, n := range [...]int{60, 3600, secondsOfDay} {
			if f.n == n*100 {
				return true
			}
		}
		return false
	}
	return f.n == 100 && (f.unit == perPerson || f.unit == perEach || f.unit == "")
}

func pointers(facts []fact) []*fact {
	out := make([]*fact, len(facts))
	for i := range facts {
		out[i] = &facts[i]
	}
	return out
}

// told are the other facts of the sentence, and those of the visitor.
func (t *trial) told(but *fact) []*fact {
	var out []*fact
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			if f := &t.clauses[i].facts[j]; f != but {
				out = append(out, f)
			}
		}
	}
	if !t.namesEvent() { // how long it is until then
		out = append(out, &fact{kind: clock, n: minutes(t.c.now)})
	}
	return append(out, pointers(t.c.said)...)
}

// times reports whether f is g so many times over as somebody said.
func times(f, g *fact, told []*fact) bool {
	for _, n := range told {
		if n.kind != number || n.n < 200 {
			continue
		}
		by := n.n / 100
		if n.unit == perLength {
			for _, unit := range [...]int{60, 3600, secondsOfDay} {
				if n.n%(unit*100) == 0 && n.n/unit/100 > 1 && f.n == g.n*(n.n/unit/100) {
					return true
				}
			}
			continue
		}
		if n.n%100 == 0 && f.n == g.n*by {
			return true
		}
	}
	return false
}

// combined reports whether f is the sum or the difference of two that were told, or the time
// between two times of day.
func combined(f *fact, told []*fact) bool {
	for i, a := range told {
		for _, b := range told[i+1:] {
			switch {
			case a.kind == f.kind && b.kind == f.kind && a.unit == f.unit && b.unit == f.unit:
				if f.n == a.n+b.n || f.n == a.n-b.n || f.n == b.n-a.n {
					return true
				}
			case a.kind == clock && b.kind == clock && f.unit == perLength:
				if d := (b.n - a.n) * 6000; f.n == d || f.n == -d {
					return true
				}
			}
		}
	}
	return false
}

// daysBefore reports whether a day is so long before an event as the event says: two days before.
func (t *trial) daysBefore(f *fact) bool {
	for _, i := range t.items {
		it := &t.c.items[i]
		if it.Kind != Event {
			continue
		}
		first := it.first(t.c.now)
		for g := range it.facts() {
			if g.kind != number || g.unit != perLength || g.derived || g.n%(secondsOfDay*100) != 0 {
				continue
			}
			if f.equal(&fact{kind: day, n: ofDay(first.AddDays(-g.n / 100 / secondsOfDay))}) {
				t.used[i] = true
				return true
			}
		}
	}
	return false
}

// first is the first day of an event.
func (it *item) first(now time.Time) civil.Date {
	if it.AllDay {
		return it.FirstDay
	}
	return civil.DateOf(it.Start.In(now.Location()))
}

// counts reports whether a number counts what the sentence names, the times of day that it says, or
// the events of its days.
func (t *trial) counts(f *fact) bool {
	if f.unit != perEach && f.unit != "" {
		return false
	}
	names, clocks, days := map[string]bool{}, 0, []*fact{}
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			switch g := &t.clauses[i].facts[j]; g.kind {
			case name:
				names[g.text] = true
			case clock:
				clocks++
			case day, weekday, month:
				days = append(days, g)
			case money, number, literal:
			}
		}
	}
	events := 0
	for _, i := range t.items {
		if it := &t.c.items[i]; it.Kind == Event && (len(days) == 0 || it.on(days)) {
			events++
		}
	}
	n := f.n / 100
	return n > 1 && (n == len(names) || n == clocks) || n > 0 && n == events
}

// on reports whether an event is on one of some days.
func (it *item) on(days []*fact) bool {
	for _, d := range days {
		for j := range it.units[0].clauses[0].facts {
			if g := &it.units[0].clauses[0].facts[j]; d.equal(g) || d.kind == weekday && g.kind == weekday && d.n&g.n != 0 {
				return true
			}
		}
	}
	return false
}

// impossible says what is wrong with a fact by itself: a day that is none, a weekday that its day
// is not.
func (t *trial) impossible(f *fact) string {
	if t.empty(f) {
		return "a range without length"
	}
	d, ok := f.date(t.c.now)
	if !ok {
		return ""
	}
	if civil.DateOf(d.In(time.UTC)) != d {
		return "no such day"
	}
	if w := t.weekdayOf(f); w != nil && w.n>>int(d.In(time.UTC).Weekday())&1 == 0 {
		return "another weekday"
	}
	return ""
}

// empty reports whether a fact ends a range that begins with the same, or is told twice.
func (t *trial) empty(f *fact) bool {
	return slices.ContainsFunc(t.clauses, func(c clause) bool {
		return slices.ContainsFunc(c.facts, func(g fact) bool {
			same := g.kind == f.kind && g.n == f.n && g.unit == f.unit && g.text == f.text
			return same && f.kind != day && g.end < f.start && joined(t.text[g.end:f.start], "pairs")
		})
	})
}

// weekdayOf is the weekday that a sentence says of a day: 6月20日(土), Saturday, June 20.
func (t *trial) weekdayOf(f *fact) *fact {
	const near = 6 // bytes between them
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			w := &t.clauses[i].facts[j]
			if between := max(w.start-f.end, f.start-w.end); w.kind == weekday && between >= 0 && between <= near {
				return w
			}
		}
	}
	return nil
}

// sameDate reports whether a weekday is that of a day beside it.
func (t *trial) sameDate(w *fact) bool {
	if w.kind != weekday {
		return false
	}
	for i := range t.clauses {
		for j := range t.clauses[i].facts {
			if f := &t.clauses[i].facts[j]; t.weekdayOf(f) == w {
				if _, ok := f.date(t.c.now); ok {
					return true
				}
			}
		}
	}
	return false
}

// wasSaid reports whether a fact is one of the visitor's own: six people, the day that was asked
// about. Prices and times of day are none.
func (t *trial) wasSaid(f *fact) bool {
	if f.kind == day {
		return sameDay(f.n, ofDay(civil.DateOf(t.c.now))) && !t.namesEvent()
	}
	if f.kind != number || f.role != at {
		return false
	}
	return slices.ContainsFunc(t.c.said, func(g fact) bool { return f.equal(&g) })
}
