package google

import (
	"context"
	"errors"
	"fmt"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"annai/civil"
	"annai/tools/calendar"
)

// longestQuery is how much time one question covers: Google refuses longer ones.
const longestQuery = 60 * 24 * time.Hour

// freeBusy reads when the calendar is busy. Each stretch of time becomes an event with nothing but times.
func (c *Calendar) freeBusy(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if granted := c.account.opts.Granted; granted != nil && !granted.CanFreeBusy() {
		return calendar.Listing{}, noScope("see when it is busy")
	}
	listing := calendar.Listing{Window: window, Complete: true, AsOf: c.account.opts.Now()}
	var busy []civil.TimeRange
	for from := window.Start; from.Before(window.End); from = from.Add(longestQuery) {
		to := from.Add(longestQuery)
		if window.End.Before(to) {
			to = window.End
		}
		more, err := c.query(ctx, from, to)
		if err != nil {
			return calendar.Listing{}, err
		}
		if busy = append(busy, more...); len(busy) > c.account.opts.MaxEvents {
			c.problem(&listing, fmt.Errorf("there are more than %d busy times", c.account.opts.MaxEvents))
			break
		}
	}
	for _, b := range joined(busy) {
		if b.Overlaps(window) {
			listing.Events = append(listing.Events, c.busyEvent(b, window.Location()))
		}
	}
	return listing, nil
}

// query asks for the busy times of a stretch. A calendar that Google could not read is a failure: unknown, not free.
func (c *Calendar) query(ctx context.Context, from, to time.Time) ([]civil.TimeRange, error) {
	ask := &gcal.FreeBusyRequest{
		TimeMin: from.UTC().Format(time.RFC3339), TimeMax: to.Add(time.Second).UTC().Format(time.RFC3339),
		Items: []*gcal.FreeBusyRequestItem{{Id: c.id}},
	}
	var answer *gcal.FreeBusyResponse
	t := c.account.repeat(ctx, func(ctx context.Context, token string) (err error) {
		call := c.account.service.Freebusy.Query(ask).Context(ctx)
		authorize(call.Header(), token)
		answer, err = call.Do()
		return err
	})
	if t != nil {
		return nil, t.failure
	}
	return c.busy(answer)
}

func (c *Calendar) busy(answer *gcal.FreeBusyResponse) ([]civil.TimeRange, error) {
	mine, ok := answer.Calendars[c.id]
	if !ok && len(answer.Calendars) == 1 { // under the id that "primary" stands for
		for _, mine = range answer.Calendars {
			ok = true
		}
	}
	switch {
	case !ok:
		return nil, &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New("google did not say when it is busy")}
	case len(mine.Errors) > 0:
		f := &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New("google could not see when it is busy")}
		if e := mine.Errors[0]; e != nil {
			f.Err = fmt.Errorf("google could not see when it is busy: %s", word(e.Reason))
			if e.Reason == "notFound" {
				f.Kind = calendar.NotFound
			}
		}
		return nil, f
	}
	var busy []civil.TimeRange
	for _, p := range mine.Busy {
		if p == nil {
			continue
		}
		start, err := time.Parse(time.RFC3339, p.Start)
		end, err2 := time.Parse(time.RFC3339, p.End)
		if err != nil || err2 != nil || end.Before(start) {
			return nil, &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New("google said a busy time that is none")}
		}
		busy = append(busy, civil.TimeRange{Start: start, End: end})
	}
	return busy, nil
}

// joined makes one of busy times that touch, as those do that two questions cut. They are in order.
func joined(busy []civil.TimeRange) []civil.TimeRange {
	var all []civil.TimeRange
	for _, b := range busy {
		if n := len(all); n > 0 && !b.Start.After(all[n-1].End) {
			if b.End.After(all[n-1].End) {
				all[n-1].End = b.End
			}
			continue
		}
		all = append(all, b)
	}
	return all
}

func (c *Calendar) busyEvent(b civil.TimeRange, loc *time.Location) calendar.Event {
	id := fmt.Sprintf("busy-%d-%d", b.Start.Unix(), b.End.Unix())
	return calendar.Event{
		ID: id, CalendarID: c.id, Source: source, ETag: id, Start: b.Start.In(loc), End: b.End.In(loc), TimeZone: loc.String(),
		Status: calendar.Confirmed, Visibility: calendar.Busy,
	}
}
