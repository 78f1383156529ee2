package main

import (
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"annai/api"
	"annai/tools/calendar/google/emulator"
)

// A schedule is an owner who talks to annai while things go wrong.
type schedule struct {
	*testing.T

	random *rand.Rand
	all    *tally
	google *emulator.Emulator
	server *httptest.Server
	child  *child
	env    []string
	folder string
	began  time.Time

	// entries are all that were ever wanted.
	entries []*entry
	// heard is the talk, for when something is wrong.
	heard strings.Builder

	mu          sync.Mutex
	changed     *sync.Cond
	connections map[net.Conn]http.ConnState
}

// A mishap is what goes wrong with a turn.
type mishap struct {
	kill   killing
	faults []emulator.Rule
}

// killing is how annai is killed in a turn: not at all, after some time, or when Google gets a request.
type killing string

const (
	byTime    killing = "by time"
	byRequest killing = "by request"
)

var calmly mishap

// silence is a fault of a connection: nothing comes back until nobody waits any more.
const silence emulator.Fault = "silence"

const crashVenue = `name: {ja: 図書館, en: The Library}
timezone: Asia/Tokyo
website: https://library.example
calendars: [{id: own, label: {ja: 自分のカレンダー, en: My calendar}, source: google, writable: true}]
knowledge: []
`

func newSchedule(t *testing.T, n uint64, all *tally) *schedule {
	t.Helper()
	s := &schedule{T: t, random: rand.New(rand.NewPCG(6, n)), all: all, began: time.Now(), connections: map[net.Conn]http.ConnState{}, folder: t.TempDir()}
	s.changed = sync.NewCond(&s.mu)
	s.google = emulator.New(emulator.Options{Now: s.now, Seed: n})
	s.server = httptest.NewUnstartedServer(s.google)
	s.server.Config.ConnState = s.connection
	s.server.Start()
	t.Cleanup(func() {
		if s.child != nil { // whatever ended the test
			s.child.kill()
			s.child.ended()
		}
		s.server.Close()
		if t.Failed() {
			t.Logf("the talk:\n%s\nat Google: %+v", &s.heard, s.google.Effects())
		}
	})
	if err := os.WriteFile(filepath.Join(s.folder, "venue.yaml"), []byte(crashVenue), 0o600); err != nil {
		t.Fatal(err)
	}
	s.env = googleSettings(s.google, s.server.URL)
	return s
}

// now is a Wednesday in January 2025, and goes on.
func (s *schedule) now() time.Time {
	return time.Date(2025, time.January, 15, 9, 0, 0, 0, tokyo).Add(time.Since(s.began))
}

// connection notes what becomes of a connection to Google.
func (s *schedule) connection(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connections[c] = state
	if state == http.StateClosed || state == http.StateHijacked {
		delete(s.connections, c)
	}
	s.changed.Broadcast()
}

// waitForConnections returns when Google has done with what it was asked: a request of a process that is dead is done all the same. With none
// left to be open, it also waits until all are closed.
func (s *schedule) waitForConnections(open int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	busy := func() bool {
		if open == 0 {
			return len(s.connections) > 0
		}
		for _, state := range s.connections {
			if state == http.StateActive {
				return true
			}
		}
		return false
	}
	for busy() {
		s.changed.Wait()
	}
}

// start starts annai, which has little time for a turn where something is to go wrong.
func (s *schedule) start(m mishap) {
	deadline, sources := "20s", "3s"
	if len(m.faults) > 0 {
		deadline, sources = []string{"1500ms", "5s"}[s.random.IntN(2)], "1s"
	}
	s.child = startChild(s.T, s.env, "chat", "--owner", "--json", "--data", filepath.Join(s.folder, "data"), "--venue", filepath.Join(s.folder, "venue.yaml"),
		"--now", s.now().Format(time.RFC3339Nano), "--deadline", deadline, "--source-deadline", sources)
}

// restart waits for the end of annai and all that it began, and starts it again.
func (s *schedule) restart(m mishap) {
	s.Helper()
	s.complained(s.child.ended())
	s.waitForConnections(0)
	s.heard.WriteString("--- annai starts again\n")
	s.start(m)
}

