package grounding

import (
	"strings"
	"time"
	"unicode/utf8"

	"annai/civil"
)

// A reader reads the values of a folded text, from left to right.
type reader struct {
	text  string
	now   time.Time
	words *vocabulary
	facts []fact
	// month is that of the day read last, for a day without one: 6月10日から14日まで.
	month int
}

// readValues reads all values of a folded text.
func readValues(text string, now time.Time) []fact {
	r := reader{text: text, now: now, words: words()}
	for i := 0; i < len(text); {
		if next := r.read(i); next > i {
			i = next
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		if i++; size > 1 {
			i += size - 1
		}
	}
	r.shareHalves()
	for i := range r.facts {
		r.giveRole(&r.facts[i])
	}
	return r.facts
}

// read reads what begins at i, and returns where it ends; i if nothing does.
func (r *reader) read(i int) int {
	if i > 0 && isWord(r.text[i-1]) && isWord(r.text[i]) { // inside a word
		return i
	}
	if end := r.literal(i); end > i {
		return end
	}
	if f, ok := r.words.values["phrases"].at(r.text, i); ok {
		return r.phrase(f, i)
	}
	if f, ok := r.words.values["days"].at(r.text, i); ok {
		return r.put(fact{kind: day, n: ofDay(civil.DateOf(r.now).AddDays(f.n)), start: i, end: i + len(f.text)})
	}
	if end := r.past(i); end > i {
		return end
	}
	if end := r.weekdays(i); end > i {
		return end
	}
	if end := r.monthDay(i); end > i {
		return end
	}
	if n, ok := r.numeral(i); ok {
		return r.counted(n)
	}
	return i
}

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func (r *reader) put(f fact) int {
	r.facts = append(r.facts, f)
	if f.kind == day && f.n/100%100 > 0 {
		r.month = f.n / 100
	}
	return f.end
}

// phrase takes a value that a list has in words.
func (r *reader) phrase(f form, i int) int {
	out := fact{n: f.n, start: i, end: i + len(f.text)}
	switch f.name {
	case "clock":
		out.kind = clock
	default:
		out.kind, out.unit, out.n = number, f.name, f.n*100
	}
	return r.put(out)
}

// A numeral is a number as it stands, in hundredths.
type numeral struct {
	n, start, end int
	// figures says that it is written in figures, ordinal that it numbers one of several: third,
	// 第3.
	figures, ordinal bool
}

func (n numeral) whole() int { return n.n / 100 }

// numeral reads the number that begins at i.
func (r *reader) numeral(i int) (numeral, bool) {
	c, _ := utf8.DecodeRuneInString(r.text[i:])
	switch scriptOf(c) {
	case digit:
		end, n := figures(r.text, i)
		end, n = tenThousands(r.text, end, n)
		out := numeral{n: n, start: i, end: end, figures: true, ordinal: strings.HasSuffix(r.text[:i], "第")}
		for _, suffix := range [...]string{"st", "nd", "rd", "th"} {
			if strings.HasPrefix(r.text[end:], suffix) && wordAt(r.text, end, end+2) {
				out.end, out.ordinal = end+2, true
			}
		}
		return out, true
	case latin:
		return r.spelled(i)
	case kanji:
		return kanjiNumeral(r.text, i)
	default:
	}
	return numeral{}, false
}

// spelled reads an English number in words.
func (r *reader) spelled(i int) (numeral, bool) {
	if f, ok := r.words.values["ordinals"].at(r.text, i); ok {
		return numeral{n: f.n * 100, start: i, end: i + len(f.text), ordinal: true}, true
	}
	total, part, end := 0, 0, i
	for j := i; j < len(r.text); {
		f, ok := r.words.values["numbers"].at(r.text, j)
		if !ok {
			break
		}
		switch f.n {
		case 1000:
			total, part = total+max(part, 1)*1000, 0
		case 100:
			part = max(part, 1) * 100
		default:
			part += f.n
		}
		end = j + len(f.text)
		if j = end; j < len(r.text) && (r.text[j] == ' ' || r.text[j] == '-') {
			j++
		} else {
			break
		}
	}
	return numeral{n: (total + part) * 100, start: i, end: end}, end > i
}

var kanjiDigits = map[rune]int{
	'〇': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9, '十': 10, '百': 100, '千': 1000, '万': 10000,
}

// kanjiNumeral reads a number in kanji. It is one only with a unit, which the caller sees to.
func kanjiNumeral(text string, i int) (numeral, bool) {
	total, part, last, j, size := 0, 0, 0, i, 0
	for j < len(text) && total < 1e8 {
		var c rune
		c, size = utf8.DecodeRuneInString(text[j:])
		n, ok := kanjiDigits[c]
		if !ok {
			break
		}
		switch {
		case n == 10000:
			total, part, last = (total+part+last)*n, 0, 0
		case n >= 10:
			part, last = part+max(last, 1)*n, 0
		default:
			last = last*10 + n
		}
		j += size
	}
	return numeral{n: (total + part + last) * 100, start: i, end: j, ordinal: strings.HasSuffix(text[:i], "第")}, j > i
}

// figures reads digits with commas between thousands and a decimal point, in hundredths.
func figures(text string, i int) (end, hundredths int) {
	v, decimals, j := 0, -1, i
	for ; j < len(text); j++ {
		c := text[j]
		switch {
		case isDigit(c):
			if decimals < 2 && v < 1e12 {
				v = v*10 + int(c-'0')
				if decimals >= 0 {
					decimals++
				}
			}
			continue
		case c == ',' && decimals < 0 && thousands(text[j+1:]):
			continue
		case c == '.' && decimals < 0 && j+1 < len(text) && isDigit(text[j+1]):
			decimals = 0
			continue
		}
		break
	}
	for range 2 - max(decimals, 0) {
		v *= 10
	}
	return j, v
}

// thousands reports whether a text begins with three digits and no fourth.
func thousands(text string) bool {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n == 3
}

// tenThousands reads what 万 and 千 make of figures, and the figures that follow them: 1万2,000.
func tenThousands(text string, j, hundredths int) (end, value int) {
	for _, c := range [...]form{{text: "万", n: 10000}, {text: "千", n: 1000}} {
		if !strings.HasPrefix(text[j:], c.text) || hundredths > 1e12 {
			continue
		}
		j, hundredths = j+len(c.text), hundredths*c.n
		if k, more := figures(text, j); k > j {
			j, hundredths = k, hundredths+more
		}
		break
	}
	return j, hundredths
}

// counted reads what a number is of: a time of day, a day, a sum, or so many of something.
func (r *reader) counted(n numeral) int {
	for _, read := range [...]func(numeral) (fact, bool){r.isoDate, r.clockTime, r.dayMonth, r.japaneseDay, r.amount} {
		if f, ok := read(n); ok {
			if f.kind == 0 {
				return max(f.end, n.end)
			}
			f.start = min(n.start, max(f.start, 0))
			if f.start == 0 {
				f.start = n.start
			}
			return r.put(f)
		}
	}
	if n.figures {
		if n.end < len(r.text) && isLetter(r.text[n.end]) { // 3d
			return n.end
		}
		if n.ordinal {
			return r.put(fact{kind: day, n: n.whole(), start: n.start, end: n.end})
		}
		return r.put(fact{kind: number, n: n.n, start: n.start, end: n.end})
	}
	if r.text[n.start] < utf8.RuneSelf && n.n > 100 && !n.ordinal {
		return r.put(fact{kind: number, n: n.n, start: n.start, end: n.end})
	}
	return n.end
}

// amount reads a number with its unit.
func (r *reader) amount(n numeral) (fact, bool) {
	f := fact{kind: number, n: n.n, start: n.start, end: n.end}
	if r.currency(&f) {
		return f, true
	}
	j := n.end
	if j < len(r.text) && (r.text[j] == ' ' || r.text[j] == '-') {
		j++
	}
	if strings.HasPrefix(r.text[j:], "and a half ") {
		f.n, j = f.n+50, j+len("and a half ")
	}
	if j >= len(r.text) {
		return f, false
	}
	u, ok := r.words.values["units"].at(r.text, j)
	if n.ordinal && (!ok || u.name != perFloor) {
		if g, ok := r.shared(f); ok && g.unit == perFloor {
			return g, true
		}
		return r.nth(n, j)
	}
	switch rest := r.text[j+len(u.text):]; {
	case !ok:
		return r.shared(f)
	case strings.HasPrefix(rest, "曜"), u.text == "日" && !n.figures && !strings.HasPrefix(rest, "間"):
		return f, false
	}
	f.end = j + len(u.text)
	r.ofUnit(&f, u)
	if f.unit == "basement" && f.n == 100 || f.unit == perPerson && r.justNamed(n) {
		f.kind = 0 // 地下1階 is a word
	}
	return f, true
}

// currency makes a sum of a number behind a sign of money.
func (r *reader) currency(f *fact) bool {
	sign, _ := utf8.DecodeLastRuneInString(strings.TrimRight(r.text[:f.start], " "))
	if !strings.ContainsRune("¥$€", sign) {
		return false
	}
	if f.kind = money; sign != '¥' {
		f.unit = "foreign"
	}
	return true
}

// justNamed reports whether a number counts those just named: 山田さんと佐藤さんの二人.
func (r *reader) justNamed(n numeral) bool {
	return !n.figures && n.whole() < 4 && strings.HasSuffix(r.text[:n.start], "の")
}

// ofUnit makes a number one of a unit.
func (r *reader) ofUnit(f *fact, u form) {
	rest := r.text[f.end:]
	switch u.name {
	case "money":
		f.kind = money
	case "foreign":
		f.kind, f.unit = money, "foreign"
	default:
		f.unit, f.n = u.name, f.n*u.n
	}
	if f.unit != perLength {
		if f.unit == perFloor && strings.HasSuffix(r.text[:f.start], "地下") {
			f.unit = "basement"
		}
		return
	}
	if r.words.values["old"].startAt(rest + " ") {
		f.unit, f.n = perAge, f.n/u.n
		return
	}
	const year = 365 * secondsOfDay
	switch {
	case strings.HasPrefix(rest, "半"):
		f.n, f.end = f.n+u.n*50, f.end+len("半")
	case strings.HasPrefix(rest, " and a half"):
		f.n, f.end = f.n+u.n*50, f.end+len(" and a half")
	case u.n == year && f.n >= 1000*100*year: // 2026年
		f.unit, f.n = "", f.n/year
	}
}

// nth reads which one of several it is, of the weekdays of a month or of anything.
func (r *reader) nth(n numeral, j int) (fact, bool) {
	f := fact{kind: number, n: n.n, unit: perOrder, start: n.start, end: n.end}
	if _, end := r.weekdaySet(j); end > j {
		return f, true
	}
	f.kind = 0
	for _, week := range [...]string{"週", "week"} {
		if strings.HasPrefix(r.text[j:], week) {
			return f, true
		}
	}
	if strings.HasSuffix(r.text[:n.start], "第") {
		f.kind = number
		return f, true
	}
	return f, !n.figures
}

// shared gives the first number of "650 to 700 yen" the unit of the second.
func (r *reader) shared(f fact) (fact, bool) {
	k, _ := r.between(f.end)
	if k == f.end || k >= len(r.text) {
		return f, false
	}
	next, ok := r.numeral(k)
	if !ok || next.n == 0 {
		return f, false
	}
	at := next.end
	if at < len(r.text) && (r.text[at] == ' ' || r.text[at] == '-') {
		at++
	}
	if at >= len(r.text) {
		return f, false
	}
	u, ok := r.words.values["units"].at(r.text, at)
	if !ok || next.n <= f.n && u.name != "money" {
		return f, false
	}
	end := f.end
	f.end = at + len(u.text)
	r.ofUnit(&f, u)
	f.end = end
	return f, true
}

// literal reads what must stand in the evidence letter by letter.
func (r *reader) literal(i int) int {
	j := i
	for j < len(r.text) && r.text[j] > ' ' && r.text[j] < 0x7F && !strings.ContainsRune("()[]{}<>\"`,;|", rune(r.text[j])) {
		j++
	}
	token := strings.TrimRight(r.text[i:j], ".,:;!?'-")
	text := literalOf(token)
	if text == "" {
		return i
	}
	return r.put(fact{kind: literal, text: text, start: i, end: i + len(token)})
}

// literalOf is the form in which an address, an account or a phone number is compared; "" if a
// token is none.
func literalOf(token string) string {
	digits := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, token)
	switch {
	case strings.Contains(token, "://"), strings.HasPrefix(token, "www."), strings.HasPrefix(token, "mailto:"), isDomain(token):
		if _, after, ok := strings.Cut(token, "://"); ok {
			token = after
		}
		return strings.TrimSuffix(strings.TrimPrefix(token, "www."), "/")
	case strings.HasPrefix(token, "@") && len(token) > 2, strings.Contains(token, "@") && strings.Contains(token, "."):
		return token
	case len(digits) >= 9 && len(digits) <= 15 && strings.Trim(token, "0123456789-+.") == "" && strings.ContainsAny(token, "-+"):
		return digits
	}
	return ""
}

// isDomain reports whether a token is a bare address: a name, a dot and a top level of letters,
// with or without a path.
func isDomain(token string) bool {
	host, _, path := strings.Cut(token, "/")
	labels := strings.Split(host, ".")
	top := labels[len(labels)-1]
	if len(labels) < 2 || len(top) < 2 || strings.Trim(top, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	for _, l := range labels {
		if l == "" {
			return false
		}
	}
	return path || len(labels[0]) > 1
}
