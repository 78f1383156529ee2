package jtalk

import (
	"fmt"
	"strings"
)

// An utterance is a sentence as sounds: breath groups of accent phrases of words of morae of
// phonemes.
type utterance struct {
	phonemes []phoneme
	moras    []moraPlace
	words    []wordPlace
	phrases  []phrasePlace
	breaths  []breathPlace
	pausing  bool // a pause comes before the next phoneme
}

type phoneme struct {
	name string
	mora int // -1 is a pause
}

type (
	moraPlace struct {
		word   int
		paused bool // a pause comes behind
	}
	wordPlace struct {
		codes       [3]string
		first, last int // morae
		phrase      int
	}
	phrasePlace struct {
		accent      int
		asks        bool
		first, last int // words
		breath      int
	}
	breathPlace struct{ first, last int } // phrases
)

// silence is a short pause between breath groups.
const silence = "pau"

// utter makes sounds of the words.
func (s *sentence) utter() *utterance {
	u := &utterance{}
	for n := s.head; n != nil; n = n.next {
		switch n.pron {
		case pause:
			u.pausing = true
		case question:
			if len(u.phrases) > 0 {
				u.phrases[len(u.phrases)-1].asks = true
			}
			u.pausing = true
		default:
			u.push(n)
		}
	}
	return u
}

// push adds a word. Its sounds belong to the word before as long as they are long vowels.
func (u *utterance) push(n *node) {
	begun := false
	for rest := n.pron; rest != ""; {
		switch {
		case strings.HasPrefix(rest, longVowel):
			u.lengthen()
			rest = rest[len(longVowel):]
		case strings.HasPrefix(rest, devoiced):
			if begun {
				last := &u.phonemes[len(u.phonemes)-1]
				last.name = unvoicedVowel(last.name)
			}
			rest = rest[len(devoiced):]
		default:
			m, size := cutMora(rest)
			if size == 0 {
				rest = ""
				break
			}
			u.pushMora(m, n, &begun)
			rest = rest[size:]
		}
	}
	if begun {
		u.place(n)
	}
}

func (u *utterance) lengthen() {
	if len(u.phonemes) == 0 || u.pausing {
		return
	}
	u.phonemes = append(u.phonemes, phoneme{u.phonemes[len(u.phonemes)-1].name, len(u.moras)})
	word := u.moras[len(u.moras)-1].word
	u.moras = append(u.moras, moraPlace{word: word})
	u.words[word].last = len(u.moras) - 1
}

func unvoicedVowel(vowel string) string {
	if strings.Contains("aiueo", vowel) {
		return strings.ToUpper(vowel)
	}
	return vowel
}

func (u *utterance) pushMora(m mora, n *node, begun *bool) {
	if u.pausing && len(u.phonemes) > 0 {
		u.phonemes = append(u.phonemes, phoneme{silence, -1})
		u.moras[len(u.moras)-1].paused = true
	}
	u.pausing = false
	if !*begun {
		*begun = true
		u.words = append(u.words, wordPlace{codes: n.codes(), first: len(u.moras)})
	}
	u.moras = append(u.moras, moraPlace{word: len(u.words) - 1})
	u.words[len(u.words)-1].last = len(u.moras) - 1
	for _, name := range m.phonemes {
		u.phonemes = append(u.phonemes, phoneme{name, len(u.moras) - 1})
	}
}

// place puts the last word into the phrase under way, or into a new one.
func (u *utterance) place(n *node) {
	word := len(u.words) - 1
	if word == 0 || n.chain != joined {
		if word == 0 || u.moras[u.words[word].first-1].paused {
			u.breaths = append(u.breaths, breathPlace{first: len(u.phrases)})
		}
		u.phrases = append(u.phrases, phrasePlace{accent: n.acc, first: word, breath: len(u.breaths) - 1})
	}
	phrase := len(u.phrases) - 1
	u.words[word].phrase = phrase
	u.phrases[phrase].last = word
	u.breaths[len(u.breaths)-1].last = phrase
}

