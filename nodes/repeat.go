package nodes

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/tools/calendar"
	"annai/tools/date"
)

// A repeat is how an entry recurs. The zero repeat does not.
type repeat struct {
	// Unit is DAILY, WEEKLY, MONTHLY or YEARLY, Every how many of them lie between two.
	Unit  string `json:"unit,omitempty"`
	Every int    `json:"every,omitempty"`
	// Weekdays are the days of the week, in the order of the week; Nth, with one of them, which one of the month (-1 the last).
	Weekdays []time.Weekday `json:"weekdays,omitempty"`
	Nth      int            `json:"nth,omitempty"`
	// From is the first day that counts. Until is the last, zero for none; Count how many there are, 0 for no number.
	From  civil.Date `json:"from,omitzero"`
	Until civil.Date `json:"until,omitzero"`
	Count int        `json:"count,omitempty"`
}

func (r repeat) isZero() bool { return r.Unit == "" }

var (
	everyOther     = regexp.MustCompile(`隔週|隔日|隔月|一週間おき|1週間おき|1週おき|every (?:other|second|2nd)|bi-?weekly|fortnight`)
	everyNumber    = regexp.MustCompile(`(\d+) ?(?:日|週間?|か月|ヶ月|ヵ月|カ月|ケ月|年)(?:ごと|毎|おき)|every (\d+) (?:day|week|month|year)`)
	timesInAll     = regexp.MustCompile(`(\d+) ?回|(\d+) times|for (\d+) (?:weeks|days|months)`)
	ofMonth        = regexp.MustCompile(`第 ?([1-5一二三四五]) ?([月火水木金土日])|(first|second|third|fourth|last) (mon|tue|wed|thu|fri|sat|sun)`)
	lastOfMonth    = regexp.MustCompile(`最終 ?([月火水木金土日])|最後の([月火水木金土日])`)
	mondayToFriday = regexp.MustCompile(`(?i)\bmon(?:day)?\b ?(?:through|thru|to|-|–) ?\bfri(?:day)?\b`)
)

// units are words for how often something comes.
var units = []struct {
	unit  string
	words []string
}{
	{"DAILY", []string{"毎日", "隔日", "毎朝", "毎晩", "毎夕", "日ごと", "日おき", "daily", "every day", "each day", "every other day", "every morning", "every evening", "every night", "平日"}},
	{"MONTHLY", []string{"毎月", "隔月", "月ごと", "月おき", "月に一度", "monthly", "every month", "each month", "of the month", "of each month", "of every month", "every other month", " months"}},
	{"YEARLY", []string{"毎年", "年ごと", "yearly", "every year", "each year", "annually"}},
	{"WEEKLY", []string{"毎週", "隔週", "週間ごと", "週ごと", "週おき", "週に一度", "weekly", "every week", "each week", "fortnight", " weeks", "曜"}},
}

// repeatOf reads how something recurs (毎週水曜10時, "every other Friday at noon"), and the time of day in it. ok is false for what has no
// rule that is understood.
func repeatOf(frequency, text string, said timesSaid, now time.Time) (r repeat, e edit, ok bool) {
	frequency = mondayToFriday.ReplaceAllString(frequency, "every weekday")
	low := strings.ToLower(frequency)
	r = repeat{Every: 1, From: said.from, Until: said.until}
	for _, u := range units {
		if hasAny(low, u.words...) {
			r.Unit = u.unit
			break
		}
	}
	r.Weekdays = weekdaysNamed(frequency, now)
	switch {
	case hasAny(low, "平日", "weekday", "workday", "working day"):
		r.Unit, r.Weekdays = "WEEKLY", []time.Weekday{1, 2, 3, 4, 5}
	case r.Unit == "" && len(r.Weekdays) > 0, r.Unit == "DAILY" && len(r.Weekdays) > 0:
		r.Unit = "WEEKLY"
	}
	if everyOther.MatchString(low) {
		r.Every = 2
	}
	if m := everyNumber.FindStringSubmatch(low); m != nil {
		r.Every = max(1, atoi(m[1]+m[2]))
	}
	if m := timesInAll.FindStringSubmatch(strings.ToLower(text)); m != nil {
		r.Count = min(atoi(m[1]+m[2]+m[3]), 999)
	}
	if r.Unit == "MONTHLY" {
		r.nth(low)
	}
	if r.Unit == "" {
		return repeat{}, edit{}, false
	}
	e = clockIn(frequency, now)
	if r.From.IsZero() || r.From.Before(civil.DateOf(now)) {
		r.From = civil.DateOf(now)
	}
	if e.Day.IsZero() || len(r.Weekdays) > 0 || r.Unit == "DAILY" {
		e.Day = r.From
	}
	e.Guessed = false
	return r, e, true
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // only digits come
	return n
}

// nth reads which weekday of the month is meant.
func (r *repeat) nth(low string) {
	if m := lastOfMonth.FindStringSubmatch(low); m != nil {
		r.Nth = -1
	}
	m := ofMonth.FindStringSubmatch(low)
	if m == nil {
		return
	}
	for i, names := range []string{"1一first", "2二second", "3三third", "4四fourth", "5五"} {
		if m[1]+m[3] != "" && strings.Contains(names, m[1]+m[3]) {
			r.Nth = i + 1
		}
	}
	if m[3] == "last" {
		r.Nth = -1
	}
}

// weekdaysNamed are the days of the week that words for how often name, Monday first.
func weekdaysNamed(frequency string, now time.Time) []time.Weekday {
	var found date.Weekdays
	for _, e := range datetime.Parse(frequency, now) {
		found |= date.Of(e.Weekdays)
	}
	return found.List()
}

