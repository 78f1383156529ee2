package grounding

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/civil"
)

// unsupported are the features of a clause that an item does not have, or has otherwise.
func (c *Checker) unsupported(cl *clause, it *item) []*feature {
	var out []*feature
	for i := range cl.features {
		f := &cl.features[i]
		if !c.supports(cl, f, it) {
			out = append(out, f)
		}
	}
	if len(out) == 0 && c.unanchored(cl, it) {
		return c.nearOnly(cl, it)
	}
	return out
}

// supports reports whether an item has a feature of a clause, with its sign and bound to the same words.
func (c *Checker) supports(cl *clause, f *feature, it *item) bool {
	switch f.kind {
	case role:
		return true
	case meaning:
		return it.means(cl, f)
	case word, literal:
		m := it.hasWord(f.text)
		if m == 0 {
			m = it.nearly(f)
		}
		return f.soft || m != 0 && (f.topic || it.agrees(m, f.negative))
	case day, weekday, clock, money, number:
		if f.kind == number && (f.count && c.counted(cl, f) || it.titled(cl, f) || it.hasOne(f) || cl.times(f)) {
			return true
		}
		return it.Kind == Event && (!f.negative || it.meanings[words().ids["cancel"]]&affirmed != 0) && c.eventHas(f, it) || it.textHas(cl, f) || it.hasYear(f)
	case suspect:
	}
	return false
}

// means reports whether one of the meanings of a word is in the item with its sign.
func (it *item) means(cl *clause, f *feature) bool {
	for _, id := range f.ids {
		if id.id == theVenue {
			return true
		}
		if !it.leadsThere(f, id.id) {
			continue
		}
		want := signOf(id.sign, f.negative)
		m := it.meanings[id.id]
		if id.id == words().ids["monthly"] && cl.nthWeekday() {
			return true // the second Tuesday is one of each month
		}
		if m == 0 && cl.inSeason(id.id) {
			return true
		}
		if id.id == words().ids["child"] && want == affirmed && it.ofChildren() {
			return true
		}
		if id.id == words().ids["fee"] && want == affirmed && m&denied == 0 && slices.ContainsFunc(it.values, func(b bound) bool { return b.kind == money }) {
			return true // the fee is 500 yen
		}
		if id.id >= theVenue && f.negative && !cl.needless && !deniesMore(cl) && m&named == 0 {
			continue
		}
		if f.excepted && id.id >= theVenue && m&excepted == 0 {
			continue
		}
		if m != 0 && (f.topic || id.id >= theVenue) {
			return true
		}
		if m == 0 || !it.agrees(m, want == denied) {
			continue
		}
		if words().opposed[id.id] && it.ofOthers(cl, f, id.id, want) {
			continue
		}
		if m&affirmed == 0 || m&denied == 0 || cl.closesAt() >= 0 || it.leans(cl, f, id.id, want) {
			return true
		}
	}
	return it.meansNearly(f) || it.names(cl, f)
}

// names reports whether an item has, as it stands, the name of which a word is a part: the red of 赤煉瓦文化館.
func (it *item) names(cl *clause, f *feature) bool {
	name := cl.compound(f)
	if utf8.RuneCountInString(name) < minName || len(name) == f.end-f.start {
		return false
	}
	m := it.hasText(name)
	return m != 0 && (f.topic || it.agrees(m, f.negative))
}

// minName is how many characters of kanji and katakana written together are a name at least.
const minName = 5

// compound is the stretch of kanji and katakana that a word stands in.
func (c *clause) compound(f *feature) string {
	from, to := f.start-c.start, f.end-c.start
	if from < 0 || to > len(c.text) {
		return ""
	}
	joins := func(r rune) bool { s := scriptOf(r); return s == kanji || s == katakana }
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(c.text[:from])
		if !joins(r) {
			break
		}
		from -= size
	}
	for to < len(c.text) {
		r, size := utf8.DecodeRuneInString(c.text[to:])
		if !joins(r) {
			break
		}
		to += size
	}
	return c.text[from:to]
}

// meansNearly reports whether an item has, of a meaning that it does not have, a word near to it with its sign.
func (it *item) meansNearly(f *feature) bool {
	if len(f.near) == 0 || slices.ContainsFunc(f.ids, func(s signed) bool { return it.meanings[s.id] != 0 }) {
		return false
	}
	m := it.nearly(f)
	return m != 0 && (f.topic || it.agrees(m, f.negative))
}

// seasons are the months that are called so.
var seasons = map[string][]time.Month{
	"winter": {time.December, time.January, time.February, time.March}, "spring": {time.March, time.April, time.May},
	"summer": {time.June, time.July, time.August, time.September},
}

