package datetime

import "strings"

// kanjiDigits are the digits in kanji, from 0 on.
const kanjiDigits = "〇一二三四五六七八九"

// kanjiNumber reads kanji numerals at i (十五, 二〇二五, 三百六十五) and returns the value and where they end.
func kanjiNumber(runes []rune, i int) (value, end int) {
	total, part, positional := 0, 0, false
	for end = i; end < len(runes) && end-i < 9; end++ {
		if d := kanjiDigit(runes[end]); d >= 0 {
			if !positional {
				part = 0
			}
			part, positional = part*10+d, true
			continue
		}
		power := kanjiPowers[runes[end]]
		if power == 0 {
			break
		}
		total += max(part, 1) * power
		part, positional = 0, false
	}
	return total + part, end
}

func kanjiDigit(r rune) int {
	if r < '〇' {
		return -1
	}
	if r == '零' {
		return 0
	}
	if at := strings.IndexRune(kanjiDigits, r); at >= 0 {
		return at / len("〇")
	}
	return -1
}

// kanjiPowers are the powers of ten in kanji.
var kanjiPowers = map[rune]int{'十': 10, '百': 100, '千': 1000}

// joinNumbers makes one token of numbers said in several English words: twenty three, twenty-third,
// two thousand five.
func joinNumbers(tokens []token) []token {
	out := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.class == cNum && t.n == inWords {
			i = extendNumber(tokens, i, &t)
		}
		out = append(out, t)
	}
	return out
}

// extendNumber grows t over the words after i and returns the last that it took.
func extendNumber(tokens []token, i int, t *token) int {
	for t.class == cNum {
		k := i + 1
		if k < len(tokens) && (tokens[k].class == cDash || tokens[k].class == cAnd && t.a >= 100 && t.a%100 == 0) {
			k++
		}
		if k >= len(tokens) {
			break
		}
		next := tokens[k]
		isNumber := next.class == cNum && next.n == inWords
		isOrdinal := next.class == cOrdinal && next.b == 0 && next.a < 10
		switch {
		case isNumber && t.a < 100 && (next.a == 100 || next.a == 1000):
			t.a *= next.a
		case (isNumber || isOrdinal) && next.a > 0 && next.a < room(t.a):
			t.class, t.a = next.class, t.a+next.a
		default:
			return i
		}
		t.end = next.end
		i = k
	}
	return i
}

// room is how high a number may be that follows another in one number: below 10 behind twenty, but
// 0 behind three.
func room(n int) int {
	switch {
	case n < 20:
		return 0
	case n%1000 == 0:
		return 1000
	case n%100 == 0:
		return 100
	case n%10 == 0 && n%100 >= 20:
		return 10
	}
	return 0
}
