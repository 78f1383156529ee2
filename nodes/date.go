package nodes

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/api"
	"annai/graph"
	"annai/internal/civil"
	"annai/internal/holiday"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/prompts"
	"annai/tools/date"
)

// dateKind is what is asked about a date.
type dateKind string

const (
	dateIs          dateKind = "is" // which day, with its weekday
	dateNow         dateKind = "now"
	dateUntil       dateKind = "until"
	dateBetween     dateKind = "between"
	dateList        dateKind = "list" // the Tuesdays, working days, ... of a range
	dateWeek        dateKind = "week"
	dateHoliday     dateKind = "holiday"
	dateNextHoliday dateKind = "next_holiday"
	dateHolidays    dateKind = "holidays"
	dateEra         dateKind = "era"
	dateInvalid     dateKind = "invalid"
)

// A dateWish is what the date node is to compute.
type dateWish struct {
	Kind dateKind `json:"kind"`
	// Words are those of the time, as they were said.
	Words string `json:"words,omitempty"`
	// Range is the time, zero where none was named; Second another one, for between.
	Range  span `json:"range,omitzero"`
	Second span `json:"second,omitzero"`
	// Weekdays names the kind of days to list.
	Weekdays date.Weekdays `json:"weekdays,omitempty"`
}

// dateWishOf is what the utterance asks about a date. Where it does not say, it is what was asked before.
func dateWishOf(u nlu.Understanding, now time.Time, before dateKind) dateWish {
	text := strings.ToLower(u.Text)
	w := dateWish{}
	if e, ok := bestExpression(u.Times); ok {
		w.Words, w.Range = oneLine(e.Text, maxWords), fromExpression(e, now)
		w.Words = strings.TrimSuffix(strings.TrimSuffix(w.Words, "まで"), "から")
	}
	days := daysNamed(u.Times)
	w.Kind = kindOf(text, w, len(days))
	if w.Kind == dateIs && before != "" && before != dateInvalid && before != dateBetween {
		w.Kind = before
		if before == dateNextHoliday || before == dateHoliday || before == dateHolidays {
			w.Kind = holidayKind(w.Range)
		}
	}
	switch w.Kind {
	case dateBetween:
		w.Range, w.Second = fromExpression(days[0], now), fromExpression(days[len(days)-1], now)
	case dateUntil:
		for _, e := range days {
			if e.Name != datetime.Today {
				w.Range, w.Words = fromExpression(e, now), e.Text
			}
		}
	case dateList:
		w.Weekdays = weekdaysIn(text)
		if month, ok := monthOf(u.Times, now); ok {
			w.Range = month
		}
	case dateIs, dateNow, dateWeek, dateHoliday, dateNextHoliday, dateHolidays, dateEra, dateInvalid:
	}
	return w
}

// kindOf reads what is asked from the words around the time.
func kindOf(text string, w dateWish, days int) dateKind {
	switch {
	case hasAny(text, "祝日", "祭日", "国民の休日", "public holiday", "national holiday", "holiday"):
		if hasAny(text, "次の", "つぎの", "next") || w.Range.isZero() {
			return dateNextHoliday
		}
		return holidayKind(w.Range)
	case hasAny(text, "何週目", "第何週", "週番号", "week number", "what week", "which week", "iso week"):
		return dateWeek
	case hasAny(text, "令和", "和暦", "元号", "japanese era", "japanese calendar") && hasAny(text, "何年", "いつ", "何", "what", "which"):
		return dateEra
	case days >= 2 && hasAny(text, "何日", "how many days", "days between", "how long"):
		return dateBetween
	case hasAny(text, "あと何", "まで何日", "まで何週", "何日ある", "何日残", "までどのくらい", "までどれくらい", "days until", "days till", "days to ", "days left", "how long until",
		"how far", "weeks until", "how many days") && weekdaysIn(text) == 0 && !w.Range.isZero():
		return dateUntil
	case weekdaysIn(text) != 0 && !w.Range.isZero() && w.Range.oneDay().IsZero():
		return dateList
	case weekdaysIn(text) != 0 && hasAny(text, "月の", "月は", " of ", " in "):
		return dateList
	case hasAny(text, "何時", "時刻", "what time", "current time", "the time"):
		return dateNow
	}
	return dateIs
}

func holidayKind(s span) dateKind {
	if s.isZero() || !s.oneDay().IsZero() {
		return dateHoliday
	}
	return dateHolidays
}

