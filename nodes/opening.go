package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/date"
	"annai/venue"
)

// An opening words the venue's hours, which are computed from its rules.
type opening struct {
	venue *venue.Venue
	wish  infoWish
	now   time.Time
	lang  nlu.Language
}

func (o opening) say(p prompts.Prompt) string { return p.In(string(o.lang)) }

func (o opening) phrase(name string, args ...any) string {
	return display.Phrase(o.lang, name, args...)
}

func (o opening) tell() draft {
	d := draft{Suggestions: display.Suggestions(o.lang, "open_tomorrow", "closed", "today"), Range: o.wish.Range}
	switch o.wish.Hours {
	case hoursNow:
		d.Text, d.Range = o.join(o.sayNow(), o.lastToday()...), display.Span{}
	case hoursDay:
		d.Text = o.join(o.sayRange(), o.lastThen()...)
	case hoursWeekly:
		d.Text = o.join(o.sayWeekly(), o.lastUsually()...)
	case hoursUsual:
		d.Text = o.join(o.sayWeekly(), append(o.lastUsually(), o.sayClosed())...)
	case hoursClosed:
		d.Text = o.sayClosed()
	}
	return d
}

func (o opening) join(first string, others ...string) string {
	return display.JoinSentences(append([]string{first}, others...), o.lang)
}

// hours are the opening hours of a day: 9:00から22:00; 09:00 to 22:00. With a break:
// 9:00から12:00までと、13:00から17:00; 09:00 to 12:00 and from 13:00 to 17:00.
func (o opening) hours(d venue.Day) string {
	spans := make([]string, len(d.Spans))
	for i, s := range d.Spans {
		_, until := display.WrittenEnd(s.Until, d.Date, o.lang)
		spans[i] = o.phrase("from_to", display.WrittenClock(s.From, o.lang), until)
	}
	return o.withBreaks(spans)
}

// withBreaks joins the times of one day between which the venue is closed.
func (o opening) withBreaks(spans []string) string {
	if len(spans) == 0 {
		return ""
	}
	out := spans[0]
	for _, span := range spans[1:] {
		out = o.phrase("and_from", out, span)
	}
	return out
}

// sayNow says whether the venue is open, until when, or when it opens.
func (o opening) sayNow() string {
	if day, open := o.venue.Opening(o.now); open {
		_, until := display.WrittenEnd(day.Until, day.Date, o.lang)
		return o.say(
			prompts.HoursNow{
				Open:  true,
				Until: until,
				When:  words.AsksWhen.In(o.wish.Text),
				Shut:  words.Shuts.In(o.wish.Text),
			},
		)
	}
	var lines []string
	today := civil.DateOf(o.now.In(o.venue.Location))
	if day := o.venue.Day(today); day.Known && !day.Open {
		lines = append(lines, o.sayDay(today))
	}
	next, ok := o.venue.NextOpening(o.now)
	if !ok {
		return display.JoinSentences(append(lines, o.say(prompts.HoursNow{})), o.lang)
	}
	return display.JoinSentences(append(lines, o.say(prompts.HoursNow{Opens: o.opens(next, today)})), o.lang)
}

// opens is when the venue opens next: 明日の9:00; at 09:00 tomorrow.
func (o opening) opens(next venue.Span, today civil.Date) string {
	clock := display.WrittenClock(next.From, o.lang)
	switch next.Date.Sub(today) {
	case 0:
		return o.phrase("opens_today", clock)
	case 1:
		return o.phrase("opens_tomorrow", clock)
	}
	return o.phrase("opens_on", clock, display.WrittenDate(next.Date, display.Nearby(next.Date, today), o.lang))
}

// sayRange says when the venue is open on the days of the range, those from a day on up to the
// first open one. It says that it is not at the time of day that was named, when it opens again, if
// that was asked, and, where one day of the week was named, on which of those it is closed as a
// rule.
func (o opening) sayRange() string {
	s := o.wish.Range
	days := s.DaysOf(maxListed)
	if first := slices.IndexFunc(days, func(d civil.Date) bool { return o.venue.Day(d).Open }); s.OpenEnd &&
		!s.Clock &&
		first >= 0 {
		days = days[:first+1]
	}
	var lines []string
	if then := o.openThen(days); len(then) > 0 {
		days = then
	} else if first := slices.IndexFunc(days, func(d civil.Date) bool { return o.venue.Day(d).Open }); first >= 0 {
		lines, days = append(lines, o.say(prompts.HoursNotThen{})), days[first:first+1]
	}
	lines = append(lines, o.sayDays(days))
	if next, ok := o.venue.NextOpening(s.End); ok && words.UntilWhen.In(o.wish.Text) &&
		!slices.ContainsFunc(days, func(d civil.Date) bool { return o.venue.Day(d).Open }) {
		lines = append(lines, o.sayDay(next.Date))
	}
	if o.wish.OneWeekday && len(days) == 1 {
		rules, _ := o.exceptions(date.Only(days[0].Weekday()))
		lines = append(lines, rules...)
	}
	return display.JoinSentences(lines, o.lang)
}

