package jtalk

import (
	"strings"
	"unicode"
)

// wave stands between the ends of a range, around subtitles, and for a long vowel.
const wave = '〜'

const (
	// inTimes are the characters that times and dates consist of.
	inTimes = "0123456789,.:年月日時分半秒頃ごろ午前後朝昼夜夕方正翌曜火水木金土祝()"
	// ofTimes are those without which it is none.
	ofTimes = "時日月年曜半"
)

// ranges reads waves, and hyphens between times: から between the ends of a range, with まで behind a
// time or date; a long vowel behind kana.
func ranges(text string) string {
	runes := []rune(text)
	var b strings.Builder
	until := -1 // where まで is to be written
	for i, r := range runes {
		if i == until {
			b.WriteString("まで")
		}
		if r != wave && r != '-' {
			b.WriteRune(r)
			continue
		}
		var before rune
		if i > 0 {
			before = runes[i-1]
		}
		spoken, length := readWave(r, before, runes[i+1:])
		b.WriteString(spoken)
		if length > 0 {
			until = i + 1 + length
		}
	}
	if until == len(runes) {
		b.WriteString("まで")
	}
	return b.String()
}

// readWave returns how a wave or hyphen is read, and how long the time behind it is that まで
// follows.
func readWave(r, before rune, rest []rune) (spoken string, until int) {
	length := timeLength(rest)
	ofTime := strings.ContainsRune(ofTimes+"分", before)
	digit := unicode.IsDigit(before)
	var behind rune
	if len(rest) > 0 {
		behind = rest[0]
	}
	words := unicode.IsLetter(before) && (unicode.IsLetter(behind) || unicode.IsDigit(behind))
	switch {
	case r == '-' && (length == 0 || !ofTime):
		return "-", 0
	case unicode.In(before, unicode.Hiragana):
		if unicode.In(behind, unicode.Han) {
			return pause, 0
		}
		return longVowel, 0
	case digit || ofTime || before == ')' || words:
		if digit {
			length = 0
		}
		return "から", length
	}
	return "", length
}

// timeLength returns how long the time or date is with which a text begins, if まで may stand behind
// it.
func timeLength(runes []rune) int {
	n, isTime, open := 0, false, 0
	for n < len(runes) && strings.ContainsRune(inTimes, runes[n]) {
		switch r := runes[n]; {
		case r == '(':
			open++
		case r == ')':
			open--
		case strings.ContainsRune(ofTimes, r):
			isTime = true
		}
		if open < 0 {
			break
		}
		n++
	}
	if !isTime || strings.HasPrefix(string(runes[n:]), "まで") || n < len(runes) && runes[n] == 'に' {
		return 0
	}
	for strings.ContainsRune("(,.:", runes[n-1]) {
		n--
	}
	return n
}
