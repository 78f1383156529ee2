package family_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/agenda/family"
	"annai/tools/calendar/mem"
)

func TestReminders(t *testing.T) {
	phone, wall := mem.New("phone"), mem.New("wall")
	r := over(
		t,
		family.Options{},
		agenda.Calendar{ID: "wall", Writer: wall},
		agenda.Calendar{ID: "phone", Writer: phone, Reminds: true},
	)
	at := []time.Duration{30 * time.Minute, 24 * time.Hour}
	tests := []struct {
		name, calendar, reminders string
		want                      *calendar.Reminders
		refused                   string
	}{
		{"absent", "phone", `null`, nil, ""},
		{"nothing said", "phone", `{}`, nil, ""},
		{"the calendar's", "wall", `{"useDefault":true}`, nil, ""},
		{"none", "wall", `{"useDefault":false}`, calendar.RemindBefore(), ""},
		{
			"others", "phone", `{"useDefault":false,"overrides":[{"method":"popup","minutes":1440},{"minutes":30}]}`,
			calendar.RemindBefore(at...), "",
		},
		{"others alone", "phone", `{"overrides":[{"minutes":0}]}`, calendar.RemindBefore(0), ""},
		{"both", "phone", `{"useDefault":true,"overrides":[{"minutes":30}]}`, nil, "please set useDefault to false"},
		{"where nobody reminds", "wall", `{"overrides":[{"minutes":30}]}`, nil, "This calendar sends no reminders"},
		{
			"where nobody reminds, by another name",
			"primary",
			`{"overrides":[{"minutes":30}]}`,
			nil,
			"sends no reminders",
		},
		{"by mail", "phone", `{"overrides":[{"method":"email","minutes":30}]}`, nil, "must be one of popup"},
		{"too early", "phone", `{"overrides":[{"minutes":40321}]}`, nil, "must be from 0 to 40320"},
		{
			"too many",
			"phone",
			`{"overrides":[` + strings.Repeat(`{"minutes":1},`, 5) + `{"minutes":2}]}`,
			nil,
			"at most 5",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := `{"calendarId":"` + tt.calendar + `","event":{"summary":"a",` +
				`"start":{"dateTime":"2026-03-03T14:00","timeZone":"UTC"},` +
				`"reminders":` + tt.reminders + `},"idempotency_key":"` + tt.name + `"}`
			_, err := call(t, r, owner("en"), "calendar_write", in)
			if tt.refused != "" {
				if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(tools.Message(err, "en"), tt.refused) {
					t.Errorf("calendar_write(%s) = %v, want %q", in, err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatalf("calendar_write(%s) = %v, want it written", in, err)
			}
			w := map[string]*mem.Calendar{"wall": wall, "phone": phone}[tt.calendar]
			made, err := w.Get(t.Context(), agenda.KeyFor("key", "calendar_write", tt.name))
			if err != nil || !made.Reminders.Same(tt.want) {
				t.Errorf("reminders of %s = %+v, %v, want %+v", in, made.Reminders, err, tt.want)
			}
		})
	}
}

// A calendar of the venue that is not the owner's can be read by its id, and by nothing else.
func TestReadOfOthers(t *testing.T) {
	events := mem.New("events", timed("talk", "講演", 2, 10, 60))
	a, err := agenda.New([]agenda.Calendar{{ID: "own", Writer: mem.New("own")}}, agenda.Options{
		Location: tokyo,
		Now:      func() time.Time { return monday },
		Others:   []agenda.Calendar{{ID: "events", Reader: events}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := tools.New(a.Now, tools.Options{})
	if err := family.Register(r, a, family.Options{}); err != nil {
		t.Fatal(err)
	}
	day := `"timeMin":"2026-03-02T00:00:00+09:00","timeMax":"2026-03-03T00:00:00+09:00"}`
	for id, want := range map[string]bool{"events": true, "own": false, "primary": false} {
		got, err := call(t, r, owner("ja"), "calendar_read", `{"calendarId":"`+id+`",`+day)
		if err != nil || strings.Contains(got, "講演") != want {
			t.Errorf("calendar_read of %s = %s, %v, want the event: %v", id, got, err, want)
		}
	}
	if got, err := call(
		t,
		r,
		owner("ja"),
		"list_events",
		`{"date":"2026-03-02"}`,
	); err != nil ||
		strings.Contains(got, "講演") {
		t.Errorf("list_events = %s, %v, want the owner's own only", got, err)
	}
	in := `{"calendarId":"events","event":{"summary":"a","start":{"dateTime":"2026-03-03T14:00","timeZone":"UTC"}}}`
	if _, err := call(
		t,
		r,
		owner("ja"),
		"calendar_write",
		in,
	); !errors.Is(err, fault.ErrDenied) &&
		!errors.Is(err, fault.ErrNotFound) {
		t.Errorf("calendar_write to it = %v, want that it is refused", err)
	}
}
