package emulator

import (
	"encoding/json"
	"testing"
	"time"
)

// FuzzFields: whatever a fields parameter says, there is a part of the answer or an error.
func FuzzFields(f *testing.F) {
	for _, fields := range []string{"items", "items(id,start/dateTime),nextPageToken", "items/*", "*", "a(b(c/d", "a)", ",", "a//b", "((((", "a/b(c)"} {
		f.Add(fields)
	}
	text := []byte(`{"items":[{"id":"a","start":{"dateTime":"x"}},1],"summary":"s"}`)
	f.Fuzz(func(t *testing.T, fields string) {
		part, err := selectFields(text, fields)
		if err != nil {
			return
		}
		if _, err := json.Marshal(part); err != nil {
			t.Errorf("selectFields(%q) = %v, which is no JSON: %v", fields, part, err)
		}
	})
}

// FuzzEvent: whatever the body of an insert is, it is refused or an event that can be listed.
func FuzzEvent(f *testing.F) {
	f.Add(timed("a", "10:00", "11:00"))
	f.Add(weekly("RRULE:FREQ=WEEKLY;COUNT=3"))
	f.Add(`{"start":{"date":"2026-01-15"},"end":{"date":"2026-01-16"},"recurrence":["RDATE;VALUE=DATE:20260120"]}`)
	f.Add(`{"start":{"date":"0000-01-01"},"end":{"date":"9999-12-31"},"attendees":[{"email":"a"}],"recurrence":["RRULE:FREQ=DAILY"]}`)
	f.Fuzz(func(t *testing.T, body string) {
		e := New(Options{Now: func() time.Time { return time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC) }})
		cal, err := e.calendar("primary")
		if err != nil {
			t.Fatal(err)
		}
		c := &call{body: []byte(body)}
		object, err := c.object()
		if err != nil {
			return
		}
		if _, err := e.create(cal, object); err != nil {
			return
		}
		shown := filter{single: true, since: -1, view: view{zone: time.UTC}, windowed: true}
		for _, s := range shown.pick(e.everything(cal, shown), cal) {
			if _, err := json.Marshal(s.answer(shown.view)); err != nil {
				t.Errorf("%s makes an event that is no JSON: %v", body, err)
			}
		}
	})
}

// FuzzSyncToken: a token that the emulator did not make is no good.
func FuzzSyncToken(f *testing.F) {
	f.Add("")
	f.Add("eyJ3IjoiYSIsInIiOjF9")
	f.Fuzz(func(t *testing.T, token string) {
		e := New(Options{Now: func() time.Time { return time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC) }})
		if since, err := e.readSyncToken(token, "a"); err == nil && since < 0 {
			t.Errorf("readSyncToken(%q) = %d, want an error or a change", token, since)
		}
	})
}
