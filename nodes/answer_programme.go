package nodes

import (
	"slices"
	"strings"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
)

// A programmeAnswer answers which events there are, how many, and which is the first or the last,
// from what the calendars have.
type programmeAnswer struct {
	eventContext

	question talk.Question
	// text is the question in lower case; rest are its content words.
	text string
	rest []string
	// near are the titles of events that the words of the question are near to, best first.
	near []string
}

// answer words the conclusion first: how many there are, then each with its time and place.
func (a programmeAnswer) answer() (draft, topic) {
	a = a.recurring()
	open, wanted := a.open(), a.wanted()
	found := slices.DeleteFunc(slices.Clone(open), func(e display.Entry) bool { return !wanted(e) })
	if titles := a.each(found); len(titles) > 0 {
		return a.answerEach(eventAsk{
			Wish: eventWish{Each: titles}, Question: a.question, Rest: contentWords(a.narrowing()), Asked: a.wish.Range,
		})
	}
	narrowed := len(found) < len(open) || len(open) == 0 && a.narrows() || a.rhythms != nil
	var later []display.Entry
	if len(found) == 0 {
		later = slices.DeleteFunc(a.later(), func(e display.Entry) bool { return !wanted(e) })
	}
	assumed := !a.wish.Range.Explicit
	if len(found) == 0 && assumed {
		found, later = later, nil
	}
	if a.rhythms != nil {
		found, assumed = onceEach(found), false
	}
	found = a.edge(found)
	if end := a.wish.Range.TimeRange().End; len(found) > 0 && !found[0].Span(a.now.Location()).Start.Before(end) {
		assumed = false // nothing was looked for in that time alone
	}
	next := topic{Node: nodeEvent, Range: a.wish.Range, Wish: a.wish}
	d := draft{Range: a.wish.Range, Facts: facts{
		Calendar: statusOK, Knowledge: statusEmpty, Assumed: assumed, Partial: !a.calendar.Complete,
	}}
	switch {
	case a.wish.Skip > 0 && a.wish.Skip >= len(found):
		d.Text, d.Facts.Calendar, d.Facts.Assumed = a.say(prompts.EventsNoMore{}), statusEmpty, false
		next.Offset, next.Total = len(found), len(found)
	case len(found) == 0:
		a.tellNone(&d, &next, open, later, narrowed)
	default:
		skip := a.wish.Skip
		items := found[skip:min(len(found), skip+maxItems)]
		a.listAll(&d, items, len(found)-skip, narrowed)
		a.sayUnfound(&d, found)
		next.Items, next.Offset, next.Total = items, skip, len(found)
		if len(items) == 1 {
			next.Focus = 1
		}
	}
	if a.knowledge.Status == statusError {
		d.Facts.Knowledge = statusError
	} else if len(found) > 0 || !a.unread() {
		a.addPassages(&d, a.dated())
	}
	a.addNotes(&d)
	return d, next
}

// recurring is the answer with how events recur, where those that do are asked for. Where no time is named that
// is about the months ahead.
func (a programmeAnswer) recurring() programmeAnswer {
	filters, _, _ := a.asked()
	if a.calendar.Status == statusError || !slices.ContainsFunc(filters, words.FilterRow.Recurs) {
		return a
	}
	all := map[string][]display.Entry{}
	for _, e := range a.calendar.Events {
		all[e.Title] = append(all[e.Title], e)
	}
	a.rhythms = map[string]prompts.AnswerSeries{}
	for title, list := range all {
		if p, ok := (eventAnswer{eventContext: a.eventContext, all: list}).rhythm(); ok {
			a.rhythms[title] = p
		}
	}
	if !a.wish.Range.Explicit {
		today := civil.DateOf(a.now)
		days := civil.Days(today, today.AddDays(aheadDays), a.now.Location())
		a.wish.Range = display.Span{Name: datetime.Range, Start: days.Start, End: days.End, OpenEnd: true}
	}
	return a
}

// onceEach keeps of events of the same title the first that takes place.
func onceEach(list []display.Entry) []display.Entry {
	told := map[string]bool{}
	return slices.DeleteFunc(list, func(e display.Entry) bool {
		if told[e.Title] || e.Cancelled() {
			return true
		}
		told[e.Title] = true
		return false
	})
}

// dated are the passages for some days, none of which recur.
func (a programmeAnswer) dated() []rag.Hit {
	if a.rhythms != nil {
		return nil
	}
	return a.eventContext.dated()
}

