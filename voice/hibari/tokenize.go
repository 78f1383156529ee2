package hibari

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	quotes      = "'\"”“`‘´’‚,„»«「」『』（）〔〕【】《》〈〉"
	punctuation = "…,:;!?¿¡()[]{}<>_#*&。？！，、；：～·"
	icons       = "™®©°§¶†‡•"
)

// signs and units are what may stand right behind a number.
var (
	signs = strings.Fields("$ £ € ¥ ฿ US$ C$ A$ ₽ ₹ ₩ ₪ ₺ ₴ ₦ ₫ ₱ ₲ ₵ ₸ ₼ ₾ ₿")
	units = strings.Fields("km km² km³ m m² m³ dm dm² dm³ cm cm² cm³ mm mm² mm³ ha µm nm yd in ft kg g mg µg t lb oz " +
		"m/s km/h kmh mph hPa Pa mbar mb MB kb KB gb GB tb TB T G M K %")
)

// A tokenizer splits text into words and marks: first what surrounds a word, then what joins two.
type tokenizer struct{ special *table } // contractions and the like, with their parts

// A token is a word or a mark, and what is known of it.
type token struct {
	text, tag string
	space     bool // behind it
	head      bool // it begins a word
	alias     string
	currency  string
	apart     bool // it is spoken apart from what is before it
	phonemes  string
	read      bool // there are phonemes, or it is known to be silent
}

// tokens splits a text.
func (t *tokenizer) tokens(text string) (list []token) {
	words := strings.Fields(text)
	for i, word := range words {
		for _, part := range t.split(word) {
			list = append(list, token{text: part, head: true})
		}
		if len(list) > 0 {
			list[len(list)-1].space = i < len(words)-1
		}
	}
	return list
}

func (t *tokenizer) parts(text string) ([]string, bool) {
	parts, ok := t.special.get(text)
	return strings.Fields(parts), ok
}

func (t *tokenizer) isSpecial(text string) bool {
	_, ok := t.special.get(text)
	return ok
}

// split splits a word that has no spaces.
func (t *tokenizer) split(word string) []string {
	if parts, ok := t.parts(word); ok {
		return parts
	}
	word, before, after := t.peel(word)
	parts, ok := t.parts(word)
	switch {
	case word == "":
	case ok:
		before = append(before, parts...)
	case isAddress(word):
		before = append(before, word)
	default:
		before = append(before, joined(word)...)
	}
	slices.Reverse(after)
	return t.rejoin(append(before, after...))
}

// peel takes what surrounds a word from it.
func (t *tokenizer) peel(word string) (rest string, before, after []string) {
	for last := -1; word != "" && len(word) != last && !t.isSpecial(word); {
		last = len(word)
		prefix := prefixLength(word)
		if prefix > 0 && t.isSpecial(word[prefix:]) {
			return word[prefix:], append(before, word[:prefix]), after
		}
		suffix := suffixLength(word[prefix:])
		end := len(word) - suffix
		if suffix > 0 && t.isSpecial(word[:end]) {
			return word[:end], before, append(after, word[end:])
		}
		if prefix > 0 {
			before = append(before, word[:prefix])
		}
		if suffix > 0 {
			after = append(after, word[end:])
		}
		word = word[prefix:end]
	}
	return word, before, after
}

// prefixLength is how many bytes at the beginning are no part of the word.
func prefixLength(word string) int {
	first, size := utf8.DecodeRuneInString(word)
	rest := word[size:]
	switch {
	case first == '.':
		if dots := len(word) - len(strings.TrimLeft(word, ".")); dots > 1 {
			return dots
		}
		return 0
	case first == '+':
		if rest != "" && isDigit(rune(rest[0])) {
			return 0
		}
		return size
	case strings.ContainsRune("%=—–"+punctuation+quotes+icons, first):
		return size
	}
	for _, sign := range signs {
		if strings.HasPrefix(word, sign) {
			return len(sign)
		}
	}
	return 0
}

// suffixLength is how many bytes at the end are no part of the word.
func suffixLength(word string) int {
	longest := 0
	if last, size := utf8.DecodeLastRuneInString(word); strings.ContainsRune(punctuation+quotes+icons+"—–", last) {
		longest = size
	}
	dots := len(word) - len(strings.TrimRight(word, "."))
	if dots > 1 || dots == 1 && endsSentence(word[:len(word)-1]) {
		longest = max(longest, dots)
	}
	for _, ending := range []string{"'s", "'S", "’s", "’S", "……"} {
		if strings.HasSuffix(word, ending) {
			longest = max(longest, len(ending))
		}
	}
	for _, ending := range slices.Concat(signs, units, []string{"+"}) {
		if stem, ok := strings.CutSuffix(word, ending); ok && stem != "" && isDigit(rune(stem[len(stem)-1])) {
			longest = max(longest, len(ending))
		}
	}
	return longest
}