// openThen are those of the days on which the venue is open at the time of day that was named; all,
// if none was.
func (o opening) openThen(days []civil.Date) []civil.Date {
	s := o.wish.Range
	if !s.Clock {
		return days
	}
	var then []civil.Date
	for _, d := range days {
		if slices.ContainsFunc(o.venue.Day(d).Spans, func(open venue.Span) bool {
			return s.Start.Before(open.Until) && open.From.Before(s.End) && (!s.OpenEnd || !s.Start.Before(open.From))
		}) {
			then = append(then, d)
		}
	}
	if day, open := o.venue.Opening(s.Start); open && len(then) == 0 { // since the evening before
		return []civil.Date{day.Date}
	}
	return then
}

// sayDay says when the venue is open on a day, or why not.
func (o opening) sayDay(d civil.Date) string {
	return o.sayAlike(o.named(d), o.venue.Day(d))
}

// sayAlike says it of days of which the same is to be said as of one of them.
func (o opening) sayAlike(words string, day venue.Day) string {
	today := civil.DateOf(o.now)
	p := prompts.HoursDay{Day: words, Reason: day.Reason.In(string(o.lang)), Past: day.Date.Before(today)}
	if p.Reason == "" && !day.MovedFrom.IsZero() {
		from := display.WrittenDate(day.MovedFrom, display.Nearby(day.MovedFrom, today), o.lang)
		p.Reason = o.phrase("moved_from", from)
	}
	if day.Open {
		p.Hours = o.hours(day)
		p.Over = day.Date == today && !o.now.Before(day.Until)
	}
	return o.say(p)
}

// sayDays says it of several days; days in a row of which the same is to be said are one sentence.
func (o opening) sayDays(days []civil.Date) string {
	var lines []string
	for len(days) > 0 {
		n := 1
		for n < len(days) && days[n] == days[n-1].AddDays(1) && o.alike(days[0], days[n]) {
			n++
		}
		words := o.named(days[0])
		if first, last := days[0], days[n-1]; n > 1 {
			span := display.WrittenDays(
				first,
				last,
				max(display.Nearby(first, civil.DateOf(o.now)), display.Nearby(last, civil.DateOf(o.now))),
				o.lang,
			)
			words = o.phrase("on_day", span)
		}
		lines = append(lines, o.sayAlike(words, o.venue.Day(days[n-1])))
		days = days[n:]
	}
	return strings.Join(lines, "\n")
}

// alike reports whether the same is to be said of two days.
func (o opening) alike(a, b civil.Date) bool {
	x, y := o.venue.Day(a), o.venue.Day(b)
	if x.Open && y.Open && o.hours(x) != o.hours(y) {
		return false
	}
	return x.Open == y.Open && x.Reason == y.Reason && x.MovedFrom == y.MovedFrom
}

// named is a day as the beginning of a sentence: 今日, 明日、11月22日(日); Today, On Sun, Nov 22.
func (o opening) named(d civil.Date) string {
	today := civil.DateOf(o.now)
	day := display.WrittenDate(d, display.Nearby(d, today), o.lang)
	switch d.Sub(today) {
	case 0:
		return o.phrase("on_today", day)
	case 1:
		return o.phrase("on_tomorrow", day)
	}
	return o.phrase("on_day", day)
}

// sayWeekly says the hours of the days of the week that are named, or of all, and on which of those
// named no rule of the week keeps the venue open.
func (o opening) sayWeekly() string {
	named := o.wish.Weekdays
	groups := o.groups(named)
	var lines []string
	for _, g := range groups {
		if (named == 0 || g.days == everyDay) && len(groups) == 1 && g.hours != "" {
			lines = append(lines, o.say(prompts.HoursWeekly{Hours: g.hours}))
			continue
		}
		if g.hours == "" && o.holidaysDiffer() {
			lines = append(lines, o.say(prompts.HoursRules{Rules: o.closedWeekly(g.days)}))
			continue
		}
		days := o.phrase("on_day", display.WeekdaysAsSuch(g.days, o.lang))
		lines = append(lines, o.say(prompts.HoursDay{Day: days, Hours: g.hours}))
	}
	if hours, differ := o.venue.Hours.OnHolidays(); named == 0 && differ {
		day := prompts.HoursDay{Day: o.phrase("on_holidays"), Hours: o.clocks(hours)}
		lines = append(lines, o.say(day))
	}
	rules, others := o.exceptions(named)
	parts := append([]string{strings.Join(lines, "\n")}, append(rules, others...)...)
	switch day := o.venue.Day(civil.DateOf(o.now)); {
	case named.Has(day.Date.Weekday()) && !day.Open:
		parts = append([]string{o.sayDay(day.Date)}, parts...)
	case (!day.Open || day.Rule != "") && (o.wish.Range.IsZero() || named.Has(day.Date.Weekday())),
		!day.Open && named != 0,
		named.Has(day.Date.Weekday()) && !o.now.Before(day.Until):
		parts = append(parts, o.sayDay(day.Date))
	}
	return display.JoinSentences(parts, o.lang)
}

