package local_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/local"
)

func clock() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func open(t testing.TB, path string) *local.Calendar {
	t.Helper()
	c, err := local.Open(t.Context(), path, local.Options{CalendarID: "test", Now: clock})
	if err != nil {
		t.Fatalf("Open(%s) = %v", path, err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return c
}

// fill creates the events.
func fill(t testing.TB, c *local.Calendar, events []calendar.Event) *local.Calendar {
	t.Helper()
	for _, e := range events {
		if _, err := c.Create(t.Context(), e); err != nil {
			t.Fatalf("Create(%+v) = %v", e, err)
		}
	}
	return c
}

// numbered is an event of some size.
func numbered(n int) calendar.Event {
	return calendar.Event{
		ID: fmt.Sprintf("event%d", n), Title: "Event", Description: strings.Repeat("text ", 500),
		Start: clock(), TimeZone: "UTC",
	}
}

func TestCalendar(t *testing.T) {
	calendartest.RunWriter(t, func(t *testing.T, seed []calendar.Event) calendar.Writer {
		return fill(t, open(t, filepath.Join(t.TempDir(), "予定 1", "a?b#c.db")), seed)
	})
}

func TestCalendarInMemory(t *testing.T) {
	calendartest.RunWriter(t, func(t *testing.T, seed []calendar.Event) calendar.Writer {
		return fill(t, open(t, ""), seed)
	})
}
