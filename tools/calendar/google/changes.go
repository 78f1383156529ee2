package google

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/mirror"
	"annai/tools/calendar/recur"
)

// Changes implements [mirror.Feed] by Google's incremental sync. Of a calendar that only shows when it is busy, they are all busy times from
// yesterday on for some months, each time.
func (c *Calendar) Changes(ctx context.Context, token string) (mirror.Changes, error) {
	changes, err := c.changes(ctx, token)
	if err != nil {
		return mirror.Changes{}, fmt.Errorf("read changes of calendar %s: %w", c.id, err)
	}
	return changes, nil
}

func (c *Calendar) changes(ctx context.Context, token string) (mirror.Changes, error) {
	busy, err := c.onlyBusy()
	switch {
	case err != nil:
		return mirror.Changes{}, err
	case busy:
		return c.busyChanges(ctx)
	}
	changes := mirror.Changes{Full: token == "", Problems: map[string]error{}}
	role := ""
	expired := false
	err = c.account.pages(ctx, func(ctx context.Context, access, page string) (string, error) {
		got, err := c.changed(ctx, access, token, page)
		if err != nil {
			expired = token != "" && noToken(err)
			return "", err
		}
		role, changes.Next = got.AccessRole, got.NextSyncToken
		for _, w := range got.Items {
			if w != nil {
				c.sort(&changes, w, got.TimeZone)
			}
		}
		return got.NextPageToken, nil
	})
	switch {
	case err != nil && expired:
		return mirror.Changes{}, mirror.ErrExpired
	case err == nil && c.hides(role):
		return c.busyChanges(ctx)
	}
	return changes, err
}

// busyChanges are all busy times as far as two questions reach.
func (c *Calendar) busyChanges(ctx context.Context) (mirror.Changes, error) {
	from := c.account.opts.Now().Add(-24 * time.Hour)
	within := civil.TimeRange{Start: from, End: from.Add(2 * longestQuery)}
	listing, err := c.freeBusy(ctx, within)
	if err == nil && !listing.Complete {
		err = &calendar.Failure{Kind: calendar.Unavailable, Err: listing.Problems[0].Err}
	}
	return mirror.Changes{Full: true, Within: within, Events: listing.Events}, err
}

// changed asks for a page of changes. What is asked for is the same with a token and without: it must be.
func (c *Calendar) changed(ctx context.Context, access, token, page string) (*gcal.Events, error) {
	call := c.account.service.Events.List(c.id).Context(ctx).SingleEvents(false).ShowDeleted(true).MaxResults(2500)
	if token != "" {
		call.SyncToken(token)
	}
	if page != "" {
		call.PageToken(page)
	}
	authorize(call.Header(), access)
	return call.Do()
}

// noToken reports whether Google does not take a sync token any more: it is too old, or none of Google's.
func noToken(err error) bool {
	return statusOf(err) == http.StatusGone || statusOf(err) == http.StatusBadRequest
}

// sort puts an entry where it belongs in the changes.
func (c *Calendar) sort(changes *mirror.Changes, w *gcal.Event, zone string) {
	if w.Status == cancelled && w.RecurringEventId == "" {
		changes.Deleted = append(changes.Deleted, w.Id)
		return
	}
	e, err := c.event(w, zone)
	if err == nil && w.RecurringEventId != "" {
		var o mirror.Override
		if o, err = c.override(e, w, zone); err == nil {
			changes.Overrides = append(changes.Overrides, o)
			return
		}
	}
	if err != nil {
		changes.Problems[w.Id] = err
		return
	}
	changes.Events = append(changes.Events, e)
}

func (c *Calendar) override(e calendar.Event, w *gcal.Event, zone string) (mirror.Override, error) {
	o := mirror.Override{SeriesID: w.RecurringEventId, ID: w.Id, Event: e}
	original := w.OriginalStartTime
	var err error
	switch {
	case original == nil:
		return o, fmt.Errorf("event %.100q does not say of which instance it is", w.Id)
	case original.Date != "":
		o.OriginalDay, err = civil.ParseDate(original.Date)
	default:
		o.Original, _, err = c.account.instant(original, zone)
	}
	return o, err
}

// InstanceID implements [mirror.Feed]: "series_20260115T030000Z", or "series_20260115" for a day.
func (c *Calendar) InstanceID(series string, original recur.Moment) string {
	return series + "_" + strings.TrimPrefix(recur.InstanceID(series, original), series+"/")
}

var _ mirror.Feed = (*Calendar)(nil)
