package rag

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"annai/fault"
	"annai/internal/text"
)

//go:embed data/synonyms.txt
var synonymsFile string

// Synonyms says which words mean the same, across languages too. See [ParseSynonyms].
type Synonyms struct {
	// texts are the phrases with Japanese in them, by first rune; words are those of Latin words only, by the first.
	// Longer ones come first.
	texts map[rune][]phrase
	words map[string][]phrase
	// groups hold the terms of every phrase of a group.
	groups []unit
}

// A phrase is something that is looked for in questions.
type phrase struct {
	text  string   // folded
	words []string // of text, singular; nil where Japanese is in it
	// group is its group of synonyms, or -1 for words that say nothing and are cut out.
	group int
}

const (
	// synonymWeight is what a group counts, in words.
	synonymWeight = 1.2
	// hintWeight is what a group counts whose line begins with "~", and what anything counts beside
	// one that begins with "!", as a share.
	hintWeight = 0.3
)

// ParseSynonyms reads one group a line, its words or phrases separated by "=". A group that begins
// with "~" is a hint: it helps where it is found and does little harm where it is not. What stands
// after ">" is looked for when another of its group is asked for, and not the reverse; what stands
// before "<" is asked for and not looked for, as "who runs" is not in what a passage says of it. A
// group that begins with "!" says what the whole question is about, as "lost" does in "I lost my
// umbrella": what is named besides is but a hint. Lines that begin with "#" and blank ones are left
// out. A group of fewer than two, or an empty phrase, is [fault.ErrInvalid], with the line.
func ParseSynonyms(table string) (*Synonyms, error) {
	s := &Synonyms{texts: map[rune][]phrase{}, words: map[string][]phrase{}}
	n := 0
	for line := range strings.Lines(table) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := s.addGroup(line); err != nil {
			return nil, fmt.Errorf("synonyms, line %d: %w", n, err)
		}
	}
	for _, line := range dataLines(phrasesFile) {
		s.add(phrase{text: text.Fold(line), group: -1})
	}
	for _, list := range s.texts {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.text) - len(a.text) })
	}
	for _, list := range s.words {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	return s, nil
}

// ownSynonyms is the table of this package, which its tests read.
var ownSynonyms = sync.OnceValue(func() *Synonyms {
	s, err := ParseSynonyms(synonymsFile)
	if err != nil {
		panic(err)
	}
	return s
})

func (s *Synonyms) addGroup(line string) error {
	u := unit{weight: synonymWeight}
	if rest, hint := strings.CutPrefix(line, "~"); hint {
		line, u.weight = rest, hintWeight
	} else if rest, whole := strings.CutPrefix(line, "!"); whole {
		line, u.whole = rest, true
	}
	asked, both, found := directions(line)
	texts := slices.Concat(asked, both, found)
	if slices.Contains(texts, "") {
		return fmt.Errorf("an empty word: %w", fault.ErrInvalid)
	}
	for _, words := range slices.Concat(asked, both) {
		s.add(phrase{text: text.Fold(words), group: len(s.groups)})
	}
	for _, text := range slices.Concat(both, found) {
		u.addAlternative(newAlternative(terms(text)))
	}
	if len(texts) < 2 || len(u.alternatives) == 0 {
		return fmt.Errorf("fewer than two words that mean something: %w", fault.ErrInvalid)
	}
	s.groups = append(s.groups, u)
	return nil
}

// directions returns the words of a group that are only asked for, those that are asked for and looked for, and those
// that are only looked for.
func directions(line string) (asked, both, found []string) {
	if before, rest, ok := strings.Cut(line, "<"); ok {
		asked, line = splitWords(before), rest
	}
	line, after, ok := strings.Cut(line, ">")
	if ok {
		found = splitWords(after)
	}
	return asked, splitWords(line), found
}

func splitWords(group string) []string {
	words := strings.Split(group, "=")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words
}

// addAlternative adds a way to say it, unless it comes to the same terms as another one, to none,
// or, where more than a hint is asked for, to what asks for a kind of answer: nothing of "how much"
// but "how" is looked for, which does not say a price.
func (u *unit) addAlternative(a alternative) {
	if u.weight > hintWeight && !slices.ContainsFunc(a, func(t term) bool { return t.weight != hintWeight }) {
		return
	}
	if len(a) > 0 && !slices.ContainsFunc(u.alternatives, func(b alternative) bool { return slices.Equal(a, b) }) {
		u.alternatives = append(u.alternatives, a)
	}
}

func (s *Synonyms) add(p phrase) {
	for _, r := range runs(p.text) {
		if r.script != scriptWord {
			first, _ := utf8.DecodeRuneInString(p.text)
			p.words = nil
			s.texts[first] = append(s.texts[first], p)
			return
		}
		p.words = append(p.words, phraseWord(r.text))
	}
	if len(p.words) > 0 {
		s.words[p.words[0]] = append(s.words[p.words[0]], p)
	}
}

// phraseWord is the form in which words of phrases are compared: wi-fi is wifi, and hours is hour, but closed is not
// close, because opening hours and closed days are asked for with them.
func phraseWord(w string) string { return text.Singular(strings.ReplaceAll(w, "-", "")) }

// match returns the longest phrase that begins with run i of folded text, or within it, at byte start of the text, and
// the byte after it; an end of 0 says that there is none.
func (s *Synonyms) match(text string, start int, rs []run, i int) (p phrase, end int) {
	first, _ := utf8.DecodeRuneInString(text[start:])
	for _, p := range s.texts[first] {
		if strings.HasPrefix(text[start:], p.text) && wholeWord(text, start, start+len(p.text)) {
			return p, start + len(p.text)
		}
	}
	if rs[i].script != scriptWord || start != rs[i].start {
		return phrase{}, 0
	}
	for _, p := range s.words[phraseWord(rs[i].text)] {
		if len(p.words) <= len(rs)-i && slices.EqualFunc(p.words, rs[i:i+len(p.words)], sameWord) {
			last := rs[i+len(p.words)-1]
			return p, last.start + len(last.text)
		}
	}
	return phrase{}, 0
}

func sameWord(word string, r run) bool { return r.script == scriptWord && phraseWord(r.text) == word }

// wholeWord reports whether s[start:end] stands on its own: words of Latin letters and runs of katakana are
// not cut, nor is a compound of kanji to take one of them out (車 is not in 電車). Hiragana has no such borders.
func wholeWord(s string, start, end int) bool {
	_, size := utf8.DecodeRuneInString(s[start:])
	lone := start+size == end
	return text.Stands(s, start, end, func(a, b rune) bool { return cuts(a, b, lone) })
}

// cuts reports whether a border between a and b is within a word.
func cuts(a, b rune, lone bool) bool {
	if scriptOf(a) != scriptOf(b) {
		return false
	}
	switch scriptOf(a) {
	case scriptWord, scriptKatakana:
		return true
	case scriptKanji:
		return lone
	case scriptHiragana, scriptNone:
		return false
	default:
		return false
	}
}
