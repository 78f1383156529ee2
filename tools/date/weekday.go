package date

import (
	"strings"
	"time"

	"annai/internal/text"
)

// english says whether lang is English. Every other language is answered in Japanese.
func english(lang string) bool { return lang == "en" }

// WeekdayName returns "日曜日" or "Sunday".
func WeekdayName(d time.Weekday, lang string) string {
	if english(lang) {
		return d.String()
	}
	return text.WeekdayKanji(d) + "曜日"
}

// WeekdayShort returns "日" or "Sun".
func WeekdayShort(d time.Weekday, lang string) string {
	if english(lang) {
		return d.String()[:3]
	}
	return text.WeekdayKanji(d)
}

// WeekdayNumber returns 0 for Monday to 6 for Sunday.
func WeekdayNumber(d time.Weekday) int { return (int(d) + 6) % 7 }

// Weekdays is a set of days of the week that has a name: one day, the working days or the weekend.
type Weekdays uint8

// The sets of more than one day.
const (
	WorkingDays Weekdays = 1<<time.Monday | 1<<time.Tuesday | 1<<time.Wednesday | 1<<time.Thursday | 1<<time.Friday
	Weekend     Weekdays = 1<<time.Saturday | 1<<time.Sunday
)

// Only returns the set of one day.
func Only(d time.Weekday) Weekdays { return 1 << d }

// Of returns the set of some days.
func Of(days []time.Weekday) Weekdays {
	var w Weekdays
	for _, d := range days {
		w |= Only(d)
	}
	return w
}

// List returns the days of the set, Monday first.
func (w Weekdays) List() []time.Weekday {
	var days []time.Weekday
	for i := 1; i <= 7; i++ {
		if d := time.Weekday(i % 7); w.Has(d) {
			days = append(days, d)
		}
	}
	return days
}

// Has reports whether d is in the set.
func (w Weekdays) Has(d time.Weekday) bool { return w&Only(d) != 0 }

// Name returns the name of the set in lang: "火曜日", "平日", "週末"; "Tuesday", "weekday", "weekend".
func (w Weekdays) Name(lang string) string {
	switch w {
	case WorkingDays:
		return pick(lang, "平日", "weekday")
	case Weekend:
		return pick(lang, "週末", "weekend")
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if w == Only(d) {
			return WeekdayName(d, lang)
		}
	}
	return ""
}

// ParseWeekdays reads a weekday in Japanese (月, 月曜, 月曜日) or English (monday, mon, mondays, in any case), or 平日, weekday,
// 週末, 土日, weekend. Anything else is an [*InputError].
func ParseWeekdays(s string) (Weekdays, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	switch word {
	case "平日", "weekday", "weekdays":
		return WorkingDays, nil
	case "週末", "土日", "weekend", "weekends":
		return Weekend, nil
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		ja, en := text.WeekdayKanji(d), strings.ToLower(d.String())
		switch word {
		case ja, ja + "曜", ja + "曜日", en, en + "s", en[:3]:
			return Only(d), nil
		}
	}
	return 0, &InputError{Kind: UnknownWeekday, Value: s}
}

func pick(lang, ja, en string) string {
	if english(lang) {
		return en
	}
	return ja
}
