package emulator

import (
	"fmt"
	"time"
)

// The calendars of [Emulator.Demo].
const (
	demoHall = "hall@group.calendar.example"
	demoBoss = "director@example.com"
)

// Demo fills the account for trying out: a week from today in its own calendar, one that the account may only read, and one of which it may
// only see when it is busy.
func (e *Emulator) Demo() error {
	e.AddCalendar(Calendar{ID: demoHall, Summary: "ホール / Hall", AccessRole: "reader"})
	e.AddCalendar(Calendar{ID: demoBoss, Summary: demoBoss, AccessRole: "freeBusyReader"})
	today := e.opts.Now().In(e.zone)
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	for _, d := range []struct {
		calendar string
		event    Event
	}{
		{"primary", e.demoEvent("朝のミーティング", monday, 10, 30*time.Minute, "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")},
		{"primary", e.demoEvent("設備の点検", today, 15, time.Hour)},
		{"primary", e.demoEvent("Lunch with the neighbours", today.AddDate(0, 0, 1), 12, time.Hour)},
		{"primary", e.demoEvent("歯医者", today.AddDate(0, 0, 3), 17, 45*time.Minute)},
		{"primary", Event{
			Summary: "臨時休業 / Closed", Transparency: "transparent",
			Start: &Time{Date: today.AddDate(0, 0, 5).Format(time.DateOnly)}, End: &Time{Date: today.AddDate(0, 0, 6).Format(time.DateOnly)},
		}},
		{demoHall, e.demoEvent("ピアノの夕べ / Evening of piano", monday.AddDate(0, 0, 4), 19, 2*time.Hour, "RRULE:FREQ=WEEKLY")},
		{demoBoss, e.demoEvent("Interview", today.AddDate(0, 0, 1), 14, 90*time.Minute)},
	} {
		if _, err := e.Put(d.calendar, d.event); err != nil {
			return fmt.Errorf("demo event %s: %w", d.event.Summary, err)
		}
	}
	return nil
}

// demoEvent is an event on the day at the hour.
func (e *Emulator) demoEvent(summary string, day time.Time, hour int, lasts time.Duration, recurrence ...string) Event {
	start := time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, e.zone)
	at := func(t time.Time) *Time { return &Time{DateTime: t.Format(time.RFC3339), TimeZone: e.zone.String()} }
	return Event{Summary: summary, Start: at(start), End: at(start.Add(lasts)), Recurrence: recurrence}
}
