package nodes

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// An edit is what somebody says an entry of the calendar shall be, or be from now on. What is not said is zero. The same edits make a new entry of
// nothing, change one that is there, and correct a plan that waits for a yes.
type edit struct {
	Title string `json:"title,omitempty"`
	Place string `json:"place,omitempty"`
	Note  string `json:"note,omitempty"`
	// Day is the day on which it begins, LastDay the last of several whole days.
	Day     civil.Date `json:"day,omitzero"`
	LastDay civil.Date `json:"lastDay,omitzero"`
	AllDay  bool       `json:"allDay,omitempty"`
	// Clock is the time of day at which it begins; nil: not said.
	Clock *minutes `json:"clock,omitempty"`
	// Length is how long it takes, Shift by how much it is moved, earlier if negative.
	Length time.Duration `json:"length,omitempty"`
	Shift  time.Duration `json:"shift,omitempty"`
	// Longer is by how much longer it takes than before, shorter if negative; Week the Monday of the week to which it is moved, on its weekday.
	Longer time.Duration `json:"longer,omitempty"`
	Week   civil.Date    `json:"week,omitzero"`
	// Afternoon says that an hour was taken as the afternoon's, Weekday that the weekday that was said is not that of the date.
	Afternoon bool `json:"afternoon,omitempty"`
	Weekday   bool `json:"weekday,omitempty"`
	// Guessed says that the day is the next on which the time of day comes.
	Guessed bool `json:"guessed,omitempty"`
}

// minutes is a time of day on a wall, in minutes from midnight.
type minutes int

func minutesOf(t time.Time) *minutes {
	m := minutes(60*t.Hour() + t.Minute())
	return &m
}

// on is when a clock shows it on that day.
func (m minutes) on(d civil.Date, loc *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, int(m), 0, 0, loc)
}

func (e edit) empty() bool { return e == edit{} }

// then is the edit with another made after it.
func (e edit) then(o edit) edit {
	if o.Title != "" {
		e.Title = o.Title
	}
	if o.Place != "" {
		e.Place = o.Place
	}
	if o.Note != "" {
		e.Note = o.Note
	}
	if o.Shift != 0 {
		e.Shift, e.Clock, e.Length = o.Shift, nil, 0
	}
	if o.Length != 0 {
		e.Length, e.Longer, e.AllDay, e.LastDay = o.Length, 0, false, civil.Date{}
	}
	if o.Longer != 0 {
		e.Longer = o.Longer
	}
	if !o.Week.IsZero() {
		e.Week, e.Day = o.Week, civil.Date{}
	}
	e.onDay(o)
	if o.AllDay {
		e.AllDay, e.LastDay, e.Clock, e.Length, e.Shift, e.Afternoon = true, o.LastDay, nil, 0, 0, false
	}
	if o.Clock != nil {
		e.Clock, e.AllDay, e.LastDay, e.Shift, e.Afternoon = o.Clock, false, civil.Date{}, 0, o.Afternoon
	}
	return e
}

// onDay takes over the day of another edit, if it names one: a guessed one only where there is none.
func (e *edit) onDay(o edit) {
	if o.Day.IsZero() || o.Guessed && !e.Day.IsZero() && !e.Guessed {
		return
	}
	if e.AllDay && !e.LastDay.IsZero() && !e.Day.IsZero() {
		e.LastDay = e.LastDay.AddDays(o.Day.Sub(e.Day))
	}
	e.Day, e.Guessed, e.Weekday, e.Week = o.Day, o.Guessed, o.Weekday, civil.Date{}
}

// timed reports whether the edit says anything about when.
func (e edit) timed() bool {
	return !e.Day.IsZero() || !e.Week.IsZero() || e.AllDay || e.Clock != nil || e.Length != 0 || e.Longer != 0 || e.Shift != 0
}

