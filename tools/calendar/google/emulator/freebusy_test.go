package emulator

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFreeBusy(t *testing.T) {
	a := open(t, Options{})
	a.insert(`{"start":{"dateTime":"2026-01-14T22:00:00+09:00"},"end":{"dateTime":"2026-01-15T01:00:00+09:00"}}`)
	a.insert(timed("a", "10:00", "11:00"))
	a.insert(timed("touches", "11:00", "12:00"))
	a.insert(timed("within", "10:15", "10:30"))
	a.insert(timed("free", "13:00", "14:00", `,"transparency":"transparent"`))
	a.insert(timed("declined", "14:00", "15:00", `,"attendees":[{"email":"owner@example.com","responseStatus":"declined"}]`))
	a.insert(timed("cancelled", "15:00", "16:00", `,"status":"cancelled"`))
	a.insert(timed("series", "17:00", "18:00", `,"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`))
	a.insert(`{"start":{"date":"2026-01-16"},"end":{"date":"2026-01-18"}}`)
	a.e.AddCalendar(Calendar{ID: "boss@example.com", AccessRole: "freeBusyReader"})
	got := a.must("POST freeBusy", `{"timeMin":"2026-01-15T00:00:00+09:00","timeMax":"2026-01-17T00:00:00+09:00","timeZone":"Asia/Tokyo",
		"items":[{"id":"primary"},{"id":"boss@example.com"},{"id":"nosuch@example.com"}]}`)
	period := func(from, to string) any { return map[string]any{"start": from + "+09:00", "end": to + "+09:00"} }
	want := map[string]any{
		"kind": "calendar#freeBusy", "timeMin": "2026-01-14T15:00:00.000Z", "timeMax": "2026-01-16T15:00:00.000Z",
		"calendars": map[string]any{
			"primary": map[string]any{"busy": []any{
				period("2026-01-15T00:00:00", "2026-01-15T01:00:00"),
				period("2026-01-15T10:00:00", "2026-01-15T12:00:00"), period("2026-01-15T17:00:00", "2026-01-15T18:00:00"),
				period("2026-01-16T00:00:00", "2026-01-17T00:00:00"),
			}},
			"boss@example.com":   map[string]any{"busy": []any{}},
			"nosuch@example.com": map[string]any{"busy": []any{}, "errors": []any{map[string]any{"domain": "global", "reason": "notFound"}}},
		},
	}
	if diff := cmp.Diff(want, got.body); diff != "" {
		t.Errorf("freeBusy (-want +got):\n%s", diff)
	}
	for body, want := range map[string]string{
		`{`:                                  "400 parseError: Parse Error",
		`{"timeMax":"2026-01-15T00:00:00Z"}`: "400 required: Missing timeMin parameter.",
		`{"timeMin":"2026-01-15T00:00:00Z"}`: "400 required: Missing timeMax parameter.",
		`{"timeMin":"2026-01-15","timeMax":"2026-01-16T00:00:00Z"}`:                                  "400 badRequest: Bad Request",
		`{"timeMin":"2026-01-15T00:00:00Z","timeMax":"2026-01-15T00:00:00Z"}`:                        "400 timeRangeEmpty: The specified time range is empty.",
		`{"timeMin":"2026-01-15T00:00:00Z","timeMax":"2026-01-16T00:00:00Z","timeZone":"Mars/Base"}`: "400 invalidParameter: Invalid value 'Mars/Base' for timeZone.",
	} {
		if got := a.refused("POST freeBusy", body); got != want {
			t.Errorf("freeBusy(%s) = %s, want %s", body, got, want)
		}
	}
	few := a.must("POST freeBusy", `{"timeMin":"2026-01-15T00:00:00Z","timeMax":"2026-01-16T00:00:00Z","calendarExpansionMax":1,"items":[{"id":"primary"},{"id":"boss@example.com"}]}`)
	boss := few.body["calendars"].(map[string]any)["boss@example.com"].(map[string]any)
	if sprint(boss["errors"]) != "[map[domain:calendar reason:tooManyCalendarsRequested]]" {
		t.Errorf("freeBusy of two where one may be = %s, want an error for the second", few.text)
	}
}
