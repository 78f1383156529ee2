package jtalk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/kana"
)

// Romaji writes a name in Latin letters, word by word, as signs in Japan do, without marks for what
// is long: 冬のもくもく会 is Fuyu no Mokumoku Kai. What is written in Latin letters and digits stays as it
// is.
func (a *Analyzer) Romaji(text string) string {
	var b strings.Builder
	for n := a.dictionary.sentence(a.morphemes(text, a.readings)).head; n != nil; n = n.next {
		word := halfWidth(n.text)
		if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			word = letters(n.pron, inKatakana(n.text))
		}
		if word = strings.Trim(word, "()[]<>|/~*#-_ "); word == "" {
			continue
		}
		if b.Len() > 0 && !n.joinsBefore(b.String()) {
			b.WriteByte(' ')
		}
		if n.pos != "助詞" && !n.joinsBefore(b.String()) {
			word = capital(word)
		}
		b.WriteString(word)
	}
	return b.String()
}

// joinsBefore says whether a word is written together with what was written before it: endings of
// verbs, marks, what follows a dot, and digits behind digits.
func (n *node) joinsBefore(written string) bool {
	before, _ := utf8.DecodeLastRuneInString(written)
	text := halfWidth(n.text)
	switch {
	case n.pos == "助動詞", n.group1 == "接続助詞", n.pos == "動詞" && n.group1 == "接尾", before == '.':
		return true
	case unicode.IsDigit(before):
		return strings.IndexFunc(text, unicode.IsDigit) == 0
	}
	return len(text) == 1 && strings.Contains(".,!?&+'", text)
}

// letters are the Latin letters of a pronunciation in katakana. A long e is ei but for foreign
// words.
func letters(pron string, foreign bool) string {
	if !foreign {
		for _, e := range "エケセテネヘメレゲゼデベペ" {
			pron = strings.ReplaceAll(pron, string(e)+"ー", string(e)+"イ")
		}
	}
	hiragana := strings.Map(func(r rune) rune {
		switch {
		case r == 'ー' || r == '’':
			return -1
		case r >= 'ァ' && r <= 'ヶ':
			return r - 'ァ' + 'ぁ'
		}
		return r
	}, pron)
	return strings.NewReplacer("'", "", "-", "").Replace(kana.Romaji(hiragana))
}

// halfWidth writes characters of full width as those of ASCII that they are.
func halfWidth(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r == '　':
			return ' '
		}
		return r
	}, text)
}

func capital(word string) string {
	first, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[n:]
}
