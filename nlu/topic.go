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
	var words []string
	var word []rune
	flush := func() {
		// the s of a possessive
		if w := strings.Trim(string(word), " '-.・"); w != "" && (w != "s" || dropped&tAside == 0) && !shortKana(w) {
			words = append(words, w)
		}
		word = word[:0]
	}
	var aside [][2]int
	if dropped&tAside != 0 {
		aside = s.aside()
	}
	h := 0
	for i := 0; i < len(s.text); {
		for len(aside) > 0 && aside[0][1] <= i {
			aside = aside[1:]
		}
		if len(aside) > 0 && aside[0][0] <= i {
			flush()
			i = aside[0][1]
			continue
		}
		for h < len(s.hits) && s.hits[h].start < i {
			h++
		}
		if h < len(s.hits) && s.hits[h].start == i && s.hits[h].end > s.timeEnd(i) {
			flush()
			if s.names(s.hits[h], dropped) {
				words = append(words, cutArticle(string(s.text[i:s.hits[h].end])))
			}
			i = s.hits[h].end
			continue
		}
		if end := s.timeEnd(i); end > i {
			flush()
			i = end
			continue
		}
		k := scriptOf(s.text[i])
		last := scriptNone
		if len(word) > 0 {
			last = scriptOf(word[len(word)-1])
		}
		keep := k != scriptNone || isInWord(s.text, i) && last == scriptLatin || s.text[i] == '・' && len(word) > 0
		if !keep || k == scriptLatin && last != scriptLatin && last != scriptNone || k != scriptLatin &&
			k != scriptNone && last == scriptLatin ||
			k == scriptHiragana && last != scriptHiragana || k != scriptHiragana && last == scriptHiragana {
			flush()
		}
		if keep {
			word = append(word, s.text[i])
		}
		i++
	}
	flush()
	return strings.Join(words, " ")
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
