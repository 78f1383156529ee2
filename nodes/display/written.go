package display

import (
	"fmt"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/tools/date"
)

// DateParts say how much of a date is said: what is clear from the date beside it, or from today,
// is left out.
type DateParts int

// The values of [DateParts].
const (
	DayOnly DateParts = iota
	MonthAndDay
	FullDate
)

// LongDate is a day with nothing in it shortened: 2026年6月10日(水); Wednesday, June 10, 2026.
func LongDate(d civil.Date, lang nlu.Language) string {
	if lang != nlu.English {
		return WrittenDate(d, FullDate, lang)
	}
	return fmt.Sprintf("%s, %s %d, %d", d.Weekday(), d.Month, d.Day, d.Year)
}

// WrittenDate is a day as it is read: 2025年1月15日(水), 1月15日(水), 15日(水); Wed, Jan 15, 2025, Wed, Jan
// 15.
func WrittenDate(d civil.Date, parts DateParts, lang nlu.Language) string {
	var month any = int(d.Month)
	if lang == nlu.English {
		month = d.Month.String()[:3]
	}
	return Phrase(lang, "written"+ofParts[parts], d.Day, month, d.Year, date.WeekdayShort(d.Weekday(), string(lang)))
}

// ofParts ends the names of the phrases for dates.
var ofParts = [...]string{DayOnly: "_day", MonthAndDay: "_month", FullDate: "_year"}

// Since says which parts of d are needed where from was named just before.
func Since(d, from civil.Date) DateParts {
	switch {
	case d.Year != from.Year:
		return FullDate
	case d.Month != from.Month:
		return MonthAndDay
	}
	return DayOnly
}

// Nearby says which parts of d are needed today: the year only if it is another one.
func Nearby(d, today civil.Date) DateParts {
	if d.Year != today.Year {
		return FullDate
	}
	return MonthAndDay
}

// WrittenClock is a time of day as it is read: 19:00, 9:00; 09:00 in English.
func WrittenClock(t time.Time, lang nlu.Language) string {
	if lang == nlu.English {
		return t.Format("15:04")
	}
	return fmt.Sprintf("%d:%02d", t.Hour(), t.Minute())
}

// WrittenEnd is the end of something that began on the day from: midnight at its end is 24:00.
func WrittenEnd(end time.Time, from civil.Date, lang nlu.Language) (day civil.Date, clock string) {
	day = civil.DateOf(end)
	if end.Equal(day.In(end.Location())) && day == from.AddDays(1) {
		return from, "24:00"
	}
	return day, WrittenClock(end, lang)
}

// WrittenDays is a range of days, both included, as it is read; from has the parts given.
func WrittenDays(first, last civil.Date, parts DateParts, lang nlu.Language) string {
	switch {
	case first == last:
		return WrittenDate(first, parts, lang)
	case lang != nlu.English:
		return WrittenDate(first, parts, lang) + "〜" + WrittenDate(last, Since(last, first), lang)
	case first.Year == last.Year:
		return WrittenDate(first, MonthAndDay, lang) + " – " + WrittenDate(last, parts, lang)
	}
	return WrittenDate(first, FullDate, lang) + " – " + WrittenDate(last, FullDate, lang)
}

// WrittenWhen is when an event is, as it is read in loc, the year included.
func WrittenWhen(e Entry, loc *time.Location, lang nlu.Language) string {
	if e.AllDay {
		return Phrase(lang, "written_all_day", WrittenDays(e.FirstDay, e.LastDay(), FullDate, lang))
	}
	return WrittenSpan(e.Start.In(loc), e.End.In(loc), !e.EndInferred, FullDate, lang)
}

// WrittenSpan is an interval of time as it is read: 2025年1月15日(水) 19:00〜21:00, Wed, Jan 15, 2025,
// 19:00–21:00. Without hasEnd only the start is named.
func WrittenSpan(start, end time.Time, hasEnd bool, parts DateParts, lang nlu.Language) string {
	first := civil.DateOf(start)
	sep, dash, far := " ", "〜", "〜"
	if lang == nlu.English {
		sep, dash, far = ", ", "–", " – "
	}
	begin := WrittenDate(first, parts, lang) + sep + WrittenClock(start, lang)
	if !hasEnd || !start.Before(end) {
		if !hasEnd && lang != nlu.English {
			begin += "〜"
		}
		return begin
	}
	last, clock := WrittenEnd(end, first, lang)
	if last == first {
		return begin + dash + clock
	}
	endParts := Since(last, first)
	if lang == nlu.English {
		endParts = parts
	}
	return begin + far + WrittenDate(last, endParts, lang) + sep + clock
}

