package jtalk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Say returns the labels of a sentence as people read it aloud: those of [Analyzer.Spoken], where
// foreign words that the dictionary has not get the accent of such words. Open JTalk gives them
// none, or takes them apart.
func (a *Analyzer) Say(text string) ([]string, error) {
	spoken, foreign := a.speak(text)
	return a.labels(a.dictionary.joinForeign(a.morphemes(spoken, a.readings, foreign)), (*sentence).soften)
}

// soften takes back the voice that Open JTalk gives 件 behind 三, 千 and 万.
func (s *sentence) soften() {
	for n := s.head; n != nil; n = n.next {
		if n.text == "件" && n.pron == "ゲン" {
			n.pron = n.entry
		}
	}
}

// Spoken writes out what people read in another way than Open JTalk: times of day, prices before
// which stands the currency, dates of numbers, floors and rooms, ranges, Latin words, addresses of
// the web, and spaces. The names that the operator gave readings for stay as they are.
func (a *Analyzer) Spoken(text string) string {
	spoken, _ := a.speak(text)
	return spoken
}

// speak also returns the words in it that were Latin.
func (a *Analyzer) speak(text string) (string, *readings) {
	s := speaker{a: a, rest: narrowed(cut(text))}
	for s.rest != "" {
		s.step()
	}
	foreign := &readings{first: map[rune][]int{}, anywhere: true}
	for _, word := range s.foreign {
		if read, wrong := parseReading(word, word); wrong == "" {
			foreign.add(given{text: word, reading: read})
		}
	}
	return ranges(s.out.String()), foreign
}

// A speaker is a text of which a part is written out.
type speaker struct {
	a    *Analyzer
	out  strings.Builder
	last rune // the character before rest
	rest string

	foreign []string // Latin words in katakana
}

// A rule reads the start of a text. What it returns takes the place of the first n bytes; 0 is no
// match.
type rule func(s *speaker) (spoken string, n int)

// rules are in the order of precedence.
var rules = []rule{
	(*speaker).name, (*speaker).address, (*speaker).date, (*speaker).halfDay, (*speaker).clock,
	(*speaker).price, (*speaker).floor, (*speaker).room, (*speaker).weekdayList, (*speaker).word,
	(*speaker).number, (*speaker).latin, (*speaker).space,
}

func (s *speaker) step() {
	for _, r := range rules {
		if spoken, n := r(s); n > 0 {
			s.put(spoken, n)
			return
		}
	}
	_, n := utf8.DecodeRuneInString(s.rest)
	s.put(s.rest[:n], n)
}

func (s *speaker) put(spoken string, n int) {
	s.out.WriteString(spoken)
	s.last, _ = utf8.DecodeLastRuneInString(s.rest[:n])
	s.rest = s.rest[n:]
}

// narrowed writes wide ASCII characters narrow, and hyphens and waves of all kinds alike.
func narrowed(text string) string {
	runes := []rune(strings.ToValidUTF8(text, ""))
	var b strings.Builder
	for i, r := range runes {
		between := i > 0 && i+1 < len(runes) && alphanumeric(runes[i-1]) && alphanumeric(runes[i+1])
		switch {
		case r >= '！' && r <= '～' && r != '～':
			b.WriteRune(r - '！' + '!')
		case r == '　' || r == '\u00a0':
			b.WriteByte(' ')
		case strings.ContainsRune("‐‑‒–—−－", r) && between:
			b.WriteByte('-')
		case r == '～' || r == '~' || r == '∼' || r == '–' || r == '—' && i > 0 && unicode.IsDigit(runes[i-1]):
			b.WriteRune(wave)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func alphanumeric(r rune) bool {
	r = narrowLetter(r)
	return r >= '0' && r <= '9' || isLatin(r)
}

func narrowLetter(r rune) rune {
	if r > '！' && r < '～' {
		return r - '！' + '!'
	}
	return r
}

func isLatin(r rune) bool { return unicode.In(r, unicode.Latin) }

// match matches a text with a pattern, in which 9 is digits and another character itself. It
// returns the digits and how long the match is.
func match(text, pattern string) (digits []string, n int) {
	for _, p := range pattern {
		if p != '9' {
			rest, ok := strings.CutPrefix(text[n:], string(p))
			if !ok {
				return nil, 0
			}
			n = len(text) - len(rest)
			continue
		}
		size := 0
		for size < len(text)-n && text[n+size] >= '0' && text[n+size] <= '9' {
			size++
		}
		if size == 0 {
			return nil, 0
		}
		digits = append(digits, text[n:n+size])
		n += size
	}
	return digits, n
}

// apart reports whether no digit and no Latin letter stands before, and none behind the first n
// bytes.
func (s *speaker) apart(n int) bool {
	first, _ := utf8.DecodeRuneInString(s.rest)
	last, _ := utf8.DecodeLastRuneInString(s.rest[:n])
	behind, _ := utf8.DecodeRuneInString(s.rest[n:])
	return !(alphanumeric(s.last) && alphanumeric(first)) && !(alphanumeric(last) && alphanumeric(behind))
}

// name passes over the operator's names.
func (s *speaker) name() (string, int) {
	longest := 0
	for _, w := range s.a.readings.words {
		if n := len(w.narrow); n > longest && strings.HasPrefix(s.rest, w.narrow) && s.apart(n) {
			longest = n
		}
	}
	return s.rest[:longest], longest
}

// counters stand close to their number, also where a space is between.
const counters = "年月日時分秒円人名階個回件度歳枚台本つ%"

// space leaves out spaces within a phrase: between Latin words, and before particles. Others are
// pauses.
func (s *speaker) space() (string, int) {
	n := len(s.rest) - len(strings.TrimLeft(s.rest, " "))
	if n == 0 {
		return "", 0
	}
	next, _ := utf8.DecodeRuneInString(s.rest[n:])
	latin := alphanumeric(next) && isLatin(s.last) || isLatin(next) && alphanumeric(s.last)
	number := unicode.IsDigit(s.last) && strings.ContainsRune(counters, next) ||
		unicode.In(s.last, unicode.Hiragana) && alphanumeric(next)
	if latin || number || unicode.In(next, unicode.Hiragana) {
		return "", n
	}
	return " ", n
}
