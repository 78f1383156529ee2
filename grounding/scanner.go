package grounding

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A clause is a part of a sentence with a predicate of its own: what one "not" denies.
type clause struct {
	features []feature
	// breaks are where its phrases begin: values are bound to the words of their phrase.
	breaks []int
	// denied are the stretches that a negation covers.
	denied []stretch
	// excepted are the stretches that except something from what is said.
	excepted []stretch
	// topics are the stretches that are only spoken of, of which the denied ones are denied.
	topics     []stretch
	start, end int
	// cannot and needless say what sort of denial it is.
	cannot, needless bool
	text             string
	// before and after are the clauses beside it in the sentence, if any.
	before, after *clause
}

type stretch struct{ start, end int }

// phraseOf is the number of the phrase in which a byte stands.
func (c *clause) phraseOf(at int) int {
	n := 0
	for _, b := range c.breaks {
		if at >= b {
			n++
		}
	}
	return n
}

func (c *clause) deniedAt(at int) bool { return within(c.denied, at) }

func within(list []stretch, at int) bool {
	return slices.ContainsFunc(list, func(s stretch) bool { return at >= s.start && at < s.end })
}

// A scanner reads one sentence.
type scanner struct {
	words *lexicon
	names *lexicon // of this evidence; may be nil
	text  []byte   // times, numbers and literals are blank
	whole string   // nothing is
	out   []feature
	nots  []negation
	cuts  []cut
	verbs []int
	stops []int // where what is denied ends
}

// A negation denies what is before it, after it, or both.
type negation struct {
	at, end       int
	before, after bool
	near          bool // only the word just before
	far           bool // all that follows
	modal         string
}

// A cut ends a clause if hard, a phrase if not.
type cut struct {
	at   int
	hard bool
}

// scan reads one sentence into clauses.
func scan(f folded, now time.Time, lex, names *lexicon) []clause {
	text := []byte(f.text)
	s := scanner{words: lex, names: names, whole: f.text}
	s.out = readLiterals(text)
	s.out = append(s.out, readTimes(text, now)...)
	s.text = text
	s.protectForms()
	s.out = append(s.out, readNumbers(s.text)...)
	s.readWords()
	return s.clauses()
}

// protected are forms of the lists that hold figures.
var protected = []string{"地下1階", "地下一階", "b1f"}

// protectForms reads names and words with figures in them before the figures are read as numbers.
func (s *scanner) protectForms() {
	forms := protected
	if s.names != nil {
		forms = append(s.names.withDigits, protected...)
	}
	for _, form := range forms {
		for i := strings.Index(string(s.text), form); i >= 0; i = strings.Index(string(s.text), form) {
			e := s.entryOf(form)
			if e == nil {
				break
			}
			s.emit(e, form, i, i+len(form))
			blank(s.text, i, i+len(form))
		}
	}
}

func (s *scanner) entryOf(form string) *entry {
	for _, l := range [...]*lexicon{s.names, s.words} {
		if l == nil {
			continue
		}
		if e := l.japanese[form]; e != nil {
			return e
		}
		if e := l.english[phrase(form)]; e != nil {
			return e
		}
	}
	return nil
}

// emit adds what an entry of the word lists says.
func (s *scanner) emit(e *entry, form string, i, j int) {
	if len(e.ids) > 0 {
		f := feature{kind: meaning, text: form, ids: e.ids, ends: e.ends, start: i, end: j}
		s.out = append(s.out, f)
	} else if e.ends != at {
		s.out = append(s.out, feature{kind: role, ends: e.ends, start: i, end: j})
	}
}

func (s *scanner) readWords() {
	for i := 0; i < len(s.text); {
		r, size := utf8.DecodeRune(s.text[i:])
		switch scriptOf(r) {
		case latin, digit:
			i = s.english(i)
		case hiragana, katakana, kanji:
			i = s.japanese(i)
		case other:
			s.punctuation(r, i, size)
			i += size
		}
	}
}

func (s *scanner) punctuation(r rune, i, size int) {
	switch r {
	case ',', '、', ';', ':', '!', '?', '。', '.', '\n', '，', '(', ')', '"', '「', '」':
		if r == '(' || r == ')' || r == '"' || r == '「' || r == '」' {
			s.cuts = append(s.cuts, cut{at: i + size})
			return
		}
		s.cuts = append(s.cuts, cut{at: i + size, hard: true})
	case '・', '/', '&':
		s.cuts = append(s.cuts, cut{at: i + size})
	}
}