// inSeason reports whether a meaning is the season of the months that a clause names: 冬の12月から3月.
func (c *clause) inSeason(id int) bool {
	for name, months := range seasons {
		if id != words().ids[name] {
			continue
		}
		return slices.ContainsFunc(c.features, func(f feature) bool {
			return f.kind == day && slices.Contains(months, f.days.first.Month) && slices.Contains(months, f.days.last.Month)
		})
	}
	return false
}

// ofChildren reports whether an item names an age that only children have: 4歳から.
func (it *item) ofChildren() bool {
	return slices.ContainsFunc(it.values, func(b bound) bool { return b.kind == number && b.text == perAge && b.a < 1800 })
}

// nthWeekday reports whether a clause names a weekday by its place in the month.
func (c *clause) nthWeekday() bool {
	for i := range c.features[:max(0, len(c.features)-1)] {
		f := &c.features[i]
		nth := f.kind == number && f.text == "" || f.kind == meaning && f.ids[0].id == words().ids["lastof"]
		if nth && c.features[i+1].kind == weekday {
			return true
		}
	}
	return false
}

// deniesMore reports whether a clause denies anything besides names.
func deniesMore(cl *clause) bool {
	return slices.ContainsFunc(cl.features, func(g feature) bool {
		return g.negative && g.kind != role && (g.kind != meaning || g.ids[0].id < theVenue)
	})
}

// ofOthers reports whether an item says "free", "closed" and the like only of things that it names beside them, and of none that the clause
// names: "knives are free" is not said of blankets.
func (it *item) ofOthers(cl *clause, f *feature, id int, want mask) bool {
	label := cl.label(f)
	if !worded(label) || it.titles(label) {
		return false
	}
	found := false
	for i := range it.mentions {
		v := &it.mentions[i]
		if v.id != id || v.sign != want {
			continue
		}
		if shared, _ := overlap(label, v.label); shared > 0 || !worded(v.label) {
			return false
		}
		found = true
	}
	return found
}

// worded reports whether a label has a word.
func worded(label []*feature) bool {
	return slices.ContainsFunc(label, func(f *feature) bool { return f.kind == word && !f.soft || f.kind == meaning })
}

// titles reports whether the title of an item has something of a label.
func (it *item) titles(label []*feature) bool {
	return slices.ContainsFunc(label, func(f *feature) bool {
		return slices.ContainsFunc(it.title, func(g feature) bool { return f.same(&g) })
	})
}

// leans reports whether an item that has a meaning with both signs has it with this one where it speaks of what the clause
// speaks of.
func (it *item) leans(cl *clause, f *feature, id int, want mask) bool {
	label := cl.label(f)
	best := map[mask]int{}
	for i := range it.mentions {
		if v := &it.mentions[i]; v.id == id {
			shared, _ := overlap(label, v.label)
			best[v.sign] = max(best[v.sign], shared+1)
		}
	}
	return best[want] >= best[(affirmed|denied)&^want]
}

// contradicts reports whether an item has a word of a clause with the other sign only.
func (it *item) contradicts(cl *clause) *feature {
	for i := range cl.features {
		f := &cl.features[i]
		if !f.topic && it.deniesNear(f) {
			return f
		}
		if f.kind != meaning || f.topic || f.ids[0].id >= theVenue {
			continue
		}
		other, same := false, false
		for _, id := range f.ids {
			m := it.meanings[id.id] & (affirmed | denied)
			other = other || m != 0
			same = same || m&signOf(id.sign, f.negative) != 0
		}
		if other && !same {
			return f
		}
	}
	return nil
}

// deniesNear reports whether an item has words near to one of a clause with the other sign only.
func (it *item) deniesNear(f *feature) bool {
	if !comparable(f) || !it.byNearness(f) {
		return false
	}
	m := it.nearly(f)
	return m != 0 && !it.agrees(m, f.negative)
}

// agrees reports whether what an item has fits a sign. What only its headings have takes the signs of its text.
func (it *item) agrees(m mask, negative bool) bool {
	if m == titled {
		m = it.sides
	}
	if negative {
		return m&denied != 0
	}
	return m&affirmed != 0
}

// eventHas reports whether a value is one of the fields of an event.
func (c *Checker) eventHas(f *feature, it *item) bool {
	first, last, from, until := it.span(c.loc)
	switch f.kind {
	case day:
		return c.eventOn(f, first, last)
	case weekday:
		return c.eventOnWeekday(f, first, last)
	case clock:
		return eventAt(f, from, until)
	case number:
		days := last.Sub(first) + 1
		return f.text == perLength && (f.a == c.length(it)*100 || days > 1 && f.a == days*86400*100)
	case meaning, word, role, money, literal, suspect:
	}
	return false
}

