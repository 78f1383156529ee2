package grounding

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu/datetime"
)

// nextDays are words for the day after one already named. They are not counted from now.
var nextDays = []string{"the next day", "the following day", "the next morning", "the following morning", "next morning", "翌朝", "翌日", "次の日", "翌", "year-end", "year end", "前日", "the day before", "当日", "on the day", "一年を"}

// readTimes reads the days and clock times of a text and makes them blank. What recurs, and a weekday by itself, is left to the
// reader of words; a length of time to that of numbers.
func readTimes(text []byte, now time.Time) []feature {
	if i := bytes.Index(text, []byte("一日")); i >= 0 && !bytes.HasSuffix(text[:i], []byte("月")) {
		blank(text, i, i+len("一日"))
	}
	blankPerDay(text)
	for _, w := range nextDays {
		if w == "翌" || w == "翌日" || w == "翌朝" || strings.HasSuffix(w, "morning") || w == "次の日" || strings.HasPrefix(w, "year") || strings.HasSuffix(w, "ing day") || w == "the next day" {
			blankAll(text, w, 0)
		}
	}
	if i := bytes.Index(text, []byte("12 noon")); i >= 0 {
		blank(text, i, i+3)
	}
	plain := bytes.Clone(text)
	hideRecurring(plain)
	out := partsOfDays(text)
	if bytes.Contains(plain, []byte(" and ")) {
		joinDays(plain)
	}
	if bytes.Contains(plain, []byte("午後")) {
		for _, at := range afternoon.FindAllSubmatchIndex(plain, -1) {
			blank(plain, at[2], at[3])
		}
	}
	for _, w := range nextDays {
		blankAll(plain, w, 0)
	}
	for _, w := range besides {
		blankAll(plain, w.form, w.keep)
	}
	blankCounted(plain)
	for _, w := range []string{"時より", "分より", "半より", "日より"} {
		plain = bytes.ReplaceAll(plain, []byte(w), []byte(strings.TrimSuffix(w, "より")+"      "))
	}
	plain = bytes.ReplaceAll(plain, []byte("まで、"), []byte("まで|||"))
	blankIn(plain, "in ")
	blankIn(plain, "for ")
	for _, w := range []string{"hours,", "hour,", "minutes,", "時間、", "分、"} {
		for i := bytes.Index(plain, []byte(w)); i >= 0; i = bytes.Index(plain, []byte(w)) {
			end := i + len(w)
			for j := end - len(strings.TrimLeft(w, "abcdefghijklmnopqrstuvwxyz時間分")); j < end; j++ {
				plain[j] = '|'
			}
		}
	}
	for _, e := range datetime.Explain(string(plain), now) {
		if e.Kind == datetime.KindSet {
			out = append(out, onceTimes(text[e.Start:e.End], e.Start, now)...)
		}
		if e.Kind == datetime.KindDuration || e.Kind == datetime.KindSet {
			continue
		}
		t := reading{e.Expression, e.Named, e.Start, e.End}
		if t.bareWeekday() || t.named("workdays") || t.bareNumber() {
			continue
		}
		out = append(out, t.features()...)
		blank(text, e.Start, e.Start+t.read(e.Text))
		if bytes.HasPrefix(text[e.End:], []byte("'s")) { // tomorrow's
			blank(text, e.End, e.End+len("'s"))
		}
	}
	return append(out, bareHours(text)...)
}

// recurring are words that make a time one that recurs.
var recurring = []string{"every day", "each day", "daily", "every", "each", "weekends", "weekdays", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "毎日", "毎週"}

// onceTimes reads the clock times of a recurring expression and makes them blank; its days are left to the reader of words.
func onceTimes(text []byte, from int, now time.Time) []feature {
	plain := bytes.Clone(text)
	for _, w := range recurring {
		blankAll(plain, w, 0)
	}
	var out []feature
	for _, e := range datetime.Explain(string(plain), now) {
		t := reading{e.Expression, e.Named, from + e.Start, from + e.End}
		if (e.Kind != datetime.KindTime || !t.named("clock")) && !(len(t.names) == 1 && t.named("month")) {
			continue
		}
		out = append(out, t.features()...)
		blank(text, e.Start, e.End)
	}
	return out
}

// besides are the ends of forms that say how far something is from a time beside them. Without them the length and the time stay
// two values: "10 minutes before closing at 22:00".
var besides = []struct {
	form string
	keep int
}{{"分前", 3}, {"分後", 3}, {"分ほど前", 3}, {"分ほど後", 3}, {"分くらい前", 3}, {"分程度前", 3}, {"時間前", 6}, {"時間後", 6}, {"minutes before", 8}, {"minutes after", 8}, {"hours before", 6}, {"hour before", 5}}

