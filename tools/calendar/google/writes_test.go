package google_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/emulator"
)

// A creation whose answer is lost, or is an error that may hide that it was done, is looked for before anything is said.
func TestAmbiguousCreate(t *testing.T) {
	lost, broken := answer{err: io.EOF}, refuse(503, "backendError")
	found, missing, taken := say(200, lunch), refuse(404, "notFound"), refuse(409, "duplicate")
	other := say(200, strings.ReplaceAll(lunch, "Lunch", "Dinner"))
	for name, test := range map[string]struct {
		answers  []answer
		kind     calendar.Kind // empty: it is there
		requests string
	}{
		"lost after the effect":        {[]answer{lost, found}, "", "POST GET"},
		"lost before the effect":       {[]answer{lost, missing, found}, "", "POST GET POST"},
		"5xx after the effect":         {[]answer{broken, found}, "", "POST GET"},
		"5xx before the effect":        {[]answer{broken, missing, found}, "", "POST GET POST"},
		"half an answer":               {[]answer{say(200, lunch[:40]), found}, "", "POST GET"},
		"an answer that is no event":   {[]answer{say(200, "{}")}, calendar.Ambiguous, "POST"},
		"taken by us":                  {[]answer{taken, found}, "", "POST GET"},
		"taken by another":             {[]answer{taken, other}, calendar.Exists, "POST GET"},
		"taken and deleted":            {[]answer{taken, say(200, goneLunch)}, calendar.Gone, "POST GET"},
		"taken and gone":               {[]answer{taken, refuse(410, "deleted")}, calendar.Gone, "POST GET"},
		"taken and not to be seen":     {[]answer{taken, missing}, calendar.Ambiguous, "POST GET"},
		"taken and not to be read":     {[]answer{taken, broken}, calendar.Ambiguous, "POST GET GET GET GET"},
		"lost, and another is there":   {[]answer{lost, other}, calendar.Exists, "POST GET"},
		"lost, deleted meanwhile":      {[]answer{lost, say(200, goneLunch)}, calendar.Gone, "POST GET"},
		"lost, not there, then 403":    {[]answer{lost, missing, refuse(403, "quotaExceeded"), missing}, calendar.Quota, "POST GET POST GET"},
		"lost, not there, then limits": {[]answer{lost, missing, refuse(429, ""), missing, found}, "", "POST GET POST GET POST"},
		"refused":                      {[]answer{refuse(403, "requiredAccessLevel"), missing}, calendar.Forbidden, "POST GET"},
		"refused, and there":           {[]answer{refuse(403, "quotaExceeded"), found}, "", "POST GET"},
		"limits":                       {[]answer{refuse(429, ""), found}, "", "POST POST"},
	} {
		s, c := scripted(t, test.answers...)
		got, err := c.Create(t.Context(), aLunch(t))
		switch {
		case test.kind == "" && (err != nil || got.ID != "lunch" || got.ETag == ""):
			t.Errorf("%s: Create = %+v, %v, want the event", name, got, err)
		case test.kind != "" && (err == nil || calendar.KindOf(err) != test.kind):
			t.Errorf("%s: Create = %v, want kind %s", name, err, test.kind)
		}
		if s.requests() != test.requests {
			t.Errorf("%s: Create sent %s, want %s", name, s.requests(), test.requests)
		}
		if strings.Contains(s.requests(), "PUT") {
			t.Errorf("%s: Create sent a PUT", name)
		}
	}
}

// Where all tries fail, the last look decides: nothing there is unavailable, nobody knows is ambiguous.
func TestCreateGivesUp(t *testing.T) {
	for name, test := range map[string]struct {
		fault emulator.Rule
		kind  calendar.Kind
		there int
	}{
		"dropped before": {emulator.Rule{Method: "events.insert", Fault: emulator.Drop}, calendar.Unavailable, 0},
		"5xx before":     {emulator.Rule{Method: "events.insert", Fault: emulator.ServerError}, calendar.Unavailable, 0},
		"dropped after":  {emulator.Rule{Method: "events.insert", Fault: emulator.Drop, After: true}, "", 1},
		"5xx after":      {emulator.Rule{Method: "events.insert", Fault: emulator.ServerError, After: true}, "", 1},
		"all dropped":    {emulator.Rule{Fault: emulator.Drop}, calendar.Ambiguous, 0},
		"all 5xx after":  {emulator.Rule{Fault: emulator.Unavailable, After: true}, calendar.Ambiguous, 1},
	} {
		w := newWorld(t, emulator.Options{})
		c := w.calendar(t)
		w.Fail(test.fault)
		_, err := c.Create(t.Context(), aLunch(t))
		if test.kind == "" && err != nil || test.kind != "" && (err == nil || calendar.KindOf(err) != test.kind) {
			t.Errorf("%s: Create = %v, want kind %q", name, err, test.kind)
		}
		if got := len(w.Emulator.Events(google.Primary)); got != test.there {
			t.Errorf("%s: %d events are there, want %d", name, got, test.there)
		}
		w.Heal()
		if _, err := c.Create(t.Context(), aLunch(t)); err != nil || len(w.Emulator.Events(google.Primary)) != 1 {
			t.Errorf("%s: Create again = %v with %d events there, want it there once", name, err, len(w.Emulator.Events(google.Primary)))
		}
	}
}

