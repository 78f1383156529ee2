package nlu

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"annai/nlu/words"
)

// Foreign returns the tag of the language of an utterance that is neither Japanese nor English,
// such as "fr" or "zh-Hant", "und" where only its script is known, and "" for Japanese, English and
// whatever might be one of them: names, romaji, slips of the keyboard. It is for those who write
// another language than we speak; that a word of it occurs is not enough.
func Foreign(utterance string) string {
	text := Normalize(utterance)
	n := lettersOf(text)
	switch {
	case n.kana > 0:
		return ""
	case n.mostlyLatin() && foreign().hasEnglish(text): // an English sentence with a name in it
		return ""
	case n.other != nil:
		return foreign().byScript(text, n.other)
	case n.han > 0:
		return foreign().chinese(text)
	case n.latin > 0:
		return foreign().latin(text)
	}
	return ""
}

// hanWeight is how many Latin letters a Han character is worth.
const hanWeight = 3

// mostlyLatin reports whether a text has letters of another script, but fewer.
func (n lettersIn) mostlyLatin() bool {
	return n.others+n.han > 0 && n.latin > n.others+hanWeight*n.han
}

// lettersIn is how many letters of each sort a text has, and which other script two of them in a row
// are in. With kana no others count.
type lettersIn struct {
	kana, han, latin, others int
	other                    *unicode.RangeTable
}

func lettersOf(text string) lettersIn {
	var n lettersIn
	var before *unicode.RangeTable
	for _, r := range text {
		var script *unicode.RangeTable
		switch {
		case 'a' <= r && r <= 'z':
			n.latin++
		case r < utf8.RuneSelf:
		case unicode.In(r, unicode.Hiragana, unicode.Katakana) && unicode.IsLetter(r):
			return lettersIn{kana: 1}
		case unicode.Is(unicode.Han, r):
			n.han++
		case unicode.Is(unicode.Latin, r):
			n.latin++
		default:
			if script = foreign().scriptOf(r); script != nil {
				n.others++
			}
		}
		if script != nil && script == before && n.other == nil {
			n.other = script
		}
		before = script
	}
	return n
}

// foreignTable is the table of other languages, made for looking up.
type foreignTable struct {
	scripts []foreignScript
	// words has for each word the languages, as bits of their places in tags, that it tells of, or
	// that it is a small word of.
	words map[string]foreignWord
	tags  []string
	// letters are those of Latin script that most languages do not have: a word with one is as good
	// as a small word.
	letters []foreignLetters
	// english is the bit of English, ours those of both our languages.
	english, ours uint32
	// whole are utterances that say by themselves in which language they are.
	whole map[string]string
	// simplified are the characters that only simplified Chinese has, traditional those that it does
	// not have; sequences are words of Chinese.
	simplified, traditional string
	sequences               []foreignSequence
}

type (
	foreignScript struct {
		table *unicode.RangeTable
		tag   string
		// letters and words tell the language from others of its script; with neither it is the one
		// that all the rest is.
		letters string
		words   []string
	}
	foreignWord    struct{ telling, small uint32 }
	foreignLetters struct {
		letters  string
		language uint32
	}
	foreignSequence struct{ text, tag string }
)

// The languages of the table that are written in Han characters.
const (
	simplifiedChinese  = "zh-Hans"
	traditionalChinese = "zh-Hant"
)

var foreign = sync.OnceValue(func() *foreignTable {
	t := &foreignTable{words: map[string]foreignWord{}, whole: map[string]string{}}
	for _, row := range words.Foreign() {
		t.add(row)
	}
	t.english = t.bit(string(English))
	t.ours = t.english | t.bit(string(Japanese))
	return t
})

// add takes a row of the table.
func (t *foreignTable) add(row words.ForeignRow) {
	han := row.Language == simplifiedChinese || row.Language == traditionalChinese
	switch row.Kind {
	case words.ForeignScript:
		for name := range strings.FieldsSeq(row.What) {
			t.scripts = append(t.scripts, foreignScript{table: unicode.Scripts[name], tag: row.Language})
		}
	case words.ForeignLetters:
		script, letters, several := strings.Cut(row.What, " ")
		switch {
		case script == "Latin":
			t.letters = append(t.letters, foreignLetters{letters, t.bit(row.Language)})
		case several:
			s := foreignScript{table: unicode.Scripts[script], tag: row.Language, letters: letters}
			t.scripts = append(t.scripts, s)
		case row.Language == simplifiedChinese:
			t.simplified = row.What
		default:
			t.traditional = row.What
		}
	case words.ForeignWords:
		list := strings.Fields(row.What)
		s := foreignScript{table: unicode.Scripts[list[0]], tag: row.Language, words: list[1:]}
		t.scripts = append(t.scripts, s)
	case words.ForeignTelling, words.ForeignSmall:
		for word := range strings.FieldsSeq(row.What) {
			if han {
				t.sequences = append(t.sequences, foreignSequence{word, row.Language})
				continue
			}
			t.addWord(word, t.bit(row.Language), row.Kind)
		}
	case words.ForeignWhole:
		for text := range strings.SplitSeq(row.What, "|") {
			t.whole[text], t.whole[withoutMarks(text)] = row.Language, row.Language
		}
	}
}