// bestExpression is the expression that [spanOf] chooses first.
func bestExpression(times []datetime.Expression) (best datetime.Expression, ok bool) {
	for _, e := range times {
		if usable(e) && (!ok || specific(e) > specific(best) || specific(e) == specific(best) && len(e.Text) > len(best.Text)) {
			best, ok = e, true
		}
	}
	return best, ok
}

// daysNamed are the expressions that name one day.
func daysNamed(times []datetime.Expression) []datetime.Expression {
	var out []datetime.Expression
	for _, e := range times {
		if usable(e) && e.Kind == datetime.KindDay {
			out = append(out, e)
		}
	}
	return out
}

// monthOf is the range in which days of a kind are listed: the range that was named, or the month of a day (来月の火曜日).
func monthOf(times []datetime.Expression, now time.Time) (span, bool) {
	for _, e := range times {
		if usable(e) && e.Kind == datetime.KindDays {
			return fromExpression(e, now), true
		}
	}
	e, ok := bestExpression(times)
	if !ok || !hasAny(strings.ToLower(e.Text), "月", "month", "january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december") {
		return span{}, false
	}
	first := civil.DateOf(fromExpression(e, now).Start)
	first.Day = 1
	until := first.AddMonths(1)
	s := span{Name: datetime.Range, Start: first.In(now.Location()), End: until.In(now.Location()), Explicit: true}
	this := civil.DateOf(now)
	this.Day = 1
	switch first {
	case this:
		s.Name = datetime.ThisMonth
	case this.AddMonths(1):
		s.Name = datetime.NextMonth
	}
	return s, true
}

var (
	japaneseWeekday = regexp.MustCompile(`([月火水木金土日])曜`)
	englishWeekday  = regexp.MustCompile(`\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b`)
)

// weekdaysIn reads which days of the week are named; 0 for none.
func weekdaysIn(text string) date.Weekdays {
	var word string
	switch {
	case hasAny(text, "平日", "weekdays", "working days", "business days"):
		word = "平日"
	case hasAny(text, "土日", "週末", "weekends", "weekend days"):
		word = "週末"
	default:
		if m := japaneseWeekday.FindStringSubmatch(text); m != nil {
			word = m[1]
		} else if m := englishWeekday.FindString(text); m != "" {
			word = m
		}
	}
	days, err := date.ParseWeekdays(word)
	if err != nil {
		return 0
	}
	return days
}

// dateNode computes what was asked.
func (c *Concierge) dateNode(_ context.Context, s State) (graph.Command[State], error) {
	now := s.Turn.At.In(c.location(s.Turn))
	w := s.Route.Date
	if !w.Range.isZero() {
		w.Range = w.Range.in(now.Location())
	}
	if !w.Second.isZero() {
		w.Second = w.Second.in(now.Location())
	}
	d := reckoning{wish: w, now: now, lang: s.Language}.tell()
	return graph.Command[State]{Update: graph.Update[State]{
		draftChannel.Write(d), topicChannel.Write(topic{Node: nodeDate, Date: w.Kind}),
	}}, nil
}

// A reckoning words exact arithmetic with dates.
type reckoning struct {
	wish dateWish
	now  time.Time
	lang nlu.Language
}

func (r reckoning) tell() draft {
	p, day := r.answer()
	d := draft{Text: p.In(string(r.lang)), Suggestions: suggestions(r.lang, "weekday", "next_holiday", "today")}
	if !r.wish.Range.isZero() {
		d.Range = r.wish.Range.wire()
	}
	if !day.IsZero() {
		d.Cards = []api.Card{{Type: "date", Title: r.written(day), Start: day.String(), End: day.String(), AllDay: true, When: r.written(day)}}
	}
	if r.wish.Kind == dateInvalid {
		d.Facts.Asking = true
	}
	return d
}

func (r reckoning) written(d civil.Date) string { return writtenDate(d, fullDate, r.lang) }

// day is the day that was named, or today.
func (r reckoning) day() civil.Date {
	switch {
	case r.wish.Range.isZero():
		return civil.DateOf(r.now)
	case r.wish.Range.OpenStart:
		return r.wish.Range.lastDate()
	}
	return civil.DateOf(r.wish.Range.Start)
}

// answer says what was asked, and of which day.
func (r reckoning) answer() (prompts.Prompt, civil.Date) {
	day := r.day()
	switch r.wish.Kind {
	case dateNow:
		return r.clock()
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
	case dateList:
		return r.list(), civil.Date{}
	case dateWeek:
		year, week := date.ISOWeek(day)
		return prompts.DateWeek{Date: r.written(day), Year: year, Week: week}, day
	case dateHoliday:
		return prompts.DateHoliday{Date: r.written(day), Holiday: r.holiday(day)}, day
	case dateNextHoliday:
		return r.nextHoliday()
	case dateHolidays:
		return r.holidays(), civil.Date{}
	case dateEra:
		return prompts.DateEra{Year: day.Year, Era: era(day.Year, r.lang)}, civil.Date{}
	case dateInvalid:
		return prompts.DateInvalid{Words: noBrackets(r.wish.Words)}, civil.Date{}
	case dateIs:
	}
	return r.is(day)
}