const everyDay = date.WorkingDays | date.Weekend

// A weekGroup is days of the week with the same hours; no hours for closed.
type weekGroup struct {
	days  date.Weekdays
	hours string
}

// groups are the days of the week that are named, or all, those in a row with the same hours together.
func (o opening) groups(named date.Weekdays) []weekGroup {
	var groups []weekGroup
	for i := range 7 {
		weekday := time.Weekday((i + 1) % 7)
		if named != 0 && !named.Has(weekday) {
			continue
		}
		hours := o.weekly(weekday)
		if n := len(groups); n > 0 && groups[n-1].hours == hours {
			groups[n-1].days |= date.Only(weekday)
			continue
		}
		groups = append(groups, weekGroup{date.Only(weekday), hours})
	}
	return groups
}

// exceptions says by what rules the venue is closed on some of the days of the week that are named,
// with the next such day of each, and on which other such days of the month ahead it is closed, or
// has other hours than those of the week.
func (o opening) exceptions(named date.Weekdays) (rules, others []string) {
	told := map[string]bool{}
	for _, rule := range o.venue.Hours.Closed {
		_, weekday, _ := strings.Cut(rule.NthWeekday, " ")
		of, err := date.ParseWeekdays(weekday)
		if text := o.nthWeekday(rule); err == nil && text != "" && named&of != 0 {
			told[rule.NthWeekday] = true
			rules = append(rules, o.say(prompts.HoursExcept{Rule: text, Next: o.nextClosed(rule.NthWeekday, of)}))
		}
	}
	today := civil.DateOf(o.now)
	var days []civil.Date
	for i := 1; i <= monthAhead; i++ {
		day := o.venue.Day(today.AddDays(i))
		asRule := !day.Open && o.weekly(day.Date.Weekday()) == "" || day.Open && day.Rule == ""
		if named.Has(day.Date.Weekday()) && !asRule && !told[day.Rule] {
			days = append(days, day.Date)
		}
	}
	if len(days) > 0 {
		others = append(others, o.sayDays(days))
	}
	return rules, others
}

// yearAhead is how far the next day of a rule is looked for: holidays may keep it away for some months.
const yearAhead = 366

// nextClosed is the next day from tomorrow on which a rule for days of the week closes the venue,
// or another one closes it on such a day.
func (o opening) nextClosed(rule string, of date.Weekdays) string {
	today := civil.DateOf(o.now)
	for i := 1; i <= yearAhead; i++ {
		if day := o.venue.Day(today.AddDays(i)); !day.Open && (day.Rule == rule || of.Has(day.Date.Weekday())) {
			return display.WrittenDate(day.Date, display.Nearby(day.Date, today), o.lang)
		}
	}
	return ""
}

// weekly are the hours of a weekday as the venue file has them, worded; "" for closed.
func (o opening) weekly(weekday time.Weekday) string {
	return o.clocks(o.venue.Hours.On(weekday))
}

// clocks are times of a day, worded; "" for none.
func (o opening) clocks(of []venue.ClockRange) string {
	var spans []string
	for _, hours := range of {
		from, until := hours.From.String(), hours.Until.String()
		if o.lang != nlu.English {
			from, until = strings.TrimPrefix(from, "0"), strings.TrimPrefix(until, "0")
		}
		spans = append(spans, o.phrase("from_to", from, until))
	}
	return o.withBreaks(spans)
}

// monthAhead is how far closed days are told where no range is named.
const monthAhead = 31

// sayClosed says which days of the range the venue is closed or, where none is named, by what
// rules, and the next such days.
func (o opening) sayClosed() string {
	if !o.wish.Range.IsZero() {
		return o.sayClosedDays(o.wish.Range, o.wish.Range.Words(o.now, o.lang))
	}
	today := civil.DateOf(o.now)
	ahead := civil.Days(today, today.AddDays(monthAhead), o.now.Location())
	days := o.sayClosedDays(
		display.Span{Start: ahead.Start, End: ahead.End},
		o.phrase("month_ahead"),
	)
	if rules := o.rules(); len(rules) > 0 {
		return display.JoinSentences(
			[]string{o.say(prompts.HoursRules{Rules: enumerate(rules, o.lang)}), days},
			o.lang,
		)
	}
	return days
}

