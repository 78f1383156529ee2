package hibari

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	unicodeform "golang.org/x/text/unicode/norm"
)

const (
	// junk is what is silent between parts of a word.
	junk = "',-._‘’/"
	// marks are those that are heard, clauses those that are no quotation marks.
	marks   = clauses + "\"“”"
	clauses = ";:,.!?—…"
)

var (
	// markTags are the tags of marks, with what is spoken for them where that isn't the mark itself.
	markTags = map[string]string{
		".": "", ",": "", "-LRB-": "(", "-RRB-": ")", "``": "“", `""`: "”", "''": "”",
		":": "", "$": "", "#": "", "NFP": "",
	}
	// symbols are read where they stand in an unknown word.
	symbols = map[rune]string{
		'/': "slˈæʃ", '=': "ˈikwᵊlz", '+': "plˈʌs", '&': "ænd", '@': "æt", '%': "pəɹsˈɛnt", '#': "hˈæʃ",
		'*': "ˈæstəɹˌɪsk",
		'~': "tˈɪldə", '^': "kˈɛɹət", '<': "lˈɛs ðən", '>': "ɡɹˈATəɹ ðən", '—': "—",
	}
)

// A reader says how English is pronounced, in the phonemes of the network.
type reader struct {
	normalizer *normalizer
	tokenizer  tokenizer
	tagger     *tagger
	lexicon    lexicon
	speller    *speller
	// japanese reads Japanese words in Latin letters.
	japanese func(word string) (string, bool)
}

func newReader(s *speller) (*reader, error) {
	r := &reader{speller: s, japanese: romaji}
	var err error
	for name, table := range map[string]**table{
		"gold.tsv.gz": &r.lexicon.gold.table, "silver.tsv.gz": &r.lexicon.silver.table,
		"tokens.tsv.gz": &r.tokenizer.special,
	} {
		if *table, err = readTable(name); err != nil {
			return nil, err
		}
	}
	if r.tagger, err = newTagger(); err != nil {
		return nil, err
	}
	r.normalizer, err = newNormalizer()
	return r, err
}

// read returns the phonemes of a sentence.
func (r *reader) read(sentence string) string {
	tokens := r.tokenizer.tokens(r.normalizer.normalize(sentence))
	texts := make([]string, len(tokens))
	for i, t := range tokens {
		texts[i] = t.text
	}
	for i, tag := range r.tagger.tag(texts) {
		tokens[i].tag = tag
	}
	words := words(tokens)
	next := surroundings{}
	for _, word := range slices.Backward(words) {
		next = r.word(word, next)
	}
	var phonemes strings.Builder
	for _, word := range words {
		t := merged(word)
		phonemes.WriteString(strings.NewReplacer("ɾ", "T", "ʔ", "t").Replace(t.phonemes))
		if t.space {
			phonemes.WriteByte(' ')
		}
	}
	return strings.TrimSpace(phonemes.String())
}

// words splits tokens into parts and puts those together between which there is no space. What is
// read by itself is a word of its own.
func words(tokens []token) (words [][]*token) {
	open := false
	for _, part := range partsOf(tokens) {
		last := len(words) - 1
		alone := part.read || part.alias != ""
		if open && !alone && !words[last][len(words[last])-1].space {
			part.head = false
			words[last] = append(words[last], part)
			continue
		}
		words = append(words, []*token{part})
		open = !alone && !part.space
	}
	return words
}

// partsOf splits tokens, reads their marks, and gives amounts their currency.
func partsOf(tokens []token) (all []*token) {
	currency := ""
	for i, t := range tokens {
		parts := subtokens(t.text)
		for j, text := range parts {
			part := &token{text: text, tag: t.tag, head: true, space: t.space && j == len(parts)-1}
			all = append(all, part)
			amountEnds := j+1 == len(parts) && (i+1 == len(tokens) || tokens[i+1].tag != "CD")
			switch _, money := currencies[text]; {
			case part.tag == "$" && money:
				currency, part.read = text, true
			case readAsMark(part):
			case currency != "" && part.tag != "CD":
				currency = ""
			case currency != "" && amountEnds:
				part.currency = currency
			case currency == "" && text == "2" && 0 < j && j < len(parts)-1 && lettered(parts[j-1], parts[j+1]):
				part.alias = "to"
			}
		}
	}
	return all
}

