package datetime

// kanjiNumber reads kanji numerals at i (十五, 二〇二五, 三百六十五) and returns the value and where they end.
func kanjiNumber(runes []rune, i int) (value, end int) {
	total, part, positional, count := 0, 0, true, 0
	for end = i; end < len(runes) && count < 9; end++ {
		r := runes[end]
		if d := kanjiDigit(r); d >= 0 {
			if positional && count > 0 {
				part = part*10 + d
			} else {
				part = d
			}
			count++
			positional = true
			continue
		}
		power := kanjiPower(r)
		if power == 0 {
			break
		}
		if part == 0 {
			part = 1
		}
		total += part * power
		part, positional = 0, false
		count++
	}
	return total + part, end
}

func kanjiDigit(r rune) int {
	switch r {
	case '〇', '零':
		return 0
	case '一':
		return 1
	case '二':
		return 2
	case '三':
		return 3
	case '四':
		return 4
	case '五':
		return 5
	case '六':
		return 6
	case '七':
		return 7
	case '八':
		return 8
	case '九':
		return 9
	}
	return -1
}

func kanjiPower(r rune) int {
	switch r {
	case '十':
		return 10
	case '百':
		return 100
	case '千':
		return 1000
	}
	return 0
}

// Marks of a cNum, in n: said in an English word, written in kanji, 数 (which counts but names no day).
const (
	inWords = 1
	several = 3
	// pluralOnly marks few and several, which no unit in the singular follows.
	pluralOnly = 4
)

// joinNumbers makes one token of numbers said in several English words: twenty three, twenty-third, two thousand five.
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
	for {
		k := i + 1
		if k < len(tokens) && (tokens[k].class == cDash || tokens[k].class == cAnd && t.a >= 100) {
			k++
		}
		if k >= len(tokens) || !tokens[k].latin {
			return i
		}
		next := tokens[k]
		isNum := next.class == cNum && next.n == 1
		isOrd := next.class == cOrdinal && next.b == 0
		switch {
		case isNum && (next.a == 100 || next.a == 1000) && t.a < 100 && k == i+1:
			t.a *= next.a
		case isNum && fits(t.a, next.a) && (k == i+1 || t.a < 100 || t.a >= 100):
			t.a += next.a
		case isOrd && fits(t.a, next.a) && next.a < 10 && t.a%10 == 0:
			t.class, t.a = cOrdinal, t.a+next.a
			t.end = next.end
			return k
		default:
			return i
		}
		t.end = next.end
		i = k
	}
}

// fits reports whether low may follow high in one number: twenty three, but not three twenty.
func fits(high, low int) bool {
	switch {
	case high >= 20 && high < 100 && high%10 == 0:
		return low > 0 && low < 10
	case high >= 100 && high%1000 == 0:
		return low > 0 && low < 1000 && high >= 1000
	case high >= 100 && high%100 == 0:
		return low > 0 && low < 100
	}
	return high >= 1000 && high%1000 != 0 && high%10 == 0 && high%100 >= 20 && low < 10
}
