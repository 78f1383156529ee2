package family

import (
	"fmt"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
)

// adkReminders are those of an event, in Google's form.
type adkReminders struct {
	UseDefault *bool         `json:"useDefault,omitempty" jsonschema:"Whether those of the calendar apply."`
	Overrides  []adkReminder `json:"overrides,omitempty" jsonschema:"Those that apply instead, at most 5."`
}

type adkReminder struct {
	Method  string `json:"method,omitempty" enum:"popup" jsonschema:"Absent: popup, on the owner's devices."`
	Minutes int    `json:"minutes" min:"0" max:"40320" jsonschema:"How long before the start."`
}

// reminders returns those that an event is to have: nil for the calendar's own, none for useDefault
// false alone. A calendar that reminds nobody takes no others.
func (f *family) reminders(in adkWriteInput) (*calendar.Reminders, error) {
	wanted := in.Event.Reminders
	if wanted == nil {
		return nil, nil //nolint:nilnil // nil is the calendar's own
	}
	defaults := wanted.UseDefault != nil && *wanted.UseDefault
	switch own := len(wanted.Overrides) > 0; {
	case own && defaults:
		return nil, &tools.Refusal{
			Kind: fault.ErrInvalid, JA: "「event.reminders.overrides」を使うときは、useDefault を false にしてください。",
			EN: `With "event.reminders.overrides", please set useDefault to false.`,
		}
	case own && !f.reminds(in.CalendarID):
		return nil, &tools.Refusal{
			Kind: fault.ErrInvalid, JA: "このカレンダーからは通知が届かないため、「event.reminders.overrides」は使えません。",
			EN: `This calendar sends no reminders, so that "event.reminders.overrides" cannot be used.`,
		}
	case len(wanted.Overrides) > calendar.MaxReminders:
		return nil, &tools.Refusal{
			Kind: fault.ErrInvalid,
			JA:   fmt.Sprintf("「event.reminders.overrides」は%d件までです。", calendar.MaxReminders),
			EN:   fmt.Sprintf("%q may have at most %d.", "event.reminders.overrides", calendar.MaxReminders),
		}
	case !own && (defaults || wanted.UseDefault == nil):
		return nil, nil //nolint:nilnil // nil is the calendar's own
	}
	var before []time.Duration
	for _, o := range wanted.Overrides {
		before = append(before, time.Duration(o.Minutes)*time.Minute)
	}
	return calendar.RemindBefore(before...), nil
}

// reminds reports whether the calendar, primary or that of an id, tells its owner of events.
func (f *family) reminds(id string) bool {
	for _, c := range f.agenda.Calendars() {
		if c.ID == f.calendarID(id) {
			return c.Reminds
		}
	}
	return false
}
