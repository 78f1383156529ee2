package jtalk

import "strings"

// A sound is a mora in its word.
type sound struct {
	kana   string // "" is none
	voice  voice
	word   *node
	size   int // in the pronunciation, with the mark
	number int // of the mora in the accent phrase, from 0
	acc    int // of the phrase
}

type voice int8

const (
	unknown voice = iota
	kept
	lost
)

// devoice marks vowels that are not voiced: between consonants without a voice, and the ends of です
// and ます.
func (s *sentence) devoice() {
	var first, second, third sound
	for n := s.head; n != nil; n = n.next {
		var b strings.Builder
		for at := 0; at < len(n.pron); {
			if first.kana == "" {
				first = soundAt(n, at, sound{number: first.number, acc: first.acc})
			}
			if first.kana == "" {
				return // as Open JTalk does where a pronunciation has what it does not know
			}
			if second.kana == "" {
				second = soundAt(n, at+first.size, sound{number: first.number + 1, acc: first.acc})
			}
			if third.kana == "" {
				third = soundAt(n, at+first.size+second.size, sound{number: second.number + 1, acc: second.acc})
			}
			decide(&first, &second, &third)
			b.WriteString(first.kana)
			if first.voice == lost {
				b.WriteString(devoiced)
			}
			at += first.size
			first, second, third = second, third, sound{}
		}
		n.pron = b.String()
	}
}

// soundAt returns the mora at a place in the pronunciation of n or of the words behind it. guess
// has its number and accent if no phrase begins there.
func soundAt(n *node, at int, guess sound) sound {
	for at >= len(n.pron) {
		at -= len(n.pron)
		if n = n.next; n == nil {
			return sound{}
		}
	}
	guess.word = n
	if at == 0 && n.chain != joined {
		guess.number, guess.acc = 0, n.acc
	}
	if n.pron == pause || n.pron == question {
		guess.kana, guess.voice, guess.size = n.pron, kept, len(n.pron)
		return guess
	}
	rest := n.pron[at:]
	guess.size = cutPlain(rest)
	if guess.size == 0 && strings.HasPrefix(rest, longVowel) {
		guess.size = len(longVowel)
	}
	guess.kana = rest[:guess.size]
	if strings.HasPrefix(rest[guess.size:], devoiced) {
		guess.voice = lost
		guess.size += len(devoiced)
	}
	return guess
}

// decide applies the rules to a mora and the two behind it.
func decide(first, second, third *sound) {
	if first.beginsPolite(second, third) {
		second.voice = lost
		if third.word.pron == question || third.word.pron == longVowel {
			second.voice = kept
		}
	}
	if first.voice != lost && third.voice != lost && second.voice == unknown && second.isShi() {
		second.voice = second.between(third)
		if second.voice == lost {
			first.voice, third.voice = keep(first.voice), keep(third.voice)
		}
	}
	if first.voice == unknown {
		switch {
		case first.word.pos == filler || second.voice == lost:
			first.voice = kept
		default:
			first.voice = first.between(second)
		}
	}
	if first.voice == lost {
		second.voice = keep(second.voice)
	}
}

func keep(v voice) voice {
	if v == unknown {
		return kept
	}
	return v
}

// beginsPolite reports whether two morae are the です or ます of a verb, and a word follows.
func (first *sound) beginsPolite(second, third *sound) bool {
	if first.kana != "マ" && first.kana != "デ" || second.kana != "ス" || third.kana == "" {
		return false
	}
	if first.word != second.word || second.word == third.word {
		return false
	}
	pos := second.word.pos
	return pos == verb || pos == auxiliary || pos == interjection
}

// isShi reports whether a mora is a word of its own, the し of verbs and particles.
func (m *sound) isShi() bool {
	if m.kana == "" || m.word.pron != "シ" {
		return false
	}
	return m.word.pos == verb || m.word.pos == auxiliary || m.word.pos == particle
}

// between says whether a mora loses its voice before the next one.
func (m *sound) between(next *sound) voice {
	if m.acc == m.number+1 {
		return kept
	}
	if next.kana == "" {
		return kept
	}
	for _, rule := range devoicing {
		if rule.morae[m.kana] {
			if strings.ContainsRune(rule.before, []rune(next.kana)[0]) {
				return lost
			}
			return kept
		}
	}
	return unknown
}

// devoicing has which morae lose their voice before which consonants.
var devoicing = []struct {
	morae  map[string]bool
	before string
}{
	{set([]string{"スィ", "ス"}), "カキクケコタチツテトハヒフヘホパピプペポ"},
	{set([]string{"フィ", "ヒ", "フ"}), "カキクケコサシスセソタチツテトパピプペポ"},
	{
		set(strings.Fields("キュ シュ チュ ツィ ヒュ ピュ テュ トゥ ティ キ ク シ チ ツ ピ プ")),
		"カキクケコサシスセソタチツテトハヒフヘホパピプペポ",
	},
}