// anew ends annai as it is ended every day, and starts it again: it does not wait any more as Google asked it to.
func (s *schedule) anew() {
	s.Helper()
	_ = s.child.in.Close() // it may have ended already
	s.restart(calmly)
}

// complained looks at what annai wrote to standard error.
func (s *schedule) complained(what string) {
	s.Helper()
	s.heard.WriteString(what)
	if strings.Contains(what, "goroutine ") || strings.Contains(what, "panic") {
		s.Errorf("annai ended with %s", what)
	}
}

// turn says something while something goes wrong, and returns the answer. It is heard unless annai was killed, or ended, before it could answer.
func (s *schedule) turn(say string, m mishap) (answer api.QueryResponse, heard bool) {
	s.Helper()
	var killed atomic.Bool
	kill := func() {
		killed.Store(true)
		s.child.kill()
		s.all.count("kill")
	}
	over := make(chan struct{})
	s.fail(m, kill, over)
	answer, heard = s.child.say(s.T, say, func() {
		if m.kill == byTime {
			time.Sleep(time.Duration(s.random.IntN(6000)) * time.Microsecond)
			kill()
		}
	})
	close(over)
	s.google.Heal()
	s.heard.WriteString("> " + say + "\n")
	if heard {
		s.heard.WriteString("< " + strings.ReplaceAll(answer.Text, "\n", "\n  ") + "\n")
	}
	if !heard || killed.Load() {
		if !killed.Load() {
			s.all.count("no answer")
		}
		s.restart(m)
	}
	s.waitForConnections(1)
	return answer, heard
}

// fail tells Google what to do wrong until the turn is over.
func (s *schedule) fail(m mishap, kill func(), over <-chan struct{}) {
	if m.kill == byRequest {
		methods := []string{"events.insert", "events.insert", "events.patch", "events.delete", "events.get", ""}
		s.google.Fail(emulator.Rule{
			Method: methods[s.random.IntN(len(methods))], After: s.random.IntN(2) == 0, Times: 1, Hold: func(context.Context) { kill() },
		})
	}
	for _, r := range m.faults {
		what := string(r.Fault)
		silent := r.Fault == silence
		if silent {
			r.Fault, r.Times = "", 1
		}
		r.Hold = func(ctx context.Context) {
			s.all.count("fault " + what)
			if silent {
				select {
				case <-ctx.Done():
				case <-over:
				}
			}
		}
		s.google.Fail(r)
	}
}

// somebodyElse changes the place of the entry at Google.
func (s *schedule) somebodyElse(e *entry) {
	for _, there := range s.google.Events("primary") {
		if there.Summary != e.title || there.Status == "cancelled" {
			continue
		}
		e.place += "x"
		there.Location = e.place
		if _, err := s.google.Put("primary", there); err != nil {
			s.Fatal(err)
		}
		s.all.count("changed by somebody else")
	}
}

// asks reports whether an answer is the question about the plan as it is.
func (s *schedule) asks(p *intent, answer api.QueryResponse) bool {
	s.Helper()
	if answer.Interrupt == nil || answer.Interrupt.Kind != "confirm" {
		if got := s.actual(p.entry); got != nothing && p.entry.words.notFound(p.entry.said, answer) {
			s.Errorf("%q, and Google has %s", answer.Text, got)
		}
		return false
	}
	wanted := p.to
	if p.do == remove {
		wanted = p.from
	}
	if len(answer.Cards) == 0 || answer.Cards[0].Title != p.entry.title || answer.Cards[0].Start != wanted.start.Format(time.RFC3339) {
		s.heard.WriteString("  (which is not what was meant)\n")
		s.all.count("asked about something else")
		return false
	}
	return true
}

