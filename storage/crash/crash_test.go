// Package crash_test kills processes, a database server and the space on a disk in the middle of runs, and looks at what is left.
//
// The idea to hold: a child process runs graphs and appends to a file, line by line, what it did and what its store has committed; the
// parent kills it after a random number of such events and starts it again to go on. The file then shows what was done twice, and
// when. A kill takes the process and not the machine, so that what a power failure does to a disk is not seen here.
//
// What is promised, and checked, whatever the durability:
//
//   - A task whose writes, or whose superstep's record, were committed never runs again, and a question that was committed is never asked again.
//     Nothing is done twice in one life.
//   - An accepted run, one of which a record was committed, ends with the right state, whoever ends it. What somebody was told when a run came
//     to its end is committed.
//   - A committed question stays open under its id until it is answered, and a committed answer is the one the task gets.
//   - The store is whole, and every checkpoint in it can be read.
//
// In sync durability, besides, no task runs once one of a later superstep has run, and nobody hears of a superstep that is not committed. In async,
// both may be one superstep behind, and no more. In exit, what a run did since it was begun or resumed is lost all together, and done again.
package crash_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"annai/fault"
	"annai/graph"
)

var (
	kills = flag.Int("crash.kills", 4, "how often the child is killed, for each store and durability")
	seed  = flag.Uint64("crash.seed", 1, "when it is killed; the child itself is never the same twice")
)

// isChild is set in the environment of a child, to its orders.
const isChild = "ANNAI_TEST_CRASH_CHILD"

// hurry keeps the race detector from waiting a second for reports when a process ends.
const hurry = "GORACE=atexit_sleep_ms=0"

// beChild is what a child does instead of tests, and returns its status.
func beChild(told string) int {
	var o orders
	err := json.Unmarshal([]byte(told), &o)
	if err == nil {
		err = runChild(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestCrash(t *testing.T) {
	for _, kind := range []string{sqliteStore, postgresStore} {
		for _, durability := range []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync, graph.DurabilityExit} {
			t.Run(fmt.Sprint(kind, " ", durability), func(t *testing.T) {
				crash(t, orders{Dir: t.TempDir(), Durability: durability, Store: places[kind](t)})
			})
		}
	}
}

func crash(t *testing.T, o orders) {
	r := rand.New(rand.NewPCG(*seed, 0))
	l := newLedger(o.Durability)
	for ; o.Life < *kills; o.Life++ {
		o.live(t, 1+r.IntN(300))
		l.read(t, o.Dir)
		o.examine(t, l)
		if t.Failed() {
			t.Fatalf("after kill %d; the last lines:\n%s", o.Life+1, l.tail(60))
		}
	}
	o.Finish = true
	o.live(t, 0)
	o.ends(t, l)
	t.Logf("%d kills: %s", *kills, l.sum())
}

func (l *ledger) sum() string {
	return fmt.Sprintf("%d turns of %d threads, %d tasks, %d of them done again, %d questions, %d of them asked again",
		len(l.accepted), len(l.threads), len(l.done), l.again["done"], len(l.asked), l.again["asks"])
}

// live starts a child and kills it after so many events, or lets it finish if that is 0.
func (o orders) live(t *testing.T, events int) {
	t.Helper()
	told, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var complaint strings.Builder
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), isChild+"="+string(told), hurry)
	child.Stderr = &complaint
	pipe, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if events == 0 {
		_, err = io.Copy(io.Discard, pipe)
	} else {
		_, err = io.ReadFull(pipe, make([]byte, events))
		err = errors.Join(err, child.Process.Kill())
	}
	died := child.Wait()
	if err != nil || complaint.Len() > 0 || events == 0 && died != nil {
		t.Fatalf("child %d = %v, %v: %s", o.Life, err, died, complaint.String())
	}
}

// examine opens what a life left, and looks at the threads that it worked on.
func (o orders) examine(t *testing.T, l *ledger) {
	t.Helper()
	g, s := o.reopen(t)
	defer s.Close()
	worked := func(thread string) bool { return l.touched[thread] == fmt.Sprint(o.Life) }
	for thread := range l.threads {
		if worked(thread) {
			history(t, g, thread)
		}
	}
	there := map[string]string{}
	for scope, namespace := range l.spaces {
		if thread, _, _ := strings.Cut(scope, " "); worked(thread) {
			questions(t, s, thread, namespace, there)
		}
	}
	for question, id := range l.waits {
		now, found := there[question]
		lost := !found && l.answers[question] == "" && !l.passed(question)
		if thread, _, _ := strings.Cut(question, " "); worked(thread) && (lost || now != "" && now != id) {
			t.Errorf("question %s with the id %s now has the id %q (%t), but was not answered", question, id, now, found)
		}
	}
	o.Store.whole(t)
}

// history reads the newest checkpoints of a thread.
func history(t *testing.T, g *graph.Graph[doc], thread string) {
	t.Helper()
	for _, err := range g.History(t.Context(), thread, graph.HistoryOptions{Limit: 3}) {
		if err != nil {
			t.Errorf("History(%s) = %v, want checkpoints that can be read", thread, err)
		}
	}
}

// questions finds the questions of a namespace: the ids of those that are open, and "" for those that were answered. Some of the first may have been
// answered just before a kill.
func questions(t *testing.T, s store, thread, namespace string, there map[string]string) {
	t.Helper()
	chain, _, err := s.Load(t.Context(), thread, namespace, 0)
	if err != nil || len(chain) == 0 {
		t.Fatalf("Load(%s, %s) = %v, %v, want what was committed", thread, namespace, chain, err)
	}
	for _, w := range chain[0].Pending {
		for i := range w.Answers {
			there[thread+" "+questionName(taskAt(chain[0], w.Task), i)] = ""
		}
		for _, i := range w.Interrupts {
			there[thread+" "+text(i.Question)] = i.ID
		}
	}
}

// passed reports whether the task has come past the question: the answer was committed, and perhaps a kill came before the line that says so.
func (l *ledger) passed(question string) bool {
	name, _, _ := strings.Cut(question, "#")
	thread, name, _ := strings.Cut(name, " ")
	_, done := l.done[thread+" "+name]
	first, second := questionName(thread+" "+name, 0), questionName(thread+" "+name, 1)
	return done || l.settled(parseTask(thread, name), name) || question == first && l.asked[second] != ""
}

// reopen opens the store, and a graph to read it with.
func (o orders) reopen(t *testing.T) (*graph.Graph[doc], store) {
	t.Helper()
	s, err := o.Store.open(t.Context())
	if err != nil {
		t.Fatalf("open(%s) = %v", o.Store.Kind, err)
	}
	g, err := (&child{orders: o}).build(s)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

// ends checks the last states, when everything was let finish.
func (o orders) ends(t *testing.T, l *ledger) {
	t.Helper()
	l.read(t, o.Dir)
	g, s := o.reopen(t)
	defer s.Close()
	o.Store.whole(t)
	for thread, turns := range l.threads {
		state, err := g.State(t.Context(), thread, 0)
		if turns == 0 && errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil || len(state.Next) > 0 || state.State.Turn < turns {
			t.Errorf("State(%s) = turn %d, then %v, %v; want it ended after turn %d or a later one", thread, state.State.Turn, state.Next, err, turns)
			continue
		}
		l.right(t, thread, state.State)
	}
	if t.Failed() {
		t.Logf("the last lines:\n%s", l.tail(60))
	}
}
