package jtalk

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"annai/internal/kana"
)

//go:embed data/spoken.txt
var spokenFile string

// domains are how addresses of the web end that stand there without https.
var domains = set([]string{"app", "com", "dev", "info", "io", "jp", "net", "org"})

// address reads addresses of the web and of mail: the host, and the name before it.
func (s *speaker) address() (string, int) {
	n := strings.IndexFunc(s.rest, func(r rune) bool {
		return r > unicode.MaxASCII || r <= ' ' || strings.ContainsRune("()<>\"'", r)
	})
	if n < 0 {
		n = len(s.rest)
	}
	text := strings.TrimRight(s.rest[:n], ".,!?")
	_, page, web := strings.Cut(text, "://")
	user, host, mail := strings.Cut(text, "@")
	if !web && !mail {
		page = text
		web = strings.Contains(text, ".") && domains[text[strings.LastIndexByte(text, '.')+1:]]
	}
	switch {
	case web:
		host, _, _ = strings.Cut(page, "/")
		return s.dotted(strings.TrimPrefix(host, "www.")), len(text)
	case mail && user != "" && strings.Contains(host, "."):
		return s.dotted(user) + "アットマーク" + s.dotted(host), len(text)
	}
	return "", 0
}

// dotted reads what stands between dots and hyphens.
func (s *speaker) dotted(text string) string {
	var b strings.Builder
	for text != "" {
		n := strings.IndexAny(text, ".-_")
		if n == 0 {
			b.WriteString(map[byte]string{'.': "ドット", '-': "ハイフン", '_': "アンダーバー"}[text[0]])
			n = 1
		} else {
			if n < 0 {
				n = len(text)
			}
			b.WriteString(s.latinWord(text[:n], 0))
		}
		text = text[n:]
	}
	return b.String()
}

// word reads the words and marks of data/spoken.txt.
func (s *speaker) word() (string, int) {
	first, _ := utf8.DecodeRuneInString(s.rest)
	for _, w := range spokenWords()[unicode.ToLower(first)] {
		n := len(w.text)
		if n > len(s.rest) || !strings.EqualFold(s.rest[:n], w.text) {
			continue
		}
		behind, _ := utf8.DecodeRuneInString(s.rest[n:])
		if w.unit && unicode.IsDigit(s.last) && !alphanumeric(behind) || !w.unit && s.apart(n) {
			if w.unit {
				return w.spoken, n
			}
			return s.found(w.spoken), n
		}
	}
	return "", 0
}

type spokenWord struct {
	text, spoken string
	unit         bool // only behind digits
}

// spokenWords are by their first character in small letters.
var spokenWords = sync.OnceValue(func() map[rune][]spokenWord {
	m := map[rune][]spokenWord{}
	for line := range strings.Lines(spokenFile) {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		at := strings.LastIndexByte(strings.TrimSpace(line), ' ')
		w := spokenWord{text: line[:at], spoken: strings.TrimSpace(line[at:])}
		if rest, ok := strings.CutPrefix(w.text, "9"); ok {
			w.text, w.unit = rest, true
		}
		first, _ := utf8.DecodeRuneInString(w.text)
		m[unicode.ToLower(first)] = append(m[unicode.ToLower(first)], w)
	}
	for _, words := range m {
		slices.SortStableFunc(words, func(a, b spokenWord) int { return len(b.text) - len(a.text) })
	}
	return m
})

// latin reads a word of Latin letters.
func (s *speaker) latin() (string, int) {
	n := strings.IndexFunc(s.rest, func(r rune) bool { return !isLatin(r) && r != '\'' })
	if n < 0 {
		n = len(s.rest)
	}
	word := strings.TrimRight(s.rest[:n], "'")
	if first, _ := utf8.DecodeRuneInString(word); word == "" || !isLatin(first) {
		return "", 0
	}
	before, _ := utf8.DecodeLastRuneInString(s.out.String())
	return s.latinWord(word, before), len(word)
}

// maxLetters is how long a word in capitals is at most that is read letter by letter.
const maxLetters = 4

// latinWord reads a word behind the character that was written last. It stays as it is where the
// dictionary has it, and where it is short and in capitals, which are read one by one.
func (s *speaker) latinWord(word string, before rune) string {
	first, _ := utf8.DecodeRuneInString(word)
	for _, w := range s.a.readings.words {
		if w.narrow == word {
			return word
		}
	}
	for _, w := range spokenWords()[unicode.ToLower(first)] {
		if !w.unit && strings.EqualFold(w.text, word) {
			return s.found(w.spoken)
		}
	}
	if s.letters(word) {
		return word
	}
	for _, form := range []string{word, strings.ToLower(word)} {
		if pron := s.a.dictionary.pronunciation(normal(form)); pron != "" {
			if isLatin(before) {
				return pron
			}
			return form
		}
	}
	if head, tail := cutCapital(word); head != "" {
		spoken := s.latinWord(head, before)
		last, _ := utf8.DecodeLastRuneInString(spoken)
		return spoken + s.latinWord(tail, last)
	}
	return s.found(katakana(strings.ReplaceAll(kana.Of(strings.ToLower(word)), " ", "")))
}

// letters reports whether a word is read letter by letter: a single one, and a few capitals that
// are no word.
func (s *speaker) letters(word string) bool {
	n := utf8.RuneCountInString(word)
	return n == 1 || word == strings.ToUpper(word) && n <= maxLetters &&
		(n < maxLetters || s.a.dictionary.pronunciation(normal(strings.ToLower(word))) == "")
}

// found notes that a word in katakana was Latin.
func (s *speaker) found(word string) string {
	if inKatakana(word) {
		s.foreign = append(s.foreign, word)
	}
	return word
}

// cutCapital cuts a word where a capital follows a small letter.
func cutCapital(word string) (head, tail string) {
	for i := 1; i < len(word); i++ {
		if word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' && word[i-1] <= 'z' {
			return word[:i], word[i:]
		}
	}
	return "", word
}

// pronunciation returns how a word is read in the first place; "" is a word that the dictionary has
// not.
func (d *dictionary) pronunciation(text string) string {
	pron := ""
	d.prefixes(text, func(size int, tokens span) {
		if t := d.token[tokens.from]; size == len(text) && t.moras > 0 {
			pron = d.decoded(t.pron)
		}
	})
	return pron
}
