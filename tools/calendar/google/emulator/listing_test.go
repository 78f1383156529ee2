package emulator

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWindow(t *testing.T) {
	a := open(t, Options{})
	a.insert(timed("a", "10:00", "11:00", `,"id":"first"`))
	a.insert(timed("b", "12:00", "13:00", `,"id":"later"`))
	a.insert(`{"id":"alldi","start":{"date":"2026-01-15"},"end":{"date":"2026-01-16"}}`)
	const day = "2026-01-15T"
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"", []string{"first", "later", "alldi"}},
		{"timeMin=" + day + "11:00:00%2B09:00", []string{"later", "alldi"}}, // what ends then is over
		{"timeMin=" + day + "10:59:59%2B09:00", []string{"first", "later", "alldi"}},
		{"timeMax=" + day + "12:00:00%2B09:00", []string{"first", "alldi"}}, // what starts then is too late
		{"timeMax=" + day + "12:00:01%2B09:00", []string{"first", "later", "alldi"}},
		{"timeMin=" + day + "15:00:00Z", []string{}}, // the day ends at midnight in Tokyo
		{"timeMin=" + day + "14:59:59Z", []string{"alldi"}},
		{"timeMin=" + day + "02:00:00Z&timeMax=" + day + "12:00:00%2B09:00", []string{"alldi"}},
	} {
		if got := a.ids(test.query); !slices.Equal(got, test.want) {
			t.Errorf("list(%s) = %v, want %v", test.query, got, test.want)
		}
	}
}

func TestListRefuses(t *testing.T) {
	a := open(t, Options{})
	for query, want := range map[string]string{
		"timeMin=2026-01-15":                                        "400 badRequest: Bad Request",
		"timeMin=2026-01-15T10:00:00":                               "400 badRequest: Bad Request",
		"timeMax=2026-01-15T10:00:00 ":                              "400 badRequest: Bad Request",
		"timeMin=2026-01-15T10:00:00Z&timeMax=2026-01-15T10:00:00Z": "400 timeRangeEmpty: The specified time range is empty.",
		"orderBy=startTime":                                         "400 requestedOrderingUnavailable: The requested ordering is not available for the particular query.",
		"orderBy=summary":                                           "400 invalidParameter: Invalid value 'summary' for orderBy.",
		"singleEvents=yes":                                          "400 invalidParameter: Invalid value 'yes' for singleEvents.",
		"maxResults=0":                                              "400 invalidParameter: Invalid value '0' for maxResults.",
		"maxResults=many":                                           "400 invalidParameter: Invalid value 'many' for maxResults.",
		"maxAttendees=0":                                            "400 invalidParameter: Invalid value '0' for maxAttendees.",
		"timeZone=Mars/Base":                                        "400 invalidParameter: Invalid value 'Mars/Base' for timeZone.",
		"pageToken=nosuch":                                          "400 invalidParameter: Invalid value 'nosuch' for pageToken.",
		"syncToken=nosuch":                                          "400 invalid: Invalid sync token value.",
		"updatedMin=2025-01-01T00:00:00Z":                           "410 updatedMinTooLongAgo: The requested minimum modification time lies too far in the past.",
	} {
		if got := a.refused("GET calendars/primary/events?"+strings.ReplaceAll(query, " ", "%20"), ""); got != want {
			t.Errorf("list(%s) = %s, want %s", query, got, want)
		}
	}
}

