package datetime

// namedDate reads a date whose parts are joined without blanks and whose month is a name:
// 23/Sep/2020, 2019-aug-1, Nov/2, 2024-August.
func (s *scanner) namedDate(i int) (token, int) {
	if sep := s.rune(s.plainWord(i)); sep != '-' && sep != '/' {
		return token{}, i
	}
	c, end := s.namedParts(i)
	if c.n < 2 || s.inLatinWord(end) {
		return token{}, i
	}
	if t, ok := dateInNumbers(c.num[:c.n], c.digits[:c.n], c.sep[:c.n-1], false); ok {
		return t, end
	}
	return token{}, i
}

// namedParts reads the name of a month and one or two numbers with the same separator between them.
// The chain is empty when there is no name.
func (s *scanner) namedParts(i int) (c chain, end int) {
	named := false
	for end = i; c.n < 3; {
		n, next := s.monthName(end)
		isName := next > end
		for !isName && isDigit(s.rune(next)) {
			n = n*10 + int(s.runes[next]-'0')
			c.digits[c.n]++
			next++
		}
		if next == end || isName && named {
			return chain{}, i
		}
		c.num[c.n] = n
		c.n++
		named, end = named || isName, next
		sep := separator(s.rune(end))
		if sep != '-' && sep != '/' || c.n > 1 && sep != c.sep[0] || !s.inLatinWord(end+1) {
			break
		}
		c.sep[c.n-1] = sep
		end++
	}
	if !named {
		return chain{}, i
	}
	return c, end
}

// monthName finds the name of a month at i, in Latin letters.
func (s *scanner) monthName(i int) (month, end int) {
	t, end := s.longest(i, func(it *item, end int) bool {
		return it.token.class == cMonth && isLetter(s.rune(end-1)) && !isLetter(s.rune(end))
	})
	return t.a, end
}
