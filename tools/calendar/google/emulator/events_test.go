package emulator

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInsertAndGet(t *testing.T) {
	a := open(t, Options{})
	got := a.must("POST calendars/primary/events",
		timed("会議", "14:00", "15:00", `,"id":"abcde","location":"3F","attendees":[{"email":"owner@example.com"},{"email":"guest@example.org","optional":true}],"extendedProperties":{"private":{"k":"v"}},"organizer":{"email":"not@heard"}`))
	want := map[string]any{
		"kind": "calendar#event", "etag": `"3000000000000004"`, "id": "abcde", "status": "confirmed",
		"htmlLink": "https://www.google.com/calendar/event?eid=YWJjZGUgb3duZXJAZXhhbXBsZS5jb20",
		"created":  "2026-01-10T09:00:00.000Z", "updated": "2026-01-10T09:00:00.000Z", "summary": "会議", "location": "3F",
		"creator":   map[string]any{"email": "owner@example.com", "self": true},
		"organizer": map[string]any{"email": "owner@example.com", "self": true},
		"start":     map[string]any{"dateTime": "2026-01-15T14:00:00+09:00", "timeZone": "Asia/Tokyo"},
		"end":       map[string]any{"dateTime": "2026-01-15T15:00:00+09:00", "timeZone": "Asia/Tokyo"},
		"iCalUID":   "abcde@google.com",
		"attendees": []any{
			map[string]any{"email": "owner@example.com", "self": true, "organizer": true, "responseStatus": "needsAction"},
			map[string]any{"email": "guest@example.org", "optional": true, "responseStatus": "needsAction"},
		},
		"extendedProperties": map[string]any{"private": map[string]any{"k": "v"}},
		"reminders":          map[string]any{"useDefault": true}, "eventType": "default",
	}
	if diff := cmp.Diff(want, got.body); diff != "" {
		t.Errorf("insert (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, a.must("GET calendars/owner@example.com/events/abcde", "").body); diff != "" {
		t.Errorf("get (-want +got):\n%s", diff)
	}
	in := a.must("GET calendars/primary/events/abcde?timeZone=America/New_York", "").body["start"]
	if diff := cmp.Diff(map[string]any{"dateTime": "2026-01-15T00:00:00-05:00", "timeZone": "Asia/Tokyo"}, in); diff != "" {
		t.Errorf("get in the zone of New York (-want +got):\n%s", diff)
	}
}

func TestTimesAsTheyCome(t *testing.T) {
	a := open(t, Options{TimeZone: "Europe/Paris"})
	for _, test := range []struct{ start, want string }{
		{`{"dateTime":"2026-07-01T10:00:00Z"}`, `map[dateTime:2026-07-01T12:00:00+02:00 timeZone:Europe/Paris]`},
		{`{"dateTime":"2026-07-01T10:00:00","timeZone":"Asia/Tokyo"}`, `map[dateTime:2026-07-01T03:00:00+02:00 timeZone:Asia/Tokyo]`},
		{`{"dateTime":"2026-07-01T10:00:00.123+09:00","timeZone":"UTC"}`, `map[dateTime:2026-07-01T03:00:00+02:00 timeZone:UTC]`},
	} {
		got := a.must("POST calendars/primary/events", `{"start":`+test.start+`,"end":{"dateTime":"2026-07-01T20:00:00Z"}}`)
		if text := strings.TrimSpace(sprint(got.body["start"])); text != test.want {
			t.Errorf("insert(start %s).start = %s, want %s", test.start, text, test.want)
		}
	}
}

func TestInsertRefuses(t *testing.T) {
	a := open(t, Options{})
	end := `"end":{"dateTime":"2026-01-15T15:00:00+09:00"}`
	for _, test := range []struct{ body, want string }{
		{`{`, "400 parseError: Parse Error"},
		{`[]`, "400 parseError: Parse Error"},
		{`{"summary":7,"start":{"date":"2026-01-15"},"end":{"date":"2026-01-16"}}`, "400 parseError: Parse Error"},
		{`{}`, "400 required: Missing start time."},
		{`{"start":{"date":"2026-01-15"}}`, "400 required: Missing end time."},
		{`{"start":{},` + end + `}`, "400 invalid: Invalid start time."},
		{`{"start":{"date":"2026-01-15","dateTime":"2026-01-15T14:00:00+09:00"},` + end + `}`, "400 invalid: Invalid start time."},
		{`{"start":{"date":"2026-02-30"},"end":{"date":"2026-03-01"}}`, "400 invalid: Invalid start time."},
		{`{"start":{"date":"2026-01-15"},` + end + `}`, "400 invalid: Start and end times must either both be date or both be dateTime."},
		{`{"start":{"dateTime":"2026-01-15T14:00:00"},` + end + `}`, "400 required: Missing time zone definition for start time."},
		{`{"start":{"dateTime":"tomorrow"},` + end + `}`, `400 invalid: Invalid value for: Invalid format: "tomorrow"`},
		{`{"start":{"dateTime":"2026-01-15T14:00:00+09:00","timeZone":"Mars/Base"},` + end + `}`, "400 invalid: Invalid time zone definition for start time."},
		{`{"start":{"dateTime":"2026-01-15T16:00:00+09:00"},` + end + `}`, "400 timeRangeEmpty: The specified time range is empty."},
		{`{"start":{"date":"2026-01-15"},"end":{"date":"2026-01-15"}}`, "400 timeRangeEmpty: The specified time range is empty."},
		{timed("a", "14:00", "15:00", `,"id":"abcd"`), "400 invalid: Invalid resource id value."},
		{timed("a", "14:00", "15:00", `,"id":"ABCDE"`), "400 invalid: Invalid resource id value."},
		{timed("a", "14:00", "15:00", `,"id":"vwxyz"`), "400 invalid: Invalid resource id value."},
		{timed("a", "14:00", "15:00", `,"id":"`+strings.Repeat("a", 1025)+`"`), "400 invalid: Invalid resource id value."},
		{timed("a", "14:00", "15:00", `,"status":"maybe"`), "400 invalid: Invalid value for: status"},
		{timed("a", "14:00", "15:00", `,"attendees":[{"displayName":"x"}]`), "400 required: Missing attendee email."},
		{timed("a", "14:00", "15:00", `,"attendees":[{"email":"a@example.org","responseStatus":"maybe"}]`), "400 invalid: Invalid value for: attendee response status"},
		{timed("a", "14:00", "15:00", `,"recurrence":["RRULE:FREQ=SOMETIMES"]`), "400 invalid: Invalid recurrence rule."},
		{
			`{"start":{"dateTime":"2026-01-15T14:00:00+09:00"},` + end + `,"recurrence":["RRULE:FREQ=DAILY"]}`,
			"400 required: Missing time zone definition for start time.",
		},
		{
			timed("a", "14:00", "15:00", `,"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":5}]}`),
			"400 cannotUseDefaultRemindersAndSpecifyOverride: Cannot specify both default reminders and overrides at the same time.",
		},
	} {
		if got := a.refused("POST calendars/primary/events", test.body); got != test.want {
			t.Errorf("insert(%.200s) = %s, want %s", test.body, got, test.want)
		}
	}
	if got := len(a.e.Effects()) + len(a.e.Events("primary")); got != 0 {
		t.Errorf("after refusals there are %d effects and events, want none", got)
	}
}

func TestIdentifierIsTakenForEver(t *testing.T) {
	a := open(t, Options{})
	body := timed("a", "14:00", "15:00", `,"id":"abcde"`)
	a.insert(body)
	const want = "409 duplicate: The requested identifier already exists."
	if got := a.refused("POST calendars/primary/events", body); got != want {
		t.Errorf("insert again = %s, want %s", got, want)
	}
	a.must("DELETE calendars/primary/events/abcde", "")
	if got := a.refused("POST calendars/primary/events", body); got != want {
		t.Errorf("insert after deletion = %s, want %s", got, want)
	}
	if one, two := a.insert(timed("b", "10:00", "11:00")), a.insert(timed("b", "10:00", "11:00")); one == two {
		t.Errorf("two inserts without an id both got %s", one)
	}
}

func TestDelete(t *testing.T) {
	a := open(t, Options{})
	id := a.insert(timed("a", "14:00", "15:00"))
	a.must("DELETE calendars/primary/events/"+id, "")
	if got := a.must("GET calendars/primary/events/"+id, ""); got.string("status") != "cancelled" || got.string("summary") != "a" {
		t.Errorf("get of what was deleted = %s, want the event, cancelled", got.text)
	}
	for request, want := range map[string]string{
		"DELETE calendars/primary/events/" + id:  "410 deleted: Resource has been deleted",
		"DELETE calendars/primary/events/nosuch": "404 notFound: Not Found",
		"GET calendars/primary/events/nosuch":    "404 notFound: Not Found",
		"GET calendars/nosuch/events/nosuch":     "404 notFound: Not Found",
		"GET nosuch":                             "404 notFound: Not Found",
	} {
		if got := a.refused(request, ""); got != want {
			t.Errorf("%s = %s, want %s", request, got, want)
		}
	}
	a.must("PATCH calendars/primary/events/"+id, `{"status":"confirmed"}`)
	if got := a.ids(""); !slices.Equal(got, []string{id}) {
		t.Errorf("list after the event was confirmed again = %v, want [%s]", got, id)
	}
}

func TestPatch(t *testing.T) {
	for _, test := range []struct{ name, patch, field, want string }{
		{"a field", `{"summary":"b"}`, "summary", `b`},
		{"an empty text", `{"description":""}`, "description", `<nil>`},
		{"null clears", `{"location":null}`, "location", `<nil>`},
		{"the rest stays", `{"summary":"b"}`, "location", `3F`},
		{"an object is merged", `{"extendedProperties":{"private":{"two":"2"}}}`, "extendedProperties", `map[private:map[one:1 two:2]]`},
		{"null in an object", `{"extendedProperties":{"private":{"one":null,"two":"2"}}}`, "extendedProperties", `map[private:map[two:2]]`},
		{"an array is replaced", `{"attendees":[{"email":"c@example.org"}]}`, "attendees", `[map[email:c@example.org responseStatus:needsAction]]`},
		{"an array is cleared", `{"attendees":[]}`, "attendees", `<nil>`},
		{"a time keeps its zone", `{"start":{"dateTime":"2026-01-15T05:30:00Z"}}`, "start", `map[dateTime:2026-01-15T14:30:00+09:00 timeZone:Asia/Tokyo]`},
		{
			"timed to all day", `{"start":{"date":"2026-01-15","dateTime":null,"timeZone":null},"end":{"date":"2026-01-16","dateTime":null,"timeZone":null}}`,
			"start", `map[date:2026-01-15]`,
		},
		{"what the server writes", `{"htmlLink":"x","creator":{"email":"x"},"etag":"x","created":"2020-01-01T00:00:00Z"}`, "created", `2026-01-10T09:00:00.000Z`},
		{"the id", `{"id":"other"}`, "id", `abcde`},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := open(t, Options{})
			a.insert(timed("a", "14:00", "15:00",
				`,"id":"abcde","location":"3F","description":"d","attendees":[{"email":"a@example.org"},{"email":"b@example.org"}],"extendedProperties":{"private":{"one":"1"}}`))
			a.clock.add(time.Minute)
			got := a.must("PATCH calendars/primary/events/abcde", test.patch)
			if text := sprint(got.body[test.field]); text != test.want {
				t.Errorf("patch(%s).%s = %s, want %s", test.patch, test.field, text, test.want)
			}
			if got.string("updated") != "2026-01-10T09:01:00.000Z" {
				t.Errorf("patch(%s).updated = %s, want the time of the patch", test.patch, got.string("updated"))
			}
		})
	}
	a := open(t, Options{})
	id := a.insert(timed("a", "14:00", "15:00"))
	if got, want := a.refused("PATCH calendars/primary/events/"+id, `{"start":{"date":"2026-01-15"},"end":{"date":"2026-01-16"}}`), "400 invalid: Invalid start time."; got != want {
		t.Errorf("patch to all day without nulls = %s, want %s", got, want)
	}
	moved := a.must("PATCH calendars/primary/events/"+id, `{"end":{"dateTime":"2026-01-15T16:00:00+09:00"}}`)
	if sprint(moved.body["sequence"]) != "1" {
		t.Errorf("patch(end).sequence = %v, want 1", moved.body["sequence"])
	}
	if got, want := a.refused("PATCH calendars/primary/events/"+id, `{"sequence":0}`), "400 invalid: Invalid sequence value."; !strings.HasPrefix(got, want) {
		t.Errorf("patch(sequence 0) = %s, want %s", got, want)
	}
}

