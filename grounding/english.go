package grounding

import (
	"slices"
	"strings"
	"time"
)

var englishWeekdays = map[string]time.Weekday{
	"monday": 1, "mon": 1, "tuesday": 2, "tue": 2, "tues": 2, "wednesday": 3, "wed": 3, "thursday": 4, "thu": 4, "thur": 4, "thurs": 4,
	"friday": 5, "fri": 5, "saturday": 6, "sat": 6, "sunday": 0, "sun": 0,
}

// englishNots are words that deny; those with modal also say that something may not or need not be.
var englishNots = map[string]negation{
	"not": {before: true, after: true}, "never": {before: true, after: true}, "cannot": {before: true, after: true, modal: "can"}, "no": {after: true}, "without": {after: true}, "nor": {after: true},
	"neither": {after: true}, "unable": {after: true, modal: "can"}, "except": {after: true, far: true}, "apart": {after: true, far: true}, "hardly": {before: true, after: true}, "none": {before: true, after: true},
	"can't": {before: true, after: true, modal: "can"}, "mustn't": {before: true, after: true, modal: "can"}, "couldn't": {before: true, after: true, modal: "can"},
	"needn't": {before: true, after: true, modal: "need"}, "isn't": {before: true, after: true},
	"forbidden": {before: true, modal: "can"}, "prohibited": {before: true, modal: "can"}, "banned": {before: true, modal: "can"}, "impossible": {before: true, modal: "can"},
	"refrain": {after: true, modal: "can"}, "avoid": {after: true, modal: "can"},
}

// englishVerbs make a piece of a sentence a clause.
var englishVerbs = set(`is are was were be been am do does did has have had will would shall should can could may might must don't doesn't didn't isn't aren't
wasn't can't cannot won't it's there's that's you're we're they're you'll we'll it'll needn't
need needs cost costs take takes run runs start starts begin begins end ends finish finishes close closes open opens meet meets use make makes get give go goes date dates
come comes work works seat seats serve serves support supports happen happens last lasts bring find ask call visit check enjoy join sign book reserve pay
register read write build builds learn hear see stay stays walk exit show shows save saves kick kicks wrap wraps offer offers please let host hosts include includes
cut cuts tell rent renting lead leads`)

// narrowing are words at which what "no" and "without" deny ends.
var narrowing = set("into onto for in at on from when if as during here so")

// conjunctions begin a clause.
var conjunctions = set("but although though while because whereas unless so which where if")

// lasting are forms of verbs that have the stem of another word: of "the last Monday", of a permit.
var lasting = set("lasts lasting lasted permitted permits")

// listers begin a phrase.
var listers = set("and or plus then nor")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// A token is an English word as it stands.
type token struct {
	text       string
	start, end int
}

// english reads the phrase or word that begins at i and says where to go on.
func (s *scanner) english(i int) int {
	if e, n := s.japaneseForm(string(s.text[i:])); e != nil && strings.ContainsFunc(string(s.text[i:i+n]), func(r rune) bool { return r > 0x2E80 }) {
		s.emit(e, string(s.text[i:i+n]), i, i+n) // MAKER'sスペース
		return i + n
	}
	tokens := s.tokens(i)
	first := tokens[0]
	if d, ok := englishWeekdays[strings.TrimSuffix(strings.TrimSuffix(first.text, "'s"), "s")]; ok && first.text != "s" {
		s.out = append(s.out, feature{kind: weekday, a: int(d), start: first.start, end: first.end})
		return first.end
	}
	if first.text == "weekends" || first.text == "weekend" {
		s.out = append(s.out, feature{kind: weekday, a: weekend, start: first.start, end: first.end})
		return first.end
	}
	if lasting[first.text] {
		s.verbs = append(s.verbs, first.start)
		return first.end
	}
	if n := s.englishForm(tokens); n > 0 {
		for _, t := range tokens[:n] {
			s.note(t)
		}
		return tokens[n-1].end
	}
	if s.separated(tokens) || s.deniesEnglish(tokens) {
		return first.end
	}
	if len(tokens) > 2 && first.text == "as" && tokens[1].text == "long" && tokens[2].text == "as" {
		s.cuts = append(s.cuts, cut{at: i, hard: true})
	}
	s.note(first)
	if base, _, short := strings.Cut(first.text, "'"); short && s.words.harmless[base] {
		return first.end // you'd, who's
	}
	if !s.words.harmless[first.text] && !s.words.harmless[stem(first.text)] && !englishVerbs[first.text] {
		s.out = append(s.out, feature{kind: word, text: stem(first.text), start: first.start, end: first.end})
	}
	return first.end
}

