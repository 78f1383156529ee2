package main

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/internal/config"
	"annai/internal/secret"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/google/emulator"
	"annai/tools/calendar/google/oauth"
)

// at is when these tests are.
var at = time.Date(2026, 11, 19, 1, 0, 0, 0, time.UTC)

// assembled is what the settings make for an owner.
func assembled(t *testing.T, c config.Config) *assembly {
	t.Helper()
	c.Now, c.Deadline, c.SourceDeadline, c.SessionIdle = at, time.Minute, time.Minute, time.Minute
	a, err := assemble(t.Context(), c, wants{owner: true, forgetful: true}, discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func offered(a *assembly) []string {
	var names []string
	for _, d := range a.tools.Offered(tools.Caller{Role: tools.Owner}) {
		names = append(names, d.Name)
	}
	return names
}

// Where the venue has no calendar that can be written there is one of annai's own, which survives a restart and which no visitor sees.
func TestOwnCalendar(t *testing.T) {
	data, venue := t.TempDir(), smallVenue(t)
	a := assembled(t, config.Config{Venue: venue, Data: data})
	start := at.Add(time.Hour)
	if _, err := a.agenda.Create(t.Context(), calendar.Event{Title: "Dentist", Start: start}); err != nil {
		t.Fatal(err)
	}
	if names := offered(a); !slices.Contains(names, "create_event") {
		t.Errorf("tools offered to the owner = %v, want create_event among them", names)
	}
	again := assembled(t, config.Config{Venue: venue, Data: data})
	window := civil.TimeRange{Start: start, End: start.Add(time.Hour)}
	own, err := again.agenda.List(t.Context(), window)
	if err != nil || len(own.Events) != 1 || own.Events[0].Title != "Dentist" {
		t.Errorf("the owner's events after a restart = %+v, %v, want Dentist", own.Events, err)
	}
	seen, err := again.calendar.Events(t.Context(), window)
	if err != nil || slices.ContainsFunc(seen.Events, func(e calendar.Event) bool { return e.Title == "Dentist" }) {
		t.Errorf("visitors see %+v, %v, want nothing of the owner's", seen.Events, err)
	}
}

// What Google was not asked for is switched off, and said.
func TestReadOnlyGrant(t *testing.T) {
	e := emulator.New(emulator.Options{Now: func() time.Time { return at }})
	server := httptest.NewServer(e)
	defer server.Close()
	id, key := e.Client()
	google := config.Google{ClientID: id, ClientSecret: secret.Text(key), TokenStore: "file", CalendarID: "primary"}
	google.AuthURL, google.TokenURL, google.APIURL = server.URL+"/auth", server.URL+"/token", server.URL+"/calendar/v3/"
	data := t.TempDir()
	store, err := oauth.NewFileStore(data, oauth.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token := oauth.Token{RefreshToken: secret.Text(e.RefreshToken(oauth.ReadScopes()...)), Scopes: oauth.ReadScopes(), ClientID: id}
	if _, err := store.Save(context.WithoutCancel(t.Context()), oauth.DefaultAccount, token, ""); err != nil {
		t.Fatal(err)
	}
	a := assembled(t, config.Config{Venue: smallVenue(t), Data: data, Google: google})
	names := offered(a)
	if !slices.Contains(names, "list_events") || slices.Contains(names, "create_event") {
		t.Errorf("tools offered with the right to read = %v, want list_events and not create_event", names)
	}
	if absent := a.tools.Unoffered(); len(absent) == 0 || !strings.Contains(absent[0].Why, "did not grant") {
		t.Errorf("Unoffered = %+v, want why", absent)
	}
	window := civil.TimeRange{Start: at, End: at.Add(time.Hour)}
	if listing, err := a.agenda.List(t.Context(), window); err != nil || !listing.Complete {
		t.Errorf("List = %+v, %v, want it complete", listing, err)
	}
}

// Either of the plugin's settings takes its two tools away, and no others.
func TestPluginIsOff(t *testing.T) {
	for plugin, own := range map[string]config.Own{
		"on": {Plugin: true, PluginTools: true}, "plugin off": {PluginTools: true}, "tools off": {Plugin: true},
	} {
		names := offered(assembled(t, config.Config{Venue: smallVenue(t), Own: own}))
		for _, name := range []string{"create_calendar_event", "list_calendar_events"} {
			if slices.Contains(names, name) != (plugin == "on") {
				t.Errorf("%s: tools offered to the owner = %v, want %s if it is on", plugin, names, name)
			}
		}
		if !slices.Contains(names, "calendar_write") {
			t.Errorf("%s: tools offered to the owner = %v, want calendar_write", plugin, names)
		}
	}
}

// annai doctor says of the owner's tools where they write, and what more there could be.
func TestDoctorOnTheOwnersTools(t *testing.T) {
	t.Setenv("ANNAI_OWNER_KEY", calendarKey)
	_, out, _ := command(t, "", "doctor", "--venue", smallVenue(t))
	contains(t, "annai doctor", out,
		"write to own (local), in memory, until annai stops (data is not set). With google-client-id or caldav-url",
		"tasks_delete: local: 0 on the list, in memory, until annai stops (data is not set). With tasks=google",
	)
	args := []string{"doctor", "--venue", smallVenue(t), "--data", t.TempDir()}
	_, out, _ = command(t, "", append(args, "--caldav-url", "http://127.0.0.1:1/", "--tasks", "caldav")...)
	contains(t, "annai doctor", out,
		"FAIL  calendar   own (caldav, private)", "write to own (caldav)\n", "FAIL  tasks      tasks_write",
	)
}
