package recur

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// Bounds on what a call of [Expand] may take.
const (
	expandSteps = 500_000
	// slack is for changes of the clock.
	slack = 3 * 60 * 60
)

// Expand returns what all the series have in the window, in the order of a listing, and the ids of the series of which something was left
// out: after limit events in all, a quarter of that for one series, and what working them out may take. The error is that of ctx.
func Expand(ctx context.Context, all []*Expander, window civil.TimeRange, limit int) (events []calendar.Event, cut []string, err error) {
	steps := NewBudget(expandSteps)
	found := make([]instance, 0, min(8*len(all), 4096))
	for _, x := range all {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		own, giveBack := steps.Part(SeriesSteps)
		before, most := len(found), min(max(1, limit/4), limit-len(found))
		full := !x.each(window, own, func(i *instance) bool {
			if len(found)-before >= most {
				return false
			}
			found = append(found, *i)
			return true
		})
		if full || own.Exhausted() {
			cut = append(cut, x.ID())
		}
		giveBack()
	}
	return inListingOrder(found), cut, nil
}

// inListingOrder makes the events of instances. What is sorted is small: their starts, and the numbers of the instances.
func inListingOrder(found []instance) []calendar.Event {
	type place struct {
		begin int64
		index int
	}
	places := make([]place, len(found))
	for i := range found {
		places[i] = place{found[i].begin, i}
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.begin != b.begin {
			if a.begin < b.begin {
				return -1
			}
			return 1
		}
		return compareAtOnce(&found[a.index], &found[b.index])
	})
	events := make([]calendar.Event, len(found))
	for i, p := range places {
		found[p.index].fill(&events[i])
	}
	return events
}

// Between yields the instances that overlap the window, replaced ones first, then in the order of the series. All-day ones overlap as
// they do in the window's location. It ends early where steps run out: see [Budget.Exhausted].
func (x *Expander) Between(window civil.TimeRange, steps *Budget) iter.Seq[calendar.Event] {
	return func(yield func(calendar.Event) bool) {
		x.each(window, steps, func(i *instance) bool {
			var e calendar.Event
			i.fill(&e)
			return yield(e)
		})
	}
}

// Instance returns the instance that was to be at original, as it is now. False is that there is none.
func (x *Expander) Instance(original Moment) (calendar.Event, bool) {
	var found calendar.Event
	ok := false
	take := func(i *instance) bool {
		if i.original == original.key() {
			i.fill(&found)
			ok = true
		}
		return !ok
	}
	if original.IsDay() != x.master.Start.IsDay() || original.IsZero() {
		return calendar.Event{}, false
	}
	e := expansion{x: x, loc: time.UTC, emit: take}
	if !e.replacements() {
		return found, ok
	}
	at := original.Instant().In(time.UTC)
	for _, d := range x.originals(civil.TimeRange{Start: at, End: at.Add(time.Second)}, NewBudget(SeriesSteps)) {
		if !e.original(d) {
			break
		}
	}
	return found, ok
}

// An instance is one as it is after replacements, small enough to be sorted.
type instance struct {
	of    *Expander
	event *calendar.Event // what it looks like
	zone  *time.Location  // nil for a day
	// original is when it was to be, an instant or a midnight in UTC.
	original int64
	// begin and end are instants; those of days are in the window's location. Days are counted from 1970.
	begin, end         int64
	firstDay, afterDay int32
	inferred           bool
}

// each gives the instances that overlap the window to emit, until that says stop, which is false.
func (x *Expander) each(window civil.TimeRange, steps *Budget, emit func(*instance) bool) bool {
	e := expansion{x: x, loc: window.Location(), window: window, emit: emit}
	if !e.replacements() {
		return false
	}
	for _, d := range x.originals(window, steps) {
		if !e.original(d) {
			return false
		}
	}
	return true
}

// originals returns the instances near the window, before anything is replaced, in order.
func (x *Expander) originals(window civil.TimeRange, steps *Budget) []date {
	start := x.master.Start
	loc := window.Location()
	if !start.IsDay() {
		loc = start.zone
	}
	margin := int64((x.reach+x.shift)/time.Second) + slack
	from := toWall(window.Start, loc).Unix() - margin
	to := toWall(window.End, loc).Unix() + int64(x.shift/time.Second) + slack

	var found []date
	add := func(d date) {
		if from <= d.wall && d.wall <= to {
			found = append(found, d)
		}
	}
	add(date{wall: start.wall.Unix()})
	for _, d := range x.lines.dates {
		add(d)
	}
	for _, r := range x.lines.rules {
		for wall := range r.between(from, to, steps) {
			found = append(found, date{wall: wall})
		}
	}
	return inOrder(found)
}

// inOrder sorts dates. Of equal ones the first is left.
func inOrder(dates []date) []date {
	byWall := func(a, b date) int { return int(min(1, max(-1, a.wall-b.wall))) }
	if !slices.IsSortedFunc(dates, byWall) {
		slices.SortStableFunc(dates, byWall)
	}
	return slices.CompactFunc(dates, func(a, b date) bool { return a.wall == b.wall })
}

// An expansion is one walk through a series.
type expansion struct {
	x      *Expander
	window civil.TimeRange // zero is all times
	loc    *time.Location
	emit   func(*instance) bool // which copies what it wants to keep
	now    instance
	// own reads the clocks of the series, other those of a replacement in another zone.
	own, other clock
	// near are the instants near changes of the clock that had an instance already: a time that is skipped and one that is not can be the same.
	near map[int64]bool
}

// replacements emits what replaces single instances. False is stop.
func (e *expansion) replacements() bool {
	for i := range e.x.singles {
		o := &e.x.singles[i]
		if !e.emitAt(&o.Event, o.Original.key(), o.Start.wall.Unix(), o.Start.zone, o.Length) {
			return false
		}
	}
	return true
}

