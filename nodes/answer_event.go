package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
	"annai/tools/calendar"
	"annai/tools/date"
)

// An eventAnswer answers a question about one event, which may be a series, from what the calendars
// and the passages say.
type eventAnswer struct {
	eventContext

	question talk.Question
	// rest are the content words of the question that are not in the title.
	rest []string
	// all are the instances of the event, in order.
	all []display.Entry
	// asked is the time that the question names; zero for none. weekdays are the days of the week that it
	// names by their names alone.
	asked    display.Span
	weekdays date.Weekdays
}

// answer words the conclusion first, then what it rests on. It also says which instance was told.
func (a eventAnswer) answer() (draft, display.Entry) {
	e, there := a.chosen()
	d := draft{Facts: facts{Calendar: statusOK, Knowledge: statusEmpty, Events: 1, Partial: !a.calendar.Complete}}
	d.Cards = a.eventContext.cards([]display.Entry{e})
	var parts, unstated []string
	for _, ask := range []nlu.Ask{detailAsked(a.question), a.question.Second} {
		if ask == "" || len(parts) > 0 && slices.Contains(saidAnyway, ask) {
			continue
		}
		d.Facts.Unknown = false
		switch text := a.conclude(ask, e, there, &d); {
		case d.Facts.Unknown:
			unstated = append(unstated, text)
		case text != "" && !slices.Contains(parts, text):
			parts = append(parts, text)
		}
	}
	if d.Facts.Unknown = len(parts) == 0 && len(unstated) > 0; d.Facts.Unknown {
		parts = unstated[:1]
	}
	switch notice := display.NoticeOf(e, a.lang); {
	case !a.noticed(e) || d.Facts.Sorry: // or it is the answer
	case d.Facts.Unknown:
		parts = append([]string{notice}, parts...)
	default:
		parts = append(parts, notice)
	}
	d.Facts.Changed = e.Cancelled()
	d.Text = display.JoinSentences(parts, a.lang)
	d.Spoken = display.Sentences(d.Text)
	span := e.Span(a.now.Location())
	d.Range = display.Span{Name: datetime.Date, Start: span.Start, End: span.End, Explicit: !a.asked.IsZero()}
	return d, e
}

// noticed reports whether there is a notice of an event that is to come, such as that it is full.
func (a eventAnswer) noticed(e display.Entry) bool {
	return !e.Cancelled() && !display.Ended(e.Span(a.now.Location()), a.now) && e.Notice != ""
}

// saidAnyway are the kinds of answers that are said with any other one.
var saidAnyway = []nlu.Ask{nlu.AskNone, nlu.AskIsThere, nlu.AskConfirm}

// answerEach answers the same question about each of several events.
func (t eventContext) answerEach(ask eventAsk) (draft, topic) {
	d := draft{
		Facts: facts{Calendar: statusOK, Knowledge: statusEmpty, Partial: !t.calendar.Complete},
	}
	next := topic{Node: nodeEvent, Range: t.wish.Range}
	var all []draft
	for _, title := range ask.Wish.Each {
		of := instances(t.calendar.Events, title)
		a := eventAnswer{eventContext: t, question: ask.Question, rest: ask.Rest, all: of}
		if len(a.all) == 0 {
			continue
		}
		if !ask.Asked.IsZero() {
			a.asked = ask.Asked.In(t.now.Location())
		}
		one, told := a.answer()
		all, next.Items = append(all, one), append(next.Items, told)
	}
	known := func(one draft) bool { return !one.Facts.Unknown }
	some := slices.ContainsFunc(all, known)
	var texts []string
	for _, one := range all {
		d.Cards, d.Passages = append(d.Cards, one.Cards...), append(d.Passages, one.Passages...)
		d.Facts.Events++
		d.Facts.Changed = d.Facts.Changed || one.Facts.Changed
		if some && !known(one) || slices.Contains(texts, one.Text) { // what is known of some is told of these
			continue
		}
		texts, d.Spoken = append(texts, one.Text), append(d.Spoken, one.Spoken...)
	}
	if next.Total = len(next.Items); next.Total == 0 {
		t.tellFailure(&d, nil)
	} else {
		d.Text = strings.Join(texts, "\n")
	}
	return d, next
}

