package nodes

import (
	"slices"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/date"
	"annai/venue"
)

// maxPartDays is how many days are told one by one.
const maxPartDays = 3

// hours says when a part that has hours of its own is open: now, on the days that are asked about,
// or in the week.
func (a partAnswer) hours(ask nlu.Ask) []string {
	if len(a.part.Hours.Weekly) == 0 || len(a.besides(ask)) > 0 && len(a.said(ask)) > 0 {
		return a.said(ask)
	}
	named := weekdaysNamed(a.times)
	switch {
	case named != 0 && weekdayAsSuch(a.times):
		return a.onWeekdays(ask, named)
	case a.asked.IsZero() && ask == nlu.AskIsOpen, a.asked.Clock && a.asked.TimeRange().Contains(a.now):
		return a.openNow()
	case a.asked.IsZero() && ask == nlu.AskUntilWhen:
		return a.until(civil.DateOf(a.now))
	case a.asked.IsZero():
		return a.weekly(0)
	}
	days := a.asked.DaysOf(maxPartDays + 1)
	if len(days) > maxPartDays {
		return a.weekly(0)
	}
	if ask == nlu.AskUntilWhen && len(days) == 1 {
		return a.until(days[0])
	}
	var out []string
	for i, d := range days {
		verdict := ""
		if ask == nlu.AskIsOpen && len(days) == 1 {
			verdict = a.verdict(a.openThen(d))
		}
		out = append(out, a.onDay(d, verdict, i > 0))
	}
	return append(out, a.lastCall(days[0])...)
}

func (a partAnswer) verdict(yes bool) string {
	if yes {
		return prompts.Yes
	}
	return prompts.No
}

// ofPart are the hours of the part where those of the venue are worded.
func (a partAnswer) ofPart() opening {
	v := *a.venue
	v.Hours = a.venue.HoursOf(a.part)
	return opening{venue: &v, now: a.now, lang: a.lang}
}

// openThen reports whether it is open on a day, at the hour that is asked about where one is.
func (a partAnswer) openThen(d civil.Date) bool {
	day := a.part.Hours.Day(d)
	if !a.asked.Clock {
		return day.Open
	}
	return slices.ContainsFunc(day.Spans, func(s venue.Span) bool {
		return a.asked.Start.Before(s.Until) && s.From.Before(a.asked.End) && (!a.exact() || s.Contains(a.asked.Start))
	})
}

// closedThen reports whether a time is asked about at which it is closed.
func (a partAnswer) closedThen() bool {
	if len(a.part.Hours.Weekly) == 0 || a.asked.IsZero() {
		return false
	}
	days := a.asked.DaysOf(maxPartDays + 1)
	return len(days) <= maxPartDays && !slices.ContainsFunc(days, a.openThen)
}

// day is a day as it stands in a sentence: 今日; on Fri, Nov 20.
func (a partAnswer) day(d civil.Date) string {
	today := civil.DateOf(a.now)
	p := prompts.PartDate{Date: display.WrittenDate(d, display.Nearby(d, today), a.lang), Ahead: d.Sub(today)}
	return a.say(p)
}

// onDay says when it is open on a day.
func (a partAnswer) onDay(d civil.Date, verdict string, named bool) string {
	day := a.part.Hours.Day(d)
	p := prompts.PartDay{
		Name: a.name(), Day: a.day(d), Reason: day.Reason.In(string(a.lang)), Verdict: verdict, Named: named,
		Past: d.Before(civil.DateOf(a.now)),
	}
	if day.Open {
		p.Hours = a.ofPart().hours(day)
	}
	return a.say(p)
}

// lastCall says until when orders are taken and visitors let in on a day.
func (a partAnswer) lastCall(d civil.Date) []string { return lastCall(a.part.Hours.Day(d), a.lang) }

