package slots

import (
	"slices"
	"strings"
	"time"

	"annai/nlu/datetime"
)

// interpret fills a command whose operation and slots are known with what a calendar needs.
func interpret(r *reading, c *Command) {
	i := newInterpreter(r, c)
	i.flags()
	i.change()
	i.lead()
	i.sortTimes()
	i.places()
	i.people()
	i.recurrence()
	i.title()
	i.c.Times = slices.DeleteFunc(i.c.Times, i.isTitle)
}

// isTitle reports whether a day by its name begins the title and is no time: クリスマス会 may be on any day.
func (i *interpreter) isTitle(e datetime.Expression) bool {
	return e.Holiday && i.c.Title.Start <= e.Start && e.End < i.c.Title.End
}

// An interpreter makes a command of what is known of a reading.
type interpreter struct {
	r *reading
	c *Command
	f *frames
	// whole are all tokens, and said the lists of frames of which words stand there.
	whole strip
	said  classes
	// cut are the tokens that are no part of a title: times, places, and the small words that go with them.
	cut []bool
}

func newInterpreter(r *reading, c *Command) *interpreter {
	n := len(r.tokens)
	r.cut = slices.Grow(r.cut[:0], n)[:n]
	clear(r.cut)
	r.whole = r.whole[:0]
	for k := range n {
		r.whole = append(r.whole, k)
	}
	i := &interpreter{r: r, c: c, f: framesOf(r.lang), cut: r.cut}
	i.whole = strip{r.tokens, i.f, r.whole}
	i.said = i.whole.said()
	return i
}

func (i *interpreter) flags() {
	i.c.All = i.said&i.f.all != 0
	if i.c.Suggest = i.said&i.f.suggest != 0; i.c.Suggest {
		i.c.Operation = Query
	}
	if i.c.Operation == Create && i.said&i.f.free != 0 && i.r.all&i.r.words.doing == 0 {
		i.c.Operation = Query // 金曜の午後空いてる: without a verb that makes anything
	}
	if i.said&i.f.sometime != 0 {
		i.atSomeTime()
	}
	i.c.Free = i.c.Operation == Query && i.said&i.f.free != 0
	i.c.Remind = i.c.Operation == Create && i.r.all&i.r.words.remind != 0
}

// atSomeTime reads a command that leaves open when it shall be. A wish, or one without a verb (打ち合わせを来週のどこかに), asks for it to be made, though
// どこか looks like a question.
func (i *interpreter) atSomeTime() {
	said := strings.TrimRight(i.r.text, "。.!？? ")
	if i.r.lang == Japanese && (strings.HasSuffix(said, "に") || strings.HasSuffix(said, "たい") || strings.HasSuffix(said, "たいです")) {
		i.c.Operation = Create
	}
	i.c.Suggest = i.c.Suggest || i.c.Operation == Create
	for n := range i.r.tokens {
		i.mark(n, n+i.whole.at(n, i.f.sometime))
	}
}

// longestLead is how many tokens a length of time has at most.
const longestLead = 6

// lead finds how long before it a reminder is wanted: 三十分前に, "ten minutes before".
func (i *interpreter) lead() {
	if !i.c.Remind || i.said&i.f.before == 0 {
		return
	}
	for n := 1; n < len(i.r.tokens); n++ {
		length := i.whole.at(n, i.f.before)
		if length == 0 {
			continue
		}
		for from := max(0, n-longestLead); from < n; from++ {
			if d := duration(i.r.piece(from, n).Text); d > 0 {
				i.c.Lead = d
				i.cutTime(from, n+length)
				return
			}
		}
	}
}

// duration is the length of time that a text says and nothing else, or 0.
func duration(text string) time.Duration {
	found := datetime.Parse(text, time.Time{})
	if len(found) != 1 || found[0].Kind != datetime.KindDuration || found[0].End-found[0].Start < len(text) {
		return 0
	}
	return time.Duration(found[0].Seconds) * time.Second
}

// sortTimes gives every temporal expression that is not spoken for to what it belongs to.
func (i *interpreter) sortTimes() {
	for _, e := range i.r.times {
		from, to := i.r.tokensOf(e.Start, e.End)
		switch {
		case from < to && i.cut[from]:
		case e.Kind == datetime.KindSet:
		case e.Kind != datetime.KindDuration:
			i.c.Times = append(i.c.Times, e)
		case i.c.Duration == 0:
			i.c.Duration = time.Duration(e.Seconds) * time.Second
		}
	}
}

