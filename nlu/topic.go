package nlu

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// minKana is the shortest run of hiragana outside the lexicon that counts as a word; shorter ones
// are endings.
const minKana = 3

// topic is what remains of an utterance when times and all words that only make a sentence are cut:
// the words that name what it is about, in the order said. dropped are tags whose words are cut
// too.
func (s *sentence) topic(dropped tag) string {
	t := topicWords{sentence: s, dropped: dropped, left: s.hits}
	if dropped&tAside != 0 {
		t.aside = s.aside()
	}
	for i := 0; i < len(s.text); {
		i = t.read(i)
	}
	t.end()
	return strings.Join(t.words, " ")
}

// topicWords collects the words of a topic.
type topicWords struct {
	*sentence
	dropped tag
	left    []hit    // words of the lexicon that were not reached yet
	aside   [][2]int // what is said beside the topic and was not reached yet
	word    []rune   // the word that goes on
	words   []string
}

// read reads on at rune i, and returns where to read next.
func (t *topicWords) read(i int) int {
	for len(t.aside) > 0 && t.aside[0][1] <= i {
		t.aside = t.aside[1:]
	}
	for len(t.left) > 0 && t.left[0].start < i {
		t.left = t.left[1:]
	}
	end := t.timeEnd(i)
	switch {
	case len(t.aside) > 0 && t.aside[0][0] <= i:
		t.end()
		return t.aside[0][1]
	case len(t.left) > 0 && t.left[0].start == i && t.left[0].end > end:
		t.end()
		if h := t.left[0]; t.names(h, t.dropped) {
			t.words = append(t.words, cutArticle(string(t.text[i:h.end])))
		}
		return t.left[0].end
	case end > i:
		t.end()
		return end
	}
	t.add(i)
	return i + 1
}

// add adds rune i to the word that goes on, or begins another one.
func (t *topicWords) add(i int) {
	script, last := scriptOf(t.text[i]), scriptNone
	if n := len(t.word); n > 0 {
		last = scriptOf(t.word[n-1])
	}
	keep := script != scriptNone || isInWord(t.text, i) && last == scriptLatin || t.text[i] == '・' && len(t.word) > 0
	if !keep || parts(script, last) {
		t.end()
	}
	if keep {
		t.word = append(t.word, t.text[i])
	}
}

// parts reports whether a word ends where one script follows another: at both ends of hiragana, and
// of Latin letters.
func parts(script, last script) bool {
	ofLatin := (script == scriptLatin) != (last == scriptLatin) && script != scriptNone && last != scriptNone
	return ofLatin || (script == scriptHiragana) != (last == scriptHiragana)
}

// end ends the word that goes on.
func (t *topicWords) end() {
	w := strings.Trim(string(t.word), " '-.・")
	possessive := w == "s" && t.dropped&tAside != 0
	if w != "" && !possessive && !shortKana(w) {
		t.words = append(t.words, w)
	}
	t.word = t.word[:0]
}

// shortKana reports whether w is only a scrap of hiragana, one of them again and again (あああ), or no
// word at all.
func shortKana(w string) bool {
	n := 0
	first, _ := utf8.DecodeRuneInString(w)
	same := true
	for _, r := range w {
		same = same && r == first
		switch scriptOf(r) {
		case scriptHiragana:
			n++
		case scriptNone:
		default:
			return false
		}
	}
	return n < minKana || same
}

// timeEnd is where the temporal expression that holds rune i ends, or i.
func (s *sentence) timeEnd(i int) int {
	if s.spanEnds[i] > i {
		return s.spanEnds[i]
	}
	if s.cut[0] <= i && i < s.cut[1] {
		return s.cut[1]
	}
	return i
}

// maxKeywords is how many keywords are taken; a topic of more is none.
const maxKeywords = 100

// keywords are the words of a topic, each once.
func keywords(topic string) []string {
	var words []string
	for part := range strings.FieldsSeq(topic) {
		if len(words) == maxKeywords {
			break
		}
		w := Normalize(part)
		if isASCII(w) {
			w = stem(w)
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// names reports whether a word of the lexicon is one of a topic. Of an event no verb is: お酒が飲めるイベント.
func (s *sentence) names(h hit, dropped tag) bool {
	return h.tags&(dropped|tCut|tVenue|tFiller) == 0 &&
		(dropped&tHappen == 0 || verbAt(s.lower, h.start, false) == h.start)
}

// cutArticle cuts the article that a word of the lexicon begins with: a talk.
func cutArticle(word string) string {
	lower := strings.ToLower(word)
	for _, article := range [...]string{"a ", "an ", "the "} {
		if strings.HasPrefix(lower, article) {
			return word[len(article):]
		}
	}
	return word
}
