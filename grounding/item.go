package grounding

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/civil"
)

// An item is an [Item] as the checker reads it.
type item struct {
	Item
	units []unit
	// title are the features of its heading.
	title map[string]bool
	// text is all of it, folded.
	text string
	// japanese and english say in which languages it is.
	japanese, english bool
}

// A unit is a sentence of the evidence, with the clauses in which its words stand, as bits.
type unit struct {
	// heading says that it is one, which names what is spoken of and claims nothing.
	heading  bool
	clauses  []clause
	features map[string]uint32
}

// facts are all that an item states.
func (it *item) facts() iter.Seq[*fact] {
	return func(yield func(*fact) bool) {
		for u := range it.units {
			for k := range it.units[u].clauses {
				for j := range it.units[u].clauses[k].facts {
					if !yield(&it.units[u].clauses[k].facts[j]) {
						return
					}
				}
			}
		}
	}
}

func newUnit(clauses []clause) unit {
	u := unit{clauses: clauses, features: map[string]uint32{}}
	for k := range clauses {
		for feature := range clauses[k].features(nil) {
			u.features[feature] |= 1 << min(k, 31)
		}
	}
	return u
}

// read compiles an item.
func (c *Checker) read(in Item) item {
	it := item{Item: in, title: map[string]bool{}}
	all := []string{in.Title, in.Place, in.Price, in.URL}
	at := c.reference(in)
	heading := in.Title
	if in.Kind != Event {
		heading = lastHeading(heading)
	}
	titles := readClauses(fold(heading).text, at, c.names)
	for k := range titles {
		for feature := range titles[k].features(nil) {
			it.title[feature] = true
		}
	}
	if in.Kind == Event {
		it.units = append(it.units, newUnit([]clause{c.event(in, titles, at)}))
	} else if len(titles) > 0 {
		u := newUnit(titles)
		u.heading = true
		it.units = append(it.units, u)
	}
	for line := range strings.Lines(in.Text) {
		for _, s := range split(line) {
			if text := fold(s).text; !contains(text, words().signs["orders"]) {
				all = append(all, s)
				it.units = append(it.units, newUnit(readClauses(text, at, c.names)))
			}
		}
	}
	for k := range it.units {
		it.units[k].spanDays(c.now)
	}
	it.text = fold(strings.Join(all, "\n")).text
	it.japanese, it.english = isJapanese(it.text), isEnglish(it.text)
	return it
}

// titleSeparator stands between the headings of a passage. Only the last speaks of its text.
const titleSeparator = " / "

func lastHeading(title string) string {
	if i := strings.LastIndex(title, titleSeparator); i >= 0 {
		return title[i+len(titleSeparator):]
	}
	return title
}

// reference is the instant from which days are counted in the text of an item: an event's is
// written for its day.
func (c *Checker) reference(in Item) time.Time {
	switch {
	case in.Kind == Event && in.AllDay:
		return in.FirstDay.In(c.now.Location())
	case in.Kind == Event && !in.Start.IsZero():
		return civil.DateOf(in.Start.In(c.now.Location())).In(c.now.Location())
	}
	return c.now
}

// event is what the fields of an event say, as one clause.
func (c *Checker) event(in Item, titles []clause, at time.Time) clause {
	var out clause
	for _, cl := range titles {
		out.tokens = append(out.tokens, cl.tokens...)
		for _, f := range cl.facts {
			if f.kind == name || f.kind == literal {
				out.facts = append(out.facts, f)
			}
		}
	}
	for _, text := range []string{in.Place, in.Price, in.URL} {
		for _, cl := range readClauses(fold(text).text, at, c.names) {
			out.tokens, out.facts = append(out.tokens, cl.tokens...), append(out.facts, cl.facts...)
		}
	}
	loc := c.now.Location()
	first, last := in.FirstDay, in.EndDay.AddDays(-1)
	if !in.AllDay {
		if in.Start.IsZero() {
			return out
		}
		start := in.Start.In(loc)
		first, last = civil.DateOf(start), civil.DateOf(start)
		out.facts = append(out.facts, fact{kind: clock, n: minutes(start), role: from})
		if !in.End.IsZero() {
			end := in.End.In(loc)
			last = civil.DateOf(end)
			length := int(end.Sub(start).Seconds()) * 100
			out.facts = append(out.facts, fact{kind: clock, n: minutes(end), role: until},
				fact{kind: number, unit: perLength, n: length, derived: true})
		}
	}
	days, on := 0, 0
	for d := first; !d.After(last) && days < maxDays; d = d.AddDays(1) {
		f := fact{kind: day, n: ofDay(d)}
		switch {
		case first == last:
		case d == first:
			f.role = from
		case d == last:
			f.role = until
		}
		out.facts = append(out.facts, f)
		on |= 1 << int(d.In(time.UTC).Weekday())
		days++
	}
	out.facts = append(out.facts, fact{kind: weekday, n: on},
		fact{kind: number, unit: perLength, n: days * secondsOfDay * 100, derived: true})
	return out
}

