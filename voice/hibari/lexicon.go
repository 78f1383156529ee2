package hibari

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	primary, secondary = "ˈ", "ˌ"
	vowels             = "AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ"
	consonants         = "bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ"
	diphthongs         = "AIOQWYʤʧ"
	// tapped are the sounds after which a t becomes a tap.
	tapped = "AIOWYiuæɑəɛɪɹʊʌ"
)

// A stress changes the stress of a word: from -2, which takes all of it away, to 2, which adds one.
type stress float64

const asItIs stress = 99

// apply returns phonemes with another stress.
func (s stress) apply(phonemes string) string {
	first, second := strings.Contains(phonemes, primary), strings.Contains(phonemes, secondary)
	switch {
	case s == asItIs:
	case s < -1:
		return strings.NewReplacer(primary, "", secondary, "").Replace(phonemes)
	case s == -1 || first && (s == 0 || s == -0.5):
		return strings.NewReplacer(secondary, "", primary, secondary).Replace(phonemes)
	case !first && !second && (s == 0 || s == 0.5 || s == 1):
		return stressed(secondary, phonemes)
	case s >= 1 && !first && second:
		return strings.ReplaceAll(phonemes, secondary, primary)
	case s > 1 && !first && !second:
		return stressed(primary, phonemes)
	}
	return phonemes
}

// stressed puts a mark before the first vowel.
func stressed(mark, phonemes string) string {
	if at := strings.IndexAny(phonemes, vowels); at >= 0 {
		return phonemes[:at] + mark + phonemes[at:]
	}
	return phonemes
}

// weight is how long phonemes are.
func weight(phonemes string) (n int) {
	for _, r := range phonemes {
		n++
		if strings.ContainsRune(diphthongs, r) {
			n++
		}
	}
	return n
}

// A vowel says how the next word begins.
type vowel int

const (
	pause vowel = iota // there is none, or a mark is before it
	withConsonant
	withVowel
)

// Surroundings are what follows a word.
type surroundings struct {
	next vowel
	to   bool // the next word is "to"
}

// A lexicon knows words: gold ones were checked by people, silver ones were not.
type lexicon struct{ gold, silver dictionary }

// A dictionary knows words with a capital letter by those without, and the other way round.
type dictionary struct{ *table }

func (d dictionary) get(word string) (string, bool) {
	if value, ok := d.table.get(word); ok || utf8.RuneCountInString(word) < 2 {
		return value, ok
	}
	lower := strings.ToLower(word)
	switch capital := capitalized(word); word {
	case lower:
		return d.table.get(capital)
	case capital:
		return d.table.get(lower)
	default:
		return "", false
	}
}

func (d dictionary) has(word string) bool {
	_, ok := d.get(word)
	return ok
}

func capitalized(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + strings.ToLower(word[size:])
}

// spell reads a word letter by letter.
func (l *lexicon) spell(word string) (string, bool) {
	var all strings.Builder
	for _, r := range word {
		if !unicode.IsLetter(r) {
			continue
		}
		phonemes, ok := l.gold.get(strings.ToUpper(string(r)))
		if !ok {
			return "", false
		}
		all.WriteString(phonemes)
	}
	phonemes := stress(0).apply(all.String())
	if at := strings.LastIndex(phonemes, secondary); at >= 0 {
		return phonemes[:at] + primary + phonemes[at+len(secondary):], true
	}
	return phonemes, true
}

var (
	symbolNames = map[string]string{"%": "percent", "&": "and", "+": "plus", "@": "at"}
	partNames   = map[string]string{".": "dot", "/": "slash"} // in addresses
)

// special reads words whose sound depends on what is around them.
func (l *lexicon) special(word, tag string, s stress, c *surroundings) (string, bool) {
	if name, ok := partNames[word]; ok && tag == "ADD" {
		return l.lookup(name, "", -0.5, c)
	}
	if name, ok := symbolNames[word]; ok {
		return l.lookup(name, "", asItIs, c)
	}
	if abbreviated(word) {
		return l.spell(word)
	}
	switch lower := strings.ToLower(word); {
	case lower == "a" && tag == "DT":
		return "ɐ", true
	case lower == "a":
		return "ˈA", true
	case lower == "vs" || lower == "vs.":
		if tag == "IN" {
			return l.lookup("versus", "", asItIs, c)
		}
	case word == lower || word == capitalized(word) || word == strings.ToUpper(word):
		return l.function(word, tag, s, c)
	}
	return "", false
}

// abbreviated says whether a word is letters with points between, such as "p.m.".
func abbreviated(word string) bool {
	if !strings.Contains(strings.Trim(word, "."), ".") || !each(strings.ReplaceAll(word, ".", ""), unicode.IsLetter) {
		return false
	}
	for part := range strings.SplitSeq(word, ".") {
		if utf8.RuneCountInString(part) >= 3 {
			return false
		}
	}
	return true
}

