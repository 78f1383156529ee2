package owner

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// An Edit is what somebody says an entry of the calendar shall be, or be from now on. What is not
// said is zero. The same edits make a new entry of nothing, change one that is there, and correct a
// plan that waits for a yes.
type Edit struct {
	Title string `json:"title,omitempty"`
	Place string `json:"place,omitempty"`
	Note  string `json:"note,omitempty"`
	// Added says that the note is added to the one that is there.
	Added bool `json:"added,omitempty"`
	// Day is the day on which it begins, LastDay the last of several whole days.
	Day     civil.Date `json:"day,omitzero"`
	LastDay civil.Date `json:"lastDay,omitzero"`
	AllDay  bool       `json:"allDay,omitempty"`
	// Clock is the time of day at which it begins; nil: not said.
	Clock *display.Clock `json:"clock,omitempty"`
	// Length is how long it takes, Shift by how much it is moved, earlier if negative.
	Length time.Duration `json:"length,omitempty"`
	Shift  time.Duration `json:"shift,omitempty"`
	// Longer is by how much longer it takes than before, shorter if negative; Week the Monday of
	// the week to which it is moved, on its weekday.
	Longer time.Duration `json:"longer,omitempty"`
	Week   civil.Date    `json:"week,omitzero"`
	// Lead is how long before it its owner is to be reminded; zero: not said.
	Lead time.Duration `json:"lead,omitempty"`
	// Part is the part of the day in which it shall be, where no time of day is said.
	Part display.Hours `json:"part,omitzero"`
	// Afternoon says that an hour was taken as the afternoon's, Weekday that the weekday that was
	// said is not that of the date.
	Afternoon bool `json:"afternoon,omitempty"`
	Weekday   bool `json:"weekday,omitempty"`
	// Guessed says that the day is the next on which the time of day comes.
	Guessed bool `json:"guessed,omitempty"`
}

func (e Edit) empty() bool { return e == Edit{} }

// then is the edit with another made after it.
func (e Edit) then(o Edit) Edit {
	e.Title, e.Place, e.Note = cmp.Or(o.Title, e.Title), cmp.Or(o.Place, e.Place), cmp.Or(o.Note, e.Note)
	e.Added, e.Lead = o.Added || e.Added && o.Note == "", cmp.Or(o.Lead, e.Lead)
	if o.Shift != 0 {
		e.Shift, e.Clock, e.Length = o.Shift, nil, 0
	}
	if o.Length != 0 {
		e.Length, e.Longer, e.AllDay, e.LastDay = o.Length, 0, false, civil.Date{}
	}
	e.Longer = cmp.Or(o.Longer, e.Longer)
	if !o.Week.IsZero() {
		e.Week, e.Day = o.Week, civil.Date{}
	}
	if guess := o.Guessed && !e.Day.IsZero() && !e.Guessed; !o.Day.IsZero() && !guess {
		if !e.LastDay.IsZero() && !e.Day.IsZero() {
			e.LastDay = e.LastDay.AddDays(o.Day.Sub(e.Day))
		}
		e.Day, e.Guessed, e.Weekday, e.Week = o.Day, o.Guessed, o.Weekday, civil.Date{}
	}
	if o.AllDay {
		e.AllDay, e.LastDay, e.Clock, e.Length, e.Shift, e.Afternoon = true, o.LastDay, nil, 0, 0, false
	}
	if o.Part != (display.Hours{}) {
		e.Part = o.Part
	}
	if o.Clock != nil {
		e.Part = display.Hours{}
		e.Clock, e.AllDay, e.LastDay, e.Shift, e.Afternoon = o.Clock, false, civil.Date{}, 0, o.Afternoon
	}
	return e
}

// timed reports whether the edit says anything about when.
func (e Edit) timed() bool {
	e.Title, e.Place, e.Note, e.Lead = "", "", "", 0
	e.Added, e.Afternoon, e.Weekday, e.Guessed = false, false, false, false
	return !e.empty()
}

// when is the time of an entry that was at base (zero for a new one), in loc. missing says what is
// still to be said.
func (e Edit) when(base calendar.When, loc *time.Location) (w calendar.When, missing await) {
	fresh := base == calendar.When{}
	day, length, start := e.Day, calendar.DefaultLength, base.Start.In(loc)
	if !fresh {
		day = e.onDay(firstDay(base, loc))
	}
	if !fresh && !base.AllDay {
		length = base.End.Sub(base.Start)
	}
	switch {
	case day.IsZero():
		return calendar.When{}, awaitTime
	case e.AllDay, base.AllDay && e.Clock == nil && e.Length == 0:
		return e.wholeDays(base, day), ""
	case e.Clock != nil:
		start = e.Clock.On(day, loc)
	case fresh, base.AllDay, !e.Part.Has(*display.ClockOf(start)):
		return calendar.When{}, awaitClock
	default:
		start = display.ClockOf(start).On(day, loc)
	}
	length = cmp.Or(e.Length, length)
	if longer := length + e.Longer; longer > 0 {
		length = longer
	}
	start = start.Add(e.Shift)
	return calendar.When{Start: start, End: start.Add(length), TimeZone: loc.String()}, ""
}

