package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"annai/grounding/dictionary"
)

// Words that no list of ours has are compared through dictionaries: a word of a sentence is near to one of the evidence if the one
// translates the other, if both translate the same words, or if it means the same in English or says what the other is a kind of. It is
// then as good as found. Names, values and words with an opposite (open, free) are never compared so.

// A vocabulary is the words of an evidence, numbered, and by what they are found.
type vocabulary struct {
	ids map[string]int32
	// own has English words as they are; wide those that mean the same and what it is a kind of; whole the translations of Japanese
	// words, and inside the single words of longer ones.
	own, wide, whole, inside map[string][]int32
	glosses                  []int // of each Japanese word, how many translations it has
	// first has the first translations of Japanese words of more than one character, which are what they mostly mean.
	first map[string][]int32
}

// A piece is a word of a text.
type piece struct {
	text         string
	start, end   int
	english      bool
	translations []string
}

// learnWords numbers the words of the evidence.
func (c *Checker) learnWords() *vocabulary {
	v := &vocabulary{ids: map[string]int32{}, own: map[string][]int32{}, wide: map[string][]int32{}, whole: map[string][]int32{}, inside: map[string][]int32{}, first: map[string][]int32{}}
	for i := range c.items {
		it := &c.items[i]
		it.near = map[int32]mask{}
		heading := it.heading
		if i := strings.LastIndex(heading, titleSeparator); i >= 0 && it.Kind != Event {
			heading = heading[i+len(titleSeparator):]
		}
		for _, p := range pieces(heading) {
			it.near[v.number(&p)] |= titled
		}
		for j := range it.clauses {
			v.learn(it, &it.clauses[j])
		}
	}
	return v
}

func (v *vocabulary) learn(it *item, cl *clause) {
	list := pieces(cl.text)
	for i := range list {
		p := &list[i]
		id := v.number(p)
		at := cl.start + p.start
		m := cl.signAt(at)
		it.near[id] |= m
		if i > 0 && p.english && list[i-1].english && list[i-1].end+1 == p.start { // first aid
			both := piece{text: list[i-1].text + " " + p.text, english: true}
			it.near[v.number(&both)] |= m
		}
		for k := range cl.features {
			if f := &cl.features[k]; f.start < cl.start+p.end && f.end > at && (f.kind == word || f.kind == meaning) {
				f.words = append(f.words, id)
			}
		}
	}
}

// signAt says with which signs a clause has what stands at a byte: with both what is only spoken of.
func (c *clause) signAt(at int) mask {
	switch {
	case within(c.topics, at):
		return affirmed | denied
	case c.deniedAt(at):
		return denied
	}
	return affirmed
}

// number is the number of a word, which is learnt if it is new.
func (v *vocabulary) number(p *piece) int32 {
	if id, ok := v.ids[p.text]; ok {
		return id
	}
	id := int32(len(v.ids))
	v.ids[p.text] = id
	v.glosses = append(v.glosses, len(p.translations))
	if first, second, ok := strings.Cut(p.text, " "); ok {
		add(v.own, keyOf(first)+" "+keyOf(dictionary.Base(second)), id)
		return id
	}
	if p.english {
		base := dictionary.Base(p.text)
		add(v.own, keyOf(base), id)
		same, kinds := dictionary.English(base)
		for _, w := range same {
			add(v.wide, keyOf(w), id)
		}
		for _, w := range kinds {
			add(v.wide, keyOf(w), id)
		}
		return id
	}
	for i, g := range p.translations {
		if i < firstTranslations && utf8.RuneCountInString(p.text) > 1 && !strings.Contains(g, " ") {
			add(v.first, keyOf(g), id)
		}
		first, second, two := strings.Cut(g, " ")
		if !two || particles[second] {
			add(v.whole, keyOf(first), id)
			continue
		}
		add(v.whole, g, id)
		for w := range strings.FieldsSeq(g) {
			if len(w) > 3 {
				add(v.inside, keyOf(w), id)
			}
		}
	}
	return id
}

func add(to map[string][]int32, key string, id int32) {
	if list := to[key]; len(list) == 0 || list[len(list)-1] != id {
		to[key] = append(list, id)
	}
}

// keyOf is the form in which English words of the dictionaries are compared.
func keyOf(w string) string { return root(stem(w)) }