// openNow says whether it is open now, until when or when it opens, and then the hours of the day.
func (a partAnswer) openNow() []string {
	today := civil.DateOf(a.now)
	if s, open := a.part.Hours.Opening(a.now); open {
		_, until := display.WrittenEnd(s.Until, s.Date, a.lang)
		return append([]string{a.say(prompts.PartNow{Name: a.name(), Open: true, Until: until})}, a.lastCall(s.Date)...)
	}
	p := prompts.PartNow{Name: a.name()}
	next, ok := a.part.Hours.NextOpening(a.now)
	if ok {
		p.Opens = a.ofPart().opens(next, today)
	}
	out := []string{a.say(p), a.onDay(today, "", true)}
	if ok && next.Date != today {
		out = append(out, a.onDay(next.Date, "", true))
	}
	return out
}

// until says until when it is open on a day; where it is closed then, when it opens next.
func (a partAnswer) until(d civil.Date) []string {
	day, today := a.part.Hours.Day(d), civil.DateOf(a.now)
	if !day.Open {
		out := []string{a.onDay(d, "", false)}
		if next, ok := a.part.Hours.NextOpening(time.Date(d.Year, d.Month, d.Day+1, 0, 0, 0, 0, a.now.Location())); ok {
			out = append(out, a.onDay(next.Date, "", true))
		}
		return out
	}
	_, clock := display.WrittenEnd(day.Until, d, a.lang)
	p := prompts.PartUntil{Name: a.name(), Day: a.day(d), Until: clock, Over: d == today && !a.now.Before(day.Until)}
	out := []string{a.say(p)}
	for i := 1; i < len(day.Spans); i++ {
		_, from := display.WrittenEnd(day.Spans[i-1].Until, d, a.lang)
		out = append(out, a.say(prompts.PartBreak{From: from, Until: display.WrittenClock(day.Spans[i].From, a.lang)}))
	}
	return append(out, a.lastCall(d)...)
}

// onWeekdays says when it is open on days of the week as such.
func (a partAnswer) onWeekdays(ask nlu.Ask, named date.Weekdays) []string {
	groups := a.ofPart().groups(named)
	if ask != nlu.AskIsOpen || len(groups) != 1 {
		return a.weekly(named)
	}
	return []string{a.say(a.week(groups[0], a.verdict(groups[0].hours != ""), false))}
}

// weekly says the hours of days of the week, or of all.
func (a partAnswer) weekly(named date.Weekdays) []string {
	var out []string
	merged := merge(a.ofPart().groups(named))
	for i, g := range merged {
		out = append(out, a.say(a.week(g, "", i > 0)))
	}
	return out
}

func (a partAnswer) week(g weekGroup, verdict string, named bool) prompts.PartDay {
	days := display.WeekdaysAsSuch(g.days, a.lang)
	if g.days == everyDay {
		days = ""
	}
	return prompts.PartDay{
		Name: a.name(), Day: a.say(prompts.PartWeekdays{Days: days}), Hours: g.hours, Verdict: verdict, Named: named,
	}
}

// merge puts the days with the same hours together, those on which it is open first.
func merge(groups []weekGroup) []weekGroup {
	var open, closed []weekGroup
	for _, g := range groups {
		list := &open
		if g.hours == "" {
			list = &closed
		}
		i := slices.IndexFunc(*list, func(o weekGroup) bool { return o.hours == g.hours })
		if i < 0 {
			*list = append(*list, g)
			continue
		}
		(*list)[i].days |= g.days
	}
	return append(open, closed...)
}

// withVenue says that a part without hours of its own is open when the venue is.
func (a partAnswer) withVenue(w infoWish) []string {
	w.Hours, w.Range, w.Text = hoursDay, a.asked, a.text
	if a.asked.IsZero() {
		today := civil.DateOf(a.now)
		days := civil.Days(today, today.AddDays(1), a.now.Location())
		w.Range = display.Span{Start: days.Start, End: days.End}
	}
	if a.asked.IsZero() && a.question.Ask == nlu.AskIsOpen {
		w.Hours = hoursNow
	}
	told := opening{venue: a.venue, wish: w, now: a.now, lang: a.lang}.tell()
	return []string{a.say(prompts.PartVenueHours{Name: a.name()}), told.Text}
}
