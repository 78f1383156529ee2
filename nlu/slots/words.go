package slots

import (
	_ "embed"
	"strings"
	"sync"
)

// classes is a set of classes of words.
type classes uint64

//go:embed data/words_ja.txt
var wordsJapanese string

//go:embed data/words_en.txt
var wordsEnglish string

// wordClasses are the classes of words of a language.
type wordClasses struct {
	trie
	names []string

	// verbs are the classes that carry a command.
	verbs                                           [6]classes
	question, past, generic, number, remind, update classes
	// doing are verbs of other commands than changes, command all that are no part of a title.
	doing, command classes
	// proper are words that stand for one person, place or event; whatever they end with is part of them.
	proper classes
	// place are words that a place is named by, entry those that an entry is called by.
	place, entry classes
}

var japaneseWords = sync.OnceValue(func() *wordClasses { return parseWords(wordsJapanese, Japanese, asWritten) })

var englishWords = sync.OnceValue(func() *wordClasses { return parseWords(wordsEnglish, English, asWritten) })

func wordsOf(lang string) *wordClasses {
	if lang == Japanese {
		return japaneseWords()
	}
	return englishWords()
}

func asWritten([]token) {}

// parseWords reads the form that the data files explain. turn may change the order of a word's tokens.
func parseWords(file, lang string, turn func(word []token)) *wordClasses {
	w := &wordClasses{}
	for line := range strings.Lines(file) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		class := classes(1) << len(w.names)
		w.names = append(w.names, name)
		for word := range strings.SplitSeq(list, "|") {
			tokens := tokenize(word, lang, nil)
			turn(tokens)
			w.add(tokens, class)
		}
	}
	for n, name := range [len(w.verbs)]string{"create", "remind", "delete", "update", "ask", "question"} {
		w.verbs[n] = w.class(name)
	}
	w.question, w.past, w.generic = w.class("question"), w.class("past"), w.class("generic")
	w.number = w.class("number") | w.class("ordinal")
	w.remind, w.update = w.class("remind"), w.class("update")
	w.doing = w.class("create") | w.remind | w.class("delete")
	for _, name := range [...]string{"given", "family", "honorific", "relation", "placenoun", "city", "region", "business", "eventhead"} {
		w.proper |= w.class(name)
	}
	for _, name := range [...]string{"placenoun", "city", "business"} {
		w.place |= w.class(name)
	}
	w.entry = w.class("eventhead") | w.class("meal")
	w.command = w.doing | w.update | w.question | w.generic
	return w
}

// class returns the class of that name, or none.
func (w *wordClasses) class(name string) classes {
	for i, n := range w.names {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// mark notes for every token of which classes it is. Of each class the leftmost and longest words count.
func (w *wordClasses) mark(tokens []token) {
	var until [64]int // by class: the end of its last word
	for i := range tokens {
		var longest [64]int
		found := classes(0)
		node := int32(0)
		for j := i; j < len(tokens); j++ {
			if node = w.step(node, tokens[j].hash); node == 0 || j > i && tokens[j].stop {
				break
			}
			for c := w.ends[node]; c != 0; c &= c - 1 {
				longest[bit(c)] = j + 1
			}
			found |= w.ends[node]
		}
		for c := found; c != 0; c &= c - 1 {
			n := bit(c)
			if until[n] > i {
				continue
			}
			until[n] = longest[n]
			one := classes(1) << n
			tokens[i].begins |= one
			tokens[longest[n]-1].ends |= one
			for k := i; k < longest[n]; k++ {
				tokens[k].classes |= one
			}
		}
	}
}
