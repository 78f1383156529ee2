package nlu

import (
	"slices"
	"strings"
	"unicode"
)

// functionWords are English words that carry a sentence; names and loan words are not among them.
var functionWords = map[string]bool{
	"is": true, "are": true, "was": true, "were": true, "the": true, "a": true, "an": true, "what": true, "when": true,
	"where": true, "who": true, "which": true, "how": true, "why": true, "do": true, "does": true, "did": true,
	"can":   true,
	"could": true, "will": true, "would": true, "i": true, "you": true, "me": true, "my": true, "there": true,
	"any":    true,
	"please": true, "tell": true, "show": true, "give": true, "find": true, "list": true, "about": true, "for": true,
	"in": true, "on": true, "at": true, "of": true,
	"to": true, "with": true, "this": true, "that": true, "next": true, "today": true, "tomorrow": true, "and": true,
	"have": true, "has": true, "it": true, "want": true, "need": true, "like": true, "what's": true, "where's": true,
}

// openers are the words with which an English question or request begins, whose verb it is then.
var openers = map[string]bool{
	"what": true, "what's": true, "when": true, "when's": true, "where": true, "where's": true, "who": true,
	"who's": true, "which": true,
	"how": true, "why": true, "is": true, "are": true, "was": true, "were": true, "do": true, "does": true,
	"did": true, "can": true,
	"could": true, "will": true, "would": true, "may": true, "tell": true, "show": true, "give": true, "find": true,
	"list": true, "please": true,
	"i": true, "i'm": true, "i'd": true, "any": true, "there": true, "let": true, "let's": true,
}

// commands are English verbs of commands, with which a Japanese name may be given: "Delete 定例会議".
var commands = map[string]bool{
	"add": true, "create": true, "schedule": true, "delete": true, "cancel": true, "remove": true, "move": true,
	"reschedule": true, "rename": true, "change": true, "postpone": true,
}

// scripts are how many words and runs of each sort an utterance has.
type scripts struct {
	latin, function     int // words in Latin script, and those of them that carry a sentence
	japanese, particles int // runs in Japanese script, and those that are only a particle
}

// language says in which language an utterance is. Japanese script decides, unless the verb is
// English and Japanese only names something. Without letters of either it is fallback.
func language(text []rune, fallback Language) Language {
	n := count(text)
	switch {
	case n.japanese == 0 && n.latin == 0:
		return fallback
	case n.japanese == 0:
		return English
	case endsJapanese(text):
		return Japanese
	case n.particles == 0 && commands[firstWord(text)]:
		return English
	case n.function == 0:
		return Japanese
	case openers[firstWord(text)]:
		return English
	case n.particles > 0 && n.function < 3:
		return Japanese
	case n.function >= 2 || startsLatin(text):
		return English
	}
	return Japanese
}

func count(text []rune) scripts {
	var n scripts
	for i := 0; i < len(text); {
		kind := scriptOf(text[i])
		end := i + 1
		for end < len(text) && (scriptOf(text[end]) == kind || kind == scriptLatin && text[end] == '\'') {
			end++
		}
		switch kind {
		case scriptLatin:
			if hasLetter(text[i:end]) {
				n.latin++
				if functionWords[string(text[i:end])] {
					n.function++
				}
			}
		case scriptHiragana:
			n.japanese++
			if end == i+1 {
				n.particles++
			}
		case scriptKatakana, scriptKanji:
			n.japanese++
		case scriptNone, scriptOther:
		}
		i = end
	}
	return n
}

func hasLetter(word []rune) bool {
	for _, r := range word {
		if unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

func startsLatin(text []rune) bool {
	for _, r := range text {
		if k := scriptOf(r); k != scriptNone {
			return k == scriptLatin
		}
	}
	return false
}

// firstWord is the word of Latin letters with which a text begins, or "".
func firstWord(text []rune) string {
	start := 0
	for start < len(text) && scriptOf(text[start]) == scriptNone {
		start++
	}
	end := start
	for end < len(text) && (isWordRune(text[end]) || text[end] == '\'') {
		end++
	}
	return string(text[start:end])
}

// honorifics stand behind a name, and are no end of a sentence.
var honorifics = []string{"さん", "くん", "ちゃん", "さま"}

// endsJapanese reports whether the sentence ends as Japanese ones do: with hiragana, the verb or a
// particle.
func endsJapanese(text []rune) bool {
	end := len(text)
	for end > 0 && scriptOf(text[end-1]) == scriptNone {
		end--
	}
	if end == 0 || scriptOf(text[end-1]) != scriptHiragana {
		return false
	}
	tail := string(text[max(0, end-3):end])
	return !slices.ContainsFunc(honorifics, func(h string) bool { return strings.HasSuffix(tail, h) })
}