// partsOfDay keep the part of the day of words that say how often.
var partsOfDay = strings.NewReplacer("毎朝", "朝", "毎晩", "夜", "毎夕", "夕方", "every morning", "in the morning", "every evening", "in the evening", "every night", "at night")

var howOften = regexp.MustCompile(`平日(?:は|の)?|(?:every |each |on )?(?:weekdays?|workdays?)|毎週|毎日|毎月|毎年|隔週|隔日|隔月|every other|every second|every|each|weekly|daily|monthly|on `)

// clockIn reads the time of day, and the day of the month, in words that say how often.
func clockIn(frequency string, now time.Time) edit {
	rest := howOften.ReplaceAllString(partsOfDay.Replace(strings.ToLower(frequency)), " ")
	return readTimes(datetime.Parse(strings.TrimSpace(rest), now), now).edit
}

// first is the first day on or after From that the rule has, if the day is the one given otherwise.
func (r repeat) first(day civil.Date) civil.Date {
	if day.Before(r.From) {
		day = r.From
	}
	for range 62 { // a month of weekdays is in there
		if r.has(day) {
			return day
		}
		day = day.AddDays(1)
	}
	return day
}

// has reports whether the rule may begin on that day.
func (r repeat) has(d civil.Date) bool {
	if len(r.Weekdays) == 0 {
		return true
	}
	if !slices.Contains(r.Weekdays, d.Weekday()) {
		return false
	}
	switch {
	case r.Nth > 0:
		return (d.Day-1)/7+1 == r.Nth
	case r.Nth < 0:
		return d.AddDays(7).Month != d.Month
	}
	return true
}

// lines are those of RFC 5545 for an entry that begins the series.
func (r repeat) lines(e calendar.Event, loc *time.Location) []string {
	rule := "RRULE:FREQ=" + r.Unit
	if r.Every > 1 {
		rule += fmt.Sprintf(";INTERVAL=%d", r.Every)
	}
	if len(r.Weekdays) > 0 {
		var days []string
		for _, d := range r.Weekdays {
			day := strings.ToUpper(d.String()[:2])
			if r.Nth != 0 {
				day = strconv.Itoa(r.Nth) + day
			}
			days = append(days, day)
		}
		rule += ";BYDAY=" + strings.Join(days, ",")
	}
	switch {
	case r.Count > 0:
		rule += fmt.Sprintf(";COUNT=%d", r.Count)
	case !r.Until.IsZero() && e.AllDay:
		rule += ";UNTIL=" + strings.ReplaceAll(r.Until.String(), "-", "")
	case !r.Until.IsZero():
		last := r.Until.AddDays(1).In(loc).Add(-time.Second)
		rule += ";UNTIL=" + last.UTC().Format("20060102T150405Z")
	}
	return []string{rule}
}

// words say how often: 毎週水曜日, 隔週金曜日; every Wednesday, every other Friday.
func (r repeat) words(first civil.Date, lang nlu.Language) string {
	var days []string
	for _, d := range r.Weekdays {
		days = append(days, date.WeekdayName(d, string(lang)))
	}
	if slices.Equal(r.Weekdays, []time.Weekday{1, 2, 3, 4, 5}) {
		days = []string{inLang(lang, "平日", "weekday")}
	}
	if lang == nlu.English {
		return r.wordsEnglish(first, text.Enumerate(days))
	}
	named := strings.Join(days, "と")
	switch r.Unit {
	case "DAILY":
		return r.often("毎日", "隔日", "日ごと")
	case "WEEKLY":
		if named == "" {
			named = date.WeekdayName(first.Weekday(), string(lang))
		}
		return r.often("毎週", "隔週", "週間ごとの") + named
	case "MONTHLY":
		switch {
		case r.Nth > 0:
			return r.often("毎月", "隔月", "か月ごとの") + fmt.Sprintf("第%d%s", r.Nth, named)
		case r.Nth < 0:
			return r.often("毎月", "隔月", "か月ごとの") + "最終" + named
		}
		return r.often("毎月", "隔月", "か月ごとの") + fmt.Sprintf("%d日", first.Day)
	}
	return r.often("毎年", "1年おきの", "年ごとの") + fmt.Sprintf("%d月%d日", first.Month, first.Day)
}

// often picks the word for one, two or more units between.
func (r repeat) often(every, other, more string) string {
	switch r.Every {
	case 1:
		return every
	case 2:
		return other
	}
	return strconv.Itoa(r.Every) + more
}

func (r repeat) wordsEnglish(first civil.Date, named string) string {
	each := "every"
	switch {
	case r.Every == 2:
		each = "every other"
	case r.Every > 2:
		each = fmt.Sprintf("every %d", r.Every)
	}
	plural := ""
	if r.Every > 2 {
		plural = "s"
	}
	switch r.Unit {
	case "DAILY":
		return each + " day" + plural
	case "WEEKLY":
		switch {
		case named == "":
			named = first.Weekday().String()
		case r.Every > 2:
			return fmt.Sprintf("every %d weeks on %s", r.Every, named)
		}
		return each + " " + named
	case "MONTHLY":
		month := each + " month" + plural
		switch {
		case r.Nth > 0:
			return fmt.Sprintf("the %s %s of %s", ordinal(r.Nth), named, month)
		case r.Nth < 0:
			return fmt.Sprintf("the last %s of %s", named, month)
		}
		return fmt.Sprintf("the %s of %s", ordinal(first.Day), month)
	}
	return fmt.Sprintf("%s year%s on %s %d", each, plural, first.Month, first.Day)
}
