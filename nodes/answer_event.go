package nodes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"annai/api"
	"annai/internal/civil"
	"annai/nlu"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
	"annai/tools/date"
)

// An eventAnswer answers a question about one event, which may be a series, from what the calendars and the passages say.
type eventAnswer struct {
	telling

	question talk.Question
	// rest are the content words of the question that are not in the title.
	rest []string
	// all are the instances of the event, in order.
	all []entry
	// asked is the time that the question names; zero for none.
	asked span
}

// answer words the conclusion first, then what it rests on. It also says which instance was told.
func (a eventAnswer) answer() (draft, entry) {
	e, there := a.chosen()
	d := draft{Facts: facts{Calendar: statusOK, Knowledge: statusEmpty, Events: 1, Partial: !a.calendar.Complete}}
	d.Cards = a.telling.cards([]entry{e})
	var parts []string
	for _, ask := range []nlu.Ask{a.question.Ask, a.question.Second} {
		if ask == "" || ask == nlu.AskNone && len(parts) > 0 {
			continue
		}
		if text := a.conclude(ask, e, there, &d); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	d.Facts.Changed = e.cancelled()
	d.Text = joinSentences(parts, a.lang)
	d.Spoken = sentences(d.Text)
	span := e.span(a.now.Location())
	d.Range = &api.TimeRange{Name: "date", Start: span.Start.Format(time.RFC3339), End: span.End.Format(time.RFC3339), Explicit: !a.asked.isZero()}
	return d, e
}

// answerEach answers the same question about each of several events.
func (t telling) answerEach(ask eventAsk, suggestions []string) (draft, topic) {
	d := draft{Suggestions: suggestions, Facts: facts{Calendar: statusOK, Knowledge: statusEmpty, Partial: !t.calendar.Complete}}
	next := topic{Node: nodeEvent, Range: t.wish.Range}
	var texts []string
	for _, title := range ask.Wish.Each {
		all := instances(t.calendar.Events, title)
		if len(all) == 0 {
			continue
		}
		a := eventAnswer{telling: t, question: ask.Question, rest: ask.Rest, all: all}
		if !ask.Asked.isZero() {
			a.asked = ask.Asked.in(t.now.Location())
		}
		one, told := a.answer()
		texts, next.Items = append(texts, one.Text), append(next.Items, told)
		d.Cards, d.Passages, d.Spoken = append(d.Cards, one.Cards...), append(d.Passages, one.Passages...), append(d.Spoken, one.Spoken...)
		d.Facts.Events++
		d.Facts.Changed = d.Facts.Changed || one.Facts.Changed
	}
	if next.Total = len(next.Items); next.Total == 0 {
		t.tellFailure(&d, nil)
	} else {
		d.Text = strings.Join(texts, "\n")
	}
	return d, next
}

// chosen is the instance that is asked about: one in the time that the question names, else the next, else the last one. there is false
// where the question names a time in which there is none.
func (a eventAnswer) chosen() (e entry, there bool) {
	if !a.asked.isZero() && a.question.Ask != nlu.AskNext {
		for _, e := range a.all {
			if e.span(a.now.Location()).Overlaps(a.asked.timeRange()) {
				return e, true
			}
		}
	}
	for _, e := range a.all {
		if !ended(e.span(a.now.Location()), a.now) && !e.cancelled() {
			return e, a.asked.isZero()
		}
	}
	for _, e := range a.all {
		if !ended(e.span(a.now.Location()), a.now) {
			return e, a.asked.isZero()
		}
	}
	return a.all[len(a.all)-1], a.asked.isZero()
}

// conclude answers one kind of question.
func (a eventAnswer) conclude(ask nlu.Ask, e entry, there bool, d *draft) string {
	title, over := a.name(e), ended(e.span(a.now.Location()), a.now)
	switch {
	case e.cancelled():
		return a.say(prompts.AnswerCancelled{Title: title, When: a.when(e), Next: a.nextAfter(a.now)})
	case !there && timely(ask):
		return a.say(prompts.AnswerNotThen{Title: title, Range: a.asked.words(a.now, a.lang), Next: a.nextAfter(a.now)})
	case over && timely(ask) && ask != nlu.AskUntilWhen && ask != nlu.AskHowLong:
		return a.say(prompts.AnswerOver{Title: title, When: a.when(e)})
	}
	switch ask {
	case nlu.AskWhen, nlu.AskDate, nlu.AskIsOpen, nlu.AskEvents:
		return a.sayWhen(e, false) + a.aside(ask, e)
	case nlu.AskIsThere:
		if len(a.rest) > 0 {
			return a.fromText(ask, e, d)
		}
		return a.sayWhen(e, true)
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
		return a.say(prompts.AnswerPlace{Title: title, Place: noBrackets(e.in(a.lang).Location), Staff: a.staff()}) + a.aside(ask, e)
	default:
		return a.fromText(ask, e, d)
	}
}

// timely reports whether a kind of answer is about when something is.
func timely(ask nlu.Ask) bool {
	return slices.Contains([]nlu.Ask{
		nlu.AskWhen, nlu.AskDate, nlu.AskIsOpen, nlu.AskEvents, nlu.AskIsThere, nlu.AskStillOn, nlu.AskUntilWhen,
	}, ask)
}

// name is the title as it stands in a sentence.
func (a eventAnswer) name(e entry) string {
	title := noBrackets(titleIn(e.Title, a.lang))
	if title == "" {
		return a.title(e)
	}
	return inLang(a.lang, "「"+title+"」", title)
}

func (a eventAnswer) staff() string { return a.venue.Staff.Where.In(string(a.lang)) }

// when is when an instance is, without the year where it is this one.
func (a eventAnswer) when(e entry) string {
	loc, today := a.now.Location(), civil.DateOf(a.now)
	if e.AllDay {
		return writtenDays(e.FirstDay, e.lastDay(), nearby(e.FirstDay, today), a.lang)
	}
	start := e.Start.In(loc)
	return writtenSpan(start, e.End.In(loc), !e.EndInferred, nearby(civil.DateOf(start), today), a.lang)
}

func (a eventAnswer) sayWhen(e entry, yes bool) string {
	return a.say(prompts.AnswerWhen{Title: a.name(e), When: a.when(e), Series: a.series(), Place: noBrackets(e.in(a.lang).Location), Yes: yes})
}

// aside is what the description says of the rest of the question, where it does: whether it takes place in the rain.
func (a eventAnswer) aside(ask nlu.Ask, e entry) string {
	if found, shared := stating(e.in(a.lang).Description, nlu.AskWhatIs, a.rest); shared && ask != nlu.AskWhatIs {
		return inLang(a.lang, "", " ") + joinSentences(found, a.lang)
	}
	return ""
}

// coming are the instances that have not begun, and take place.
func (a eventAnswer) coming(after time.Time) []entry {
	return slices.DeleteFunc(slices.Clone(a.all), func(e entry) bool {
		return !e.span(a.now.Location()).Start.After(after) || e.cancelled()
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
	if !a.asked.isZero() && a.asked.oneDay() != (civil.Date{}) {
		after = a.asked.End.Add(-time.Nanosecond)
	}
	next := a.coming(after)
	if len(next) == 0 {
		last := a.all[len(a.all)-1]
		if ended(last.span(a.now.Location()), a.now) {
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

func (a eventAnswer) sayUntil(e entry) string {
	if e.EndInferred {
		return a.sayWhen(e, false)
	}
	span := e.span(a.now.Location())
	_, until := writtenEnd(span.End, civil.DateOf(span.Start), a.lang)
	if e.AllDay {
		until = writtenDate(e.lastDay(), nearby(e.lastDay(), civil.DateOf(a.now)), a.lang)
	}
	text := a.say(prompts.AnswerUntil{Title: a.name(e), Until: until, When: a.when(e)})
	if last := a.all[len(a.all)-1]; len(a.all) > 1 && !last.cancelled() {
		text = joinSentences([]string{text, a.say(prompts.AnswerLast{Title: a.name(last), When: a.when(last)})}, a.lang)
	}
	return text
}

func (a eventAnswer) sayLength(e entry) string {
	span := e.span(a.now.Location())
	if e.EndInferred {
		return a.sayWhen(e, false)
	}
	length := writtenLength(span.End.Sub(span.Start), a.lang)
	return a.say(prompts.AnswerLength{Title: a.name(e), Length: length, When: a.when(e)})
}

// writtenLength is a length of time as it is read: 1時間30分, 3日間; 1 hour 30 minutes, 3 days.
func writtenLength(d time.Duration, lang nlu.Language) string {
	count := func(n int, ja, en string) string {
		switch {
		case n == 0:
			return ""
		case lang != nlu.English:
			return fmt.Sprintf("%d%s", n, ja)
		case n == 1:
			return "1 " + en
		}
		return fmt.Sprintf("%d %ss", n, en)
	}
	if d >= 24*time.Hour {
		return count(int(d.Hours())/24, "日間", "day")
	}
	hours, rest := int(d.Hours()), int(d.Minutes())%60
	return strings.TrimSpace(count(hours, "時間", "hour") + inLang(lang, "", " ") + count(rest, "分", "minute"))
}

// maxDates is how many dates of a series are told.
const maxDates = 6

func (a eventAnswer) dates(list []entry) string {
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
	list := slices.DeleteFunc(slices.Clone(a.all), func(e entry) bool {
		when := e.span(a.now.Location())
		return e.cancelled() || ended(when, a.now) || !a.asked.isZero() && !when.Overlaps(a.asked.timeRange())
	})
	p := prompts.AnswerCount{Title: a.name(a.all[0]), Range: inLang(a.lang, "これからの3か月", "in the next three months"), Dates: a.dates(list), Count: len(list)}
	if !a.asked.isZero() {
		p.Range = a.asked.words(a.now, a.lang)
		if a.lang == nlu.English {
			p.Range = a.asked.adverb(a.now, a.lang)
		}
	}
	return a.say(p)
}

// series is how the event recurs, as its instances show it; "" where they show no rule.
func (a eventAnswer) series() string {
	var days []civil.Date
	for _, e := range a.all {
		days = append(days, civil.DateOf(e.span(a.now.Location()).Start))
	}
	p, ok := seriesOf(slices.Compact(days), a.lang)
	if !ok {
		return ""
	}
	return a.say(p)
}

// minSeries is how many days show a rule.
const minSeries = 3

// seriesOf is the rule that days in order follow: every day, days of every week, every other week, or one of every month. A few days may be
// left out of it.
func seriesOf(days []civil.Date, lang nlu.Language) (prompts.AnswerSeries, bool) {
	if len(days) < minSeries {
		return prompts.AnswerSeries{}, false
	}
	var set date.Weekdays
	least, nth := days[1].Sub(days[0]), (days[0].Day+6)/7
	for i, d := range days {
		set |= date.Only(d.Weekday())
		if i > 0 {
			least = min(least, d.Sub(days[i-1]))
		}
		if (d.Day+6)/7 != nth {
			nth = 0
		}
	}
	p := prompts.AnswerSeries{Days: daysAsSuch(set, lang), EveryDay: set == everyDay}
	if lang == nlu.English {
		p.Days = strings.TrimSuffix(strings.ReplaceAll(p.Days, "s,", ","), "s")
		p.Days = strings.ReplaceAll(p.Days, "s and ", " and ")
	}
	weeks := days[len(days)-1].Sub(days[0])/7 + 1
	single := set == date.Only(days[0].Weekday())
	switch {
	case single && nth > 0 && least >= 28:
		p.Nth = nth
	case single && least == 14:
		p.Biweekly = true
	case least > 7, single && len(days)*2 < weeks:
		return p, false
	}
	return p, true
}

// fromText answers from the sentences of the description that state the kind of answer, else from what holds for all events, else says that
// it is not written.
func (a eventAnswer) fromText(ask nlu.Ask, e entry, d *draft) string {
	own := e.in(a.lang)
	description := noBrackets(own.Description)
	if ask == nlu.AskWhatIs || ask == nlu.AskNone {
		return joinSentences([]string{a.sayWhen(e, false), description}, a.lang)
	}
	found, shared := stating(description, ask, a.rest)
	if len(found) > 0 && (shared || len(a.rest) == 0 || byItself(ask)) {
		return a.say(prompts.AnswerStated{Title: a.name(e), Text: joinSentences(found, a.lang)})
	}
	if h, ok := a.general(ask); ok && len(found) == 0 {
		d.Passages, d.Facts.Knowledge = append(d.Passages, passage(h)), statusOK
		text, _ := stating(h.Passage.Text, ask, a.rest)
		return a.say(prompts.AnswerStated{Title: a.name(e), Text: joinSentences(text, a.lang), General: true})
	}
	return a.say(prompts.AnswerUnstated{Title: a.name(e), Text: description, Staff: a.staff()})
}

// byItself are the kinds of answer that a sentence states by itself: an amount, a way to sign up.
func byItself(ask nlu.Ask) bool {
	return slices.Contains([]nlu.Ask{
		nlu.AskHowMuch, nlu.AskNeedI, nlu.AskHowDoI, nlu.AskHowMany, nlu.AskForWhom, nlu.AskWhichLanguage, nlu.AskWho, nlu.AskContact, nlu.AskConfirm,
		nlu.AskCompare, nlu.AskWhich, nlu.AskHowToGet,
	}, ask)
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
