package video

import (
	"fmt"
	"time"

	"annai/civil"
	"annai/internal/text"
)

func pick(lang, ja, en string) string {
	if lang == "en" {
		return en
	}
	return ja
}

// instant returns the midnight at which a date begins, for its weekday and names.
func instant(d civil.Date) time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// dateLines is a date in large and what stands below it: "1月15日" and "水曜日", "15 January" and
// "Wednesday".
func dateLines(d civil.Date, lang string) (large, below string) {
	at := instant(d)
	if lang == "en" {
		return at.Format("2 January"), at.Format("Monday")
	}
	return fmt.Sprintf("%d月%d日", d.Month, d.Day), text.WeekdayKanji(at.Weekday()) + "曜日"
}

// shortDate is a date in a line: "1月15日（水）", "Wed 15 Jan".
func shortDate(d civil.Date, lang string) string {
	at := instant(d)
	if lang == "en" {
		return at.Format("Mon 2 Jan")
	}
	return fmt.Sprintf("%d月%d日（%s）", d.Month, d.Day, text.WeekdayKanji(at.Weekday()))
}

// clockOn is when an event is on a day, in large, and what is to be said beside it: "19:00" and
// "〜21:00", "終日" and "1月17日まで".
func clockOn(e Event, d civil.Date, lang string) (large, beside string) {
	first := civil.DateOf(e.Span.Start)
	last := civil.DateOf(e.Span.End)
	if e.AllDay || first.Before(d) && d.Before(last) {
		if last = civil.DateOf(e.Span.End.Add(-time.Nanosecond)); e.AllDay && d.Before(last) {
			beside = until(shortDate(last, lang), lang)
		}
		return pick(lang, "終日", "All day"), beside
	}
	begin, end := e.Span.Start.Format("15:04"), e.Span.End.Format("15:04")
	switch {
	case first.Before(d):
		return until(end, lang), pick(lang, shortDate(first, lang)+"から", "since "+shortDate(first, lang))
	case !e.Span.Start.Before(e.Span.End):
		return begin, ""
	case d.Before(last) && e.Span.End.Sub(e.Span.Start) > 12*time.Hour:
		return begin, until(shortDate(last, lang)+" "+end, lang)
	default:
		return begin, pick(lang, "〜", "– ") + end
	}
}

// longDate is a date in full: "1月15日（水）", "Wednesday, 15 January".
func longDate(d civil.Date, lang string) string {
	if lang == "en" {
		return instant(d).Format("Monday, 2 January")
	}
	return shortDate(d, lang)
}

func until(when, lang string) string { return pick(lang, when+"まで", "until "+when) }

func countLine(n int, lang string) string {
	if lang != "en" {
		return fmt.Sprintf("%d件のイベント", n)
	}
	if n == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", n)
}

func moreLine(n int, lang string) string {
	return pick(lang, fmt.Sprintf("ほか %d 件", n), fmt.Sprintf("and %d more", n))
}

// untitled is what an event is called whose title has no character that can be drawn.
func untitled(lang string) string { return pick(lang, "（題名なし）", "(untitled)") }

// glance is the headline of the list of the day.
func glance(lang string) string { return pick(lang, "この日のイベント", "The day at a glance") }
