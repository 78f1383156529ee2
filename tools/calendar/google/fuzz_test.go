package google_test

import "testing"

// Whatever Google answers, a read ends with a listing or a failure.
func FuzzEvents(f *testing.F) {
	f.Add(`{"items":[` + lunch + `],"timeZone":"Asia/Tokyo"}`)
	f.Add(`{"items":[` + goneLunch + `,null,{}]}`)
	f.Add(`{"items":[{"id":"a","recurringEventId":"b","originalStartTime":{"dateTime":"x"},"start":{"date":"2026-01-15"}}]}`)
	f.Add(`{"items":[{"id":"a","start":{"date":"0000-01-01"},"end":{"dateTime":"9999-12-31T23:59:59Z"},"attendees":[null,{"self":true}]}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		_, c := scripted(t, say(200, body))
		listing, err := c.Events(t.Context(), theDay(t))
		if err == nil && !listing.Complete && len(listing.Problems) == 0 {
			t.Errorf("Events of %s is not complete and has no problem", body)
		}
		if _, err := c.Changes(t.Context(), ""); err != nil {
			wantDiscreet(t, err)
		}
	})
}
