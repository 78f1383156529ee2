package main

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/kana"
)

// Where the features of UniDic 2.1.2 stand.
const (
	partOfSpeech = 0
	partDetail   = 1
	conjugation  = 4
	lemma        = 7
	origin       = 12 // native, Chinese, foreign
	initialForm  = 14
	finalForm    = 16
	kanaForm     = 17
	features     = 26
)

// Limits of what is kept.
const (
	maxRunes    = 5    // of a word
	maxLetters  = 11   // of an English word
	maxUnseen   = 2    // runes of a word with kana in it that was never counted
	maxStemCost = 8700 // of a form of a verb or an adjective with several kanji
	maxNameCost = 7400 // of a surname or a place
)

// lowerLetters are those of English words.
const lowerLetters = "abcdefghijklmnopqrstuvwxyz"

// A collection is what is read of the dictionary, and how surely.
type collection struct {
	words   map[string]reading // with kanji in them
	stems   map[string]reading // of verbs and adjectives, with the first kana of what changes
	joined  map[string]reading // of single kanji behind others
	chinese map[string]reading // words of two kanji and Chinese origin
	english map[string]reading
	costs   map[int]int // how many words have a cost: one that many have says that the word was never counted
}

type reading struct {
	kana string // hiragana
	cost int
}

func newCollection() *collection {
	return &collection{
		words: map[string]reading{}, stems: map[string]reading{}, joined: map[string]reading{},
		chinese: map[string]reading{}, english: map[string]reading{}, costs: map[int]int{},
	}
}

// add keeps what an entry says of how words are read.
func (c *collection) add(e entry) {
	f := e.feature
	if len(f) < features || strings.HasPrefix(f[conjugation], "文語") || !basic(f[initialForm]) || !basic(f[finalForm]) {
		return
	}
	if f[origin] == "外" {
		c.addEnglish(e)
	}
	if !written(e.surface) || !allKana(f[kanaForm]) {
		return
	}
	r := reading{kana: hiragana(f[kanaForm]), cost: e.cost}
	switch f[partOfSpeech] {
	case "動詞", "形容詞":
		c.addStem(e.surface, r)
	case "接尾辞":
		if f[partDetail] == "名詞的" {
			keep(c.joined, e.surface, r)
		}
	case "名詞", "形状詞", "副詞", "代名詞", "連体詞":
		c.addNoun(e, r)
	}
}

func basic(form string) bool { return form == "*" || form == "基本形" }

func (c *collection) addNoun(e entry, r reading) {
	name := e.feature[partDetail] == "固有名詞"
	if name && (e.cost > maxNameCost || utf8.RuneCountInString(e.surface) == 1 || e.feature[3] == "名") {
		return
	}
	if name {
		r.cost += 5000 // a word that is no name is meant
	}
	keep(c.words, e.surface, r)
	c.costs[r.cost]++
	if e.feature[origin] == "漢" && utf8.RuneCountInString(e.surface) == 2 && onlyKanji(e.surface) {
		keep(c.chinese, e.surface, r)
	}
}

// addStem keeps the part of a form that has kanji, with the first kana behind it.
func (c *collection) addStem(surface string, r reading) {
	end := strings.LastIndexFunc(surface, isKanji)
	if r.cost > maxStemCost && end > 0 {
		return
	}
	_, size := utf8.DecodeRuneInString(surface[end:])
	stem, tail := surface[:end+size], surface[end+size:]
	if !strings.HasSuffix(r.kana, tail) || len(r.kana) == len(tail) {
		return
	}
	r.kana = strings.TrimSuffix(r.kana, tail)
	if _, size = utf8.DecodeRuneInString(tail); size > 0 {
		keep(c.stems, stem+tail[:size], reading{kana: r.kana + tail[:size], cost: r.cost})
		return
	}
	keep(c.stems, stem, r)
}

