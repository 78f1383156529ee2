package nodes

import (
	"strings"
	"time"

	"annai/civil"
	"annai/internal/holiday"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/date"
)

// A reckoning words exact arithmetic with dates.
type reckoning struct {
	wish dateWish
	now  time.Time
	lang nlu.Language
}

func (r reckoning) tell() draft {
	p, day := r.answer()
	d := draft{Text: p.In(string(r.lang)), Suggestions: display.Suggestions(r.lang, "weekday", "next_holiday", "today"), Range: r.wish.Range}
	if !day.IsZero() {
		d.Cards = []display.Card{{Type: "date", Title: r.written(day), Start: day.String(), End: day.String(), AllDay: true, When: r.written(day)}}
	}
	if r.wish.Kind == dateInvalid || r.wish.Kind == dateHour {
		d.Facts.Asking = true
	}
	return d
}

// about is the day, or the range, that the answer is about; zero where it is only today, which
// nobody named.
func (r reckoning) about() display.Span {
	named := !r.wish.Range.IsZero() && !r.wish.Range.Clock || r.wish.Kind == dateNextHoliday
	if _, day := r.answer(); named && !day.IsZero() {
		return display.Span{Name: datetime.Date, Start: day.In(r.now.Location()), End: day.AddDays(1).In(r.now.Location()), Explicit: true}
	}
	return r.wish.Range
}

// unread reports whether what was asked was not read: no day was named, though something was said.
func (r reckoning) unread(said bool) bool {
	p, _ := r.answer()
	if p == (prompts.DateUnclear{}) || p == (prompts.DateHour{}) {
		return true
	}
	return r.wish.Kind == dateIs && r.wish.Range.IsZero() && said
}

func (r reckoning) written(d civil.Date) string {
	return display.WrittenDate(d, display.FullDate, r.lang)
}

// day is the day that was named, or today.
func (r reckoning) day() civil.Date {
	switch {
	case r.wish.Range.IsZero():
		return civil.DateOf(r.now)
	case r.wish.Range.OpenStart:
		return r.wish.Range.LastDate()
	}
	return civil.DateOf(r.wish.Range.Start)
}

// inStretch is today where it is in the time that was named (今年の第何週？), else the first day of that.
func (r reckoning) inStretch(first civil.Date) civil.Date {
	if isStretch(r.wish.Range) && r.wish.Range.Holds(r.now) {
		return civil.DateOf(r.now)
	}
	return first
}

// answer says what was asked, and of which day.
func (r reckoning) answer() (prompts.Prompt, civil.Date) {
	day := r.day()
	switch r.wish.Kind {
	case dateNow:
		return r.clock()
	case dateElsewhere:
		return r.elsewhere(), civil.Date{}
	case dateUntil:
		days := day.Sub(civil.DateOf(r.now))
		return prompts.DateUntil{Date: r.written(day), Days: days, Ago: -days}, day
	case dateBetween:
		first, last := day, civil.DateOf(r.wish.Second.Start)
		if last.Before(first) {
			first, last = last, first
		}
		n := last.Sub(first)
		return prompts.DateBetween{First: r.written(first), Last: r.written(last), Days: n, Both: n + 1}, civil.Date{}
	case dateLength:
		return prompts.DateLength{Range: display.Capital(r.wish.Range.Words(r.now, r.lang), r.lang), Days: r.wish.Range.LastDate().Sub(day) + 1}, civil.Date{}
	case dateList:
		return r.list(), civil.Date{}
	case dateWeek:
		day = r.inStretch(day)
		year, week := date.ISOWeek(day)
		return prompts.DateWeek{Date: r.written(day), Year: year, Week: week}, day
	case dateHoliday:
		return prompts.DateHoliday{Date: r.written(day), Holiday: r.holiday(day)}, day
	case dateNextHoliday:
		return r.nextHoliday()
	case dateHolidays:
		return r.holidays(), civil.Date{}
	case dateLeft:
		last := r.wish.Range.LastDate()
		return prompts.DateLeft{Range: r.stretch(), Last: r.written(last), Days: last.Sub(civil.DateOf(r.now))}, civil.Date{}
	case dateEra:
		if e, ok := eraCalled(r.wish.Era); ok {
			return r.ofEra(e), civil.Date{}
		}
		return r.inEra(day), civil.Date{}
	case dateLeap:
		return r.leap(day.Year), civil.Date{}
	case dateHour:
		return prompts.DateHour{}, civil.Date{}
	case dateInvalid:
		return prompts.DateInvalid{Words: display.NoBrackets(r.wish.Words)}, civil.Date{}
	case dateIs:
	}
	return r.is(day)
}

