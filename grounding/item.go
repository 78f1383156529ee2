package grounding

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"annai/internal/civil"
)

// A mask says with which signs an item has a feature.
type mask uint8

const (
	affirmed mask = 1 << iota
	denied
	excepted // a name in an exception
	named    // a name in a denial
	titled   // only the headings of a passage have it, which claim nothing
)

// An item is an [Item] as the checker reads it.
type item struct {
	Item
	clauses  []clause
	meanings map[int]mask
	words    map[string]mask
	// values are the values of its clauses, each with the words it is bound to.
	values []bound
	// text is all of it, folded, and heading its title.
	text, heading string
	// cannot, needless and sides say what its text denies: a permission, a need, and whether it affirms or denies at all.
	cannot, needless bool
	sides            mask
	title            []feature
	// mentions are where its text has the meanings that it has with both signs.
	mentions []mention
	// roots are its English words without the endings that make nouns of verbs; kana and latin its words by their sound.
	roots map[string]mask
	heard func() heard
	// near are its words by their numbers in the vocabulary of the evidence.
	near map[int32]mask
	// ways are the places it names, and whether something goes from or to them.
	ways map[int]way
}

// A mention is a meaning with its sign and the words beside it.
type mention struct {
	id    int
	sign  mask
	label []*feature
}

// A bound value is one with its label: the features beside it.
type bound struct {
	*feature
	label []*feature
}

// titleSeparator stands between the headings of a passage. Only the last speaks of its text.
const titleSeparator = " / "

// read compiles an item.
func (c *Checker) read(in Item) item {
	it := item{Item: in, heading: fold(in.Title).text, meanings: map[int]mask{}, words: map[string]mask{}, roots: map[string]mask{}, ways: map[int]way{}}
	heading, page := in.Title, ""
	if i := strings.LastIndex(heading, titleSeparator); i >= 0 && in.Kind != Event {
		page, heading = heading[:i], heading[i+len(titleSeparator):]
	}
	at := c.reference(in)
	title := c.scan(heading, at)
	for i := range title {
		it.title = append(it.title, title[i].features...)
	}
	if in.Kind == Event {
		for i := range title { // its numbers and times are no values of the event, which has its own; see titled
			title[i].features = slices.DeleteFunc(title[i].features, func(f feature) bool { return f.kind == number || f.kind == clock })
		}
		it.add(title)
		it.add(c.scan(in.Place, at))
		it.add(c.scan(in.Price, at))
	}
	told := []string{in.Title, in.Place, in.Price, in.URL}
	for line := range strings.Lines(in.Text) {
		for _, s := range split(line) {
			if isOrder(s) {
				continue
			}
			told = append(told, s)
			clauses := c.scan(s, at)
			it.add(clauses)
			it.denyHeading(clauses, title)
		}
	}
	it.text = fold(strings.Join(told, "\n")).text
	if in.Kind != Event {
		it.addHeadings(title, true)
		if subject := c.scan(page, at); len(subject) == 1 && len(subject[0].features) == 1 {
			it.addHeadings(subject, false)
		}
	}
	it.heard = sync.OnceValue(func() heard { return hear(it.text) })
	for w, m := range it.words {
		it.roots[root(w)] |= m
	}
	if in.URL != "" {
		it.words[webForm(fold(in.URL).text)] |= affirmed
	}
	return it
}

// reference is the instant from which days are counted in the text of an item: an event's is written for its day.
func (c *Checker) reference(in Item) time.Time {
	switch {
	case in.Kind == Event && in.AllDay:
		return in.FirstDay.In(c.loc)
	case in.Kind == Event && !in.Start.IsZero():
		return civil.DateOf(in.Start.In(c.loc)).In(c.loc)
	}
	return c.now
}

// add takes clauses into an item.
func (it *item) add(clauses []clause) {
	for i := range clauses {
		cl := &clauses[i]
		if asks(cl.text) {
			it.meanings[words().ids["need"]] |= affirmed
		}
		it.cannot = it.cannot || cl.cannot
		it.needless = it.needless || cl.needless
		if len(cl.denied) > 0 {
			it.sides |= denied
		} else {
			it.sides |= affirmed
		}
		closes := cl.closesAt()
		for j := range cl.features {
			it.addFeature(&cl.features[j], cl)
			if cl.features[j].end <= closes && cl.phraseOf(cl.features[j].start) == cl.phraseOf(closes) {
				it.addClosed(&cl.features[j], cl)
			}
		}
	}
	it.clauses = append(it.clauses, clauses...)
}

