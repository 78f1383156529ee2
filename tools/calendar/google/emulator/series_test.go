package emulator

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// weekly is the body of a series on Thursdays at 14:00 in Tokyo from 15 January 2026.
func weekly(rule string) string {
	return timed("thurs", "14:00", "15:00", `,"id":"thurs","location":"3F","recurrence":["`+rule+`"]`)
}

const january = "singleEvents=true&timeMin=2026-01-01T00:00:00Z&timeMax=2026-02-01T00:00:00Z&orderBy=startTime"

func TestSeries(t *testing.T) {
	a := open(t, Options{})
	a.insert(weekly("RRULE:FREQ=WEEKLY;COUNT=4"))
	if lines, _ := a.list(""); !slices.Equal(lines, []string{"thurs 2026-01-15T14:00:00+09:00"}) {
		t.Errorf("list of series = %v, want the one", lines)
	}
	lines, _ := a.list("singleEvents=true")
	want := []string{
		"thurs_20260115T050000Z 2026-01-15T14:00:00+09:00", "thurs_20260122T050000Z 2026-01-22T14:00:00+09:00",
		"thurs_20260129T050000Z 2026-01-29T14:00:00+09:00", "thurs_20260205T050000Z 2026-02-05T14:00:00+09:00",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("list of single events (-want +got):\n%s", diff)
	}
	if lines, _ := a.list(january); !slices.Equal(lines, want[:3]) {
		t.Errorf("list of January = %v, want %v", lines, want[:3])
	}
	for query, want := range map[string]int{"timeMin=2026-02-05T06:00:00Z": 0, "timeMin=2026-02-05T05:59:59Z": 1, "timeMax=2026-01-15T05:00:00Z": 0} {
		if got := a.ids(query); len(got) != want {
			t.Errorf("list of series with %s = %v, want %d", query, got, want)
		}
	}
	one := a.must("GET calendars/primary/events/thurs_20260122T050000Z", "")
	master := a.must("GET calendars/primary/events/thurs", "")
	if one.string("recurringEventId") != "thurs" || one.body["recurrence"] != nil || one.string("etag") != master.string("etag") ||
		sprint(one.body["originalStartTime"]) != "map[dateTime:2026-01-22T14:00:00+09:00 timeZone:Asia/Tokyo]" {
		t.Errorf("get of an instance = %s, want recurringEventId, originalStartTime, the etag of the series and no recurrence", one.text)
	}
	for _, id := range []string{"thurs_20260123T050000Z", "thurs_20260122", "thurs_x", "nosuch_20260122T050000Z"} {
		if got := a.refused("GET calendars/primary/events/"+id, ""); got != "404 notFound: Not Found" {
			t.Errorf("get(%s) = %s, want 404", id, got)
		}
	}
	got := a.must("GET calendars/primary/events/thurs/instances?maxResults=3", "")
	if len(got.items()) != 3 || got.string("nextPageToken") == "" || got.string("nextSyncToken") != "" {
		t.Errorf("instances by 3 = %s, want three and a page token", got.text)
	}
	got = a.must("GET calendars/primary/events/thurs/instances?originalStart=2026-01-29T05:00:00Z", "")
	if len(got.items()) != 1 || got.items()[0]["id"] != "thurs_20260129T050000Z" {
		t.Errorf("instances with an original start = %s, want the one", got.text)
	}
	single := a.insert(timed("a", "10:00", "11:00"))
	if got := a.refused("GET calendars/primary/events/"+single+"/instances", ""); !strings.HasPrefix(got, "400") {
		t.Errorf("instances of a single event = %s, want 400", got)
	}
}