// clock is the time of day: now, or that of a time that was reckoned (2時間後).
func (r reckoning) clock() (prompts.Prompt, civil.Date) {
	if r.wish.Range.Clock {
		return r.is(r.day())
	}
	p := prompts.DateNow{Time: display.WrittenClock(r.now, r.lang)}
	if r.wish.Dated {
		p.Date = display.LongDate(civil.DateOf(r.now), r.lang)
	}
	return p, civil.Date{}
}

// elsewhere is the time in another place: now, or when it is a time here that was named.
func (r reckoning) elsewhere() prompts.Prompt {
	at, here := r.now, ""
	if s := r.wish.Range; s.Clock && !s.Start.Equal(r.now) {
		at, here = s.Start, display.WrittenClock(s.Start, r.lang)
	}
	zone, err := time.LoadLocation(r.wish.Place.Zone)
	if err != nil || r.wish.Place.Zone == "" {
		return prompts.DateNow{Time: display.WrittenClock(r.now, r.lang), Elsewhere: true}
	}
	there := at.In(zone)
	_, ours := at.Zone()
	_, theirs := there.Zone()
	ahead := time.Duration(theirs-ours) * time.Second
	return prompts.DateElsewhere{
		Place: display.InLang(r.lang, r.wish.Place.Japanese, r.wish.Place.English), Here: here, Time: display.WrittenClock(there, r.lang),
		Date: display.WrittenDate(civil.DateOf(there), display.Nearby(civil.DateOf(there), civil.DateOf(at)), r.lang), Ahead: ahead > 0, Difference: r.length(ahead.Abs()),
	}
}

// length is a time in hours and minutes; nothing for none.
func (r reckoning) length(d time.Duration) string {
	hours, minutes := int(d.Hours()), int(d.Minutes())%60
	var parts []string
	if hours > 0 {
		parts = append(parts, count(hours, "one_hour", "hours", r.lang))
	}
	if minutes > 0 {
		parts = append(parts, count(minutes, "one_minute", "minutes", r.lang))
	}
	return strings.Join(parts, display.InLang(r.lang, "", " and "))
}

// count is a number of things: the phrase one for one of them, else many.
func count(n int, one, many string, lang nlu.Language) string {
	if n == 1 {
		return display.Phrase(lang, one, n)
	}
	return display.Phrase(lang, many, n)
}

func (r reckoning) is(day civil.Date) (prompts.Prompt, civil.Date) {
	said := r.words()
	s := r.wish.Range
	switch {
	case s.IsZero():
		said = display.Capital(display.Phrase(r.lang, "today"), r.lang)
	case s.Clock:
		at := display.WrittenSpan(s.Start, s.Start, true, display.FullDate, r.lang)
		return prompts.DateIs{Words: said, Date: at, Reckoned: words.FromToday.In(said), Past: s.Start.Before(r.now)}, day
	case s.OneDay().IsZero():
		return prompts.DateRange{Words: said, First: r.written(day), Last: r.written(s.LastDate())}, civil.Date{}
	}
	p := prompts.DateIs{Words: said, Date: display.LongDate(day, r.lang), Holiday: r.holiday(day), Reckoned: words.FromToday.In(said), Past: day.Before(civil.DateOf(r.now))}
	if p.Holiday != "" && strings.EqualFold(said, p.Holiday) {
		p.Holiday, p.Named = "", true
	}
	return p, day
}