// Who stops waiting in the middle of a creation is told what came of it all the same, or that nobody knows.
func TestCreateNobodyWaitsFor(t *testing.T) {
	for name, test := range map[string]struct {
		after bool
		kind  calendar.Kind
	}{"done": {true, ""}, "perhaps done later": {false, calendar.Ambiguous}} {
		w := newWorld(t, emulator.Options{})
		c := w.calendar(t)
		ctx, cancel := context.WithCancel(t.Context())
		w.Fail(emulator.Rule{Method: "events.insert", After: test.after, Fault: emulator.Drop, Hold: func(context.Context) { cancel() }})
		_, err := c.Create(ctx, aLunch(t))
		if test.kind == "" && err != nil || test.kind != "" && calendar.KindOf(err) != test.kind {
			t.Errorf("%s: Create whose caller left = %v, want kind %q", name, err, test.kind)
		}
	}
}

// A change and a deletion whose answer is lost are sent again, and what the first try did is no failure of the second.
func TestLostAnswers(t *testing.T) {
	title := "Changed"
	for name, rule := range map[string]emulator.Rule{
		"dropped before": {Fault: emulator.Drop, Times: 2}, "dropped after": {Fault: emulator.Drop, After: true, Times: 2},
		"5xx before": {Fault: emulator.ServerError, Times: 2}, "5xx after": {Fault: emulator.ServerError, After: true, Times: 2},
		"always dropped after": {Fault: emulator.Drop, After: true}, "always 5xx after": {Fault: emulator.Unavailable, After: true},
	} {
		w := newWorld(t, emulator.Options{})
		c := w.calendar(t)
		made, err := c.Create(t.Context(), aLunch(t))
		if err != nil {
			t.Fatal(err)
		}
		rule.Method = "events.patch"
		w.Fail(rule)
		after, err := c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, made.ETag)
		if err != nil || after.Title != title {
			t.Errorf("%s: Update = %+v, %v, want it done", name, after, err)
		}
		rule.Method = "events.delete"
		w.Fail(rule)
		if err := c.Delete(t.Context(), made.ID, after.ETag); err != nil {
			t.Errorf("%s: Delete = %v, want it done", name, err)
		}
		if err := c.Delete(t.Context(), made.ID, ""); calendar.KindOf(err) != calendar.Gone {
			t.Errorf("%s: Delete again = %v, want kind gone", name, err)
		}
	}
}

func TestWritesThatCantBeSeen(t *testing.T) {
	title := "Changed"
	w := newWorld(t, emulator.Options{})
	c := w.calendar(t)
	made, err := c.Create(t.Context(), aLunch(t))
	if err != nil {
		t.Fatal(err)
	}
	w.Fail(emulator.Rule{Method: "events.patch", Fault: emulator.ServerError})
	if _, err := c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, ""); calendar.KindOf(err) != calendar.Unavailable {
		t.Errorf("Update that was not done = %v, want kind unavailable", err)
	}
	w.Fail(emulator.Rule{Method: "events.delete", Fault: emulator.ServerError})
	if err := c.Delete(t.Context(), made.ID, ""); calendar.KindOf(err) != calendar.Unavailable {
		t.Errorf("Delete that was not done = %v, want kind unavailable", err)
	}
	w.Fail(emulator.Rule{Method: "events.get", Fault: emulator.Drop, Skip: 1})
	if _, err := c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, ""); calendar.KindOf(err) != calendar.Ambiguous {
		t.Errorf("Update of which nobody knows = %v, want kind ambiguous", err)
	}
}

