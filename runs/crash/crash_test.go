// Package crash_test kills a process that serves runs, again and again, and looks at what is left.
//
// The idea to hold: a child process is a service with background runs and a reader of each thread's log. It appends to a file, line by line, what it accepted,
// which tasks ran, which checkpoints were committed and which events its readers got; the parent kills it after a random number of such lines and starts it again.
//
// What is promised, and checked:
//
//   - Every accepted run ends, once, and successfully; those of a thread one after the other in the order of their creation.
//   - A task whose checkpoint was committed never runs again.
//   - The log of each thread has one end for every run and, in order, each update, each end of a task, each checkpoint and each state once. A reader that goes on after
//     the last event it got has the same as one who reads all at once.
package crash_test

import (
	"context"
	"encoding/json"
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

	"annai/storage/postgres/pgtest"
)

var (
	kills   = flag.Int("crash.kills", 2, "how often the child is killed, for each store")
	threads = flag.Int("crash.threads", 4, "how many threads there are, with ten runs each")
	seed    = flag.Uint64("crash.seed", 1, "when it is killed; the child itself is never the same twice")
)

// runsOfThread is how many runs a thread has.
const runsOfThread = 10

// isChild is set in the environment of a child, to its orders.
const isChild = "ANNAI_TEST_CRASH_CHILD"

// hurry keeps the race detector from waiting a second for reports when a process ends.
const hurry = "GORACE=atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if told := os.Getenv(isChild); told != "" {
		os.Exit(beChild(told))
	}
	os.Exit(pgtest.Main(m))
}

// beChild is what a child does instead of tests, and returns its status.
func beChild(told string) int {
	var o orders
	err := json.Unmarshal([]byte(told), &o)
	if err == nil {
		err = o.run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestCrash(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { crash(t, orders{Dir: t.TempDir()}) })
	t.Run("postgres", func(t *testing.T) { crash(t, orders{Dir: t.TempDir(), Postgres: pgtest.Shared(t).Schema(t)}) })
}

func crash(t *testing.T, o orders) {
	o.Threads = *threads
	r := rand.New(rand.NewPCG(*seed, 0))
	most := max(1, o.Threads*runsOfThread*linesOfRun/(*kills+1))
	for ; o.Life < *kills; o.Life++ {
		o.live(t, 1+r.IntN(most))
	}
	o.live(t, 0)
	l := readLedger(t, o.Dir)
	o.check(t, l)
	if t.Failed() {
		t.Logf("the last lines:\n%s", l.tail(40))
	}
	t.Logf("%d kills: %d runs, %d of them attempted again, %d tasks, %d of them done again, %d events",
		*kills, len(l.accepted), l.again, l.tasks, l.tasksAgain, l.read)
}

// live starts a child and kills it after so many lines, or lets it finish if that is 0.
func (o orders) live(t *testing.T, lines int) {
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
	if lines == 0 {
		_, err = io.Copy(io.Discard, pipe)
	} else {
		_, err = io.ReadFull(pipe, make([]byte, lines))
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) { // it had nothing left to do
			err = nil
		} else {
			err = errors.Join(err, child.Process.Kill())
		}
	}
	died := child.Wait()
	if err != nil || complaint.Len() > 0 || lines == 0 && died != nil {
		t.Fatalf("child %d = %v, %v: %s", o.Life, err, died, complaint.String())
	}
}

// openEffects opens the file of effects. A line that a kill has cut short is marked, for it to be left out.
func openEffects(dir string) (*os.File, error) {
	path := filepath.Join(dir, "effects")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil && len(text) > 0 && !strings.HasSuffix(string(text), "\n") {
		_, err = f.WriteString(cutShort + "\n")
	}
	return f, err
}

const cutShort = " cut short"
