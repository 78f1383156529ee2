package crash_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"annai/runs"
)

// ledger is what the lines say.
type ledger struct {
	lines    []string
	problems []string

	accepted map[string]string // threads of runs
	done     map[string]bool   // tasks: "run node"
	steps    map[string]int    // the newest committed step of a run, relative to its first
	first    map[string]int
	position map[string]int64    // the last event that was read of a thread
	ends     map[string]int      // how many runs of a thread ended, as was read
	events   map[string][]string // what was read of a thread

	again, tasks, tasksAgain, read int
}

// parseLedger reads the lines so far.
func parseLedger(dir string) *ledger {
	l := &ledger{
		accepted: map[string]string{}, done: map[string]bool{}, steps: map[string]int{}, first: map[string]int{}, position: map[string]int64{}, ends: map[string]int{}, events: map[string][]string{},
	}
	text, _ := os.ReadFile(filepath.Join(dir, "effects")) // there is none at first
	for line := range strings.Lines(string(text)) {
		whole := strings.HasSuffix(line, "\n")
		line = strings.TrimSuffix(line, "\n")
		if !whole || strings.HasSuffix(line, cutShort) {
			continue
		}
		l.lines = append(l.lines, line)
		l.take(line)
	}
	return l
}

func readLedger(t *testing.T, dir string) *ledger {
	t.Helper()
	l := parseLedger(dir)
	for _, p := range l.problems {
		t.Error(p)
	}
	return l
}

func (l *ledger) tail(n int) string { return strings.Join(l.lines[max(0, len(l.lines)-n):], "\n") }

// stepOf is the superstep of a run in which a node runs.
var stepOf = map[string]int{"a": 1, "b": 2, "b2": 2, "c": 3}

// take takes in a line: life, what, and more.
func (l *ledger) take(line string) {
	f := strings.Fields(line)
	switch f[1] {
	case "accepted":
		l.accepted[f[2]] = f[3]
	case "ran":
		task := f[2] + " " + f[3]
		l.tasks++
		if l.done[task] {
			l.tasksAgain++
		}
		l.done[task] = true
		if committed, ok := l.steps[f[2]]; ok && stepOf[f[3]] <= committed {
			l.problems = append(l.problems, fmt.Sprintf("%q: its step was committed before", line))
		}
	case "put":
		step, _ := strconv.Atoi(f[3])
		if _, known := l.first[f[2]]; !known {
			l.first[f[2]] = step
		}
		l.steps[f[2]] = step - l.first[f[2]]
	case "read":
		id, _ := strconv.ParseInt(f[3], 10, 64)
		if id <= l.position[f[2]] {
			l.problems = append(l.problems, fmt.Sprintf("%q: the reader came to %d before", line, l.position[f[2]]))
		}
		l.position[f[2]] = id
		l.events[f[2]] = append(l.events[f[2]], strings.Join(f[3:], " "))
		if f[5] == string(runs.KindEnd) {
			l.ends[f[2]]++
		}
		l.read++
	default:
		l.problems = append(l.problems, fmt.Sprintf("%q: no such line", line))
	}
}

// check looks at the stores, when everything was let finish.
func (o orders) check(t *testing.T, l *ledger) {
	t.Helper()
	p, err := o.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}()
	for run, thread := range l.accepted {
		if _, err := p.store.Run(t.Context(), thread, run); err != nil {
			t.Errorf("Run(%s), which was accepted = %v", run, err)
		}
	}
	for n := range o.Threads {
		o.checkThread(t, l, p, threadID(n))
	}
}