// Somebody else is faster: with an etag that is stale, without one it is planned anew.
func TestStale(t *testing.T) {
	w := newWorld(t, emulator.Options{})
	c, theirs := w.calendar(t), w.calendar(t)
	made, err := c.Create(t.Context(), aLunch(t))
	if err != nil {
		t.Fatal(err)
	}
	place, title := "Room B", "Changed"
	faster := func(context.Context) {
		if _, err := theirs.Update(t.Context(), made.ID, calendar.Change{Location: &place}, ""); err != nil {
			t.Error(err)
		}
		place += "B"
	}
	w.Fail(emulator.Rule{Method: "events.patch", Times: 1, Hold: faster})
	_, err = c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, made.ETag)
	if calendar.KindOf(err) != calendar.Stale {
		t.Errorf("Update under an etag while somebody else changes it = %v, want kind stale", err)
	}
	if got, err := c.Get(t.Context(), made.ID); err != nil || got.Title != "Lunch" {
		t.Errorf("Get after a stale update = %+v, %v, want nothing of it", got, err)
	}
	w.Fail(emulator.Rule{Method: "events.patch", Times: 1, Hold: faster})
	if got, err := c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, ""); err != nil || got.Title != title || got.Location != "Room BB" {
		t.Errorf("Update without etag while somebody else changes it = %+v, %v, want both changes", got, err)
	}
	w.Heal()
	w.Fail(emulator.Rule{Method: "events.patch", Fault: emulator.Stale})
	if _, err := c.Update(t.Context(), made.ID, calendar.Change{Title: &title}, ""); calendar.KindOf(err) != calendar.Stale {
		t.Errorf("Update that is always stale = %v, want kind stale in the end", err)
	}
	w.Fail(emulator.Rule{Method: "events.delete", Fault: emulator.Stale, Times: 1})
	if err := c.Delete(t.Context(), made.ID, ""); err != nil {
		t.Errorf("Delete without etag while somebody else changes it = %v, want it done", err)
	}
}

