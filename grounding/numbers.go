package grounding

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Units of numbers. A number without a unit that is known may have any.
const (
	perPerson  = "person" // people and their seats
	perFloor   = "floor"
	perLength  = "length" // of time, in seconds
	perPercent = "percent"
	perAge     = "age"
	perCount   = "count"
	perEach    = "each" // one of which is no number: per gram
)

// A unit is what a word beside a number makes of it: a money or a number of so many of something.
type unit struct {
	kind   kind
	name   string
	factor int
}

var units = map[string]unit{
	"円": {money, "", 1}, "yen": {money, "", 1}, "jpy": {money, "", 1},
	"ドル": {money, "foreign", 1}, "dollar": {money, "foreign", 1}, "dollars": {money, "foreign", 1}, "euros": {money, "foreign", 1},
	"名": {number, perPerson, 1}, "人": {number, perPerson, 1}, "席": {number, perPerson, 1},
	"people": {number, perPerson, 1}, "participants": {number, perPerson, 1}, "persons": {number, perPerson, 1}, "person": {number, perPerson, 1},
	"seats": {number, perPerson, 1}, "places": {number, perPerson, 1}, "spots": {number, perPerson, 1}, "seat": {number, perPerson, 1},
	"階": {number, perFloor, 1}, "f": {number, perFloor, 1}, "floor": {number, perFloor, 1},
	"分": {number, perLength, 60}, "minute": {number, perLength, 60}, "minutes": {number, perLength, 60}, "min": {number, perLength, 60}, "mins": {number, perLength, 60},
	"時間": {number, perLength, 3600}, "hour": {number, perLength, 3600}, "hours": {number, perLength, 3600},
	"日": {number, perLength, 86400}, "日間": {number, perLength, 86400}, "day": {number, perLength, 86400}, "days": {number, perLength, 86400},
	"週間": {number, perLength, 7 * 86400}, "week": {number, perLength, 7 * 86400}, "weeks": {number, perLength, 7 * 86400},
	"か月": {number, perLength, 30 * 86400}, "ヶ月": {number, perLength, 30 * 86400}, "カ月": {number, perLength, 30 * 86400},
	"month": {number, perLength, 30 * 86400}, "months": {number, perLength, 30 * 86400},
	"年": {number, perLength, 365 * 86400}, "年間": {number, perLength, 365 * 86400}, "year": {number, perLength, 365 * 86400}, "years": {number, perLength, 365 * 86400},
	"%": {number, perPercent, 1}, "パーセント": {number, perPercent, 1}, "percent": {number, perPercent, 1},
	"歳": {number, perAge, 1}, "才": {number, perAge, 1},
	"件":  {number, perCount, 1},
	"種類": {number, perEach, 1}, "種": {number, perEach, 1}, "冊": {number, perEach, 1}, "枚": {number, perEach, 1}, "点": {number, perEach, 1}, "軒": {number, perEach, 1}, "店": {number, perEach, 1},
	"曲": {number, perEach, 1}, "問": {number, perEach, 1}, "匹": {number, perEach, 1}, "羽": {number, perEach, 1}, "頭": {number, perEach, 1}, "室": {number, perEach, 1}, "区画": {number, perEach, 1}, "泊": {number, perEach, 1}, "章": {number, perEach, 1}, "食": {number, perEach, 1}, "ドリンク": {number, perEach, 1},
	"台分": {number, "", 1}, "メートル": {number, "metre", 1}, "センチ": {number, "centimetre", 1}, "センチメートル": {number, "centimetre", 1}, "キロ": {number, "kilo", 1}, "キロメートル": {number, "kilo", 1}, "キログラム": {number, "kilo", 1},
	"km": {number, "kilo", 1}, "kg": {number, "kilo", 1}, "kilometre": {number, "kilo", 1}, "kilometres": {number, "kilo", 1}, "kilometer": {number, "kilo", 1}, "kilometers": {number, "kilo", 1}, "kilos": {number, "kilo", 1}, "kilograms": {number, "kilo", 1}, "kilogram": {number, "kilo", 1},
	"m": {number, "metre", 1}, "meter": {number, "metre", 1}, "centimetre": {number, "centimetre", 1}, "centimeter": {number, "centimetre", 1}, "gram": {number, perEach, 1}, "grams": {number, perEach, 1}, "grammes": {number, perEach, 1},
	"割": {number, perPercent, 10}, "℃": {number, "degree", 1}, "°c": {number, "degree", 1}, "degree": {number, "degree", 1}, "平方メートル": {number, "", 1}, "基": {number, "", 1}, "杯分": {number, perEach, 1},
	"度": {number, "degree", 1}, "degrees": {number, "degree", 1},
	"metres": {number, "metre", 1}, "meters": {number, "metre", 1}, "metre": {number, "metre", 1},
	"centimetres": {number, "centimetre", 1}, "centimeters": {number, "centimetre", 1}, "cm": {number, "centimetre", 1},
	"つ": {number, "", 1}, "個": {number, "", 1}, "回": {number, perEach, 1}, "部屋": {number, perEach, 1}, "杯": {number, perEach, 1}, "番": {number, "", 1}, "丁目": {number, "", 1},
	"号": {number, "", 1}, "グラム": {number, perEach, 1}, "平方": {number, "", 1}, "台": {number, "", 1}, "本": {number, perEach, 1}, "か所": {number, "", 1},
	"ghz": {number, "", 1}, "g": {number, perEach, 1}, "k": {number, "", 1}, "floors": {number, "", 1}, "st": {number, "", 1}, "nd": {number, "", 1}, "rd": {number, "", 1}, "th": {number, "", 1},
}

