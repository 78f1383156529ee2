package slots

import (
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu/datetime"
)

// sure is from where on the model of operations is believed when it takes a question for one, whatever verbs stand in it.
const sure = 0.8

// change makes an Update of a command that says what is to be changed, and finds what becomes of it.
func (i *interpreter) change() {
	if i.c.Operation == Query && i.c.Confidence >= sure {
		return
	}
	verb := i.verbOfChange()
	if verb < 0 {
		return
	}
	i.c.Operation, i.c.Remind = Update, false
	from, to := i.newPart(verb)
	if from < to {
		i.newTimes(from, to)
		i.newPlace(from, to)
	}
	i.shift()
}

// verbOfChange returns the token at which the verb begins that makes a command a change, or -1: in Japanese it is the last verb, in
// English the first, where a request begins.
func (i *interpreter) verbOfChange() int {
	w := i.r.words
	found := -1
	for n, t := range i.r.tokens {
		isChange := t.begins&w.update != 0
		switch {
		case t.begins&(w.update|w.doing) == 0:
		case i.r.lang == Japanese:
			found = -1
			if isChange {
				found = n
			}
		case !isChange:
			return -1
		case n == 0 || i.whole.before(n, i.f.opener) > 0:
			return n
		}
	}
	return found
}

// newPart returns the tokens [from, to) that say what is new: behind を in AをBに変更して, behind "to" in "move A to B".
func (i *interpreter) newPart(verb int) (from, to int) {
	if i.r.lang == Japanese {
		for from = verb; from > 0; from-- {
			if t := i.r.tokens[from-1]; i.r.text[t.start:t.end] == "を" {
				break
			}
		}
		return from, verb
	}
	for n := verb + 1; n < len(i.r.tokens); n++ {
		switch t := i.r.tokens[n]; foldASCII(i.r.text[t.start:t.end]) {
		case "to", "until", "from":
			return n, len(i.r.tokens)
		}
	}
	return 0, 0
}

// newTimes gives the times among tokens [from, to) to the change. A range with both ends says from when it is moved, and to when.
func (i *interpreter) newTimes(from, to int) {
	for _, e := range i.r.times {
		first, last := i.r.tokensOf(e.Start, e.End)
		if first >= last || last <= from || e.Kind == datetime.KindDuration || e.Kind == datetime.KindSet {
			continue
		}
		switch {
		case isFromTo(e):
			old, changed := bothEnds(e)
			i.c.Times = append(i.c.Times, old)
			i.c.Change.Times = append(i.c.Change.Times, changed)
		case first >= from && last <= to:
			i.c.Change.Times = append(i.c.Change.Times, e)
		default:
			continue
		}
		i.cutTime(first, last)
	}
}

// isFromTo reports whether an expression is a range whose two ends were said.
func isFromTo(e datetime.Expression) bool {
	if e.OpenStart || e.OpenEnd || e.TimeRange.Start.Equal(e.TimeRange.End) {
		return false
	}
	for _, mark := range [...]string{"から", "〜", "~", " to "} {
		if strings.Contains(e.Text, mark) {
			return true
		}
	}
	return false
}

// bothEnds are the two ends of a range, each by itself, with the text of both.
func bothEnds(e datetime.Expression) (from, to datetime.Expression) {
	e.Alternatives = nil
	from, to = e, e
	if e.Kind != datetime.KindDays {
		from.TimeRange.End, to.TimeRange.Start = e.TimeRange.Start, e.TimeRange.End
		return from, to
	}
	first, last := civil.DateOf(e.TimeRange.Start), civil.DateOf(e.TimeRange.End).AddDays(-1)
	loc := e.TimeRange.Location()
	from.Kind, from.Name, from.TimeRange = datetime.KindDay, datetime.Date, civil.Days(first, first.AddDays(1), loc)
	to.Kind, to.Name, to.TimeRange = datetime.KindDay, datetime.Date, civil.Days(last, last.AddDays(1), loc)
	return from, to
}

// newPlace gives the place among tokens [from, to) to the change.
func (i *interpreter) newPlace(from, to int) {
	for _, slot := range of(i.c.Slots, Place) {
		if first, last := i.r.tokensOf(slot.Start, slot.End); first >= from && last <= to {
			i.c.Change.Place = i.trimmed(slot.Piece)
			i.mark(first, last)
		}
	}
}

// shift reads by how much it is moved (1時間遅らせて, "push it back by an hour"), or else how long it becomes.
func (i *interpreter) shift() {
	for _, e := range i.r.times {
		if e.Kind != datetime.KindDuration {
			continue
		}
		length := time.Duration(e.Seconds) * time.Second
		switch {
		case i.said&i.f.earlier != 0:
			i.c.Change.Shift = -length
		case i.said&i.f.later != 0:
			i.c.Change.Shift = length
		default:
			i.c.Change.Duration = length
		}
		i.cutTime(i.r.tokensOf(e.Start, e.End))
		return
	}
}