func (u *utterance) firstMora(phrase int) int { return u.words[u.phrases[phrase].first].first }
func (u *utterance) lastMora(phrase int) int  { return u.words[u.phrases[phrase].last].last }
func (u *utterance) morasOf(phrase int) int   { return u.lastMora(phrase) - u.firstMora(phrase) + 1 }

// accent returns the mora with the accent of a phrase; without one it is the last.
func (u *utterance) accent(phrase int) int {
	if a := u.phrases[phrase].accent; a != 0 {
		return a
	}
	return u.morasOf(phrase)
}

// The largest numbers in labels.
const (
	maxMora   = 49
	maxGroup2 = 99
	maxBreath = 19
	maxAll    = 199
)

func limit(n, most int) int { return max(1, min(n, most)) }

// labels returns a label for each phoneme and for the silence before and behind.
func (u *utterance) labels() []string {
	if len(u.phonemes) == 0 {
		return nil
	}
	names := []string{"xx", "xx", "sil"}
	for _, p := range u.phonemes {
		names = append(names, p.name)
	}
	names = append(names, "sil", "xx", "xx")
	labels := make([]string, len(u.phonemes)+2)
	tail := fmt.Sprintf("/K:%d+%d-%d", limit(len(u.breaths), maxBreath), limit(len(u.phrases), maxMora),
		limit(len(u.moras), maxAll))
	for i := range labels {
		var b strings.Builder
		fmt.Fprintf(&b, "%s^%s-%s+%s=%s", names[i], names[i+1], names[i+2], names[i+3], names[i+4])
		c := u.contextOf(i - 1)
		c.writeWords(&b)
		c.writePhrases(&b)
		c.writeBreaths(&b)
		b.WriteString(tail)
		labels[i] = b.String()
	}
	return labels
}

// none is the number of what is not there.
const none = -1

// A context is where a phoneme stands: the numbers of its mora, word, phrase and breath group, and
// of those before and behind.
type context struct {
	u                    *utterance
	mora                 int // none for a silence or a pause
	word, wordBefore     int
	wordBehind           int
	phrase, phraseBefore int
	phraseBehind         int
	breath, breathBefore int
	breathBehind         int
}

// contextOf returns the context of a phoneme; -1 and the number behind the last one are the
// silences.
func (u *utterance) contextOf(i int) context {
	c := context{u: u, mora: none, word: none, phrase: none, breath: none}
	var before, behind int // morae
	switch {
	case i < 0:
		before, behind = none, 0
	case i == len(u.phonemes):
		before, behind = len(u.moras)-1, none
	case u.phonemes[i].mora < 0:
		before, behind = u.phonemes[i-1].mora, u.phonemes[i+1].mora
	default:
		c.mora = u.phonemes[i].mora
		c.word = u.moras[c.mora].word
		c.phrase = u.words[c.word].phrase
		c.breath = u.phrases[c.phrase].breath
		c.wordBefore, c.wordBehind = c.word-1, within(c.word+1, len(u.words))
		c.phraseBefore, c.phraseBehind = c.phrase-1, within(c.phrase+1, len(u.phrases))
		c.breathBefore, c.breathBehind = c.breath-1, within(c.breath+1, len(u.breaths))
		return c
	}
	c.wordBefore, c.phraseBefore, c.breathBefore = u.places(before)
	c.wordBehind, c.phraseBehind, c.breathBehind = u.places(behind)
	if len(u.words) == 1 {
		c.wordBefore, c.wordBehind = none, none // as Open JTalk writes it
	}
	return c
}

func within(n, count int) int {
	if n < count {
		return n
	}
	return none
}

func (u *utterance) places(mora int) (word, phrase, breath int) {
	if mora < 0 {
		return none, none, none
	}
	word = u.moras[mora].word
	phrase = u.words[word].phrase
	return word, phrase, u.phrases[phrase].breath
}