// clock is the time of day: now, or that of a time that was reckoned (2時間後).
func (r reckoning) clock() (prompts.Prompt, civil.Date) {
	if r.wish.Range.Clock {
		return r.is(r.day())
	}
	return prompts.DateNow{Time: writtenClock(r.now, r.lang)}, civil.Date{}
}

func (r reckoning) is(day civil.Date) (prompts.Prompt, civil.Date) {
	words := r.words()
	s := r.wish.Range
	switch {
	case s.isZero():
		words = inLang(r.lang, "今日", "Today")
	case s.Clock:
		at := writtenSpan(s.Start, s.Start, true, fullDate, r.lang)
		return prompts.DateIs{Words: words, Date: at}, day
	case s.oneDay().IsZero():
		return prompts.DateRange{Words: words, First: r.written(day), Last: r.written(s.lastDate())}, civil.Date{}
	}
	return prompts.DateIs{Words: words, Date: r.written(day), Holiday: r.holiday(day)}, day
}

// words are those of the time as the beginning of a sentence.
func (r reckoning) words() string {
	words := noBrackets(r.wish.Words)
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
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
	for _, d := range r.wish.Range.daysOf(date.MaxDays) {
		if name := r.holiday(d); name != "" {
			days = append(days, writtenDate(d, nearby(d, civil.DateOf(r.now)), r.lang)+inLang(r.lang, "の"+name, " ("+name+")"))
		}
	}
	return prompts.DateHolidays{Range: r.wish.Range.words(r.now, r.lang), Days: enumerate(days, r.lang), Count: len(days)}
}

// maxListed is how many days are listed one by one; more are only counted.
const maxListed = 10

func (r reckoning) list() prompts.Prompt {
	s := r.wish.Range
	if s.isZero() {
		return prompts.DateUnclear{}
	}
	var days []string
	for _, d := range s.daysOf(date.MaxDays) {
		if r.wish.Weekdays.Has(d.Weekday()) {
			days = append(days, r.listed(d))
		}
	}
	what := r.wish.Weekdays.Name(string(r.lang))
	if r.lang == nlu.English && len(days) != 1 {
		what += "s"
	}
	words := s.words(r.now, r.lang)
	if len(days) > maxListed {
		return prompts.DateCount{Range: words, What: what, Count: len(days)}
	}
	return prompts.DateList{Range: words, What: what, Dates: enumerate(days, r.lang), Count: len(days)}
}

// listed is a day of a list, without its weekday where all of them have the same.
func (r reckoning) listed(d civil.Date) string {
	day := writtenDate(d, nearby(d, civil.DateOf(r.now)), r.lang)
	if r.wish.Weekdays != date.Only(d.Weekday()) {
		return day
	}
	if r.lang == nlu.English {
		return strings.TrimPrefix(day, date.WeekdayShort(d.Weekday(), string(r.lang))+", ")
	}
	return day[:strings.IndexByte(day, '(')]
}

// enumerate lists things in a sentence: A、B、C; A, B and C. Things that have commas are kept apart by semicolons.
func enumerate(list []string, lang nlu.Language) string {
	if lang != nlu.English {
		return strings.Join(list, "、")
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	sep := ", "
	if strings.Contains(strings.Join(list, ""), ",") {
		sep = "; "
	}
	return strings.Join(list[:len(list)-1], sep) + " and " + list[len(list)-1]
}

// era is a year in the Japanese calendar, by the era of its last day.
func era(year int, lang nlu.Language) string {
	eras := []struct {
		from   int
		ja, en string
	}{{2019, "令和", "Reiwa"}, {1989, "平成", "Heisei"}, {1926, "昭和", "Showa"}, {1912, "大正", "Taisho"}, {1868, "明治", "Meiji"}}
	for _, e := range eras {
		if year < e.from {
			continue
		}
		n := year - e.from + 1
		if lang == nlu.English {
			return fmt.Sprintf("%s %d", e.en, n)
		}
		if n == 1 {
			return e.ja + "元年"
		}
		return fmt.Sprintf("%s%d年", e.ja, n)
	}
	return fmt.Sprint(year)
}
