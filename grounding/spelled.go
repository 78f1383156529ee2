package grounding

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

var englishNumbers = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
	"forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "twice": 2, "hundred": 100, "thousand": 1000,
}

var englishOrdinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "ground": 1}

// spelled reads an English number in words. A bare "one" counts nothing.
func spelled(text []byte, i int) (feature, int) {
	end := latinEnd(text, i)
	w := string(text[i:end])
	if i > 0 && isLatin(text[i-1]) {
		return feature{}, end
	}
	if f, ok := halfHour(text, i); ok {
		return f, f.end
	}
	if n, ok := englishOrdinals[w]; ok {
		f := feature{kind: number, a: n * 100, start: i, end: end}
		withUnit(text, &f)
		if f.text == "" && (moreFloors.Match(text[f.end:]) || bytes.HasSuffix(text[:f.end], []byte("floors"))) {
			f.text = perFloor
		}
		if f.text == perFloor || beforeWeekday(text[f.end:]) {
			return f, f.end
		}
		return feature{}, end
	}
	total, part, j := 0, 0, i
	for {
		end = latinEnd(text, j)
		n, ok := englishNumbers[string(text[j:end])]
		if !ok {
			break
		}
		switch {
		case n == 1000:
			total, part = total+max(part, 1)*1000, 0
		case n == 100:
			part = max(part, 1) * 100
		default:
			part += n
		}
		i0 := end
		if i0 >= len(text) || text[i0] != ' ' && text[i0] != '-' {
			j = i0
			break
		}
		j = i0 + 1
	}
	if total+part == 0 {
		return feature{}, latinEnd(text, i)
	}
	for j > i && (text[j-1] == ' ' || text[j-1] == '-') {
		j--
	}
	f := feature{kind: number, a: (total + part) * 100, start: i, end: j}
	withUnit(text, &f)
	if total+part == 1 && f.text == "" && !f.count && f.kind != money || w == "one" && f.text == perPerson {
		return feature{}, j
	}
	return f, f.end
}

// moreFloors goes on a list of floors: the third and fourth floors.
var moreFloors = regexp.MustCompile(`^(?:,| and| or| to) (?:the )?(?:first|second|third|fourth|fifth|sixth|seventh)(?: and (?:first|second|third|fourth|fifth|sixth|seventh))? floors?\b`)

// beforeWeekday reports whether a weekday comes next: the first Monday.
func beforeWeekday(rest []byte) bool {
	w, _, _ := strings.Cut(strings.TrimLeft(string(rest[:min(len(rest), 14)]), " "), " ")
	_, ok := englishWeekdays[w]
	return ok
}

// halfHours are lengths in words that have no number.
var halfHours = []struct {
	form    string
	seconds int
}{{"an hour and a half", 5400}, {"half an hour", 1800}, {"half-hour", 1800}, {"half hour", 1800}}

// halfHour reads such a length at i.
func halfHour(text []byte, i int) (feature, bool) {
	for _, h := range halfHours {
		if strings.HasPrefix(string(text[i:]), h.form) {
			return feature{kind: number, text: perLength, a: h.seconds * 100, b: 3600, start: i, end: i + len(h.form)}, true
		}
	}
	return feature{}, false
}

var kanjiDigits = map[rune]int{'〇': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9, '十': 10, '百': 100, '千': 1000, '万': 10000}

func kanjiDigit(r rune) int {
	if n, ok := kanjiDigits[r]; ok {
		return n
	}
	return -1
}

// kanjiNumber reads a number in kanji, which needs a unit: 一緒 is none. 一つ and 一人 count nothing.
func kanjiNumber(text []byte, i int) (feature, int) {
	total, part, last, j := 0, 0, 0, i
	for j < len(text) {
		r, size := utf8.DecodeRune(text[j:])
		n := kanjiDigit(r)
		if n < 0 || total > 1e8 {
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
	f := feature{kind: number, a: (total + part + last) * 100, start: i, end: j}
	withUnit(text, &f)
	if f.text == perPerson && f.a < 400 && strings.HasSuffix(string(text[:i]), "の") {
		return feature{}, f.end // 山田さんと佐藤さんの二人: those just named
	}
	counted := f.text == perLength || f.text == perFloor || f.kind == money
	if f.end == j || f.a == 100 && !counted || f.text == perLength && text[j] == 0xE6 && string(text[j:f.end]) == "日" {
		return feature{}, j
	}
	return f, f.end
}