// separable are verbs whose particle may stand behind what they act on: "turn your phone off".
var separable = set("turn turns switch switches put puts take takes pick picks drop drops fill fills give gives bring brings throw throws clean cleans")

// separated reads such a verb with its particle, if a list has them, and says whether it did.
func (s *scanner) separated(tokens []token) bool {
	if !separable[tokens[0].text] {
		return false
	}
	for _, t := range tokens[min(len(tokens), 2):min(len(tokens), 5)] {
		if !particles[t.text] || t.end < len(s.whole) && s.whole[t.end] == ' ' && t.text != "off" && t.text != "out" && t.text != "back" {
			continue
		}
		form := stem(tokens[0].text) + " " + t.text
		if e := s.words.english[form]; e != nil {
			s.emit(e, form, tokens[0].start, tokens[0].end)
			s.note(tokens[0])
			return true
		}
	}
	return false
}

// note remembers what a word does to the shape of the sentence.
func (s *scanner) note(t token) {
	switch {
	case englishVerbs[t.text]:
		s.verbs = append(s.verbs, t.start)
	case conjunctions[t.text]:
		s.cuts = append(s.cuts, cut{at: t.start, hard: true})
		if t.text == "because" || t.text == "although" || t.text == "though" || t.text == "whereas" {
			s.verbs = append(s.verbs, t.start) // there is one, whichever
		}
	case narrowing[t.text] || t.text == "to" && s.leads(t.start):
		s.stops = append(s.stops, t.start)
	case listers[t.text]:
		s.cuts = append(s.cuts, cut{at: t.start, hard: s.goesOn(t.end)})
	}
}

// leading are words after which "to" stands before a place or a thing.
var leading = []string{"admitted", "taken", "brought", "admission", "access", "entry", "go", "come", "next", "close", "connected"}

// leads reports whether a "to" at i stands before a place or a thing, and no verb.
func (s *scanner) leads(i int) bool {
	before := strings.TrimRight(s.whole[:i], " ")
	return slices.ContainsFunc(leading, func(w string) bool { return strings.HasSuffix(before, w) })
}

// coordinated are verbs that begin another clause of the same subject after "and".
var coordinated = set("is are was were has have had can will may must costs takes runs starts ends opens closes finishes lasts includes serves seats")

// goesOn reports whether a verb comes next: "and was designed by".
func (s *scanner) goesOn(i int) bool {
	if i >= len(s.text) || s.text[i] != ' ' {
		return false
	}
	return coordinated[string(s.text[i+1:latinEnd(s.text, i+1)])]
}

// distant are words that deny in several: "keep off the grass".
var distant = []struct {
	words []string
	negation
}{
	{[]string{"stay", "away", "from"}, negation{after: true, modal: "can"}},
	{[]string{"keep", "away", "from"}, negation{after: true, modal: "can"}},
	{[]string{"stay", "out", "of"}, negation{after: true, modal: "can"}},
	{[]string{"keep", "out", "of"}, negation{after: true, modal: "can"}},
	{[]string{"stay", "off"}, negation{after: true, modal: "can"}},
	{[]string{"keep", "off"}, negation{after: true, modal: "can"}},
	{[]string{"off", "limits"}, negation{before: true, modal: "can"}},
	{[]string{"out", "of", "bounds"}, negation{before: true, modal: "can"}},
}

