// Package recur works out when the instances of a series are: one core for every calendar that keeps series.
//
// Its one idea: recurrence is walked in wall-clock time, in the zone in which the series was entered, and becomes instants last. A
// [Series] is compiled once and then asked for one window after another; what a hostile rule may cost is bounded by a [Budget].
// The package reads recurrence lines (RFC 5545) and knows no files, no database and no clock.
package recur

import (
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/tools/calendar"
)

const day = 24 * time.Hour

// An Entry is an event as a series holds it.
type Entry struct {
	// Event is what instances look like. Its own times say when it is, unless Start does.
	Event calendar.Event
	// Start is when the event starts as it was written, where that says more than an instant does: a time that the clock skips on
	// that day. Zero is the start of Event.
	Start Moment
	// Length is how long it lasts. It counts where Start is given.
	Length Length
}

// A Series is an event that recurs, and what is different in some of its instances. Without Recurrence and Overrides it is a single
// event, which is expanded into itself.
type Series struct {
	// Master is the first instance. Its Event.ID is the id of the series, its Event.Recurrence the lines.
	Master    Entry
	Overrides []Override
}

// An Override is what replaces an instance. A field that is empty in its Event is empty in the instance too, except the title and the
// times: without them it has those of the series, as the bare cancellations have that some calendars send.
type Override struct {
	Entry
	// Original is when the instance was to be. A day in a timed series is that day at the hour of the series.
	Original Moment
	// ThisAndFuture says that it replaces all later instances too, which are moved by as much as this one.
	ThisAndFuture bool
}

// Options are the settings of [Compile] that have a default.
type Options struct {
	// Location is where days are meant that an all-day series gives as times. Nil is the zone of the event, or UTC.
	Location *time.Location
	// Zone finds the zone that a line names. Nil knows IANA names only.
	Zone func(name string) (*time.Location, error)
	// Steps pays for finding the ends of rules with COUNT. Nil is [SeriesSteps] for this series.
	Steps *Budget
}

func (o Options) complete(e calendar.Event) Options {
	if o.Zone == nil {
		o.Zone = loadZone
	}
	if o.Location == nil && e.AllDay && e.TimeZone != "" {
		o.Location, _ = o.Zone(e.TimeZone) // one that is not known does not matter to days
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Steps == nil {
		o.Steps = NewBudget(SeriesSteps)
	}
	return o
}

func loadZone(name string) (*time.Location, error) {
	loc, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, fmt.Errorf("time zone %.100q is unknown: %w", name, fault.ErrInvalid)
	}
	return loc, nil
}

// An Expander is a series that is ready to be asked for its instances. It is safe for concurrent use.
type Expander struct {
	master Entry
	lines  lines
	// singles replace one instance, followers (in order) all from one on.
	singles, followers []Override

	// replaced are the instances that singles replace; gone those that EXDATEs take away; goneDays whole days of those.
	replaced, gone, goneDays map[int64]bool
	// reach is the longest instance, and shift the farthest that followers move one, both ways.
	reach, shift time.Duration
	recurs       bool
}

// Compile reads the recurrence lines of a series. A line that can't be understood is [fault.ErrInvalid], and the error names it.
func Compile(s Series, opts Options) (*Expander, error) {
	opts = opts.complete(s.Master.Event)
	master, err := s.Master.settle(opts)
	if err != nil {
		return nil, fmt.Errorf("series %.100q: %w", s.Master.Event.ID, err)
	}
	x := &Expander{master: master, reach: master.Length.about()}
	if year := master.Start.wall.Year(); len(master.Event.Recurrence) > 0 && (year < 1583 || year > 9000) {
		return nil, fmt.Errorf("series %.100q starts in the year %d, which has no weeks or is too far: %w", master.Event.ID, year, fault.ErrInvalid)
	}
	if x.lines, err = opts.read(master.Event.Recurrence, master.Start); err != nil {
		return nil, fmt.Errorf("series %.100q: %w", master.Event.ID, err)
	}
	x.master.Event.Recurrence = nil // instances have none
	for _, o := range s.Overrides {
		if err := x.override(o, opts); err != nil {
			return nil, fmt.Errorf("series %.100q: %w", master.Event.ID, err)
		}
	}
	x.prepare(opts)
	x.recurs = len(x.lines.rules)+len(x.lines.dates)+len(x.singles)+len(x.followers) > 0
	return x, nil
}