// SpecTimes are the start and end of an event in the literal form of the specification: 2025/01/15
// 19:00:00 or 1/15/2025, 7:00:00 PM.
func SpecTimes(e Entry, loc *time.Location, lang nlu.Language) (start, end string) {
	if e.AllDay {
		layout := InLang(lang, "2006/01/02", "1/2/2006")
		start = e.FirstDay.In(loc).Format(layout)
		if last := e.LastDay(); last != e.FirstDay {
			end = last.In(loc).Format(layout)
		}
		return start, end
	}
	layout := InLang(lang, "2006/01/02 15:04:05", "1/2/2006, 3:04:05 PM")
	start = e.Start.In(loc).Format(layout)
	if !e.EndInferred {
		end = e.End.In(loc).Format(layout)
	}
	return start, end
}

// SpokenWhen is when an event begins, as it begins a spoken sentence: 15日、水曜日の19時から; On Wednesday
// the 15th, from 7 PM. The day is left out where oneDay is that day.
func SpokenWhen(e Entry, now time.Time, oneDay civil.Date, lang nlu.Language) string {
	span := e.Span(now.Location())
	first := civil.DateOf(span.Start)
	day := SpokenDay(first, civil.DateOf(now), lang)
	if e.AllDay {
		return spokenAllDay(e, day, first == oneDay, lang)
	}
	clock := ClockJapanese(span.Start.Hour(), span.Start.Minute())
	if lang == nlu.English {
		clock = ClockEnglish(span.Start.Hour(), span.Start.Minute())
	}
	from := Phrase(lang, "clock_from", clock)
	if first == oneDay {
		return Capital(from, lang)
	}
	return Phrase(lang, "clock_on", day, from)
}

func spokenAllDay(e Entry, day string, sameDay bool, lang nlu.Language) string {
	switch last := e.LastDay(); {
	case last != e.FirstDay:
		return Phrase(lang, "days_from_to", day, SpokenDay(last, e.FirstDay, lang))
	case sameDay:
		return Phrase(lang, "All_day")
	}
	return Phrase(lang, "All_day_on", day)
}

// SpokenDay is a day as it is said where from is near: 15日、水曜日; Wednesday the 15th; with the month,
// and year, if it is another one.
func SpokenDay(d, from civil.Date, lang nlu.Language) string {
	var day, month any = d.Day, int(d.Month)
	if lang == nlu.English {
		day, month = text.Ordinal(d.Day), d.Month
	}
	weekday := date.WeekdayName(d.Weekday(), string(lang))
	return Phrase(lang, "spoken"+ofParts[Since(d, from)], day, month, d.Year, weekday)
}

// ClockJapanese is a time of day as it is said: 19時, 9時30分.
func ClockJapanese(hour, minute int) string {
	if minute == 0 {
		return Phrase(nlu.Japanese, "clock", hour)
	}
	return Phrase(nlu.Japanese, "clock_minute", hour, minute)
}

// ClockEnglish is a time of day as it is said: 7 PM, 9:30 AM, noon, midnight.
func ClockEnglish(hour, minute int) string {
	half := "AM"
	if hour%24 >= 12 {
		half = "PM"
	}
	switch {
	case minute == 0 && hour == 12:
		return "noon"
	case minute == 0 && hour%24 == 0:
		return "midnight"
	case minute == 0:
		return fmt.Sprintf("%d %s", (hour+11)%12+1, half)
	}
	return fmt.Sprintf("%d:%02d %s", (hour+11)%12+1, minute, half)
}

// WrittenHours is a part of the day as it is read: 9:00〜10:30. It began on that day.
func WrittenHours(from, until time.Time, day civil.Date, lang nlu.Language) string {
	_, end := WrittenEnd(until, day, lang)
	return WrittenClock(from, lang) + InLang(lang, "〜", "–") + end
}

// WrittenInstant is a day and a time of day as they are read.
func WrittenInstant(t, now time.Time, lang nlu.Language) string {
	day := civil.DateOf(t)
	return WrittenDate(day, Nearby(day, civil.DateOf(now)), lang) + InLang(lang, " ", ", ") + WrittenClock(t, lang)
}

// WrittenNear is when an event is, as it is read today: the year only if it is another one.
func WrittenNear(e Entry, now time.Time, lang nlu.Language) string {
	today := civil.DateOf(now)
	if e.AllDay {
		days := WrittenDays(e.FirstDay, e.LastDay(), max(Nearby(e.FirstDay, today), Nearby(e.LastDay(), today)), lang)
		if e.FirstDay == e.LastDay() {
			days = Phrase(lang, "written_all_day", days)
		}
		return days
	}
	span := e.Span(now.Location())
	return WrittenSpan(span.Start, span.End, !e.EndInferred, Nearby(civil.DateOf(span.Start), today), lang)
}

// WrittenTimeOfDay is the part of a day that an event takes, as it is read in loc.
func WrittenTimeOfDay(e Entry, loc *time.Location, lang nlu.Language) string {
	if e.AllDay {
		return Phrase(lang, "all_day")
	}
	start := e.Start.In(loc)
	return WrittenHours(start, e.End.In(loc), civil.DateOf(start), lang)
}
