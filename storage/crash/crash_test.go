// Package crash_test kills processes in the middle of runs and looks at what is left.
//
// The idea to hold: a child process runs graphs and appends to a file, line by line, what it did and what its store has committed; the
// parent kills it after a random number of such events and starts it again to go on. The file then shows what was done twice, and
// when. A kill takes the process and not the machine, so that what a power failure does to a disk is not seen here.
//
// What is promised in sync durability, and checked:
//
//   - A task whose writes were committed never runs again, and a question that was committed is never asked again. Between its effect and the
//     commit a task may be killed and then runs again: at most once more for each kill, and never twice in one process.
//   - An accepted run, one whose input was committed, ends with the right state, whoever ends it.
//   - A committed question stays open under its id until it is answered, and a committed answer is the one the task gets.
//   - The file of the store is whole, and every checkpoint in it can be read.
package crash_test

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"annai/graph"
	"annai/storage/sqlite"
)

var (
	kills = flag.Int("crash.kills", 20, "how often the child is killed")
	seed  = flag.Uint64("crash.seed", 1, "when it is killed; the child itself is never the same twice")
)

// isChild is set in the environment of a child, whose arguments are those of [runChild].
const isChild = "ANNAI_TEST_CRASH_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(isChild) == "" {
		os.Exit(m.Run())
	}
	if err := runChild(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func TestCrash(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(*seed, 0))
	for life := range *kills {
		live(t, dir, life, 1+r.IntN(120))
		l := read(t, dir)
		examine(t, dir, l)
		if t.Failed() {
			t.Fatalf("after kill %d; the last lines:\n%s", life+1, l.tail(30))
		}
	}
	live(t, dir, *kills, 0)
	l := read(t, dir)
	l.ends(t, dir)
	if t.Failed() {
		t.Logf("the last lines:\n%s", l.tail(60))
	}
	t.Logf("%d kills: %d turns of %d threads, %d tasks, %d of them run again after a kill, %d questions, %d of them asked again",
		*kills, len(l.accepted), len(l.threads), len(l.done), l.again["done"], len(l.asked), l.again["asks"])
}

// live starts a child and kills it after so many events, or lets it finish what was begun if that is 0.
func live(t *testing.T, dir string, life, events int) {
	t.Helper()
	mode := "work"
	if events == 0 {
		mode = "finish"
	}
	var complaint strings.Builder
	child := exec.CommandContext(t.Context(), os.Args[0], dir, fmt.Sprint(life), mode)
	child.Env = append(os.Environ(), isChild+"=1")
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
		t.Fatalf("child %d = %v, %v: %s", life, err, died, complaint.String())
	}
}

// ledger is what the file says.
type ledger struct {
	lines    []string
	threads  map[string]int // turns known to be accepted
	accepted map[string]bool
	// done and asked are the lives in which a task finished, and a question was asked, last.
	done, asked map[string]string
	kept        map[string]bool
	waits       map[string]string // ids of questions
	answers     map[string]string
	again       map[string]int
	problems    []string
}

func read(t *testing.T, dir string) *ledger {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "effects"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	l := &ledger{
		threads: map[string]int{}, accepted: map[string]bool{}, done: map[string]string{}, asked: map[string]string{},
		kept: map[string]bool{}, waits: map[string]string{}, answers: map[string]string{}, again: map[string]int{},
	}
	l.lines = strings.Split(string(text), "\n")
	l.lines = l.lines[:len(l.lines)-1] // empty, or cut short
	for _, line := range l.lines {
		if !strings.HasSuffix(line, cutShort) {
			l.take(line)
		}
	}
	for _, p := range l.problems {
		t.Error(p)
	}
	return l
}

func (l *ledger) tail(n int) string { return strings.Join(l.lines[max(0, len(l.lines)-n):], "\n") }

// take takes in a line: life, what, thread, about what, and more.
func (l *ledger) take(line string) {
	f := append(strings.Fields(line), "", "")
	life, what, about, more := f[0], f[1], f[2]+" "+f[3], f[4]
	wrong := func(why string) { l.problems = append(l.problems, fmt.Sprintf("%q: %s", line, why)) }
	once := func(before map[string]string, committed bool) {
		last, again := before[about]
		switch {
		case committed:
			wrong("it was committed before")
		case last == life:
			wrong("twice in one process")
		case again:
			l.again[what]++
		}
		before[about] = life
	}
	l.threads[f[2]] += 0 // it exists, even if the kill came before the line that says that its run was accepted
	switch what {
	case "accepted":
		about += " " + more
		if l.accepted[about] {
			wrong("an accepted run was lost and begun again")
		}
		l.accepted[about] = true
		l.threads[f[2]]++
	case "done":
		once(l.done, l.kept[about])
	case "kept":
		l.kept[about] = true
	case "asks":
		once(l.asked, l.waits[about] != "")
	case "waits":
		if id := l.waits[about]; id != "" && id != more {
			wrong("its id was " + id)
		}
		l.waits[about] = more
	case "answered":
		if l.answers[about] != "" {
			wrong("it was answered before")
		}
		l.answers[about] = more
	default:
		wrong("no such line")
	}
}

