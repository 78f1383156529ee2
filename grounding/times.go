package grounding

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/civil"
)

// clockTime reads a time of day: 19:00, 午後7時半, 7 p.m., seven in the evening.
func (r *reader) clockTime(n numeral) (fact, bool) {
	hour := n.whole()
	if hour > 29 || n.n%100 != 0 && n.figures {
		return fact{}, false
	}
	minute, end, told := r.minutes(n)
	colon := told && r.text[n.end] == ':'
	f := fact{kind: clock, start: n.start}
	before, after := "", ""
	before, f.start = r.halfBefore(n.start)
	after, end = r.halfAfter(end)
	if !told && after == "" && !strings.HasPrefix(r.text[end:], " o'clock") {
		return fact{}, false
	}
	half := cmp.Or(after, before)
	switch {
	case hour < 12 && half == "pm":
		hour += 12
	case hour == 12 && half == "am":
		hour = 0
	default:
		exact := hour > 12 || hour == 0 || half != "" || colon && (r.text[n.start] == '0' || isJapanese(r.text))
		f.loose = !exact
	}
	f.n, f.end = hour*60+minute, end
	return f, true
}

// minutes reads what makes an hour of a number, and the minutes: 19時半, 19:30.
func (r *reader) minutes(n numeral) (minute, end int, told bool) {
	rest := r.text[n.end:]
	if strings.HasPrefix(rest, "時") && !strings.HasPrefix(rest, "時間") {
		minute, end = r.japaneseMinutes(n.end + len("時"))
		return minute, end, true
	}
	if n.figures && len(rest) > 2 && r.clockFollows(n.end) && isDigit(rest[2]) {
		return int(rest[1]-'0')*10 + int(rest[2]-'0'), n.end + len(":30"), true
	}
	return 0, n.end, false
}

// japaneseMinutes reads 半 or 30分 behind 時.
func (r *reader) japaneseMinutes(i int) (minute, end int) {
	if strings.HasPrefix(r.text[i:], "半") {
		return 30, i + len("半")
	}
	j, n := figures(r.text, i)
	if j > i && strings.HasPrefix(r.text[j:], "分") && n < 6000 {
		return n / 100, j + len("分")
	}
	return 0, i
}

// halfBefore finds which half of the day stands before a time, and where it begins.
func (r *reader) halfBefore(i int) (half string, start int) {
	before := strings.TrimSuffix(r.text[:i], "の")
	for _, list := range r.words.values["before noon"] {
		for _, f := range list {
			if !isLetter(f.text[0]) && strings.HasSuffix(before, f.text) && (half == "" || len(before)-len(f.text) < start) {
				half, start = f.name, len(before)-len(f.text)
			}
		}
	}
	if half == "" {
		return "", i
	}
	return half, start
}

// halfAfter finds it behind a time.
func (r *reader) halfAfter(i int) (half string, end int) {
	j := i
	if j < len(r.text) && r.text[j] == ' ' {
		j++
	}
	if j >= len(r.text) || r.text[j] >= utf8.RuneSelf {
		return "", i
	}
	if f, ok := r.words.values["before noon"].at(r.text, j); ok {
		return f.name, j + len(f.text)
	}
	return "", i
}

// shareHalves makes times of the numbers beside times: "from 7 to 9 p.m.", "until ten".
func (r *reader) shareHalves() {
	for i := range r.facts {
		f := &r.facts[i]
		if f.kind == number && f.unit == "" && f.n%100 == 0 && f.n > 0 && f.n <= 2400 && r.besideClock(i) {
			*f = fact{kind: clock, n: f.n / 100 * 60, loose: f.n <= 1200, start: f.start, end: f.end}
		}
	}
}

// besideClock reports whether a bare number is an hour, by the words and the times beside it.
func (r *reader) besideClock(i int) bool {
	f := &r.facts[i]
	lists := r.words.values
	if i+1 < len(r.facts) && r.facts[i+1].kind == clock {
		if next, _ := r.between(f.end); next > f.end && next == r.facts[i+1].start {
			return true
		}
	}
	before, after := strings.TrimRight(r.text[:f.start], " "), strings.TrimLeft(r.text[f.end:], " ")
	last := before[strings.LastIndexByte(before, ' ')+1:]
	if last == "to" {
		return i > 0 && r.facts[i-1].kind == clock
	}
	if last == "" || f.n > 1200 || !lists["before hours"].endAt(last) {
		return false
	}
	return after == "" || lists["after hours"].startAt(after) || !isLetter(after[0]) && after[0] != '-'
}

// past reads "half past nine" and "a quarter to ten".
func (r *reader) past(i int) int {
	f, ok := r.words.values["parts"].at(r.text, i)
	if !ok || i+len(f.text)+1 >= len(r.text) {
		return i
	}
	n, ok := r.numeral(i + len(f.text) + 1)
	if !ok || n.whole() > 12 {
		return i
	}
	out := fact{kind: clock, n: n.n/100*60 + f.n, loose: true, start: i, end: n.end}
	half, end := r.halfAfter(n.end)
	if out.end = end; half != "" {
		out.loose = false
		if half == "pm" && n.whole() < 12 {
			out.n += 12 * 60
		}
	}
	return r.put(out)
}

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
		return r.moreDays(r.put(r.withYear(fact{kind: day, n: m.n*100 + n.whole(), start: i, end: n.end})), m.n, n.whole())
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
	if ok && next.figures && next.whole() > d && isDay(next.whole()) && !r.clockFollows(next.end) && !r.unitFollows(next.end) {
		return r.put(fact{kind: day, n: m*100 + next.whole(), start: at, end: next.end})
	}
	return end
}

// clockFollows reports whether a colon and minutes stand behind a number.
func (r *reader) clockFollows(i int) bool {
	return i+1 < len(r.text) && r.text[i] == ':' && isDigit(r.text[i+1])
}

// unitFollows reports whether a unit or a half of the day stands behind a number.
func (r *reader) unitFollows(i int) bool {
	half, _ := r.halfAfter(i)
	if i < len(r.text) && r.text[i] == ' ' {
		i++
	}
	if i >= len(r.text) {
		return half != ""
	}
	_, ok := r.words.values["units"].at(r.text, i)
	return ok || half != ""
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