// function reads the words that are spoken in several ways.
func (l *lexicon) function(word, tag string, s stress, c *surroundings) (string, bool) {
	capitals := word == strings.ToUpper(word)
	switch strings.ToLower(word) {
	case "am":
		return l.am(word, tag, s, c)
	case "an":
		if capitals && strings.HasPrefix(tag, "NN") {
			return l.spell(word)
		}
		return "ɐn", true
	case "i":
		return secondary + "I", capitals && tag == "PRP"
	case "by":
		return "bˈI", class(tag) == "ADV"
	case "to":
		return l.to(c), !capitals || tag == "TO" || tag == "IN"
	case "in":
		if c.next == pause || tag != "IN" {
			return primary + "ɪn", !capitals || tag != "NNP"
		}
		return "ɪn", true
	case "the":
		if c.next == withVowel {
			return "ði", !capitals || tag == "DT"
		}
		return "ðə", !capitals || tag == "DT"
	case "used":
		return l.used(tag, c), true
	default:
		return "", false
	}
}

func (l *lexicon) am(word, tag string, s stress, c *surroundings) (string, bool) {
	switch {
	case strings.HasPrefix(tag, "NN"):
		return l.spell(word)
	case c.next == pause || word != "am" || s != asItIs && s > 0:
		return l.gold.get("am")
	default:
		return "ɐm", true
	}
}

func (l *lexicon) used(tag string, c *surroundings) string {
	readings, _ := l.gold.get("used")
	if c.to && (tag == "VBD" || tag == "JJ") {
		return tagged(readings, "VBD")
	}
	return tagged(readings, "DEFAULT")
}

func (l *lexicon) to(c *surroundings) string {
	switch c.next {
	case withConsonant:
		return "tə"
	case withVowel:
		return "tʊ"
	default:
		phonemes, _ := l.gold.get("to")
		return phonemes
	}
}

// class is the part of speech that a tag belongs to.
func class(tag string) string {
	switch {
	case strings.HasPrefix(tag, "VB"):
		return "VERB"
	case strings.HasPrefix(tag, "NN"):
		return "NOUN"
	case strings.HasPrefix(tag, "RB"):
		return "ADV"
	case strings.HasPrefix(tag, "JJ"):
		return "ADJ"
	default:
		return tag
	}
}

// tagged returns one of several readings by tag, or the usual one. It is empty where a part of speech is to be spelled.
func tagged(readings, tag string) string {
	var usual string
	for reading := range strings.FieldsSeq(readings) {
		switch t, phonemes, _ := strings.Cut(reading, "="); t {
		case tag:
			return phonemes
		case "DEFAULT":
			usual = phonemes
		}
	}
	return usual
}

// known says whether [lexicon.lookup] finds a word.
func (l *lexicon) known(word string) bool {
	if _, symbol := symbolNames[word]; symbol || l.gold.has(word) || l.silver.has(word) {
		return true
	}
	if !each(word, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }) {
		return false
	}
	upper := strings.ToUpper(word)
	return len(word) == 1 || word == upper && l.gold.has(strings.ToLower(word)) || word[1:] == upper[1:]
}

// lookup returns what the dictionaries say of a word.
func (l *lexicon) lookup(word, tag string, s stress, c *surroundings) (string, bool) {
	name := false
	if word == strings.ToUpper(word) && !l.gold.has(word) {
		word = strings.ToLower(word)
		name = tag == "NNP"
	}
	phonemes, ok := l.gold.get(word)
	if !ok && !name {
		phonemes, ok = l.silver.get(word)
	}
	if strings.Contains(phonemes, "=") {
		switch {
		case c != nil && c.next == pause && strings.Contains(phonemes, "None="):
			tag = "None"
		case !slices.ContainsFunc(strings.Fields(phonemes), func(r string) bool {
			return strings.HasPrefix(r, tag+"=")
		}):
			tag = class(tag)
		}
		phonemes = tagged(phonemes, tag)
		ok = phonemes != ""
	}
	if !ok || name && !strings.Contains(phonemes, primary) {
		if phonemes, ok = l.spell(word); ok {
			return phonemes, true
		}
		return "", false
	}
	return s.apply(phonemes), true
}

// An inflection is an ending that words may have: stem returns the words that a word may be a form
// of, the likeliest first, and join the phonemes with those of the ending.
type inflection struct {
	stress stress // of the stem, where none is asked for
	stem   func(l *lexicon, word string) string
	join   func(phonemes string) string
}

var inflections = [...]inflection{
	{asItIs, (*lexicon).stemS, joinS}, {asItIs, (*lexicon).stemED, joinED}, {0.5, (*lexicon).stemING, joinING},
}

// inflected reads a form of a word that is known.
func (l *lexicon) inflected(i inflection, word, tag string, s stress, c *surroundings) (string, bool) {
	stem := i.stem(l, word)
	if stem == "" {
		return "", false
	}
	if s == asItIs {
		s = i.stress
	}
	phonemes, ok := l.lookup(stem, tag, s, c)
	if !ok || phonemes == "" {
		return "", false
	}
	return i.join(phonemes), true
}

