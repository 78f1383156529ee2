package slots

import (
	"slices"
	"strings"
	"time"

	"annai/nlu/datetime"
)

// added is what a command adds in clauses of their own, behind what it says first: 、場所は会議室A、説明は予算の相談,
// ", title it Focus and remind me an hour before".
type added struct {
	place, title, note Piece
	people             []Piece
	remind             bool
	lead               time.Duration
	// changes says that place and title are what becomes of an entry that is there: 会議、場所は会議室Bに変更して.
	changes bool
	// at is where the rest of the command begins in the text.
	at int
	// more says that another order follows, which is left out.
	more bool
	// onto says that a note is all that is wanted, for an entry that is there: 会議に「資料を持参」とメモして.
	onto bool
}

// detail is what a clause is about. It is a closed set; zero: it is none.
type detail uint8

const (
	detailNote detail = iota + 1
	detailPlace
	detailTitle
	detailReminder
	detailPeople
	detailOrder // another order
)

// cutClauses finds what a command adds in clauses of their own, and returns the command without them. Where there
// are none the text is as it was.
func cutClauses(text, lang string, times []datetime.Expression) (string, []datetime.Expression, added) {
	s := clauses{text: text, lang: lang, words: wordsOf(lang)}
	s.strip = strip{tokens: tokenize(text, lang, nil), frames: framesOf(lang)}
	s.words.mark(s.tokens)
	if len(times) > 0 {
		s.lastTime = times[len(times)-1].Start
	}
	for n := range s.tokens {
		s.keep = append(s.keep, n)
	}
	if rest, note := s.noteOnto(); note.Text != "" {
		return rest.Text, timesIn(times, rest.Start, rest.End), added{note: note, onto: true, at: rest.Start}
	}
	var said added
	first, end := len(s.tokens), len(s.tokens)
	for n := len(s.tokens) - 1; n > 0; n-- {
		about, from := s.clauseAt(n)
		// Words that announce a clause may begin with further ones that do not change it: and please|invite.
		if about == 0 || from < end && !s.add(&said, about, from, end) {
			continue
		}
		first, end = n, n
	}
	if first == len(s.tokens) {
		return text, times, said
	}
	cut := s.tokens[first].start
	return text[:cut], timesIn(times, 0, cut), said
}

// timesIn are the times in a stretch of the text, as they stand in it alone.
func timesIn(times []datetime.Expression, start, end int) []datetime.Expression {
	var kept []datetime.Expression
	for _, e := range times {
		if start <= e.Start && e.End <= end {
			e.Start, e.End = e.Start-start, e.End-start
			kept = append(kept, e)
		}
	}
	return kept
}

// clauses reads the clauses of a text.
type clauses struct {
	strip
	text, lang string
	words      *wordClasses
	lastTime   int // where the last time begins
}

// clauseAt says what the clause is about that begins at token n, and where what it says begins.
func (s *clauses) clauseAt(n int) (about detail, from int) {
	f := s.frames
	pause := s.tokens[n].stop
	if from := s.noteAt(n); from > 0 {
		return detailNote, from
	}
	for _, d := range [...]struct {
		about detail
		list  classes
	}{{detailPlace, f.placeSaid}, {detailTitle, f.titleSaid}} {
		after := n + s.at(n, d.list)
		if after == n || !pause || after >= len(s.tokens) {
			continue
		}
		if is := s.at(after, f.noteIs); (is > 0 || s.tokens[after].stop) && after+is < len(s.tokens) {
			return d.about, after + is
		}
	}
	if s.isAt(n) {
		return detailPlace, n
	}
	if length := s.at(n, f.titleWith); length > 0 && n+length < len(s.tokens) {
		return detailTitle, n + length
	}
	if length := s.at(n, f.inviting); length > 0 && n+length < len(s.tokens) {
		return detailPeople, n + length
	}
	if joined := s.at(n, f.also); pause || joined > 0 {
		if s.lead(n+joined) > 0 {
			return detailReminder, n + joined
		}
	}
	if s.isOrder(n) {
		return detailOrder, n
	}
	return 0, 0
}

// isOrder reports whether another order with a time of its own begins at token n: cancel lunch| and add a call at one.
// What is to be remembered may well have two verbs.
func (s *clauses) isOrder(n int) bool {
	verb := n + s.at(n, s.frames.also)
	if verb == n || verb >= len(s.tokens) || s.tokens[verb].start > s.lastTime {
		return false
	}
	w, before := s.words, classes(0)
	for _, t := range s.tokens[:n] {
		before |= t.begins
	}
	if before&w.remind != 0 || before&(w.doing|w.update) == 0 {
		return false
	}
	same := verb+1 < len(s.tokens) && s.at(verb+1, s.frames.empty) > 0 // and make it an hour
	return !same && s.tokens[verb].begins&(w.doing|w.update)&^w.remind != 0
}

