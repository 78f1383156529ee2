package poster

import (
	"fmt"
	"time"

	"annai/internal/text"
)

// when is the time of an event as parts of a poster show it.
type when struct {
	// short is the day in figures: "1.16", "1.16–18"; "Jan 16", "Jan 30–Feb 1".
	short string
	// weekday is "金", "金–日"; "Fri", "Fri–Sun".
	weekday string
	// year is "2026".
	year string
	// long are the days in words, in lines: "2026年1月16日（金）"; "Friday, January 16, 2026".
	long []string
	// hours are "19:00–21:00", or "19:00" where the end is unknown; "" for whole days.
	hours string
}

// overnight is until when the end of an event is of the evening before, not another day.
const overnight = 6

func (p *page) when() when {
	e := p.event
	if e.Start.IsZero() {
		return when{}
	}
	end := e.End
	if end.Before(e.Start) {
		end = e.Start
	}
	late := !e.AllDay && end.Hour() < overnight && end.Sub(e.Start) < 24*time.Hour && day(end) != day(e.Start)
	last := end
	if late {
		last = e.Start
	}
	w := when{year: e.Start.Format("2006")}
	if !e.AllDay {
		w.hours = e.Start.Format("15:04")
		if end.After(e.Start) {
			w.hours += "–" + p.endHour(end, late)
		}
	}
	if p.language == "en" {
		w.english(e.Start, last)
	} else {
		w.japanese(e.Start, last)
	}
	return w
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

func (p *page) endHour(end time.Time, late bool) string {
	if late && p.language != "en" {
		return "翌" + end.Format("15:04")
	}
	return end.Format("15:04")
}

func (w *when) japanese(first, last time.Time) {
	one := func(t time.Time) string { return fmt.Sprintf("%d.%d", t.Month(), t.Day()) }
	full := func(t time.Time) string {
		return fmt.Sprintf("%d月%d日（%s）", t.Month(), t.Day(), text.WeekdayKanji(t.Weekday()))
	}
	w.short, w.weekday = one(first), text.WeekdayKanji(first.Weekday())
	w.long = []string{fmt.Sprintf("%d年%s", first.Year(), full(first))}
	if day(first) == day(last) {
		return
	}
	w.weekday += "–" + text.WeekdayKanji(last.Weekday())
	w.long = append(w.long, "〜"+full(last))
	if first.Month() == last.Month() {
		w.short += fmt.Sprintf("–%d", last.Day())
	} else {
		w.short += "–" + one(last)
	}
}

func (w *when) english(first, last time.Time) {
	w.short, w.weekday = first.Format("Jan 2"), first.Format("Mon")
	w.long = []string{first.Format("Monday,"), first.Format("January 2, 2006")}
	if day(first) == day(last) {
		return
	}
	w.weekday += "–" + last.Format("Mon")
	if first.Month() == last.Month() {
		w.short += last.Format("–2")
		w.long = []string{first.Format("January 2") + last.Format("–2, 2006")}
		return
	}
	w.short += last.Format("–Jan 2")
	w.long = []string{first.Format("January 2–"), last.Format("January 2, 2006")}
}