func minutes(t time.Time) int { return t.Hour()*60 + t.Minute() }

// maxDays is how many days of a range are known one by one.
const maxDays = 92

// spanDays adds the days between two that a text says: 8月13日から16日まで has the 14th.
func (u *unit) spanDays(now time.Time) {
	for k := range u.clauses {
		facts := u.clauses[k].facts
		for i := 0; i+1 < len(facts); i++ {
			first, ok := facts[i].date(now)
			last, too := facts[i+1].date(now)
			if !ok || !too || facts[i].role != from || facts[i+1].role != until {
				continue
			}
			if last.Month < first.Month && !last.After(first) {
				last.Year++
			}
			n := 0
			for d := first.AddDays(1); last.After(d) && n < maxDays; d, n = d.AddDays(1), n+1 {
				u.clauses[k].facts = append(u.clauses[k].facts, fact{kind: day, n: ofDay(d)})
			}
		}
	}
}

// namesOf are the names that an evidence has: of its events, their places, its passages and others,
// with all spellings of one.
func namesOf(e Evidence) forms {
	out := forms{}
	for first, list := range words().rooms {
		out[first] = slices.Clone(list)
	}
	add := func(spellings []string, of int) {
		id := ""
		for _, s := range spellings {
			s = strings.TrimFunc(fold(s).text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if len(s) < shortName || utf8.RuneCountInString(s) == 1 {
				continue
			}
			if id == "" {
				id = s
			}
			for i, f := range out[firstRune(s)] {
				if f.text == s {
					id = f.name
					out[firstRune(s)][i].n = max(f.n, of)
				}
			}
			out.add(form{text: s, name: id, n: of})
		}
	}
	for _, group := range e.Names {
		add(group, 0)
	}
	for _, in := range slices.Concat(e.Items, e.Others) {
		if in.Kind == Event {
			add(halves(in.Title), ofEvent)
			add(halves(in.Place), ofPlace)
			continue
		}
		if heading := lastHeading(in.Title); !labelled(heading) {
			add(halves(heading), 0)
		}
	}
	out.sort()
	return out
}

// labelled reports whether a heading is a word of the list, which is no name.
func labelled(heading string) bool {
	text := fold(strings.TrimSpace(heading)).text
	f, ok := words().labels.at(text+" ", 0)
	return ok && len(f.text) == len(text)
}

// shortName is how many bytes a name has at least: three letters, two kanji.
const shortName = 3

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// halves are what a name is made of that is in both languages: もくもく会 (Mokumoku Night),
// もくもく会 / Mokumoku Night.
func halves(title string) []string {
	out := strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("()（）/／|｜", r) })
	for _, half := range out { // MAKER's Days ものづくりの3日間
		half = strings.TrimSpace(half)
		i := strings.IndexFunc(half, isEastern)
		if i > 0 && strings.Count(strings.TrimSpace(half[:i]), " ") > 0 && half[i-1] == ' ' {
			out = append(out, half[:i])
		}
	}
	return out
}

// speaks reports whether an item says something in the language.
func (it *item) speaks(japanese bool) bool {
	if japanese {
		return it.japanese
	}
	return it.english
}

// speaksOf reports whether a word stands in an item.
func (it *item) speaksOf(feature string) bool {
	return it.title[feature] || slices.ContainsFunc(it.units, func(u unit) bool { return u.features[feature] != 0 })
}

func isJapanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return scriptOf(r) == hiragana })
}

// isEnglish reports whether a text has English words, and not only names: one that says nothing by
// itself.
func isEnglish(text string) bool {
	for i := 0; i < len(text); {
		end := wordEnd(text, i)
		if end > i && words().stop[text[i:end]] {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i = max(end, i+size)
	}
	return false
}
