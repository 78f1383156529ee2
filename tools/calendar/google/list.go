package google

import (
	"context"
	"fmt"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"annai/civil"
	"annai/tools/calendar"
)

// margin is how much more is asked for than the window: Google takes days in the calendar's zone, we in the window's, and of what only
// touches the start of the window we want the moments. We look ourselves what overlaps.
const margin = 26 * time.Hour

// list reads the events of the window, series expanded by Google, and says what the account may do with the calendar.
func (c *Calendar) list(ctx context.Context, window civil.TimeRange) (listing calendar.Listing, role string, err error) {
	listing = calendar.Listing{Window: window, Complete: true, AsOf: c.account.opts.Now()}
	from, to := bounds(window)
	left := false
	err = c.account.pages(ctx, func(ctx context.Context, token, page string) (string, error) {
		call := c.account.service.Events.List(c.id).Context(ctx).SingleEvents(true).OrderBy("startTime").
			TimeMin(from).TimeMax(to).MaxResults(2500)
		if page != "" {
			call.PageToken(page)
		}
		authorize(call.Header(), token)
		got, err := call.Do()
		if err != nil {
			return "", err
		}
		role = got.AccessRole
		c.take(&listing, got)
		if len(listing.Events) > c.account.opts.MaxEvents {
			listing.Events, left = listing.Events[:c.account.opts.MaxEvents], true
			return "", nil
		}
		return got.NextPageToken, nil
	})
	if left {
		c.problem(&listing, fmt.Errorf("there are more than %d events", c.account.opts.MaxEvents))
	}
	return listing, role, err
}

// take adds a page to the listing.
func (c *Calendar) take(listing *calendar.Listing, page *gcal.Events) {
	for _, w := range page.Items {
		if w == nil || w.Status == cancelled {
			continue
		}
		e, err := c.event(w, page.TimeZone)
		if err != nil {
			c.problem(listing, err)
			continue
		}
		if e.Span(listing.Window.Location()).Overlaps(listing.Window) {
			listing.Events = append(listing.Events, e)
		}
	}
}

func (c *Calendar) problem(listing *calendar.Listing, err error) {
	listing.Complete = false
	listing.Problems = append(listing.Problems, calendar.Problem{CalendarID: c.id, Err: err})
}

// The years that an address can hold.
var (
	firstTime = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)
)

// bounds are what is asked for so that nothing in the window is missing.
func bounds(window civil.TimeRange) (from, to string) {
	start, end := window.Start.Add(-margin).UTC(), window.End.Add(margin).UTC()
	if start.Before(firstTime) {
		start = firstTime
	}
	if end.After(lastTime) {
		end = lastTime
	}
	return start.Format(time.RFC3339), end.Format(time.RFC3339)
}
