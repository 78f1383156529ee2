package jtalk

import (
	"strings"
	"unicode/utf8"
)

const (
	filler       = "フィラー"
	pause        = "、"
	question     = "？"
	devoiced     = "’"
	longVowel    = "ー"
	verb         = "動詞"
	auxiliary    = "助動詞"
	particle     = "助詞"
	noun         = "名詞"
	mark         = "記号"
	interjection = "感動詞"
)

// pronounce gives words that the dictionary does not read a pronunciation: kana and Latin letters
// one after the other; the rest is a pause.
func (s *sentence) pronounce() {
	for n := s.head; n != nil; n = n.next {
		if n.moras == 0 {
			n.spell()
		}
	}
	s.removeSilent()
	s.joinFillers()
	for n := s.head; n != nil && n.next != nil; n = n.next {
		if n.next.pron == "ウ" && n.next.pos == auxiliary && (n.pos == verb || n.pos == auxiliary) && n.moras > 0 {
			n.next.pron = longVowel
		}
		if n.pos == auxiliary && n.next.text == question {
			switch n.text {
			case "です":
				n.pron = "デス"
			case "ます":
				n.pron = "マス"
			}
		}
	}
}

func (n *node) spell() {
	n.pron, n.moras = spelled(n.text)
	switch {
	case n.moras > 0:
		n.speech = speech{pos: filler, group1: "*", group2: "*", group3: "*", ctype: n.ctype, cform: n.cform}
	case n.text == question:
		n.pron = question
	default:
		n.pron, n.pos = pause, mark
	}
}

// spelled reads kana and Latin letters; what is neither is left out.
func spelled(text string) (pron string, moras int) {
	var b strings.Builder
	text = katakana(text)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if n := cutPlain(text[i:]); n > 0 || string(r) == longVowel {
			size = max(n, len(longVowel))
			b.WriteString(text[i : i+size])
			moras++
		} else if l, ok := letterTable()[r]; ok {
			b.WriteString(l.pron)
			moras += l.moras
		}
		i += size
	}
	return b.String(), moras
}

func katakana(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'ぁ' && r <= 'ん' || r == 'ゔ' {
			return r + 'ァ' - 'ぁ'
		}
		return r
	}, text)
}

// joinFillers makes one word of words that are a single mora or letter each.
func (s *sentence) joinFillers() {
	var head *node
	for n := s.head; n != nil; n = n.next {
		switch {
		case n.pos != filler || !single(n.text):
			head = nil
		case head == nil:
			head = n
		default:
			head.text += n.text
			head.pron += n.pron
			head.moras += n.moras
			n.pron = ""
		}
	}
	s.removeSilent()
}

// single reports whether a text is one mora or one letter.
func single(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	if _, ok := letterTable()[r]; (ok || text == longVowel) && size == len(text) {
		return true
	}
	return text != "" && cutPlain(katakana(text)) == len(text)
}
