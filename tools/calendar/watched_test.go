package calendar_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/mem"
)

// TestWatched: each operation is told once, with its end; a listing that is not complete is no success.
func TestWatched(t *testing.T) {
	var told []string
	watch := func(ctx context.Context, operation string) (context.Context, func(int, error)) {
		return ctx, func(n int, err error) {
			unread := errors.Is(err, fault.ErrUnavailable)
			told = append(told, fmt.Sprintf("%s %d %t %t", operation, n, unread, err != nil))
		}
	}
	begins := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	c := calendar.WatchedWriter(mem.New("c"), watch)
	day := civil.Date{Year: 2026, Month: 1, Day: 5}
	window := civil.Days(day, day.AddDays(1), time.UTC)
	made, err := c.Create(t.Context(), calendar.Event{
		Title: "x", Start: begins, End: begins.Add(time.Hour), TimeZone: "UTC",
	})
	if err != nil {
		t.Fatal(err)
	}
	title := "y"
	_, got := c.Get(t.Context(), made.ID)
	_, updated := c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, "")
	_, listed := c.Events(t.Context(), window)
	_, lent := calendar.Lend(t.Context(), c, window)
	gone := c.Delete(t.Context(), "nothing", "")
	if err := errors.Join(got, updated, listed, lent); err != nil || gone == nil {
		t.Fatal(err, gone)
	}
	partial := calendar.Watched(halfRead{}, watch)
	if _, err := partial.Events(t.Context(), window); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"create 1 false false", "get 1 false false", "update 1 false false", "events 1 false false",
		"events 1 false false", "delete 0 false true", "events 0 true true",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// halfRead is a calendar of which a part can't be read.
type halfRead struct{}

func (halfRead) Events(context.Context, civil.TimeRange) (calendar.Listing, error) {
	return calendar.Listing{Problems: []calendar.Problem{{Err: errors.New("lost")}}}, nil
}
