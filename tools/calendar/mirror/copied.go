package mirror

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// contents are what a calendar keeps, by id.
type contents struct {
	Events    map[string]calendar.Event
	Overrides map[string]Override
	// Problems are entries that could not be understood.
	Problems map[string]string
	// Within is the time that the contents are of; zero is all.
	Within civil.TimeRange
}

func newContents() contents {
	return contents{Events: map[string]calendar.Event{}, Overrides: map[string]Override{}, Problems: map[string]string{}}
}

// with returns the contents after the changes. c stays as it is.
func (c contents) with(ch Changes) contents {
	next := newContents()
	if !ch.Full {
		next = contents{Events: maps.Clone(c.Events), Overrides: maps.Clone(c.Overrides), Problems: maps.Clone(c.Problems), Within: c.Within}
	}
	if ch.Full {
		next.Within = ch.Within
	}
	gone := map[string]bool{}
	for _, id := range ch.Deleted {
		gone[id] = true
	}
	for id := range ch.Problems {
		gone[id] = true
	}
	next.remove(gone)
	for _, e := range ch.Events {
		next.Events[e.ID] = e
		delete(next.Problems, e.ID)
	}
	for _, o := range ch.Overrides {
		next.Overrides[o.ID] = o
		delete(next.Problems, o.ID)
	}
	for id, err := range ch.Problems {
		next.Problems[id] = err.Error()
	}
	return next
}

// remove takes away what has one of the ids, with a series its overrides.
func (c contents) remove(ids map[string]bool) {
	for id := range ids {
		delete(c.Events, id)
		delete(c.Overrides, id)
		delete(c.Problems, id)
	}
	maps.DeleteFunc(c.Overrides, func(_ string, o Override) bool { return ids[o.SeriesID] })
}

// copied is a copy of a calendar, ready to be read.
type copied struct {
	contents
	opts   Options
	feed   Feed
	single index
	series []*recur.Expander
	// from and until are years with all instances of series between them.
	from, until int
	// problems are of entries that could not be understood.
	problems []calendar.Problem

	mu sync.Mutex
	// years are the instances of series that were worked out, by year in UTC.
	years map[int]*year

	windows calendar.Windows
}

// newCopied makes contents readable.
func newCopied(feed Feed, opts Options, c contents) *copied {
	made := &copied{contents: c, opts: opts, feed: feed, from: 9999, years: map[int]*year{}}
	instances := map[string][]Override{}
	for _, o := range c.Overrides {
		instances[o.SeriesID] = append(instances[o.SeriesID], o)
	}
	var single []calendar.Event
	for id, e := range c.Events {
		overrides := instances[id]
		delete(instances, id)
		if len(e.Recurrence) == 0 {
			single = append(single, e)
			continue
		}
		made.compile(e, overrides)
	}
	for _, overrides := range instances { // whose series is not ours: somebody was invited to one instance
		for _, o := range overrides {
			if o.Event.Status != calendar.Cancelled {
				single = append(single, o.Event)
			}
		}
	}
	for _, text := range c.Problems {
		made.problem(fmt.Errorf("%s: %w", text, fault.ErrInvalid))
	}
	slices.SortFunc(made.problems, func(a, b calendar.Problem) int { return strings.Compare(a.Err.Error(), b.Err.Error()) })
	made.single = newIndex(single)
	return made
}

func (c *copied) problem(err error) {
	c.problems = append(c.problems, calendar.Problem{CalendarID: c.opts.CalendarID, Err: err})
}

// compile makes a series ready to be expanded.
func (c *copied) compile(master calendar.Event, overrides []Override) {
	s := recur.Series{Master: recur.Entry{Event: master}}
	slices.SortFunc(overrides, func(a, b Override) int { return a.Original.Compare(b.Original) })
	for _, o := range overrides {
		e := o.Event
		e.ETag = "" // that of an instance is its series', and what follows here
		if o.Event.ETag != "" {
			e.ETag = " " + o.Event.ETag
		}
		s.Overrides = append(s.Overrides, recur.Override{Entry: recur.Entry{Event: e}, Original: o.moment()})
	}
	x, err := recur.Compile(s, recur.Options{Location: c.opts.Location})
	if err != nil {
		c.problem(err)
		return
	}
	c.series = append(c.series, x)
	first, last := x.Bounds()
	c.from = min(c.from, first.Year())
	if last.IsZero() {
		c.until = lastYear
	}
	c.until = max(c.until, last.Year())
}