func TestUpdateDropsWhatIsNotSent(t *testing.T) {
	a := open(t, Options{})
	id := a.insert(timed("a", "14:00", "15:00", `,"location":"3F","attendees":[{"email":"b@example.org"}],"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`))
	got := a.must("PUT calendars/primary/events/"+id, timed("b", "16:00", "17:00"))
	for _, name := range []string{"location", "attendees", "recurrence"} {
		if got.body[name] != nil {
			t.Errorf("update.%s = %v, want none", name, got.body[name])
		}
	}
	if got.string("id") != id || got.string("summary") != "b" || got.string("created") == "" || got.body["creator"] == nil {
		t.Errorf("update = %s, want the event with what the server wrote", got.text)
	}
	again := a.must("PUT calendars/primary/events/"+id, timed("c", "16:00", "17:00"))
	if sprint(got.body["sequence"]) != "1" || sprint(again.body["sequence"]) != "1" {
		t.Errorf("update.sequence = %v, and again with the same times %v, want 1 and 1", got.body["sequence"], again.body["sequence"])
	}
	if text := a.refused("PUT calendars/primary/events/"+id, `{"summary":"c"}`); text != "400 required: Missing start time." {
		t.Errorf("update without times = %s, want 400 required", text)
	}
}

func TestETags(t *testing.T) {
	a := open(t, Options{})
	made := a.must("POST calendars/primary/events", timed("a", "14:00", "15:00"))
	event := "calendars/primary/events/" + made.string("id")
	old := made.string("etag")
	if old == "" || made.header.Get("ETag") != old {
		t.Fatalf("insert: etag %q, header %q, want the same", old, made.header.Get("ETag"))
	}
	if got := a.do("GET "+event, "", "If-None-Match", old); got.status != http.StatusNotModified {
		t.Errorf("get with If-None-Match = %d, want 304", got.status)
	}
	list := a.must("GET calendars/primary/events", "").string("etag")
	if got := a.do("GET calendars/primary/events", "", "If-None-Match", list); got.status != http.StatusNotModified {
		t.Errorf("list with If-None-Match = %d, want 304", got.status)
	}
	fresh := a.must("PATCH "+event, `{"summary":"b"}`, "If-Match", old).string("etag")
	if fresh == old {
		t.Errorf("the etag after a patch is the one before, %s", old)
	}
	for _, request := range []string{"PATCH " + event, "PUT " + event, "DELETE " + event} {
		if got, want := a.refused(request, `{"summary":"c"}`, "If-Match", old), "412 conditionNotMet: Precondition Failed"; got != want {
			t.Errorf("%s with an old etag = %s, want %s", request, got, want)
		}
	}
	if got := a.must("GET calendars/primary/events", "", "If-None-Match", list); got.status != http.StatusOK {
		t.Errorf("list with an old etag = %d, want 200", got.status)
	}
	a.must("PATCH "+event, `{"summary":"c"}`, "If-Match", "*")
	a.must("DELETE "+event, "", "If-Match", a.must("GET "+event, "").string("etag"))
	if got := len(a.e.Effects()); got != 4 {
		t.Errorf("Effects() has %d, want 4: %v", got, a.e.Effects())
	}
}