// blankAll makes a form blank wherever it stands, all but the first bytes of it.
func blankAll(text []byte, form string, keep int) {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(form))
		if i < 0 {
			return
		}
		blank(text, from+i+keep, from+i+len(form))
		from += i + len(form)
	}
}

var (
	// twoDays are two days of one month: December 19 and 20.
	twoDays = regexp.MustCompile(`\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?( and )(?:the )?(\d{1,2})\b`)
	// afternoon stands before an hour that needs it not: 午後の13時.
	afternoon = regexp.MustCompile(`(午後の?)(?:1[3-9]|2[0-3])[時:]`)
)

// joinDays makes a range of two days that follow each other.
func joinDays(text []byte) {
	for _, at := range twoDays.FindAllSubmatchIndex(text, -1) {
		first, _ := strconv.Atoi(string(text[at[2]:at[3]]))
		if last, _ := strconv.Atoi(string(text[at[6]:at[7]])); last == first+1 {
			copy(text[at[4]:], "  -  ")
		}
	}
}

// blankPerDay makes the 1日 of 1日2回 blank: it is no day of a month.
func blankPerDay(text []byte) {
	for _, w := range [...]string{"1日あたり", "1日につき", "一日あたり", "一日につき"} {
		blankAll(text, w, 0)
	}
	for i := 0; i+len("1日") < len(text); i++ {
		next := text[i+len("1日")]
		if strings.HasPrefix(string(text[i:]), "1日") && next >= '0' && next <= '9' && (i == 0 || text[i-1] < '0' || text[i-1] > '9') && !strings.HasSuffix(string(text[:i]), "月") {
			blank(text, i, i+len("1日"))
		}
	}
}

// blankCounted makes figures that count or number something blank, so that no time is read to end with them: 19時から、1階で.
func blankCounted(text []byte) {
	for i := 0; i < len(text); {
		n, next := readNumber(text, i)
		if n.kind != 0 && n.end > n.start && n.text != perLength && (n.kind == money || n.text == perPerson || n.text == perFloor && text[n.end-1] >= 0x80 || n.text == perEach || n.text == perPercent) {
			blank(text, n.start, n.end)
		}
		i = max(next, i+1)
	}
}

// blankIn makes the "in" of "in two-hour slots" and the "for" of "at 14:30 for 15 minutes" something that no time is read across:
// nothing in an answer is counted from now in hours, and a length is no end.
func blankIn(text []byte, word string) {
	for i := 0; i+len(word)+1 < len(text); i++ {
		if string(text[i:i+len(word)]) != word || i > 0 && text[i-1] != ' ' {
			continue
		}
		j := i + len(word)
		if text[j] >= '0' && text[j] <= '9' && (j+2 >= len(text) || text[j+2] < '0' || text[j+2] > '9') || englishNumbers[string(text[j:latinEnd(text, j)])] > 0 {
			blank(text, i, j-1)
			text[i] = '|'
		}
	}
}

// A reading is a temporal expression and what it names.
type reading struct {
	datetime.Expression
	names    []string
	from, to int
}

func (t *reading) named(name string) bool { return slices.Contains(t.names, name) }

var dateNames = []string{
	"year", "month", "week", "weekend", "start, middle or end", "day of the month", "which one of the month", "weekday", "holiday by rule", "known days", "part of the year",
}

// weekdayOfMonth reports whether it is a weekday of a month, whichever: 7月の土曜.
func (t *reading) weekdayOfMonth() bool {
	return len(t.names) == 2 && t.named("month") && t.named("weekday") && strings.Contains(t.Text, "曜")
}

// read is how much of its text is read: a weekday of a month is left to the reader of words.
func (t *reading) read(text string) int {
	if i := strings.Index(text, "曜"); i >= 3 && t.weekdayOfMonth() {
		return i - 3
	}
	return len(text)
}

// dated reports whether it names a day besides a weekday.
func (t *reading) dated() bool {
	return slices.ContainsFunc(dateNames, func(n string) bool { return n != "weekday" && t.named(n) })
}

// bareWeekday reports whether it is nothing but a weekday, whichever week.
func (t *reading) bareWeekday() bool {
	nth := t.named("which one of the month") && (!t.named("month") || !strings.ContainsAny(t.Text, "0123456789"))
	return t.named("weekday") && !t.named("other end") && !t.hasTime() && (!t.dated() || t.Past || nth)
}

