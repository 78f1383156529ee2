package nodes

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"annai/internal/civil"
	"annai/nlu"
	"annai/prompts"
	"annai/tools/date"
	"annai/venue"
)

// hoursKind is what is asked about the opening hours of the venue itself.
type hoursKind string

const (
	hoursNow    hoursKind = "now"
	hoursDay    hoursKind = "day" // of the days of a short range
	hoursWeekly hoursKind = "weekly"
	hoursClosed hoursKind = "closed" // the closed days of a range
)

var (
	openWords = []string{
		"開いて", "あいて", "空いて", "開き", "開く", "開館", "営業", "閉館", "閉ま", "閉じ", "何時まで", "何時から", "やって", "入れます", "利用時間", "使える時間",
		"open", "close", "opening", "closing", "hours", "business hours",
	}
	closedWords = []string{"休館", "休み", "定休", "休業", "お休み", "closed", "closing day", "days off", "day off"}
	nowWords    = []string{"今", "いまは", "いま開", "いま空", "いまや", "ただいま", "現在", " now", "currently", "still open"}
	// generic are the words that a question about the hours of the venue as a whole may have besides.
	generic = []string{
		"開", "閉", "営業", "休", "時間", "何時", "いつ", "利用", "使", "入", "建物", "施設", "館", "ここ", "こちら", "最終", "日", "曜", "年末", "年始", "今", "やって",
		"open", "close", "hour", "time", "when", "day", "you", "place", "building", "here", "until", "late", "early", "still", "now",
		"new year", "year", "end", "week", "month", "are", "do", "what", "is", "the",
	}
)

// hoursAsked reads what is asked about the opening hours of the venue as a whole; "" where it is about something else, or
// about a part of it that has hours of its own.
func (c *Concierge) hoursAsked(u nlu.Understanding, s span, now time.Time) hoursKind {
	text := strings.ReplaceAll(strings.ToLower(u.Text), "どうやって", "") // "how" is not "is it on"
	closed := hasAny(text, closedWords...)
	if !closed && !hasAny(text, openWords...) || !c.aboutWhole(u) {
		return ""
	}
	if s.isZero() && hasAny(text, "祝日", "祭日", "holiday") { // a rule, which is prose
		return ""
	}
	days := len(s.daysOf(maxListed))
	switch {
	case s.isZero() && closed, !s.isZero() && closed && days > 1:
		return hoursClosed
	case hasAny(text, nowWords...) && (s.isZero() || s.Clock && !s.Start.After(now)):
		return hoursNow
	case weekdaysIn(text) != 0 && (s.isZero() || alwaysMeant(text)), s.isZero() && hasAny(text, "時間", "何時", "hours", "what time", "when do", "when does", "when is", "when are", "how late", "how early"):
		return hoursWeekly
	case s.isZero():
		return hoursNow
	case days >= maxListed:
		return hoursClosed
	}
	return hoursDay
}

// alwaysMeant reports whether days of the week are meant as such, and not those of one week.
func alwaysMeant(text string) bool {
	return hasAny(text, "平日", "土日", "weekdays", "weekends") && !hasAny(text, "今週", "来週", "今度", "次の", "this ", "next ")
}

// aboutWhole reports whether the words name no part of the venue.
func (c *Concierge) aboutWhole(u nlu.Understanding) bool {
	name := strings.ToLower(c.parts.Venue.Name.JA + " " + c.parts.Venue.Name.EN)
	for _, word := range u.Keywords {
		if strings.Contains(name, word) || hasAny(word, generic...) && !hasKatakana(word) {
			continue
		}
		return false
	}
	return true
}

func hasKatakana(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Katakana, r) })
}

// An opening words the venue's hours, which are computed from its rules.
type opening struct {
	venue *venue.Venue
	wish  infoWish
	now   time.Time
	lang  nlu.Language
}

func (o opening) say(p prompts.Prompt) string { return p.In(string(o.lang)) }

func (o opening) tell() draft {
	d := draft{Suggestions: suggestions(o.lang, "open_tomorrow", "closed", "today")}
	if !o.wish.Range.isZero() {
		d.Range = o.wish.Range.wire()
	}
	switch o.wish.Hours {
	case hoursNow:
		d.Text, d.Range = o.sayNow(), nil
	case hoursDay:
		d.Text = o.sayDays(o.wish.Range.daysOf(maxListed))
	case hoursWeekly:
		d.Text = o.sayWeekly()
	case hoursClosed:
		d.Text = o.sayClosed()
	}
	return d
}

