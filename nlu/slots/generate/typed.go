package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tag "annai/nlu/slots"
)

// The annotated utterances write all numbers as words. typed returns an utterance as people type it, with digits, and its slots in it; ok
// says whether it differs.
func typed(text string, found []tag.Slot, lang string) (string, []tag.Slot, bool) {
	digits := digitsEnglish
	if lang == tag.Japanese {
		digits = digitsJapanese
	}
	var b strings.Builder
	out := []tag.Slot{}
	at := 0
	for _, s := range found {
		b.WriteString(digits(text[at:s.Start]))
		start := b.Len()
		b.WriteString(digits(text[s.Start:s.End]))
		words := b.String()[start:]
		out = append(out, tag.Slot{Type: s.Type, Piece: tag.Piece{Text: words, Start: start, End: b.Len()}})
		at = s.End
	}
	b.WriteString(digits(text[at:]))
	return b.String(), out, b.String() != text
}

// digitsJapanese writes the numbers before units in digits: 十二月二十四日 becomes 12月24日.
func digitsJapanese(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		n, length := kanjiNumber(s[i:])
		if length == 0 || !isCounted(s[i+length:]) {
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size])
			i += size
			continue
		}
		b.WriteString(itoa(n))
		i += length
	}
	return b.String()
}

// isCounted reports whether a unit of time stands there.
func isCounted(s string) bool {
	for _, unit := range [...]string{"時", "分", "月", "日", "年", "週", "か月", "ヶ月", "秒", "回"} {
		if strings.HasPrefix(s, unit) {
			return true
		}
	}
	return false
}

// kanjiNumber reads a number in kanji at the beginning of s and returns how many bytes it has.
func kanjiNumber(s string) (n, length int) {
	part := 0
	for length < len(s) {
		r, size := utf8.DecodeRuneInString(s[length:])
		switch digit := strings.IndexRune("〇一二三四五六七八九", r); {
		case digit >= 0:
			part = part*10 + digit/len("〇")
		case r == '十':
			n, part = n+10*max(part, 1), 0
		case r == '百':
			n, part = n+100*max(part, 1), 0
		case r == '千':
			n, part = n+1000*max(part, 1), 0
		default:
			return n + part, length
		}
		length += size
	}
	return n + part, length
}

// digitsEnglish writes numbers in digits: "four thirty p. m." becomes "4:30 pm", "march twenty third" "march 23rd".
func digitsEnglish(s string) string {
	words := strings.Split(s, " ")
	var out []string
	for i := 0; i < len(words); {
		word, n := number(words[i:])
		if n == 0 {
			out = append(out, words[i])
			i++
			continue
		}
		i += n
		if i+1 < len(words) && (words[i] == "p." || words[i] == "a.") && words[i+1] == "m." {
			word += words[i][:1] + "m"
			i += 2
		} else if i < len(words) && (words[i] == "am" || words[i] == "pm") {
			word += words[i]
			i++
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

var (
	ones     = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens     = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	ordinals = strings.Fields("- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth")
)

// number reads a number, an ordinal or a clock time at the beginning of words, and returns how many of them it has.
func number(words []string) (digits string, n int) {
	value, n := cardinal(words)
	if n == 0 {
		if k := index(ordinals, words[0]); k > 2 { // "second" and "first" are other words too
			return itoa(k) + suffix(k), 1
		}
		return "", 0
	}
	rest := words[n:]
	if len(rest) > 0 && value >= 20 && value%10 == 0 {
		if k := index(ordinals, rest[0]); k > 0 && k < 10 {
			return itoa(value+k) + suffix(k), n + 1
		}
	}
	if minutes, m := cardinal(rest); m > 0 && value >= 1 && value <= 12 && minutes >= 10 && minutes < 60 {
		return itoa(value) + ":" + itoa(minutes), n + m
	}
	return itoa(value), n
}

// cardinal reads a number below a hundred.
func cardinal(words []string) (value, n int) {
	if len(words) == 0 {
		return 0, 0
	}
	if k := index(ones, words[0]); k >= 0 {
		return k, 1
	}
	k := index(tens, words[0])
	if k < 0 {
		return 0, 0
	}
	if len(words) > 1 {
		if one := index(ones[:10], words[1]); one > 0 {
			return 10*k + one, 2
		}
	}
	return 10 * k, 1
}

func index(list []string, word string) int { return slices.Index(list, word) }

func itoa(n int) string { return strconv.Itoa(n) }

// suffix is what an ordinal in digits ends with.
func suffix(n int) string {
	switch n {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}