// bareNumber reports whether it is a length that was counted from now: in an answer "10 days before" is counted from something else.
func (t *reading) bareNumber() bool {
	if t.named("clock") {
		return false
	}
	if len(t.names) == 1 && t.named("day of the month") && t.Text[0] < 0x80 && !strings.ContainsAny(t.Text, "0123456789") {
		return true // the second floor
	}
	if t.named("weekend") && !strings.ContainsAny(t.Text, "今来先") && !strings.Contains(t.Text, "this") && !strings.Contains(t.Text, "next") {
		return true // the weekend of any week
	}
	return t.named("instant") || t.named("known days") && strings.ContainsAny(t.Text, "0123456789")
}

func (t *reading) hasTime() bool {
	return t.named("clock") || t.named("part of the day") || t.named("instant")
}

func (t *reading) features() []feature {
	if t.Invalid || t.Conflict || t.otherWeekday() {
		return []feature{{kind: suspect, text: "no such date: " + t.Text, start: t.from, end: t.to}}
	}
	if len(t.names) == 1 && t.named("year") {
		return []feature{{kind: number, a: t.year() * 100, start: t.from, end: t.to}}
	}
	var out []feature
	ends := t.ends()
	if t.named("weekday") && !t.dated() && !t.named("other end") {
		out = append(out, feature{kind: weekday, a: int(t.TimeRange.Start.Weekday())})
	} else if !t.NoDay && (t.dated() || t.named("weekday")) {
		out = append(out, feature{kind: day, days: t.days(), ends: ends, joined: t.hasTime()})
	}
	if t.hasTime() {
		out = append(out, t.clock(ends))
	}
	for i := range out {
		out[i].start, out[i].end = t.from, t.to
	}
	return out
}

// otherWeekday reports whether it says a weekday that its day is not: "next Saturday, February 19" of a Friday.
func (t *reading) otherWeekday() bool {
	if !t.named("day of the month") || t.named("other end") || t.OpenStart || t.OpenEnd {
		return false
	}
	for _, w := range strings.FieldsFunc(t.Text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if d, ok := englishWeekdays[w]; ok && d != t.TimeRange.Start.Weekday() {
			return true
		}
	}
	return false
}

// year is the year it names.
func (t *reading) year() int {
	if t.OpenStart {
		return t.TimeRange.End.AddDate(0, 0, -1).Year()
	}
	return t.TimeRange.Start.Year()
}

func (t *reading) ends() ends {
	switch {
	case t.OpenStart:
		return end
	case t.OpenEnd:
		return start
	case t.named("other end"):
		return whole
	}
	return at
}

func (t *reading) days() days {
	first, last := civil.DateOf(t.TimeRange.Start), civil.DateOf(t.TimeRange.End)
	if last.After(first) && t.TimeRange.End.Equal(last.In(t.TimeRange.Location())) {
		last = last.AddDays(-1)
	}
	if t.OpenStart {
		first = last
	}
	if t.OpenEnd {
		last = first
	}
	exact := t.named("day of the month") || t.named("weekday") && !t.weekdayOfMonth() || t.named("known days") || t.named("holiday by rule")
	return days{
		first: first, last: last, period: (!exact || t.named("which one of the month") && first != last) && !t.hasTime(), weekend: t.named("weekend") && t.Name == datetime.Weekend,
		weekdays: t.named("weekday") && !t.dated(), anyYear: !t.named("year"), relative: t.named("known days") && !t.Holiday || t.named("week"),
	}
}

// clock is the time of day it names: a and b in minutes from midnight. A part of the day is a period.
func (t *reading) clock(ends ends) feature {
	f := feature{kind: clock, ends: ends, a: minutes(t.TimeRange.Start), b: minutes(t.TimeRange.End), joined: !t.NoDay, loose: t.Assumed && t.NoDay || t.halfless()}
	f.days.period = !t.named("clock") && !t.named("instant")
	switch ends {
	case end:
		f.a = f.b
	case at, start:
		f.b = f.a
	case whole:
	}
	if f.days.period {
		f.a, f.b = minutes(t.TimeRange.Start), minutes(t.TimeRange.End)
		if f.b <= f.a {
			f.b += 24 * 60
		}
	}
	return f
}

// halfless reports whether nothing says which half of the day is meant: "half past nine".
func (t *reading) halfless() bool {
	if t.TimeRange.Start.Hour() > 12 || t.TimeRange.End.Hour() > 12 {
		return false
	}
	if t.TimeRange.Start.Hour() == 0 || strings.ContainsFunc(t.Text, func(r rune) bool { return r > 0x2E80 }) && strings.Contains(t.Text, ":") {
		return false
	}
	return !slices.ContainsFunc([]string{"a.m", "p.m", "am", "pm", "午", "朝", "夜", "夕", "昼", "morning", "evening", "night", "noon"}, func(w string) bool { return strings.Contains(t.Text, w) })
}

func minutes(t time.Time) int { return t.Hour()*60 + t.Minute() }