// onDay is the day on which an entry shall be that was on another.
func (e Edit) onDay(was civil.Date) civil.Date {
	day := cmp.Or(e.Day, was)
	if !e.Week.IsZero() {
		return e.Week.AddDays((int(day.Weekday()) + 6) % 7)
	}
	return day
}

// wholeDays is the time of an all-day entry.
func (e Edit) wholeDays(base calendar.When, day civil.Date) calendar.When {
	days := 1
	switch {
	case !e.LastDay.IsZero() && !e.LastDay.Before(day):
		days = e.LastDay.Sub(day) + 1
	case base.AllDay:
		days = base.EndDay.Sub(base.FirstDay)
	}
	day = day.AddDays(int(e.Shift / (24 * time.Hour)))
	return calendar.When{AllDay: true, FirstDay: day, EndDay: day.AddDays(days)}
}

// firstDay is the day on which something begins.
func firstDay(w calendar.When, loc *time.Location) civil.Date {
	if w.AllDay {
		return w.FirstDay
	}
	return civil.DateOf(w.Start.In(loc))
}

// timesSaid are the times of a command as an edit says them, and what else they leave: the single
// days where several were named, and the range in which a time is still to be found.
type timesSaid struct {
	edit Edit
	// days are all days that were named one by one, if more than one.
	days []civil.Date
	// within is a range in which it shall be: next week, this afternoon.
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

// isPeriod reports whether days are one thing with a name: next week, March.
func isPeriod(e datetime.Expression, first, last civil.Date) bool {
	switch {
	case e.Rough:
		return true
	case e.Name == datetime.Range, e.Name == datetime.Date:
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
	wholeDays := e.Hours == (datetime.Hours{}) && start.Equal(d.In(loc)) && end.Sub(start) > 24*time.Hour
	if wholeDays { // Monday through Friday at nine
		for day := d; !day.After(civil.DateOf(end)) && len(s.days) < agenda.MaxTogether; day = day.AddDays(1) {
			s.days = append(s.days, day)
		}
		s.edit.Day, s.edit.Clock = d, display.ClockOf(end)
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
			s.edit.Length = max(0, end.Sub(s.edit.Clock.On(civil.DateOf(end), loc)))
		}
		return
	}
	s.edit.Clock = display.ClockOf(start)
	if e.NoDay && s.edit.Day.IsZero() {
		s.edit.Day, s.edit.Guessed = d, true
	}
	if start.Before(end) && !e.OpenEnd {
		s.edit.Length = end.Sub(start)
	}
	s.edit.Afternoon = e.Assumed && start.Hour() > 12 && start.Hour() <= 18 && !saysHalf(e.Text, start)
}

// saysHalf reports whether the words for a time say which half of the day it is in.
func saysHalf(said string, start time.Time) bool {
	return words.SaidHalf.In(said) || strings.Contains(said, strconv.Itoa(start.Hour()))
}

// onlyMinutes is a number of minutes without an hour, or 0: of a plan they say how long it takes,
// not when it is.
func onlyMinutes(text string) time.Duration {
	n, start, end := words.Minutes.Number(text)
	if start != 0 || end != len(text) || n > 999 {
		return 0
	}
	return time.Duration(n) * time.Minute
}

// editOf is what a command says of an entry that is to be made.
func editOf(c slots.Command, now time.Time) timesSaid {
	said := readTimes(c.Times, now)
	e := &said.edit
	e.Title, e.Place, e.Note = valueOf(c.Title.Text), valueOf(c.Place.Text), valueOf(c.Note.Text)
	e.Length = cmp.Or(c.Duration, e.Length)
	if days := int(e.Length / (24 * time.Hour)); days > 0 && e.Day.IsZero() && !said.from.IsZero() {
		e.Day, e.LastDay, e.AllDay, e.Length = said.from, said.from.AddDays(days-1), true, 0
	}
	return said
}

// changeOf is what a command says becomes of an entry.
func changeOf(c slots.Command, now time.Time) Edit {
	if c.Change.Extend != 0 {
		return Edit{Longer: c.Change.Extend}
	}
	said := readTimes(c.Change.Times, now)
	e := said.edit
	e.Title, e.Place, e.Note = valueOf(c.Change.Title.Text), valueOf(c.Change.Place.Text), valueOf(c.Note.Text)
	e.Added = e.Note != ""
	e.Length, e.Shift = cmp.Or(c.Change.Duration, e.Length), cmp.Or(c.Change.Shift, e.Shift)
	if e.Guessed { // a time of day alone leaves the day as it is
		e.Day, e.Guessed = civil.Date{}, false
	}
	for _, t := range c.Change.Times {
		if h := t.Hours; h != (datetime.Hours{}) && e.Clock == nil {
			e.Part = display.Hours{From: display.Clock(h.From), Until: display.Clock(h.Until)}
		}
	}
	monday, next := civil.DateOf(said.within.Start), civil.DateOf(said.within.End)
	if e.Day.IsZero() && monday.Weekday() == time.Monday && next == monday.AddDays(7) {
		e.Week = monday
	}
	return e
}

// orderedEdit is what an order says becomes of an entry.
func orderedEdit(c slots.Command, u nlu.Understanding, now time.Time) Edit {
	if said := readPart(u); said.ordered {
		return said.edit
	}
	return changeOf(c, now)
}