// readAsMark reads a mark.
func readAsMark(t *token) bool {
	spoken, mark := markTags[t.tag]
	switch {
	case t.tag == ":" && (t.text == "-" || t.text == "–"):
		t.phonemes = "—"
	case !mark || each(strings.ToLower(t.text), func(r rune) bool { return 'a' <= r && r <= 'z' }):
		return false
	case spoken != "":
		t.phonemes = spoken
	default:
		t.phonemes = strings.Map(keep(marks), t.text)
	}
	t.read = true
	return true
}

// keep drops other runes.
func keep(kept string) func(rune) rune {
	return func(r rune) rune {
		if strings.ContainsRune(kept, r) {
			return r
		}
		return -1
	}
}

// lettered says whether one part ends and another begins with a letter.
func lettered(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(last) && unicode.IsLetter(first)
}

// word reads a word. It returns what the word before has behind it.
func (r *reader) word(word []*token, next surroundings) surroundings {
	if len(word) == 1 {
		t := word[0]
		if !t.read {
			t.phonemes, t.read = r.lookup(t, &next)
		}
		if !t.read {
			t.phonemes, t.read = r.unknown(t.text), true
		}
		return next.before(t)
	}
	next, known := r.longest(word, next)
	if known {
		resolve(word)
		return next
	}
	word[0].phonemes, word[0].read = r.unknown(merged(word).text), true
	for _, t := range word[1:] {
		t.phonemes, t.read = "", true
	}
	return next
}

// longest reads the parts of a word from its end, as many at once as the lexicon knows. It says
// whether all are known.
func (r *reader) longest(word []*token, next surroundings) (surroundings, bool) {
	for left, right := 0, len(word); left < right; {
		together := merged(word[left:right])
		phonemes, ok := "", false
		if !slices.ContainsFunc(word[left:right], func(t *token) bool { return t.alias != "" || t.read }) {
			phonemes, ok = r.lookup(together, &next)
		}
		switch {
		case ok:
			for _, t := range word[left:right] {
				t.phonemes, t.read = "", true
			}
			word[left].phonemes, together.phonemes = phonemes, phonemes
			next = next.before(together)
			left, right = 0, left
		case left+1 < right:
			left++
		default:
			right--
			if t := word[right]; !t.read {
				if strings.Trim(t.text, junk) != "" {
					return next, false
				}
				t.phonemes, t.read = "", true
			}
			left = 0
		}
	}
	return next, true
}

// lookup reads what the lexicon knows, and numbers.
func (r *reader) lookup(t *token, next *surroundings) (string, bool) {
	word := t.text
	if t.alias != "" {
		word = t.alias
	}
	word = unicodeform.NFKC.String(strings.NewReplacer("‘", "'", "’", "'").Replace(word))
	s := asItIs
	switch word {
	case strings.ToLower(word):
	case strings.ToUpper(word):
		s = 2
	default:
		s = 0.5
	}
	if phonemes, ok := r.lexicon.word(word, t.tag, s, next); ok {
		if unit, money := currencies[t.currency]; money {
			plural, _ := r.lexicon.inflected(inflections[0], unit[0]+"s", "", asItIs, nil)
			phonemes += " " + plural
		}
		return phonemes, true
	}
	if isNumber(word, t.head) {
		return r.lexicon.number(word, t.currency, t.head)
	}
	return "", false
}

// before returns what the word before t has behind it.
func (s surroundings) before(t *token) surroundings {
	next := s.next
	for _, r := range t.phonemes {
		switch {
		case strings.ContainsRune(clauses, r):
			next = pause
		case strings.ContainsRune(vowels, r):
			next = withVowel
		case strings.ContainsRune(consonants, r):
			next = withConsonant
		default:
			continue
		}
		break
	}
	to := t.text == "to" || t.text == "To" || t.text == "TO" && (t.tag == "TO" || t.tag == "IN")
	return surroundings{next, to}
}