// tellNone says that there are none, with what comes nearest: what could not be read, the rule for all
// events, and what else there is.
func (a programmeAnswer) tellNone(d *draft, next *topic, open, later []display.Entry, narrowed bool) {
	switch {
	case a.unread():
		a.tellFailure(d, a.dated())
	case len(a.dated()) > 0:
		d.Facts.Calendar = statusEmpty
	case a.general(d, later):
	default:
		a.none(d, narrowed, later)
		if a.rhythms != nil {
			open = onceEach(slices.Clone(open))
		}
		if len(open) > 0 && narrowed { // what else there is may do as well
			next.Items, next.Total = open[:min(len(open), maxItems)], len(open)
			a.alsoList(d, next.Items, len(open), len(later) == 0)
			d.Facts.Nothing = false
		}
	}
}

// each are the titles of the events found, where a detail of each of them is asked for.
func (a programmeAnswer) each(found []display.Entry) []string {
	if !slices.Contains(ofEach, a.question.Ask) || !a.wish.Range.Explicit {
		return nil
	}
	var titles []string
	for _, e := range found {
		if !slices.Contains(titles, e.Title) {
			titles = append(titles, e.Title)
		}
	}
	if len(titles) > maxSpokenEvents {
		return nil
	}
	return titles
}

// ofEach are the kinds of answers that are given of each of some events.
var ofEach = []nlu.Ask{
	nlu.AskHowMuch, nlu.AskNeedI, nlu.AskHowLong, nlu.AskUntilWhen, nlu.AskWhichLanguage, nlu.AskForWhom,
	nlu.AskStillOn, nlu.AskWhere,
}

// narrowing are the words of the question that name what is wished for.
func (a programmeAnswer) narrowing() []string {
	_, rest, _ := a.asked()
	return rest
}

// alsoList lists what else there is in the range behind what is said of what is wished for; never
// says that there is no such event in the months ahead either.
func (a programmeAnswer) alsoList(d *draft, items []display.Entry, total int, never bool) {
	said, wanted := d.Text, a.narrowing()
	a.listAll(d, items, total, false)
	if a.wish.Range.Explicit || !never || len(wanted) == 0 {
		d.Text, d.Spoken = said+"\n"+d.Text, append([]string{said}, d.Spoken...)
		return
	}
	d.Facts.Assumed = false
	said = a.say(prompts.EventsOther{Range: a.rangeWords(), Wanted: quoted(wanted), Ahead: true})
	_, list, _ := strings.Cut(d.Text, "\n\n")
	d.Text, d.Spoken[0] = display.JoinParts(said, list), said
}

// sayUnfound says that no event is about what the question names, where none of those found has a word of
// that and none is near to it, in place of a head that would take them for such events.
func (a programmeAnswer) sayUnfound(d *draft, found []display.Entry) {
	_, rest, besides := a.asked()
	content := contentWords(rest)
	known := besides || a.wish.Kind || len(content) == 0 || len(a.near) > 0
	if known || a.question.Ask != nlu.AskIsThere || a.wish.Skip > 0 {
		return
	}
	has := func(e display.Entry) bool {
		written := strings.ToLower(e.Title + " " + e.Location + " " + e.Description)
		in := func(w string) bool { return text.ContainsWord(written, strings.ToLower(w)) }
		return slices.ContainsFunc(content, in)
	}
	if slices.ContainsFunc(found, has) {
		return
	}
	head := a.say(prompts.EventsOther{Range: a.rangeWords(), Wanted: quoted(rest)})
	_, list, _ := strings.Cut(d.Text, "\n\n")
	d.Text, d.Spoken = display.JoinParts(head, list), slices.Clone(d.Spoken)
	d.Spoken[0] = head
}

// quoted are words of a visitor as a name for what was looked for; "" where they are a sentence.
func quoted(list []string) string {
	if len(list) > maxQuoted {
		return ""
	}
	return display.NoBrackets(strings.Join(list, " "))
}

// maxQuoted is how many words may be one.
const maxQuoted = 3

// general answers by the rule that holds for all events, where none says of itself what is wished
// for: イベントの参加費は、ほとんどが無料です.
func (a programmeAnswer) general(d *draft, later []display.Entry) bool {
	filters, rest, besides := a.asked()
	if len(filters) != 1 || len(rest) > 0 && !besides || filters[0].States == "" {
		return false
	}
	for _, h := range a.knowledge.Rules {
		if !statesText(h.Passage.Text, nlu.Ask(filters[0].States)) || h.Passage.Category != categoryEvents {
			continue
		}
		d.Facts.Calendar = statusEmpty
		d.Text = a.say(prompts.AnswerNoProgramme{Range: a.rangeAdverb(), Unsaid: true, Next: a.next(d, later)})
		a.quote(d, []rag.Hit{h})
		return true
	}
	return false
}

