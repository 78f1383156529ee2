package emulator

import (
	"encoding/json"
	"slices"
	"time"

	"annai/civil"
)

type busyRequest struct {
	TimeMin              string `json:"timeMin"`
	TimeMax              string `json:"timeMax"`
	TimeZone             string `json:"timeZone"`
	GroupExpansionMax    int    `json:"groupExpansionMax"`
	CalendarExpansionMax int    `json:"calendarExpansionMax"`
	Items                []struct {
		ID string `json:"id"`
	} `json:"items"`
}

type busyAnswer struct {
	Kind      string                  `json:"kind"`
	TimeMin   string                  `json:"timeMin"`
	TimeMax   string                  `json:"timeMax"`
	Calendars map[string]busyCalendar `json:"calendars"`
}

type busyCalendar struct {
	Errors []busyError  `json:"errors,omitempty"`
	Busy   []busyPeriod `json:"busy"`
}

type busyError struct {
	Domain string `json:"domain"`
	Reason string `json:"reason"`
}

type busyPeriod struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// mostCalendars is how many calendars one query may ask about.
const mostCalendars = 50

func (e *Emulator) queryFreeBusy(c *call) (any, error) {
	var q busyRequest
	if err := json.Unmarshal(c.body, &q); err != nil {
		return nil, errParse
	}
	from, to, zone, err := q.read()
	if err != nil {
		return nil, err
	}
	answer := busyAnswer{
		Kind: "calendar#freeBusy", TimeMin: from.UTC().Format("2006-01-02T15:04:05.000Z"), TimeMax: to.UTC().Format("2006-01-02T15:04:05.000Z"),
		Calendars: map[string]busyCalendar{},
	}
	most := mostCalendars
	if q.CalendarExpansionMax > 0 {
		most = min(most, q.CalendarExpansionMax)
	}
	for i, item := range q.Items {
		cal, err := e.calendar(item.ID)
		switch {
		case i >= most:
			answer.Calendars[item.ID] = busyCalendar{Errors: []busyError{{"calendar", "tooManyCalendarsRequested"}}, Busy: []busyPeriod{}}
		case err != nil:
			answer.Calendars[item.ID] = busyCalendar{Errors: []busyError{{"global", "notFound"}}, Busy: []busyPeriod{}}
		default:
			answer.Calendars[item.ID] = busyCalendar{Busy: e.busy(cal, civil.TimeRange{Start: from, End: to}, zone)}
		}
	}
	return answer, nil
}

func (q busyRequest) read() (from, to time.Time, zone *time.Location, err error) {
	if q.TimeMin == "" {
		return from, to, nil, required("Missing timeMin parameter.")
	}
	if q.TimeMax == "" {
		return from, to, nil, required("Missing timeMax parameter.")
	}
	if from, err = time.Parse(time.RFC3339, q.TimeMin); err != nil {
		return from, to, nil, errBadRequest
	}
	if to, err = time.Parse(time.RFC3339, q.TimeMax); err != nil {
		return from, to, nil, errBadRequest
	}
	if !from.Before(to) {
		return from, to, nil, errEmptyRange
	}
	zone = time.UTC
	if q.TimeZone != "" {
		if zone, err = time.LoadLocation(q.TimeZone); err != nil || q.TimeZone == "Local" {
			return from, to, nil, badParameter("timeZone", q.TimeZone)
		}
	}
	return from, to, zone, nil
}

// busy returns when a calendar is busy in the range, what touches in one.
func (e *Emulator) busy(cal *calendarState, within civil.TimeRange, zone *time.Location) []busyPeriod {
	var taken []civil.TimeRange
	f := filter{single: true, timeMin: within.Start, timeMax: within.End, windowed: true, since: -1}
	for _, s := range f.pick(e.everything(cal, f), cal) {
		start, end := s.span(cal.zone)
		if s.takesTime() && start.Before(end) {
			taken = append(taken, civil.TimeRange{Start: later(start, within.Start), End: earlier(end, within.End)})
		}
	}
	slices.SortFunc(taken, func(a, b civil.TimeRange) int { return a.Start.Compare(b.Start) })
	periods := []busyPeriod{}
	for i := 0; i < len(taken); {
		whole := taken[i]
		for i++; i < len(taken) && !taken[i].Start.After(whole.End); i++ {
			whole.End = later(whole.End, taken[i].End)
		}
		periods = append(periods, busyPeriod{whole.Start.In(zone).Format(time.RFC3339), whole.End.In(zone).Format(time.RFC3339)})
	}
	return periods
}

// takesTime reports whether the account is busy while the event is.
func (s stored) takesTime() bool {
	declined := slices.ContainsFunc(s.Attendees, func(a Attendee) bool { return a.Self && a.ResponseStatus == "declined" })
	return s.Transparency != "transparent" && !declined
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
