package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"annai/tools/calendar/google/emulator"
)

// The tests of these files kill annai between the draft of an entry and its end, and let Google lose and refuse what it can: whatever happens, an
// entry that was agreed to is there once, one that was not is not there, and each answer says what is.
//
// The idea to hold: a schedule is one owner, one folder of data and one emulated Google, with everything that goes wrong drawn from its number. The
// process of annai is a child, killed and started again; what is true is what the emulator has.

// schedules names how many schedules there are to be; without it there are a few, so that the test is quick. scheduleOnly runs a single one.
const (
	schedules    = "ANNAI_TEST_CALENDAR_SCHEDULES"
	scheduleOnly = "ANNAI_TEST_CALENDAR_SCHEDULE"
	fewSchedules = 12
	// atATime is how many run side by side. Most of the time they wait for a Google that does not answer.
	atATime = 8
)

func TestCalendarSchedules(t *testing.T) {
	first, last := numbers(t)
	all := &tally{of: map[string]int{}}
	next := make(chan uint64)
	var workers sync.WaitGroup
	for range atATime {
		workers.Go(func() {
			for n := range next {
				t.Run(fmt.Sprint(n), func(t *testing.T) { newSchedule(t, n, all).run() })
			}
		})
	}
	for n := first; n < last; n++ {
		next <- n
	}
	close(next)
	workers.Wait()
	t.Log(all)
	for _, what := range []string{"kill", "done", "refused"} {
		if last-first >= fewSchedules && all.of[what] == 0 {
			t.Errorf("in %d schedules there was no %s: they are too tame", last-first, what)
		}
	}
}

// numbers are those of the schedules to run, the last not included.
func numbers(t *testing.T) (first, last uint64) {
	t.Helper()
	count, only := uint64(fewSchedules), os.Getenv(scheduleOnly)
	for name, n := range map[string]*uint64{schedules: &count, scheduleOnly: &first} {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		var err error
		if *n, err = strconv.ParseUint(text, 10, 32); err != nil {
			t.Fatalf("%s=%q is not a number", name, text)
		}
	}
	if only != "" {
		return first, first + 1
	}
	return 0, count
}

// tally counts what happened in all schedules.
type tally struct {
	mu sync.Mutex
	of map[string]int
}

func (c *tally) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[what]++
}

func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(c.of)) {
		fmt.Fprintf(&b, "%s %d, ", what, c.of[what])
	}
	return strings.TrimSuffix(b.String(), ", ")
}

// run is the schedule: some entries, made, changed and taken away.
func (s *schedule) run() {
	s.start(calmly)
	for range 2 + s.random.IntN(3) {
		p := s.draw()
		if s.propose(p) {
			s.decide(p)
		}
		s.check(nil)
	}
	s.complained(s.child.end())
	s.waitForConnections(0)
	s.check(nil)
	s.checkEffects()
	s.all.count("schedule")
}

// draw makes a plan of what the owner wants next.
func (s *schedule) draw() *intent {
	there := slices.DeleteFunc(slices.Clone(s.entries), func(e *entry) bool { return e.there == nothing || e.loose != nil })
	what := s.random.IntN(10)
	if len(there) == 0 || what < 5 {
		return s.drawNew(s.random.IntN(5) == 0)
	}
	e := there[s.random.IntN(len(there))]
	if what < 8 && !e.there.repeats() {
		hour := 12 + s.random.IntN(7)
		if to := e.there.at(hour); to != e.there {
			return &intent{do: change, entry: e, order: e.words.change(e.said, hour), from: e.there, to: to}
		}
	}
	return &intent{do: remove, entry: e, order: e.words.remove(e.said), from: e.there, to: nothing}
}

// drawNew makes a plan of a new entry with a name that no other has.
func (s *schedule) drawNew(repeats bool) *intent {
	w := languages[s.random.IntN(len(languages))]
	titles := slices.DeleteFunc(slices.Clone(w.titles), func(title string) bool {
		return slices.ContainsFunc(s.entries, func(e *entry) bool { return e.said == title })
	})
	said := titles[s.random.IntN(len(titles))]
	e := &entry{said: said, title: w.title(said), words: w}
	s.entries = append(s.entries, e)
	hour := 13 + s.random.IntN(5)
	p := &intent{do: add, entry: e, from: nothing}
	if repeats {
		p.order, p.to = w.series(said, hour), shapeOf(w.firstOfSeries, hour, w.rule)
		return p
	}
	day := 16 + s.random.IntN(12)
	p.order, p.to = w.add(said, day, hour), shapeOf(day, hour, "")
	return p
}

