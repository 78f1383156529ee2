package google_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/discovery"
	"annai/tools/calendar/google/emulator"
	"annai/tools/calendar/mirror"
)

func TestMirror(t *testing.T) {
	calendartest.RunWriter(t, func(t *testing.T, seed []calendar.Event) calendar.Writer {
		w, n := seeded(t, seed, emulator.Options{})
		c := w.calendar(t)
		m, err := mirror.New(c, mirror.Options{Now: w.Now, CalendarID: google.Primary})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		n.Writer = m.Writer(c)
		return n
	})
}

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// crossed writes at one server and reads at another.
type crossed struct {
	calendar.Writer

	reader calendar.Reader
}

func (c crossed) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	return c.reader.Events(ctx, window)
}

// TestSharedMirror has what one server writes read at another, whose copy in PostgreSQL is the same.
func TestSharedMirror(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	servers := []*pgdb.DB{nil, nil}
	for i := range servers {
		db, err := pgdb.Open(t.Context(), address, pgdb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		servers[i] = db
	}
	tests := 0
	calendartest.RunWriter(t, func(t *testing.T, seed []calendar.Event) calendar.Writer {
		tests++
		w, n := seeded(t, seed, emulator.Options{})
		c := w.calendar(t)
		var mirrors []*mirror.Mirror
		for _, db := range servers {
			opts := mirror.Options{Now: w.Now, CalendarID: google.Primary, Origin: fmt.Sprint(tests), Shared: db}
			m, err := mirror.New(c, opts)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { m.Close() })
			mirrors = append(mirrors, m)
		}
		n.Writer = crossed{mirrors[0].Writer(c), mirrors[1]}
		return n
	})
}

// A reflection is a calendar at an emulated Google, without a network, and its mirror, in a bubble of time.
type reflection struct {
	*emulator.Emulator
	account *google.Account
	c       *google.Calendar
	m       *mirror.Mirror
	client  *http.Client
	token   string
	running sync.WaitGroup
}

func reflect(t *testing.T, opts emulator.Options) *reflection {
	t.Helper()
	r := &reflection{}
	opts.Now = time.Now
	r.Emulator = emulator.New(opts)
	r.token = r.AccessToken()
	r.client = &http.Client{Transport: discovery.Check(t, inProcess{r.Emulator, &r.running})}
	account, err := google.NewAccount(r, google.Options{Now: time.Now, BaseURL: base, Client: r.client})
	if err != nil {
		t.Fatal(err)
	}
	r.account = account
	r.c = account.Calendar(google.Primary)
	if r.m, err = mirror.New(r.c, mirror.Options{Now: time.Now, CalendarID: google.Primary}); err != nil {
		t.Fatal(err)
	}
	return r
}

const base = "http://google.invalid/calendar/v3/"

// Token implements [google.Tokens]. Access tokens expire as time passes.
func (r *reflection) Token(_ context.Context, refused string) (string, error) {
	if r.token == refused {
		r.token = r.AccessToken()
	}
	return r.token, nil
}

// patch changes an event, or an instance, as somebody else would.
func (r *reflection) patch(t *testing.T, id, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, base+"calendars/primary/events/"+id, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.AccessToken())
	req.Header.Set("Content-Type", "application/json")
	res, err := r.client.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("PATCH %s %s = %v, %v", id, body, res, err)
	}
	res.Body.Close()
}

// wantReflected checks that the mirror answers what the calendar does.
func (r *reflection) wantReflected(t *testing.T, what string) {
	t.Helper()
	first := civil.Date{Year: 2026, Month: 1, Day: 1}
	window := civil.Days(first, first.AddDays(90), tokyo(t))
	direct, err := r.c.Events(t.Context(), window)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := r.m.Events(t.Context(), window)
	if err != nil {
		t.Fatal(err)
	}
	if !copied.Complete {
		t.Errorf("%s: the mirror is not complete: %v", what, copied.Problems)
	}
	for _, events := range [][]calendar.Event{direct.Events, copied.Events} {
		for i := range events { // Google stamps instances as it likes
			events[i].ETag, events[i].Created, events[i].Updated = "", time.Time{}, time.Time{}
		}
	}
	if diff := cmp.Diff(direct.Events, copied.Events); diff != "" {
		t.Errorf("%s: Events (-of the calendar +of its mirror):\n%s", what, diff)
	}
}

// Whatever others do to a calendar, its mirror shows it after the next sync.
func TestMirrorFollows(t *testing.T) {
	for seed := range uint64(5) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(4, seed))
			r := reflect(t, emulator.Options{Seed: seed, ShortPages: seed%2 == 1})
			defer r.m.Close()
			for round := range 8 {
				for range 1 + random.IntN(3) {
					r.meddle(t, random)
				}
				if random.IntN(4) == 0 {
					r.ForgetSyncTokens()
				}
				if random.IntN(4) == 0 {
					time.Sleep(2 * time.Hour) // and the access token is dead
				}
				time.Sleep(70 * time.Second)
				synctest.Wait()
				r.wantReflected(t, fmt.Sprintf("seed %d, round %d", seed, round))
			}
		})
	}
}

