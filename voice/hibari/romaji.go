package hibari

import (
	"strings"
	"unicode"
)

// onsets are how syllables of Japanese in Latin letters may begin, and vowelSounds how they go on;
// the longest that fits is meant.
var (
	onsets = map[string]string{
		"": "", "k": "k", "g": "ɡ", "s": "s", "z": "z", "t": "t", "d": "d", "n": "n", "h": "h", "b": "b", "p": "p",
		"m": "m", "y": "j", "r": "ɹ", "w": "w", "f": "f", "j": "ʤ", "sh": "ʃ", "ch": "ʧ", "ts": "ts", "ky": "kj",
		"gy": "ɡj", "ny": "nj", "hy": "hj", "by": "bj", "py": "pj", "my": "mj", "ry": "ɹj",
	}
	vowelSounds = map[string]string{
		"a": "ɑ", "i": "i", "u": "u", "e": "ɛ", "o": "O", "ai": "I", "ei": "A", "ou": "O", "aa": "ɑ", "ii": "i",
		"uu": "u", "ee": "A", "oo": "O", "oh": "O", "ā": "ɑ", "ī": "i", "ū": "u", "ē": "A", "ō": "O",
		"â": "ɑ", "î": "i", "û": "u", "ê": "A", "ô": "O",
	}
)

const romajiVowels = "aiueoāīūēōâîûêô"

// romaji reads a Japanese word in Latin letters, such as the name of a station. The stress is on the
// last syllable but one, where English speakers put it.
func romaji(word string) (string, bool) {
	rest := []rune(strings.ToLower(word))
	if len(rest) < 3 || strings.ToUpper(word) == word {
		return "", false
	}
	var syllables []string
	for len(rest) > 0 {
		syllable, n := syllable(rest)
		if n == 0 {
			return "", false
		}
		rest = rest[n:]
		syllables = append(syllables, syllable)
	}
	last := len(syllables) - 1
	if last < 2 && strings.ToLower(word) == word { // a short word that is no name may be any language's
		return "", false
	}
	if before, ok := strings.CutSuffix(syllables[last], "ɛ"); ok {
		syllables[last] = before + "A"
	}
	main := max(0, last-1)
	syllables[main] = stressed(primary, syllables[main])
	if main > 1 {
		syllables[0] = stressed(secondary, syllables[0])
	}
	return strings.Join(syllables, ""), true
}

// syllable returns the first syllable and how many letters it has: none if that is no Japanese one.
func syllable(letters []rune) (string, int) {
	at := length(letters, func(r rune) bool { return unicode.IsLetter(r) && !strings.ContainsRune(romajiVowels, r) })
	onset := string(letters[:at])
	if len(onset) > 1 && (onset[0] == onset[1] || strings.HasPrefix(onset, "tch")) { // a long consonant
		onset = onset[1:]
	}
	begin, ok := onsets[onset]
	if !ok || at == len(letters) {
		return "", 0
	}
	sound, n := "", 1
	if at+1 < len(letters) {
		if sound, ok = vowelSounds[string(letters[at:at+2])]; ok {
			n = 2
		}
	}
	if n == 2 && letters[at+1] == 'h' && at+2 < len(letters) && strings.ContainsRune("aiueo", letters[at+2]) {
		n = 1 // the h begins the next syllable
	}
	if n == 1 {
		sound = vowelSounds[string(letters[at:at+1])]
	}
	at += n
	return begin + sound + coda(letters[at:]), at + codaLength(letters[at:])
}

// codaLength is how many letters of an n that ends a syllable there are, with an apostrophe behind it.
func codaLength(letters []rune) int {
	switch {
	case len(letters) == 0 || letters[0] != 'n':
		return 0
	case len(letters) == 1:
		return 1
	case isApostrophe(letters[1]) || letters[1] == '-':
		return 2
	case strings.ContainsRune(romajiVowels+"y", letters[1]):
		return 0
	default:
		return 1
	}
}

func coda(letters []rune) string {
	switch {
	case codaLength(letters) == 0:
		return ""
	case len(letters) > 1 && strings.ContainsRune("kg", letters[1]):
		return "ŋ"
	default:
		return "n"
	}
}