// unknown reads a word that is in no lexicon: letters by the network, digits and signs by themselves.
func (r *reader) unknown(text string) string {
	var all []string
	runes := []rune(text)
	for at := 0; at < len(runes); {
		rest := runes[at:]
		phonemes, n := "", 1
		switch first := rest[0]; {
		case unicode.IsSpace(first) || first == '_':
		case unicode.IsDigit(first):
			n = digitsLength(rest, false)
			phonemes, _ = r.lexicon.number(unicodeform.NFKC.String(string(rest[:n])), "", false)
		case isLetter(first):
			n = contractedRuns(rest)
			word, ok := string(rest[:n]), false
			if phonemes, ok = r.japanese(word); !ok {
				phonemes = r.speller.read(word)
			}
		default:
			phonemes = symbols[first]
			for n < len(rest) && !isWord(rest[n]) && !unicode.IsSpace(rest[n]) {
				phonemes += symbols[rest[n]]
				n++
			}
		}
		if phonemes != "" {
			all = append(all, phonemes)
		}
		at += n
	}
	return strings.Join(all, " ")
}

// contractedRuns is how long letters are, with apostrophes between them.
func contractedRuns(runes []rune) int {
	end := length(runes, isLetter)
	for end+1 < len(runes) && (runes[end] == '\'' || runes[end] == '’') && isLetter(runes[end+1]) {
		end += 1 + length(runes[end+1:], isLetter)
	}
	return end
}

// merged is a token of several.
func merged(tokens []*token) *token {
	last := tokens[len(tokens)-1]
	whole := &token{space: last.space, head: tokens[0].head, apart: tokens[0].apart}
	most := -1
	for i, t := range tokens {
		whole.text += t.text
		if t.space && i < len(tokens)-1 {
			whole.text += " "
		}
		whole.currency = max(whole.currency, t.currency)
		capitals := 0
		for _, r := range t.text {
			capitals++
			if unicode.ToLower(r) != r {
				capitals++
			}
		}
		if capitals > most {
			most, whole.tag = capitals, t.tag
		}
		if t.apart && whole.phonemes != "" && !strings.HasSuffix(whole.phonemes, " ") && t.phonemes != "" {
			whole.phonemes += " "
		}
		whole.phonemes += t.phonemes
	}
	return whole
}

// resolve takes stress away from parts of a word that is spoken in one, and spaces others.
func resolve(word []*token) {
	whole := merged(word).text
	apart := strings.ContainsAny(whole, " /") || kinds(whole) > 1
	for i, t := range word {
		switch {
		case t.read:
			t.apart = t.apart || i > 0 && apart
		case i == len(word)-1 && strings.Contains(clauses, t.text):
			t.phonemes, t.read = t.text, true
		case strings.Trim(t.text, junk) == "":
			t.read = true
		}
	}
	if apart {
		return
	}
	type part struct {
		strong, weight int
		token          *token
	}
	var parts []part
	strong := 0
	for _, t := range word {
		if t.phonemes == "" {
			continue
		}
		p := part{strings.Count(t.phonemes, primary), weight(t.phonemes), t}
		p.strong = min(p.strong, 1)
		strong += p.strong
		parts = append(parts, p)
	}
	if len(parts) == 2 && utf8.RuneCountInString(parts[0].token.text) == 1 {
		parts[1].token.phonemes = stress(-0.5).apply(parts[1].token.phonemes)
		return
	}
	if len(parts) < 2 || strong <= (len(parts)+1)/2 {
		return
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		if a.strong != b.strong {
			return a.strong - b.strong
		}
		return a.weight - b.weight
	})
	for _, p := range parts[:len(parts)/2] {
		p.token.phonemes = stress(-0.5).apply(p.token.phonemes)
	}
}

// kinds is how many of letters, digits and others a text has.
func kinds(text string) int {
	var seen [3]int
	for _, r := range text {
		switch {
		case strings.ContainsRune(junk, r):
		case unicode.IsLetter(r):
			seen[0] = 1
		case isDigit(r):
			seen[1] = 1
		default:
			seen[2] = 1
		}
	}
	return seen[0] + seen[1] + seen[2]
}