// clauses puts the features into clauses. A piece without a predicate belongs to the clause before it, or else after it.
func (s *scanner) clauses() []clause {
	var out []clause
	from := 0
	var soft []int
	add := func(to int) {
		c := clause{start: from, end: to, breaks: soft, text: s.whole[from:to]}
		from, soft = to, nil
		switch {
		case len(out) == 0:
			out = append(out, c)
		case !s.predicate(&out[len(out)-1]), !s.predicate(&c):
			last := &out[len(out)-1]
			last.breaks = append(append(last.breaks, c.start), c.breaks...)
			last.end, last.text = c.end, s.whole[last.start:c.end]
		default:
			out = append(out, c)
		}
	}
	for _, c := range s.cuts {
		if c.hard {
			add(c.at)
		} else {
			soft = append(soft, c.at)
		}
	}
	add(len(s.whole))
	for i := range out {
		s.fill(&out[i])
		if i > 0 {
			out[i].before, out[i-1].after = &out[i-1], &out[i]
		}
	}
	return out
}

// predicate reports whether a piece has a verb, so that it can stand by itself.
func (s *scanner) predicate(c *clause) bool {
	for _, v := range s.verbs {
		if v >= c.start && v < c.end {
			return true
		}
	}
	text := strings.TrimRight(c.text, " ,、;:!?。.\n，()\"「」")
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune("すたてでりしくずがばんいるうねけき", r)
}

// fill gives a clause its features and what is denied in it.
func (s *scanner) fill(c *clause) {
	s.deny(c)
	for _, f := range s.out {
		if f.start >= c.start && f.start < c.end {
			f.negative = c.deniedAt(f.start)
			f.topic, f.excepted = within(c.topics, f.start), within(c.excepted, f.start)
			c.features = append(c.features, f)
		}
	}
	sortFeatures(c.features)
	c.takeNeeds()
	c.giveRoles()
	c.signValues()
	c.giveWays()
}

// takeNeeds makes one thing of "no booking needed" and "needs no booking": the booking is denied, and the clause is about a need.
func (c *clause) takeNeeds() {
	need := words().ids["need"]
	isNeed := func(f feature) bool { return f.kind == meaning && len(f.ids) == 1 && f.ids[0].id == need }
	lexical := slices.ContainsFunc(c.features, func(f feature) bool { return isNeed(f) && f.ids[0].sign < 0 })
	if len(c.denied) > 0 && slices.ContainsFunc(c.features, isNeed) && !lexical {
		c.needless = !c.cannot // must not
		c.features = slices.DeleteFunc(c.features, isNeed)
	}
}

// signValues makes the values of a clause about closing negative, or those of one that denies it affirmed: "not closed in August"
// and "open in August" are one.
func (c *clause) signValues() {
	closed := words().ids["open"]
	if !slices.ContainsFunc(c.features, func(f feature) bool {
		return f.kind == meaning && slices.Contains(f.ids, signed{closed, -1})
	}) {
		return
	}
	for i := range c.features {
		if k := c.features[i].kind; k == day || k == weekday || k == clock {
			c.features[i].negative = !c.features[i].negative
		}
	}
}

func (s *scanner) deny(c *clause) {
	from := c.start
	for _, n := range s.nots {
		if n.at < c.start || n.at >= c.end {
			continue
		}
		switch n.modal {
		case "can":
			c.cannot = true
		case "need":
			c.needless = true
		}
		switch {
		case n.near:
			c.denied = append(c.denied, stretch{s.wordBefore(n.at, from), n.at})
			c.excepted = append(c.excepted, c.denied[len(c.denied)-1])
		case n.before && n.after:
			to := s.reach(n, c.start, c.end)
			c.denied = append(c.denied, stretch{c.start, to})
			c.topics = append(c.topics, stretch{to, c.end})
		case n.after:
			to := s.reach(n, c.start, c.end)
			c.denied = append(c.denied, stretch{n.end, to})
			if n.far {
				c.excepted = append(c.excepted, stretch{n.end, to})
			}
			c.topics = append(c.topics, stretch{to, c.end})
		case n.before:
			topic := max(s.topic(from, n.at), s.reason(from, n.at))
			denied, told := stretch{topic, n.end}, stretch{from, topic}
			if topic > from && s.places(topic, n.at) {
				denied, told = told, denied
			}
			c.topics, c.denied = append(c.topics, told), append(c.denied, denied)
			from = n.end
		}
	}
}

