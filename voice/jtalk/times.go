package jtalk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// date reads 2026/1/14, 2026-01-14, 1/14(水) and R8年.
func (s *speaker) date() (string, int) {
	for _, pattern := range []string{"9/9/9", "9-9-9", "9.9.9"} {
		d, n := match(s.rest, pattern)
		if n > 0 && len(d[0]) == 4 && inRange(d[1], 1, 12) && inRange(d[2], 1, 31) && s.apart(n) {
			return d[0] + "年" + plain(d[1]) + "月" + plain(d[2]) + "日", n
		}
	}
	for letter, era := range map[string]string{"R": "令和", "H": "平成", "S": "昭和"} {
		if d, n := match(s.rest, letter+"9年"); n > 0 && inRange(d[0], 1, 64) && s.apart(n) {
			return era + plain(d[0]) + "年", n
		}
	}
	d, n := match(s.rest, "9/9(")
	if n == 0 || !inRange(d[0], 1, 12) || !inRange(d[1], 1, 31) || !s.apart(n-1) {
		return "", 0
	}
	if day, _ := utf8.DecodeRuneInString(s.rest[n:]); !strings.ContainsRune(weekdays, day) {
		return "", 0
	}
	return plain(d[0]) + "月" + plain(d[1]) + "日", n - 1
}

const weekdays = "月火水木金土日祝"

// inRange reports whether digits are a number from one to another.
func inRange(digits string, from, to int) bool {
	return len(digits) <= 2 && number(digits) >= from && number(digits) <= to
}

// plain leaves out zeros before a number.
func plain(digits string) string {
	if p := strings.TrimLeft(digits, "0"); p != "" {
		return p
	}
	return "0"
}

// halfDay reads what stands before times of day.
func (s *speaker) halfDay() (string, int) {
	for _, half := range []struct{ letters, spoken string }{{"AM", "午前"}, {"PM", "午後"}} {
		if rest, ok := strings.CutPrefix(s.rest, half.letters); ok && !alphanumeric(s.last) {
			time := strings.TrimPrefix(rest, " ")
			if _, n := match(time, "9"); n > 0 {
				return half.spoken, len(s.rest) - len(time)
			}
		}
	}
	return "", 0
}

// clock reads times of day.
func (s *speaker) clock() (string, int) {
	d, n := match(s.rest, "9:9")
	if n == 0 || !inRange(d[0], 0, 29) || len(d[1]) != 2 || number(d[1]) > 59 {
		return "", 0
	}
	if behind, _ := utf8.DecodeRuneInString(s.rest[n:]); isLatin(s.last) && s.last != 'M' || alphanumeric(behind) {
		return "", 0
	}
	hour := plain(d[0]) + "時"
	if hour == "0時" {
		hour = "零時"
	}
	if d[1] == "00" {
		return hour, n
	}
	return hour + plain(d[1]) + "分", n
}

// price reads amounts behind the mark of their currency.
func (s *speaker) price() (string, int) {
	mark, size := utf8.DecodeRuneInString(s.rest)
	currency, ok := map[rune]string{'¥': "円", '￥': "円", '\\': "円", '$': "ドル", '€': "ユーロ", '£': "ポンド"}[mark]
	if !ok {
		return "", 0
	}
	amount := s.rest[size:]
	n := strings.IndexFunc(amount, func(r rune) bool { return (r < '0' || r > '9') && r != ',' && r != '.' })
	if n < 0 {
		n = len(amount)
	}
	amount = strings.TrimRight(amount[:n], ",.")
	if amount == "" || amount[0] < '0' {
		return "", 0
	}
	n = size + len(amount)
	if strings.HasPrefix(s.rest[n:], currency) {
		n += len(currency)
	}
	return amount + currency, n
}

// floor reads 3F, B1F and B1.
func (s *speaker) floor() (string, int) {
	if d, n := match(s.rest, "B9"); n > 0 && inRange(d[0], 1, 3) && s.apart(n) && !isKatakana(s.last) {
		return "地下" + d[0] + "階", n + len(s.rest[n:]) - len(strings.TrimPrefix(s.rest[n:], "階"))
	}
	for _, p := range []struct{ pattern, before string }{{"B9F", "地下"}, {"B9階", "地下"}, {"9F", ""}} {
		if d, n := match(s.rest, p.pattern); n > 0 && len(d[0]) <= 2 && s.apart(n) {
			return p.before + d[0] + "階", n
		}
	}
	return "", 0
}

// weekdayList reads 土・日・祝.
func (s *speaker) weekdayList() (string, int) {
	read := map[rune]string{
		'月': "ゲツ", '火': "カ", '水': "スイ", '木': "モク", '金': "キン", '土': "ド", '日': "ニチ", '祝': "シュク",
	}
	if unicode.IsLetter(s.last) || unicode.IsDigit(s.last) {
		return "", 0
	}
	var days []string
	n := 0
	for {
		day, size := utf8.DecodeRuneInString(s.rest[n:])
		behind, _ := utf8.DecodeRuneInString(s.rest[n+size:])
		if read[day] == "" || unicode.In(behind, unicode.Han) {
			return "", 0
		}
		days = append(days, read[day])
		n += size
		if behind != '・' {
			break
		}
		n += len("・")
	}
	if len(days) < 2 {
		return "", 0
	}
	return strings.Join(days, "、"), n
}

// room reads A-3 as A no 3.
func (s *speaker) room() (string, int) {
	first, size := utf8.DecodeRuneInString(s.rest)
	if first < 'A' || first > 'Z' {
		return "", 0
	}
	d, n := match(s.rest[size:], "-9")
	if n == 0 || len(d[0]) > 3 || !s.apart(size+n) {
		return "", 0
	}
	return string(first) + "の" + plain(d[0]), size + n
}

// number passes over digits with what belongs to them, as Open JTalk reads them.
func (s *speaker) number() (string, int) {
	_, n := match(s.rest, "9")
	for n > 0 {
		_, more := match(s.rest[n:], ",9")
		if more == 0 {
			break
		}
		n += more
	}
	return s.rest[:n], n
}