// rangeAdverb is the range as it stands in a sentence.
func (a programmeAnswer) rangeAdverb() string {
	p := a.part()
	if a.rhythms != nil && !p.Range.Explicit {
		p.Range.Name = "three_months"
	}
	return p.Adverb(a.now, a.lang)
}

// inRhythm is how events shall recur, as it stands before their name, and whether more is wished for.
func (a programmeAnswer) inRhythm() (rhythm string, more bool) {
	filters, rest, besides := a.asked()
	i := slices.IndexFunc(filters, words.FilterRow.Recurs)
	name := "rhythm_" + filters[i].Name
	return display.Phrase(a.lang, name), len(filters) > 1 || len(rest) > 0 || besides
}

// rhythmMark is the word by which an event has its rhythm, as the filters name it.
func (a programmeAnswer) rhythmMark(e display.Entry) string {
	switch p, ok := a.rhythms[e.Title]; {
	case !ok:
		return ""
	case p.Nths != nil:
		return "@monthly"
	case p.Biweekly:
		return "@biweekly"
	}
	return "@weekly"
}

func (a programmeAnswer) none(d *draft, narrowed bool, later []display.Entry) {
	d.Facts.Calendar, d.Facts.Nothing = statusEmpty, true
	if a.over() {
		d.Text = a.say(prompts.EventsPast{Range: a.rangeWords(), Next: a.next(d, later)})
		return
	}
	if past := !a.now.Before(a.wish.Range.TimeRange().End); !narrowed && (past || len(later) == 0) {
		d.Text = a.say(prompts.EventsNone{Range: a.rangeWords(), Venue: a.venue.Name.In(string(a.lang))})
		return
	}
	filters, _, _ := a.asked()
	p := prompts.AnswerNoProgramme{Range: a.rangeAdverb(), Wanted: narrowed, Unsaid: len(filters) > 0}
	if a.rhythms != nil {
		p.Rhythm, p.Wanted = a.inRhythm()
	}
	if day := a.wish.Range.OneDay(); !day.IsZero() {
		hours := a.venue.Day(day)
		p.Closed = hours.Known && !hours.Open
	}
	p.Next = a.next(d, later)
	d.Text = a.say(p)
}

// next is the first of the events behind the range, as it stands in a sentence, and is shown; "" where there is none.
func (a programmeAnswer) next(d *draft, later []display.Entry) string {
	if len(later) == 0 {
		return ""
	}
	e := eventAnswer{eventContext: a.eventContext}
	d.Cards = a.eventContext.cards(later[:1])
	name, when := e.name(later[0]), e.when(later[0])
	return display.InLang(a.lang, when+"、"+name, name+" on "+when)
}

// listAll lists events as they are; where only some are wished for, or their number is asked, how
// many there are comes first.
func (a programmeAnswer) listAll(d *draft, items []display.Entry, total int, narrowed bool) {
	d.Facts.Calendar, d.Facts.Events = statusOK, len(items)
	d.Facts.Changed = a.count(items) < len(items)
	d.Cards = a.eventContext.cards(items)
	a.eventContext.list(d, items, total-len(items))
	if !narrowed && a.question.Ask != nlu.AskCount {
		return
	}
	p := prompts.AnswerProgramme{
		Range:  a.rangeAdverb(),
		Count:  total - (len(items) - a.count(items)),
		Wanted: narrowed,
	}
	switch {
	case a.rhythms != nil:
		p.Rhythm, p.Wanted = a.inRhythm()
	case !a.wish.Range.Explicit:
		p.Range = display.Phrase(a.lang, "ahead")
	}
	head := a.say(p)
	_, rest, _ := strings.Cut(d.Text, "\n\n")
	d.Text = display.JoinParts(head, rest)
	d.Spoken[0] = head
}

// open are the events of the range that are not over, or all, where the past is asked about.
func (a programmeAnswer) open() []display.Entry {
	window := a.wish.Range.TimeRange()
	past := a.wish.PastAsked || a.wish.Range.Past || !a.now.Before(window.End)
	return a.those(func(_ *display.Entry, when civil.TimeRange) bool {
		return when.Overlaps(window) && (past || !display.Ended(when, a.now)) &&
			(!a.wish.Next || when.Start.After(a.now))
	})
}

// over reports whether there were events in the range that are over.
func (a programmeAnswer) over() bool {
	window, wanted := a.wish.Range.TimeRange(), a.wanted()
	return a.now.Before(window.End) && len(a.those(func(e *display.Entry, when civil.TimeRange) bool {
		return when.Overlaps(window) && !e.Cancelled() && wanted(*e)
	})) > 0
}

// later are the events behind the range.
func (a programmeAnswer) later() []display.Entry {
	end := a.wish.Range.TimeRange().End
	return a.those(func(e *display.Entry, when civil.TimeRange) bool {
		return !when.Start.Before(end) && !e.Cancelled()
	})
}