// examine opens what a killed child left.
func examine(t *testing.T, dir string, l *ledger) {
	t.Helper()
	g, store := reopen(t, dir)
	defer store.Close()
	open := map[string]bool{}
	for thread := range l.threads {
		for _, err := range g.History(t.Context(), thread, graph.HistoryOptions{Limit: 2 * stepsOfTurn}) {
			if err != nil {
				t.Errorf("History(%s) = %v, want checkpoints that can be read", thread, err)
			}
		}
		chain, _, err := store.Load(t.Context(), thread, "", 0)
		if err != nil || len(chain) == 0 {
			t.Fatalf("Load(%s) = %v, %v, want what was accepted", thread, chain, err)
		}
		for _, w := range chain[0].Pending {
			for _, i := range w.Interrupts { // open, or answered just before the kill
				open[i.ID] = true
			}
		}
	}
	for question, id := range l.waits {
		task, _, _ := strings.Cut(question, "#")
		if l.answers[question] == "" && !l.kept[task] && !open[id] && !l.moved(task, question) {
			t.Errorf("question %s with the id %s is there no more, but was not answered", question, id)
		}
	}
	whole(t, dir)
}

// moved reports whether the task has come past the question: the answer was committed, and a kill came before the line that says so.
func (l *ledger) moved(task, question string) bool {
	if _, done := l.done[task]; done {
		return true
	}
	first, second := questionName(task, 0), questionName(task, 1)
	return question == first && l.asked[second] != ""
}

// reopen opens the store, and a graph to read it with.
func reopen(t *testing.T, dir string) (*graph.Graph[doc], *sqlite.Store) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "annai.db"), sqlite.Options{})
	if err != nil {
		t.Fatalf("Open() = %v", err)
	}
	g, err := new(child).build(store)
	if err != nil {
		t.Fatal(err)
	}
	return g, store
}

// whole asks SQLite whether its file is.
func whole(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "annai.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity_check = %q, %v, want ok", verdict, err)
	}
}

// ends checks the last states, when everything was let finish.
func (l *ledger) ends(t *testing.T, dir string) {
	t.Helper()
	g, store := reopen(t, dir)
	defer store.Close()
	whole(t, dir)
	for thread, turns := range l.threads {
		state, err := g.State(t.Context(), thread, 0)
		if err != nil || len(state.Next) > 0 || state.State.Turn < turns {
			t.Errorf("State(%s) = turn %d, then %v, %v; want it ended after turn %d or one more", thread, state.State.Turn, state.Next, err, turns)
			continue
		}
		l.right(t, thread, state.State)
	}
}

// right checks the state of a thread that ended against what its turns must have done, in order.
func (l *ledger) right(t *testing.T, thread string, state doc) {
	t.Helper()
	total := 0
	said := state.Log
	next := func(step int, node, input string, questions, n int) {
		total += n
		if len(said) == 0 {
			t.Errorf("thread %s ends before %s", thread, taskName(step, node, input))
			return
		}
		words := strings.Fields(said[0])
		said = said[1:]
		if words[0] != node+input || len(words) != 1+questions {
			t.Errorf("thread %s did %q, want %s%s with %d answers", thread, words, node, input, questions)
			return
		}
		for q, got := range words[1:] {
			name := thread + " " + questionName(taskName(step, node, input), q)
			if want := l.answers[name]; want != "" && got != want {
				t.Errorf("question %s got the answer %s, want the one that was committed: %s", name, got, want)
			}
		}
	}
	for turn := 1; turn <= state.Turn; turn++ {
		step := (turn-1)*stepsOfTurn + 1
		next(step, "plan", "", 0, turn)
		next(step+1, "ask", "", 2, turn)
		for i := range width(turn) {
			next(step+1, "work", fmt.Sprint(i), 0, i)
		}
		next(step+1, "approve", "0", 1, 0)
		next(step+1, "approve", "1", 1, 1)
		next(step+2, "gather", "", 0, turn)
		next(step+3, "sign", "", 1, turn)
	}
	if len(said) > 0 || total != state.Sum {
		t.Errorf("thread %s has %d words too many, and the sum %d, want %d", thread, len(said), state.Sum, total)
	}
}