// isAt reports whether token n names a place by the sign before it, behind all times: lunch on Friday @Luigi's.
func (s *clauses) isAt(n int) bool {
	t := s.tokens[n]
	before, ok := strings.CutSuffix(strings.TrimSuffix(s.text[:t.start], " "), "@")
	return ok && strings.HasSuffix(before, " ") && t.shape != shapeDigits && t.start > s.lastTime
}

// add takes over what a clause says that goes from token from to end. ok is false for one that asks, or changes.
func (s *clauses) add(said *added, about detail, from, end int) bool {
	switch about {
	case detailNote:
		said.note = s.value(from, s.noteEnd(from, end))
	case detailPlace, detailTitle:
		for _, t := range s.tokens[from:end] {
			if t.classes&s.words.question != 0 {
				return false
			}
			said.changes = said.changes || t.begins&s.words.update != 0
		}
		value := s.value(from, s.valueEnd(from, end))
		if about == detailPlace {
			said.place = value
		} else {
			said.title = value
		}
	case detailOrder:
		*said = added{more: true}
	case detailPeople:
		said.people = append(said.people, s.value(from, s.valueEnd(from, end)))
	case detailReminder:
		said.remind, said.lead = true, s.lead(from)
	}
	return true
}

// value is what is said in tokens [from, to), without quotation marks.
func (s *clauses) value(from, to int) Piece {
	if from >= to {
		return Piece{}
	}
	start := s.tokens[from].start
	said := strings.Trim(s.text[start:s.tokens[to-1].end], " 「」『』\"“”'")
	at := start + strings.Index(s.text[start:], said)
	return Piece{said, at, at + len(said)}
}

// lead is how long before it a reminder is wanted, if tokens from n on ask for one: 30分前に教えて, "remind
// me an hour before".
func (s *clauses) lead(n int) time.Duration {
	f, asked := s.frames, false
	for k := n; k < len(s.tokens) && k < n+longestReminder && (k == n || !s.tokens[k].stop); k++ {
		asked = asked || s.tokens[k].begins&s.words.remind != 0
	}
	for k := n + 1; asked && k < len(s.tokens) && k < n+longestReminder; k++ {
		if s.at(k, f.before) == 0 {
			continue
		}
		for from := max(n, k-longestLead); from < k; from++ {
			if d := duration(s.text[s.tokens[from].start:s.tokens[k-1].end]); d > 0 {
				return d
			}
		}
	}
	return 0
}

// longestReminder is how many tokens the clause has at most that asks for a reminder.
const longestReminder = 16

// noteAt is where a note begins that the words at token n announce, or 0.
func (s *clauses) noteAt(n int) int {
	f := s.frames
	if length := s.at(n, f.noteWith); length > 0 && n+length < len(s.tokens) {
		return n + length
	}
	length := s.at(n, f.noteOf)
	if length == 0 || n+length >= len(s.tokens) || !s.tokens[n].stop && s.before(n, f.noteBehind) == 0 {
		return 0
	}
	after := n + length
	is := s.at(after, f.noteIs)
	if is == 0 && !s.tokens[after].stop || after+is >= len(s.tokens) {
		return 0
	}
	return after + is
}

// noteEnd is where a note ends that goes from token from up to end: before the words that ask to write it.
func (s *clauses) noteEnd(from, end int) int {
	rest := &strip{tokens: s.tokens, frames: s.frames, keep: slices.Clone(s.keep[from:end])}
	f := s.frames
	if s.lang != Japanese {
		rest.dropTail(f.polite)
	} else if n := rest.verbPhrase(f.verb); n > 0 && rest.quotes(len(rest.keep)-n) {
		rest.keep = rest.keep[:len(rest.keep)-n]
		rest.dropTail(f.noteIs | f.quote)
	} else if n := rest.before(len(rest.keep), f.polite); n > 0 && n < len(rest.keep) {
		rest.dropTail(f.polite)
		rest.dropTail(f.noteIs)
	}
	if len(rest.keep) == 0 {
		return end
	}
	return rest.keep[len(rest.keep)-1] + 1
}

// valueEnd is where a place or a title ends that goes from token from up to end: before the verb of the command.
func (s *clauses) valueEnd(from, end int) int {
	rest := &strip{tokens: s.tokens, frames: s.frames, keep: slices.Clone(s.keep[from:end])}
	f := s.frames
	rest.dropTail(f.polite)
	if s.lang == Japanese {
		rest.keep = rest.keep[:len(rest.keep)-rest.verbPhrase(f.verb)]
		rest.dropTail(f.polite | f.particle)
	}
	if len(rest.keep) == 0 {
		return end
	}
	return rest.keep[len(rest.keep)-1] + 1
}

// quotes reports whether what stands before the n-th token kept says that the words before it are meant
// as they are: 予算の相談と|書いて.
func (s *strip) quotes(n int) bool { return s.before(n, s.frames.quote) > 0 }

