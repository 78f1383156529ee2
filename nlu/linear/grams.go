package linear

import (
	"unicode"
	"unicode/utf8"
)

// bucketBits is how many bits of an n-gram's hash count.
const (
	bucketBits = 18
	bucketMask = 1<<bucketBits - 1
)

// longest is the length of the longest run of characters, longestText how much of a text is read.
const (
	longest     = 4
	longestText = 2048
)

// gram is an n-gram: its hash, and where it stands among the characters.
type gram struct {
	hash       uint32
	start, end int
	words      bool
}

// grams finds the n-grams of a text.
type grams struct {
	chars []rune
}

// read folds a text: every number is one 0, whatever its digits; punctuation is a space; spaces are
// one; and there is one at both ends.
func (g *grams) read(text string) {
	g.chars = append(g.chars[:0], ' ')
	for _, r := range text {
		last := g.chars[len(g.chars)-1]
		switch {
		case isNumeral(r):
			r = '0'
			if last == '0' {
				continue
			}
		case r == '\'' && last != ' ':
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			r = ' '
		}
		if r == ' ' && last == ' ' {
			continue
		}
		if g.chars = append(g.chars, r); len(g.chars) == longestText {
			break
		}
	}
	if g.chars[len(g.chars)-1] != ' ' {
		g.chars = append(g.chars, ' ')
	}
}

// isNumeral reports whether a character stands for a number.
func isNumeral(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	switch r {
	case '〇', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千':
		return true
	}
	return false
}

// each calls yield with every n-gram, in an order that depends on the text alone.
func (g *grams) each(yield func(gram)) {
	for start := range g.chars {
		h := uint32(charSeed)
		for end := start; end < len(g.chars) && end < start+longest; end++ {
			h = step(h, g.chars[end])
			yield(gram{hash: mix(h), start: start, end: end + 1})
		}
	}
	g.words(yield)
}

// words calls yield with every word of Latin letters and every two that stand side by side. The
// edges of the text count as words.
func (g *grams) words(yield func(gram)) {
	before, pair := 0, step(wordSeed, '^')
	found := false
	for start := 0; start < len(g.chars); {
		if !isWord(g.chars[start]) {
			start++
			continue
		}
		found = true
		end, h := start, uint32(wordSeed)
		for ; end < len(g.chars) && isWord(g.chars[end]); end++ {
			h = step(h, g.chars[end])
			pair = step(pair, g.chars[end])
		}
		yield(gram{hash: mix(h), start: start, end: end, words: true})
		yield(gram{hash: mix(pair), start: before, end: end, words: true})
		before, pair, start = start, step(h, ' '), end
	}
	if found {
		yield(gram{hash: mix(step(pair, '$')), start: before, end: len(g.chars), words: true})
	}
}

// isShort reports whether an n-gram is in texts of any sort: two letters are, two kanji or kana are
// mostly a word or the end of one.
func (g *grams) isShort(n gram) bool {
	switch n.end - n.start {
	case 1:
		return true
	case 2:
		return isWord(g.chars[n.start]) || isWord(g.chars[n.start+1])
	}
	return false
}

// text is an n-gram as people read it.
func (g *grams) text(n gram) string {
	s := string(g.chars[n.start:n.end])
	if n.words {
		return `"` + s + `"`
	}
	return s
}

func isWord(r rune) bool {
	return 'a' <= r && r <= 'z' || r == '0' || r == '\'' || 0xC0 <= r && r < 0x250
}

const (
	charSeed = 2166136261
	wordSeed = 0x9E3779B9
)

// step adds a character to a hash (FNV-1a over whole characters), mix spreads it over all bits.
func step(h uint32, r rune) uint32 { return (h ^ uint32(r)) * 16777619 }

func mix(h uint32) uint32 {
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	return h ^ h>>15
}
