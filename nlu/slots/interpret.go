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
	i.answer()
	name := i.called()
	i.unknownVerb()
	i.flags()
	i.asksForNote()
	i.pick()
	i.change()
	i.off()
	i.lead()
	i.sortTimes()
	i.places()
	i.people()
	i.recurrence()
	if i.c.Title = name; name.Text == "" {
		i.title()
	}
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

// answer cuts what only answers a question, at the beginning and before a pause.
func (i *interpreter) answer() {
	for n := 0; n < len(i.r.tokens); {
		end := n + 1
		for end < len(i.r.tokens) && !i.r.tokens[end].stop {
			end++
		}
		said := strip{i.r.tokens, i.f, i.whole.keep[n:end]}
		if said.at(0, i.f.answer) < end-n {
			return
		}
		i.mark(n, end)
		n = end
	}
}

// called is the name that a command gives to what it makes, up to when it is: an event called |morning work| from 8 to 11.
func (i *interpreter) called() Piece {
	for n := range i.r.tokens {
		from := n + i.whole.at(n, i.f.called)
		if from == n || from == len(i.r.tokens) {
			continue
		}
		end := from + 1
		for end < len(i.r.tokens) && !i.r.tokens[end].stop && !i.isWhen(end) {
			end++
		}
		i.r.times = slices.DeleteFunc(slices.Clone(i.r.times), func(e datetime.Expression) bool {
			first, last := i.r.tokensOf(e.Start, e.End)
			return first >= from && last <= end
		})
		i.mark(n, end)
		return i.r.piece(from, end)
	}
	return Piece{}
}

// isWhen reports whether a time begins at token n, or a word that stands before one.
func (i *interpreter) isWhen(n int) bool {
	behind := min(n+i.whole.at(n, i.f.timeBefore), len(i.r.tokens)-1)
	return (i.r.tokens[n].time|i.r.tokens[behind].time)&timeBegin != 0
}

// off reads 英会話は休みにして, which takes it off the calendar. A day off (明日は休みにして) is one to be made.
func (i *interpreter) off() {
	if i.said&i.f.off == 0 {
		return
	}
	for n := range i.r.tokens {
		if i.whole.at(n, i.f.off) == 0 || n < 2 || i.r.tokens[n-2].time != 0 {
			continue
		}
		switch i.r.word(n - 1) {
		case "は", "を", "も":
			i.c.Operation, i.c.Change = Delete, Change{}
			i.mark(n, len(i.r.tokens))
			return
		}
	}
}

// unknownVerb reads verbs that the tagger does not know: of taking something off, where the command
// begins (call off|the review), and of making something, where it ends (ランチで|ブロックして).
func (i *interpreter) unknownVerb() {
	n := i.whole.at(0, i.f.opener)
	whole := strip{i.r.tokens, i.f, slices.Clone(i.whole.keep)}
	switch {
	case i.whole.at(n, i.f.telling) > 0 && i.c.Operation == Create:
		i.c.Operation = Query
	case i.whole.at(n, i.f.removing) > 0:
		i.c.Operation, i.c.Confidence = Delete, 1
	case i.c.Operation == Query && i.c.Confidence < sure && whole.verbPhrase(i.f.making) > 0:
		i.c.Operation = Create
	}
}

func (i *interpreter) flags() {
	i.c.All = i.said&i.f.all != 0
	if i.c.Suggest = i.said&i.f.suggest != 0 || i.findsLength(); i.c.Suggest {
		i.c.Operation = Query
	}
	i.toBeTold()
	if i.c.Operation == Create && i.said&i.f.free != 0 && i.r.all&i.r.words.doing == 0 {
		i.c.Operation = Query // 金曜の午後空いてる: without a verb that makes anything
	}
	if i.c.Operation == Create && i.asksForMine() {
		i.c.Operation = Query
	}
	if i.c.Operation == Query && i.c.Confidence < sure && i.isPlan() {
		i.c.Operation = Create
	}
	if i.said&i.f.sometime != 0 {
		i.atSomeTime()
	}
	i.c.All = i.c.All || i.c.Operation == Delete && i.said&i.f.emptying != 0
	i.c.Free = i.c.Operation == Query && i.said&i.f.free != 0
	i.c.Remind = i.c.Operation == Create && i.r.all&i.r.words.remind != 0
}

// findsLength reports whether a length of time is to be found: find me|an hour. A reminder is none: give me
// a reminder an hour before.
func (i *interpreter) findsLength() bool {
	return i.said&i.f.finding != 0 && i.r.all&i.r.words.remind == 0 && i.namesLength()
}

// namesLength reports whether a length of time is named.
func (i *interpreter) namesLength() bool {
	return slices.ContainsFunc(i.r.times, func(e datetime.Expression) bool { return e.Kind == datetime.KindDuration })
}

