package emulator

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// A filter is what a list asks for.
type filter struct {
	single, showDeleted bool
	timeMin, timeMax    time.Time
	updatedMin          time.Time
	words               []string
	iCalUID             string
	eventTypes          []string
	private, shared     []string
	orderBy             string
	// since is the change after which something must be, -1 for all.
	since int64
	// windowed says that there is a timeMin or timeMax, narrow that something else leaves events out or orders them: then there is no
	// sync token.
	windowed, narrow bool
	view
}

// oldest is how far updatedMin may lie in the past.
const oldest = 28 * 24 * time.Hour

// readFilter reads the parameters of events.list, and of events.instances, which knows some of them.
func (e *Emulator) readFilter(c *call, cal *calendarState) (f filter, err error) {
	q := c.query
	f = filter{iCalUID: q.Get("iCalUID"), eventTypes: q["eventTypes"], since: -1}
	if f.view, err = c.view(cal); err != nil {
		return f, err
	}
	f.private, f.shared = q["privateExtendedProperty"], q["sharedExtendedProperty"]
	f.words = strings.Fields(strings.ToLower(q.Get("q")))
	f.orderBy = q.Get("orderBy")
	if err := f.readFlags(q); err != nil {
		return f, err
	}
	for _, bound := range []struct {
		name string
		at   *time.Time
	}{{"timeMin", &f.timeMin}, {"timeMax", &f.timeMax}, {"updatedMin", &f.updatedMin}} {
		if text := q.Get(bound.name); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return f, errBadRequest
			}
			*bound.at = at.Truncate(time.Second)
		}
	}
	f.windowed = !f.timeMin.IsZero() || !f.timeMax.IsZero()
	f.narrow = len(f.words)+len(f.private)+len(f.shared) > 0 || f.iCalUID+f.orderBy != "" || !f.updatedMin.IsZero()
	return f, e.checkFilter(f)
}

func (f *filter) readFlags(q url.Values) error {
	for name, flag := range map[string]*bool{"singleEvents": &f.single, "showDeleted": &f.showDeleted} {
		switch value := q.Get(name); value {
		case "", "false":
		case "true":
			*flag = true
		default:
			return badParameter(name, value)
		}
	}
	return nil
}

func (e *Emulator) checkFilter(f filter) error {
	switch {
	case !f.timeMin.IsZero() && !f.timeMax.IsZero() && !f.timeMin.Before(f.timeMax):
		return errEmptyRange
	case !slices.Contains([]string{"", "startTime", "updated"}, f.orderBy):
		return badParameter("orderBy", f.orderBy)
	case f.orderBy == "startTime" && !f.single:
		return errOrdering
	case !f.updatedMin.IsZero() && f.updatedMin.Before(e.opts.Now().Add(-oldest)):
		return errUpdatedMin
	}
	return nil
}

func (f filter) passes(s stored, cal *calendarState) bool {
	if s.revision <= f.since {
		return false
	}
	if s.cancelled() && !f.shows(s) {
		return false
	}
	return f.inWindow(s, cal) && f.matches(s)
}

// shows reports whether a cancelled event is in the list.
func (f filter) shows(s stored) bool {
	if f.showDeleted || !f.updatedMin.IsZero() {
		return true
	}
	return !f.single && s.RecurringEventID != "" && !s.lost
}

// inWindow: timeMin bounds the end, timeMax the start, and neither is in. A series is in if an instance is.
func (f filter) inWindow(s stored, cal *calendarState) bool {
	if !f.windowed {
		return true
	}
	if s.series != nil {
		return s.overlaps(f, cal)
	}
	start, end := s.span(cal.zone)
	return f.within(start, end)
}

func (f filter) within(start, end time.Time) bool {
	return (f.timeMin.IsZero() || end.After(f.timeMin)) && (f.timeMax.IsZero() || start.Before(f.timeMax))
}

// span is from when to when an event is. A bare cancellation has only the start it was to have.
func (s stored) span(zone *time.Location) (start, end time.Time) {
	start = s.when().at(zone)
	if s.End == nil {
		return start, start.Add(time.Second)
	}
	return start, s.End.at(zone)
}

func (f filter) matches(s stored) bool {
	switch {
	case !f.updatedMin.IsZero() && updatedAt(s).Before(f.updatedMin),
		f.iCalUID != "" && s.ICalUID != f.iCalUID,
		len(f.eventTypes) > 0 && !slices.Contains(f.eventTypes, s.EventType):
		return false
	}
	return s.has(f.words) && hasProperties(s.ExtendedProperties, f.private, f.shared)
}

func updatedAt(s stored) time.Time {
	at, _ := time.Parse(time.RFC3339, s.Updated) // the emulator wrote it
	return at
}

// has reports whether every word is in the texts of the event.
func (s stored) has(words []string) bool {
	texts := []string{s.Summary, s.Description, s.Location}
	for _, a := range s.Attendees {
		texts = append(texts, a.DisplayName, a.Email)
	}
	if s.Organizer != nil {
		texts = append(texts, s.Organizer.DisplayName, s.Organizer.Email)
	}
	text := strings.ToLower(strings.Join(texts, "\n"))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

func hasProperties(p *ExtendedProperties, private, shared []string) bool {
	if p == nil {
		p = &ExtendedProperties{}
	}
	lacks := func(have map[string]string) func(string) bool {
		return func(wanted string) bool {
			name, value, _ := strings.Cut(wanted, "=")
			got, ok := have[name]
			return !ok || got != value
		}
	}
	return !slices.ContainsFunc(private, lacks(p.Private)) && !slices.ContainsFunc(shared, lacks(p.Shared))
}
