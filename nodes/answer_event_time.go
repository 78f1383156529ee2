package nodes

import (
	"math/bits"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/date"
)

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

// sayNotThen says that the event of that name is not on in the time asked about, and which is the next one behind
// that, be it one whose title has its own in it; where there is none behind it, the next one from now on.
func (a eventAnswer) sayNotThen(name string) string {
	p := prompts.AnswerNotThen{Title: name, Range: a.asked.Words(a.now, a.lang), Next: a.nextAfter(a.now)}
	start := func(e display.Entry) time.Time { return e.Span(a.now.Location()).Start }
	behind := slices.DeleteFunc(slices.Clone(a.calendar.Events), func(e display.Entry) bool {
		ahead := start(e).After(a.now) && start(e).After(a.asked.Start)
		return !ahead || e.Cancelled() || !inText(strings.ToLower(e.Title), a.all[0].Title)
	})
	if len(behind) == 0 {
		return a.say(p)
	}
	next := slices.MinFunc(behind, func(x, y display.Entry) int { return start(x).Compare(start(y)) })
	if p.Next = a.when(next); next.Title != a.all[0].Title {
		p.Other = a.name(next)
	}
	return a.say(p)
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
	p, ok := a.rhythm()
	if !ok {
		return ""
	}
	return a.say(p)
}

func (a eventAnswer) rhythm() (prompts.AnswerSeries, bool) {
	var days []civil.Date
	for _, e := range a.all {
		days = append(days, civil.DateOf(e.Span(a.now.Location()).Start))
	}
	return seriesOf(slices.Compact(days), a.lang)
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
	many := bits.OnesCount(uint(set))
	single := set == date.Only(days[0].Weekday())
	switch {
	case single && len(nths) == 1 && least >= 28, single && len(nths) == 2 && least >= 14 && !fortnights:
		p.Nths = nths
	case single && least == 14 && fortnights:
		p.Biweekly = true
	case least > 7, len(days)*2 < weeks*many, set != everyDay && len(days) < 2*many:
		return p, false
	}
	return p, true
}