// meddle does something to the calendar.
func (r *reflection) meddle(t *testing.T, random *rand.Rand) {
	t.Helper()
	var series, all []string
	for _, e := range r.Emulator.Events(google.Primary) {
		if e.Status == "cancelled" || e.RecurringEventID != "" {
			continue
		}
		all = append(all, e.ID)
		if e.Recurrence != nil && e.Start.DateTime != "" {
			series = append(series, e.ID)
		}
	}
	at := time.Date(2026, 1, 1+random.IntN(20), random.IntN(24), 0, 0, 0, time.UTC)
	instance := func() string {
		id := series[random.IntN(len(series))]
		window := civil.TimeRange{Start: at, End: at.AddDate(0, 1, 0)}
		listing, err := r.c.Events(t.Context(), window)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range listing.Events {
			if e.SeriesID == id {
				return e.ID
			}
		}
		return id
	}
	switch what := random.IntN(8); {
	case what < 3 || len(all) == 0:
		r.put(t, random, at)
	case what == 3:
		r.patch(t, all[random.IntN(len(all))], fmt.Sprintf(`{"summary":"Changed %d"}`, random.IntN(100)))
	case what == 4:
		if err := r.Delete(google.Primary, all[random.IntN(len(all))]); err != nil {
			t.Fatal(err)
		}
	case len(series) == 0:
	case what == 5:
		if id := instance(); strings.Contains(id, "_") {
			r.patch(t, id, fmt.Sprintf(`{"summary":"Moved","start":{"dateTime":%q},"end":{"dateTime":%q}}`,
				at.Format(time.RFC3339), at.Add(time.Hour).Format(time.RFC3339)))
		}
	case what == 6:
		if err := r.Delete(google.Primary, instance()); err != nil {
			t.Fatal(err)
		}
	default:
		r.patch(t, series[random.IntN(len(series))], `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=3"]}`)
	}
}

func (r *reflection) put(t *testing.T, random *rand.Rand, at time.Time) {
	t.Helper()
	e := emulator.Event{
		ID: fmt.Sprintf("event%d", random.IntN(1e9)), Summary: fmt.Sprintf("Event %d", random.IntN(100)),
		Start: &emulator.Time{DateTime: at.Format(time.RFC3339), TimeZone: "America/New_York"},
		End:   &emulator.Time{DateTime: at.Add(time.Hour).Format(time.RFC3339), TimeZone: "America/New_York"},
	}
	rules := []string{"RRULE:FREQ=DAILY;COUNT=9", "RRULE:FREQ=WEEKLY;BYDAY=MO,TH", "RRULE:FREQ=MONTHLY;BYDAY=-1FR", ""}
	if random.IntN(3) == 0 {
		day := civil.DateOf(at)
		e.Start, e.End = &emulator.Time{Date: day.String()}, &emulator.Time{Date: day.AddDays(1 + random.IntN(2)).String()}
	}
	if rule := rules[random.IntN(len(rules))]; rule != "" {
		e.Recurrence = []string{rule}
	}
	if _, err := r.Put(google.Primary, e); err != nil {
		t.Fatal(err)
	}
}

// A thousand reads make no request inside the interval, and one sync after it makes one.
func TestMirrorAsksForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reflect(t, emulator.Options{})
		defer r.m.Close()
		r.wantReflected(t, "the first sync")
		before := r.Requests()["events.list"]
		for range 1000 {
			if _, err := r.m.Events(t.Context(), theDay(t)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
		if n := r.Requests()["events.list"] - before; n != 0 {
			t.Errorf("a thousand reads made %d requests, want none", n)
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if n := r.Requests()["events.list"] - before; n != 1 {
			t.Errorf("after the interval there were %d requests, want one", n)
		}
	})
}

// Google is down: the mirror answers, and what is written fails and says so.
func TestMirrorWhileGoogleIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reflect(t, emulator.Options{})
		defer r.m.Close()
		r.wantReflected(t, "the first sync")
		w := r.m.Writer(r.c)
		if _, err := w.Create(t.Context(), aLunch(t)); err != nil {
			t.Fatal(err)
		}
		r.Fail(emulator.Rule{Fault: emulator.Unavailable})
		time.Sleep(5 * time.Minute)
		got, err := w.Events(t.Context(), theDay(t))
		if err != nil || len(got.Events) != 1 || time.Since(got.AsOf) < 4*time.Minute {
			t.Errorf("Events while google is down = %+v, %v, want the copy and its age", got, err)
		}
		e := aLunch(t)
		e.ID = "dinner"
		if _, err := w.Create(t.Context(), e); calendar.KindOf(err) != calendar.Ambiguous && calendar.KindOf(err) != calendar.Unavailable {
			t.Errorf("Create while google is down = %v, want a failure", err)
		}
	})
}

// A calendar that only shows when it is busy is mirrored as such.
func TestMirrorOfBusyTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reflect(t, emulator.Options{})
		if err := r.m.Close(); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(24 * time.Hour).UTC()
		r.AddCalendar(emulator.Calendar{ID: "boss@example.org"})
		if _, err := r.Put("boss@example.org", emulator.Event{
			ID: "secret", Summary: "Secret", Start: &emulator.Time{DateTime: at.Format(time.RFC3339)}, End: &emulator.Time{DateTime: at.Add(time.Hour).Format(time.RFC3339)},
		}); err != nil {
			t.Fatal(err)
		}
		r.AddCalendar(emulator.Calendar{ID: "boss@example.org", AccessRole: "freeBusyReader"})
		m, err := mirror.New(r.account.Calendar("boss@example.org"), mirror.Options{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		got, err := m.Events(t.Context(), civil.TimeRange{Start: at, End: at.AddDate(0, 1, 0)})
		if err != nil || !got.Complete || len(got.Events) != 1 || got.Events[0].Title != "" || got.Events[0].Visibility != calendar.Busy {
			t.Errorf("Events = %+v, %v, want one busy time", got, err)
		}
	})
}