// What a patch says: only what changes, an empty text as such, and null for the form of time that is left.
func TestPatch(t *testing.T) {
	nothing, title := "", "Dinner"
	day := calendar.When{AllDay: true, FirstDay: civil.Date{Year: 2026, Month: 1, Day: 20}}
	timed := aLunch(t).When()
	timed.Start, timed.End = timed.Start.Add(time.Hour), timed.End.Add(time.Hour)
	whole := strings.NewReplacer(`"dateTime":"2026-01-15T12:00:00+09:00","timeZone":"Asia/Tokyo"`, `"date":"2026-01-15"`,
		`"dateTime":"2026-01-15T13:00:00+09:00","timeZone":"Asia/Tokyo"`, `"date":"2026-01-16"`).Replace(lunch)
	for name, test := range map[string]struct {
		there  string
		change calendar.Change
		want   string
	}{
		"a title":     {lunch, calendar.Change{Title: &title}, `{"summary":"Dinner"}`},
		"clear texts": {lunch, calendar.Change{Description: &nothing, Location: &nothing}, `{"description":"","location":""}`},
		"a time": {lunch, calendar.Change{When: &timed}, `{"start":{"dateTime":"2026-01-15T13:00:00+09:00","timeZone":"Asia/Tokyo"},` +
			`"end":{"dateTime":"2026-01-15T14:00:00+09:00","timeZone":"Asia/Tokyo"}}`},
		"to all day": {lunch, calendar.Change{When: &day}, `{"start":{"date":"2026-01-20","dateTime":null,"timeZone":null},` +
			`"end":{"date":"2026-01-21","dateTime":null,"timeZone":null},"endTimeUnspecified":true}`},
		"to a time": {whole, calendar.Change{When: &timed}, `{"start":{"date":null,"dateTime":"2026-01-15T13:00:00+09:00","timeZone":"Asia/Tokyo"},` +
			`"end":{"date":null,"dateTime":"2026-01-15T14:00:00+09:00","timeZone":"Asia/Tokyo"}}`},
	} {
		s, c := scripted(t, say(200, test.there), say(200, test.there))
		if _, err := c.Update(t.Context(), "lunch", test.change, ""); err != nil {
			t.Errorf("%s: Update = %v", name, err)
			continue
		}
		patch := s.sent[1]
		if patch.method != "PATCH" || patch.ifMatch != `"1"` || !strings.Contains(patch.url, "sendUpdates=none") {
			t.Errorf("%s: Update sent %s %s with If-Match %s, want a PATCH under the etag that tells nobody", name, patch.method, patch.url, patch.ifMatch)
		}
		if diff := cmp.Diff(object(t, test.want), object(t, patch.body)); diff != "" {
			t.Errorf("%s: patch (-want +got):\n%s", name, diff)
		}
	}
	s, c := scripted(t, say(200, lunch))
	if got, err := c.Update(t.Context(), "lunch", calendar.Change{}, ""); err != nil || got.Title != "Lunch" || s.requests() != "GET" {
		t.Errorf("Update(no change) = %+v, %v by %s, want the event and no PATCH", got, err, s.requests())
	}
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// What we do not know of survives a change: guests, reminders, the conference.
func TestUpdateKeepsTheRest(t *testing.T) {
	w := newWorld(t, emulator.Options{})
	before, err := w.Put(google.Primary, emulator.Event{
		ID: "meeting1", Summary: "Meeting", Start: &emulator.Time{Date: "2026-01-15"}, End: &emulator.Time{Date: "2026-01-16"},
		Attendees: []emulator.Attendee{{Email: "guest@example.org", ResponseStatus: "accepted"}}, ColorID: "5",
		Reminders: &emulator.Reminders{Overrides: []emulator.Reminder{{Method: "email", Minutes: 60}}}, Visibility: "private",
		Recurrence: []string{"RRULE:FREQ=WEEKLY"}, ConferenceData: json.RawMessage(`{"conferenceId":"abc-defg-hij"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	title := "Changed"
	if _, err := w.calendar(t).Update(t.Context(), "meeting1", calendar.Change{Title: &title}, ""); err != nil {
		t.Fatalf("Update = %v", err)
	}
	after := w.Emulator.Events(google.Primary)[0]
	before.Summary, before.ETag, before.Updated = after.Summary, after.ETag, after.Updated
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the event after an update of its title (-before +after):\n%s", diff)
	}
}

func TestGuests(t *testing.T) {
	for name, test := range map[string]struct {
		guests    google.Guests
		attendees []string
		kind      calendar.Kind
		mails     int
	}{
		"off":           {google.Guests{}, []string{"a@example.org"}, calendar.Forbidden, 0},
		"off, none":     {google.Guests{}, nil, "", 0},
		"another":       {google.Guests{Domains: []string{"example.org"}}, []string{"a@example.org", "b@example.net"}, calendar.Forbidden, 0},
		"below":         {google.Guests{Domains: []string{"example.org"}}, []string{"a@evil.example.org"}, calendar.Forbidden, 0},
		"no address":    {google.Guests{Domains: []string{"example.org"}}, []string{"A <a@example.org>"}, calendar.InvalidText, 0},
		"told nothing":  {google.Guests{Domains: []string{"example.org"}}, []string{"a@Example.org"}, "", 0},
		"told all":      {google.Guests{Domains: []string{"example.org"}, SendUpdates: google.SendAll}, []string{"a@example.org"}, "", 2},
		"told external": {google.Guests{Domains: []string{"example.org"}, SendUpdates: google.SendExternalOnly}, []string{"a@example.org"}, "", 2},
	} {
		w := newWorld(t, emulator.Options{})
		opts := w.options(t)
		opts.Guests = test.guests
		c := w.account(t, opts).Calendar(google.Primary)
		e := aLunch(t)
		e.Attendees = test.attendees
		_, err := c.Create(t.Context(), e)
		if test.kind == "" && err != nil || test.kind != "" && calendar.KindOf(err) != test.kind {
			t.Errorf("%s: Create = %v, want kind %q", name, err, test.kind)
		}
		if err == nil {
			err = c.Delete(t.Context(), e.ID, "")
		}
		if got := len(w.Mails()); got != test.mails {
			t.Errorf("%s: Create and Delete (%v) sent %d mails, want %d", name, err, got, test.mails)
		}
	}
}

// Google may write what it was sent a little differently; that is the same event.
func TestSameAllTheSame(t *testing.T) {
	e := aLunch(t)
	e.Title, e.Recurrence = "Lunch ", []string{"RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=TH", "EXDATE:20260122T030000Z"}
	there := strings.Replace(lunch, `"status"`, `"recurrence":["EXDATE:20260122T030000Z","RRULE:FREQ=WEEKLY;WKST=MO;BYDAY=TH"],"status"`, 1)
	_, c := scripted(t, refuse(409, "duplicate"), say(200, there))
	if _, err := c.Create(t.Context(), e); err != nil {
		t.Errorf("Create of what is there in Google's words = %v, want it", err)
	}
	_, c = scripted(t, refuse(409, "duplicate"), say(200, strings.Replace(there, "BYDAY=TH", "BYDAY=FR", 1)))
	if _, err := c.Create(t.Context(), e); calendar.KindOf(err) != calendar.Exists {
		t.Errorf("Create where another rule is there = %v, want kind exists", err)
	}
}

func TestForeignIDs(t *testing.T) {
	s, c := scripted(t, say(200, lunch))
	for _, id := range []string{"", ".", "..", "a/b", "a b", "イベント", "a?x=y", "a#b", "a%2fb", "a\x00b", strings.Repeat("a", 2000)} {
		if _, err := c.Get(t.Context(), id); calendar.KindOf(err) != calendar.NotFound {
			t.Errorf("Get(%.20q) = %v, want kind not_found", id, err)
		}
		if err := c.Delete(t.Context(), id, ""); calendar.KindOf(err) != calendar.NotFound {
			t.Errorf("Delete(%.20q) = %v, want kind not_found", id, err)
		}
	}
	if len(s.sent) != 0 {
		t.Errorf("ids that no event can have made %d requests, want none", len(s.sent))
	}
}
