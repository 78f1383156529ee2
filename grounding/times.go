package grounding

import (
	"cmp"
	"strings"
	"unicode/utf8"
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