// pieces are the words of a text that a dictionary may know.
func pieces(text string) []piece {
	var out []piece
	previous := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch kind := scriptOf(r); {
		case kind == latin && r < utf8.RuneSelf:
			j := i
			for j < len(text) && isLatin(text[j]) {
				j++
			}
			if j-i > 2 {
				out = append(out, piece{text: text[i:j], start: i, end: j, english: true})
			}
			i, previous = j, 'a'
			continue
		case kind == kanji, kind == katakana, kind == hiragana && (scriptOf(previous) != hiragana || strings.ContainsRune("のはがをにとでもや", previous)):
			if n, list := dictionary.Japanese(text[i:]); n > 0 {
				if n == size && kind == kanji && compounded(previous, text[i+n:]) || kind == hiragana && !noun(text[i:i+n], text[i+n:]) {
					break
				}
				out = append(out, piece{text: text[i : i+n], start: i, end: i + n, translations: list})
				out = withHalves(out)
				previous, _ = utf8.DecodeLastRuneInString(text[:i+n])
				i += n
				continue
			}
		}
		i, previous = i+size, r
	}
	return out
}

// noun reports whether a word in hiragana is no ending: it is long, or a particle follows it.
func noun(word, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	n := utf8.RuneCountInString(word)
	return n > 2 || n > 1 && strings.ContainsRune("をがはのにでもや、。", next)
}

// compounded reports whether a kanji stands beside others so that it is no word of its own: after one, or before one that begins no word.
func compounded(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	joins := func(r rune) bool { s := scriptOf(r); return s == kanji || s == katakana }
	if joins(before) || !joins(next) {
		return joins(before)
	}
	n, _ := dictionary.Japanese(after)
	return utf8.RuneCountInString(after[:n]) < 2
}

// withHalves adds to a list that ends with a compound of four kanji the two words it is made of.
func withHalves(list []piece) []piece {
	p := list[len(list)-1]
	half := prefixRunes(p.text, 2)
	if utf8.RuneCountInString(p.text) != 4 || strings.ContainsFunc(p.text, func(r rune) bool { return scriptOf(r) != kanji }) {
		return list
	}
	for _, at := range [...]stretch{{0, half}, {half, len(p.text)}} {
		word := p.text[at.start:at.end]
		if n, translations := dictionary.Japanese(word); n == len(word) {
			list = append(list, piece{text: word, start: p.start + at.start, end: p.start + at.end, translations: translations})
		}
	}
	return list
}

// relate finds for the words of a sentence the words of the evidence that are near to them.
func (c *Checker) relate(clauses []clause) {
	v := c.vocabulary()
	for i := range clauses {
		cl := &clauses[i]
		for j := range cl.features {
			if f := &cl.features[j]; comparable(f) {
				f.near, f.sure = v.near(cl, f)
			}
		}
	}
}

// anyUnheard reports whether a word is in no item as it is.
func (c *Checker) anyUnheard(clauses []clause) bool {
	for i := range clauses {
		for j := range clauses[i].features {
			if f := &clauses[i].features[j]; comparable(f) && !f.soft && !c.heard(f) {
				return true
			}
		}
	}
	return false
}

func (c *Checker) heard(f *feature) bool {
	for i := range c.items {
		if !c.items[i].byNearness(f) {
			return true
		}
	}
	return false
}

// comparable reports whether a word may be compared through dictionaries.
func comparable(f *feature) bool {
	switch f.kind {
	case word:
		return true
	case meaning:
		return !slices.ContainsFunc(f.ids, func(s signed) bool { return s.id >= theVenue || words().opposed[s.id] })
	case role, day, weekday, clock, money, number, literal, suspect:
	}
	return false
}

// near are for each part of a word of a sentence the words of the evidence that are near to it; nothing if one of its parts is unknown.
func (v *vocabulary) near(cl *clause, f *feature) (near, sure [][]int32) {
	from, to := f.start-cl.start, f.end-cl.start
	if from < 0 || to > len(cl.text) {
		return nil, nil
	}
	if cl.text[from] < utf8.RuneSelf {
		return v.nearEnglish(cl.text[from:to])
	}
	if rest := cl.text[from:to]; len(rest) > 2*len("お") && (strings.HasPrefix(rest, "お") || strings.HasPrefix(rest, "ご")) {
		if n, _ := dictionary.Japanese(rest); n <= len("お") {
			from += len("お")
		}
	}
	rest := cl.text[:to+hiraganaEnd(cl.text[to:])]
	for i := from; i < to; {
		n, list := dictionary.Japanese(rest[i:])
		if len(near) > 0 && allHiragana(cl.text[i:to]) {
			break // the ending of a verb
		}
		if n == 0 {
			return nil, nil
		}
		near, sure = append(near, v.nearTranslations(list)), append(sure, nil)
		if utf8.RuneCountInString(rest[i:i+n]) > 1 {
			for _, g := range list[:min(len(list), firstTranslations)] {
				sure[len(sure)-1] = append(sure[len(sure)-1], v.own[keyOf(g)]...)
			}
		}
		i += n
	}
	return near, sure
}

