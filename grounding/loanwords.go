package grounding

import (
	"strings"
	"unicode/utf8"
)

// Japanese writes many foreign words by their sound: ワークショップ is workshop. A word of the one writing is found in the other by
// its consonants, because vowels are written in too many ways, and only where there are enough of them to tell words apart.

const (
	// minSounds is how many consonants a word must have to be compared by them.
	minSounds = 3
	// maxJoined is how many English words one Japanese word is made of at most.
	maxJoined = 4
)

// kanaSounds are the consonants of katakana. What is not here is a vowel, or as good as one.
var kanaSounds = map[byte]string{
	'k': "カキクケコ", 'g': "ガギグゲゴ", 's': "サシスセソザズゼゾ", 'j': "ジヂ", 't': "タチツテト", 'd': "ダヅデド", 'n': "ナニヌネノン",
	'h': "ハヒヘホ", 'f': "フ", 'b': "バビブベボヴ", 'p': "パピプペポ", 'm': "マミムメモ", 'r': "ラリルレロ",
}

// kanaSound returns the consonants of a katakana word, one after another.
func kanaSound(word string) string {
	var out []byte
	for _, r := range word {
		for sound, kana := range kanaSounds {
			if strings.ContainsRune(kana, r) {
				out = append(out, sound)
			}
		}
	}
	return string(out)
}

// spellings are English letters that sound like others, the longer ones first.
var spellings = strings.NewReplacer(
	"tion", "sn", "sion", "sn", "tch", "t", "sch", "sk", "ch", "t", "sh", "s", "ph", "f", "th", "s", "gh", "", "gn", "n", "kn", "n", "ck", "k", "qu", "k", "dge", "j", "wh", "",
	"ce", "se", "ci", "si", "cy", "sy", "ge", "je", "gi", "ji", "gy", "jy", "mp", "np", "mb", "nb", "c", "k", "x", "ks", "z", "s", "v", "b", "l", "L", "q", "k",
)

// latinSound returns the consonants of an English word as Japanese ears have them: no r before a consonant, l as r.
func latinSound(word string) string {
	word = spellings.Replace(word)
	var out []byte
	for i := range len(word) {
		c := word[i]
		switch {
		case strings.IndexByte("aeiouywh", c) >= 0 && (c != 'h' || i > 0), c < 'A', c > 'z':
			continue
		case c == 'r' && (i+1 == len(word) || strings.IndexByte("aeiouy", word[i+1]) < 0 || word[i+1:] == "e"):
			continue
		case c == 'L':
			c = 'r'
		}
		if len(out) == 0 || out[len(out)-1] != c || word[i-1] != word[i] {
			out = append(out, c)
		}
	}
	return string(out)
}

// A sounded word is one of the text of an item with its consonants.
type sounded struct{ word, sound string }

// heard are the katakana and the English words of a text by their sound, in its order.
type heard struct{ kana, latin []sounded }

// hear reads a text for [item.sounds].
func hear(text string) heard {
	var out heard
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		kind, j := scriptOf(r), i+size
		if kind != latin && kind != katakana {
			i = j
			continue
		}
		for j < len(text) {
			r, size = utf8.DecodeRuneInString(text[j:])
			if scriptOf(r) != kind {
				break
			}
			j += size
		}
		w := text[i:j]
		if kind == latin {
			out.latin = append(out.latin, sounded{w, latinSound(w)})
		} else if s := kanaSound(w); len(s) >= minSounds {
			out.kana = append(out.kana, sounded{w, s})
		}
		i = j
	}
	return out
}

// sounds says with which signs an item has a word in the writing of the other language.
func (it *item) sounds(w string) mask {
	first, _ := utf8.DecodeRuneInString(w)
	switch scriptOf(first) {
	case katakana:
		return it.soundsLatin(kanaSound(w))
	case latin:
		return it.soundsKana(latinSound(w))
	case other, digit, hiragana, kanji:
	}
	return 0
}

func (it *item) soundsKana(sound string) mask {
	if len(sound) < minSounds {
		return 0
	}
	for _, k := range it.heard().kana {
		if strings.HasPrefix(k.sound, sound) || strings.HasSuffix(k.sound, sound) {
			return it.hasText(k.word)
		}
	}
	return 0
}

func (it *item) soundsLatin(sound string) mask {
	if len(sound) < minSounds {
		return 0
	}
	words := it.heard().latin
	for i := range words {
		rest := sound
		for j := i; j < min(len(words), i+maxJoined); j++ {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, words[j].sound); !ok {
				break
			}
			if rest == "" {
				return it.hasText(words[i].word)
			}
		}
	}
	return 0
}