// eventNouns are what is counted when events are.
var eventNouns = []string{"event", "session", "programme", "イベント", "催し", "行事", "の予定", "件"}

// readNumbers reads the numbers, prices and lengths of a text in which times are blank already, and makes them blank.
func readNumbers(text []byte) []feature {
	var out []feature
	for i := 0; i < len(text); {
		n, next := readNumber(text, i)
		if n.kind == 0 {
			i = next
			continue
		}
		out = append(out, n)
		i = next
	}
	shareUnits(text, out)
	for i := range out {
		out[i].ends, out[i].lead = limit(text, &out[i])
	}
	counting := out[:0]
	for _, n := range out {
		if !n.ordinal(text) {
			counting = append(counting, n)
		}
		blank(text, n.start, n.end)
	}
	return counting
}

// ordinal reports whether a number counts nothing: 二回目, 1グラムあたり.
func (f *feature) ordinal(text []byte) bool {
	if f.text == perLength && f.a == f.b*100 && strings.HasSuffix(string(text[:f.start]), "最初の") {
		return true // the first hour
	}
	if f.a == 100 && f.text == "" && f.kind == number {
		r, size := utf8.DecodeRune(text[f.end:])
		next, _ := utf8.DecodeRune(text[min(len(text), f.end+size):])
		if scriptOf(r) == kanji && scriptOf(next) != kanji {
			return true // one of whatever is counted so
		}
	}
	return f.kind == number && (strings.HasPrefix(string(text[f.end:]), "目") || f.a == 100 && (f.text == perEach || f.text == perPerson))
}

// shareUnits gives the first number of "650 to 700 yen" the unit of the second.
func shareUnits(text []byte, list []feature) {
	for i := 0; i+1 < len(list); i++ {
		f, g := &list[i], &list[i+1]
		if f.b != 0 || f.kind != number || g.b == 0 {
			continue
		}
		switch strings.TrimSpace(string(text[f.end:max(f.end, g.start)])) {
		case "to", "-", "~", "or", "から", "and":
			f.kind, f.text, f.b, f.a = g.kind, g.text, g.b, f.a*g.b
		}
	}
}

// readNumber reads the number that begins at i, if one does, and says where to go on.
func readNumber(text []byte, i int) (feature, int) {
	if f, ok := share(text, i); ok {
		return f, f.end
	}
	r, size := utf8.DecodeRune(text[i:])
	switch s := scriptOf(r); {
	case s == digit:
		return digits(text, i)
	case s == latin && isLatin(text[i]): // other scripts have no numbers that we know
		return spelled(text, i)
	case s == kanji && kanjiDigit(r) >= 0:
		return kanjiNumber(text, i)
	}
	return feature{}, i + size
}