// when is the time of an entry that was at base (zero for a new one), in loc. missing says what is still to be said.
func (e edit) when(base calendar.When, loc *time.Location) (w calendar.When, missing await) {
	fresh := base == calendar.When{}
	w = base
	w.TimeZone = loc.String()
	day := e.Day
	if day.IsZero() && !fresh {
		day = firstDay(base, loc)
	}
	if !e.Week.IsZero() && !fresh {
		day = e.Week.AddDays((int(day.Weekday()) + 6) % 7)
		e.Day = day
	}
	wasAllDay := !fresh && base.AllDay
	switch {
	case day.IsZero():
		return calendar.When{}, awaitTime
	case e.AllDay, wasAllDay && e.Clock == nil && e.Length == 0:
		return e.wholeDays(base, day), ""
	case e.Clock == nil && (fresh || wasAllDay):
		return calendar.When{}, awaitClock
	}
	length := calendar.DefaultLength
	if !fresh && !base.AllDay {
		length = base.End.Sub(base.Start)
	}
	if e.Length != 0 {
		length = e.Length
	}
	if longer := length + e.Longer; longer > 0 {
		length = longer
	}
	start := base.Start.In(loc)
	switch {
	case e.Clock != nil:
		start = e.Clock.on(day, loc)
	case !e.Day.IsZero():
		start = minutesOf(start).on(day, loc)
	}
	start = start.Add(e.Shift)
	return calendar.When{Start: start, End: start.Add(length), TimeZone: loc.String()}, ""
}

// wholeDays is the time of an all-day entry.
func (e edit) wholeDays(base calendar.When, day civil.Date) calendar.When {
	w := calendar.When{AllDay: true, FirstDay: day, EndDay: day.AddDays(1)}
	switch {
	case !e.LastDay.IsZero() && !e.LastDay.Before(day):
		w.EndDay = e.LastDay.AddDays(1)
	case base.AllDay:
		w.EndDay = day.AddDays(base.EndDay.Sub(base.FirstDay))
	}
	if days := int(e.Shift / (24 * time.Hour)); days != 0 {
		w.FirstDay, w.EndDay = w.FirstDay.AddDays(days), w.EndDay.AddDays(days)
	}
	return w
}

// firstDay is the day on which something begins.
func firstDay(w calendar.When, loc *time.Location) civil.Date {
	if w.AllDay {
		return w.FirstDay
	}
	return civil.DateOf(w.Start.In(loc))
}

// timesSaid are the times of a command as an edit says them, and what else they leave: the single days where several were named, and the range in
// which a time is still to be found.
type timesSaid struct {
	edit edit
	// days are all days that were named one by one, if more than one.
	days []civil.Date
	// within is a range in which it shall be (next week, this afternoon); zero where a day was named.
	within civil.TimeRange
	// until is the last day of something that recurs.
	from, until civil.Date
}

// readTimes reads the temporal expressions of a command as the time at which an entry shall be.
func readTimes(times []datetime.Expression, now time.Time) timesSaid {
	var said timesSaid
	loc := now.Location()
	for _, e := range datetime.Combine(times, now).Times {
		if e.Invalid {
			continue
		}
		switch e.Kind {
		case datetime.KindDay:
			said.day(e, loc)
		case datetime.KindDays:
			said.several(e, loc)
		case datetime.KindTime:
			said.clock(e, loc)
		case datetime.KindDuration:
			if said.edit.Length == 0 {
				said.edit.Length = time.Duration(e.Seconds) * time.Second
			}
		case datetime.KindSet:
		}
	}
	if len(said.days) == 1 {
		said.days = nil
	}
	return said
}

func (s *timesSaid) day(e datetime.Expression, loc *time.Location) {
	d := civil.DateOf(e.TimeRange.Start.In(loc))
	if n := len(s.days); n > 0 && d.Before(s.days[n-1]) && len(e.Weekdays) > 0 { // next Monday and Wednesday
		d = d.AddDays((s.days[n-1].Sub(d) + 6) / 7 * 7)
	}
	if !slices.Contains(s.days, d) {
		s.days = append(s.days, d)
	}
	if s.edit.Day.IsZero() || s.edit.Guessed {
		s.edit.Day, s.edit.Guessed = d, false
	}
	s.edit.Weekday = s.edit.Weekday || e.Conflict
}

func (s *timesSaid) several(e datetime.Expression, loc *time.Location) {
	first, last := civil.DateOf(e.TimeRange.Start.In(loc)), civil.DateOf(e.TimeRange.End.In(loc).Add(-time.Nanosecond))
	switch {
	case e.OpenStart:
		s.until = last
	case e.OpenEnd:
		s.from = first
	case isPeriod(e, first, last):
		s.within, s.from, s.until = e.TimeRange, first, last
	default:
		s.edit.Day, s.edit.LastDay, s.edit.AllDay = first, last, true
		s.from, s.until = first, last
	}
}

// isPeriod reports whether the days are one thing with a name (next week, March) and not from one day to another.
func isPeriod(e datetime.Expression, first, last civil.Date) bool {
	switch e.Name {
	case datetime.Range, datetime.Date:
		return first.Day == 1 && last == first.AddMonths(1).AddDays(-1)
	default:
		return true
	}
}