// hours are the opening hours of a day: 9:00から22:00; 09:00 to 22:00.
func (o opening) hours(d venue.Day) string {
	_, until := writtenEnd(d.Until, d.Date, o.lang)
	return writtenClock(d.From, o.lang) + inLang(o.lang, "から", " to ") + until
}

// sayNow says whether the venue is open, until when, or when it opens.
func (o opening) sayNow() string {
	if day, open := o.venue.Opening(o.now); open {
		_, until := writtenEnd(day.Until, day.Date, o.lang)
		return o.say(prompts.HoursNow{Open: true, Until: until})
	}
	var lines []string
	today := civil.DateOf(o.now.In(o.venue.Location))
	if day := o.venue.Day(today); day.Known && !day.Open {
		lines = append(lines, o.sayDay(today))
	}
	next, ok := o.venue.NextOpening(o.now)
	if !ok {
		return joinSentences(append(lines, o.say(prompts.HoursNow{})), o.lang)
	}
	return joinSentences(append(lines, o.say(prompts.HoursNow{Opens: o.opens(next, today)})), o.lang)
}

// opens is when the venue opens next: 明日の9:00; at 09:00 tomorrow.
func (o opening) opens(next venue.Day, today civil.Date) string {
	clock := writtenClock(next.From, o.lang)
	day := writtenDate(next.Date, nearby(next.Date, today), o.lang)
	switch next.Date.Sub(today) {
	case 0:
		day = inLang(o.lang, "今日", "today")
	case 1:
		day = inLang(o.lang, "明日", "tomorrow")
	default:
		day = inLang(o.lang, day, "on "+day)
	}
	return inLang(o.lang, day+"の"+clock, "at "+clock+" "+day)
}

// sayDay says when the venue is open on a day, or why not.
func (o opening) sayDay(d civil.Date) string {
	day := o.venue.Day(d)
	p := prompts.HoursDay{Day: o.named(d), Reason: day.Reason.In(string(o.lang))}
	if day.Open {
		p.Hours = o.hours(day)
		p.Over = d == civil.DateOf(o.now) && !o.now.Before(day.Until)
	}
	return o.say(p)
}

// sayDays says it of several days; days in a row with the same hours, or the same reason, are one sentence.
func (o opening) sayDays(days []civil.Date) string {
	var lines []string
	for len(days) > 0 {
		n := 1
		for n < len(days) && o.alike(days[0], days[n]) {
			n++
		}
		if n == 1 {
			lines = append(lines, o.sayDay(days[0]))
		} else {
			first, last := days[0], days[n-1]
			span := writtenDays(first, last, max(nearby(first, civil.DateOf(o.now)), nearby(last, civil.DateOf(o.now))), o.lang)
			day := o.venue.Day(first)
			p := prompts.HoursDay{Day: inLang(o.lang, span, "On "+span), Reason: day.Reason.In(string(o.lang))}
			if day.Open {
				p.Hours = o.hours(day)
			}
			lines = append(lines, o.say(p))
		}
		days = days[n:]
	}
	return strings.Join(lines, "\n")
}

// alike reports whether the same is to be said of two days.
func (o opening) alike(a, b civil.Date) bool {
	x, y := o.venue.Day(a), o.venue.Day(b)
	if x.Open && y.Open {
		return o.hours(x) == o.hours(y)
	}
	return x.Open == y.Open && x.Reason == y.Reason
}

// named is a day as the beginning of a sentence: 今日, 明日、11月22日(日); Today, On Sun, Nov 22.
func (o opening) named(d civil.Date) string {
	today := civil.DateOf(o.now)
	day := writtenDate(d, nearby(d, today), o.lang)
	switch d.Sub(today) {
	case 0:
		return inLang(o.lang, "今日、"+day, "Today, "+day)
	case 1:
		return inLang(o.lang, "明日、"+day, "Tomorrow, "+day)
	}
	return inLang(o.lang, day, "On "+day)
}

// sayWeekly says the hours of the days of the week that are named, or of all, where no rule closes a day; days with the same hours
// together.
func (o opening) sayWeekly() string {
	type group struct{ days, hours string }
	var groups []group
	named := weekdaysIn(strings.ToLower(o.wish.Text))
	for i := range 7 {
		weekday := time.Weekday((i + 1) % 7)
		if named != 0 && !named.Has(weekday) {
			continue
		}
		hours := o.weekly(weekday)
		name := date.WeekdayName(weekday, string(o.lang))
		if n := len(groups); n > 0 && groups[n-1].hours == hours {
			groups[n-1].days += inLang(o.lang, "・", ", ") + name
			continue
		}
		groups = append(groups, group{name, hours})
	}
	if len(groups) == 1 && groups[0].hours != "" && named == 0 {
		return o.withToday(o.say(prompts.HoursWeekly{Hours: groups[0].hours}))
	}
	var lines []string
	for _, g := range groups {
		lines = append(lines, o.say(prompts.HoursDay{Day: inLang(o.lang, g.days, "On "+g.days), Hours: g.hours}))
	}
	return o.withToday(strings.Join(lines, "\n"))
}