// chosen is the instance that is asked about: one in the time that the question names, else the
// next, else the last one. there is false where the question names a time in which there is none.
func (a eventAnswer) chosen() (e display.Entry, there bool) {
	if !a.asked.IsZero() && a.question.Ask != nlu.AskNext {
		for _, e := range a.all {
			if e.Span(a.now.Location()).Overlaps(a.asked.TimeRange()) {
				return e, true
			}
		}
	}
	for _, e := range a.all {
		if !display.Ended(e.Span(a.now.Location()), a.now) && !e.Cancelled() {
			return e, a.asked.IsZero() || a.has(e)
		}
	}
	for _, e := range a.all {
		if !display.Ended(e.Span(a.now.Location()), a.now) {
			return e, a.asked.IsZero()
		}
	}
	return a.all[len(a.all)-1], a.asked.IsZero()
}

// has reports whether an event of several days has a day of the week that the question names: the Saturday of a
// hackathon from Friday to Sunday.
func (a eventAnswer) has(e display.Entry) bool {
	when := e.Span(a.now.Location())
	several := civil.DateOf(when.Start) != civil.DateOf(when.End.Add(-time.Nanosecond))
	return a.weekdays != 0 && several && eventWish{Weekdays: a.weekdays}.onWeekday(when)
}

// conclude answers one kind of question.
func (a eventAnswer) conclude(ask nlu.Ask, e display.Entry, there bool, d *draft) string {
	title, over := a.name(e), display.Ended(e.Span(a.now.Location()), a.now)
	switch {
	case e.Cancelled() && ask != words.DetailReason:
		return a.say(prompts.AnswerCancelled{
			Title: title, When: a.when(e), Next: a.nextAfter(a.now), Only: a.calendar.Complete,
			Postponed: e.Notice == calendar.Postponed,
		})
	case !there && (timely(ask) || ask == nlu.AskWhatIs && a.question.WhenFrom == talk.Said):
		return a.say(
			prompts.AnswerNotThen{Title: title, Range: a.asked.Words(a.now, a.lang), Next: a.nextAfter(a.now)},
		)
	case over && timely(ask) && ask != nlu.AskUntilWhen && ask != nlu.AskHowLong:
		return a.say(prompts.AnswerOver{Title: title, When: a.when(e)})
	}
	switch ask {
	case nlu.AskWhen, nlu.AskDate, nlu.AskIsOpen, nlu.AskEvents:
		return a.sayWhen(e, false) + a.aside(ask, e)
	case nlu.AskIsThere:
		return a.sayThere(e, d)
	case nlu.AskStillOn:
		return a.say(prompts.AnswerOn{Title: title, When: a.when(e)}) + a.aside(ask, e)
	case nlu.AskNext:
		return a.sayNext()
	case nlu.AskUntilWhen:
		return a.sayUntil(e)
	case nlu.AskHowLong:
		return a.sayLength(e)
	case nlu.AskHowOften:
		return a.sayOften()
	case nlu.AskCount:
		return a.sayCount()
	case nlu.AskWhere:
		return a.say(
			prompts.AnswerPlace{Title: title, Place: display.NoBrackets(e.In(a.lang).Location), Staff: a.staff()},
		) + a.aside(
			ask,
			e,
		)
	default:
		return a.fromTextOrNotice(ask, e, d)
	}
}

// fromTextOrNotice is what is written of the event, else of whether there is room the notice.
func (a eventAnswer) fromTextOrNotice(ask nlu.Ask, e display.Entry, d *draft) string {
	text := a.fromText(ask, e, d)
	if ask == nlu.AskAvailability && d.Facts.Unknown && a.noticed(e) {
		d.Facts.Unknown, d.Facts.Sorry = false, true
		return a.say(prompts.EventNotice{Kind: string(e.Notice), Title: a.name(e)})
	}
	return text
}

// sayThere says that an event is held, or whether there is something at it that the question names.
func (a eventAnswer) sayThere(e display.Entry, d *draft) string {
	another := words.Details()[words.DetailAnother].AskedIn(strings.ToLower(a.question.Text))
	if another && a.question.SubjectFrom == talk.Inherited {
		return a.sayAnother(e)
	}
	if len(a.rest) > 0 && !talk.SaysEvent(a.question.Text) {
		return a.fromText(nlu.AskIsThere, e, d)
	}
	return a.sayWhen(e, !a.has(e)) // that one may come on one of its days alone is not known
}