// actual is what Google has of the entry.
func (s *schedule) actual(e *entry) shape {
	s.Helper()
	found := nothing
	for _, there := range s.google.Events("primary") {
		if there.Summary != e.title || there.Status == "cancelled" {
			continue
		}
		v, ok := shapeAt(there)
		if found != nothing || !ok {
			s.Errorf("%s is there as %s and %s - %s", e.title, found, there.Start.DateTime, there.End.DateTime)
		}
		if there.Location != e.place {
			s.Errorf("the place of %s is %q, and somebody else wrote %q", e.title, there.Location, e.place)
		}
		found = v
	}
	return found
}

// carriedOut looks at the answer to a yes, and reports whether it is known what became of the plan.
func (s *schedule) carriedOut(p *intent, answer api.QueryResponse) bool {
	s.Helper()
	said := p.claim(answer)
	s.all.count(map[claim]string{claimsDone: "done", claimsNothing: "refused", claimsUnknown: "undecided", asksAgain: "asked again", saysElse: "yes to nothing"}[said])
	switch said {
	case claimsDone, claimsNothing:
		s.told(p, said, answer)
		return true
	case asksAgain:
		return false
	default:
		if answer.Interrupt == nil {
			s.sayAgain(p)
			return true
		}
		return false
	}
}

// sayAgain says yes again where annai could not tell what became of the plan and asks no more.
func (s *schedule) sayAgain(p *intent) {
	s.Helper()
	for range 2 {
		answer, heard := s.turn(p.entry.words.yes, calmly)
		if said := p.claim(answer); heard && (said == claimsDone || said == claimsNothing) {
			s.told(p, said, answer)
			return
		}
	}
	s.loosen(p)
}

// left looks at the answer to something else than a yes, and reports whether the plan is over.
func (s *schedule) left(p *intent, answer api.QueryResponse) bool {
	s.Helper()
	switch said := p.claim(answer); said {
	case asksAgain: // somebody else changed the entry before what was agreed to could be done
		if !p.agreed {
			s.Errorf("%q to a no", answer.Text)
		}
		return false
	case claimsDone, claimsNothing:
		s.all.count("left")
		s.told(p, said, answer)
	default:
		s.all.count("left without a word")
		s.loosen(p)
	}
	return true
}

// told checks what an answer says of the plan.
func (s *schedule) told(p *intent, said claim, answer api.QueryResponse) {
	s.Helper()
	want := p.from
	if said == claimsDone {
		want = p.to
	}
	got := s.actual(p.entry)
	if got != want || said == claimsDone && !p.agreed {
		s.Errorf("%q, and Google has %s (agreed to: %t), want %s", answer.Text, got, p.agreed, want)
	}
	p.entry.there = got
}

// loosen is when nobody knows any more what became of a plan.
func (s *schedule) loosen(p *intent) {
	if p.agreed {
		s.all.count("never known")
		s.heard.WriteString("  (nobody knows)\n")
		p.entry.there, p.entry.loose = p.from, &p.to
	}
}

// check looks whether at Google there is what must be, and nothing else. Of an open plan that was agreed to, both may be.
func (s *schedule) check(open *intent) {
	s.Helper()
	for _, e := range s.entries {
		got := s.actual(e)
		switch {
		case got == e.there, e.loose != nil && got == *e.loose, open != nil && open.entry == e && open.agreed && got == open.to:
		default:
			s.Errorf("of %s Google has %s, want %s", e.title, got, e.there)
		}
		if got != nothing && !e.agreed {
			s.Errorf("of %s Google has %s, and nobody agreed", e.title, got)
		}
	}
}

// checkEffects looks whether anything was done twice.
func (s *schedule) checkEffects() {
	s.Helper()
	titles := map[string]string{}
	for _, e := range s.google.Events("primary") {
		titles[e.ID] = e.Summary
	}
	done := map[string]int{}
	for _, effect := range s.google.Effects() {
		what := effect.Method + " of " + titles[effect.EventID]
		done[what]++
		if done[what] > 1 && effect.Method != "events.patch" {
			s.Errorf("%s was done %d times", what, done[what])
		}
	}
	for _, e := range s.entries {
		if n := done["events.patch of "+e.title]; n > e.changes {
			s.Errorf("%s was changed %d times, and %d changes were agreed to", e.title, n, e.changes)
		}
	}
}
