package emulator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMirrorsFollow changes a calendar at random: whoever goes by sync tokens, of series or of single events, must have what a full list has.
func TestMirrorsFollow(t *testing.T) {
	for seed := range uint64(12) {
		a := open(t, Options{ShortPages: seed%2 == 1})
		r := rand.New(rand.NewPCG(seed, 1))
		mirrors := map[string]map[string]string{"": {}, "singleEvents=true": {}}
		tokens := map[string]string{}
		for round := range 12 {
			for range 1 + r.IntN(4) {
				a.changeSomething(r)
			}
			for query, mirror := range mirrors {
				full, fresh := a.list(query)
				if token, ok := tokens[query]; ok {
					full, fresh = a.list(query + "&syncToken=" + token)
				}
				apply(mirror, full)
				tokens[query] = fresh
				want := map[string]string{}
				full, _ = a.list(query)
				apply(want, full)
				if diff := cmp.Diff(want, mirror); diff != "" {
					t.Fatalf("seed %d, round %d: a mirror by %q (-full list +mirror):\n%s", seed, round, query, diff)
				}
			}
		}
	}
}

// changeSomething makes a request that may change the calendar. Those that cannot be are refused, which is fine.
func (a *account) changeSomething(r *rand.Rand) {
	a.t.Helper()
	id := fmt.Sprintf("event%d", r.IntN(4))
	event := "calendars/primary/events/" + id
	instance := event + fmt.Sprintf("_202601%02dT050000Z", 15+r.IntN(8))
	rule := []string{`"RRULE:FREQ=DAILY;COUNT=6"`, `"RRULE:FREQ=DAILY;INTERVAL=2;COUNT=4"`, `"RRULE:FREQ=DAILY;COUNT=3","EXDATE;TZID=Asia/Tokyo:20260116T140000"`}[r.IntN(3)]
	requests := []struct{ request, body string }{
		{"POST calendars/primary/events", timed("single", "14:00", "15:00", `,"id":"`+id+`"`)},
		{"POST calendars/primary/events", timed("series", "14:00", "15:00", `,"id":"`+id+`","recurrence":[`+rule+`]`)},
		{"PATCH " + event, fmt.Sprintf(`{"summary":"s%d"}`, r.IntN(100))},
		{"PATCH " + event, `{"recurrence":[` + rule + `]}`},
		{"PATCH " + event, `{"recurrence":null}`},
		{"PATCH " + event, fmt.Sprintf(`{"start":{"dateTime":"2026-01-1%dT14:00:00+09:00"},"end":{"dateTime":"2026-01-19T15:00:00+09:00"}}`, 5+r.IntN(3))},
		{"PATCH " + event, `{"status":"confirmed"}`},
		{"PUT " + event, timed("put", "14:00", "15:00", `,"recurrence":[`+rule+`]`)},
		{"PATCH " + instance, `{"start":{"dateTime":"2026-02-01T14:00:00+09:00"},"end":{"dateTime":"2026-02-01T15:00:00+09:00"}}`},
		{"PATCH " + instance, `{"summary":"other","status":"confirmed"}`},
		{"DELETE " + instance, ""},
		{"DELETE " + event, ""},
	}
	one := requests[r.IntN(len(requests))]
	if got := a.wrong().do(one.request, one.body); got.err != nil || got.status >= 500 {
		a.t.Errorf("%s %s = %d %s %v, want it done or refused", one.request, one.body, got.status, got.text, got.err)
	}
}