// digits reads a number in figures. One inside a word of Latin letters (P1S, 3D) is part of that word.
func digits(text []byte, i int) (feature, int) {
	j, hundredths := figures(text, i)
	j, hundredths = tenThousands(text, j, hundredths)
	after := latinEnd(text, j)
	f := feature{kind: number, a: hundredths, start: i, end: j}
	if i > 0 && (isLatin(text[i-1]) || text[i-1] == '_') {
		return feature{}, max(j, after)
	}
	if before, ok := currencyBefore(text, i); ok {
		f.kind, f.start, f.b = money, before, 1
		if text[before] == '$' {
			f.text = "foreign"
		}
		return f, j
	}
	if after > j {
		if _, ok := units[string(text[j:after])]; !ok {
			return feature{}, after
		}
	}
	withUnit(text, &f)
	return f, f.end
}

// figures reads digits with commas between thousands and a decimal point, in hundredths.
func figures(text []byte, i int) (j, hundredths int) {
	v, decimals := 0, -1
	for j = i; j < len(text); j++ {
		c := text[j]
		next := j+1 < len(text) && text[j+1] >= '0' && text[j+1] <= '9'
		switch {
		case c >= '0' && c <= '9':
			if decimals < 2 && v < 1e12 {
				v = v*10 + int(c-'0')
				if decimals >= 0 {
					decimals++
				}
			}
		case c == ',' && decimals < 0 && thousands(text[j+1:]):
		case c == '.' && decimals < 0 && next:
			decimals = 0
		default:
			return j, scale(v, decimals)
		}
	}
	return j, scale(v, decimals)
}

// tenThousands reads what 万 and 千 make of figures, and the figures that follow them: 1万2,000.
func tenThousands(text []byte, j, hundredths int) (next, value int) {
	for _, c := range [...]struct {
		sign string
		n    int
	}{{"万", 10000}, {"千", 1000}} {
		if !strings.HasPrefix(string(text[j:min(len(text), j+len(c.sign))]), c.sign) || hundredths > 1e12 {
			continue
		}
		j, hundredths = j+len(c.sign), hundredths*c.n
		if k, more := figures(text, j); k > j {
			j, hundredths = k, hundredths+more
		}
		break
	}
	return j, hundredths
}

func scale(v, decimals int) int {
	for range 2 - max(decimals, 0) {
		v *= 10
	}
	return v
}

// thousands reports whether a text begins with three digits and no fourth.
func thousands(text []byte) bool {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n == 3
}

// currencyBefore finds a sign of money before i.
func currencyBefore(text []byte, i int) (int, bool) {
	head := string(text[max(0, i-4):i])
	head = strings.TrimRight(head, " ")
	for _, sign := range []string{"¥", "$", "€"} {
		if strings.HasSuffix(head, sign) {
			return strings.LastIndex(string(text[:i]), sign), true
		}
	}
	return 0, false
}

// withUnit gives a number the unit that follows it.
func withUnit(text []byte, f *feature) {
	j := f.end
	for j < len(text) && (text[j] == ' ' || text[j] == '-') && j-f.end < 2 {
		j++
	}
	rest := text[j:]
	if end := latinEnd(text, j); end > j {
		if u, ok := units[string(text[j:end])]; ok {
			applyUnit(f, u)
			f.end = end
		}
	} else {
		for _, runes := range [...]int{7, 5, 4, 3, 2, 1} {
			end := runeEnd(rest, runes)
			if u, ok := units[string(rest[:end])]; ok && end > 0 && !bytes.HasPrefix(rest[end:], []byte("曜")) {
				applyUnit(f, u)
				f.end = j + end
				break
			}
		}
	}
	addHalf(text, f)
	f.beCoin(text)
	f.beYear(text)
	f.beAge(text)
	if f.text == perFloor && f.a != 100 && strings.HasSuffix(string(text[:f.start]), "地下") {
		f.text = "basement"
	}
	f.count = f.count || countsEvents(text[f.end:])
}

// coins are the amounts that are one coin each, in yen.
var coins = []int{1, 5, 10, 50, 100, 500}