// sayAnother says whether an event is on once more behind the instance that was spoken of, within the time asked about.
func (a eventAnswer) sayAnother(e display.Entry) string {
	p := prompts.AnswerNoMore{Title: a.name(e)}
	if coming := a.coming(e.Span(a.now.Location()).Start); len(coming) > 0 {
		next := coming[0]
		if a.asked.IsZero() || next.Span(a.now.Location()).Overlaps(a.asked.TimeRange()) {
			return a.sayWhen(next, true)
		}
		p.Next = a.when(next)
	}
	if !a.asked.IsZero() {
		p.Range = display.InLang(a.lang, a.asked.Words(a.now, a.lang), a.asked.Adverb(a.now, a.lang))
	}
	return a.say(p)
}

// timely reports whether a kind of answer is about when something is.
func timely(ask nlu.Ask) bool {
	return slices.Contains([]nlu.Ask{
		nlu.AskWhen, nlu.AskDate, nlu.AskIsOpen, nlu.AskEvents, nlu.AskIsThere, nlu.AskStillOn, nlu.AskUntilWhen,
	}, ask)
}

// name is the title as it stands in a sentence.
func (a eventAnswer) name(e display.Entry) string {
	title := display.NoBrackets(titleIn(e.Title, a.lang))
	if title == "" {
		return a.title(e)
	}
	return display.InLang(a.lang, "「"+title+"」", title)
}

func (a eventAnswer) staff() string { return a.venue.Staff.Where.In(string(a.lang)) }

// when is when an instance is, without the year where it is this one.
func (a eventAnswer) when(e display.Entry) string {
	loc, today := a.now.Location(), civil.DateOf(a.now)
	if e.AllDay {
		return display.WrittenDays(e.FirstDay, e.LastDay(), display.Nearby(e.FirstDay, today), a.lang)
	}
	start := e.Start.In(loc)
	return display.WrittenSpan(
		start,
		e.End.In(loc),
		!e.EndInferred,
		display.Nearby(civil.DateOf(start), today),
		a.lang,
	)
}

func (a eventAnswer) sayWhen(e display.Entry, yes bool) string {
	return a.say(
		prompts.AnswerWhen{
			Title:  a.name(e),
			When:   a.when(e),
			Series: a.series(),
			Place:  display.NoBrackets(e.In(a.lang).Location),
			Yes:    yes,
		},
	)
}

// aside is what the description says of the rest of the question, where it does: whether it takes
// place in the rain.
func (a eventAnswer) aside(ask nlu.Ask, e display.Entry) string {
	if found, shared := stating(e.In(a.lang).Description, nlu.AskWhatIs, a.rest); shared && ask != nlu.AskWhatIs {
		return display.InLang(a.lang, "", " ") + display.JoinSentences(found, a.lang)
	}
	return ""
}

// coming are the instances that have not begun, and take place.
func (a eventAnswer) coming(after time.Time) []display.Entry {
	return slices.DeleteFunc(slices.Clone(a.all), func(e display.Entry) bool {
		return !e.Span(a.now.Location()).Start.After(after) || e.Cancelled()
	})
}

// nextAfter is when the event begins next; "" where it does not.
func (a eventAnswer) nextAfter(t time.Time) string {
	if next := a.coming(t); len(next) > 0 {
		return a.when(next[0])
	}
	return ""
}

// sayNext says when the event is next: after the day that the question names, else from now on.
func (a eventAnswer) sayNext() string {
	after := a.now
	if !a.asked.IsZero() && a.asked.OneDay() != (civil.Date{}) {
		after = a.asked.End.Add(-time.Nanosecond)
	}
	next := a.coming(after)
	if len(next) == 0 {
		last := a.all[len(a.all)-1]
		if display.Ended(last.Span(a.now.Location()), a.now) {
			return a.say(prompts.AnswerOver{Title: a.name(last), When: a.when(last)})
		}
		return a.say(prompts.AnswerOften{Title: a.name(last), Dates: a.when(last), Once: true})
	}
	p := prompts.AnswerNext{Title: a.name(next[0]), When: a.when(next[0]), Series: a.series()}
	if len(next) > 1 {
		p.After = a.when(next[1])
	}
	return a.say(p)
}