// withToday adds that today is an exception, if it is.
func (o opening) withToday(text string) string {
	if day := o.venue.Day(civil.DateOf(o.now)); day.Known && !day.Open {
		return joinSentences([]string{text, o.sayDay(day.Date)}, o.lang)
	}
	return text
}

// weekly are the hours of a weekday as the venue file has them, worded; "" for closed.
func (o opening) weekly(weekday time.Weekday) string {
	text := o.venue.Hours.Weekly[strings.ToLower(weekday.String()[:3])]
	from, until, ok := strings.Cut(text, "-")
	if !ok {
		return ""
	}
	if o.lang != nlu.English {
		from, until = strings.TrimPrefix(from, "0"), strings.TrimPrefix(until, "0")
	}
	return fmt.Sprintf("%s%s%s", from, inLang(o.lang, "から", " to "), until)
}

// monthAhead is how far closed days are told where no range is named.
const monthAhead = 31

// sayClosed says which days of the range the venue is closed or, where none is named, by what rules, and the next such days.
func (o opening) sayClosed() string {
	if !o.wish.Range.isZero() {
		return o.sayClosedDays(o.wish.Range, o.wish.Range.words(o.now, o.lang))
	}
	today := civil.DateOf(o.now)
	ahead := civil.Days(today, today.AddDays(monthAhead), o.now.Location())
	days := o.sayClosedDays(span{Start: ahead.Start, End: ahead.End}, inLang(o.lang, "これから1か月", "the next month"))
	if rules := o.rules(); len(rules) > 0 {
		return joinSentences([]string{o.say(prompts.HoursRules{Rules: enumerate(rules, o.lang)}), days}, o.lang)
	}
	return days
}

func (o opening) sayClosedDays(s span, words string) string {
	closed := o.closedDays(s)
	return o.say(prompts.HoursClosedDays{Range: words, Days: enumerate(closed, o.lang), Count: len(closed)})
}

// rules are the closing-day rules of the venue file, but for single days.
func (o opening) rules() []string {
	var out []string
	for i := range 7 {
		weekday := time.Weekday((i + 1) % 7)
		if name := date.WeekdayName(weekday, string(o.lang)); o.weekly(weekday) == "" {
			out = append(out, inLang(o.lang, "毎週"+name, name+"s"))
		}
	}
	for _, rule := range o.venue.Hours.Closed {
		if text := o.nthWeekday(rule) + o.yearly(rule); text != "" {
			out = append(out, text)
		}
	}
	return out
}

var (
	nths = map[string][2]string{
		"first": {"第1", "first"}, "1st": {"第1", "first"}, "second": {"第2", "second"}, "2nd": {"第2", "second"},
		"third": {"第3", "third"}, "3rd": {"第3", "third"}, "fourth": {"第4", "fourth"}, "4th": {"第4", "fourth"},
		"fifth": {"第5", "fifth"}, "5th": {"第5", "fifth"}, "last": {"最終", "last"},
	}
	moved = [2]string{"（祝日の場合は、次の平日）", " (if that is a public holiday, the next weekday)"}
)

// nthWeekday words a rule like "last mon"; "" if it is of another kind.
func (o opening) nthWeekday(rule venue.ClosedRule) string {
	nth, day, _ := strings.Cut(rule.NthWeekday, " ")
	words, known := nths[nth]
	set, err := date.ParseWeekdays(day)
	if !known || err != nil {
		return ""
	}
	name, tail := set.Name(string(o.lang)), ""
	if rule.MoveIfHoliday {
		tail = inLang(o.lang, moved[0], moved[1])
	}
	return inLang(o.lang, "毎月"+words[0]+name, "the "+words[1]+" "+name+" of every month") + tail
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
	layout := inLang(o.lang, "1月2日", "January 2")
	if from == until {
		return first.Format(layout)
	}
	return first.Format(layout) + inLang(o.lang, "から", " to ") + last.Format(layout)
}

// closedDays lists the closed days of a range, those in a row as one.
func (o opening) closedDays(s span) []string {
	var out []string
	var first, last civil.Date
	flush := func() {
		if !first.IsZero() {
			out = append(out, writtenDays(first, last, nearby(first, civil.DateOf(o.now)), o.lang))
		}
	}
	for _, day := range s.daysOf(date.MaxDays) {
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
