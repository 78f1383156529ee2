package google_test

import (
	"context"
	"encoding/base32"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/discovery"
	"annai/tools/calendar/google/emulator"
)

// A world is an account at an emulated Google with a clock of its own, in which waiting takes no time.
type world struct {
	*emulator.Emulator
	url string

	mu    sync.Mutex
	now   time.Time
	token string
	slept []time.Duration
	// fetched counts access tokens that were asked for because another one was refused.
	fetched int
}

func newWorld(t *testing.T, opts emulator.Options) *world {
	t.Helper()
	w := &world{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	opts.Now = w.Now
	w.Emulator = emulator.New(opts)
	server := httptest.NewUnstartedServer(w.Emulator)
	server.Config.ErrorLog = nil
	server.Start()
	t.Cleanup(server.Close)
	w.url = server.URL + "/calendar/v3/"
	w.token = w.AccessToken()
	return w
}

func (w *world) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// sleep lets the time pass.
func (w *world) sleep(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
	w.slept = append(w.slept, d)
	return ctx.Err()
}

// Token implements [google.Tokens].
func (w *world) Token(_ context.Context, refused string) (string, error) {
	w.mu.Lock()
	token := w.token
	w.mu.Unlock()
	if refused != token {
		return token, nil
	}
	token = w.AccessToken() // which looks at the clock
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fetched++
	w.token = token
	return token, nil
}

// options are those of an account in w. What goes over the wire is checked against Google's description.
func (w *world) options(t *testing.T) google.Options {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 8}
	t.Cleanup(transport.CloseIdleConnections)
	return google.Options{
		Now: w.Now, BaseURL: w.url, Client: &http.Client{Transport: discovery.Check(t, transport)},
		Guests: google.Guests{Domains: []string{"example.org"}}, PerSecond: 1e6, Burst: 1e6,
		Sleep: w.sleep, Random: func() float64 { return 0 },
	}
}

func (w *world) account(t *testing.T, opts google.Options) *google.Account {
	t.Helper()
	account, err := google.NewAccount(w, opts)
	if err != nil {
		t.Fatal(err)
	}
	return account
}

func (w *world) calendar(t *testing.T) *google.Calendar {
	t.Helper()
	return w.account(t, w.options(t)).Calendar(google.Primary)
}

// asGoogle is a seed event in Google's form.
func asGoogle(e calendar.Event) emulator.Event {
	g := emulator.Event{
		ID: key(e.ID), Summary: e.Title, Description: e.Description, Location: e.Location, Status: string(e.Status),
		Recurrence: e.Recurrence, EndTimeUnspecified: e.WithEnd().EndInferred,
	}
	if e.URL != "" {
		g.Source = &emulator.Link{Title: e.Title, URL: e.URL}
	}
	e = e.WithEnd()
	if e.AllDay {
		g.Start, g.End = &emulator.Time{Date: e.FirstDay.String()}, &emulator.Time{Date: e.EndDay.String()}
		return g
	}
	g.Start = &emulator.Time{DateTime: e.Start.Format(time.RFC3339), TimeZone: e.TimeZone}
	g.End = &emulator.Time{DateTime: e.End.Format(time.RFC3339), TimeZone: e.TimeZone}
	return g
}

var names = base32.HexEncoding.WithPadding(base32.NoPadding)

// key is a name as Google takes ids, never too short; it keeps the order.
func key(name string) string { return "seed" + strings.ToLower(names.EncodeToString([]byte(name))) }

// A named calendar has the names of the seed for the ids that Google has.
type named struct {
	calendar.Writer
	seeded map[string]string
}

func (n named) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	listing, err := n.Writer.Events(ctx, window)
	for i, e := range listing.Events {
		if name, ok := n.seeded[e.ID]; ok {
			listing.Events[i].ID = name
		}
	}
	return listing, err
}

func TestCalendar(t *testing.T) {
	calendartest.RunWriter(t, func(t *testing.T, seed []calendar.Event) calendar.Writer {
		_, n := seeded(t, seed, emulator.Options{})
		return n
	})
}

func TestShortPages(t *testing.T) {
	calendartest.Run(t, func(t *testing.T, seed []calendar.Event) calendar.Reader {
		_, n := seeded(t, seed, emulator.Options{ShortPages: true})
		return n
	})
}

func seeded(t *testing.T, seed []calendar.Event, opts emulator.Options) (*world, named) {
	t.Helper()
	w := newWorld(t, opts)
	n := named{w.calendar(t), map[string]string{}}
	for _, e := range seed {
		if e.Status == calendar.Cancelled { // at Google that is a deleted one, which is not listed
			continue
		}
		if _, err := w.Put(google.Primary, asGoogle(e)); err != nil {
			t.Fatalf("Put(%s) = %v", e.ID, err)
		}
		n.seeded[key(e.ID)] = e.ID
	}
	return w, n
}