// lastYear is after all that is ever worked out.
const lastYear = 2200

// lend returns what overlaps the window, and lends it. The error is that of ctx.
func (c *copied) lend(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	events, missing, err := c.windows.Events(window, func() ([]calendar.Event, []error, error) {
		return c.overlapping(ctx, window)
	})
	if err != nil {
		return calendar.Listing{}, err
	}
	listing := calendar.Listing{
		Window: window, Events: events, Lent: true, Problems: slices.Clone(c.problems),
		Complete: len(c.problems)+len(missing) == 0,
	}
	for _, err := range missing {
		listing.Problems = append(listing.Problems, calendar.Problem{CalendarID: c.opts.CalendarID, Err: err})
	}
	return listing, nil
}

// overlapping returns the events that overlap the window, in order, and what is missing among them. The last error is
// that of ctx.
func (c *copied) overlapping(
	ctx context.Context, window civil.TimeRange,
) (events []calendar.Event, missing []error, err error) {
	if w := c.Within; !w.Start.IsZero() && (window.Start.Before(w.Start) || window.End.After(w.End)) {
		missing = append(missing, fmt.Errorf("it is known from %s to %s only: %w", w.Start.Format(time.DateOnly),
			w.End.Format(time.DateOnly), fault.ErrUnavailable))
	}
	found := c.single.overlapping(window)
	seen := map[string]bool{}
	from := max(c.from, window.Start.UTC().Add(-dayMargin).Year())
	until := min(c.until, window.End.UTC().Add(dayMargin).Year())
	for y := from; y <= until && len(found) <= c.opts.MaxEvents; y++ {
		worked, err := c.year(ctx, y)
		if err != nil {
			return nil, nil, err
		}
		if worked.problem != nil {
			missing = append(missing, worked.problem)
		}
		for _, e := range worked.index.overlapping(window) {
			if !seen[e.ID] { // what is over the turn of the year is in both
				seen[e.ID] = true
				found = append(found, e)
			}
		}
	}
	events = slices.Grow(events, len(found))
	for _, e := range found {
		events = append(events, *e)
	}
	calendar.Sort(events, window.Location())
	if most := c.opts.MaxEvents; len(events) > most {
		events = slices.Clone(events[:most])
		missing = append(missing, fmt.Errorf("there are more than %d events", most))
	}
	return events, missing, nil
}

func clone(e calendar.Event) calendar.Event {
	e.Recurrence, e.Attendees = slices.Clone(e.Recurrence), slices.Clone(e.Attendees)
	return e
}

// dayMargin is how far a day may be from where it is in UTC.
const dayMargin = 26 * time.Hour

// maxYears is how many years are kept worked out.
const maxYears = 8

// A year is what all series have in it.
type year struct {
	index   index
	problem error
}

// year returns the instances of a year, worked out at the first time. The error is that of ctx.
func (c *copied) year(ctx context.Context, n int) (*year, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if y, ok := c.years[n]; ok {
		return y, nil
	}
	if len(c.years) >= maxYears {
		clear(c.years)
	}
	y, err := c.workOut(ctx, n)
	if err == nil {
		c.years[n] = y
	}
	return y, err
}

func (c *copied) workOut(ctx context.Context, n int) (*year, error) {
	window := civil.TimeRange{
		Start: time.Date(n, time.January, 1, 0, 0, 0, 0, time.UTC).Add(-dayMargin),
		End:   time.Date(n+1, time.January, 1, 0, 0, 0, 0, time.UTC).Add(dayMargin),
	}
	events, cut, err := recur.Expand(ctx, c.series, window, 10*c.opts.MaxEvents)
	if err != nil {
		return nil, err
	}
	events = slices.DeleteFunc(events, func(e calendar.Event) bool { return e.Status == calendar.Cancelled })
	for i, e := range events {
		events[i].ID = c.id(e)
	}
	y := &year{index: newIndex(events)}
	if len(cut) > 0 {
		y.problem = fmt.Errorf("the instances of %d series in %d are too many to be worked out: %w", len(cut), n, fault.ErrInvalid)
	}
	return y, nil
}

// id is the id that an instance has in the calendar.
func (c *copied) id(e calendar.Event) string {
	if series, original, ok := recur.SplitID(e.ID); ok {
		return c.feed.InstanceID(series, original)
	}
	return e.ID
}
