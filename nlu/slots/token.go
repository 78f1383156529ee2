package slots

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"annai/nlu/datetime"
)

// maxTokens is how many tokens of a text are read; a command is far shorter.
const maxTokens = 256

// A token is what gets one label: a character of a Japanese text, a word of an English one, and in both a run of digits or
// a Latin word.
type token struct {
	start, end int // byte offsets in the text
	hash       uint32
	shape      shape
	gap        bool // a space or a pause stands before it
	stop       bool // a pause that says something stands before it: a comma, a full stop, a bracket
	// classes are the classes of words that it is part of, begins those of which a word begins here, and ends those of which
	// one ends here.
	classes, begins, ends classes
	time                  timeTag
	run                   int // index of the run of one script that it is part of
}

// shape is the sort of characters of a token.
type shape uint8

const (
	shapeNone shape = iota // before the first token and behind the last
	shapeKanji
	shapeHiragana
	shapeKatakana
	shapeLatin
	shapeDigits
	shapeMixed // digits and letters: 3pm, 14:00
	shapeOther
)

// timeTag says where in which kind of temporal expression a token is; zero is outside of all.
type timeTag uint8

const (
	timeBegin timeTag = 1 << iota
	timeEnd
	timeInside
	timeKind // and all higher bits: the kind
)

// tokenize cuts a text into tokens. Punctuation is no token; it only parts others.
func tokenize(text, lang string, tokens []token) []token {
	gap, stop := false, false
	for i := 0; i < len(text) && len(tokens) < maxTokens; {
		r, size := utf8.DecodeRuneInString(text[i:])
		s := shapeOf(r)
		if s == shapeNone {
			gap = true
			stop = stop || !unicode.IsSpace(r)
			i += size
			continue
		}
		end := i + size
		if s == shapeLatin || s == shapeDigits || lang != Japanese {
			end, s = word(text, i, s, lang)
		}
		tokens = append(tokens, token{start: i, end: end, hash: hashText(text[i:end]), shape: s, gap: gap, stop: stop})
		gap, stop = false, false
		i = end
	}
	return tokens
}

// word returns where the word that begins at i ends, and its shape. In Japanese text digits and letters part each other.
func word(text string, i int, first shape, lang string) (int, shape) {
	s := first
	end := i
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		kind := shapeOf(r)
		switch {
		case kind == first:
		case kind == shapeNone:
			if !joins(text, i, end, r, size) {
				return end, s
			}
		case lang == Japanese:
			return end, s
		default:
			s = shapeMixed
		}
		end += size
	}
	return end, s
}

// joins reports whether the mark r at [end, end+size) is part of the word around it: doctor's, p.m., 14:00, in-laws, p. of "p. m.".
func joins(text string, start, end int, r rune, size int) bool {
	next, _ := utf8.DecodeRuneInString(text[end+size:])
	behind := shapeOf(next)
	switch r {
	case '\'', '’', '-', '&', '_', '/':
		return behind == shapeLatin || behind == shapeDigits
	case ':', ',':
		return behind == shapeDigits && isDigit(text[end-1])
	case '.':
		if behind == shapeLatin || behind == shapeDigits {
			return true
		}
		return abbreviates(text[start:end]) // "p. m.", "mr. brown": the full stop belongs to it
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// abbreviates reports whether a word is one that keeps the full stop behind it.
func abbreviates(word string) bool {
	if len(word) == 1 && shapeOf(rune(word[0])) == shapeLatin {
		return true
	}
	if len(word) >= 3 && word[len(word)-2] == '.' { // p.m
		return true
	}
	switch foldASCII(word) {
	case "mr", "mrs", "ms", "dr", "st", "prof":
		return true
	}
	return false
}

func foldASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// shapeRanges are the characters of each shape, first to last, the most frequent ranges first.
var shapeRanges = [...]struct {
	first, last rune
	shape       shape
}{
	{'0', '9', shapeDigits},
	{'a', 'z', shapeLatin},
	{'A', 'Z', shapeLatin},
	{'ぁ', 'ゖ', shapeHiragana},
	{'ァ', 'ヺ', shapeKatakana},
	{'ー', 'ー', shapeKatakana},
	{'一', 0x9FFF, shapeKanji},
	{'々', '々', shapeKanji},
	{'〇', '〇', shapeKanji},
	{0x3400, 0x4DBF, shapeKanji},
	{'０', '９', shapeDigits},
	{'Ａ', 'Ｚ', shapeLatin},
	{'ａ', 'ｚ', shapeLatin},
	{0xFF66, 0xFF9F, shapeKatakana}, // of half width
	{'À', 'Ö', shapeLatin},
	{'Ø', 'ö', shapeLatin},
	{'ø', 0x24F, shapeLatin},
}

func shapeOf(r rune) shape {
	for _, s := range &shapeRanges {
		if s.first <= r && r <= s.last {
			return s.shape
		}
	}
	if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
		return shapeOther
	}
	return shapeNone
}

// hashText is the hash of a word in lower case and NFKC.
func hashText(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			h = (h ^ uint32(c)) * 16777619
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		h = hashRune(h, r, s[i:i+size])
		i += size
	}
	return h
}

func hashRune(h uint32, r rune, raw string) uint32 {
	switch {
	case r == '’' || r == '‘':
		return (h ^ '\'') * 16777619
	case 0x3041 <= r && r <= 0x30FE || 0x4E00 <= r && r <= 0x9FFF:
		return (h ^ uint32(r)) * 16777619
	}
	var buf [32]byte
	for _, n := range string(norm.NFKC.AppendString(buf[:0], raw)) {
		h = (h ^ uint32(unicode.ToLower(n))) * 16777619
	}
	return h
}

// markTimes notes for every token which temporal expression it is part of.
func markTimes(tokens []token, times []datetime.Expression) {
	i := 0
	for _, e := range times {
		for i < len(tokens) && tokens[i].end <= e.Start {
			i++
		}
		first, end := i, endOfTime(e)
		for ; i < len(tokens) && tokens[i].start < end; i++ {
			tokens[i].time = timeInside | timeKind*kindNumber(e)
		}
		if i > first {
			tokens[first].time |= timeBegin
			tokens[i-1].time |= timeEnd
		}
	}
}

// wholes say that the whole of a time is meant (今週中). The annotations that we learn from have them outside of it.
var wholes = []string{"の期間中", "の期間内", "の期間", "期間中", "期間内", "期間", "のうちに", "のうちで", "中", "内"}

// within are words for a time that end like one of [wholes].
var within = []string{"以内", "午前中", "夜中", "年内", "月内", "週内"}

// endOfTime is where an expression ends without one of [wholes].
func endOfTime(e datetime.Expression) int {
	if slices.ContainsFunc(within, func(word string) bool { return strings.HasSuffix(e.Text, word) }) {
		return e.End
	}
	for _, word := range wholes {
		if strings.HasSuffix(e.Text, word) {
			return e.End - len(word)
		}
	}
	return e.End
}

// kindNumber numbers the kinds of expressions from 1.
func kindNumber(e datetime.Expression) timeTag {
	switch e.Kind {
	case datetime.KindDay:
		return 1
	case datetime.KindDays:
		return 2
	case datetime.KindTime:
		if e.NoDay {
			return 3
		}
		return 4
	case datetime.KindDuration:
		return 5
	case datetime.KindSet:
		return 6
	}
	return 7
}
