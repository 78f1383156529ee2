package datetime

import (
	"slices"
	"strings"
	"unicode"

	"annai/internal/text"
)

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
	if r == ' ' {
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
		return s.emit(token{class: cNum, a: v, n: inKanji}, i, last)
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

// word takes what nothing knows: a whole Latin word, a sign, or what is left between known words in
// Japanese.
func (s *scanner) word(i int) int {
	r, end := s.runes[i], i+1
	switch {
	case unicode.IsPunct(r) || unicode.IsSymbol(r):
		return s.emit(token{class: cWord, a: functionWord}, i, end)
	case isLetter(r):
		for s.inLatinWord(end) || s.rune(end) == '\'' || s.rune(end) == '_' {
			end++
		}
	case !s.gap:
		if last := s.last(1); last.class == cWord && last.a == 0 && !last.latin {
			s.tokens[len(s.tokens)-1].end = s.folded.end(end)
			return end
		}
	}
	return s.emit(token{class: cWord}, i, end)
}

// inLatinWord reports whether a letter or digit stands at i.
func (s *scanner) inLatinWord(i int) bool { return isLetter(s.rune(i)) || isDigit(s.rune(i)) }

// last is the nth token from the end, or a barrier.
func (s *scanner) last(n int) token {
	if n > len(s.tokens) {
		return token{class: cWord, a: outside}
	}
	return s.tokens[len(s.tokens)-n]
}

// lookup finds the longest entry of the lexicon at i.
func (s *scanner) lookup(i int) (token, int) {
	latin := isLetter(s.runes[i])
	return s.longest(i, func(it *item, end int) bool {
		return s.boundary(i, end, latin, it.loose) && !s.splits(it.token, end)
	})
}

// longest finds the longest entry of the lexicon at i of those that are fit to end where they do.
// It returns i when there is none.
func (s *scanner) longest(i int, fit func(it *item, end int) bool) (found token, end int) {
	at, end := 0, i
	for j := i; j < len(s.runes); {
		r := s.runes[j]
		j++
		for r == ' ' && s.rune(j) == ' ' {
			j++
		}
		var ok bool
		if at, ok = words.step(at, r); !ok {
			break
		}
		if it := words.nodes[at].item; it != nil && fit(it, j) {
			found, end = it.token, j
		}
	}
	return found, end
}

// boundary reports whether an entry may stand at [i, end): whole Latin words, and short kana words
// not inside others.
func (s *scanner) boundary(i, end int, latin, loose bool) bool {
	before, after := s.rune(i-1), s.rune(end)
	switch {
	case latin:
		possessive := after != '\'' || s.rune(end+1) == 's'
		return !isLetter(after) && possessive && !(isDigit(s.rune(end-1)) && isDigit(after))
	case loose:
		return (!isHiragana(before) || isParticle(before)) && (!isHiragana(after) || isParticle(after))
	}
	return true
}

// splits reports whether a word that ends before i would take what belongs to the words beside it.
func (s *scanner) splits(t token, i int) bool {
	return s.splitsCount(t) || s.splitsVerb(i) || t.class == cInside && s.splitsName(i)
}

// splitsName reports whether 中 or 内, which ends before i, is not said of a time before it, or is
// the start of another word: 会議中, 今週中国へ.
func (s *scanner) splitsName(i int) bool {
	r := s.rune(i)
	return s.gap || s.last(1).class == cWord || isKanji(s.rune(i-1)) && isKanji(r) || isDigit(r)
}

// splitsCount reports whether a word such as 月末 would take the unit from the number before it, as
// in 7月末 and 3年内, or 前の from the length before it, as in 3日前の.
func (s *scanner) splitsCount(t token) bool {
	if s.gap {
		return false
	}
	switch s.last(1).class {
	case cNum:
		ofUnit := t.b == unitMonth || t.b == unitYear && t.a == segmentEnd
		return t.class == cSegment && ofUnit || t.class == cPeriodRel && t.n == ofCount
	case cUnit, cHalf:
		return t.class == cRel && t.a < 0
	}
	return false
}

// The verb 空く, whose first character is a word by itself, and how it goes on.
const (
	verbAku      = '空'
	verbAkuForms = "いくけか"
	verbAkuStem  = 'き'
)

// splitsVerb reports whether a word that ends before i would take the first character of the verb
// 空く with it: 夜空 is no word in 今日の夜空いてる, but is one in 夜空きれい.
func (s *scanner) splitsVerb(i int) bool {
	if s.rune(i-1) != verbAku || s.rune(i-2) == 0 {
		return false
	}
	r := s.rune(i)
	return strings.ContainsRune(verbAkuForms, r) || r == verbAkuStem && s.rune(i+1) != 'れ'
}

// particles are those beside which a word in kana may stand.
const particles = "はがのともにをでへかや"

func isParticle(r rune) bool { return strings.ContainsRune(particles, r) }

// url reports where an address or a tag that starts at i ends.
func (s *scanner) url(i int) int {
	r := s.runes[i]
	switch r {
	case '@', '#':
		if !isLetter(s.rune(i + 1)) {
			return i
		}
	case 'h', 'w':
		if !s.has(i, "http://") && !s.has(i, "https://") && !s.has(i, "www.") {
			return i
		}
	default:
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
	if s.runes[i] != '(' {
		return token{}, i
	}
	day, ok := text.Weekday(s.rune(i + 1))
	end := i + 2
	for _, r := range "曜日" {
		if s.rune(end) == r {
			end++
		}
	}
	if !ok || s.rune(end) != ')' {
		return token{}, i
	}
	return token{class: cWeekday, a: int(day)}, end + 1
}