func (l *lexicon) stemS(word string) string {
	n := len(word)
	switch {
	case n < 3 || !strings.HasSuffix(word, "s"):
	case !strings.HasSuffix(word, "ss") && l.known(word[:n-1]):
		return word[:n-1]
	case (strings.HasSuffix(word, "'s") || n > 4 && strings.HasSuffix(word, "es") && !strings.HasSuffix(word, "ies")) &&
		l.known(word[:n-2]):
		return word[:n-2]
	case n > 4 && strings.HasSuffix(word, "ies") && l.known(word[:n-3]+"y"):
		return word[:n-3] + "y"
	}
	return ""
}

func (l *lexicon) stemED(word string) string {
	n := len(word)
	switch {
	case n < 4 || !strings.HasSuffix(word, "d"):
	case !strings.HasSuffix(word, "dd") && l.known(word[:n-1]):
		return word[:n-1]
	case n > 4 && strings.HasSuffix(word, "ed") && !strings.HasSuffix(word, "eed") && l.known(word[:n-2]):
		return word[:n-2]
	}
	return ""
}

func (l *lexicon) stemING(word string) string {
	n := len(word)
	switch {
	case n < 5 || !strings.HasSuffix(word, "ing"):
	case n > 5 && l.known(word[:n-3]):
		return word[:n-3]
	case l.known(word[:n-3] + "e"):
		return word[:n-3] + "e"
	case n > 5 && doubled(word[:n-3]) && l.known(word[:n-4]):
		return word[:n-4]
	}
	return ""
}

// doubled says whether a word ends in a consonant that is written twice.
func doubled(word string) bool {
	last := word[len(word)-1]
	return strings.HasSuffix(word, "ck") ||
		word[len(word)-2] == last && strings.IndexByte("bcdgklmnprstvxz", last) >= 0
}

func joinS(phonemes string) string {
	switch last, _ := utf8.DecodeLastRuneInString(phonemes); {
	case strings.ContainsRune("ptkfθ", last):
		return phonemes + "s"
	case strings.ContainsRune("szʃʒʧʤ", last):
		return phonemes + "ᵻz"
	default:
		return phonemes + "z"
	}
}

func joinED(phonemes string) string {
	switch last, size := utf8.DecodeLastRuneInString(phonemes); {
	case strings.ContainsRune("pkfθʃsʧ", last):
		return phonemes + "t"
	case last == 'd':
		return phonemes + "ᵻd"
	case last != 't':
		return phonemes + "d"
	case size == len(phonemes):
		return phonemes + "ɪd"
	case tap(phonemes):
		return strings.TrimSuffix(phonemes, "t") + "ɾᵻd"
	default:
		return phonemes + "ᵻd"
	}
}

func joinING(phonemes string) string {
	if tap(phonemes) {
		return strings.TrimSuffix(phonemes, "t") + "ɾɪŋ"
	}
	return phonemes + "ɪŋ"
}

// tap says whether phonemes end in a t that becomes a tap before a vowel.
func tap(phonemes string) bool {
	before, ok := strings.CutSuffix(phonemes, "t")
	last, _ := utf8.DecodeLastRuneInString(before)
	return ok && before != "" && strings.ContainsRune(tapped, last)
}

// word reads a word that is no number.
func (l *lexicon) word(word, tag string, s stress, c *surroundings) (string, bool) {
	if phonemes, ok := l.special(word, tag, s, c); ok {
		return phonemes, true
	}
	if l.shouted(word, tag, s, c) {
		word = strings.ToLower(word)
	}
	if l.known(word) {
		return l.lookup(word, tag, s, c)
	}
	if stem, ok := strings.CutSuffix(word, "s'"); ok && l.known(stem+"'s") {
		return l.lookup(stem+"'s", tag, s, c)
	}
	if stem, ok := strings.CutSuffix(word, "'"); ok && l.known(stem) {
		return l.lookup(stem, tag, s, c)
	}
	for _, i := range inflections {
		if phonemes, ok := l.inflected(i, word, tag, s, c); ok {
			return phonemes, true
		}
	}
	return "", false
}

// shouted says whether a word is known without its capital letters only.
func (l *lexicon) shouted(word, tag string, s stress, c *surroundings) bool {
	lower := strings.ToLower(word)
	_, size := utf8.DecodeRuneInString(word)
	switch {
	case utf8.RuneCountInString(word) < 2 || word == lower:
		return false
	case !each(strings.ReplaceAll(word, "'", ""), unicode.IsLetter):
		return false
	case tag == "NNP" && utf8.RuneCountInString(word) <= 7 || l.gold.has(word) || l.silver.has(word):
		return false
	case word != strings.ToUpper(word) && word[size:] != strings.ToLower(word[size:]):
		return false
	case l.gold.has(lower) || l.silver.has(lower):
		return true
	}
	for _, i := range inflections {
		if _, ok := l.inflected(i, lower, tag, s, c); ok {
			return true
		}
	}
	return false
}