// toBeTold reads a wish to be told of something at a time, which looks like a question: 20分後に電話するのを|教えて.
func (i *interpreter) toBeTold() {
	if i.c.Operation != Query || i.c.Confidence >= sure {
		return
	}
	s := &strip{i.r.tokens, i.f, slices.Clone(i.whole.keep)}
	s.dropTail(i.f.polite)
	verb := len(s.keep) - s.verbPhrase(i.f.verb)
	if verb == len(s.keep) || i.r.tokens[verb].begins&i.r.words.remind == 0 || s.before(verb, i.f.boundary) == 0 {
		return
	}
	atTime := func(e datetime.Expression) bool { return e.Kind == datetime.KindTime }
	if slices.ContainsFunc(i.r.times, atTime) {
		i.c.Operation = Create
	}
}

// asksForMine reports whether only what is the speaker's own is named, without a verb: my schedule from
// Nov 25 to Nov 27.
func (i *interpreter) asksForMine() bool {
	n := i.whole.at(0, i.f.mine)
	if n == 0 {
		return false
	}
	for _, t := range i.r.tokens[n:] {
		if t.time == 0 && t.classes&i.r.words.doing != 0 {
			return false
		}
	}
	return true
}

// isPlan reports whether it is only said when or where something is (明日の夜8時から飲み会, 新宿で忘年会), and nothing asked: behind a time or a place
// stands a noun, and that is all.
func (i *interpreter) isPlan() bool {
	w, tokens := i.r.words, i.r.tokens
	if i.r.lang != Japanese || strings.ContainsAny(i.r.text, "?？") {
		return false
	}
	said := classes(0)
	for _, t := range tokens {
		if t.time == 0 {
			said |= t.classes
		}
	}
	from := len(tokens)
	for from > 0 && tokens[from-1].time == 0 && (tokens[from-1].shape != shapeHiragana || tokens[from-1].classes&w.proper != 0) {
		from--
	}
	if said&(w.question|w.doing|w.update|w.generic) != 0 || from == len(tokens) || from == 0 {
		return false
	}
	atTime := slices.ContainsFunc(i.r.times, func(e datetime.Expression) bool { return e.Kind == datetime.KindTime })
	switch before := i.r.word(from - 1); {
	case tokens[from-1].time != 0, before == "に":
		return atTime
	default:
		return before == "で" && (atTime || len(of(i.c.Slots, Place)) > 0)
	}
}

// atSomeTime reads a command that leaves open when it shall be. A wish, one without a verb (打ち合わせを来週のどこかに)
// and one that says how long it takes ask for it to be made, though どこか looks like a question.
func (i *interpreter) atSomeTime() {
	said := strings.TrimRight(i.r.text, "。.!？? ")
	ends := func(end string) bool { return strings.HasSuffix(said, end) }
	long := !strings.ContainsAny(i.r.text, "?？") && i.namesLength()
	if i.r.lang == Japanese && (long || slices.ContainsFunc([]string{"に", "たい", "たいです"}, ends)) {
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
	for _, e := range i.r.times {
		if i.c.Remind && e.FromNow < 0 { // 前日に
			i.c.Lead = -e.FromNow
			i.cutTime(i.r.tokensOf(e.Start, e.End))
			return
		}
	}
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
			said := strings.TrimSuffix(e.Text, "の") // 毎週の英会話
			i.c.Frequency = Piece{said, e.Start, e.Start + len(said)}
		}
	}
	i.onWorkdays()
	if i.c.Frequency.Text != "" {
		return
	}
	if found := of(i.c.Slots, Frequency); len(found) > 0 {
		i.c.Frequency = i.trimmed(found[0].Piece)
	}
}

// onWorkdays reads 平日は毎朝9時, and 平日の朝8時 of what is to be made: it is on each of them, and not on those of this week.
func (i *interpreter) onWorkdays() {
	for n := range i.r.times {
		if n+1 == len(i.r.times) || !isWorkdays(i.r.times[n]) {
			continue
		}
		days, hour := i.r.times[n], i.r.times[n+1]
		between := strings.Trim(i.r.text[days.End:hour.Start], " 、,")
		beside := slices.Contains([]string{"", "は", "の", "に", "at", "on"}, between)
		recurs := hour.Kind == datetime.KindSet || i.c.Operation == Create && hour.Kind == datetime.KindTime && hour.NoDay
		if !beside || !recurs {
			continue
		}
		i.c.Frequency = Piece{i.r.text[days.Start:hour.End], days.Start, hour.End}
		i.c.Times = slices.DeleteFunc(i.c.Times, func(e datetime.Expression) bool { return days.Start <= e.Start && e.End <= hour.End })
		return
	}
}

// isWorkdays reports whether an expression names working days, and no week of them.
func isWorkdays(e datetime.Expression) bool {
	switch strings.ToLower(e.Text) {
	case "平日", "weekdays", "workdays":
		return true
	}
	return false
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
