package kana

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/letters.txt
var lettersFile string

// maxSpelled is how many letters an abbreviation has at most that is read letter by letter.
const maxSpelled = 4

// ofLatin reads a word of Latin letters: an abbreviation, an English word of the dictionary,
// Japanese in Latin letters, or by how English is spelled.
func ofLatin(written string) string {
	word := strings.ReplaceAll(strings.ToLower(written), "'", "")
	upper := len(word) > 1 && word == strings.ToLower(written) && written == strings.ToUpper(written)
	if len(word) <= maxSpelled && (upper || !strings.ContainsAny(word, "aeiouy")) {
		return spelledOut(word)
	}
	if alone, _ := readings().lookup(word); alone != "" {
		return alone
	}
	if read, ok := FromRomaji(word); ok && len(word) > 2 {
		return read
	}
	for _, ending := range []string{"es", "s"} {
		if stem, ok := strings.CutSuffix(word, ending); ok {
			if alone, _ := readings().lookup(stem); alone != "" {
				return alone + "ず"
			}
		}
	}
	if parts := compound(word); parts != "" {
		return parts
	}
	return byLetters(word)
}

const (
	// minPart is how many letters a word has at least that is looked for in a longer one.
	minPart = 3
	// minCompound is how many letters a word has at least that words are looked for in.
	minCompound = 7
	// minRomaji is how many letters Japanese in a longer word has at least: "cafefukuoka".
	minRomaji = 6
)

// compound reads a word that is written together of two words of the dictionary, or of three:
// "makerspace". Of several ways to part it the one holds whose shorter word is longest. It is empty
// where there is none.
func compound(word string) string {
	if len(word) < minCompound {
		return ""
	}
	read, best := "", 0
	for i := minPart; i <= len(word)-minPart; i++ {
		head := partOfCompound(word[:i])
		if head == "" || min(i, len(word)-i) <= best {
			continue
		}
		tail := partOfCompound(word[i:])
		if tail == "" {
			tail = compound(word[i:])
		}
		if tail != "" {
			read, best = head+tail, min(i, len(word)-i)
		}
	}
	return read
}

// partOfCompound reads a word that may be part of a compound; "" is none.
func partOfCompound(word string) string {
	if alone, _ := readings().lookup(word); alone != "" || len(word) < minRomaji {
		return alone
	}
	read, _ := FromRomaji(word)
	return read
}

// A spelling is how letters of English words are read, as consonants and vowels of romaji.
type spelling struct{ letters, read string }

// spellings are by the first letter, longer ones first.
var spellings = sync.OnceValue(func() map[byte][]spelling {
	m := map[byte][]spelling{}
	for line := range strings.Lines(lettersFile) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] != "#" {
			m[fields[0][0]] = append(m[fields[0][0]], spelling{fields[0], fields[1]})
		}
	}
	for _, list := range m {
		slices.SortStableFunc(list, func(a, b spelling) int { return len(b.letters) - len(a.letters) })
	}
	return m
})

// spelledOut reads a word as the names of its letters.
func spelledOut(word string) string {
	var b strings.Builder
	for _, letter := range word {
		for _, s := range spellings()['='] {
			if s.letters == "="+string(letter) {
				kana, _ := FromRomaji(s.read)
				b.WriteString(kana)
			}
		}
	}
	return b.String()
}

// byLetters reads a word that nobody knows, roughly.
func byLetters(word string) string {
	var b strings.Builder
	for rest := word + "$"; rest != "" && rest != "$"; {
		n := 1
		for _, s := range spellings()[rest[0]] {
			if strings.HasPrefix(rest, s.letters) {
				b.WriteString(strings.Trim(s.read, "."))
				n = len(s.letters)
				break
			}
		}
		rest = rest[n:]
	}
	return withVowels(b.String())
}

// withVowels gives consonants that have no vowel the one that Japanese puts behind them.
func withVowels(letters string) string {
	var b strings.Builder
	for i := 0; i < len(letters); {
		if kana, n := firstKana(letters[i:]); n > 0 {
			b.WriteString(kana)
			i += n
			continue
		}
		n := 1
		for n < 2 && i+n < len(letters) && strings.Contains("sh ch ts", letters[i:i+n+1]) {
			n++
		}
		consonant := letters[i : i+n]
		switch {
		case n == 1 && i+1 < len(letters) && letters[i+1] == letters[i] && doubles(letters[i]):
			b.WriteRune('っ')
		case consonant == "n":
			b.WriteRune('ん')
		default:
			kana, _ := FromRomaji(consonant + vowelBehind(consonant))
			b.WriteString(kana)
		}
		i += n
	}
	return b.String()
}

// vowelBehind is the vowel that Japanese puts behind a consonant.
func vowelBehind(consonant string) string {
	switch consonant {
	case "t", "d":
		return "o"
	case "ch", "j", "sh":
		return "i"
	default:
		return "u"
	}
}