// length is how long an event lasts, in seconds.
func (c *Checker) length(it *item) int {
	if it.AllDay {
		return it.EndDay.Sub(it.FirstDay) * 86400
	}
	if it.End.IsZero() {
		return -1
	}
	return int(it.End.Sub(it.Start).Seconds())
}

func (c *Checker) eventOn(f *feature, first, last civil.Date) bool {
	d := f.days
	if d.weekdays { // the weekdays of the event, whatever the week
		d.first = onWeekday(d.first, first)
		d.last = onWeekday(d.last, last)
	}
	switch {
	case d.period || d.weekend:
		return !first.After(d.last) && !last.Before(d.first)
	case f.ends == end:
		return d.last == last
	case f.ends == start:
		return d.first == first
	case d.first != d.last:
		return d.first == first && d.last == last
	case f.joined:
		return d.first == first
	}
	return !d.first.Before(first) && !d.first.After(last)
}

// onWeekday is day if the weekdays are the same, and said otherwise.
func onWeekday(said, day civil.Date) civil.Date {
	if said.Weekday() == day.Weekday() {
		return day
	}
	return said
}

func (c *Checker) eventOnWeekday(f *feature, first, last civil.Date) bool {
	for d, n := first, 0; !d.After(last) && n < 7; d, n = d.AddDays(1), n+1 {
		if int(d.Weekday()) == f.a || f.a == weekend && d.Weekday()%6 == 0 {
			return f.ends != end || d == last
		}
	}
	return false
}

// eventAt reports whether a clock time is that of an event, on the side it is said to be.
func eventAt(f *feature, from, until int) bool {
	if from < 0 {
		return false
	}
	if f.days.period { // this evening
		return from >= f.a-60 && from < f.b || until > f.a && from < f.b
	}
	switch f.ends {
	case whole:
		return sameTime(f, f.a, from) && sameTime(f, f.b, until)
	case end:
		return until >= 0 && sameTime(f, f.a, until)
	case at, start:
	}
	return sameTime(f, f.a, from)
}

func sameTime(f *feature, said, is int) bool {
	return said == is || f.loose && (said+720)%1440 == is
}

// titled reports whether a number is part of the title, with what stands before it: "Vol. 4".
func (it *item) titled(cl *clause, f *feature) bool {
	head := strings.TrimRight(cl.text[:max(0, min(len(cl.text), f.start-cl.start))], " ")
	if len(head) < 3 || f.end-cl.start > len(cl.text) {
		return false
	}
	figures := cl.text[f.start-cl.start : f.end-cl.start]
	title, i := it.heading, 0
	for {
		n := strings.Index(title[i:], figures)
		if n < 0 {
			return false
		}
		before := strings.TrimRight(title[:i+n], " ")
		if len(before) >= 3 && strings.HasSuffix(head, before[len(before)-3:]) {
			return true
		}
		i += n + len(figures)
	}
}

// times reports whether a number says how many clock times the clause names: 11時、13時、15時の3回.
func (c *clause) times(f *feature) bool {
	n := 0
	for i := range c.features {
		if g := &c.features[i]; g.kind == clock && !g.days.period {
			n++
		}
	}
	return f.text == perEach && !f.negative && n > 1 && f.a == n*100
}

// lengths are the English words for one of a unit of time, by its seconds.
var lengths = map[int]string{60: "minute", 3600: "hour", 86400: "day", 7 * 86400: "week", 30 * 86400: "month", 365 * 86400: "year"}

// hasOne reports whether a length of one unit is in the text without a number: "for a month".
func (it *item) hasOne(f *feature) bool {
	w := lengths[f.b]
	return f.text == perLength && f.a == f.b*100 && w != "" && !f.negative &&
		(strings.Contains(it.text, "a "+w) || strings.Contains(it.text, "an "+w) || strings.Contains(it.text, "per "+w))
}

// hasYear reports whether a number is the year of a day in the text: "2019" of "August 2019".
func (it *item) hasYear(f *feature) bool {
	return f.kind == number && f.text == "" && !f.negative && slices.ContainsFunc(it.values, func(b bound) bool {
		return b.kind == day && !b.days.anyYear && b.days.first.Year*100 == f.a
	})
}

// counted reports whether a number of events is right: of all, or of those on the days the clause names.
func (c *Checker) counted(cl *clause, f *feature) bool {
	n := 0
	for i := range c.items {
		it := &c.items[i]
		if it.Kind != Event {
			continue
		}
		in := true
		for j := range cl.features {
			if d := &cl.features[j]; d.kind == day && !it.overlaps(d.days.first, d.days.last, c.loc) {
				in = false
			}
		}
		if in {
			n++
		}
	}
	return f.a == n*100 && !f.negative
}
