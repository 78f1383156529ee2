package calendar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/fault"
)

// A Source is one of the calendars that a venue lists.
type Source struct {
	// ID is what CalendarID becomes in events and problems.
	ID string
	// Label is the calendar's name by language ("ja", "en").
	Label map[string]string
	// Visibility is how much visitors may see. Anything but Public and Busy is Private.
	Visibility Visibility
	Reader     Reader
}

// Merge returns the view that visitors have of several calendars. It reads all at the same time.
//
// Visibility is applied before anything leaves: private calendars are not even read, private events left out, and of
// busy ones only the times and the status are left. Of the calendar's and the event's visibility the stricter rules.
// Events come with Visibility and CalendarID set, with what their titles say of them
// ([Event.WithNotice]), and once where two calendars have the same.
//
// A calendar that fails, or has not answered when ctx is done, makes the listing incomplete, with a problem. Where none
// answered, or none is visible, the error is [fault.ErrUnavailable]. AsOf is the oldest of the answers. A reader that
// ignores ctx does not hold up the listing; its goroutine ends when it returns.
//
// It is a [Lender], which keeps what it showed of the last windows while all sources lend the same.
func Merge(sources []Source) Reader {
	m := &visible{}
	for _, s := range sources {
		if s.Visibility == Public || s.Visibility == Busy {
			m.sources = append(m.sources, s)
		}
	}
	return m
}

// MergeOwn returns the view that their owner has of several calendars: like [Merge], but of all of them, everything in them, with the
// calendar's id and nothing left out.
func MergeOwn(sources []Source) Reader { return merged{sources: sources, own: true} }

type merged struct {
	sources []Source
	// own is the view of the owner.
	own bool
}

// An answer is what one source gave.
type answer struct {
	source  int
	listing Listing
	err     error
}

// A readFunc reads a source: [Lend], or whole.
type readFunc func(ctx context.Context, r Reader, window civil.TimeRange) (Listing, error)

func whole(ctx context.Context, r Reader, window civil.TimeRange) (Listing, error) {
	return r.Events(ctx, window)
}

// Events implements [Reader].
func (m merged) Events(ctx context.Context, window civil.TimeRange) (Listing, error) {
	listing, answers, err := m.read(ctx, window, whole)
	if err != nil {
		return Listing{}, err
	}
	listing.Events = m.show(answers, window.Location())
	return listing, nil
}

// read reads all sources, and returns a listing without events, and the answers.
func (m merged) read(
	ctx context.Context, window civil.TimeRange, read readFunc,
) (Listing, []answer, error) {
	if err := CheckWindow(window); err != nil {
		return Listing{}, nil, err
	}
	if len(m.sources) == 0 {
		return Listing{}, nil, fmt.Errorf("read calendars: none is visible: %w", fault.ErrUnavailable)
	}
	answers := m.ask(ctx, window, read)
	listing := Listing{Window: window, Complete: true}
	some := false
	for i, a := range answers {
		id := m.sources[i].ID
		if a.err != nil {
			listing.Complete = false
			listing.Problems = append(listing.Problems, Problem{CalendarID: id, Err: a.err})
			continue
		}
		if !some || a.listing.AsOf.Before(listing.AsOf) {
			listing.AsOf = a.listing.AsOf
		}
		some = true
		listing.Complete = listing.Complete && a.listing.Complete
		for _, p := range a.listing.Problems {
			listing.Problems = append(listing.Problems, Problem{CalendarID: id, Err: p.Err})
		}
	}
	if !some {
		return Listing{}, nil, noneRead(ctx, listing.Problems)
	}
	return listing, answers, nil
}

// show returns what may be seen of the answers, in their place and in order.
func (m merged) show(answers []answer, loc *time.Location) []Event {
	var shown []Event
	read := 0
	for i, a := range answers {
		if a.err != nil {
			continue
		}
		read++
		stamped := m.stamp(m.sources[i], a.listing.Events)
		if shown == nil {
			shown = stamped
		} else {
			shown = append(shown, stamped...)
		}
	}
	switch {
	case m.own:
	case read == 1:
		shown = blanked(shown)
	default:
		shown = once(shown, loc)
	}
	Sort(shown, loc)
	return shown
}

