package nodes

import (
	"fmt"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/tools/date"
)

// How much of a date is said: what is clear from the date beside it, or from today, is left out.
type dateParts int

const (
	dayOnly dateParts = iota
	monthAndDay
	fullDate
)

// writtenDate is a day as it is read: 2025年1月15日(水), 1月15日(水), 15日(水); Wed, Jan 15, 2025, Wed, Jan 15.
func writtenDate(d civil.Date, parts dateParts, lang nlu.Language) string {
	weekday := date.WeekdayShort(d.Weekday(), string(lang))
	if lang == nlu.English {
		s := fmt.Sprintf("%s, %s %d", weekday, d.Month.String()[:3], d.Day)
		if parts == fullDate {
			s += fmt.Sprintf(", %d", d.Year)
		}
		return s
	}
	switch parts {
	case dayOnly:
		return fmt.Sprintf("%d日(%s)", d.Day, weekday)
	case monthAndDay:
		return fmt.Sprintf("%d月%d日(%s)", d.Month, d.Day, weekday)
	case fullDate:
	}
	return fmt.Sprintf("%d年%d月%d日(%s)", d.Year, d.Month, d.Day, weekday)
}

// since says which parts of d are needed where from was named just before.
func since(d, from civil.Date) dateParts {
	switch {
	case d.Year != from.Year:
		return fullDate
	case d.Month != from.Month:
		return monthAndDay
	}
	return dayOnly
}

// nearby says which parts of d are needed today: the year only if it is another one.
func nearby(d, today civil.Date) dateParts {
	if d.Year != today.Year {
		return fullDate
	}
	return monthAndDay
}

// writtenClock is a time of day as it is read: 19:00, 9:00; 09:00 in English.
func writtenClock(t time.Time, lang nlu.Language) string {
	if lang == nlu.English {
		return t.Format("15:04")
	}
	return fmt.Sprintf("%d:%02d", t.Hour(), t.Minute())
}

// writtenEnd is the end of something that began on the day from: midnight at its end is 24:00.
func writtenEnd(end time.Time, from civil.Date, lang nlu.Language) (day civil.Date, clock string) {
	day = civil.DateOf(end)
	if end.Equal(day.In(end.Location())) && day == from.AddDays(1) {
		return from, "24:00"
	}
	return day, writtenClock(end, lang)
}

// writtenDays is a range of days, both included, as it is read; from has the parts given.
func writtenDays(first, last civil.Date, parts dateParts, lang nlu.Language) string {
	switch {
	case first == last:
		return writtenDate(first, parts, lang)
	case lang != nlu.English:
		return writtenDate(first, parts, lang) + "〜" + writtenDate(last, since(last, first), lang)
	case first.Year == last.Year:
		return writtenDate(first, monthAndDay, lang) + " – " + writtenDate(last, parts, lang)
	}
	return writtenDate(first, fullDate, lang) + " – " + writtenDate(last, fullDate, lang)
}

// writtenWhen is when an event is, as it is read in loc, the year included.
func writtenWhen(e entry, loc *time.Location, lang nlu.Language) string {
	if e.AllDay {
		days := writtenDays(e.FirstDay, e.lastDay(), fullDate, lang)
		return days + inLang(lang, " 終日", ", all day")
	}
	return writtenSpan(e.Start.In(loc), e.End.In(loc), !e.EndInferred, fullDate, lang)
}

// writtenSpan is an interval of time as it is read: 2025年1月15日(水) 19:00〜21:00, Wed, Jan 15, 2025, 19:00–21:00. Without hasEnd
// only the start is named.
func writtenSpan(start, end time.Time, hasEnd bool, parts dateParts, lang nlu.Language) string {
	first := civil.DateOf(start)
	sep, dash, far := " ", "〜", "〜"
	if lang == nlu.English {
		sep, dash, far = ", ", "–", " – "
	}
	begin := writtenDate(first, parts, lang) + sep + writtenClock(start, lang)
	if !hasEnd || !start.Before(end) {
		if !hasEnd && lang != nlu.English {
			begin += "〜"
		}
		return begin
	}
	last, clock := writtenEnd(end, first, lang)
	if last == first {
		return begin + dash + clock
	}
	endParts := since(last, first)
	if lang == nlu.English {
		endParts = parts
	}
	return begin + far + writtenDate(last, endParts, lang) + sep + clock
}