func TestFilters(t *testing.T) {
	a := open(t, Options{})
	a.insert(timed("Team lunch", "12:00", "13:00", `,"id":"lunch","attendees":[{"email":"cook@example.org","displayName":"Chef"}]`))
	a.clock.add(time.Hour)
	a.insert(timed("会議", "10:00", "11:00", `,"id":"talks","location":"Room A","extendedProperties":{"private":{"k":"v"},"shared":{"s":"t"}}`))
	a.clock.add(time.Hour)
	a.insert(timed("gone", "10:00", "11:00", `,"id":"gone0"`))
	a.must("DELETE calendars/primary/events/gone0", "")
	for query, want := range map[string][]string{
		"q=LUNCH":                    {"lunch"},
		"q=lunch+chef":               {"lunch"},
		"q=lunch+room":               {},
		"q=" + url.QueryEscape("会議"): {"talks"},
		"q=room":                     {"talks"},
		"iCalUID=talks@google.com":   {"talks"},
		"privateExtendedProperty=k%3Dv&sharedExtendedProperty=s%3Dt": {"talks"},
		"privateExtendedProperty=k%3Dw":                              {},
		"updatedMin=2026-01-10T09:30:00Z":                            {"talks", "gone0"}, // with what was deleted since
		"singleEvents=true&orderBy=startTime":                        {"talks", "lunch"},
		"orderBy=updated":                                            {"lunch", "talks"},
		"showDeleted=true":                                           {"lunch", "talks", "gone0"},
		"eventTypes=outOfOffice":                                     {},
		"eventTypes=default&eventTypes=birthday":                     {"lunch", "talks"},
	} {
		if got := a.ids(query); !slices.Equal(got, want) {
			t.Errorf("list(%s) = %v, want %v", query, got, want)
		}
	}
	for _, item := range a.must("GET calendars/primary/events?showDeleted=true", "").items() {
		if item["status"] == "cancelled" && (item["start"] != nil || item["summary"] != nil) {
			t.Errorf("list shows more of a deleted event than its id: %v", item)
		}
	}
	few := a.must("GET calendars/primary/events?maxAttendees=1&fields=items(id,attendees/email,start/dateTime),summary", "")
	want := map[string]any{"summary": "owner@example.com", "items": []any{
		map[string]any{"id": "lunch", "attendees": []any{map[string]any{"email": "cook@example.org"}}, "start": map[string]any{"dateTime": "2026-01-15T12:00:00+09:00"}},
		map[string]any{"id": "talks", "start": map[string]any{"dateTime": "2026-01-15T10:00:00+09:00"}},
	}}
	if diff := cmp.Diff(want, few.body); diff != "" {
		t.Errorf("list with fields (-want +got):\n%s", diff)
	}
}