// places takes the first place, and cuts places out of the title where a particle says that they are only where.
func (i *interpreter) places() {
	changed := i.c.Change.Place
	for _, slot := range append(of(i.c.Slots, Place), i.numbered()...) {
		if slot.Start < changed.End && changed.Start < slot.End {
			continue
		}
		slot.Piece = i.withNumber(slot.Piece)
		if i.c.Place.Text == "" {
			i.c.Place = i.trimmed(slot.Piece)
		}
		i.cutPlace(i.r.tokensOf(slot.Start, slot.End))
	}
}

// withNumber is a place with the letter or number behind it: 会議室|B.
func (i *interpreter) withNumber(p Piece) Piece {
	from, to := i.r.tokensOf(p.Start, p.End)
	if from >= to || i.r.tokens[to-1].classes&i.r.words.place == 0 {
		return p
	}
	end := i.numberBehind(to)
	return i.r.piece(from, max(end, to))
}

// numberBehind is where the letter or number ends that begins at token n and belongs to the word before, or n.
func (i *interpreter) numberBehind(n int) int {
	end := n
	for end < len(i.r.tokens) && end < n+longestNumber {
		t := i.r.tokens[end]
		isNumber := t.time == 0 && (t.shape == shapeDigits || t.shape == shapeLatin && (i.r.lang == Japanese || t.end-t.start == 1))
		if !isNumber || end == n && i.r.lang == Japanese && t.gap {
			break
		}
		end++
	}
	return end
}

// longestNumber is how many tokens the number of a room has at most.
const longestNumber = 4

// numbered are places that the tagger has not seen and that a letter or number names: 会議室Aで, "in Room 5".
func (i *interpreter) numbered() []Slot {
	var found []Slot
	for n, t := range i.r.tokens {
		if t.ends&i.r.words.place == 0 || i.taken(n) {
			continue
		}
		from, end := n, i.numberBehind(n+1)
		for from > 0 && i.r.tokens[from].begins&i.r.words.place == 0 {
			from--
		}
		says := i.whole.at(end, i.f.behind) > 0 && end < len(i.r.tokens) && (i.r.word(end) == "で" || i.r.word(end) == "に")
		if i.r.lang != Japanese {
			says = i.whole.before(from, i.f.placeBefore) > 0
		}
		if end > n+1 && says {
			found = append(found, Slot{Place, i.r.piece(from, end)})
		}
	}
	return found
}

// taken reports whether a token is part of a place already.
func (i *interpreter) taken(n int) bool {
	t := i.r.tokens[n]
	return slices.ContainsFunc(i.c.Slots, func(s Slot) bool { return s.Type == Place && s.Start < t.end && t.start < s.End })
}

func (i *interpreter) people() {
	for _, slot := range of(i.c.Slots, Person) {
		if p := i.trimmed(slot.Piece); p.Text != "" {
			if short, ok := strings.CutSuffix(p.Text, "'s"); ok {
				p.Text, p.End = short, p.End-len("'s")
			}
			i.c.People = append(i.c.People, p)
		}
	}
}

// recurrence takes the longest expression that says how it recurs: of "weekly" and "every Thursday at 11" that is the second.
func (i *interpreter) recurrence() {
	for _, e := range i.r.times {
		if e.Kind == datetime.KindSet && len(e.Text) > len(i.c.Frequency.Text) {
			i.c.Frequency = Piece{e.Text, e.Start, e.End}
		}
	}
	if i.c.Frequency.Text != "" {
		return
	}
	if found := of(i.c.Slots, Frequency); len(found) > 0 {
		i.c.Frequency = i.trimmed(found[0].Piece)
	}
}

// trimmed is a piece without the small words at its ends.
func (i *interpreter) trimmed(p Piece) Piece {
	from, to := i.r.tokensOf(p.Start, p.End)
	s := &strip{i.r.tokens, i.f, slices.Clone(i.whole.keep[from:to])}
	if i.r.lang == Japanese {
		for {
			last := len(s.keep) - 1
			n := s.before(len(s.keep), i.f.particle|i.f.behind)
			if n == 0 || n > last || i.r.tokens[s.keep[last]].ends&i.r.words.proper != 0 { // こども is no こど with a particle
				return i.r.piece(s.keep[0], s.keep[last]+1)
			}
			s.keep = s.keep[:len(s.keep)-n]
		}
	}
	if s.dropHead(i.f.placeBefore | i.f.timeBefore | i.f.light); len(s.keep) == 0 {
		return Piece{}
	}
	return i.r.piece(s.keep[0], to)
}
