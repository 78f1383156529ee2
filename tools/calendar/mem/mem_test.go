package mem_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/mem"
)

func TestCalendar(t *testing.T) {
	calendartest.RunWriter(t, func(_ *testing.T, seed []calendar.Event) calendar.Writer {
		c := mem.New("test", seed...)
		c.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
		return c
	})
}

func TestBroken(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	window := civil.TimeRange{Start: start, End: start.Add(time.Hour)}
	if _, err := (mem.Broken{}).Events(t.Context(), window); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Broken{}.Events = %v, want ErrUnavailable", err)
	}
	if _, err := (mem.Broken{Err: fault.ErrDenied}).Events(t.Context(), window); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Broken{Err: ErrDenied}.Events = %v, want ErrDenied", err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		began := time.Now()
		_, err := mem.Broken{Hang: true}.Events(ctx, window)
		if !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Hour {
			t.Errorf("Broken{Hang: true}.Events = %v after %s, want ErrUnavailable at the deadline", err, time.Since(began))
		}
	})
}

// The reference keeps what was cancelled.
func TestCancelledIsKept(t *testing.T) {
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	c := mem.New("test", calendar.Event{ID: "event1", Title: "Off", Start: start, Status: calendar.Cancelled})
	got, err := c.Events(t.Context(), civil.TimeRange{Start: start, End: start.Add(time.Hour)})
	if err != nil || len(got.Events) != 1 || got.Events[0].Status != calendar.Cancelled {
		t.Errorf("Events with a cancelled event = %+v, %v, want it, with its status", got.Events, err)
	}
}