// reach is where what a negation denies ends: at a preposition, and for "no" at a verb as well. What follows is only spoken of.
func (s *scanner) reach(n negation, from, to int) int {
	if n.far {
		return to
	}
	for _, at := range s.stops {
		if at > n.end+1 && (!n.before || s.named(from, at)) {
			to = min(to, at)
		}
	}
	if n.before {
		return to
	}
	for _, at := range s.verbs {
		if at > n.end {
			to = min(to, at)
		}
	}
	return to
}

// topics are particles after which a Japanese sentence goes on about what stands before them.
var topics = []string{"は", "では", "には", "からは", "までは", "でも", "にも"}

// topic is where, between two bytes, what is only spoken of ends: at the last particle after which there is still a word to deny.
func (s *scanner) topic(from, to int) int {
	last := from
	for _, f := range s.out {
		if f.start <= from || f.end > to {
			continue
		}
		for _, p := range topics {
			for _, comma := range [...]string{"", "、"} {
				if i := f.start - len(p) - len(comma); i >= from && s.whole[i:f.start] == p+comma {
					last = max(last, f.start)
				}
			}
		}
	}
	return last
}

// places reports whether all that is named between two bytes is where something is or goes, so that what stands before is denied:
// 本は箱に入れないでください.
func (s *scanner) places(from, to int) bool {
	found := false
	for _, f := range s.out {
		if f.start < from || f.end > to || f.kind == role {
			continue
		}
		rest := s.whole[f.end:to]
		if !strings.HasPrefix(rest, "に") && !strings.HasPrefix(rest, "へ") {
			return false
		}
		found = true
	}
	return found
}

// named reports whether something stands between two bytes that can be denied: nothing in "you can't pay".
func (s *scanner) named(from, to int) bool {
	for _, it := range [...]string{"it ", "they ", "this ", "these "} {
		if strings.HasPrefix(strings.TrimLeft(s.whole[from:to], " "), it) {
			return true // what was named before
		}
	}
	return slices.ContainsFunc(s.out, func(f feature) bool { return f.start >= from && f.end <= to && f.kind != role })
}

// reasons are words after which a Japanese sentence tells what follows from what stands before them.
var reasons = []string{"ため、", "ため", "ので、", "ことから", "場合は", "ときは", "ると、", "れば、", "たら、", "なら、"}

// reason is where, between two bytes, a reason or a condition ends, which is told and not denied.
func (s *scanner) reason(from, to int) int {
	last := from
	for _, r := range reasons {
		if i := strings.LastIndex(s.whole[from:to], r); i >= 0 {
			last = max(last, from+i+len(r))
		}
	}
	return last
}

// maxGap is how far before a word like なしで the word that it denies ends, in bytes.
const maxGap = 6

// wordBefore is where the feature just before a byte begins, but not before from; the byte itself if there is none.
func (s *scanner) wordBefore(before, from int) int {
	best := before
	for _, f := range s.out {
		if f.start >= from && f.end <= before && f.end >= before-maxGap {
			best = f.start
		}
	}
	return best
}

func sortFeatures(list []feature) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].start < list[j-1].start; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// giveRoles lets words like "starts" and まで say which end the times beside them are.
func (c *clause) giveRoles() {
	for i := range c.features {
		f := &c.features[i]
		if f.kind == number && f.text == perLength {
			if w := c.roleNear(f); w != nil && w.kind == meaning && w.ends == start {
				c.turnIntoRoles(w) // bookings open three months before
			}
		}
		timed := f.kind == clock || f.kind == day
		if !timed || f.ends != at || f.days.period {
			continue
		}
		if w := c.roleNear(f); w != nil {
			f.ends = w.ends
			if w.kind == meaning && f.kind == clock {
				c.turnIntoRoles(w) // "closes at ten": the end of being open, and no closing day
			}
		}
	}
}

// turnIntoRoles makes a word a role wherever it stands in the clause.
func (c *clause) turnIntoRoles(w *feature) {
	for i := range c.features {
		if f := &c.features[i]; f.kind == meaning && slices.Equal(f.ids, w.ids) && f != w {
			f.kind = role
		}
	}
	w.kind = role
}

// roleNear is the word that says which end a time is: the nearest, in the same phrase if there is one.
func (c *clause) roleNear(f *feature) *feature {
	var best *feature
	distance := 1 << 30
	for i := range c.features {
		w := &c.features[i]
		if w.ends == at || w.value() || w.kind != role && w.kind != meaning {
			continue
		}
		d := max(w.start-f.end, f.start-w.end)
		if c.phraseOf(w.start) != c.phraseOf(f.start) {
			d += 40
		}
		if d < distance {
			best, distance = w, d
		}
	}
	return best
}
