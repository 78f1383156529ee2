package nlu

import "unicode"

// functionWords are English words that carry a sentence; names and loan words are not among them.
var functionWords = map[string]bool{
	"is": true, "are": true, "was": true, "were": true, "the": true, "a": true, "an": true, "what": true, "when": true,
	"where": true, "who": true, "which": true, "how": true, "why": true, "do": true, "does": true, "did": true, "can": true,
	"could": true, "will": true, "would": true, "i": true, "you": true, "me": true, "my": true, "there": true, "any": true,
	"please": true, "tell": true, "show": true, "about": true, "for": true, "in": true, "on": true, "at": true, "of": true,
	"to": true, "with": true, "this": true, "that": true, "next": true, "today": true, "tomorrow": true, "and": true,
	"have": true, "has": true, "it": true, "want": true, "need": true, "like": true, "what's": true, "where's": true,
}

// scripts are how many words and runs of each sort an utterance has.
type scripts struct {
	latin, function     int // words in Latin script, and those of them that carry a sentence
	japanese, particles int // runs in Japanese script, and those that are only a particle
}

// language says in which language an utterance is. Japanese script decides, unless English words carry the sentence and
// Japanese only names something in it. Without letters of either it is fallback.
func language(text []rune, fallback Language) Language {
	n := count(text)
	switch {
	case n.japanese == 0 && n.latin == 0:
		return fallback
	case n.japanese == 0:
		return English
	case n.function == 0 || endsJapanese(text) || n.particles > 0 && n.function < 3:
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

// endsJapanese reports whether the sentence ends as Japanese ones do: with hiragana, the verb or a particle.
func endsJapanese(text []rune) bool {
	for i := len(text) - 1; i >= 0; i-- {
		if k := scriptOf(text[i]); k != scriptNone {
			return k == scriptHiragana
		}
	}
	return false
}
