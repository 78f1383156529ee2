package datetime

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"annai/internal/text"
)

// class is what a token is to the grammar, in either language.
type class uint8

const (
	cWord       class = iota // not understood: a barrier for every rule
	cNum                     // a: value, b: digits written (0: in words), c: thousandths of a fraction
	cOrdinal                 // a: value, b: 1 when written in digits
	cYMD                     // a, b, c: year, month, day
	cYM                      // a, b
	cMD                      // a, b: as written, month and day in either order; n: eitherOrder when nothing tells which
	cClock                   // a, b, c: hour, minute, second; n: 1 when written with a leading zero
	cUnit                    // a: unit, b: flags
	cMonth                   // a: 1..12, b: 1 when the word is also another word (may, march)
	cWeekday                 // a: time.Weekday, b: 1 when the word is also another word (sun, sat), 2 for a plural
	cDayRel                  // a: days from today
	cDayPartRel              // a: days from today, b: part
	cPeriodRel               // a: offset, b: unit
	cRel                     // a: -1 last, 0 this, 1 next, 2 coming (今度の)
	cPart                    // a: part
	cMeridiem                // a: meridiem; said before the hour in Japanese
	cAmPm                    // a: meridiem; said after the hour
	cNoon                    // a: hour 12 or 0
	cHoliday                 // a: index in holidays
	cEra                     // a: the year before its first, b: its length in years
	cSegment                 // a: segment, b: unit it is of, or 0
	cWeekdays                // Monday to Friday
	cNow                     //
	cEvery                   // a: unit, or 0 when what follows says it
	cSet                     // complete in itself: daily
	cFrom                    // から after, or "from" before
	cTo                      // to, through, 〜
	cUntil                   // まで after, or until before
	cBetween                 //
	cAnd                     //
	cMiddle                  // の間, にかけて: closes a range
	cInside                  // 中, 内, 期間 right behind a time: the whole of it
	cSince                   // 以降 after, or since before
	cBefore                  // 以前
	cAfter                   // 後 after a length, or after before a date
	cAgo                     //
	cWithin                  // 以内 after, or within before
	cLastN                   // 過去
	cNextN                   // 今後
	cIn                      //
	cOn                      //
	cAt                      //
	cOf                      // of, の
	cThe                     //
	cArticle                 // a, an
	cFor                     //
	cHalf                    //
	cQuarter                 //
	cPast                    // past, after: in "ten past two"
	cOClock                  //
	cApprox                  // 頃, about
	cNth                     // 第
	cComma                   //
	cDash                    //
	cPlace                   // a noun that takes a number for itself (floor, 階)
	cYearOf                  // in words such as 元年
	cOpen                    // (
	cClose                   // )
	cPlus                    // +
	cSlash                   // / with blanks around it
	cSeason                  // 夏, summer: no two people mean the same days
	cWeekOf                  // week of, w/c
	cRest                    // a: 1 the rest of, 2 later in
	cEach                    // ごと: makes a length recur
	cExtra                   // more: in "2 more minutes"
	cBound                   // a: -1 less than, 1 more than: before a length
	cSub                     // a: first month, b: how many months: a quarter or half of a year
)

// A token is a piece of the text that the grammar can name.
type token struct {
	class      class
	a, b, c, n int
	start, end int // byte offsets in the text
	gap        bool
	latin      bool
}

// folded is a text as runes in lower case and NFKC, each with the byte offset it came from.
type folded struct {
	runes []rune
	at    []int
}

// fold normalises rune by rune, so that every offset refers to the text as given.
func fold(text string) folded {
	f := folded{runes: make([]rune, 0, len(text)+1), at: make([]int, 0, len(text)+1)}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		f.add(r, text[i:i+size], i)
		i += size
	}
	f.at = append(f.at, len(text))
	return f
}

func (f *folded) add(r rune, raw string, at int) {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		} else if r < ' ' {
			r = ' '
		}
		f.push(r, at)
	case isJapanese(r):
		f.push(r, at)
	case r == '’' || r == '‘':
		f.push('\'', at)
	case r == utf8.RuneError || unicode.Is(unicode.Cf, r):
		f.push(' ', at)
	default:
		var buf [32]byte
		for _, n := range string(norm.NFKC.AppendString(buf[:0], raw)) {
			f.push(unicode.ToLower(n), at)
		}
	}
}