func (a eventAnswer) sayUntil(e display.Entry) string {
	if e.EndInferred {
		return a.sayWhen(e, false)
	}
	span := e.Span(a.now.Location())
	_, until := display.WrittenEnd(span.End, civil.DateOf(span.Start), a.lang)
	if e.AllDay {
		until = display.WrittenDate(e.LastDay(), display.Nearby(e.LastDay(), civil.DateOf(a.now)), a.lang)
	}
	text := a.say(prompts.AnswerUntil{Title: a.name(e), Until: until, When: a.when(e), AllDay: e.AllDay})
	if last := a.all[len(a.all)-1]; len(a.all) > 1 && !last.Cancelled() {
		text = display.JoinSentences(
			[]string{text, a.say(prompts.AnswerLast{Title: a.name(last), When: a.when(last)})},
			a.lang,
		)
	}
	return text
}

func (a eventAnswer) sayLength(e display.Entry) string {
	span := e.Span(a.now.Location())
	if e.EndInferred {
		return a.sayWhen(e, false)
	}
	length := writtenLength(span.End.Sub(span.Start), a.lang)
	return a.say(prompts.AnswerLength{Title: a.name(e), Length: length, When: a.when(e)})
}

// writtenLength is a length of time as it is read: 1時間30分, 3日間; 1 hour 30 minutes, 3 days.
func writtenLength(d time.Duration, lang nlu.Language) string {
	if d >= 24*time.Hour {
		return count(int(d.Hours())/24, "single_day", "days", lang)
	}
	var parts []string
	if hours := int(d.Hours()); hours > 0 {
		parts = append(parts, count(hours, "single_hour", "hours", lang))
	}
	if minutes := int(d.Minutes()) % 60; minutes > 0 {
		parts = append(parts, count(minutes, "single_minute", "minutes", lang))
	}
	return strings.Join(parts, display.InLang(lang, "", " "))
}

// maxDates is how many dates of a series are told.
const maxDates = 6

func (a eventAnswer) dates(list []display.Entry) string {
	var out []string
	for _, e := range list[:min(len(list), maxDates)] {
		out = append(out, a.when(e))
	}
	return enumerate(out, a.lang)
}

func (a eventAnswer) sayOften() string {
	list := a.coming(a.now)
	if len(list) == 0 {
		list = a.all
	}
	p := prompts.AnswerOften{Title: a.name(list[0]), Series: a.series(), Once: len(a.all) == 1}
	if p.Series != "" {
		list = list[:min(len(list), 2)]
	}
	p.Dates = a.dates(list)
	return a.say(p)
}

func (a eventAnswer) sayCount() string {
	list := slices.DeleteFunc(slices.Clone(a.all), func(e display.Entry) bool {
		when := e.Span(a.now.Location())
		return e.Cancelled() || display.Ended(when, a.now) || !a.asked.IsZero() && !when.Overlaps(a.asked.TimeRange())
	})
	p := prompts.AnswerCount{
		Title: a.name(a.all[0]),
		Range: display.Phrase(a.lang, "three_months"),
		Dates: a.dates(list),
		Count: len(list),
	}
	if !a.asked.IsZero() {
		p.Range = a.asked.Words(a.now, a.lang)
		if a.lang == nlu.English {
			p.Range = a.asked.Adverb(a.now, a.lang)
		}
	}
	return a.say(p)
}

// series is how the event recurs, as its instances show it; "" where they show no rule.
func (a eventAnswer) series() string {
	var days []civil.Date
	for _, e := range a.all {
		days = append(days, civil.DateOf(e.Span(a.now.Location()).Start))
	}
	p, ok := seriesOf(slices.Compact(days), a.lang)
	if !ok {
		return ""
	}
	return a.say(p)
}

// minSeries is how many days show a rule.
const minSeries = 3