// noteOnto reads an order to write a note beside an entry that is there, and returns the words for that entry and
// the note: "add a note to my trip: bring the blue suitcase", 会議のメモに資料持参って書いて.
func (s *clauses) noteOnto() (entry, note Piece) {
	f := s.frames
	if s.lang != Japanese {
		from := s.at(0, f.opener)
		onto := s.at(from, f.noteOnto)
		if onto == 0 {
			return Piece{}, Piece{}
		}
		for n := from + onto + 1; n < len(s.tokens); n++ {
			say := s.at(n, f.noteSay)
			if (say > 0 || s.tokens[n].stop) && n+say < len(s.tokens) {
				return s.value(from+onto, n), s.value(n+say, s.noteEnd(n+say, len(s.tokens)))
			}
		}
		return Piece{}, Piece{}
	}
	end := len(s.tokens)
	verb := s.verbPhrase(f.noteVerb)
	quoted := verb > 0 && s.quotes(end-verb)
	if n, note := s.bracketed(); n > 0 { // 会議に備考「…」を追加して, 会議に「…」とメモして
		if to := s.before(n, f.noteOnto); to > 1 || to > 0 && quoted {
			return s.value(0, n-to), note
		}
	}
	for n := 1; quoted && n < end-verb; n++ {
		if to := s.at(n, f.noteOnto); to > 1 && n+to < end-verb {
			return s.value(0, n), s.value(n+to, s.noteEnd(n+to, end))
		}
	}
	return Piece{}, Piece{}
}

// bracketed is what stands in the first brackets, and at which token it begins; 0 for none.
func (s *clauses) bracketed() (n int, said Piece) {
	between := func(n int) string { return s.text[s.tokens[n-1].end:s.tokens[n].start] }
	for n := 1; n < len(s.tokens); n++ {
		if !strings.ContainsAny(between(n), "「『") {
			continue
		}
		end := n + 1
		for end < len(s.tokens) && !strings.ContainsAny(between(end), "」』") {
			end++
		}
		return n, s.value(n, end)
	}
	return 0, Piece{}
}

// operate sets the operation, where clauses of their own say which it is.
func (a added) operate(c *Command) {
	switch {
	case a.onto, a.changes:
		c.Operation, c.Confidence = Update, 1
	case a.remind && c.Operation == Query && c.Confidence < sure:
		c.Operation = Create
	}
}

// into takes over what was added in clauses of their own.
func (a added) into(c *Command) {
	c.moveBy(a.at)
	c.Note, c.People = a.note, append(c.People, a.people...)
	place, title := &c.Place, &c.Title
	if a.changes {
		place, title = &c.Change.Place, &c.Change.Title
	}
	if a.place.Text != "" {
		*place = a.place
	}
	if a.title.Text != "" {
		*title = a.title
	}
	c.More = a.more
	if a.remind {
		c.Remind, c.Lead = true, a.lead
	}
}

// moveBy moves all pieces of a command, whose text stands so far behind the beginning of another.
func (c *Command) moveBy(n int) {
	for _, p := range []*Piece{&c.Title, &c.Place, &c.Frequency, &c.Change.Title, &c.Change.Place} {
		if p.Text != "" {
			p.Start, p.End = p.Start+n, p.End+n
		}
	}
	for i := range c.Slots {
		c.Slots[i].Start, c.Slots[i].End = c.Slots[i].Start+n, c.Slots[i].End+n
	}
	for i := range c.People {
		c.People[i].Start, c.People[i].End = c.People[i].Start+n, c.People[i].End+n
	}
	for _, times := range [][]datetime.Expression{c.Times, c.Change.Times} {
		for i := range times {
			times[i].Start, times[i].End = times[i].Start+n, times[i].End+n
		}
	}
}

// asksForNote reads a question for the note of an entry, which is no part of its title: 面接のメモは？, "the
// note of the interview".
func (i *interpreter) asksForNote() {
	if i.c.Operation != Query && i.c.Operation != Create || i.said&i.f.noteAsked == 0 {
		return
	}
	for n := range i.r.tokens {
		length := i.whole.at(n, i.f.noteAsked)
		switch {
		case length == 0:
			continue
		case i.r.lang == Japanese && i.isShown(n+length): // 打ち合わせのメモは, 打ち合わせのメモを見せて
			i.c.Operation, i.c.Remind = Query, false
		case i.c.Operation != Query:
			return
		}
		i.c.NoteAsked = true
		if i.r.lang == Japanese {
			i.mark(n, len(i.r.tokens))
			return
		}
		i.mark(n, n+length)
	}
}

// isShown reports whether what stands from token n on only wants the thing before it to be shown, or nothing
// stands there.
func (i *interpreter) isShown(n int) bool {
	rest := &strip{i.r.tokens, i.f, slices.Clone(i.whole.keep[n:])}
	rest.keep = rest.keep[:len(rest.keep)-rest.verbPhrase(i.f.show)]
	rest.dropTail(i.f.particle)
	return len(rest.keep) == 0
}
