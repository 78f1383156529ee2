package caldav_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/caldav"
)

func day() civil.TimeRange {
	d := civil.Date{Year: 2026, Month: 3, Day: 2}
	return civil.Days(d, d.AddDays(1), time.UTC)
}

func lunch() calendar.Event {
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	return calendar.Event{
		ID:       "lunch",
		Title:    "Lunch; with, all\\",
		Start:    start,
		End:      start.Add(time.Hour),
		TimeZone: "Europe/London",
	}
}

// The calendars are found from the address of the server, of the user, and of one of them.
func TestDiscovery(t *testing.T) {
	server := radicale(t)
	makeCalendar(t, server, "work")
	makeCalendar(t, server, "home")
	for _, path := range []string{"", "/", "/hanako/"} {
		all, err := account(t, server+path, caldav.Options{}).Calendars(t.Context())
		var names []string
		for _, f := range all {
			names = append(names, f.Name)
		}
		if err != nil || len(names) != 2 {
			t.Errorf("Calendars at %s = %v, %v, want two", path, names, err)
		}
	}
	all, err := account(t, server+"/hanako/work/", caldav.Options{}).Calendars(t.Context())
	if diff := cmp.Diff([]caldav.Found{{Path: "/hanako/work/", Name: "work"}}, all); err != nil || diff != "" {
		t.Errorf("Calendars at a calendar = %v (-want +got):\n%s", err, diff)
	}
	a := account(t, server, caldav.Options{})
	for name, want := range map[string]error{"work": nil, "/hanako/home/": nil, "": nil, "none": fault.ErrUnavailable} {
		if _, err := a.Calendar("c", name).Events(t.Context(), day()); !errors.Is(err, want) {
			t.Errorf("Events of the calendar %q = %v, want %v", name, err, want)
		}
	}
	wrong := account(t, server, caldav.Options{User: "hanako", Password: "wrong"})
	if _, err := wrong.Calendar("c", "").Get(t.Context(), "lunch"); calendar.KindOf(err) != calendar.Auth {
		t.Errorf("Get with a wrong password = %v, want kind auth", err)
	}
}