func (o opening) sayClosedDays(s display.Span, words string) string {
	days := s.DaysOf(maxListed + 1)
	if len(days) <= maxListed && !slices.ContainsFunc(days, func(d civil.Date) bool { return o.venue.Day(d).Open }) {
		return o.sayRange()
	}
	closed := o.closedDays(s)
	if rules := o.rules(); len(rules) > 0 && len(closed) > maxListed {
		return o.say(prompts.HoursRules{Rules: enumerate(rules, o.lang)})
	}
	return o.say(prompts.HoursClosedDays{Range: words, Days: enumerate(closed, o.lang), Count: len(closed)})
}

// rules are the closing-day rules of the venue file, but for single days.
func (o opening) rules() []string {
	var out []string
	var closed date.Weekdays
	for i := range 7 {
		weekday := time.Weekday((i + 1) % 7)
		if o.weekly(weekday) != "" {
			continue
		}
		closed |= date.Only(weekday)
		if !o.holidaysDiffer() {
			out = append(out, o.phrase("every_week", date.WeekdayName(weekday, string(o.lang))))
		}
	}
	if closed != 0 && o.holidaysDiffer() {
		out = append(out, o.closedWeekly(closed))
	}
	if hours, differ := o.venue.Hours.OnHolidays(); differ && len(hours) == 0 {
		out = append(out, o.phrase("holidays"))
	}
	for _, rule := range o.venue.Hours.Closed {
		if text := o.nthWeekday(rule) + o.yearly(rule); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// nths are the names of the phrases for the numbers of rules.
var nths = map[string]string{
	"first": "first", "1st": "first", "second": "second", "2nd": "second", "third": "third", "3rd": "third",
	"fourth": "fourth", "4th": "fourth", "fifth": "fifth", "5th": "fifth", "last": "last",
}

// holidaysDiffer reports whether the venue is not closed on a public holiday that falls on a day of the week on which
// it is closed every week.
func (o opening) holidaysDiffer() bool {
	return o.venue.Hours.MoveIfHoliday || o.venue.Hours.OpenIfHoliday
}

// closedWeekly words days of the week that are closed every week, as one rule: 毎週月曜日（祝日の場合は、次の平日）.
func (o opening) closedWeekly(days date.Weekdays) string {
	rule := o.phrase("closed_weekly", display.WeekdaysAsSuch(days, o.lang))
	switch {
	case o.venue.Hours.MoveIfHoliday:
		return o.phrase("moved_if_holiday", rule)
	case o.venue.Hours.OpenIfHoliday:
		return o.phrase("open_if_holiday", rule)
	}
	return rule
}

// nthWeekday words a rule like "last mon"; "" if it is of another kind.
func (o opening) nthWeekday(rule venue.ClosedRule) string {
	nth, day, _ := strings.Cut(rule.NthWeekday, " ")
	name, known := nths[nth]
	set, err := date.ParseWeekdays(day)
	if !known || err != nil {
		return ""
	}
	words := o.phrase("every_month", o.phrase(name), set.Name(string(o.lang)))
	if rule.MoveIfHoliday {
		return o.phrase("moved_if_holiday", words)
	}
	return words
}

// yearly words a rule like "12-29/01-03"; "" if it is of another kind.
func (o opening) yearly(rule venue.ClosedRule) string {
	from, until, ok := strings.Cut(rule.Yearly, "/")
	if !ok {
		from, until = rule.Yearly, rule.Yearly
	}
	first, err := time.Parse("01-02", from)
	if err != nil {
		return ""
	}
	last, err := time.Parse("01-02", until)
	if err != nil {
		return ""
	}
	if from == until {
		return o.everyYear(first)
	}
	return o.phrase("from_to", o.everyYear(first), o.everyYear(last))
}

// everyYear is a day of every year: 12月29日; December 29.
func (o opening) everyYear(day time.Time) string {
	if o.lang == nlu.English {
		return o.phrase("yearly", day.Day(), day.Month())
	}
	return o.phrase("yearly", day.Day(), int(day.Month()))
}

// closedDays lists the closed days of a range, those in a row as one.
func (o opening) closedDays(s display.Span) []string {
	var out []string
	var first, last civil.Date
	flush := func() {
		if !first.IsZero() {
			out = append(out, display.WrittenDays(first, last, display.Nearby(first, civil.DateOf(o.now)), o.lang))
		}
	}
	for _, day := range s.DaysOf(date.MaxDays) {
		if o.venue.Day(day).Open {
			continue
		}
		if !first.IsZero() && day == last.AddDays(1) {
			last = day
			continue
		}
		flush()
		first, last = day, day
	}
	flush()
	return out
}