func TestPaging(t *testing.T) {
	for _, short := range []bool{false, true} {
		a := open(t, Options{ShortPages: short})
		var want []string
		for i := range 7 {
			want = append(want, a.insert(timed(fmt.Sprint(i), "10:00", "11:00")))
		}
		if got := a.ids("maxResults=3"); !slices.Equal(got, want) {
			t.Errorf("list by 3, short pages %v = %v, want %v", short, got, want)
		}
		first := a.must("GET calendars/primary/events?maxResults=3", "")
		if got, most := len(first.items()), 3; got > most || got == most == short {
			t.Errorf("list by 3, short pages %v: the first page has %d", short, got)
		}
		// What happens between two pages is not in them, but in the next sync.
		a.insert(timed("new", "10:00", "11:00"))
		page := "&pageToken=" + first.string("nextPageToken")
		got := a.must("GET calendars/primary/events?maxResults=100"+page, "")
		if token := got.string("nextSyncToken"); !short {
			if changed := a.ids("syncToken=" + token); len(changed) != 1 {
				t.Errorf("sync with the token of the last page = %v, want what was made after the first", changed)
			}
		}
		again := a.must("GET calendars/primary/events?maxResults=100"+page, "")
		if diff := cmp.Diff(got.items(), again.items()); diff != "" {
			t.Errorf("the same page twice (-first +second):\n%s", diff)
		}
		if refused, want := a.refused("GET calendars/primary/events?q=x"+page, ""), "400 invalidParameter"; !strings.HasPrefix(refused, want) {
			t.Errorf("a page token with another query = %s, want %s", refused, want)
		}
	}
	a := open(t, Options{})
	for i := range 251 {
		if _, err := a.e.Put("primary", Event{ID: fmt.Sprintf("event%d", i), Start: &Time{Date: "2026-01-15"}, End: &Time{Date: "2026-01-16"}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(a.must("GET calendars/primary/events", "").items()); got != 250 {
		t.Errorf("a page by default has %d, want 250", got)
	}
}

func TestEmptyPages(t *testing.T) {
	a := open(t, Options{ShortPages: true})
	want := a.insert(timed("a", "10:00", "11:00"))
	first := a.must("GET calendars/primary/events?maxResults=1", "")
	if len(first.items()) != 1 || first.string("nextPageToken") == "" {
		t.Fatalf("first page = %s, want the event and a page token", first.text)
	}
	second := a.must("GET calendars/primary/events?maxResults=1&pageToken="+first.string("nextPageToken"), "")
	if len(second.items()) != 0 || second.string("nextSyncToken") == "" {
		t.Errorf("second page = %s, want nothing and the sync token", second.text)
	}
	a.insert(timed("b", "10:00", "11:00"))
	if got := a.ids("maxResults=1"); len(got) != 2 || got[0] != want {
		t.Errorf("list = %v, want two", got)
	}
}

func TestSync(t *testing.T) {
	a := open(t, Options{})
	a.insert(timed("a", "10:00", "11:00", `,"id":"aaaaa"`))
	a.insert(timed("b", "10:00", "11:00", `,"id":"bbbbb"`))
	_, token := a.list("timeMin=2026-01-01T00:00:00Z")
	sync := func(want ...string) {
		t.Helper()
		var lines []string
		lines, token = a.list("syncToken=" + token)
		if !slices.Equal(lines, want) {
			t.Errorf("sync = %q, want %q", lines, want)
		}
	}
	sync()
	a.must("PATCH calendars/primary/events/aaaaa", `{"summary":"A"}`)
	a.must("DELETE calendars/primary/events/bbbbb", "")
	a.insert(`{"id":"longago","start":{"date":"2001-01-15"},"end":{"date":"2001-01-16"}}`) // the token does not remember the window
	sync("aaaaa 2026-01-15T10:00:00+09:00", "bbbbb cancelled", "longago 2001-01-15")
	sync()
	for query, want := range map[string]string{
		"timeMin=2026-01-01T00:00:00Z": "400 invalid: Sync token cannot be used with other request restrictions.",
		"q=x":                          "400 invalid: Sync token cannot be used with other request restrictions.",
		"orderBy=updated":              "400 invalid: Sync token cannot be used with other request restrictions.",
		"iCalUID=x":                    "400 invalid: Sync token cannot be used with other request restrictions.",
		"showDeleted=false":            "400 invalid: Sync token cannot be used with other request restrictions.",
	} {
		if got := a.refused("GET calendars/primary/events?syncToken="+token+"&"+query, ""); got != want {
			t.Errorf("sync with %s = %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"q=x", "orderBy=updated", "updatedMin=2026-01-10T00:00:00Z"} {
		if _, token := a.list(query); token != "" {
			t.Errorf("list(%s) has a sync token", query)
		}
	}
	const gone = "410 fullSyncRequired: Sync token is no longer valid, a full sync is required."
	a.e.ForgetSyncTokens()
	if got := a.refused("GET calendars/primary/events?syncToken="+token, ""); got != gone {
		t.Errorf("sync after ForgetSyncTokens = %s, want %s", got, gone)
	}
	_, token = a.list("")
	sync()
	a.clock.add(8 * 24 * time.Hour)
	if got := a.refused("GET calendars/primary/events?syncToken="+token, ""); got != gone {
		t.Errorf("sync after eight days = %s, want %s", got, gone)
	}
	a.e.AddCalendar(Calendar{ID: "other@example.com"})
	_, token = a.list("")
	if got := a.refused("GET calendars/other@example.com/events?syncToken="+token, ""); got != "400 invalid: Invalid sync token value." {
		t.Errorf("sync with the token of another calendar = %s, want 400", got)
	}
}

func TestCalendarList(t *testing.T) {
	a := open(t, Options{})
	a.e.AddCalendar(Calendar{ID: "team@example.com", Summary: "Team", TimeZone: "Europe/Paris", AccessRole: "reader"})
	a.e.AddCalendar(Calendar{ID: "boss@example.com", AccessRole: "freeBusyReader"})
	lines := func(query string) (lines []string, token string) {
		got := a.must("GET users/me/calendarList?"+query, "")
		for _, item := range got.items() {
			lines = append(lines, fmt.Sprintf("%v %v %v %v", item["id"], item["accessRole"], item["timeZone"], item["primary"]))
		}
		return lines, got.string("nextSyncToken")
	}
	want := []string{"owner@example.com owner Asia/Tokyo true", "team@example.com reader Europe/Paris <nil>", "boss@example.com freeBusyReader Asia/Tokyo <nil>"}
	got, token := lines("")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calendarList (-want +got):\n%s", diff)
	}
	if got, _ := lines("minAccessRole=reader"); !slices.Equal(got, want[:2]) {
		t.Errorf("calendarList(minAccessRole=reader) = %v, want %v", got, want[:2])
	}
	a.e.AddCalendar(Calendar{ID: "team@example.com", Summary: "Team", TimeZone: "Europe/Paris", AccessRole: "writer"})
	if got, _ := lines("syncToken=" + token); len(got) != 1 || !strings.HasPrefix(got[0], "team@example.com writer") {
		t.Errorf("calendarList since then = %v, want the one that changed", got)
	}
	for request, field := range map[string]string{
		"GET users/me/calendarList/primary":     "owner",
		"GET calendars/team@example.com":        "Team",
		"GET users/me/settings/timezone":        "Asia/Tokyo",
		"GET colors":                            "calendar#colors",
		"GET calendars/boss%40example.com":      "boss@example.com",
		"GET users/me/calendarList?fields=etag": "etag",
	} {
		if got := a.must(request, ""); !strings.Contains(got.text, field) {
			t.Errorf("%s = %s, want %s in it", request, got.text, field)
		}
	}
	a.e.RemoveCalendar("team@example.com")
	if got := a.refused("GET calendars/team@example.com", ""); got != "404 notFound: Not Found" {
		t.Errorf("get of a calendar that was removed = %s, want 404", got)
	}
}

func TestAccessRoles(t *testing.T) {
	a := open(t, Options{})
	for _, role := range []string{"writer", "reader", "freeBusyReader"} {
		id := role + "@example.com"
		a.e.AddCalendar(Calendar{ID: id, AccessRole: role})
		for _, visibility := range []string{"default", "private"} {
			if _, err := a.e.Put(id, Event{ID: visibility, Summary: "secret", Visibility: visibility, Start: &Time{Date: "2026-01-15"}, End: &Time{Date: "2026-01-16"}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, want := range map[string]string{"writer@example.com": "secret secret", "reader@example.com": "secret <nil>", "freeBusyReader@example.com": "<nil> <nil>"} {
		items := a.must("GET calendars/"+id+"/events", "").items()
		if got := fmt.Sprint(items[0]["summary"], " ", items[1]["summary"]); got != want {
			t.Errorf("titles in %s = %s, want %s", id, got, want)
		}
		if items[0]["start"] == nil {
			t.Errorf("%s shows no start: %v", id, items[0])
		}
	}
	const want = "403 requiredAccessLevel: You need to have writer access to this calendar."
	for _, request := range []string{"POST calendars/reader@example.com/events", "PATCH calendars/reader@example.com/events/private", "DELETE calendars/freeBusyReader@example.com/events/private"} {
		if got := a.refused(request, timed("a", "10:00", "11:00")); got != want {
			t.Errorf("%s = %s, want %s", request, got, want)
		}
	}
	a.must("POST calendars/writer@example.com/events", timed("a", "10:00", "11:00"))
}
