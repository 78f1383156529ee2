package jtalk

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

var (
	//go:embed data/moras.txt
	morasFile string
	//go:embed data/letters.txt
	lettersFile string
	//go:embed data/speech.txt
	speechFile string
)

// A mora is what a kana or two sound like: a consonant and a vowel, or one phoneme.
type mora struct {
	phonemes []string
	rare     bool // not among what texts in kana are read by
}

// moraTable has the morae by their katakana.
var moraTable = sync.OnceValue(func() map[string]mora {
	m := map[string]mora{}
	rare := false
	for line := range strings.Lines(morasFile) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
			rare = true
		case f[0] != "#":
			m[f[0]] = mora{f[1:], rare}
		}
	}
	return m
})

// cutMora returns the mora with which a text in katakana begins, and its length; none is 0.
func cutMora(text string) (mora, int) {
	ends := [2]int{}
	n := 0
	for i := range text {
		if i == 0 {
			continue
		}
		ends[n] = i
		if n++; n == len(ends) {
			break
		}
	}
	if n < len(ends) {
		ends[n] = len(text)
		n++
	}
	for i := n - 1; i >= 0; i-- {
		if m, ok := moraTable()[text[:ends[i]]]; ok && ends[i] > 0 {
			return m, ends[i]
		}
	}
	return mora{}, 0
}

// cutPlain is cutMora without the rare ones.
func cutPlain(text string) int {
	m, n := cutMora(text)
	if !m.rare {
		return n
	}
	_, size := utf8.DecodeRuneInString(text)
	if m, ok := moraTable()[text[:size]]; ok && !m.rare {
		return size
	}
	return 0
}

// letterTable has how Latin letters are read, by the wide capital letter.
var letterTable = sync.OnceValue(func() map[rune]letter {
	m := map[rune]letter{}
	for line := range strings.Lines(lettersFile) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		for _, r := range f[0] {
			m[r] = letter{f[1], number(f[2])}
			m[r+'a'-'A'] = m[r]
		}
	}
	return m
})

type letter struct {
	pron  string
	moras int
}

// codeTable has the codes of labels: "speech" and the part of speech, "type" and the conjugation,
// "form" and the form.
var codeTable = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(speechFile) {
		if f := strings.Fields(line); f[0] != "#" {
			m[f[0]+" "+f[1]] = f[2]
		}
	}
	return m
})

// codes returns what labels say of a word. What has no code is "xx".
func (s speech) codes() [3]string {
	code := func(key string) string {
		if c, ok := codeTable()[key]; ok {
			return c
		}
		return "xx"
	}
	return [3]string{
		code("speech " + s.pos + "," + s.group1 + "," + s.group2 + "," + s.group3),
		code("type " + s.ctype), code("form " + s.cform),
	}
}