// staysAway finds such words at the beginning of some, and says how many they are; 0 if there are none.
func (s *scanner) staysAway(tokens []token) (negation, int) {
	for _, d := range distant {
		if len(tokens) >= len(d.words) && slices.EqualFunc(tokens[:len(d.words)], d.words, func(t token, w string) bool { return t.text == w }) {
			return d.negation, len(d.words)
		}
	}
	return negation{}, 0
}

func (s *scanner) deniesEnglish(tokens []token) bool {
	t := tokens[0]
	if n, words := s.staysAway(tokens); words > 0 {
		n.at, n.end = t.start, tokens[words-1].end
		s.nots = append(s.nots, n)
		s.verbs = append(s.verbs, t.start)
		return true
	}
	n, ok := englishNots[t.text]
	if !ok && strings.HasSuffix(t.text, "n't") {
		n, ok = negation{before: true, after: true}, true
	}
	if !ok {
		return false
	}
	n.at, n.end = t.start, t.end
	if s.prohibits(tokens) {
		n.modal = "can"
	}
	s.nots = append(s.nots, n)
	if strings.HasSuffix(t.text, "t") {
		s.verbs = append(s.verbs, t.start)
	}
	return true
}

// prohibits reports whether a "not" is followed by what makes it a prohibition: "not allowed", "may not", "please do not".
func (s *scanner) prohibits(tokens []token) bool {
	for _, t := range tokens[1:min(len(tokens), 3)] {
		switch t.text {
		case "allowed", "permitted", "possible", "able":
			return true
		}
	}
	before := strings.TrimRight(s.whole[max(0, tokens[0].start-12):tokens[0].start], " ")
	return strings.HasSuffix(before, "may") || strings.HasSuffix(before, "can") || strings.HasSuffix(before, "must") || strings.HasSuffix(before, "should") || strings.HasSuffix(before, "please do") || strings.HasSuffix(before, "please")
}

// tokens are the words from i on, as many as a phrase of the lists may have.
func (s *scanner) tokens(i int) []token {
	var out []token
	for len(out) < max(s.words.longest, s.names.longest) {
		j := i
		for j < len(s.text) && wordByte(s.text, j) {
			j++
		}
		if j == i {
			break
		}
		out = append(out, token{strings.TrimRight(string(s.text[i:j]), "'"), i, j})
		if j >= len(s.text) || s.text[j] != ' ' && s.text[j] != '-' && s.text[j] != '&' {
			break
		}
		i = j + 1
		for i < len(s.text) && s.text[i] == '&' || i < len(s.text) && i > 0 && s.text[i] == ' ' && s.text[i-1] == '&' {
			i++
		}
	}
	if len(out) == 0 { // a letter of another script
		j := i + runeEnd(s.text[i:], 1)
		for j < len(s.text) {
			n := runeEnd(s.text[j:], 1)
			if scriptOf(firstRune(s.text[j:])) != latin {
				break
			}
			j += n
		}
		out = append(out, token{string(s.text[i:j]), i, j})
	}
	return out
}

func wordByte(text []byte, i int) bool {
	c := text[i]
	return isLatin(c) || c >= '0' && c <= '9' || c == '\'' && i > 0 && isLatin(text[i-1]) || c == '+' && i > 0 || c == '#' && i > 0 && isLatin(text[i-1])
}

// englishForm looks the longest phrase up that the tokens begin with, and says how many of them it has; 0 if none.
func (s *scanner) englishForm(tokens []token) int {
	var buf [96]byte
	keys := buf[:0]
	var ends [16]int
	for i, t := range tokens[:min(len(tokens), len(ends))] {
		if i > 0 {
			keys = append(keys, ' ')
		}
		keys = append(keys, stem(t.text)...)
		ends[i] = len(keys)
	}
	for n := min(len(tokens), len(ends)); n > 0; n-- {
		for _, l := range [...]*lexicon{s.names, s.words} {
			if l == nil {
				continue
			}
			if e := l.english[string(keys[:ends[n-1]])]; e != nil {
				s.emit(e, string(keys[:ends[n-1]]), tokens[0].start, tokens[n-1].end)
				return n
			}
		}
	}
	return 0
}