// endsSentence says whether a point behind a word is no part of it.
func endsSentence(word string) bool {
	last, size := utf8.DecodeLastRuneInString(word)
	before, _ := utf8.DecodeLastRuneInString(word[:len(word)-size])
	return isDigit(last) || isLower(last) || strings.ContainsRune("%²-+"+punctuation+quotes, last) && word != "" ||
		isUpper(last) && isUpper(before) || strings.HasSuffix(word[:len(word)-size], "°") &&
		strings.ContainsRune("FfCcKk", last)
}

// isLower and isUpper are for the letters of Western Europe.
func isLower(r rune) bool { return 'a' <= r && r <= 'z' || 'ß' <= r && r <= 'ÿ' && r != '÷' }

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' || 'À' <= r && r <= 'Þ' && r != '×' }

// isLetter is for everything that words are made of but digits.
func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) && !unicode.IsDigit(r) }

// isWord is for letters, digits and the low line.
func isWord(r rune) bool { return isLetter(r) || unicode.IsDigit(r) || r == '_' }

// joined splits a word at what joins two: hyphens, slashes, points.
func joined(word string) (parts []string) {
	start := 0
	for at := 0; at < len(word); {
		n := joint(word, at)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(word[at:])
			at += size
			continue
		}
		if at > 0 {
			if at > start {
				parts = append(parts, word[start:at])
			}
			parts = append(parts, word[at:at+n])
			start = at + n
		}
		at += n
	}
	if start < len(word) {
		parts = append(parts, word[start:])
	}
	return parts
}

// joint is how many bytes at a place join what is before and after it.
func joint(word string, at int) int {
	r, size := utf8.DecodeRuneInString(word[at:])
	before, _ := utf8.DecodeLastRuneInString(word[:at])
	rest := word[at:]
	if at == 0 {
		before = ' '
	}
	after, _ := utf8.DecodeRuneInString(rest[size:])
	wordBefore := isLetter(before) || unicode.IsDigit(before)
	if strings.HasPrefix(rest, "..") {
		return len(rest) - len(strings.TrimLeft(rest, "."))
	}
	if wordBefore && strings.ContainsRune("-–—~", r) && !calculated(before, r, after) {
		return dashes(rest)
	}
	joins := false
	switch {
	case r == '…' || strings.ContainsRune(icons, r) || calculated(before, r, after):
		joins = true
	case r == '.':
		ends := isLower(before) || strings.ContainsRune(quotes, before)
		joins = ends && (isUpper(after) || strings.ContainsRune(quotes, after))
	case r == ',':
		joins = isLetter(before) && isLetter(after)
	case strings.ContainsRune(":<>=/", r):
		joins = wordBefore && isLetter(after)
	}
	if joins {
		return size
	}
	return 0
}

// calculated says whether a sign is one between numbers.
func calculated(before, sign, after rune) bool {
	return strings.ContainsRune("+-*^", sign) && isDigit(before) && (isDigit(after) || after == '-')
}

// dashes is how many bytes of a dash there are before a letter.
func dashes(rest string) int {
	for _, dash := range []string{"-", "–", "—", "--", "---", "——", "~"} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			if r, _ := utf8.DecodeRuneInString(after); isLetter(r) {
				return len(dash)
			}
		}
	}
	return 0
}

// rejoin puts parts together that are a special word, such as "Sept" and ".".
func (t *tokenizer) rejoin(parts []string) (out []string) {
	if len(parts) == 1 {
		return parts
	}
	for i := 0; i < len(parts); {
		special, count := parts[i:i+1], 1
		for _, n := range []int{3, 2} {
			if i+n > len(parts) {
				continue
			}
			if whole, ok := t.parts(strings.Join(parts[i:i+n], "")); ok {
				special, count = whole, n
				break
			}
		}
		out = append(out, special...)
		i += count
	}
	return out
}

// domains are ends of the names of computers.
var domains = strings.Fields("com org net edu gov io co uk de fr info biz us ca au tv me ly ai jp app dev example")

// isAddress says whether a word is the address of a page or of somebody's mail.
func isAddress(word string) bool {
	lower := strings.ToLower(word)
	for _, scheme := range []string{"http://", "https://", "ftp://", "www."} {
		if rest, ok := strings.CutPrefix(lower, scheme); ok && rest != "" {
			return true
		}
	}
	name, host, mail := strings.Cut(lower, "@")
	if !mail {
		host, _, _ = strings.Cut(lower, "/")
	}
	label := func(r rune) bool { return isWord(r) || r == '-' }
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if !each(l, label) {
			return false
		}
	}
	if mail {
		return len(labels) > 1 && each(name, func(r rune) bool { return label(r) || r == '.' || r == '+' })
	}
	return len(labels) > 1 && slices.Contains(domains, labels[len(labels)-1])
}