func (o orders) checkThread(t *testing.T, l *ledger, p parts, id string) {
	t.Helper()
	list, n, err := p.store.ListRuns(t.Context(), runs.RunFilter{ThreadID: id, Page: runs.Page{Limit: -1}})
	if err != nil || n != runsOfThread {
		t.Fatalf("ListRuns(%s) = %d runs, %v, want %d", id, n, err, runsOfThread)
	}
	log, err := p.store.ReadEvents(t.Context(), id, "", 0, 1_000_000)
	if err != nil {
		t.Fatalf("ReadEvents(%s) = %v", id, err)
	}
	var whole, want []string
	of := map[string][]runs.Event{}
	for _, e := range log {
		whole = append(whole, strings.TrimSpace(strings.Join(strings.Fields(fmt.Sprint(e.ID, " ", e.RunID, " ", e.Kind, " ", e.Step, " ", e.Node)), " ")))
		of[e.RunID] = append(of[e.RunID], e)
	}
	if !slices.Equal(whole, l.events[id]) {
		t.Errorf("thread %s: a reader across all lives got %d events, the log has %d", id, len(l.events[id]), len(whole))
	}
	for i, r := range list {
		if r.Status != runs.RunSuccess {
			t.Errorf("run %d of thread %s = %s, want success", i, id, r.Status)
		}
		if r.Attempt > 1 {
			l.again++
		}
		l.checkRun(t, r, of[r.ID])
		for _, n := range nodes {
			want = append(want, strconv.Itoa(i)+n)
		}
	}
	thread, err := p.store.Thread(t.Context(), id)
	var state doc
	if err == nil {
		err = json.Unmarshal(thread.Values, &state)
	}
	if err != nil || !slices.Equal(state.Said, want) || thread.Status != runs.ThreadIdle {
		t.Errorf("thread %s is %s and has %q, %v, want %q", id, thread.Status, state.Said, err, want)
	}
}

// checkRun looks at the events of a run.
func (l *ledger) checkRun(t *testing.T, r runs.Run, events []runs.Event) {
	t.Helper()
	count := map[runs.Kind]int{}
	updates, ends := map[string]int{}, map[string]int{}
	var last doc
	for i, e := range events {
		count[e.Kind]++
		switch {
		case e.Kind == runs.KindUpdate:
			updates[e.Node]++
		case e.Kind == runs.KindTaskEnd:
			ends[e.Node]++
		case e.Kind == runs.KindEnd && i != len(events)-1:
			t.Errorf("run %s: something comes after its end", r.ID)
		case e.Kind == runs.KindValues:
			if err := json.Unmarshal(e.Data, &last); err != nil {
				t.Errorf("run %s: values that can't be read: %v", r.ID, err)
			}
		}
	}
	if begins := count[runs.KindBegin]; count[runs.KindEnd] != 1 || begins < 1 || begins > r.Attempt {
		t.Errorf("run %s has %d ends and %d beginnings after %d attempts, want one end and as many beginnings at most", r.ID, count[runs.KindEnd], begins, r.Attempt)
	}
	if n := len(last.Said); n == 0 || last.Said[n-1] != last.Name+"c" {
		t.Errorf("run %s: the last values in its log are %q, want those of its last node", r.ID, last.Said)
	}
	for _, n := range nodes {
		if updates[n] != 1 || ends[n] != 1 {
			t.Errorf("run %s, %d attempts: %d updates and %d ends of node %s in its log, want 1 of each", r.ID, r.Attempt, updates[n], ends[n], n)
		}
	}
	if count[runs.KindValues] != 4 || count[runs.KindCheckpoint] != 5 {
		t.Errorf("run %s, %d attempts: %d values and %d checkpoints in its log, want 4 and 5", r.ID, r.Attempt, count[runs.KindValues], count[runs.KindCheckpoint])
	}
	l.checkUpdates(t, r, events)
}

// checkUpdates looks at what the tasks of a run are said to have written, and at the order of that.
func (l *ledger) checkUpdates(t *testing.T, r runs.Run, events []runs.Event) {
	t.Helper()
	var wrote []string
	started := map[string]string{}
	for _, e := range events {
		var task struct {
			ID     string
			Result json.RawMessage
		}
		if e.Kind == runs.KindTask || e.Kind == runs.KindTaskEnd {
			if err := json.Unmarshal(e.Data, &task); err != nil {
				t.Errorf("run %s: a task that can't be read: %v", r.ID, err)
			}
		}
		switch {
		case e.Kind == runs.KindTask:
			started[e.Node] = task.ID
		case e.Kind == runs.KindTaskEnd:
			if task.ID != started[e.Node] {
				t.Errorf("run %s: task %q of node %s ends, want %q, which began", r.ID, task.ID, e.Node, started[e.Node])
			}
			wrote = append(wrote, "end "+string(task.Result))
		case e.Kind == runs.KindUpdate:
			wrote = append(wrote, string(e.Data))
		}
	}
	var input struct{ Name string }
	if err := json.Unmarshal(r.Kwargs.Input, &input); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, n := range nodes {
		update := `{"said":["` + input.Name + n + `"]}`
		want = append(want, "end "+update, update)
	}
	if !slices.Equal(wrote, want) {
		t.Errorf("run %s, %d attempts: its log says that there was written %q, want %q", r.ID, r.Attempt, wrote, want)
	}
}
