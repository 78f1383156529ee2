// Package dictionary looks words up in two dictionaries that others made: Japanese words with their English translations (EDICT), and
// English words with those that mean the same and those that say what a thing is a kind of (WordNet). It only compares words: it has no
// readings, definitions or examples, and does not know in which of its meanings a word stands.
//
// # The idea
//
// The files in data are lines sorted by their bytes, part of the program as they are: a word is found by halving, in about a
// microsecond, and nothing is read in, built or kept in memory before the first one. Command generate makes them.
//
// data/LICENSES.md says whose work they are and on what terms: the Japanese file may be shared only under the licence it came with.
package dictionary

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var (
	//go:embed data/japanese.txt
	japaneseFile string
	//go:embed data/english.txt
	englishFile string
	//go:embed data/irregular.txt
	irregularFile string
)

// Japanese finds the longest word with which a text begins. It returns its length in bytes, without the ending of a verb or an
// adjective, and its translations, the first ones first; 0 if no word is known. A word that is another with an ending (預かり of 預かる)
// has the translations of both.
func Japanese(text string) (n int, translations []string) {
	for rest := text; rest != ""; {
		key, classes := japanese().before(rest)
		if key == "" || !strings.HasPrefix(rest, key) {
			rest = rest[:common(key, rest)]
			continue
		}
		if n == 0 || ending(text[len(key):n]) {
			if list := fitting(classes, text[len(key):], n > 0); len(list) > 0 {
				n = max(n, len(key))
				translations = append(translations, list...)
			}
		}
		_, size := utf8.DecodeLastRuneInString(key)
		rest = key[:len(key)-size]
	}
	return n, translations
}

// ending reports whether a text is hiragana.
func ending(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) })
}

// English returns the words that mean the same as a word in one of its frequent senses, and what a thing of its name is a kind of. The
// word is in lower case, as it stands in a dictionary; see [Base].
func English(word string) (same, kinds []string) {
	key, rest := english().before(word)
	if key != word {
		return nil, nil
	}
	s, k, _ := strings.Cut(rest, "\t")
	return split(s), split(k)
}

// Base is the form of an English word under which it stands in a dictionary, if it is irregular or its ending is one of the regular
// ones; otherwise the word.
func Base(word string) string {
	if key, base := irregular().before(word); key == word {
		return base
	}
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e.of)
		if !ok || len(stem) < 2 {
			continue
		}
		if n := len(stem); e.doubles && n > 2 && stem[n-1] == stem[n-2] && has(stem[:n-1]) {
			return stem[:n-1]
		}
		if has(stem + e.by) {
			return stem + e.by
		}
	}
	return word
}

// endings are those of English words, and what stands in their place in a dictionary.
var endings = []struct {
	of, by  string
	doubles bool
}{
	{"ies", "y", false},
	{"es", "e", false},
	{"es", "", false},
	{"s", "", false},
	{"ied", "y", false},
	{"ed", "", true},
	{"ed", "e", false},
	{"ing", "", true},
	{"ing", "e", false},
}

func has(word string) bool {
	key, _ := english().before(word)
	return key == word
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ";")
}

// A table is a file and where its lines begin, by the first character of their keys.
type table struct {
	file string
	at   map[rune]stretch
}

// A stretch is a part of a file, in bytes.
type stretch struct{ from, to int }

// tables are read through once, in some milliseconds, when the first word is looked up.
var (
	japanese  = sync.OnceValue(func() *table { return index(japaneseFile) })
	english   = sync.OnceValue(func() *table { return index(englishFile) })
	irregular = sync.OnceValue(func() *table { return index(irregularFile) })
)

func index(file string) *table {
	t := &table{file: file, at: map[rune]stretch{}}
	last, from := rune(-1), 0
	for at := 0; at < len(file); {
		if r, _ := utf8.DecodeRuneInString(file[at:]); r != last {
			t.at[last] = stretch{from, at}
			last, from = r, at
		}
		at += strings.IndexByte(file[at:], '\n') + 1
	}
	t.at[last] = stretch{from, len(file)}
	return t
}

// before finds the last line whose key is not greater than a text and begins with the same character, and returns the key and the rest of
// the line; nothing if there is none.
func (t *table) before(text string) (key, rest string) {
	first, _ := utf8.DecodeRuneInString(text)
	part := t.at[first]
	file, from, to := t.file, part.from, part.to
	for from < to {
		mid := (from + to) / 2
		start := mid
		for start > from && file[start-1] != '\n' {
			start--
		}
		tab := start + strings.IndexByte(file[start:], '\t')
		end := tab + strings.IndexByte(file[tab:], '\n')
		if k := file[start:tab]; k > text {
			to = start
		} else {
			key, rest, from = k, file[tab+1:end], end+1
		}
	}
	return key, rest
}

// common is the length of what two texts begin with, in whole characters.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}

// rows are the kana that may follow the part of a verb that does not change, by its class.
var rows = map[byte]string{
	'w': "わいうえおっ", 'k': "かきくけこいっ", 'g': "がぎぐげごい", 's': "さしすせそ", 't': "たちつてとっ",
	'n': "なにぬねのん", 'b': "ばびぶべぼん", 'm': "まみむめもん", 'r': "らりるれろっ",
}

// fitting are the translations of the classes of a line that what follows it in the text allows; with changing, only of words that
// have endings.
func fitting(classes, follows string, changing bool) []string {
	next, _ := utf8.DecodeRuneInString(follows)
	var out []string
	for class := range strings.SplitSeq(classes, "\t") {
		ok := false
		switch class[0] {
		case '=':
			ok = !changing
		case '~':
			ok = unicode.Is(unicode.Hiragana, next)
		default:
			ok = strings.ContainsRune(rows[class[0]], next)
		}
		if ok {
			out = append(out, strings.Split(class[1:], ";")...)
		}
	}
	return out
}
