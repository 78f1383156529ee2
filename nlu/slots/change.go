package slots

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
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
	i.fromItself()
	from, to := i.newPart(verb)
	if from < to {
		i.newTimes(from, to)
		i.newName(verb, from, to)
	}
	i.shift()
}

// verbOfChange returns the token at which the verb begins that makes a command a change, or -1: in Japanese it is the last verb, in
// English the first, where a request begins.
func (i *interpreter) verbOfChange() int {
	if i.r.lang == Japanese {
		return i.lastVerbOfChange()
	}
	w := i.r.words
	for n, t := range i.r.tokens {
		isChange := t.begins&w.update != 0 || i.whole.at(n, i.f.changing) > 0 ||
			foldASCII(i.r.word(n)) == "make" && i.makesLength()
		switch {
		case !isChange && t.begins&w.doing == 0:
		case !isChange:
			return -1
		case n == 0 || i.whole.before(n, i.f.opener) > 0:
			return n
		}
	}
	return -1
}

// makesLength reports whether what is made is a length, and not an entry: "make the review longer",
// "make the review two hours".
func (i *interpreter) makesLength() bool {
	if i.said&(i.f.longer|i.f.shorter|i.f.long) != 0 {
		return true
	}
	for _, e := range i.r.times {
		from, to := i.r.tokensOf(e.Start, e.End)
		if e.Kind == datetime.KindDuration && to == len(i.r.tokens) && from > 1 {
			return i.whole.before(from, i.f.timeBefore) == 0
		}
	}
	return false
}

// lastVerbOfChange is verbOfChange for Japanese, where 15時からにして is a change as well.
func (i *interpreter) lastVerbOfChange() int {
	w, found := i.r.words, -1
	for n, t := range i.r.tokens {
		isChange := t.begins&w.update != 0 || i.whole.at(n, i.f.changing) > 0
		switch {
		case isChange, i.whole.at(n, i.f.become) > 0 && i.isNew(n):
			found = n
		case t.begins&w.doing != 0:
			found = -1
		}
	}
	return found
}

// isNew reports whether what stands between を and token n is only a time.
func (i *interpreter) isNew(n int) bool {
	from, _ := i.newPart(n)
	if from == 0 {
		return false
	}
	for _, t := range i.r.tokens[from:n] {
		if t.time == 0 {
			return false
		}
	}
	return from < n
}

// fromItself reads a time that counts from when the entry is, and not from now: 1時間前にずらして, "an hour
// earlier".
func (i *interpreter) fromItself() {
	for _, e := range i.r.times {
		if e.FromNow < 0 || e.FromNow > 0 && (e.OfThat || i.said&i.f.later != 0) {
			i.c.Change.Shift = e.FromNow
			i.cutTime(i.r.tokensOf(e.Start, e.End))
		}
	}
}

// newPart returns the tokens [from, to) that say what is new: behind を in AをBに変更して, behind は in
// Aは明日に変更して, behind "to" in "move A to B", and of what is rescheduled also behind "for".
func (i *interpreter) newPart(verb int) (from, to int) {
	if i.r.lang == Japanese {
		for from = verb; from > 0; from-- {
			particle := i.r.word(from - 1)
			behindPause := i.r.tokens[from].stop && i.names(from)
			if particle == "を" || (particle == "は" || behindPause) && i.r.tokens[from].time != 0 {
				break
			}
		}
		return from, verb
	}
	forTime := 0
	for n := verb + 1; n < len(i.r.tokens); n++ {
		switch foldASCII(i.r.word(n)) {
		case "to", "until", "from":
			return n, len(i.r.tokens)
		case "for":
			if n+1 < len(i.r.tokens) && i.r.tokens[n+1].time != 0 {
				forTime = n
			}
		}
	}
	if forTime > 0 && foldASCII(i.r.word(verb)) == "reschedule" {
		return forTime, len(i.r.tokens)
	}
	return 0, 0
}

// names reports whether anything but times stands before token n: 16時の打ち合わせ、|17時からにして.
func (i *interpreter) names(n int) bool {
	for k := 0; k < n; k++ {
		if i.r.tokens[k].time == 0 && i.whole.at(k, i.f.behind|i.f.particle|i.f.answer) == 0 {
			return true
		}
	}
	return false
}

