package slots

import (
	"cmp"
	"slices"
	"strings"
)

// tokensOf returns the tokens [from, to) that a stretch of text covers.
func (r *reading) tokensOf(start, end int) (from, to int) {
	from, _ = slices.BinarySearchFunc(r.tokens, start, func(t token, at int) int { return cmp.Compare(t.end, at+1) })
	for to = from; to < len(r.tokens) && r.tokens[to].start < end; to++ {
	}
	return from, to
}

// cutTimes cuts all times out of the title, but not days that name what is planned (クリスマス会).
func (i *interpreter) cutTimes() {
	named := make([]bool, len(i.r.tokens))
	for _, slot := range i.c.Slots {
		from, to := i.r.tokensOf(slot.Start, slot.End)
		switch slot.Type {
		case Frequency:
			i.cutTime(i.known(from, to))
		case Date, Time:
			if !i.anyTime(from, to) { // else only what is known to be a time is cut
				i.cutTime(from, to)
			}
		case Event, Other:
			for n := from; n < to; n++ {
				named[n] = true
			}
		case Person, Place:
		}
	}
	for _, e := range i.r.times {
		if from, to := i.r.tokensOf(e.Start, e.End); from < to && !(e.Holiday && named[from]) {
			i.cutTime(from, to)
		}
	}
}

// anyTime reports whether any of tokens [from, to) is known to be a time.
func (i *interpreter) anyTime(from, to int) bool {
	return slices.ContainsFunc(i.r.tokens[from:to], func(t token) bool { return t.time != 0 })
}

// known narrows tokens [from, to) to those that are known to be a time, if any is: of "weekly 1:1" the second is what is planned.
func (i *interpreter) known(from, to int) (first, end int) {
	first, end = to, from
	for n := from; n < to; n++ {
		if i.r.tokens[n].time != 0 {
			first, end = min(first, n), n+1
		}
	}
	if first >= end {
		return from, to
	}
	return first, end
}

// cutTime cuts tokens, and the small words that go with a time.
func (i *interpreter) cutTime(from, to int) {
	if i.r.lang == Japanese {
		to += i.behind(to)
	} else {
		for n := i.whole.before(from, i.f.timeBefore); n > 0; n = i.whole.before(from, i.f.timeBefore) {
			from -= n
		}
	}
	i.mark(from, to)
}

// behind is how many tokens the small word has that goes with a time which ends at token n. Of 14時にはるかを入れて it is に,
// although には is one too: who orders something seldom says は there, and は may begin the title.
func (i *interpreter) behind(n int) int {
	length := i.whole.at(n, i.f.behind)
	end := n + length
	if i.c.Operation != Create || length < 2 || end == len(i.r.tokens) {
		return length
	}
	if i.r.word(end-1) != "は" || !i.whole.oneWord(end-1) {
		return length
	}
	shorter := strip{i.r.tokens, i.f, i.whole.keep[:end-1]}
	return shorter.at(n, i.f.behind)
}

// cutPlace cuts tokens with the small words that make them only where it is. Where there are none the place is part of the title:
// 空港に行く, "go to the airport".
func (i *interpreter) cutPlace(from, to int) {
	if i.r.lang == Japanese {
		for end := to - 1; end <= to; end++ { // the tagger may have taken the particle for part of the place
			if n := i.whole.at(end, i.f.behind); n > 0 && strings.Contains(i.r.piece(end, end+n).Text, "で") {
				i.mark(from, end+n)
				return
			}
		}
		return
	}
	n := i.whole.before(from, i.f.placeBefore)
	if n > 0 || i.whole.at(from, i.f.placeBefore) > 0 {
		i.mark(from-n, to)
	}
}

func (i *interpreter) mark(from, to int) {
	for n := max(0, from); n < min(to, len(i.cut)); n++ {
		i.cut[n] = true
	}
}
