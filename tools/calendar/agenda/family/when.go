package family

import (
	"fmt"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

func invalid(format string, args ...any) error {
	return &calendar.Failure{Kind: calendar.Invalid, Err: fmt.Errorf(format, args...)}
}

// A moment is a start or an end as it was given: a day, or a time.
type moment struct {
	day  civil.Date
	time time.Time
}

func (m moment) isDay() bool { return !m.day.IsZero() }

// parseMoment reads a date, or an ISO 8601 time; one without an offset is meant in loc. Anything else is kind [calendar.Invalid].
func parseMoment(s string, loc *time.Location) (moment, error) {
	if day, err := civil.ParseDate(s); err == nil && day.Year > 0 {
		return moment{day: day}, nil
	}
	if t, ok := agenda.ParseTime(s, loc); ok {
		return moment{time: t}, nil
	}
	return moment{}, invalid("%.50q is no date and no ISO 8601 time", s)
}

// parseInstant is [parseMoment] for what must be an instant; a date is its first.
func parseInstant(s string, loc *time.Location) (time.Time, error) {
	m, err := parseMoment(s, loc)
	if m.isDay() {
		m.time = m.day.In(loc)
	}
	return m.time, err
}

// parseDay reads a date.
func parseDay(s string) (civil.Date, error) {
	d, err := civil.ParseDate(s)
	if err != nil || d.Year < 1 {
		return civil.Date{}, invalid("%.50q is no date", s)
	}
	return d, nil
}

// parseDays reads a day, or the days from one to another, both included. One that is missing is the other; all missing are today.
func parseDays(date, from, to string, today civil.Date) (first, last civil.Date, err error) {
	switch {
	case date != "" && (from != "" || to != ""):
		return first, last, wrong("date", alone, invalid("a date and a range of dates"))
	case date == "" && from == "" && to == "":
		return today, today, nil
	case date != "":
		first, err = parseDay(date)
		return first, first, wrong("date", asDay, err)
	case from == "":
		last, err = parseDay(to)
		return last, last, wrong("date_to", asDay, err)
	}
	if first, err = parseDay(from); err != nil || to == "" {
		return first, first, wrong("date_from", asDay, err)
	}
	if last, err = parseDay(to); err != nil {
		return first, last, wrong("date_to", asDay, err)
	}
	if last.Before(first) {
		err = invalid("days from %s to %s are reversed", first, last)
	}
	return first, last, wrong("date_to", notBefore("date_from"), err)
}

// ends are the names of the fields that have the start and the end of an event.
type ends struct{ start, end string }

// when makes the times of an event of what tools take, where the end of an all-day event is its last day. An end of "" is inferred.
func when(start moment, end string, names ends, loc *time.Location) (calendar.When, error) {
	w := calendar.When{AllDay: start.isDay(), FirstDay: start.day, Start: start.time, TimeZone: loc.String()}
	if end != "" {
		last, err := parseMoment(end, loc)
		switch {
		case err != nil:
			return calendar.When{}, wrong(names.end, asMoment, err)
		case last.isDay() != start.isDay():
			return calendar.When{}, wrong(names.end, like(names.start), invalid("a date and a time"))
		case last.isDay() && last.day.Before(start.day), !last.isDay() && last.time.Before(start.time):
			return calendar.When{}, wrong(names.end, after(names.start), invalid("the end is before the start"))
		case last.isDay():
			w.EndDay = last.day.AddDays(1)
		default:
			w.End = last.time
		}
	}
	return w, nil
}

// bounds returns when an event is as tools show it: times in loc with offsets, or dates, the last of which is included.
func bounds(e calendar.Event, loc *time.Location) (start, end string) {
	e = e.WithEnd()
	if e.AllDay {
		return e.FirstDay.String(), e.EndDay.AddDays(-1).String()
	}
	return e.Start.In(loc).Format(time.RFC3339), e.End.In(loc).Format(time.RFC3339)
}

// zone returns the location with the IANA name, or otherwise for none.
func zone(name string, otherwise *time.Location) (*time.Location, error) {
	if name == "" {
		return otherwise, nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, invalid("unknown time zone %.50q", name)
	}
	return loc, nil
}
