package nodes_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	calendarmem "annai/tools/calendar/mem"
)

// diaryCalendar is an owner's calendar that can be made to fail.
type diaryCalendar struct {
	*calendarmem.Calendar

	mu sync.Mutex
	// unread makes reads fail, partial makes them incomplete, asOf is when they are of.
	unread  calendar.Kind
	partial bool
	asOf    time.Time
	// refuse makes writes fail; refusals is how many of them, all if negative.
	refuse   calendar.Kind
	refusals int
	// lose makes a write that is done look as if nobody knew.
	lose int
	// hang makes writes that are done wait for the end of their context.
	hang bool
	// silent: it reminds nobody.
	silent bool
	// writes counts the calls that were to write.
	writes int
}

// all is a window in which everything is.
var all = civil.TimeRange{Start: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), End: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}

func (c *diaryCalendar) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	c.mu.Lock()
	unread, partial, asOf := c.unread, c.partial, c.asOf
	c.mu.Unlock()
	if unread != "" {
		return calendar.Listing{}, &calendar.Failure{Kind: unread}
	}
	listing, err := c.Calendar.Events(ctx, window)
	if err != nil {
		return listing, err
	}
	listing.Complete, listing.AsOf = !partial, asOf
	return listing, nil
}

// fails reports whether the next write is refused, and as what.
func (c *diaryCalendar) fails() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	if c.refuse == "" || c.refusals == 0 {
		return nil
	}
	c.refusals--
	return &calendar.Failure{Kind: c.refuse}
}

// lost reports whether the answer of a write that was done gets lost.
func (c *diaryCalendar) lost(ctx context.Context) error {
	c.mu.Lock()
	hang, lose := c.hang, c.lose > 0
	if lose {
		c.lose--
	}
	c.mu.Unlock()
	if hang {
		<-ctx.Done()
		return fmt.Errorf("no answer: %w", ctx.Err())
	}
	if lose {
		return &calendar.Failure{Kind: calendar.Ambiguous}
	}
	return nil
}

func (c *diaryCalendar) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	if err := c.fails(); err != nil {
		return calendar.Event{}, err
	}
	made, err := c.Calendar.Create(ctx, e)
	if lost := c.lost(ctx); lost != nil {
		return calendar.Event{}, lost
	}
	return made, err
}

func (c *diaryCalendar) Update(ctx context.Context, id string, change calendar.Change, etag string) (calendar.Event, error) {
	if err := c.fails(); err != nil {
		return calendar.Event{}, err
	}
	e, err := c.Calendar.Update(ctx, id, change, etag)
	if lost := c.lost(ctx); lost != nil {
		return calendar.Event{}, lost
	}
	return e, err
}

func (c *diaryCalendar) Delete(ctx context.Context, id, etag string) error {
	if err := c.fails(); err != nil {
		return err
	}
	err := c.Calendar.Delete(ctx, id, etag)
	if lost := c.lost(ctx); lost != nil {
		return lost
	}
	return err
}

// contents are the entries as a talk shows them, series as one line.
func (c *diaryCalendar) contents(t testing.TB, loc *time.Location) []string {
	t.Helper()
	listing, err := c.Calendar.Events(t.Context(), civil.TimeRange{Start: all.Start.In(loc), End: all.End.In(loc)})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	seen := map[string]bool{}
	for _, e := range listing.Events {
		if e.SeriesID != "" {
			if seen[e.SeriesID] {
				continue
			}
			seen[e.SeriesID] = true
			if e, err = c.Calendar.Get(t.Context(), e.SeriesID); err != nil {
				t.Fatal(err)
			}
		}
		when := e.FirstDay.String()
		switch last := e.EndDay.AddDays(-1); {
		case e.AllDay && last != e.FirstDay:
			when += " - " + last.String()
		case !e.AllDay:
			when = e.Start.In(loc).Format("2006-01-02 15:04") + " - " + e.End.In(loc).Format("15:04")
		}
		fields := append([]string{when, e.Title}, e.Recurrence...)
		if e.Location != "" {
			fields = append(fields, e.Location)
		}
		out = append(out, strings.Join(fields, " | "))
	}
	return out
}

// find returns the entry with that title.
func (c *diaryCalendar) find(t testing.TB, title string) calendar.Event {
	t.Helper()
	listing, err := c.Calendar.Events(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range listing.Events {
		if e.Title != title {
			continue
		}
		if e.SeriesID == "" {
			return e
		}
		whole, err := c.Calendar.Get(t.Context(), e.SeriesID)
		if err != nil {
			t.Fatal(err)
		}
		return whole
	}
	t.Fatalf("no entry %q in the calendar", title)
	return calendar.Event{}
}

// newDiary is an owner's calendar with the entries of a section: when | title | description | place | rule | attendees.
func newDiary(t testing.TB, list []string, loc *time.Location) *diaryCalendar {
	t.Helper()
	var events []calendar.Event
	for _, line := range list {
		f := split(line, 6)
		if f == nil {
			continue
		}
		e := readEvents(t, []string{strings.Join(f[:4], "|")}, loc)[0]
		e.ID = agenda.KeyFor(line)
		e.TimeZone = loc.String()
		if f[4] != "" {
			e.Recurrence = []string{"RRULE:" + f[4]}
		}
		if f[5] != "" {
			e.Attendees = strings.Split(f[5], ",")
		}
		events = append(events, e)
	}
	return &diaryCalendar{Calendar: calendarmem.New("own", events...)}
}

// newAgenda is the agenda of an owner with that calendar, and others that are only read.
func newAgenda(t testing.TB, own *diaryCalendar, readOnly []string, loc *time.Location, now func() time.Time) *agenda.Agenda {
	t.Helper()
	calendars := []agenda.Calendar{{
		ID: "own", Label: map[string]string{"ja": "マイカレンダー", "en": "My calendar"}, Writer: own, Reminds: !own.silent,
	}}
	if readOnly != nil {
		calendars = append(calendars, agenda.Calendar{
			ID: "club", Label: map[string]string{"ja": "サークル", "en": "Club"}, Reader: calendarmem.New("club", readEvents(t, readOnly, loc)...),
		})
	}
	a, err := agenda.New(calendars, agenda.Options{Location: loc, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