// bit is the bit of a language.
func (t *foreignTable) bit(tag string) uint32 {
	i := slices.Index(t.tags, tag)
	if i < 0 {
		i, t.tags = len(t.tags), append(t.tags, tag)
	}
	return 1 << i
}

// shortestFolded is how many letters a word has at least that is known without its accents too.
const shortestFolded = 4

// addWord adds a word, and how it is typed in a hurry.
func (t *foreignTable) addWord(word string, bit uint32, kind words.ForeignKind) {
	spellings := []string{word}
	if plain := withoutMarks(word); plain != word && len(plain) >= shortestFolded {
		spellings = append(spellings, plain)
	}
	for _, s := range spellings {
		w := t.words[s]
		if kind == words.ForeignTelling {
			w.telling |= bit
		} else {
			w.small |= bit
		}
		t.words[s] = w
	}
}

// withoutMarks is a text without accents.
func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r == 'đ' || r == 'Đ':
			return 'd'
		}
		return r
	}, norm.NFD.String(text))
}

// scriptOf is the script of the table that a rune is in; nil for none.
func (t *foreignTable) scriptOf(r rune) *unicode.RangeTable {
	for _, s := range t.scripts {
		if unicode.Is(s.table, r) {
			return s.table
		}
	}
	return nil
}

// byScript is the language of a text in another script.
func (t *foreignTable) byScript(text string, script *unicode.RangeTable) string {
	tokens := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	for _, s := range t.scripts {
		switch {
		case s.table != script:
		case s.letters == "" && s.words == nil, s.letters != "" && strings.ContainsAny(text, s.letters),
			slices.ContainsFunc(tokens, func(token string) bool { return slices.Contains(s.words, token) }):
			return s.tag
		}
	}
	return ""
}

// chinese is the Chinese that a text in Han characters is in; "" where it may be Japanese.
func (t *foreignTable) chinese(text string) string {
	if tag, ok := t.whole[bare(text)]; ok {
		return tag
	}
	if strings.ContainsAny(text, t.simplified) {
		return simplifiedChinese
	}
	tag := ""
	for _, s := range t.sequences {
		if strings.Contains(text, s.text) {
			tag = s.tag
			if tag == traditionalChinese {
				return tag
			}
		}
	}
	if tag != "" && strings.ContainsAny(text, t.traditional) {
		return traditionalChinese
	}
	return tag
}

// bare is a text without punctuation at its ends.
func bare(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}

// tokens are the words of a text in Latin letters, each once.
func tokens(text string) []string {
	list := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '-' && r != '¿' && r != '¡'
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// hasEnglish reports whether a text has an English word that carries a sentence.
func (t *foreignTable) hasEnglish(text string) bool {
	return slices.ContainsFunc(tokens(text), func(token string) bool { return t.words[token].telling&t.english != 0 })
}

// word is what a word tells.
func (t *foreignTable) word(token string) foreignWord {
	w := t.words[token]
	for _, l := range t.letters {
		if strings.ContainsAny(token, l.letters) {
			w.small |= l.language
		}
	}
	return w
}

// What a text in Latin letters must have of a language.
const (
	leastForeign = 2 // words, of which one tells
	leastShare   = 3 // one word in so many
)

// latin is the language of a text in Latin letters.
func (t *foreignTable) latin(text string) string {
	if tag, ok := t.whole[bare(text)]; ok {
		return tag
	}
	list := tokens(text)
	found := make([]struct{ telling, words, against int }, len(t.tags))
	for _, token := range list {
		w := t.word(token)
		for either := (w.telling | w.small) &^ t.ours; either != 0; either &= either - 1 {
			i := bits.TrailingZeros32(either)
			found[i].words++
			if w.telling&(1<<i) != 0 && w.telling&t.ours == 0 {
				found[i].telling++
			}
		}
		if w.telling&t.ours == 0 {
			continue
		}
		for i := range found {
			if (w.telling|w.small)&(1<<i) == 0 {
				found[i].against++
			}
		}
	}
	best, most := "", 0
	for i, f := range found {
		sure := f.telling > 0 && f.words >= leastForeign && f.words > 2*f.against && f.words*leastShare >= len(list)
		if score := 2*f.words + f.telling - f.against; sure && score > most {
			best, most = t.tags[i], score
		}
	}
	return best
}