func (f *folded) push(r rune, at int) {
	f.runes = append(f.runes, r)
	f.at = append(f.at, at)
}

func (f *folded) rune(i int) rune {
	if i < 0 || i >= len(f.runes) {
		return 0
	}
	return f.runes[i]
}

// end is the byte offset at which the rune before i ends.
func (f *folded) end(i int) int {
	for i < len(f.runes) && i > 0 && f.at[i] == f.at[i-1] {
		i++
	}
	return f.at[i]
}

func isDigit(r rune) bool    { return '0' <= r && r <= '9' }
func isLetter(r rune) bool   { return 'a' <= r && r <= 'z' || r >= 0xC0 && r < 0x250 }
func isHiragana(r rune) bool { return 0x3041 <= r && r <= 0x3096 }
func isKanji(r rune) bool    { return 0x4E00 <= r && r <= 0x9FFF }
func isJapanese(r rune) bool { return 0x3041 <= r && r <= 0x30FE || 0x4E00 <= r && r <= 0x9FFF }

// A scanner cuts a folded text into tokens.
type scanner struct {
	folded
	tokens   []token
	gap      bool
	japanese bool // some of it is written in Japanese
}

// scan cuts a text into tokens and reports whether some of it is written in Japanese.
func scan(text string) (tokens []token, japanese bool) {
	s := scanner{folded: fold(text)}
	s.japanese = slices.ContainsFunc(s.runes, isJapanese)
	s.tokens = make([]token, 0, len(s.runes)/2+4)
	for i := 0; i < len(s.runes); {
		i = s.next(i)
	}
	return joinNumbers(s.tokens), s.japanese
}

// next reads the token at i and returns where the following one starts.
func (s *scanner) next(i int) int {
	r := s.runes[i]
	if r == ' ' || r == '\t' || r == '\u00a0' {
		s.gap = true
		return i + 1
	}
	if end := s.url(i); end > i {
		return s.emit(token{class: cWord}, i, end)
	}
	if t, end := s.namedDate(i); end > i {
		return s.emit(t, i, end)
	}
	if isDigit(r) {
		return s.digits(i)
	}
	if t, end := s.parenWeekday(i); end > i {
		return s.emit(t, i, end)
	}
	if isCurrency(r) && isLetter(s.rune(i+1)) {
		return s.emit(token{class: cWord}, i, s.plainWord(i+1))
	}
	t, end := s.lookup(i)
	if v, last := kanjiNumber(s.runes, i); last > i && last >= end {
		return s.emit(token{class: cNum, a: v, n: 2}, i, last)
	}
	if end > i {
		return s.emit(t, i, end)
	}
	return s.word(i)
}

func (s *scanner) emit(t token, from, to int) int {
	t.start, t.end, t.gap = s.at[from], s.folded.end(to), s.gap
	t.latin = isLetter(s.runes[from])
	s.gap = false
	s.tokens = append(s.tokens, t)
	return to
}

// word takes what nothing knows: a whole Latin word, or one rune.
func (s *scanner) word(i int) int {
	end := i + 1
	if r := s.runes[i]; unicode.IsPunct(r) || unicode.IsSymbol(r) {
		return s.emit(token{class: cWord, a: functionWord}, i, end)
	}
	if isLetter(s.runes[i]) {
		for isLetter(s.rune(end)) || isDigit(s.rune(end)) || s.rune(end) == '\'' || s.rune(end) == '_' {
			end++
		}
		return s.emit(token{class: cWord}, i, end)
	}
	if n := len(s.tokens); n > 0 && !s.gap && s.tokens[n-1].class == cWord && !s.tokens[n-1].latin && s.tokens[n-1].a == 0 {
		s.tokens[n-1].end = s.folded.end(end)
		return end
	}
	return s.emit(token{class: cWord}, i, end)
}

// lookup finds the longest entry of the lexicon at i.
func (s *scanner) lookup(i int) (token, int) {
	node, best, end := 0, -1, i
	latin := isLetter(s.runes[i])
	if latin && isLetter(s.rune(i-1)) {
		return token{}, i
	}
	for j := i; j < len(s.runes); {
		r, next := s.runes[j], j+1
		if r == ' ' {
			for s.rune(next) == ' ' {
				next++
			}
		}
		var ok bool
		if node, ok = words.step(node, r); !ok {
			break
		}
		if e := words.entry(node); e >= 0 && s.boundary(i, next, latin, words.items[e].loose) && !s.splits(words.items[e].token, next) {
			best, end = e, next
		}
		j = next
	}
	if best < 0 {
		return token{}, i
	}
	return words.items[best].token, end
}

