package emulator

import (
	"slices"
	"strings"
	"testing"

	"annai/tools/calendar/google/discovery"

	"github.com/google/go-cmp/cmp"
)

// TestTableIsGoogles compares the table of methods with the discovery document.
func TestTableIsGoogles(t *testing.T) {
	d, err := discovery.Calendar()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := []string{"calendar.app.created", "calendar.events.public.readonly"} // about calendars that the account cannot have
	for _, m := range methods() {
		documented, ok := d.Method("calendar." + m.id)
		if !ok {
			t.Errorf("%s is not in the document", m.id)
			continue
		}
		if want := documented.HTTPMethod + " " + documented.Path; m.pattern != want {
			t.Errorf("%s is %s, and in the document %s", m.id, m.pattern, want)
		}
		var want []string
		for _, scope := range documented.Scopes {
			if name := strings.TrimPrefix(scope, scopePrefix); !slices.Contains(elsewhere, name) {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(slices.Values(m.scopes))); diff != "" {
			t.Errorf("scopes of %s (-document +table):\n%s", m.id, diff)
		}
	}
}

func TestScopes(t *testing.T) {
	a := open(t, Options{})
	a.e.AddCalendar(Calendar{ID: "team@example.com", AccessRole: "writer"})
	id := a.insert(timed("secret", "10:00", "11:00"))
	if _, err := a.e.Put("team@example.com", Event{ID: "teams", Summary: "secret", Start: &Time{Date: "2026-01-15"}, End: &Time{Date: "2026-01-16"}}); err != nil {
		t.Fatal(err)
	}
	const denied = "403 insufficientPermissions: Request had insufficient authentication scopes."
	query := `{"timeMin":"2026-01-15T00:00:00Z","timeMax":"2026-01-16T00:00:00Z","items":[{"id":"primary"}]}`
	for _, test := range []struct{ scope, request, body, want string }{
		{"calendar.events.readonly", "GET calendars/primary/events", "", ""},
		{"calendar.events.readonly", "POST calendars/primary/events", timed("a", "10:00", "11:00"), denied},
		{"calendar.events.readonly", "POST freeBusy", query, denied},
		{"calendar.events.freebusy", "POST freeBusy", query, ""},
		{"calendar.freebusy", "GET calendars/primary/events", "", denied},
		{"calendar.events", "GET users/me/calendarList", "", denied},
		{"calendar.events", "DELETE calendars/primary/events/" + id, "", ""},
		{"calendar.calendarlist.readonly", "GET users/me/calendarList", "", ""},
		{"calendar.readonly", "PATCH calendars/primary/events/" + id, `{"summary":"b"}`, denied},
		{"calendar.events.owned", "POST calendars/primary/events", timed("a", "10:00", "11:00"), ""},
		{"calendar.events.owned", "GET calendars/team@example.com/events", "", denied},
		{"calendar.events.owned", "PATCH calendars/team@example.com/events/teams", `{"summary":"b"}`, denied},
	} {
		b := a.with(a.e.AccessToken(scopePrefix + test.scope))
		if test.want == "" {
			b.must(test.request, test.body)
		} else if got := b.refused(test.request, test.body); got != test.want {
			t.Errorf("%s with %s = %s, want %s", test.request, test.scope, got, test.want)
		}
	}
	busy := a.with(a.e.AccessToken(scopePrefix + "calendar.events.freebusy"))
	for _, item := range busy.must("GET calendars/team@example.com/events", "").items() {
		if item["summary"] != nil || item["start"] == nil {
			t.Errorf("with calendar.events.freebusy an event is %v, want when it is and no more", item)
		}
	}
	response := a.with(a.e.AccessToken(scopePrefix+"calendar.freebusy")).do("GET calendars/primary/events", "")
	if got := response.header.Get("WWW-Authenticate"); !strings.Contains(got, "insufficient_scope") {
		t.Errorf("WWW-Authenticate = %q, want insufficient_scope", got)
	}
}

func TestCredentials(t *testing.T) {
	a := open(t, Options{OAuth: OAuth{AccessLife: 3600e9}})
	const denied = "401 authError: Invalid Credentials"
	if got := a.with("nosuch").refused("GET calendars/primary/events", ""); got != denied {
		t.Errorf("with an unknown token = %s, want %s", got, denied)
	}
	if got := a.refused("GET calendars/primary/events", "", "Authorization", "Basic x"); got != "401 required: Login Required." {
		t.Errorf("without a token = %s, want 401", got)
	}
	a.must("GET calendars/primary/events", "")
	a.clock.add(3600e9)
	if got := a.refused("GET calendars/primary/events", ""); got != denied {
		t.Errorf("with a token that expired = %s, want %s", got, denied)
	}
	fresh := a.with(a.e.AccessToken())
	fresh.must("GET calendars/primary/events", "")
	a.e.ExpireAccessTokens()
	if got := fresh.refused("GET calendars/primary/events", ""); got != denied {
		t.Errorf("after ExpireAccessTokens = %s, want %s", got, denied)
	}
}

func TestNotOffered(t *testing.T) {
	a := open(t, Options{})
	if got := a.refused("POST calendars/primary/events/quickAdd?text=lunch", ""); !strings.HasPrefix(got, "501 notImplemented") {
		t.Errorf("quickAdd = %s, want 501", got)
	}
}
