package agenda

import (
	"context"
	"fmt"
	"time"

	"annai/civil"
	"annai/tools/calendar"
)

// Collisions are what is in the way of a plan.
type Collisions struct {
	// Overlaps are the events that take time which the plan takes too; Duplicates those of the same title on one of its days, which may be
	// the same thing. Each event is in one of the two, and they are in the order of a listing.
	Overlaps, Duplicates []calendar.Event
	// Complete is false where a calendar could not be read whole, or not all instances of the plan are known: there may be more.
	Complete bool
	AsOf     time.Time
}

// Collisions says what the plan e collides with: for a series with all its instances within a year of the first. The event that except
// names, and the instances of that series, are left out. A plan that does not pass [calendar.Event.Check] is refused as there; the other
// errors are those of [Agenda.List] and of [Agenda.Instances].
func (a *Agenda) Collisions(ctx context.Context, e calendar.Event, except Ref) (Collisions, error) {
	if err := e.Check(); err != nil {
		return Collisions{}, fmt.Errorf("plan: %w", err)
	}
	e = e.WithEnd()
	plan, whole, err := a.plan(ctx, e)
	if err != nil || len(plan) == 0 {
		return Collisions{Complete: whole}, err
	}
	spans := make([]civil.TimeRange, len(plan))
	for i, p := range plan {
		spans[i] = p.Span(a.opts.Location)
	}
	listing, err := a.List(ctx, a.around(spans))
	if err != nil {
		return Collisions{}, err
	}
	found := Collisions{Complete: listing.Complete && whole, AsOf: listing.AsOf}
	title := compact(fold(e.Title))
	for _, other := range listing.Events {
		if other.Status == calendar.Cancelled || names(except, other) || names(RefOf(e), other) {
			continue
		}
		span := other.Span(a.opts.Location)
		switch {
		case compact(fold(other.Title)) == title && anySpan(spans, span, sameDay):
			found.Duplicates = append(found.Duplicates, other)
		case e.Busy() && other.Busy() && anySpan(spans, span, overlap):
			found.Overlaps = append(found.Overlaps, other)
		}
	}
	return found, nil
}

// plan returns the instances of e within a year of its start.
func (a *Agenda) plan(ctx context.Context, e calendar.Event) ([]calendar.Event, bool, error) {
	if len(e.Recurrence) == 0 {
		return []calendar.Event{e}, true, nil
	}
	start := e.Span(a.opts.Location).Start
	return a.Instances(ctx, e, civil.TimeRange{Start: start, End: start.AddDate(1, 0, 0)})
}

// around returns the whole days that the spans touch, from the first to the last.
func (a *Agenda) around(spans []civil.TimeRange) civil.TimeRange {
	all := spans[0]
	for _, s := range spans {
		if s.Start.Before(all.Start) {
			all.Start = s.Start
		}
		if s.End.After(all.End) {
			all.End = s.End
		}
	}
	return a.Days(civil.DateOf(all.Start), civil.DateOf(all.End))
}

// names reports whether ref names the event or its series.
func names(ref Ref, e calendar.Event) bool {
	return ref.ID != "" && (ref.ID == e.ID || ref.ID == e.SeriesID) && (ref.CalendarID == "" || ref.CalendarID == e.CalendarID)
}

func anySpan(spans []civil.TimeRange, s civil.TimeRange, hit func(a, b civil.TimeRange) bool) bool {
	for _, span := range spans {
		if hit(span, s) {
			return true
		}
	}
	return false
}

// overlap reports whether two spans share time; one of no length shares none.
func overlap(a, b civil.TimeRange) bool {
	return a.Start.Before(a.End) && b.Start.Before(b.End) && a.Overlaps(b)
}

// sameDay reports whether two spans begin on the same day or share time.
func sameDay(a, b civil.TimeRange) bool {
	return civil.DateOf(a.Start) == civil.DateOf(b.Start) || a.Overlaps(b)
}
