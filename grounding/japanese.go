package grounding

import (
	"strings"
	"unicode/utf8"
)

func firstRune(text []byte) rune {
	r, _ := utf8.DecodeRune(text)
	return r
}

func lastRune(text []byte) rune {
	r, _ := utf8.DecodeLastRune(text)
	return r
}

// japaneseNots are words that deny what is before them. The longer of two stands first.
var japaneseNots = []struct {
	form string
	negation
}{
	{"できません", negation{before: true, modal: "can"}},
	{"できない", negation{before: true, modal: "can"}},
	{"できず", negation{before: true, modal: "can"}},
	{"必要はありません", negation{before: true, modal: "need"}},
	{"必要はございません", negation{before: true, modal: "need"}},
	{"必要ありません", negation{before: true, modal: "need"}},
	{"必要ない", negation{before: true, modal: "need"}},
	{"いりません", negation{before: true, modal: "need"}},
	{"要りません", negation{before: true, modal: "need"}},
	{"不要", negation{before: true, modal: "need"}},
	{"遠慮", negation{before: true, modal: "can"}},
	{"控え", negation{before: true, modal: "can"}},
	{"禁止", negation{before: true, modal: "can"}},
	{"不可", negation{before: true, modal: "can"}},
	{"お断り", negation{before: true, modal: "can"}},
	{"厳禁", negation{before: true, modal: "can"}},
	{"いただけません", negation{before: true, modal: "can"}},
	{"使えません", negation{before: true, modal: "can"}},
	{"入れません", negation{before: true, modal: "can"}},
	{"ません", negation{before: true}},
	{"なしで", negation{near: true}},
	{"なし", negation{before: true}},
	{"ないで", negation{before: true}},
	{"なければ", negation{before: true}},
	{"なくて", negation{before: true}},
	{"ない", negation{before: true}},
	{"せず", negation{before: true}},
	{"まず", negation{before: true}},
	{"れず", negation{before: true}},
	{"を除", negation{near: true}},
	{"以外", negation{near: true}},
	{"しか", negation{}},
}

// idioms hold a negation that denies nothing.
var idioms = []string{
	"かもしれません", "すみません", "申し訳ありません", "申し訳ございません", "構いません", "かまいません", "問題ありません", "間違いありません", "ありませんか", "しませんか", "ないかと", "ございませんか", "まずは", "少なく",
	"ではないでしょうか", "かもしれない", "わからない", "分からない", "知らない", "だけでなく", "なければなりません", "ないといけません", "済みません",
}

// japanese reads the word that begins at i and says where to go on.
func (s *scanner) japanese(i int) int {
	rest := string(s.text[i:])
	if n := s.japaneseWeekdays(rest, i); n > 0 {
		return i + n
	}
	if strings.HasPrefix(rest, "週末") {
		s.out = append(s.out, feature{kind: weekday, a: weekend, start: i, end: i + len("週末")})
		return i + len("週末")
	}
	if n := longestPrefix(rest, idioms); n > 0 {
		return i + n
	}
	e, n := s.japaneseForm(rest)
	for _, not := range japaneseNots {
		if len(not.form) >= n && strings.HasPrefix(rest, not.form) {
			not.at, not.end = i, i+len(not.form)
			if not.before || not.near {
				s.nots = append(s.nots, not.negation)
			}
			if not.modal == "need" {
				s.out = append(s.out, feature{kind: meaning, ids: []signed{{s.words.ids["need"], 1}}, start: i, end: not.end})
			}
			return i + len(not.form)
		}
	}
	if e != nil {
		s.emit(e, rest[:n], i, i+n)
		return i + n
	}
	return s.unknown(i)
}

// denies reports whether a text begins with a negation.
func denies(rest string) bool {
	for _, not := range japaneseNots {
		if strings.HasPrefix(rest, not.form) {
			return true
		}
	}
	return false
}

func longestPrefix(s string, forms []string) int {
	n := 0
	for _, f := range forms {
		if len(f) > n && strings.HasPrefix(s, f) {
			n = len(f)
		}
	}
	return n
}