// specTimes are the start and end of an event in the literal form of the specification: 2025/01/15 19:00:00 or 1/15/2025, 7:00:00 PM.
func specTimes(e entry, loc *time.Location, lang nlu.Language) (start, end string) {
	if e.AllDay {
		layout := inLang(lang, "2006/01/02", "1/2/2006")
		start = e.FirstDay.In(loc).Format(layout)
		if last := e.lastDay(); last != e.FirstDay {
			end = last.In(loc).Format(layout)
		}
		return start, end
	}
	layout := inLang(lang, "2006/01/02 15:04:05", "1/2/2006, 3:04:05 PM")
	start = e.Start.In(loc).Format(layout)
	if !e.EndInferred {
		end = e.End.In(loc).Format(layout)
	}
	return start, end
}

// spokenWhen is when an event begins, as it begins a spoken sentence: 15日、水曜日の19時から; On Wednesday the 15th, from 7 PM.
// The day is left out where oneDay is that day.
func spokenWhen(e entry, now time.Time, oneDay civil.Date, lang nlu.Language) string {
	span := e.span(now.Location())
	first, today := civil.DateOf(span.Start), civil.DateOf(now)
	day := spokenDay(first, today, lang)
	if e.AllDay {
		return spokenAllDay(e, day, first == oneDay, today, lang)
	}
	var clock string
	if lang == nlu.English {
		clock = "from " + clockEnglish(span.Start.Hour(), span.Start.Minute())
	} else {
		clock = clockJapanese(span.Start.Hour(), span.Start.Minute()) + "から"
	}
	switch {
	case first == oneDay && lang == nlu.English:
		return "F" + clock[1:]
	case first == oneDay:
		return clock
	case lang == nlu.English:
		return "On " + day + ", " + clock
	}
	return day + "の" + clock
}

func spokenAllDay(e entry, day string, sameDay bool, today civil.Date, lang nlu.Language) string {
	last := e.lastDay()
	switch {
	case last != e.FirstDay && lang == nlu.English:
		return "From " + day + " to " + spokenDay(last, e.FirstDay, lang)
	case last != e.FirstDay:
		return day + "から" + spokenDay(last, e.FirstDay, lang) + "まで"
	case sameDay:
		return inLang(lang, "終日", "All day")
	case lang == nlu.English:
		return "All day on " + spokenDay(e.FirstDay, today, lang)
	}
	return day + "は終日"
}

// spokenDay is a day as it is said where from is near: 15日、水曜日; Wednesday the 15th; with the month, and year, if it is another one.
func spokenDay(d, from civil.Date, lang nlu.Language) string {
	weekday := date.WeekdayName(d.Weekday(), string(lang))
	parts := since(d, from)
	if lang == nlu.English {
		switch parts {
		case dayOnly:
			return weekday + " the " + ordinal(d.Day)
		case monthAndDay:
			return fmt.Sprintf("%s, %s %s", weekday, d.Month, ordinal(d.Day))
		case fullDate:
		}
		return fmt.Sprintf("%s, %s %s, %d", weekday, d.Month, ordinal(d.Day), d.Year)
	}
	switch parts {
	case dayOnly:
		return fmt.Sprintf("%d日、%s", d.Day, weekday)
	case monthAndDay:
		return fmt.Sprintf("%d月%d日、%s", d.Month, d.Day, weekday)
	case fullDate:
	}
	return fmt.Sprintf("%d年%d月%d日、%s", d.Year, d.Month, d.Day, weekday)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

// inLang picks one of two.
func inLang(lang nlu.Language, ja, en string) string {
	if lang == nlu.English {
		return en
	}
	return ja
}