// those are the events on the days of the week and in the hours that are wished for.
func (a programmeAnswer) those(in func(e *display.Entry, when civil.TimeRange) bool) []display.Entry {
	var out []display.Entry
	for i := range a.calendar.Events {
		e := &a.calendar.Events[i]
		when := e.Span(a.now.Location())
		if in(e, when) && a.wish.onWeekday(when) && a.wish.Hours.Hold(*e, when, a.wish.Range) {
			out = append(out, *e)
		}
	}
	return out
}

// edge keeps the next, the first or the last of the events, where that is asked.
func (a programmeAnswer) edge(list []display.Entry) []display.Entry {
	switch {
	case len(list) == 0 || a.wish.Edge == 0 && !a.wish.Next:
		return list
	case a.wish.Next || a.wish.Edge > 0:
		return list[:1]
	}
	return list[len(list)-1:]
}

// asked are the properties that the question asks for, and the words that are left.
func (a programmeAnswer) asked() (filters []words.FilterRow, rest []string, besides bool) {
	rest = slices.Clone(a.rest)
	said := a.withoutTitles()
	for _, f := range words.Filters() {
		has := slices.ContainsFunc(f.Question, func(w string) bool { return text.ContainsWord(said, w) }) ||
			a.question.Negated && f.States != "" && asksFor(a.text, nlu.Ask(f.States))
		rest = slices.DeleteFunc(rest, func(w string) bool {
			return slices.ContainsFunc(f.Question, func(q string) bool {
				within := text.ContainsWord(said, q) && strings.Contains(q, w)
				return q == w || within || has && text.HasJapanese(q) && strings.Contains(w, q)
			}) || has && slices.Contains(words.AskWords()[w], f.States)
		})
		other := slices.IndexFunc(filters, words.FilterRow.Recurs)
		switch {
		case !has:
		case f.Recurs() && other >= 0: // weekly or monthly
			filters[other].Name, filters[other].Event = words.FilterRecurs, slices.Concat(filters[other].Event, f.Event)
		case f.Name == words.FilterBesides:
			besides = true
		case len(f.Event) > 0:
			filters = append(filters, f)
		}
	}
	name := strings.ToLower(a.venue.Name.JA + " " + a.venue.Name.EN)
	return filters, slices.DeleteFunc(
		rest,
		func(w string) bool { return strings.Contains(name, w) || lone(w) },
	), besides
}

// narrows reports whether only some of the events are wished for.
func (a programmeAnswer) narrows() bool {
	filters, rest, besides := a.asked()
	return len(filters)+len(rest) > 0 || besides
}

// wanted returns what says whether an event is as wished: with every property that is asked for,
// not what the question leaves out, and about what it names.
func (a programmeAnswer) wanted() func(display.Entry) bool {
	filters, rest, besides := a.asked()
	if a.wish.Kind {
		filters = slices.DeleteFunc(filters, func(f words.FilterRow) bool { return !f.Recurs() })
	}
	left := func(e display.Entry) bool { return besides && a.names(e) }
	about := func(display.Entry) bool { // of what nobody knows there is none
		return a.question.About != nlu.AboutUnknown || len(contentWords(rest)) == 0
	}
	if a.wish.Kind || (len(rest) > 0 || a.wish.Named) && !besides && len(a.near) > 0 {
		about = a.isNear
	}
	return func(e display.Entry) bool {
		if left(e) || !about(e) {
			return false
		}
		if len(filters) == 0 {
			return true
		}
		written := strings.ToLower(e.Title+" "+e.Description) + " " + a.rhythmMark(e)
		return !slices.ContainsFunc(filters, func(f words.FilterRow) bool {
			return !slices.ContainsFunc(f.Event, func(w string) bool { return text.ContainsWord(written, w) })
		})
	}
}

// isNear reports whether an event is one of those near, or has the name of one that is named in its title.
func (a programmeAnswer) isNear(e display.Entry) bool {
	return slices.ContainsFunc(a.near, func(title string) bool {
		return title == e.Title || a.wish.Named && inText(strings.ToLower(e.Title), title)
	})
}

// withoutTitles is the question without the titles that it names: what they are about is not what
// is wished for.
func (a programmeAnswer) withoutTitles() string {
	names := a.calendar.names
	if names == nil {
		names = namesOfTitles(a.calendar.Events)
	}
	text := a.text
	for _, name := range names {
		text = strings.ReplaceAll(text, name, " ")
	}
	return text
}

// names reports whether the question has the title of an event in it, or leaves it out by words of that.
func (a programmeAnswer) names(e display.Entry) bool {
	return inText(a.text, e.Title) || leftOut(a.text, e.Title)
}