// What another program wrote into an object stays as it was, and its change is seen.
func TestOthers(t *testing.T) {
	server := radicale(t)
	makeCalendar(t, server, "work")
	c := account(t, server, caldav.Options{}).Calendar("c", "work")
	object := strings.ReplaceAll(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//somebody//else//EN
BEGIN:VEVENT
UID:theirs@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID=Asia/Tokyo:20260302T100000
DTEND;TZID=Asia/Tokyo:20260302T110000
SUMMARY:Theirs
X-THEIR-OWN;P=1:kept as it is
CATEGORIES:A,B
RRULE:FREQ=DAILY;COUNT=3
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:x
TRIGGER:-PT1H
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:theirs@example.org
DTSTAMP:20260101T000000Z
RECURRENCE-ID;TZID=Asia/Tokyo:20260303T100000
DTSTART;TZID=Asia/Tokyo:20260303T150000
DTEND;TZID=Asia/Tokyo:20260303T160000
SUMMARY:Moved
END:VEVENT
END:VCALENDAR
`, "\n", "\r\n")
	put := func(text string) {
		t.Helper()
		r, err := http.NewRequestWithContext(
			t.Context(),
			http.MethodPut,
			server+"/hanako/work/odd%20name.ics",
			strings.NewReader(text),
		)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth("hanako", "a-password")
		r.Header.Set("Content-Type", "text/calendar")
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Body.Close()
		if w.StatusCode >= 300 {
			t.Fatalf("PUT = %s", w.Status)
		}
	}
	put(object)
	week := civil.TimeRange{Start: day().Start, End: day().Start.AddDate(0, 0, 7)}
	titles := func() (all []string) {
		t.Helper()
		listing, err := c.Events(t.Context(), week)
		if err != nil || !listing.Complete {
			t.Fatalf("Events = %+v, %v", listing, err)
		}
		for _, e := range listing.Events {
			all = append(all, e.Start.Format("2 15:04 ")+e.Title)
		}
		return all
	}
	if diff := cmp.Diff([]string{"2 10:00 Theirs", "3 15:00 Moved", "4 10:00 Theirs"}, titles()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	before, err := c.Get(t.Context(), "theirs@example.org")
	if err != nil || !before.Reminders.Same(calendar.RemindBefore(time.Hour)) {
		t.Fatalf("Get = %+v, %v, want it with its alarm", before, err)
	}
	title := "Renamed"
	if _, err := c.Update(t.Context(), before.ID, calendar.Change{Title: &title}, before.ETag); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2 10:00 Renamed", "3 15:00 Moved", "4 10:00 Renamed"}, titles()); diff != "" {
		t.Errorf("events after Update (-want +got):\n%s", diff)
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/hanako/work/odd%20name.ics", http.NoBody)
	r.SetBasicAuth("hanako", "a-password")
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Body.Close() }()
	text := readAll(t, w)
	for _, line := range []string{"X-THEIR-OWN;P=1:kept as it is", "CATEGORIES:A,B", "TRIGGER:-PT1H", "SUMMARY:Moved"} {
		if !strings.Contains(text, line) {
			t.Errorf("the object is\n%s\nwant %s still in it", text, line)
		}
	}
	put(strings.Replace(object, "SUMMARY:Theirs", "SUMMARY:Again theirs", 1))
	if diff := cmp.Diff(
		[]string{"2 10:00 Again theirs", "3 15:00 Moved", "4 10:00 Again theirs"},
		titles(),
	); diff != "" {
		t.Errorf("events after another program's change (-want +got):\n%s", diff)
	}
	if _, err := c.Update(
		t.Context(),
		before.ID,
		calendar.Change{Title: &title},
		before.ETag,
	); calendar.KindOf(
		err,
	) != calendar.Stale {
		t.Errorf("Update under the old etag = %v, want kind stale", err)
	}
}

// lossy is a server that does what is asked and loses the answers to writes.
type lossy struct {
	next   http.RoundTripper
	method string
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	w, err := l.next.RoundTrip(r)
	if err == nil && r.Method == l.method {
		_ = w.Body.Close()
		return nil, errors.New("connection reset")
	}
	return w, err
}

// A write whose answer was lost is looked for, and is done once.
func TestLostAnswers(t *testing.T) {
	server := radicale(t)
	makeCalendar(t, server, "work")
	puts := account(
		t,
		server,
		caldav.Options{Client: &http.Client{Transport: &lossy{http.DefaultTransport, http.MethodPut}}},
	).Calendar(
		"c",
		"work",
	)
	made, err := puts.Create(t.Context(), lunch())
	if err != nil || made.Title != lunch().Title {
		t.Fatalf("Create with a lost answer = %+v, %v, want it", made, err)
	}
	title := "Dinner"
	if got, err := puts.Update(
		t.Context(),
		"lunch",
		calendar.Change{Title: &title},
		made.ETag,
	); err != nil ||
		got.Title != title {
		t.Errorf("Update with a lost answer = %+v, %v, want it", got, err)
	}
	deletes := account(
		t,
		server,
		caldav.Options{Client: &http.Client{Transport: &lossy{http.DefaultTransport, http.MethodDelete}}},
	).Calendar(
		"c",
		"work",
	)
	if err := deletes.Delete(t.Context(), "lunch", ""); err != nil {
		t.Errorf("Delete with a lost answer = %v, want nil", err)
	}
}

// What is at the address may be anything, or nothing.
func TestHostile(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"no XML": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(207)
			_, _ = w.Write([]byte("<html>"))
		},
		"a page":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"nothing": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"error":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		},
		"round and round": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) },
		"another host's path": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(207)
			_, _ = w.Write([]byte(`<d:multistatus xmlns:d="DAV:"><d:response><d:href>//127.0.0.1:1/</d:href>
				<d:propstat><d:status>HTTP/1.1 200 OK</d:status><d:prop><d:current-user-principal>
				<d:href>http://127.0.0.1:1/x</d:href></d:current-user-principal></d:prop></d:propstat>
				</d:response></d:multistatus>`))
		},
		"without end": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(207)
			for range 1 << 12 {
				if _, err := w.Write([]byte(strings.Repeat("<a>", 1<<10))); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			c := account(t, server.URL, caldav.Options{MaxBytes: 1 << 16, Timeout: 5 * time.Second}).Calendar("c", "")
			if got, err := c.Events(t.Context(), day()); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("Events = %+v, %v, want ErrUnavailable", got, err)
			}
			_, err := c.Create(t.Context(), lunch())
			var f *calendar.Failure
			if !errors.As(err, &f) || strings.Contains(err.Error(), "a-password") {
				t.Errorf("Create = %v, want a failure without a password in it", err)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://dav.example/": true, "http://127.0.0.1:5232": true, "http://localhost:5232/": true,
		"http://dav.example/": false, "https://user@dav.example/": false, "ftp://dav.example/": false,
		"dav.example": false, "": false, "http://[::1]:1/": true,
	} {
		_, err := caldav.NewAccount(address, caldav.Options{Now: time.Now, Password: "p"})
		if (err == nil) != ok || err != nil && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("NewAccount(%s) = %v, want success: %v", address, err, ok)
		}
	}
}