// denyHeading makes what the heading names denied where a sentence denies something of a thing that it does not name: "Terrace: it
// cannot be used in the rain."
func (it *item) denyHeading(clauses, title []clause) {
	for i := range clauses {
		cl := &clauses[i]
		if len(cl.denied) == 0 || slices.ContainsFunc(cl.features, func(f feature) bool { return f.negative && !f.topic && f.kind != role }) {
			continue
		}
		for _, h := range title {
			for _, f := range h.features {
				for _, id := range f.ids {
					it.meanings[id.id] |= denied
					it.mentions = append(it.mentions, mention{id.id, denied, append(cl.label(&f), h.label(&f)...)})
				}
				if f.kind == word {
					it.words[f.text] |= denied
				}
			}
		}
	}
}

// asks reports whether a clause asks for something to be done, which may be told as a need.
func asks(text string) bool {
	return slices.ContainsFunc([]string{"please", "should", "ください", "お願い", "いただきます", "only once", "一度だけ"}, func(w string) bool { return strings.Contains(text, w) })
}

// closesAt is where a clause says that something is closed or called off; -1 if it does not.
func (c *clause) closesAt() int {
	open, cancel := words().ids["open"], words().ids["cancel"]
	for i := range c.features {
		f := &c.features[i]
		if f.kind == meaning && slices.ContainsFunc(f.ids, func(s signed) bool {
			return s.id == open && signOf(s.sign, f.negative) == denied || s.id == cancel && signOf(s.sign, f.negative) == affirmed
		}) {
			return f.start
		}
	}
	return -1
}

// addClosed makes what is closed denied as well: there is no coworking while coworking is closed.
func (it *item) addClosed(f *feature, cl *clause) {
	if f.kind == word {
		it.words[f.text] |= denied
	}
	if f.kind != meaning {
		return
	}
	for _, id := range f.ids {
		if id.id < theVenue && id.id != words().ids["open"] && id.id != words().ids["cancel"] {
			it.meanings[id.id] |= denied
			for i := len(it.mentions) - 1; i >= max(0, len(it.mentions)-len(f.ids)); i-- {
				it.mentions[i].sign = denied
			}
		}
	}
}

func (it *item) addFeature(f *feature, cl *clause) {
	m := affirmed
	if f.negative {
		m = denied
	}
	switch f.kind {
	case meaning, role:
		it.addWay(f)
		for _, id := range f.ids {
			sign := signOf(id.sign, f.negative)
			if f.topic || id.id >= theVenue {
				it.meanings[id.id] |= affirmed | denied
				if f.excepted {
					it.meanings[id.id] |= excepted
				}
				if f.negative {
					it.meanings[id.id] |= named
				}
				continue
			}
			it.meanings[id.id] |= sign
			it.mentions = append(it.mentions, mention{id.id, sign, cl.label(f)})
		}
	case word, literal:
		it.words[f.text] |= m
	case day, weekday, clock, money, number:
		it.values = append(it.values, bound{f, cl.label(f)})
	case suspect:
	}
}

// addHeadings takes the headings of a passage in: they name what it is about, and claim nothing of it.
func (it *item) addHeadings(clauses []clause, numbers bool) {
	for i := range clauses {
		for _, f := range clauses[i].features {
			for _, id := range f.ids {
				if it.meanings[id.id] == 0 {
					it.meanings[id.id] = titled
				}
			}
			if (f.kind == word || f.kind == literal) && it.words[f.text] == 0 {
				it.words[f.text] = titled
			}
			if numbers && f.kind == number && !slices.ContainsFunc(it.values, func(b bound) bool { return b.feature.same(&f) }) {
				value := f
				it.values = append(it.values, bound{&value, nil})
			}
		}
	}
}

func signOf(sign int, negative bool) mask {
	if (sign < 0) != negative {
		return denied
	}
	return affirmed
}