// addEnglish keeps how the English word is read that the lemma of a foreign one names:
// スクラッチ-scratch.
func (c *collection) addEnglish(e entry) {
	katakana, word, ok := strings.Cut(e.feature[lemma], "-")
	word = strings.ToLower(word)
	short := len(word) < 2 || len(word) > maxLetters
	if !ok || short || !allKana(katakana) || strings.Trim(word, lowerLetters) != "" {
		return
	}
	if e.surface != katakana { // the lemma's own way to write it says how common it is
		e.cost += 5000
	}
	keep(c.english, word, reading{kana: hiragana(katakana), cost: e.cost})
}

// keep keeps the commonest reading, and of equally common ones the first by letters.
func keep(m map[string]reading, surface string, r reading) {
	old, ok := m[surface]
	if !ok || r.cost < old.cost || r.cost == old.cost && r.kana < old.kana {
		m[surface] = r
	}
}

// unseen reports whether the words with a cost were never counted, so that very many have the same.
func (c *collection) unseen(cost int) bool { return c.costs[cost] > 2000 }

// lines are what the program reads: a surface, its reading and, of a single kanji, the one behind
// another.
func (c *collection) lines() string {
	behind := c.readingsBehind()
	known := c.known(behind)
	var b strings.Builder
	for _, surface := range slices.Sorted(maps.Keys(known)) {
		b.WriteString(surface + "\t" + kana.Romaji(known[surface]))
		if on, ok := behind[surface]; ok && on != known[surface] {
			b.WriteString("\t" + kana.Romaji(on))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// known are the readings of all words that are kept.
func (c *collection) known(behind map[string]string) map[string]string {
	known := map[string]string{}
	for surface, r := range c.english {
		known[surface] = r.kana
	}
	for surface, on := range behind {
		known[surface] = on
	}
	for surface, r := range c.words {
		if utf8.RuneCountInString(surface) == 1 {
			known[surface] = r.kana
		}
	}
	byLength := slices.SortedFunc(maps.Keys(c.words), shorterFirst)
	for _, surface := range byLength {
		r := c.words[surface]
		if c.unseen(r.cost) && utf8.RuneCountInString(surface) > maxUnseen && !onlyKanji(surface) {
			continue
		}
		if !c.unseen(r.cost) || !composed(known, behind, surface, r.kana) {
			known[surface] = r.kana
		}
	}
	for _, surface := range slices.SortedFunc(maps.Keys(c.stems), shorterFirst) {
		r := c.stems[surface]
		if _, ok := known[surface]; !ok && !composed(known, behind, surface, r.kana) {
			known[surface] = r.kana
		}
	}
	return known
}

func shorterFirst(a, b string) int {
	if d := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

// composed reports whether a word is read as its parts are, however it is cut in two.
func composed(known, behind map[string]string, surface, whole string) bool {
	found := false
	for i := range surface {
		if i == 0 {
			continue
		}
		left, okLeft := part(known, behind, surface[:i], utf8.RuneCountInString(surface) == 2)
		right, okRight := part(known, behind, surface[i:], true)
		if !okLeft || !okRight {
			continue
		}
		if left+right != whole {
			return false
		}
		found = true
	}
	return found
}

func part(known, behind map[string]string, surface string, joined bool) (string, bool) {
	if allHiragana(surface) {
		return surface, true
	}
	if on, ok := behind[surface]; ok && joined {
		return on, true
	}
	r, ok := known[surface]
	return r, ok
}

func written(s string) bool {
	if n := utf8.RuneCountInString(s); n > maxRunes || s == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	return isKanji(first) && !strings.ContainsFunc(s, func(r rune) bool {
		return !isKanji(r) && !unicode.Is(unicode.Hiragana, r)
	})
}

func isKanji(r rune) bool {
	return r == '々' || r == '〆' || r == 'ヶ' || unicode.Is(unicode.Han, r)
}

func onlyKanji(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !isKanji(r) }) < 0
}

func allHiragana(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) < 0
}

func allKana(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r != 'ー' && (r < 'ァ' || r > 'ヴ') }) < 0
}

// hiragana writes katakana as hiragana.
func hiragana(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'ァ' && r <= 'ヴ' {
			return r - ('ァ' - 'ぁ')
		}
		return r
	}, s)
}
