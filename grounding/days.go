package grounding

import (
	"strings"
	"time"
	"unicode/utf8"

	"annai/civil"
)

// isoDate reads 2026-06-20 and 6/20.
func (r *reader) isoDate(n numeral) (fact, bool) {
	if !n.figures || n.end >= len(r.text) || !strings.ContainsRune("-/.", rune(r.text[n.end])) {
		return fact{}, false
	}
	sep := r.text[n.end]
	second, end := r.twoDigits(n.end + 1)
	if sep == '/' && isMonth(n.whole()) && isDay(second) {
		return fact{kind: day, n: n.whole()*100 + second, end: end}, true
	}
	if isYear(n.whole()) && isMonth(second) && end < len(r.text) && r.text[end] == sep {
		if d, last := r.twoDigits(end + 1); isDay(d) {
			return fact{kind: day, n: n.whole()*10000 + second*100 + d, end: last}, true
		}
	}
	return fact{}, false
}

// twoDigits reads a number of at most two digits.
func (r *reader) twoDigits(i int) (v, end int) {
	for end = i; end < len(r.text) && end < i+2 && isDigit(r.text[end]); end++ {
		v = v*10 + int(r.text[end]-'0')
	}
	if end < len(r.text) && isDigit(r.text[end]) {
		return 0, i
	}
	return v, end
}

func isMonth(n int) bool { return n > 0 && n < 13 }
func isDay(n int) bool   { return n > 0 && n < 32 }
func isYear(n int) bool  { return n > 1800 && n < 2200 }

// japaneseDay reads 2026年6月20日, 6月20日, 6月 and the 20日 of the month that was read before.
func (r *reader) japaneseDay(n numeral) (fact, bool) {
	year, v, end := 0, n.whole(), n.end
	if strings.HasPrefix(r.text[end:], "年") && isYear(v) {
		k, m := figures(r.text, end+len("年"))
		if k == end+len("年") || !strings.HasPrefix(r.text[k:], "月") {
			return fact{}, false
		}
		year, v, end = v, m/100, k
	}
	rest := r.text[end:]
	if strings.HasPrefix(rest, "月") && isMonth(v) {
		return r.ofMonth(year, v, end+len("月")), true
	}
	if !strings.HasPrefix(rest, "日") || !n.figures || r.month == 0 || !isDay(v) {
		return fact{}, false
	}
	if _, length := r.words.values["lengths"].at(rest, 0); length {
		return fact{}, false
	}
	return fact{kind: day, n: r.month*100 + v, end: end + len("日")}, true
}

// ofMonth reads the day of a month, which may be all that is said.
func (r *reader) ofMonth(year, m, end int) fact {
	if end < len(r.text) {
		next, ok := r.numeral(end)
		if ok && isDay(next.whole()) && strings.HasPrefix(r.text[next.end:], "日") {
			return fact{kind: day, n: year*10000 + m*100 + next.whole(), end: next.end + len("日")}
		}
	}
	if year > 0 {
		return fact{kind: day, n: year*10000 + m*100, end: end}
	}
	return fact{kind: month, n: m, end: end}
}

// dayMonth reads 20 June and the 20th of June.
func (r *reader) dayMonth(n numeral) (fact, bool) {
	if n.whole() < 1 || n.whole() > 31 {
		return fact{}, false
	}
	rest := strings.TrimPrefix(strings.TrimLeft(r.text[n.end:], " "), "of ")
	if rest == "" || rest == r.text[n.end:] {
		return fact{}, false
	}
	m, ok := r.words.values["months"].at(rest, 0)
	if !ok || m.text == "may" && !n.ordinal && !n.figures {
		return fact{}, false
	}
	return fact{kind: day, n: m.n*100 + n.whole(), end: len(r.text) - len(rest) + len(m.text)}, true
}

// monthDay reads June 20, June 20th, 2026 and June, and the days that follow: "December 19 and 20".
func (r *reader) monthDay(i int) int {
	m, ok := r.words.values["months"].at(r.text, i)
	if !ok {
		return i
	}
	end := i + len(m.text)
	rest := strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(r.text[end:], "."), " "), "the ")
	j := len(r.text) - len(rest)
	n, ok := numeral{}, false
	if rest != "" && j > end {
		n, ok = r.numeral(j)
	}
	switch {
	case ok && isDay(n.whole()) && (n.figures || n.ordinal) && !r.clockFollows(n.end):
		of := r.withYear(fact{kind: day, n: m.n*100 + n.whole(), start: i, end: n.end})
		return r.moreDays(r.put(of), m.n, n.whole())
	case ok && n.figures && isYear(n.whole()):
		return r.put(fact{kind: day, n: n.whole()*10000 + m.n*100, start: i, end: n.end})
	case m.text == "may" || m.text == "mar": // a verb
		return i
	}
	return r.put(fact{kind: month, n: m.n, start: i, end: end})
}

