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

// language says in which language an utterance is. Japanese script decides, unless English words carry the sentence and
// Japanese only names something in it. Without letters of either it is fallback.
func language(text []rune, fallback Language) Language {
	latin, japanese, function := 0, 0, 0
	for i := 0; i < len(text); {
		switch kind := scriptOf(text[i]); kind {
		case scriptLatin:
			end := i + 1
			for end < len(text) && (isWordRune(text[end]) || text[end] == '\'') {
				end++
			}
			if hasLetter(text[i:end]) {
				latin++
				if functionWords[string(text[i:end])] {
					function++
				}
			}
			i = end
			continue
		case scriptHiragana, scriptKatakana, scriptKanji:
			japanese++
		case scriptNone, scriptOther:
		}
		i++
	}
	switch {
	case japanese == 0 && latin == 0:
		return fallback
	case japanese == 0:
		return English
	case function == 0 || latin < 2:
		return Japanese
	case function >= 2 && !endsJapanese(text):
		return English
	case function >= 1 && latin >= 2 && startsLatin(text) && !endsJapanese(text):
		return English
	}
	return Japanese
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