// boundary reports whether an entry may stand at [i, end): whole Latin words, and short kana words not inside others.
func (s *scanner) boundary(i, end int, latin, kana bool) bool {
	if latin {
		return !isLetter(s.rune(end)) && (s.rune(end) != '\'' || s.rune(end+1) == 's') && !(isDigit(s.rune(end-1)) && isDigit(s.rune(end)))
	}
	if !kana {
		return true
	}
	before, after := s.rune(i-1), s.rune(end)
	if isHiragana(before) && !isParticle(before) {
		return false
	}
	return !isHiragana(after) || isParticle(after)
}

// splits reports whether a word that ends before i would take what belongs to the words beside it.
func (s *scanner) splits(t token, i int) bool {
	return s.splitsCount(t) || s.splitsVerb(i) || t.class == cInside && s.splitsName(i)
}

// splitsName reports whether 中 or 内, which ends before i, is not said of a time before it, or is the start of another word: 会議中, 今週中国へ.
func (s *scanner) splitsName(i int) bool {
	n := len(s.tokens)
	if n == 0 || s.gap || s.tokens[n-1].class == cWord {
		return true
	}
	r := s.rune(i)
	return isKanji(s.rune(i-1)) && isKanji(r) || isDigit(r)
}

// splitsCount reports whether a word such as 月末 would take the unit from the number before it, as in 7月末 and 3年内, or 前の from
// the length before it, as in 3日前の.
func (s *scanner) splitsCount(t token) bool {
	n := len(s.tokens)
	if n == 0 || s.gap {
		return false
	}
	before := s.tokens[n-1].class
	return before == cNum && (t.class == cSegment && (t.b == unitMonth || t.b == unitYear && t.a == segmentEnd) || t.class == cPeriodRel && t.n == ofCount) ||
		(before == cUnit || before == cHalf) && t.class == cRel && t.a < 0
}

// splitsVerb reports whether a word that ends before i would take the first character of the verb 空く with it: 夜空 is no word in
// 今日の夜空いてる, but is one in 夜空きれい.
func (s *scanner) splitsVerb(i int) bool {
	if s.rune(i-1) != '空' || s.rune(i-2) == 0 {
		return false
	}
	switch s.rune(i) {
	case 'い', 'く', 'け', 'か':
		return true
	case 'き':
		return s.rune(i+1) != 'れ'
	}
	return false
}

func isParticle(r rune) bool {
	switch r {
	case 'は', 'が', 'の', 'と', 'も', 'に', 'を', 'で', 'へ', 'か', 'や':
		return true
	}
	return false
}

// url reports where an address that starts at i ends.
func (s *scanner) url(i int) int {
	if r := s.runes[i]; r != 'h' && r != 'w' && r != '@' && r != '#' {
		return i
	}
	if !s.has(i, "http://") && !s.has(i, "https://") && !s.has(i, "www.") &&
		(s.runes[i] != '@' && s.runes[i] != '#' || !isLetter(s.rune(i+1))) {
		return i
	}
	for i < len(s.runes) && s.runes[i] != ' ' && s.runes[i] < 0x3000 {
		i++
	}
	return i
}

func (s *scanner) has(i int, prefix string) bool {
	for _, r := range prefix {
		if s.rune(i) != r {
			return false
		}
		i++
	}
	return true
}

// parenWeekday reads "(水)", "(水曜)" and "(水曜日)" as written after a date.
func (s *scanner) parenWeekday(i int) (token, int) {
	if s.runes[i] != '(' || i+2 >= len(s.runes) {
		return token{}, i
	}
	day := weekdayKanji(s.runes[i+1])
	if day < 0 {
		return token{}, i
	}
	end := i + 2
	for _, r := range "曜日" {
		if s.rune(end) == r {
			end++
		}
	}
	if s.rune(end) != ')' {
		return token{}, i
	}
	return token{class: cWeekday, a: day}, end + 1
}

func weekdayKanji(r rune) int {
	if day, ok := text.Weekday(r); ok {
		return int(day)
	}
	return -1
}