// TestInstanceThatTheSeriesLost: what was different in an instance is nowhere while the series does not have it, and back with it.
func TestInstanceThatTheSeriesLost(t *testing.T) {
	a := open(t, Options{})
	a.insert(weekly("RRULE:FREQ=WEEKLY;COUNT=3"))
	const third = "thurs_20260129T050000Z"
	a.must("PATCH calendars/primary/events/"+third, `{"summary":"other"}`)
	a.must("PATCH calendars/primary/events/thurs", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=2"]}`)
	if got := a.ids(""); !slices.Equal(got, []string{"thurs"}) {
		t.Errorf("list of series = %v, want the one", got)
	}
	if got := a.ids("singleEvents=true"); len(got) != 2 {
		t.Errorf("list of single events = %v, want two", got)
	}
	if got := a.must("GET calendars/primary/events/"+third, ""); got.string("status") != "cancelled" {
		t.Errorf("get of the instance = %s, want it cancelled", got.text)
	}
	a.must("PATCH calendars/primary/events/thurs", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=3"]}`)
	if got := a.must("GET calendars/primary/events/"+third, ""); got.string("status") != "confirmed" || got.string("summary") != "other" {
		t.Errorf("get of the instance that is back = %s, want it as it was", got.text)
	}
}

// TestSeriesWithoutEnd: a list without an end has the first 730 instances, and one with an end those up to it.
func TestSeriesWithoutEnd(t *testing.T) {
	a := open(t, Options{})
	a.insert(weekly("RRULE:FREQ=WEEKLY"))
	lines, token := a.list("singleEvents=true")
	if len(lines) != 730 || lines[729] != "thurs_20400105T050000Z 2040-01-05T14:00:00+09:00" {
		t.Errorf("list has %d instances up to %s, want 730 up to 2040", len(lines), lines[len(lines)-1])
	}
	a.must("PATCH calendars/primary/events/thurs", `{"summary":"b"}`)
	if changed, _ := a.list("singleEvents=true&syncToken=" + token); !slices.Equal(changed, lines) {
		t.Errorf("sync after a change has %d instances, want all %d", len(changed), len(lines))
	}
	if lines, _ := a.list("singleEvents=true&timeMin=2050-01-01T00:00:00Z&timeMax=2050-02-01T00:00:00Z"); len(lines) != 4 {
		t.Errorf("list of January 2050 = %v, want four", lines)
	}
	if got := a.ids("timeMin=2050-01-01T00:00:00Z"); len(got) != 1 {
		t.Errorf("list of series from 2050 on = %v, want the one", got)
	}
	a.insert(`{"id":"leap0","start":{"date":"2024-02-29"},"end":{"date":"2024-03-01"},"recurrence":["RRULE:FREQ=YEARLY"]}`)
	if got := a.ids("timeMin=2026-01-01T00:00:00Z&timeMax=2028-03-01T00:00:00Z"); !slices.Equal(got, []string{"thurs", "leap0"}) {
		t.Errorf("list of series up to 29 February 2028 = %v, want both", got)
	}
}

func TestSeriesOfDays(t *testing.T) {
	a := open(t, Options{})
	a.insert(`{"id":"dails","start":{"date":"2026-01-15"},"end":{"date":"2026-01-17"},"recurrence":["RRULE:FREQ=WEEKLY;COUNT=3","EXDATE;VALUE=DATE:20260122"]}`)
	lines, _ := a.list("singleEvents=true")
	if want := []string{"dails_20260115 2026-01-15", "dails_20260129 2026-01-29"}; !slices.Equal(lines, want) {
		t.Errorf("list = %v, want %v", lines, want)
	}
	if got := sprint(a.must("GET calendars/primary/events/dails_20260129", "").body["end"]); got != "map[date:2026-01-31]" {
		t.Errorf("end of an instance = %s, want two days later", got)
	}
}

func TestSeriesKeepsTheWallClock(t *testing.T) {
	a := open(t, Options{TimeZone: "Europe/Paris"})
	a.insert(`{"id":"paris","start":{"dateTime":"2026-03-22T09:00:00","timeZone":"Europe/Paris"},"end":{"dateTime":"2026-03-22T10:00:00","timeZone":"Europe/Paris"},"recurrence":["RRULE:FREQ=WEEKLY;COUNT=2"]}`)
	lines, _ := a.list("singleEvents=true")
	want := []string{"paris_20260322T080000Z 2026-03-22T09:00:00+01:00", "paris_20260329T070000Z 2026-03-29T09:00:00+02:00"}
	if !slices.Equal(lines, want) {
		t.Errorf("list over the change of the clock = %v, want %v", lines, want)
	}
}

func TestInstanceWithALifeOfItsOwn(t *testing.T) {
	a := open(t, Options{})
	a.insert(weekly("RRULE:FREQ=WEEKLY"))
	const second, third = "thurs_20260122T050000Z", "thurs_20260129T050000Z"
	_, series := a.list("")
	_, single := a.list("singleEvents=true")
	got := a.must("PATCH calendars/primary/events/"+second,
		`{"summary":"moved","start":{"dateTime":"2026-01-23T10:00:00+09:00"},"end":{"dateTime":"2026-01-23T11:00:00+09:00"}}`)
	if got.string("id") != second || got.string("location") != "3F" || sprint(got.body["originalStartTime"]) != "map[dateTime:2026-01-22T14:00:00+09:00 timeZone:Asia/Tokyo]" {
		t.Errorf("patch of an instance = %s, want it with what it had and its original start", got.text)
	}
	a.must("DELETE calendars/primary/events/"+third, "")
	if got := a.refused("DELETE calendars/primary/events/"+third, ""); got != "410 deleted: Resource has been deleted" {
		t.Errorf("delete of an instance again = %s, want 410", got)
	}
	lines, _ := a.list(january)
	if want := []string{"thurs_20260115T050000Z 2026-01-15T14:00:00+09:00", second + " 2026-01-23T10:00:00+09:00"}; !slices.Equal(lines, want) {
		t.Errorf("list of January = %v, want %v", lines, want)
	}
	lines, _ = a.list("")
	if want := []string{"thurs 2026-01-15T14:00:00+09:00", second + " 2026-01-23T10:00:00+09:00", third + " cancelled"}; !slices.Equal(lines, want) {
		t.Errorf("list of series = %v, want %v", lines, want)
	}
	for name, token := range map[string]string{"series": series, "singleEvents=true": single} {
		lines, _ := a.list("syncToken=" + token + "&" + strings.TrimPrefix(name, "series"))
		if want := []string{second + " 2026-01-23T10:00:00+09:00", third + " cancelled"}; !slices.Equal(lines, want) {
			t.Errorf("sync of %s = %v, want %v", name, lines, want)
		}
	}
	if lines, _ := a.list(january + "&showDeleted=true"); len(lines) != 3 || lines[2] != third+" cancelled" {
		t.Errorf("list of January with deleted = %v, want three, the last cancelled", lines)
	}
	bare := a.must("GET calendars/primary/events", "").items()[2]
	want := map[string]any{
		"kind": "calendar#event", "etag": bare["etag"], "id": third, "status": "cancelled", "recurringEventId": "thurs",
		"originalStartTime": map[string]any{"dateTime": "2026-01-29T14:00:00+09:00", "timeZone": "Asia/Tokyo"},
	}
	if diff := cmp.Diff(want, bare); diff != "" {
		t.Errorf("a cancelled instance (-want +got):\n%s", diff)
	}
}

func TestSyncOfChangedSeries(t *testing.T) {
	for _, test := range []struct{ name, request, body string }{
		{"deleted", "DELETE calendars/primary/events/thurs", ""},
		{"no longer a series", "PATCH calendars/primary/events/thurs", `{"recurrence":null}`},
		{"ends earlier", "PATCH calendars/primary/events/thurs", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=2"]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := open(t, Options{})
			a.insert(weekly("RRULE:FREQ=WEEKLY;COUNT=4"))
			const last = "thurs_20260205T050000Z"
			a.must("PATCH calendars/primary/events/"+last, `{"summary":"other"}`)
			mirror := map[string]string{}
			lines, token := a.list("singleEvents=true")
			apply(mirror, lines)
			seriesMirror := map[string]string{}
			seriesLines, seriesToken := a.list("")
			apply(seriesMirror, seriesLines)
			a.must(test.request, test.body)
			lines, _ = a.list("singleEvents=true&syncToken=" + token)
			apply(mirror, lines)
			seriesLines, _ = a.list("syncToken=" + seriesToken)
			apply(seriesMirror, seriesLines)

			fresh := map[string]string{}
			lines, _ = a.list("singleEvents=true")
			apply(fresh, lines)
			if diff := cmp.Diff(fresh, mirror); diff != "" {
				t.Errorf("a mirror of single events after a sync (-full +mirror):\n%s", diff)
			}
			freshSeries := map[string]string{}
			lines, _ = a.list("")
			apply(freshSeries, lines)
			if diff := cmp.Diff(freshSeries, seriesMirror); diff != "" {
				t.Errorf("a mirror of series after a sync (-full +mirror):\n%s", diff)
			}
		})
	}
}

// apply does to a mirror what a list says.
func apply(mirror map[string]string, lines []string) {
	for _, line := range lines {
		id, rest, _ := strings.Cut(line, " ")
		if strings.HasPrefix(rest, "cancelled") {
			delete(mirror, id)
		} else {
			mirror[id] = rest
		}
	}
}