// Check returns [fault.ErrInvalid] for an event whose Recurrence can't be understood, naming the line.
func Check(e calendar.Event, opts Options) error {
	_, err := Compile(Series{Master: Entry{Event: e}}, opts)
	return err
}

// settle fills in Start and Length from the event.
func (e Entry) settle(opts Options) (Entry, error) {
	if !e.Start.IsZero() {
		return e, nil
	}
	event := e.Event.WithEnd()
	if event.AllDay {
		e.Start = Day(event.FirstDay)
		e.Length = Length{Days: max(1, event.EndDay.Sub(event.FirstDay)), Inferred: event.EndInferred}
		return e, nil
	}
	loc := event.Start.Location()
	if event.TimeZone != "" && event.TimeZone != loc.String() {
		var err error
		if loc, err = opts.Zone(event.TimeZone); err != nil {
			return Entry{}, err
		}
	}
	e.Start = At(event.Start.In(loc))
	e.Length = Length{Exact: max(0, event.End.Sub(event.Start)), Inferred: event.EndInferred}
	return e, nil
}

// override takes a replacement into the form of the series.
func (x *Expander) override(o Override, opts Options) error {
	if o.Original.IsZero() {
		return fmt.Errorf("a replacement does not say of which instance: %w", fault.ErrInvalid)
	}
	o.Original = x.named(o.Original, opts)
	o.Event.Recurrence = nil
	if o.Start.IsZero() && o.Event.Start.IsZero() && o.Event.FirstDay.IsZero() {
		o.Start, o.Length = o.Original, x.master.Length
	}
	var err error
	if o.Entry, err = o.Entry.settle(opts); err != nil {
		return err
	}
	if o.Event.Title == "" {
		o.Event.Title = x.master.Event.Title
	}
	o.Event.ETag = x.master.Event.ETag + o.Event.ETag
	x.reach = max(x.reach, o.Length.about())
	if o.ThisAndFuture {
		x.followers = append(x.followers, o)
	} else {
		x.singles = append(x.singles, o)
	}
	return nil
}

// named returns the instance that m names, in the form of the series' start: a day in a timed series is that day at the hour of the
// series, a time in an all-day one is its day.
func (x *Expander) named(m Moment, opts Options) Moment {
	start := x.master.Start
	switch {
	case m.IsDay() == start.IsDay():
		return m.in(start.zone)
	case m.IsDay():
		return Moment{wall: m.wall.Add(start.wall.Sub(midnight(start.wall))), zone: start.zone}
	default:
		return Moment{wall: midnight(m.in(opts.Location).wall)}
	}
}

// prepare works out what every expansion needs.
func (x *Expander) prepare(opts Options) {
	for _, d := range x.lines.dates {
		if d.length != nil {
			x.reach = max(x.reach, d.length.about())
		}
	}
	if len(x.lines.except) > 0 {
		x.gone, x.goneDays = map[int64]bool{}, map[int64]bool{}
	}
	for _, m := range x.lines.except {
		if m.IsDay() && !x.master.Start.IsDay() {
			x.goneDays[m.wall.Unix()] = true
			continue
		}
		x.gone[x.named(m, opts).key()] = true
	}
	if len(x.singles) > 0 {
		x.replaced = map[int64]bool{}
	}
	for _, o := range x.singles {
		x.replaced[o.Original.key()] = true
	}
	slices.SortStableFunc(x.followers, func(a, b Override) int { return a.Original.wall.Compare(b.Original.wall) })
	for _, f := range x.followers {
		x.shift = max(x.shift, f.moved(), -f.moved())
	}
}

// moved returns how far a replacement is from what it replaces, on the clocks on their walls.
func (o Override) moved() time.Duration { return o.Start.wall.Sub(o.Original.wall) }

// ID returns the id of the series.
func (x *Expander) ID() string { return x.master.Event.ID }
