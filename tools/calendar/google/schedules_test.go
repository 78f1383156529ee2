package google_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"annai/tools/calendar"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/emulator"
)

// inProcess carries requests to a handler without a network. A handler that aborts is a lost connection; one that a client does not wait
// for goes on.
type inProcess struct {
	handler http.Handler
	running *sync.WaitGroup
}

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	answered := make(chan *http.Response, 1)
	r = r.Clone(r.Context())
	if r.Body == nil { // as it never is at a server
		r.Body = http.NoBody
	}
	p.running.Go(func() {
		defer func() {
			if why := recover(); why != nil {
				answered <- nil
				if why != http.ErrAbortHandler { //nolint:errorlint // it is what was thrown
					panic(why)
				}
			}
		}()
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		answered <- w.Result()
	})
	select {
	case res := <-answered:
		if res == nil {
			return nil, io.EOF
		}
		return res, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// schedules names how many schedules there are to be; without it there are as many as are quick.
const schedules = "ANNAI_TEST_GOOGLE_SCHEDULES"

// A schedule is a world in which much goes wrong, by chance but the same at every run, and what an owner does in it.
type schedule struct {
	*world
	t       *testing.T
	random  *rand.Rand
	c       *google.Calendar
	running sync.WaitGroup
	// leave ends the wait of whoever makes a call.
	leave context.CancelFunc
	asked map[calendar.Kind]int
	// events are what is there after so many effects.
	events  []emulator.Event
	effects int
}

func newSchedule(t *testing.T, n uint64) *schedule {
	t.Helper()
	s := &schedule{t: t, world: &world{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, random: rand.New(rand.NewPCG(6, n)), asked: map[calendar.Kind]int{}}
	s.Emulator = emulator.New(emulator.Options{Now: s.world.Now, Seed: n})
	s.token = s.AccessToken()
	s.restart()
	for range 1 + s.random.IntN(4) {
		s.Fail(s.rule())
	}
	return s
}

// restart is a new process: nothing of what was in memory is left.
func (s *schedule) restart() {
	account, err := google.NewAccount(s.world, google.Options{
		Now: s.world.Now, BaseURL: "http://google.invalid/calendar/v3/", Client: &http.Client{Transport: inProcess{s.Emulator, &s.running}},
		PerSecond: 1e6, Burst: 1e6, Sleep: s.sleep, Random: s.chance, Tries: 1 + s.random.IntN(4),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.c = account.Calendar(google.Primary)
}

// chance is for several at once.
func (s *schedule) chance() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.Float64()
}

// rule is something that goes wrong. Only lost answers and errors of the server may hide that something was done: Google does not refuse
// what it did.
func (s *schedule) rule() emulator.Rule {
	methods := []string{"events.insert", "events.insert", "events.get", "events.patch", "events.delete", ""}
	faults := []emulator.Fault{
		emulator.Drop, emulator.Drop, emulator.Drop, emulator.ServerError, emulator.ServerError, emulator.Unavailable, emulator.RateLimited,
		emulator.UserRateLimited, emulator.TooManyRequests, emulator.QuotaExceeded, emulator.TokenExpired, emulator.TokenExpired, "",
	}
	r := emulator.Rule{
		Method: methods[s.random.IntN(len(methods))], Fault: faults[s.random.IntN(len(faults))],
		Chance: 0.1 + 0.8*s.random.Float64(), Times: s.random.IntN(6), Skip: s.random.IntN(3),
	}
	switch r.Fault {
	case emulator.Drop, emulator.ServerError, emulator.Unavailable:
		r.After = s.random.IntN(2) == 0
	case "": // somebody leaves in the middle, and what was asked is done all the same
		r.After = s.random.IntN(2) == 0
		r.Hold = func(context.Context) { s.leave() }
	default:
		if r.Method == "events.insert" && s.random.IntN(4) == 0 {
			r.Fault = emulator.Duplicate
		}
		if r.Method == "events.patch" && s.random.IntN(2) == 0 {
			r.Fault = emulator.Stale
		}
	}
	return r
}

// call does something with a context of its own, and waits until Google has done with it.
func (s *schedule) call(do func(ctx context.Context) error) calendar.Kind {
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	s.leave = cancel
	err := do(ctx)
	s.running.Wait()
	if s.random.IntN(5) == 0 {
		s.restart()
	}
	if err == nil {
		return ""
	}
	s.asked[calendar.KindOf(err)]++
	return calendar.KindOf(err)
}

// there is the event with the id as it is at Google, and how often it is there.
func (s *schedule) there(id string) (found emulator.Event, n int) {
	if effects := len(s.Effects()); effects != s.effects { // nothing else changes what is there
		s.events, s.effects = s.Emulator.Events(google.Primary), effects
	}
	for _, e := range s.events {
		if e.ID == id && e.Status != "cancelled" {
			found = e
			n++
		}
	}
	return found, n
}

func (s *schedule) create(e calendar.Event) calendar.Kind {
	_, before := s.there(e.ID)
	kind := s.call(func(ctx context.Context) error {
		_, err := s.c.Create(ctx, e)
		return err
	})
	switch _, n := s.there(e.ID); {
	case n > 1, kind == "" && n != 1:
		s.t.Errorf("Create(%s) = done, and it is there %d times", e.ID, n)
	case kind == calendar.Exists || kind == calendar.Gone:
		s.t.Errorf("Create(%s) = kind %s, and nobody else was there", e.ID, kind)
	case kind != "" && kind != calendar.Ambiguous && n != before:
		s.t.Errorf("Create(%s) = kind %s, and it was done", e.ID, kind)
	}
	return kind
}

func (s *schedule) update(id, title string) calendar.Kind {
	before, _ := s.there(id)
	kind := s.call(func(ctx context.Context) error {
		_, err := s.c.Update(ctx, id, calendar.Change{Title: &title}, before.ETag)
		return err
	})
	after, n := s.there(id)
	changed := after.Summary == title
	if n != 1 || kind == "" && !changed || kind != "" && kind != calendar.Ambiguous && kind != calendar.Stale && changed {
		s.t.Errorf("Update(%s) = kind %q, and there are %d, changed %v", id, kind, n, changed)
	}
	if kind == calendar.Stale && changed {
		s.t.Errorf("Update(%s) = stale, and it was done", id)
	}
	return kind
}

func (s *schedule) remove(id string) calendar.Kind {
	_, before := s.there(id)
	kind := s.call(func(ctx context.Context) error { return s.c.Delete(ctx, id, "") })
	_, n := s.there(id)
	if kind == "" && n != 0 || kind != "" && kind != calendar.Ambiguous && n != before {
		s.t.Errorf("Delete(%s) = kind %q, and %d of %d are there", id, kind, n, before)
	}
	return kind
}

// Whatever goes wrong: what is said to be done is done once, what is said not to be done is not, and where nobody knows the same call again
// helps.
func TestSchedules(t *testing.T) {
	count := uint64(200)
	if text := os.Getenv(schedules); text != "" {
		var err error
		if count, err = strconv.ParseUint(text, 10, 32); err != nil {
			t.Fatalf("%s=%q is not a number", schedules, text)
		}
	}
	asked := map[calendar.Kind]int{}
	for n := range count {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newSchedule(t, n)
			s.run()
			for kind, times := range s.asked {
				asked[kind] += times
			}
		})
	}
	for _, kind := range []calendar.Kind{calendar.Ambiguous, calendar.Unavailable, calendar.RateLimited, calendar.Quota, calendar.Stale} {
		if asked[kind] == 0 {
			t.Errorf("no schedule ended in kind %s: they are too tame", kind)
		}
	}
}

func (s *schedule) run() {
	const drafts = 3
	for i := range drafts {
		e := aLunch(s.t)
		e.ID = fmt.Sprintf("draft%d", i)
		for range 3 {
			if s.create(e) == "" {
				break
			}
		}
	}
	if s.random.IntN(3) == 0 {
		s.ExpireAccessTokens()
	}
	for i := range drafts {
		id := fmt.Sprintf("draft%d", i)
		if _, n := s.there(id); n == 0 {
			continue
		}
		for try := range 3 {
			if s.update(id, fmt.Sprint("Changed ", try)) == "" {
				break
			}
		}
		if i%2 == 0 {
			s.remove(id)
		}
	}
	s.Heal()
	s.after(drafts)
}

// after checks that once all is well, each draft can be brought to its end.
func (s *schedule) after(drafts int) {
	for i := range drafts {
		e := aLunch(s.t)
		e.ID = fmt.Sprintf("draft%d", i)
		made := 0
		for _, effect := range s.Effects() {
			if effect.Method == "events.insert" && effect.EventID == e.ID {
				made++
			}
		}
		if made > 1 {
			s.t.Errorf("%s was created %d times", e.ID, made)
		}
		if made == 0 {
			s.until(time.Minute)
			if kind := s.create(e); kind != "" {
				s.t.Errorf("Create(%s) once all is well = kind %s, want it done", e.ID, kind)
			}
		}
	}
}

// until lets the pause pass that Google asked for.
func (s *schedule) until(d time.Duration) { _ = s.sleep(s.t.Context(), d) }

// The same yes that comes twice at the same time is one event, whatever goes wrong.
func TestTwoAtOnce(t *testing.T) {
	for n := range uint64(50) {
		s := newSchedule(t, 1000+n)
		s.leave = func() {}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				for range 3 {
					_, err := s.c.Create(t.Context(), aLunch(t))
					if err == nil {
						return
					}
					if kind := calendar.KindOf(err); kind == calendar.Exists || kind == calendar.Gone {
						t.Errorf("schedule %d: Create = %v, want no other event", n, err)
					}
				}
			})
		}
		both.Wait()
		s.running.Wait()
		s.Heal()
		s.until(time.Minute)
		_, err := s.c.Create(t.Context(), aLunch(t))
		if _, there := s.there("lunch"); err != nil || there != 1 {
			t.Errorf("schedule %d: Create once all is well = %v, and it is there %d times, want once", n, err, there)
		}
	}
}