// original emits an instance as it is after replacements, unless it is gone. False is stop.
func (e *expansion) original(d date) bool {
	x := e.x
	start := x.master.Start
	at, only := e.clock(start.zone).instant(d.wall)
	if !only && e.seen(at) {
		return true
	}
	if x.replaced[at] || x.gone[at] || len(x.goneDays) > 0 && x.goneDays[d.wall-mod(d.wall, daySeconds)] {
		return true
	}
	f := x.follower(d.wall)
	switch {
	case f != nil:
		begin := d.wall + int64(f.moved()/time.Second)
		if f.Start.IsDay() {
			begin -= mod(begin, daySeconds)
		}
		return e.emitAt(&f.Event, at, begin, f.Start.zone, f.Length)
	case d.length != nil:
		return e.emitAt(&x.master.Event, at, d.wall, start.zone, *d.length)
	default:
		return e.emitAt(&x.master.Event, at, d.wall, start.zone, x.master.Length)
	}
}

// follower returns the last one that begins at or before wall, or nil.
func (x *Expander) follower(wall int64) *Override {
	for i := len(x.followers) - 1; i >= 0; i-- {
		if x.followers[i].Original.wall.Unix() <= wall {
			return &x.followers[i]
		}
	}
	return nil
}

func mod(n, by int64) int64 { return ((n % by) + by) % by }

// seen reports whether it was asked about this instant before.
func (e *expansion) seen(at int64) bool {
	if e.near == nil {
		e.near = map[int64]bool{}
	}
	if e.near[at] {
		return true
	}
	e.near[at] = true
	return false
}

// clock returns one that reads the clocks in zone.
func (e *expansion) clock(zone *time.Location) *clock {
	c := &e.own
	if zone != e.x.master.Start.zone {
		c = &e.other
	}
	if c.zone != zone {
		*c = clock{zone: zone, calm: never} // it knows nothing yet
	}
	return c
}

// emitAt emits the event that looks like event and starts at start on the clock in zone, if it is in the window.
func (e *expansion) emitAt(event *calendar.Event, original, start int64, zone *time.Location, last Length) bool {
	i := &e.now
	*i = instance{of: e.x, event: event, zone: zone, original: original, inferred: last.Inferred}
	if zone == nil {
		i.firstDay = int32(start / daySeconds)
		i.afterDay = i.firstDay + int32(max(1, last.Days))
		i.begin, i.end = dayOf(i.firstDay).In(e.loc).Unix(), dayOf(i.afterDay).In(e.loc).Unix()
	} else {
		i.begin, _ = e.clock(zone).instant(start)
		i.end = i.begin
		if last.Days != 0 {
			i.end, _ = e.clock(zone).instant(start + int64(last.Days)*daySeconds)
		}
		i.end += int64(last.Exact / time.Second)
	}
	if e.window != (civil.TimeRange{}) && !i.overlaps(e.window) {
		return true
	}
	return e.emit(i)
}

// overlaps is that of [civil.TimeRange] for seconds.
func (i *instance) overlaps(window civil.TimeRange) bool {
	begin, end := time.Unix(i.begin, 0), time.Unix(i.end, 0)
	if i.begin == i.end {
		return window.Contains(begin)
	}
	return begin.Before(window.End) && end.After(window.Start)
}

func dayOf(n int32) civil.Date { return civil.DateOf(time.Unix(int64(n)*daySeconds, 0).UTC()) }

// compareAtOnce is the order of instances that begin at the same time.
func compareAtOnce(a, b *instance) int {
	if (a.zone == nil) != (b.zone == nil) {
		if a.zone == nil {
			return -1
		}
		return 1
	}
	if c := strings.Compare(a.event.Title, b.event.Title); c != 0 {
		return c
	}
	return strings.Compare(a.id(), b.id())
}

func (i *instance) id() string {
	if !i.of.recurs {
		return i.of.master.Event.ID
	}
	return instanceID(i.of.master.Event.ID, i.original, i.of.master.Start.IsDay())
}

// fill makes the event of it.
func (i *instance) fill(e *calendar.Event) {
	*e = *i.event
	if len(e.Attendees) > 0 {
		e.Attendees = slices.Clone(e.Attendees)
	}
	e.ID = i.id()
	if i.of.recurs {
		e.SeriesID = i.of.master.Event.ID
	}
	e.EndInferred = i.inferred
	e.AllDay = i.zone == nil
	if e.AllDay {
		e.Start, e.End = time.Time{}, time.Time{}
		e.FirstDay, e.EndDay = dayOf(i.firstDay), dayOf(i.afterDay)
		return
	}
	e.FirstDay, e.EndDay = civil.Date{}, civil.Date{}
	e.Start, e.End, e.TimeZone = time.Unix(i.begin, 0).In(i.zone), time.Unix(i.end, 0).In(i.zone), i.zone.String()
}

// Events returns the instances of one series, or the single event, that overlap the window, in order. Recurrence lines that can't be
// understood, and more than a thousand instances, are [fault.ErrInvalid].
func Events(series calendar.Event, window civil.TimeRange) ([]calendar.Event, error) {
	x, err := Compile(Series{Master: Entry{Event: series}}, Options{Location: window.Location()})
	if err != nil {
		return nil, err
	}
	events, cut, err := Expand(context.Background(), []*Expander{x}, window, 4*maxEvents)
	if err == nil && len(cut) > 0 {
		err = fmt.Errorf("series %.100q has more than %d instances in the window: %w", x.ID(), maxEvents, fault.ErrInvalid)
	}
	return events, err
}

const maxEvents = 1000
