package nodes

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/tools/date"
)

// hoursKind is what is asked about the opening hours of the venue itself.
type hoursKind string

const (
	hoursNow    hoursKind = "now"
	hoursDay    hoursKind = "day"    // of the days of a short range
	hoursWeekly hoursKind = "weekly" // of days of the week as such
	hoursUsual  hoursKind = "usual"  // of any day, and the closed days
	hoursClosed hoursKind = "closed" // the closed days of a range
)

// hoursAsked reads what is asked about the opening hours of the venue as a whole; "" where it is
// about something else, or about a part of it that has hours of its own.
func (c *Concierge) hoursAsked(u nlu.Understanding, s display.Span, now time.Time) hoursKind {
	said := openingText(u)
	if !asksOpening(said, s) || !c.aboutWhole(u) || len(c.parts.Venue.Hours.Weekly) == 0 {
		return ""
	}
	named, closed := weekdaysNamed(u.Times), words.Closed.In(said)
	asSuch := s.IsZero() || named != 0 && weekdayAsSuch(u.Times)
	days := len(s.DaysOf(maxListed))
	switch {
	case asSuch && publicHoliday(said): // a rule, which is prose
		return ""
	case asSuch && named != 0:
		return hoursWeekly
	case s.IsZero():
		return noDayAsked(u, said)
	case closed && days > 1:
		return hoursClosed
	case words.Now.In(said) && s.Clock && !s.Start.After(now):
		return hoursNow
	case days >= maxListed && !s.OpenEnd:
		return hoursUsual
	}
	return hoursDay
}

// openingText is an utterance without what only looks like a word for opening, for closing or for now.
func openingText(u nlu.Understanding) string {
	said := u.Text
	for _, e := range u.Times {
		if e.Kind == datetime.KindDuration && strings.HasSuffix(strings.ToLower(u.Text[:e.Start]), "for ") {
			said = strings.Replace(said, e.Text, "", 1)
		}
	}
	return words.NotClosed.Replace(words.NotNow.Replace(words.NotOpen.Replace(said)))
}

// asksOpening reports whether a text asks whether something is open; words for going in do so beside
// a time.
func asksOpening(said string, s display.Span) bool {
	if words.OpensElse.In(said) {
		return false
	}
	if words.Opens.In(said) || words.Closed.In(said) {
		return true
	}
	return words.GoesIn.In(said) && (!s.IsZero() || words.Now.In(said) || words.AsksWhen.In(said))
}

// noDayAsked is what is asked where no day was read. It is asked of now only where nothing speaks
// of another time.
func noDayAsked(u nlu.Understanding, said string) hoursKind {
	recurs := slices.ContainsFunc(u.Times, func(e datetime.Expression) bool { return e.Kind == datetime.KindSet })
	switch isNow := words.Now.In(said); {
	case words.Closed.In(said) && !(isNow && words.ClosedAtTime.In(said)):
		return hoursClosed
	case recurs || words.Season.In(said):
		return hoursUsual
	case isNow:
		return hoursNow
	case words.AsksWhen.In(said):
		return hoursWeekly
	case words.Habit.In(said):
		return hoursUsual
	}
	return hoursNow
}

// publicHoliday reports whether public holidays are spoken of as such.
func publicHoliday(said string) bool {
	return words.Holidays.In(said) || words.PublicHoliday.In(said) && !words.HolidaysNamed.In(said)
}

// weekdayAsSuch reports whether days of the week are meant as such, and not those of one week:
// 月曜日は休み？, 平日, 来月の月曜日. In English a single one is that of this week.
func weekdayAsSuch(times []datetime.Expression) bool {
	return !slices.ContainsFunc(times, func(e datetime.Expression) bool {
		single := e.Kind == datetime.KindDay && len(e.Weekdays) > 0 && text.HasJapanese(e.Text)
		long := e.Kind == datetime.KindDays && (len(e.Weekdays) > 0 || e.TimeRange.End.Sub(e.TimeRange.Start) > week)
		return display.Usable(e) && !long && !single
	})
}

const week = 7 * 24 * time.Hour

// weekdaysNamed are all days of the week that are named; 0 for none.
func weekdaysNamed(times []datetime.Expression) date.Weekdays {
	var days date.Weekdays
	for _, e := range times {
		days |= date.Of(e.Named)
	}
	return days
}

// oneWeekday reports whether a day is named by its weekday alone.
func oneWeekday(times []datetime.Expression) bool {
	return slices.ContainsFunc(times, func(e datetime.Expression) bool {
		return e.Kind == datetime.KindDay && len(e.Weekdays) == 1
	})
}

// aboutWhole reports whether the words name no part of the venue.
func (c *Concierge) aboutWhole(u nlu.Understanding) bool {
	name := strings.ToLower(c.parts.Venue.Name.JA + " " + c.parts.Venue.Name.EN)
	return onlyOpening(slices.DeleteFunc(slices.Clone(u.Keywords), func(word string) bool {
		return strings.Contains(name, word)
	}))
}

// onlyOpening reports whether words say nothing but that something is open, and when.
func onlyOpening(keywords []string) bool {
	return !slices.ContainsFunc(keywords, func(word string) bool {
		return !words.OfOpening.In(word) && strings.ContainsFunc(words.PartOfOpening.Replace(word), saysMore)
	})
}

// saysMore reports whether a character is of a word that has a meaning of its own, and not of an
// ending.
func saysMore(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Hiragana, r) }