// seriesOf is the rule that days in order follow: every day, days of every week, every other week,
// or one of every month. A few days may be left out of it.
func seriesOf(days []civil.Date, lang nlu.Language) (prompts.AnswerSeries, bool) {
	if len(days) < minSeries {
		return prompts.AnswerSeries{}, false
	}
	var set date.Weekdays
	var nths []int
	least, fortnights := days[1].Sub(days[0]), true
	for i, d := range days {
		set |= date.Only(d.Weekday())
		if i > 0 {
			gap := d.Sub(days[i-1])
			least, fortnights = min(least, gap), fortnights && gap%14 == 0
		}
		if n := (d.Day + 6) / 7; !slices.Contains(nths, n) {
			nths = append(nths, n)
		}
	}
	slices.Sort(nths)
	p := prompts.AnswerSeries{Days: display.WeekdaysAsSuch(set, lang), EveryDay: set == everyDay}
	if lang == nlu.English {
		p.Days = strings.TrimSuffix(strings.ReplaceAll(p.Days, "s,", ","), "s")
		p.Days = strings.ReplaceAll(p.Days, "s and ", " and ")
	}
	weeks := days[len(days)-1].Sub(days[0])/7 + 1
	single := set == date.Only(days[0].Weekday())
	switch {
	case single && len(nths) == 1 && least >= 28, single && len(nths) == 2 && least >= 14 && !fortnights:
		p.Nths = nths
	case single && least == 14 && fortnights:
		p.Biweekly = true
	case least > 7, single && len(days)*2 < weeks:
		return p, false
	}
	return p, true
}

// fromText answers from the sentences of the description that state the kind of answer, else from
// what holds for all events, else says that it is not written.
func (a eventAnswer) fromText(ask nlu.Ask, e display.Entry, d *draft) string {
	own := e.In(a.lang)
	description := display.NoBrackets(own.Description)
	if ask == nlu.AskWhatIs || ask == nlu.AskNone {
		return display.JoinSentences([]string{a.sayWhen(e, false), description}, a.lang)
	}
	found, shared := stating(description, ask, a.rest)
	if len(found) > 0 && (shared || len(a.rest) == 0 || byItself(ask)) {
		return a.stated(ask, a.name(e), found)
	}
	if h, ok := a.general(ask); ok && len(found) == 0 {
		d.Passages, d.Facts.Knowledge = append(d.Passages, passage(h)), statusOK
		text, _ := stating(h.Passage.Text, ask, a.rest)
		return a.say(prompts.AnswerStated{Title: a.name(e), Text: display.JoinSentences(text, a.lang), General: true})
	}
	d.Facts.Unknown = true
	return a.say(prompts.AnswerUnstated{Title: a.name(e), Text: description, Staff: a.staff()})
}

// byItself are the kinds of answer that a sentence states by itself: an amount, a way to sign up.
func byItself(ask nlu.Ask) bool {
	return slices.Contains([]nlu.Ask{
		words.DetailDeadline, words.DetailRain, words.DetailBooking, words.DetailReason,
		nlu.AskHowMuch, nlu.AskNeedI, nlu.AskHowDoI, nlu.AskHowMany, nlu.AskForWhom, nlu.AskWhichLanguage, nlu.AskWho,
		nlu.AskContact, nlu.AskConfirm, nlu.AskCompare, nlu.AskWhich, nlu.AskHowToGet, nlu.AskHowLong, nlu.AskUntilWhen,
		nlu.AskWhen, nlu.AskWhere,
	}, ask)
}

// stated words the sentences of a description that state a kind of answer. Of a sentence that is a
// list of facts only those are told.
func (a eventAnswer) stated(ask nlu.Ask, title string, found []string) string {
	p := prompts.AnswerStated{Title: title}
	var texts []string
	for n, s := range found {
		text, property := factsOf(s, ask, a.lang)
		p.Of = p.Of || n == 0 && property
		texts = append(texts, text)
	}
	p.Text = display.JoinSentences(texts, a.lang)
	needs := ask == nlu.AskNeedI || ask == words.DetailBooking
	if sign, ok := states(p.Text, nlu.AskNeedI); needs && ok && sign == '-' {
		p.No = true
	}
	return a.say(p)
}

// general is a passage that states what holds for events of all kinds.
func (a eventAnswer) general(ask nlu.Ask) (rag.Hit, bool) {
	for _, h := range a.knowledge.Hits {
		if _, ok := states(h.Passage.Text, ask); ok && h.Passage.Lang == string(a.lang) {
			return h, true
		}
	}
	return rag.Hit{}, false
}
