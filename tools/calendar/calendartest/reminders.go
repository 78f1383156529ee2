package calendartest

import (
	"testing"
	"time"

	"annai/tools/calendar"
)

func reminders(t *testing.T, w calendar.Writer) {
	e := sample(t)
	if made := mustCreate(t, w, e); made.Reminders != nil {
		t.Errorf("reminders of an event without = %+v, want nil", made.Reminders)
	}
	e.Reminders = calendar.RemindBefore(24*time.Hour, 30*time.Minute)
	made := mustCreate(t, w, e)
	wantReminders(t, w, "Create", made, e.Reminders)
	title, never := "Changed", calendar.RemindBefore()
	wantReminders(
		t,
		w,
		"Update of the title",
		mustUpdate(t, w, made.ID, calendar.Change{Title: &title}, ""),
		e.Reminders,
	)
	atStart := calendar.RemindBefore(0)
	wantReminders(
		t,
		w,
		"Update to the start",
		mustUpdate(t, w, made.ID, calendar.Change{Reminders: atStart}, ""),
		atStart,
	)
	wantReminders(t, w, "Update to none", mustUpdate(t, w, made.ID, calendar.Change{Reminders: never}, ""), never)
	for _, bad := range []time.Duration{-time.Minute, time.Second, calendar.MaxRemindAhead + time.Minute} {
		e.Reminders = calendar.RemindBefore(bad)
		wantKind(t, "Create with a reminder "+bad.String()+" ahead", calendar.Invalid, func() error {
			_, err := w.Create(t.Context(), e)
			return err //nolint:wrapcheck // a test looks at it
		})
	}
}

func wantReminders(t *testing.T, w calendar.Writer, after string, got calendar.Event, want *calendar.Reminders) {
	t.Helper()
	if !got.Reminders.Same(want) {
		t.Errorf("reminders after %s = %+v, want %+v", after, got.Reminders, want)
	}
	if there := mustGet(t, w, got.ID); !there.Reminders.Same(want) {
		t.Errorf("reminders of Get after %s = %+v, want %+v", after, there.Reminders, want)
	}
}