// label is what a value is bound to: the words and other values of its phrase, and those of phrases without such a value.
func (c *clause) label(value *feature) []*feature {
	own := c.phraseOf(value.start)
	for own > 0 && !c.hasOther(own, value.kind) {
		own--
	}
	var out []*feature
	for i := range c.features {
		f := &c.features[i]
		if f == value || f.kind == role || value.value() && f.kind == value.kind && f.text == value.text {
			continue
		}
		if p := c.phraseOf(f.start); p == own || c.closing(f) || !value.value() || !c.has(value.kind, value.text, p) {
			out = append(out, f)
		}
	}
	if c.unfinished() {
		for i := range c.after.features {
			if f := &c.after.features[i]; c.after.closing(f) {
				out = append(out, f)
			}
		}
	}
	if c.before != nil && !slices.ContainsFunc(out, func(f *feature) bool { return f.kind == meaning || f.kind == word }) {
		for i := range c.before.features {
			out = append(out, &c.before.features[i])
		}
	}
	return out
}

// unfinished reports whether a Japanese clause leaves its predicate to the next one: 平日は20時まで、土曜日は17時まで開いています.
func (c *clause) unfinished() bool {
	text := strings.TrimRight(c.text, "、, ")
	return c.after != nil && (strings.HasSuffix(text, "まで") || strings.HasSuffix(text, "から"))
}

// closing reports whether a feature is of the predicate at the end of a Japanese clause, which is that of all its phrases.
func (c *clause) closing(f *feature) bool {
	if f.value() || !strings.ContainsFunc(c.text, func(r rune) bool { return scriptOf(r) == hiragana }) {
		return false
	}
	return !slices.ContainsFunc(c.features, func(g feature) bool { return g.value() && g.start > f.start })
}

// hasOther reports whether a phrase has more than values of a kind.
func (c *clause) hasOther(phrase int, k kind) bool {
	for i := range c.features {
		f := &c.features[i]
		if f.kind != k && f.kind != role && c.phraseOf(f.start) == phrase {
			return true
		}
	}
	return false
}

// has reports whether a phrase has a value of a kind.
func (c *clause) has(k kind, unit string, phrase int) bool {
	for i := range c.features {
		f := &c.features[i]
		if f.kind == k && f.text == unit && c.phraseOf(f.start) == phrase {
			return true
		}
	}
	return false
}

// span is the first and the last day of an event, and its start and end as minutes of their days; -1 where there is none.
func (it *item) span(loc *time.Location) (first, last civil.Date, from, until int) {
	if it.AllDay {
		return it.FirstDay, it.EndDay.AddDays(-1), -1, -1
	}
	start := it.Start.In(loc)
	first, from = civil.DateOf(start), minutes(start)
	if it.End.IsZero() {
		return first, first, from, -1
	}
	end := it.End.In(loc)
	return first, civil.DateOf(end), from, minutes(end)
}

// overlaps reports whether an event touches some days.
func (it *item) overlaps(first, last civil.Date, loc *time.Location) bool {
	f, l, _, _ := it.span(loc)
	return !f.After(last) && !l.Before(first)
}

// hasWord says with which signs an item has a word as it stands. A Japanese compound may be made of two words of the item.
func (it *item) hasWord(w string) mask {
	if m := it.words[w]; m != 0 {
		return m
	}
	if m := it.sounds(w); m != 0 {
		return m
	}
	if w[0] < 0x80 {
		return it.roots[root(w)]
	}
	if m := it.hasText(w); m != 0 {
		return m
	}
	if r, size := utf8.DecodeRuneInString(w); scriptOf(r) == hiragana && len(w) > 3*size { // のもくもく
		if m := it.hasText(w[size:]); m != 0 {
			return m
		}
	}
	n := utf8.RuneCountInString(w)
	for i := 2; i <= n-2; i++ {
		at := prefixRunes(w, i)
		if m := it.hasText(w[:at]); m != 0 && it.hasText(w[at:]) != 0 {
			return m
		}
	}
	return 0
}

// hasText says with which signs an item has a stretch of text.
func (it *item) hasText(w string) mask {
	if !strings.Contains(it.text, w) {
		return 0
	}
	var m mask
	for i := range it.clauses {
		cl := &it.clauses[i]
		if at := strings.Index(cl.text, w); at >= 0 {
			if cl.deniedAt(cl.start + at) {
				m |= denied
			} else {
				m |= affirmed
			}
		}
	}
	if m == 0 {
		return titled
	}
	return m
}