// leap says whether it is a leap year, or which is the next or the last one.
func (r reckoning) leap(year int) prompts.Prompt {
	now := r.now.Year()
	p := prompts.DateLeap{Year: year, Leap: isLeap(year), Past: year < now}
	if r.wish.Next || r.wish.Last {
		p.Year, p.Leap = 0, false
	}
	for p.Next = now + 1; !isLeap(p.Next) || p.Next == p.Year; p.Next++ {
	}
	p.Then = p.Leap && !p.Past && p.Next > p.Year
	if r.wish.Last {
		for p.Last = now - 1; !isLeap(p.Last); p.Last-- {
		}
	}
	return p
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// stretch is a range of several days as the beginning of a sentence.
func (r reckoning) stretch() string {
	said := words.RestOf.Trim(r.words())
	switch low := strings.ToLower(said); low {
	case "":
	case "week", "month", "year":
		return "This " + low
	default:
		return display.Capital(said, r.lang)
	}
	return display.Capital(r.wish.Range.Words(r.now, r.lang), r.lang)
}

// words are those of the time as the beginning of a sentence: the visitor's own, or ours where
// those are of another language. A date that is repeated by the answer needs none.
func (r reckoning) words() string {
	said := display.NoBrackets(r.wish.Words)
	if text.HasJapanese(said) != (r.lang == nlu.Japanese) {
		if !prompts.HasPhrase(string(r.wish.Range.Name)) {
			return ""
		}
		said = display.Phrase(r.lang, string(r.wish.Range.Name))
	}
	counts := words.FromADay.In(said) || words.FromToday.In(said)
	if r.wish.Range.Name == datetime.Date && strings.ContainsAny(said, "0123456789") && !counts {
		return ""
	}
	return display.Capital(capitalNames(said), r.lang)
}

// capitalNames writes the names of days and months as English does, however visitors type them.
func capitalNames(said string) string {
	list := strings.Split(said, " ")
	for i, word := range list {
		if words.DayOrMonth.In(word) {
			list[i] = display.Capital(word, nlu.English)
		}
	}
	return strings.Join(list, " ")
}

func (r reckoning) holiday(d civil.Date) string {
	name := holiday.Japan(d)
	if r.lang == nlu.English {
		return holiday.English(name)
	}
	return name
}

// holidaySearch is how many days ahead the next holiday is looked for.
const holidaySearch = 366

func (r reckoning) nextHoliday() (prompts.Prompt, civil.Date) {
	today := civil.DateOf(r.now)
	for i := 1; i <= holidaySearch; i++ {
		if d := today.AddDays(i); r.holiday(d) != "" {
			return prompts.DateNextHoliday{Date: r.written(d), Holiday: r.holiday(d)}, d
		}
	}
	return prompts.DateUnclear{}, civil.Date{}
}

func (r reckoning) holidays() prompts.Prompt {
	var days []string
	for _, d := range r.wish.Range.DaysOf(date.MaxDays) {
		if name := r.holiday(d); name != "" {
			day := display.WrittenDate(d, display.Nearby(d, civil.DateOf(r.now)), r.lang)
			days = append(days, display.Phrase(r.lang, "named_day", day, name))
		}
	}
	return prompts.DateHolidays{Range: r.wish.Range.Adverb(r.now, r.lang), Days: enumerate(days, r.lang), Count: len(days)}
}

// maxListed is how many days are listed one by one; more are only counted.
const maxListed = 10

func (r reckoning) list() prompts.Prompt {
	s := r.wish.Range
	if s.IsZero() {
		return prompts.DateUnclear{}
	}
	var days []string
	for _, d := range s.DaysOf(date.MaxDays) {
		if r.wish.Weekdays.Has(d.Weekday()) {
			days = append(days, r.listed(d))
		}
	}
	what := r.wish.Weekdays.Name(string(r.lang))
	if r.lang == nlu.English && len(days) != 1 {
		what += "s"
	}
	words := s.Adverb(r.now, r.lang)
	if len(days) > maxListed {
		return prompts.DateCount{Range: words, What: what, Count: len(days)}
	}
	return prompts.DateList{Range: words, What: what, Dates: enumerate(days, r.lang), Count: len(days)}
}

// listed is a day of a list, without its weekday where all of them have the same.
func (r reckoning) listed(d civil.Date) string {
	day := display.WrittenDate(d, display.Nearby(d, civil.DateOf(r.now)), r.lang)
	if r.wish.Weekdays != date.Only(d.Weekday()) {
		return day
	}
	if r.lang == nlu.English {
		return strings.TrimPrefix(day, date.WeekdayShort(d.Weekday(), string(r.lang))+", ")
	}
	return day[:strings.IndexByte(day, '(')]
}

// enumerate lists things in a sentence: A、B、C; A, B and C. Things that have commas are kept apart
// by semicolons.
func enumerate(list []string, lang nlu.Language) string {
	if lang != nlu.English {
		if len(list) == 2 {
			return display.Phrase(lang, "and", list[0], list[1])
		}
		return strings.Join(list, "、")
	}
	return text.Enumerate(list)
}