// japaneseForm looks the longest form up that a text begins with.
func (s *scanner) japaneseForm(rest string) (*entry, int) {
	first, _ := utf8.DecodeRuneInString(rest)
	var best *entry
	length := 0
	for _, l := range [...]*lexicon{s.names, s.words} {
		if l == nil {
			continue
		}
		end := prefixRunes(rest, l.runes[first])
		for end > length {
			if e := l.japanese[rest[:end]]; e != nil {
				best, length = e, end
				break
			}
			_, size := utf8.DecodeLastRuneInString(rest[:end])
			end -= size
		}
	}
	return best, length
}

// prefixRunes is the length of the first n runes of s, or of s.
func prefixRunes(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// unknown reads a run of one script that is on no list. Runs of hiragana are endings and politeness, but for a longer one with the
// particle of a noun.
func (s *scanner) unknown(i int) int {
	kind := scriptOf(firstRune(s.text[i:]))
	j := i
	for j < len(s.text) {
		r, size := utf8.DecodeRune(s.text[j:])
		if scriptOf(r) != kind {
			break
		}
		if j > i {
			rest := string(s.text[j:min(len(s.text), j+60)])
			if _, n := s.japaneseForm(rest); n > 3 || denies(rest) {
				break
			}
		}
		j += size
	}
	if kind == hiragana && strings.HasPrefix(string(s.text[i:j]), "の") {
		i += len("の")
	}
	runes := utf8.RuneCount(s.text[i:j])
	if kind == hiragana && runes < 4 || kind == kanji && runes == 1 && s.affix(i, j) {
		return j
	}
	soft := kind == hiragana && !strings.ContainsRune("がをもはの", lastRune(s.text[i:j]))
	s.out = append(s.out, feature{kind: word, text: string(s.text[i:j]), soft: soft, start: i, end: j})
	return j
}

// affix reports whether one kanji is no noun of its own: part of a compound, or a verb with its ending.
func (s *scanner) affix(i, j int) bool {
	before, _ := utf8.DecodeLastRuneInString(s.whole[:i])
	if b := scriptOf(before); b == kanji || b == katakana || before == 'お' || before == 'ご' {
		return true
	}
	after, _ := utf8.DecodeRuneInString(s.whole[j:])
	return scriptOf(after) == kanji || scriptOf(after) == hiragana && !strings.ContainsRune("はがをもにでとやの", after)
}

// anotherWeekday is the length of what stands between a weekday and the next of the same list; 0 if no list goes on.
func anotherWeekday(rest string) int {
	for _, and := range [...]string{"、", "・", "と", "や", ","} {
		after, ok := strings.CutPrefix(rest, and)
		if !ok {
			continue
		}
		if r, size := utf8.DecodeRuneInString(after); strings.ContainsRune(weekdayRunes, r) && strings.HasPrefix(after[size:], "曜") {
			return len(and)
		}
	}
	return 0
}

const weekdayRunes = "日月火水木金土"

// japaneseWeekdays reads weekdays: 月曜, 月曜日, 火・木・金曜, 土日, (水).
func (s *scanner) japaneseWeekdays(rest string, i int) int {
	var found []feature
	n, listed := 0, false
	for {
		r, size := utf8.DecodeRuneInString(rest[n:])
		d := strings.IndexRune(weekdayRunes, r)
		if d < 0 || size < 3 {
			break
		}
		found = append(found, feature{kind: weekday, a: d / 3, start: i + n, end: i + n + size})
		n += size
		r, size = utf8.DecodeRuneInString(rest[n:])
		if r == '・' || r == '、' || r == '/' || r == 'と' || r == ',' {
			next, _ := utf8.DecodeRuneInString(rest[n+size:])
			if strings.ContainsRune(weekdayRunes, next) {
				n += size
				listed = r == '・'
				continue
			}
		}
		if strings.HasPrefix(rest[n:], "曜") {
			n += len("曜")
			if strings.HasPrefix(rest[n:], "日") {
				n += len("日")
			}
			if size := anotherWeekday(rest[n:]); size > 0 {
				n += size
				continue // 火曜、木曜、金曜
			}
			s.out = append(s.out, found...)
			return n
		}
		if listed && !strings.ContainsRune(weekdayRunes, firstRune([]byte(rest[n:]))) {
			s.out = append(s.out, found...)
			return n
		}
		if strings.HasPrefix(rest, "土日") && n == len("土日") || i > 0 && s.text[i-1] == '(' && strings.HasPrefix(rest[n:], ")") {
			s.out = append(s.out, found...)
			return n
		}
	}
	return 0
}