// beCoin takes in the word for a coin of that amount, which says no more than the amount: "a 100-yen coin".
func (f *feature) beCoin(text []byte) {
	if f.kind != money || f.text != "" || !slices.Contains(coins, f.a/100) {
		return
	}
	for _, word := range []string{" coins", " coin", "硬貨", "玉"} {
		if bytes.HasPrefix(text[f.end:], []byte(word)) {
			f.end += len(word)
			return
		}
	}
}

// beYear makes a year of a number of years that are too many: 2026年春.
func (f *feature) beYear(text []byte) {
	if f.b == lengthOfYear && f.a >= 1000*100*lengthOfYear && bytes.HasSuffix(text[:f.end], []byte("年")) {
		f.text, f.a, f.b = "", f.a/lengthOfYear, 0
	}
}

// lengthOfYear is a year in seconds.
const lengthOfYear = 365 * 86400

// beAge makes an age of "4 years of age", "six years old" and "a six-year-old".
func (f *feature) beAge(text []byte) {
	if f.b != lengthOfYear {
		return
	}
	for _, of := range []string{" of age", " old", "-olds", "-old"} {
		if bytes.HasPrefix(text[f.end:], []byte(of)) {
			f.text, f.a, f.b, f.end = perAge, f.a/lengthOfYear, 1, f.end+len(of)
			return
		}
	}
}

// addHalf adds what follows a number of hours: 2時間半, "two hours and a half", "two and a half hours".
func addHalf(text []byte, f *feature) {
	rest := string(text[f.end:])
	switch {
	case f.text == perLength && strings.HasPrefix(rest, "半"):
		f.a, f.end = f.a+f.b*50, f.end+len("半")
	case f.text == perLength && strings.HasPrefix(rest, " and a half"):
		f.a, f.end = f.a+f.b*50, f.end+len(" and a half")
	case f.text == "" && f.kind == number && strings.HasPrefix(rest, " and a half "):
		f.a, f.end = f.a+50, f.end+len(" and a half")
		if j := f.end + 1; j < len(text) {
			if u, ok := units[string(text[j:latinEnd(text, j)])]; ok {
				applyUnit(f, u)
				f.end = latinEnd(text, j)
			}
		}
	}
}

// shares are parts of a price in words.
var shares = []struct {
	form    string
	percent int
}{
	{"半額", 50},
	{"half price", 50},
	{"half the price", 50},
	{"half-price", 50},
	{"half of the price", 50},
	{"half off", 50},
	{"pay half", 50},
	{"pays half", 50},
	{"全額", 100},
	{"full price", 100},
	{"full amount", 100},
}

// share reads such a part at i.
func share(text []byte, i int) (feature, bool) {
	if c := text[i]; c != 'h' && c != 'p' && c != 'f' && c < 0x80 || i > 0 && isLatin(text[i-1]) {
		return feature{}, false
	}
	for _, s := range shares {
		if bytes.HasPrefix(text[i:], []byte(s.form)) {
			return feature{kind: number, text: perPercent, a: s.percent * 100, b: 1, start: i, end: i + len(s.form)}, true
		}
	}
	return feature{}, false
}

func applyUnit(f *feature, u unit) {
	f.kind, f.text, f.a, f.b = u.kind, u.name, f.a*u.factor, u.factor
	f.count = u.name == perCount
}

// countsEvents reports whether a text goes on with a word for events.
func countsEvents(rest []byte) bool {
	s := strings.TrimLeft(string(rest[:min(len(rest), 32)]), " のつ")
	for _, noun := range eventNouns {
		if strings.HasPrefix(s, noun) {
			return true
		}
	}
	if _, after, ok := strings.Cut(s, " "); ok { // upcoming events
		return strings.HasPrefix(after, "event")
	}
	return false
}

func isLatin(c byte) bool { return c >= 'a' && c <= 'z' }

func latinEnd(text []byte, i int) int {
	for i < len(text) && isLatin(text[i]) {
		i++
	}
	if i == 0 || i < len(text) && text[i] == '%' {
		return i
	}
	return i
}

// runeEnd is where the nth rune of a text ends, or its length.
func runeEnd(text []byte, n int) int {
	i := 0
	for ; n > 0 && i < len(text); n-- {
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
	return i
}