func TestMove(t *testing.T) {
	a := open(t, Options{})
	a.e.AddCalendar(Calendar{ID: "team@example.com", Summary: "Team"})
	id := a.insert(timed("a", "14:00", "15:00"))
	got := a.must("POST calendars/primary/events/"+id+"/move?destination=team@example.com", "")
	if got.string("id") != id || sprint(got.body["organizer"]) != "map[email:team@example.com self:true]" {
		t.Errorf("move = %s, want the event with the other organizer", got.text)
	}
	if got := a.ids(""); len(got) != 0 {
		t.Errorf("list of where it was = %v, want nothing", got)
	}
	if got := a.must("GET calendars/team@example.com/events", "").items(); len(got) != 1 {
		t.Errorf("list of where it went = %v, want it", got)
	}
}

func TestWhoIsMailed(t *testing.T) {
	a := open(t, Options{})
	a.e.AddCalendar(Calendar{ID: "inside@example.com"})
	guests := `,"attendees":[{"email":"owner@example.com"},{"email":"inside@example.com"},{"email":"out@example.org"}]`
	a.insert(timed("a", "14:00", "15:00", guests, `,"id":"quie1"`))
	a.must("POST calendars/primary/events?sendUpdates=all", timed("a", "14:00", "15:00", guests, `,"id":"louda"`))
	a.must("PATCH calendars/primary/events/louda?sendUpdates=externalOnly", `{"attendees":[{"email":"inside@example.com"},{"email":"fresh@example.org"}]}`)
	a.must("DELETE calendars/primary/events/louda?sendNotifications=true", "")
	want := []Mail{
		{Method: "events.insert", CalendarID: "owner@example.com", EventID: "louda", SendUpdates: "all", To: []string{"inside@example.com", "out@example.org"}},
		{Method: "events.patch", CalendarID: "owner@example.com", EventID: "louda", SendUpdates: "externalOnly", To: []string{"out@example.org", "fresh@example.org"}},
		{Method: "events.delete", CalendarID: "owner@example.com", EventID: "louda", SendUpdates: "all", To: []string{"inside@example.com", "fresh@example.org"}},
	}
	if diff := cmp.Diff(want, a.e.Mails()); diff != "" {
		t.Errorf("Mails() (-want +got):\n%s", diff)
	}
}

func TestPutAndDeleteOfTests(t *testing.T) {
	a := open(t, Options{})
	put := func(summary string) error {
		_, err := a.e.Put("primary", Event{ID: "abcde", Summary: summary, Start: &Time{Date: "2026-01-15"}, End: &Time{Date: "2026-01-16"}})
		return err
	}
	if err := put("a"); err != nil {
		t.Fatal(err)
	}
	_, token := a.list("")
	if err := put("b"); err != nil {
		t.Fatal(err)
	}
	if lines, _ := a.list("syncToken=" + token); !slices.Equal(lines, []string{"abcde 2026-01-15"}) {
		t.Errorf("list since the first Put = %v, want the event", lines)
	}
	if err := a.e.Delete("primary", "abcde"); err != nil {
		t.Fatal(err)
	}
	if err := a.e.Delete("primary", "abcde"); err == nil {
		t.Error("Delete again = nil, want an error")
	}
	if got := a.e.Events("primary"); len(got) != 1 || got[0].Status != "cancelled" || got[0].Summary != "b" {
		t.Errorf("Events(primary) = %+v, want the second, cancelled", got)
	}
	if got := a.e.Effects(); len(got) != 0 {
		t.Errorf("Effects() = %v, want none: no request did it", got)
	}
}