// propose says what is wanted until it is asked about, and reports whether it was.
func (s *schedule) propose(p *intent) bool {
	s.Helper()
	for try := range 6 {
		m := calmly
		if try == 0 && s.random.IntN(4) == 0 {
			m = mishap{kill: byTime, faults: s.faults(reads)}
		}
		if try > 1 {
			s.anew()
		}
		answer, heard := s.turn(p.order, m)
		if !heard {
			continue
		}
		if s.asks(p, answer) {
			return true
		}
		if answer.Interrupt != nil { // it is taken for an answer to a question that was left
			s.turn(p.entry.words.no, calmly)
		}
	}
	s.Errorf("%q is not asked about, however often it is said", p.order)
	return false
}

// decide answers the question about the plan, until it is known what became of it.
func (s *schedule) decide(p *intent) {
	s.Helper()
	for round := 0; round < 12; round++ {
		m := calmly
		if round < 4 {
			s.meddle(p)
			m = s.mishap(p)
		} else {
			s.anew()
		}
		switch s.choose(p, round) {
		case "leave":
			return
		case "correct":
			p.correct(s.random)
			if answer, heard := s.turn(p.said, calmly); (!heard || !s.asks(p, answer)) && !s.propose(p) {
				return
			}
		case "no":
			if answer, heard := s.turn(p.entry.words.no, calmly); heard && s.left(p, answer) {
				return
			}
		case "other":
			if answer, heard := s.turn(p.entry.words.other, calmly); heard && s.left(p, answer) {
				return
			}
		default:
			p.agree()
			if answer, heard := s.turn(p.entry.words.yes, m); heard && s.carriedOut(p, answer) {
				return
			}
		}
		s.check(p)
	}
	s.Errorf("%q was not decided, however often", p.order)
}

// choose draws what the owner answers.
func (s *schedule) choose(p *intent, round int) string {
	n := s.random.IntN(100)
	switch {
	case round > 4:
		return "yes"
	case n < 10:
		return "no"
	case n < 20:
		return "other"
	case n < 28 && !p.agreed:
		return "leave"
	case n < 42 && !p.agreed && p.do == add && !p.to.repeats():
		return "correct"
	}
	return "yes"
}

// meddle kills annai between a question and its answer, or lets somebody else change the entry meanwhile.
func (s *schedule) meddle(p *intent) {
	if s.random.IntN(6) == 0 {
		s.child.kill()
		s.all.count("kill")
		s.restart(calmly)
	}
	if p.do != add && s.random.IntN(5) == 0 {
		s.somebodyElse(p.entry)
	}
	if s.random.IntN(6) == 0 {
		s.google.ExpireAccessTokens()
		s.all.count("fault all tokens expire")
	}
}

// mishap draws what goes wrong with a yes.
func (s *schedule) mishap(p *intent) mishap {
	m := mishap{}
	switch s.random.IntN(6) {
	case 0, 1:
		m.kill = byTime
	case 2:
		m.kill = byRequest
	}
	if s.random.IntN(4) > 0 {
		write := writes[p.do]
		m.faults = s.faults([]string{write, write, write, write, "events.get", "events.get", "oauth.token", ""})
	}
	return m
}

// writes are the methods that do what is wanted, reads those that a question takes.
var (
	writes = map[action]string{add: "events.insert", change: "events.patch", remove: "events.delete"}
	reads  = []string{"events.list", "events.list", "events.get", "oauth.token"}
)

// faults draws what Google does wrong. What it refuses it has not done; only what it does not say, or what fails in it, may have been done.
func (s *schedule) faults(methods []string) []emulator.Rule {
	var rules []emulator.Rule
	for range 1 + s.random.IntN(3) {
		faults := []emulator.Fault{
			emulator.Drop, emulator.Drop, emulator.ServerError, emulator.ServerError, emulator.Unavailable, emulator.Duplicate, emulator.Stale, emulator.RateLimited,
			emulator.UserRateLimited, emulator.TooManyRequests, emulator.QuotaExceeded, emulator.TokenExpired, emulator.TokenExpired, emulator.Forbidden, silence,
		}
		r := emulator.Rule{
			Method: methods[s.random.IntN(len(methods))], Fault: faults[s.random.IntN(len(faults))], Skip: s.random.IntN(2), Times: 1 + s.random.IntN(5),
		}
		switch r.Fault {
		case emulator.Drop, emulator.ServerError, emulator.Unavailable, silence:
			r.After = s.random.IntN(2) == 0
		case emulator.Duplicate:
			r.Method = "events.insert"
		case emulator.Stale:
			r.Method = []string{"events.patch", "events.delete"}[s.random.IntN(2)]
		case emulator.TokenExpired:
			if r.Method == "oauth.token" {
				r.Method = ""
			}
		default:
		}
		rules = append(rules, r)
	}
	return rules
}