// ask reads all sources at the same time until all have answered or ctx is done. The answers are in the sources' order.
func (m merged) ask(
	ctx context.Context, window civil.TimeRange, read readFunc,
) []answer {
	arrived := make(chan answer, len(m.sources)) // room for all: a late one must not block
	for i, s := range m.sources {
		go func() {
			listing, err := read(ctx, s.Reader, window)
			arrived <- answer{source: i, listing: listing, err: err}
		}()
	}
	answers := make([]answer, len(m.sources))
	for i := range answers {
		answers[i].err = fmt.Errorf("no answer in time: %w", fault.ErrUnavailable)
	}
	for range m.sources {
		a, ok := next(ctx, arrived)
		if !ok {
			break
		}
		answers[a.source] = a
	}
	return answers
}

// next waits for an answer. Once ctx is done it only takes what is there.
func next(ctx context.Context, arrived <-chan answer) (answer, bool) {
	select {
	case a := <-arrived:
		return a, true
	case <-ctx.Done():
	}
	select {
	case a := <-arrived:
		return a, true
	default:
		return answer{}, false
	}
}

// noneRead wraps no error of a source, since one of them may be of another kind.
func noneRead(ctx context.Context, problems []Problem) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read calendars: %w: %w", fault.ErrUnavailable, err)
	}
	texts := make([]string, 0, len(problems))
	for _, p := range problems {
		texts = append(texts, fmt.Sprintf("calendar %s: %s", p.CalendarID, p.Err))
	}
	return fmt.Errorf("read calendars: %s: %w", strings.Join(texts, "; "), fault.ErrUnavailable)
}

// stamp returns what may be seen of a source's events, in their place.
func (m merged) stamp(s Source, events []Event) []Event {
	for i := range events {
		e := &events[i]
		e.CalendarID = s.ID
		if !m.own {
			e.Attendees, e.Visibility = nil, stricter(s.Visibility, e.Visibility)
			*e = e.WithNotice()
		}
	}
	if m.own {
		return events
	}
	return slices.DeleteFunc(events, func(e Event) bool { return e.Visibility != Public && e.Visibility != Busy })
}

// stricter returns the one that shows less. An event without visibility has its calendar's; an unknown one is private.
func stricter(source, event Visibility) Visibility {
	switch event {
	case "", Public:
		return source
	case Busy:
		return Busy
	case Private:
		return Private
	default:
		return Private
	}
}

// once leaves out events that another calendar has too, preferring one that may be shown whole, then the source listed
// first; and it blanks the busy ones, of which equal spans are one.
func once(events []Event, loc *time.Location) []Event {
	seen := newSeen(loc, len(events))
	kept := make([]Event, 0, len(events))
	for _, v := range []Visibility{Public, Busy} {
		for _, e := range events {
			if e.Visibility != v || seen.elsewhere(e) {
				continue
			}
			seen.add(e)
			if v == Busy {
				e = blank(e)
				if seen.busy[e.ID] {
					continue
				}
				seen.busy[e.ID] = true
			}
			kept = append(kept, e)
		}
	}
	return kept
}

// blanked blanks the busy events of one calendar, which lists nothing twice but what is busy at the same time.
func blanked(events []Event) []Event {
	busy := map[string]bool{}
	kept := events[:0]
	for _, e := range events {
		if e.Visibility == Busy {
			if e = blank(e); busy[e.ID] {
				continue
			}
			busy[e.ID] = true
		}
		kept = append(kept, e)
	}
	return kept
}

// blank returns only when e is. The id is made anew: the one in the calendar may name people.
func blank(e Event) Event {
	b := Event{
		CalendarID: e.CalendarID, AllDay: e.AllDay, Start: e.Start, End: e.End, FirstDay: e.FirstDay, EndDay: e.EndDay,
		EndInferred: e.EndInferred, TimeZone: e.TimeZone, Status: e.Status, Visibility: Busy, Source: e.Source,
	}
	if e.AllDay {
		b.ID = fmt.Sprintf("busy/%s/%s/%s", e.FirstDay, e.EndDay, e.Status)
	} else {
		b.ID = fmt.Sprintf("busy/%d/%d/%s", e.Start.Unix(), e.End.Unix(), e.Status)
	}
	b.ETag = b.ID
	return b
}