// withYear adds the year that stands behind a day.
func (r *reader) withYear(f fact) fact {
	if year, ok := strings.CutPrefix(r.text[f.end:], ", "); ok {
		if k, v := figures(year, 0); k == 4 && isYear(v/100) {
			f.n, f.end = f.n+v/100*10000, f.end+len(", ")+k
		}
	}
	return f
}

// moreDays reads a further day of the month behind one.
func (r *reader) moreDays(end, m, d int) int {
	at, _ := r.between(end)
	if at == end || at >= len(r.text) {
		return end
	}
	next, ok := r.numeral(at)
	later := ok && next.figures && next.whole() > d && isDay(next.whole())
	if later && !r.clockFollows(next.end) && !r.unitFollows(next.end) {
		return r.put(fact{kind: day, n: m*100 + next.whole(), start: at, end: next.end})
	}
	return end
}

// weekdays reads days of the week: Friday, 木曜日, (木), 月・水・金曜, 火曜から土曜, and with a
// week the day: 来週の木曜.
func (r *reader) weekdays(i int) int {
	if f, ok := r.words.values["weeks"].at(r.text, i); ok {
		j := i + len(f.text)
		if j < len(r.text) && r.text[j] == ' ' {
			j++
		}
		set, end := r.weekdaySet(j)
		if end > j && set&(set-1) == 0 {
			return r.put(fact{kind: day, n: ofDay(dayOfWeek(r.now, f.n, set)), start: i, end: end})
		}
		if f.text[0] < utf8.RuneSelf {
			return i
		}
		return i + len(f.text)
	}
	set, end := r.weekdaySet(i)
	if end == i {
		return i
	}
	return r.put(fact{kind: weekday, n: set, start: i, end: end})
}

// dayOfWeek is a weekday of a week, counted from that of now. Weeks begin on Monday.
func dayOfWeek(now time.Time, week, set int) civil.Date {
	target := 0
	for set>>target > 1 {
		target++
	}
	today := civil.DateOf(now)
	monday := today.AddDays(-(int(now.Weekday()) + 6) % 7)
	return monday.AddDays(7*week + (target+6)%7)
}

// weekdaySet reads days of the week as a set of bits.
func (r *reader) weekdaySet(i int) (set, end int) {
	last, ranged, marked, end := -1, false, false, i
	for j := i; j < len(r.text); {
		days, next := r.oneWeekday(j)
		if next == j {
			break
		}
		marked = marked || next-j > len("曜")
		if ranged && len(days) == 1 {
			for d := last; d != days[0]; d = (d + 1) % 7 {
				set |= 1 << d
			}
		}
		for _, d := range days {
			set, last = set|1<<d, d
		}
		end = next
		j, ranged = r.separator(next)
		if j == next {
			break
		}
	}
	if end == i {
		return 0, i
	}
	marked = marked || i > 0 && r.text[i-1] == '(' && strings.ContainsAny(r.text[end:min(len(r.text), end+1)], ")")
	c, _ := utf8.DecodeRuneInString(r.text[end:])
	if !marked && (set&(set-1) == 0 || scriptOf(c) == kanji && c != '祝' && c != '休') {
		return 0, i
	}
	return set, end
}

// oneWeekday reads one weekday or a word for several. A single kanji is one only beside others,
// which the caller sees to.
func (r *reader) oneWeekday(i int) (days []int, end int) {
	if f, ok := r.words.values["weekdays"].at(r.text, i); ok {
		if f.text == "sun" || f.text == "sat" || f.text == "wed" || f.text == "mon" {
			if after := r.text[i+len(f.text):]; after != "" && !strings.ContainsAny(after[:1], " .,)-") {
				return nil, i
			}
		}
		for _, c := range f.name {
			days = append(days, int(c-'0'))
		}
		return days, i + len(f.text)
	}
	c, size := utf8.DecodeRuneInString(r.text[i:])
	d, ok := weekdayOf(c)
	if !ok {
		return nil, i
	}
	p, _ := utf8.DecodeLastRuneInString(r.text[:i])
	if strings.ContainsRune("本休平当毎", p) || scriptOf(p) == digit && !strings.HasPrefix(r.text[i+size:], "曜") {
		return nil, i
	}
	end = i + size
	for _, suffix := range [...]string{"曜日", "曜"} {
		if strings.HasPrefix(r.text[end:], suffix) {
			return []int{d}, end + len(suffix)
		}
	}
	return []int{d}, end
}