// newTimes gives the times among tokens [from, to) to the change. A range with both ends says from when it is moved, and to when.
func (i *interpreter) newTimes(from, to int) {
	for _, e := range i.r.times {
		first, last := i.r.tokensOf(e.Start, e.End)
		if first >= last || last <= from || i.cut[first] || e.Kind == datetime.KindDuration || e.Kind == datetime.KindSet {
			continue
		}
		switch {
		case isFromTo(e):
			old, changed := bothEnds(e)
			i.c.Times = append(i.c.Times, old)
			i.c.Change.Times = append(i.c.Change.Times, changed)
		case first >= from && first < to:
			i.c.Change.Times = append(i.c.Change.Times, closed(e))
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

// closed is the end that was said of an expression with one: what is postponed until Monday is on Monday then, and what is changed to 15時から begins
// at three.
func closed(e datetime.Expression) datetime.Expression {
	if e.OpenStart == e.OpenEnd {
		return e
	}
	from, to := bothEnds(e)
	if e.OpenStart {
		from = to
	}
	from.OpenStart, from.OpenEnd = false, false
	return from
}

// newName gives the place or the title among tokens [from, to) to the change: what is changed says which of them it is (AのタイトルをBに), or
// else what stands there.
func (i *interpreter) newName(verb, from, to int) {
	kind := i.changed(verb, from)
	piece := i.untimed(from, to)
	switch {
	case piece.Text == "" || kind&i.f.timeOf != 0:
	case kind&i.f.titleOf != 0:
		i.c.Change.Title = piece
		i.mark(from, to)
	case kind&i.f.placeOf != 0 || len(i.c.Change.Times) == 0 && i.namesPlace(from, to):
		i.c.Change.Place = piece
		i.mark(from, to)
	}
}

// changed finds the words that say what of an entry is changed, which are no part of its title, and returns the list they are of.
func (i *interpreter) changed(verb, from int) (list classes) {
	for _, list := range [...]classes{i.f.placeOf, i.f.titleOf, i.f.timeOf} {
		if i.r.lang == Japanese {
			if n := i.whole.before(from-1, list); n > 0 && from > n+1 {
				i.mark(from-1-n, from)
				return list
			}
			continue
		}
		for n := verb; n < from && n <= verb+2; n++ { // change the location of
			if length := i.whole.at(n, list); length > 0 {
				i.mark(verb, n+length)
				return list
			}
		}
	}
	return 0
}

// untimed is what is said in tokens [from, to) without times and the small words at its ends.
func (i *interpreter) untimed(from, to int) Piece {
	for from < to && (i.cut[from] || i.r.tokens[from].time != 0 || i.isSmall(from)) {
		from++
	}
	end := from
	for end < to && !i.cut[end] && i.r.tokens[end].time == 0 {
		end++
	}
	s := &strip{i.r.tokens, i.f, slices.Clone(i.whole.keep[from:end])}
	s.dropTail(i.f.particle | i.f.polite)
	if len(s.keep) == 0 {
		return Piece{}
	}
	return i.r.piece(s.keep[0], s.keep[len(s.keep)-1]+1)
}

// isSmall reports whether a token stands before what is new in English and is no part of it.
func (i *interpreter) isSmall(n int) bool {
	if i.r.lang == Japanese {
		return false
	}
	switch foldASCII(i.r.word(n)) {
	case "to", "the", "a", "an", "at", "in", "until", "from":
		return true
	}
	return false
}

// namesPlace reports whether a place stands in tokens [from, to).
func (i *interpreter) namesPlace(from, to int) bool {
	for _, slot := range of(i.c.Slots, Place) {
		if first, last := i.r.tokensOf(slot.Start, slot.End); first >= from && last <= to {
			return true
		}
	}
	for _, t := range i.r.tokens[from:to] {
		if t.classes&i.r.words.place != 0 {
			return true
		}
	}
	return false
}

// shift reads by how much it is moved (1時間遅らせて, "push it back by an hour"), or else how long it becomes.
func (i *interpreter) shift() {
	for _, e := range i.r.times {
		if e.Kind != datetime.KindDuration {
			continue
		}
		length := time.Duration(e.Seconds) * time.Second
		from, to := i.r.tokensOf(e.Start, e.End)
		switch {
		case i.becomes(from, to):
			i.c.Change.Duration = length
		case i.said&i.f.shorter != 0:
			i.c.Change.Extend = -length
		case i.said&i.f.longer != 0:
			i.c.Change.Extend = length
		case i.said&i.f.earlier != 0:
			i.c.Change.Shift = -length
		case i.said&i.f.later != 0:
			i.c.Change.Shift = length
		default:
			i.c.Change.Duration = length
		}
		i.cutTime(from, to)
		return
	}
}

// becomes reports whether the length of time in tokens [from, to) is what something becomes: 1時間に短くして, "shorten it to one hour", "make it
// one hour long".
func (i *interpreter) becomes(from, to int) bool {
	if i.r.lang == Japanese {
		return to < len(i.r.tokens) && i.r.word(to) == "に"
	}
	return from > 0 && foldASCII(i.r.word(from-1)) == "to" || i.whole.at(to, i.f.long) > 0
}