// writeWords writes A to D.
func (c context) writeWords(b *strings.Builder) {
	u := c.u
	if c.mora < 0 {
		b.WriteString("/A:xx+xx+xx")
	} else {
		at := c.mora - u.firstMora(c.phrase) + 1
		fmt.Fprintf(b, "/A:%d+%d+%d", max(-maxMora, min(at-u.accent(c.phrase), maxMora)), limit(at, maxMora),
			limit(u.morasOf(c.phrase)-at+1, maxMora))
	}
	codes := func(word int) [3]string {
		if word < 0 {
			return [3]string{"xx", "xx", "xx"}
		}
		return u.words[word].codes
	}
	before, here, behind := codes(c.wordBefore), codes(c.word), codes(c.wordBehind)
	fmt.Fprintf(b, "/B:%s-%s_%s/C:%s_%s+%s/D:%s+%s_%s",
		before[0], before[1], before[2], here[0], here[1], here[2], behind[0], behind[1], behind[2])
}

// writePhrases writes E to G.
func (c context) writePhrases(b *strings.Builder) {
	u := c.u
	shape := func(phrase int) string {
		asks := 0
		if u.phrases[phrase].asks {
			asks = 1
		}
		return fmt.Sprintf("%d_%d%%%d_xx", limit(u.morasOf(phrase), maxMora), limit(u.accent(phrase), maxMora), asks)
	}
	flows := func(phrase, behind int) string { // whether no pause is between two phrases
		if c.mora < 0 || phrase < 0 || behind < 0 {
			return "xx"
		}
		if u.moras[u.lastMora(phrase)].paused {
			return "0"
		}
		return "1"
	}
	before, behind := "xx_xx%xx_xx", "xx_xx%xx_xx"
	if c.phraseBefore >= 0 {
		before = shape(c.phraseBefore)
	}
	if c.phraseBehind >= 0 {
		behind = shape(c.phraseBehind)
	}
	fmt.Fprintf(b, "/E:%s-%s", strings.Replace(before, "%", "!", 1), flows(c.phraseBefore, c.phrase))
	if c.phrase < 0 {
		b.WriteString("/F:xx_xx#xx_xx@xx_xx|xx_xx")
	} else {
		group := u.breaths[c.breath]
		at, mora := c.phrase-group.first+1, u.firstMora(c.phrase)-u.firstMora(group.first)+1
		fmt.Fprintf(b, "/F:%s@%d_%d|%d_%d", strings.Replace(shape(c.phrase), "%", "#", 1),
			limit(at, maxMora), limit(group.last-c.phrase+1, maxMora), limit(mora, maxGroup2),
			limit(u.lastMora(group.last)-u.firstMora(c.phrase)+1, maxGroup2))
	}
	fmt.Fprintf(b, "/G:%s_%s", behind, flows(c.phrase, c.phraseBehind))
}

// writeBreaths writes H to J.
func (c context) writeBreaths(b *strings.Builder) {
	u := c.u
	size := func(breath int) (phrases, moras int) {
		g := u.breaths[breath]
		return limit(g.last-g.first+1, maxMora), limit(u.lastMora(g.last)-u.firstMora(g.first)+1, maxGroup2)
	}
	write := func(name string, breath int) {
		if breath < 0 {
			fmt.Fprintf(b, "/%s:xx_xx", name)
			return
		}
		phrases, moras := size(breath)
		fmt.Fprintf(b, "/%s:%d_%d", name, phrases, moras)
	}
	write("H", c.breathBefore)
	if c.breath < 0 {
		b.WriteString("/I:xx-xx@xx+xx&xx-xx|xx+xx")
	} else {
		phrases, moras := size(c.breath)
		first := u.breaths[c.breath].first
		mora := u.firstMora(first)
		fmt.Fprintf(b, "/I:%d-%d@%d+%d&%d-%d|%d+%d", phrases, moras,
			limit(c.breath+1, maxBreath), limit(len(u.breaths)-c.breath, maxBreath),
			limit(first+1, maxMora), limit(len(u.phrases)-first, maxMora),
			limit(mora+1, maxAll), limit(len(u.moras)-mora, maxAll))
	}
	write("J", c.breathBehind)
}
