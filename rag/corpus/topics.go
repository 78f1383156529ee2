package corpus

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

//go:embed data/topics.txt
var topicsFile string

// A lexicon knows what texts can be about, in both languages.
type lexicon struct {
	// words are topics by their words, in lower case. The empty topic says nothing.
	words map[string]string
	// longest is the length of the longest word that begins with a character.
	longest map[rune]int
}

// newLexicon returns the lexicon of the table and of names, which are groups of names for one
// thing. The names of the venue itself say nothing: everything is about it.
func newLexicon(venue []string, names [][]string) *lexicon {
	l := &lexicon{words: map[string]string{}, longest: map[rune]int{}}
	for line := range strings.Lines(topicsFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '-':
			for word := range strings.FieldsSeq(line[1:]) {
				l.add(word, "")
			}
		default:
			l.addGroup(strings.Split(line, " = "))
		}
	}
	for _, group := range names {
		l.addGroup(slices.DeleteFunc(slices.Clone(group), l.describes))
	}
	for _, name := range venue {
		l.add(name, "")
	}
	return l
}

// describes reports whether a name is a topic, or tells one by what it says of it: "the meeting
// rooms on the second floor".
func (l *lexicon) describes(name string) bool {
	_, known := l.words[fold(name)]
	return known || len(l.subjectOf(fold(name)).words) == 0
}

func (l *lexicon) addGroup(words []string) {
	for _, word := range words {
		l.add(fold(word), fold(words[0]))
	}
}

func (l *lexicon) add(word, topic string) {
	word = strings.ToLower(word)
	first, _ := utf8.DecodeRuneInString(word)
	if word == "" {
		return
	}
	l.words[word] = topic
	l.longest[first] = max(l.longest[first], len(word))
}

// A subject is what a text is about.
type subject struct {
	// topics are of the lexicon, or Latin names: they are the same in both languages. words are the others.
	topics, words map[string]bool
}

// subjectOf reads a folded text.
func (l *lexicon) subjectOf(texts ...string) subject {
	s := subject{map[string]bool{}, map[string]bool{}}
	for _, text := range texts {
		for at := 0; at < len(text); {
			at += l.next(text, at, s)
		}
	}
	return s
}

// next reads what stands at a place and returns its length.
func (l *lexicon) next(text string, at int, s subject) int {
	r, size := utf8.DecodeRuneInString(text[at:])
	if n, topic := l.longestWord(text, at, r); n > 0 {
		if topic != "" {
			s.topics[topic] = true
		}
		return n
	}
	run := runOf(text[at:])
	switch word := text[at : at+run]; {
	case run == 0:
		return size
	case unicode.In(r, unicode.Hiragana):
	case unicode.IsDigit(r):
	case r < utf8.RuneSelf:
		if topic, found := l.words[strings.TrimSuffix(word, "s")]; found {
			if topic != "" {
				s.topics[topic] = true
			}
		} else if len(word) > 1 {
			s.words[strings.TrimSuffix(word, "s")] = true
		}
	case utf8.RuneCountInString(word) > 1:
		s.words[word] = true
	}
	return run
}

// longestWord returns the length of the longest word of the lexicon that stands there, and its
// topic. A Latin one must end there, or in s.
func (l *lexicon) longestWord(text string, at int, first rune) (int, string) {
	for n := min(l.longest[first], len(text)-at); n > 0; n-- {
		topic, found := l.words[text[at:at+n]]
		if !found {
			continue
		}
		if last := text[at+n-1]; last < utf8.RuneSelf && isLatin(rune(last)) {
			end := at + n
			if strings.HasPrefix(text[end:], "s") {
				end++
			}
			if next, _ := utf8.DecodeRuneInString(text[end:]); isLatin(next) || at > 0 && isLatin(rune(text[at-1])) {
				continue
			}
			n = end - at
		}
		return n, topic
	}
	return 0, ""
}

func isLatin(r rune) bool { return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// runOf returns the length of the run of one script at the beginning of a text.
func runOf(s string) int {
	first, _ := utf8.DecodeRuneInString(s)
	kind := scriptOf(first)
	if kind == text.None {
		return 0
	}
	if end := strings.IndexFunc(s, func(r rune) bool { return scriptOf(r) != kind }); end >= 0 {
		return end
	}
	return len(s)
}

// scriptOf takes letters of all scripts with spaces between words for one, and the apostrophe for one of them.
func scriptOf(r rune) text.Script {
	if s := text.ScriptOf(r); s != text.Other && r != '\'' {
		return s
	}
	return text.Latin
}

// wordWeight is what a word counts against a topic.
const wordWeight = 0.5

// like returns how much two subjects are the same, in 0..1. Of the words of two languages only
// Latin ones can be compared; of the others, as many as both have are taken to be half different,
// and those that only one has are different.
func (s subject) like(o subject, sameLanguage bool) float64 {
	both, all := overlap(s.topics, o.topics)
	ours, theirs := s.words, o.words
	if !sameLanguage {
		shared, _ := overlap(latin(ours), latin(theirs))
		few := float64(min(len(ours), len(theirs))) - shared
		many := float64(max(len(ours), len(theirs))) - shared
		both, all = both+wordWeight*shared, all+wordWeight*(shared+few/2+many-few)
	} else {
		shared, union := overlap(ours, theirs)
		both, all = both+wordWeight*shared, all+wordWeight*union
	}
	if all == 0 {
		return 1
	}
	return both / all
}

// within reports whether o has all topics of s.
func (s subject) within(o subject) bool {
	both, _ := overlap(s.topics, o.topics)
	return int(both) == len(s.topics)
}

func (s subject) empty() bool { return len(s.topics)+len(s.words) == 0 }

// latin returns the words in Latin letters: in Japanese they are names.
func latin(words map[string]bool) map[string]bool {
	out := map[string]bool{}
	for w := range words {
		if w[0] < utf8.RuneSelf {
			out[w] = true
		}
	}
	return out
}

func overlap(a, b map[string]bool) (both, all float64) {
	for x := range a {
		if b[x] {
			both++
		}
	}
	return both, float64(len(a)+len(b)) - both
}

// fold makes texts comparable: full-width letters and digits become half-width ones, all small, and tildes are
// dashes.
func fold(s string) string {
	return strings.ReplaceAll(strings.Map(text.FoldRune, s), "~", "-")
}