func (s *timesSaid) clock(e datetime.Expression, loc *time.Location) {
	if length := onlyMinutes(e.Text); length > 0 {
		s.edit.Length = length
		return
	}
	start, end := e.TimeRange.Start.In(loc), e.TimeRange.End.In(loc)
	d := civil.DateOf(start)
	if first := d.In(loc); e.Hours == (datetime.Hours{}) && start.Equal(first) && end.Sub(start) > 24*time.Hour { // Monday through Friday at nine
		for day := d; !day.After(civil.DateOf(end)) && len(s.days) < agenda.MaxTogether; day = day.AddDays(1) {
			s.days = append(s.days, day)
		}
		s.edit.Day, s.edit.Clock = d, minutesOf(end)
		return
	}
	if !e.NoDay {
		s.day(e, loc)
	}
	if e.Hours != (datetime.Hours{}) && start.Before(end) { // the afternoon: somewhere in it
		if s.within == (civil.TimeRange{}) {
			s.within = civil.TimeRange{Start: start, End: end}
		}
		return
	}
	if e.OpenStart {
		if s.edit.Clock != nil {
			s.edit.Length = max(0, end.Sub(s.edit.Clock.on(civil.DateOf(end), loc)))
		}
		return
	}
	s.edit.Clock = minutesOf(start)
	if e.NoDay && s.edit.Day.IsZero() {
		s.edit.Day, s.edit.Guessed = d, true
	}
	if start.Before(end) && !e.OpenEnd {
		s.edit.Length = end.Sub(start)
	}
	s.edit.Afternoon = e.Assumed && start.Hour() > 12 && start.Hour() <= 18 && !hasAny(strings.ToLower(e.Text), strconv.Itoa(start.Hour()), "午後", "夕", "pm", "p.m", "p m", "afternoon", "evening")
}

// onlyMinutes is a number of minutes without an hour, or 0: of a plan they say how long it takes, not when it is.
func onlyMinutes(text string) time.Duration {
	number, ok := strings.CutSuffix(text, "分")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if !ok || err != nil || n < 0 || n > 999 {
		return 0
	}
	return time.Duration(n) * time.Minute
}

// editOf is what a command says of an entry that is to be made.
func editOf(c slots.Command, now time.Time) timesSaid {
	said := readTimes(c.Times, now)
	said.edit.Title, said.edit.Place = oneLine(c.Title.Text, maxSaid), oneLine(c.Place.Text, maxSaid)
	said.edit.Note = oneLine(c.Note.Text, maxSaid)
	if c.Duration > 0 {
		said.edit.Length = c.Duration
	}
	return said
}

// changeOf is what a command says of an entry that is to be changed.
func changeOf(c slots.Command, now time.Time) edit {
	said := readTimes(c.Change.Times, now)
	e := said.edit
	e.Title, e.Place = oneLine(c.Change.Title.Text, maxSaid), oneLine(c.Change.Place.Text, maxSaid)
	e.Note = oneLine(c.Note.Text, maxSaid)
	if c.Change.Duration > 0 {
		e.Length = c.Change.Duration
	}
	if c.Change.Shift != 0 {
		e.Shift = c.Change.Shift
	}
	if e.Guessed { // a time of day alone leaves the day as it is
		e.Day, e.Guessed = civil.Date{}, false
	}
	if monday := civil.DateOf(said.within.Start); e.Day.IsZero() && monday.Weekday() == time.Monday && civil.DateOf(said.within.End) == monday.AddDays(7) {
		e.Week = monday
	}
	return e
}

// resized reads by how much longer or shorter something shall be: 30分短くして, "extend it by an hour".
func resized(text string, times []datetime.Expression) edit {
	low := strings.ToLower(text)
	for _, e := range times {
		length := time.Duration(e.Seconds) * time.Second
		if minutes := onlyMinutes(e.Text); minutes > 0 {
			length = minutes
		}
		switch {
		case length == 0 || e.Kind == datetime.KindSet || strings.HasPrefix(low[min(e.End, len(low)):], "に"):
		case hasAny(low, "短く", "縮め", "shorten", "shorter"):
			return edit{Longer: -length}
		case hasAny(low, "延ば", "伸ば", "延長", "長く", "extend", "longer", "lengthen"):
			return edit{Longer: length}
		}
	}
	return edit{}
}