// firstTranslations is how many translations are what a word mostly means.
const firstTranslations = 2

func (v *vocabulary) nearEnglish(text string) (near, sure [][]int32) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '-' }) {
		base := dictionary.Base(w)
		key := keyOf(base)
		ids := slices.Concat(v.own[key], v.wide[key], v.whole[key], v.inside[key])
		if again, ok := strings.CutPrefix(key, "re"); ok && len(again) > 3 {
			ids = append(ids, v.own[again]...) // refill
		}
		same, _ := dictionary.English(base)
		for _, s := range same {
			ids = append(ids, v.whole[keyOf(s)]...)
		}
		near, sure = append(near, ids), append(sure, v.first[key])
	}
	return near, sure
}

// particles follow a verb that says the same, or nearly, without them: bring in.
var particles = set("in out up down on off away over back into with to for at along around")

func allHiragana(s string) bool { return hiraganaEnd(s) == len(s) }

// hiraganaEnd is how far a text is hiragana.
func hiraganaEnd(s string) int {
	if i := strings.IndexFunc(s, func(r rune) bool { return scriptOf(r) != hiragana }); i >= 0 {
		return i
	}
	return len(s)
}

// nearTranslations are the words near to a Japanese word: English ones that translate it, and Japanese ones of which two translations
// are the same.
func (v *vocabulary) nearTranslations(list []string) []int32 {
	var ids []int32
	shared := map[int32]int{}
	for _, g := range list {
		key := g
		first, second, two := strings.Cut(g, " ")
		switch {
		case !two || particles[second]:
			key = keyOf(first)
			ids = append(append(ids, v.own[key]...), v.wide[key]...)
		default:
			second, _, _ = strings.Cut(second, " ")
			ids = append(ids, v.own[keyOf(first)+" "+keyOf(second)]...)
		}
		for _, id := range v.whole[key] {
			shared[id]++
		}
	}
	for id, n := range shared {
		if n > 1 || len(list) == 1 && v.glosses[id] == 1 {
			ids = append(ids, id)
		}
	}
	return ids
}

// nearly says with which signs an item has words near to one of a sentence: to each of its parts.
func (it *item) nearly(f *feature) mask { return it.hasNear(f.near) }

// hasNear says with which signs an item has words of each of some parts.
func (it *item) hasNear(parts [][]int32) mask {
	all := affirmed | denied
	for _, part := range parts {
		var m mask
		for _, id := range part {
			m |= it.near[id]
		}
		if m == 0 {
			return 0
		}
		if m == titled {
			m = it.sides
		}
		all &= m
	}
	if len(parts) == 0 {
		return 0
	}
	return all
}

// nearTo reports whether a word of a sentence is near to one of the evidence.
func (f *feature) nearTo(o *feature) bool {
	for _, part := range f.near {
		for _, id := range part {
			if slices.Contains(o.words, id) {
				return true
			}
		}
	}
	return false
}

// minNear is how many words of a clause must be near where none of it is found as it is.
const minNear = 3

// unanchored reports whether a clause that an item supports has too little that the item has as it is: a word alone may be near in a
// meaning in which it is not meant.
func (c *Checker) unanchored(cl *clause, it *item) bool {
	near := 0
	for i := range cl.features {
		f := &cl.features[i]
		switch {
		case f.kind == role || f.soft:
		case it.byNearness(f):
			near++
			if it.hasNear(f.sure) != 0 {
				return false
			}
		case f.kind != meaning || f.ids[0].id != theVenue:
			return false
		}
	}
	return near > 0 && near < minNear
}

// nearOnly are the words of a clause that an item has only words near to.
func (c *Checker) nearOnly(cl *clause, it *item) []*feature {
	var out []*feature
	for i := range cl.features {
		if it.byNearness(&cl.features[i]) {
			out = append(out, &cl.features[i])
		}
	}
	return out
}

// byNearness reports whether an item has a word of a sentence only in words near to it.
func (it *item) byNearness(f *feature) bool {
	switch f.kind {
	case word:
		return it.hasWord(f.text) == 0
	case meaning:
		return f.ids[0].id < theVenue && !slices.ContainsFunc(f.ids, func(s signed) bool { return it.meanings[s.id] != 0 })
	case role, day, weekday, clock, money, number, literal, suspect:
	}
	return false
}
