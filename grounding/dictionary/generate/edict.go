package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what is kept of EDICT.
const (
	maxRunes   = 8  // of a Japanese word
	maxRare    = 5  // of one that is not marked as common
	maxGlosses = 12 // of its translations
	maxOfSense = 4  // of the translations of one of its senses
	maxWords   = 3  // of one translation
)

// A bilingual is Japanese words, each by the part of it that does not change, with their translations.
type bilingual struct {
	// forms has by the unchanging part and its class the translations, in the order of the dictionary.
	forms map[form][]string
	// words are the English words that occur.
	words map[string]bool
}

// A form is the part of a Japanese word that does not change, and what follows it: "=" nothing, "~" any hiragana, or the consonant of
// the row of kana that follows ("w" of 洗う).
type form struct{ stem, class string }

// rows are the classes of verbs by their last kana.
var rows = map[string]string{"う": "w", "く": "k", "ぐ": "g", "す": "s", "つ": "t", "ぬ": "n", "ぶ": "b", "む": "m", "る": "r"}

// left are marks of words that nobody says to a visitor.
var left = []string{"arch", "obs", "X", "vulg", "rare", "derog", "proverb", "id", "oK", "iK", "ok", "ik", "io", "sl", "joc"}

var (
	brackets = regexp.MustCompile(`\([^()]*\)`) // the innermost
	grammar  = regexp.MustCompile(`^\(([a-z0-9,:-]+)\)`)
	numbered = regexp.MustCompile(`^(\([^)0-9]*\) )?\([0-9]+\)`)
	line     = regexp.MustCompile(`^(\S+) (?:\[(\S+)\] )?/(.*)/$`)
)

func readEdict(name string, everyday map[string]bool) (*bilingual, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read EDICT: %w", err)
	}
	b := &bilingual{forms: map[form][]string{}, words: map[string]bool{}}
	for l := range strings.Lines(string(raw)) {
		if m := line.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			senses := strings.Split(m[3], "/")
			b.add(m[1], senses, everyday)
			if strings.Contains(m[3], "(uk)") { // usually written in kana
				b.add(m[2], senses, everyday)
			}
		}
	}
	return b, nil
}

// add takes an entry in, if it is a word that people say and some of its translations are.
func (b *bilingual) add(word string, senses []string, everyday map[string]bool) {
	if !japanese(word) {
		return
	}
	common := slices.Contains(senses, "(P)")
	if !common && utf8.RuneCountInString(word) > maxRare {
		return
	}
	var glosses []string
	var part string
	inSense := 0
	for _, s := range senses {
		if m := grammar.FindStringSubmatch(s); m != nil && part == "" {
			part = m[1]
		}
		if s == "(P)" || marked(s) {
			continue
		}
		if numbered.MatchString(s) {
			inSense = 0
		}
		if inSense++; inSense > maxOfSense {
			continue
		}
		if g := gloss(s); g != "" && (common || known(g, everyday)) && !slices.Contains(glosses, g) {
			glosses = append(glosses, g)
		}
	}
	if len(glosses) == 0 {
		return
	}
	for _, f := range inflected(word, part) {
		for _, g := range glosses {
			if list := b.forms[f]; len(list) < maxGlosses && !slices.Contains(list, g) {
				b.forms[f] = append(list, g)
				for w := range strings.FieldsSeq(g) {
					b.words[w] = true
				}
			}
		}
	}
}

// japanese reports whether a word is of kanji and kana, and none that is hiragana only and so short that it may be an ending.
func japanese(word string) bool {
	n, other := utf8.RuneCountInString(word), false
	for _, r := range word {
		if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) && r != 'ー' && r != '々' {
			return false
		}
		other = other || !unicode.Is(unicode.Hiragana, r)
	}
	return n <= maxRunes && (other || n > 1)
}

// marked reports whether a sense is one that nobody says to a visitor.
func marked(sense string) bool {
	for _, m := range left {
		if strings.Contains(sense, "("+m+")") {
			return true
		}
	}
	return false
}

// gloss is a translation without what explains it, in lower case; nothing if it is a description.
func gloss(sense string) string {
	g := sense
	for brackets.MatchString(g) {
		g = brackets.ReplaceAllString(g, "")
	}
	g = strings.ToLower(strings.Join(strings.FieldsFunc(g, func(r rune) bool { return r == ' ' || r == '-' }), " "))
	for _, article := range []string{"to be ", "to ", "a ", "an ", "the ", "one's "} {
		g = strings.TrimPrefix(g, article)
	}
	if strings.ContainsFunc(g, func(r rune) bool { return (r < 'a' || r > 'z') && r != ' ' && r != '\'' }) || len(strings.Fields(g)) > maxWords {
		return ""
	}
	return g
}

// known reports whether all words of a translation are everyday words.
func known(gloss string, everyday map[string]bool) bool {
	for w := range strings.FieldsSeq(gloss) {
		if !everyday[w] {
			return false
		}
	}
	return true
}

// inflected are the forms by which a word is found in a text.
func inflected(word, part string) []form {
	last, size := utf8.DecodeLastRuneInString(word)
	stem := word[:len(word)-size]
	for p := range strings.SplitSeq(part, ",") {
		switch {
		case p == "v1" || p == "v1-s" || p == "adj-i":
			return []form{{stem, "~"}}
		case strings.HasPrefix(p, "v5") && rows[string(last)] != "":
			return []form{{stem, rows[string(last)]}}
		}
	}
	return []form{{word, "="}}
}

// lines are the entries as they are written: the part that does not change, then for each class it and the translations.
func (b *bilingual) lines() []string {
	byStem := map[string][]string{}
	for f, glosses := range b.forms {
		if f.stem != "" {
			byStem[f.stem] = append(byStem[f.stem], f.class+strings.Join(glosses, ";"))
		}
	}
	var out []string
	for stem, classes := range byStem {
		slices.Sort(classes)
		out = append(out, stem+"\t"+strings.Join(classes, "\t"))
	}
	return out
}
