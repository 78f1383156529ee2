package crash_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"annai/graph"
)

// ledger is what the file of effects says, with what follows from it and what can't be.
type ledger struct {
	durability graph.Durability
	lines      []string
	size       int // bytes of the file that were read
	problems   []string

	threads  map[string]int    // their accepted turns
	touched  map[string]string // the life that last did something in each thread
	accepted map[string]bool   // turns, like all that follow by thread and name
	done     map[string]string // tasks that finished, and in which life last
	asked    map[string]string // questions that were asked, and in which life last
	kept     map[string]bool   // tasks whose writes were committed
	put      map[string]int    // by scope, the step that was committed last
	spaces   map[string]string // by scope, the namespace
	lacks    map[string]int    // by scope, the step that the store did not take last, until it is loaded or put
	reached  map[string]int    // by scope, the step whose tasks ran last
	waits    map[string]string // ids of committed questions
	given    map[string]string // answers that were given, with spaces after each
	answers  map[string]string // committed answers
	again    map[string]int    // how often tasks were done, and questions asked, that had been before
}

// outer is the scope of the steps of a thread's own graph. Those of the graph inside are counted anew in each turn, whose run is their scope.
const outer = "-"

func scopeOf(namespace, run string) string {
	if namespace == "" {
		return outer
	}
	return run
}

// task is a name taken apart.
type task struct {
	thread, run, node string
	step              int
}

func parseTask(thread, name string) task {
	f := strings.Split(strings.Split(name, "#")[0], "/")
	step, _ := strconv.Atoi(f[1])
	return task{thread: thread, run: f[0], step: step, node: f[2]}
}

func (k task) scope() string {
	if strings.HasPrefix(k.node, "sub.") {
		return k.thread + " " + k.run
	}
	return k.thread + " " + outer
}

// around is the task in which a task of the graph inside runs.
func (k task) around() string {
	turn, _ := strconv.Atoi(strings.TrimPrefix(k.run, "t"))
	return taskName(k.run, (turn-1)*stepsOfTurn+subStep, "sub", "")
}

func newLedger(d graph.Durability) *ledger {
	return &ledger{
		durability: d, threads: map[string]int{}, touched: map[string]string{}, accepted: map[string]bool{}, done: map[string]string{},
		asked: map[string]string{}, kept: map[string]bool{}, put: map[string]int{}, spaces: map[string]string{}, lacks: map[string]int{}, reached: map[string]int{},
		waits: map[string]string{}, given: map[string]string{}, answers: map[string]string{}, again: map[string]int{},
	}
}

// read takes in what was written since the last time, but for a line that a kill cut short.
func (l *ledger) read(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "effects"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	news := text[l.size:]
	news = news[:bytes.LastIndexByte(news, '\n')+1]
	l.size += len(news)
	for line := range strings.Lines(string(news)) {
		line = strings.TrimSuffix(line, "\n")
		l.lines = append(l.lines, line)
		if !strings.HasSuffix(line, cutShort) {
			l.take(line)
		}
	}
	for _, p := range l.problems {
		t.Error(p)
	}
}

func (l *ledger) tail(n int) string { return strings.Join(l.lines[max(0, len(l.lines)-n):], "\n") }

// take takes in a line: life, what, thread, name, and more.
func (l *ledger) take(line string) {
	f := append(strings.Fields(line), "", "", "")
	life, what, thread, name, more := f[0], f[1], f[2], f[3], f[4]
	l.threads[thread] += 0
	l.touched[thread] = life
	about := thread + " " + name
	problem := ""
	switch what {
	case "accepted":
		problem = l.accept(thread, about)
	case "done", "asks", "fails":
		problem = l.ran(life, what, thread, name)
	case "kept":
		l.kept[about] = true
	case "put":
		l.put[about], _ = strconv.Atoi(more)
		delete(l.lacks, about)
		known, ok := l.spaces[about]
		if ok && known != f[5] && l.durability != graph.DurabilityExit { // where each record is a branch
			problem = "its namespace was " + known
		}
		l.spaces[about] = f[5]
	case "heard", "ended":
		problem = l.heard(what, about, more)
	case "gives":
		l.given[about] += more + " "
	case "refused":
		l.refused(thread, name, more)
	case "waits":
		problem = l.asks(about, more)
	case "told":
		problem = cmp.Or(l.toldOf(life, about), l.asks(about, more))
	case "answered":
		problem = l.answered(about, more)
	default:
		problem = "no such line"
	}
	if problem != "" {
		l.problems = append(l.problems, fmt.Sprintf("%q: %s", line, problem))
	}
}

func (l *ledger) accept(thread, about string) string {
	if l.accepted[about] {
		return "an accepted run was lost and begun again"
	}
	l.accepted[about] = true
	l.threads[thread]++
	return ""
}

// ran takes in that a task came to its end, to a question or to a failure.
func (l *ledger) ran(life, what, thread, name string) string {
	k, about := parseTask(thread, name), thread+" "+name
	if l.settled(k, strings.Split(name, "#")[0]) {
		return "it was committed before"
	}
	if behind := l.reached[k.scope()] - k.step; behind > l.mayBeBehind() {
		return fmt.Sprintf("it runs though step %d has run before", l.reached[k.scope()])
	}
	l.reached[k.scope()] = max(l.reached[k.scope()], k.step)
	before := map[string]map[string]string{"done": l.done, "asks": l.asked}[what]
	if before == nil {
		return ""
	}
	last, again := before[about]
	before[about] = life
	if l.lost(k, strings.Split(name, "#")[0]) {
		before[about] = lostLife
	}
	switch {
	case what == "asks" && l.waits[about] != "":
		return "it was committed before"
	case last == life:
		return "twice in one life"
	case again:
		l.again[what]++
	}
	return ""
}

// settled reports whether the task must never run again.
func (l *ledger) settled(k task, name string) bool {
	step, put := l.put[k.scope()]
	switch {
	case l.kept[k.thread+" "+name], put && k.step <= step:
		return true
	case strings.HasPrefix(k.node, "sub."):
		around := k.around()
		return l.settled(parseTask(k.thread, around), around)
	}
	return false
}

// mayBeBehind is by how many steps a task may be behind those that ran already.
func (l *ledger) mayBeBehind() int {
	return map[graph.Durability]int{graph.DurabilitySync: 0, graph.DurabilityAsync: 1, graph.DurabilityExit: stepsOfTurn}[l.durability]
}

// heard takes in that somebody heard of a step, or of the end of a run.
func (l *ledger) heard(what, scope, step string) string {
	heard, _ := strconv.Atoi(step)
	behind := l.mayBeBehind()
	if what == "ended" {
		behind = 0
	}
	if put, ok := l.put[scope]; (!ok || heard-put > behind) && behind < stepsOfTurn {
		return fmt.Sprintf("somebody was told, but only step %d was committed (%t)", put, ok)
	}
	return ""
}

// refused takes in that the store did not take what a task left, or a step of a scope: what was done there is done again, even in the same life.
func (l *ledger) refused(thread, name, step string) {
	switch {
	case l.durability == graph.DurabilityExit:
		l.lacks[thread+" "+outer] = 0 // whatever it was, what comes after it was not even tried
	case step != "":
		l.lacks[thread+" "+name], _ = strconv.Atoi(step)
	}
	for _, lives := range []map[string]string{l.done, l.asked} {
		for about := range lives {
			task := strings.Split(about, "#")[0]
			if of, task, _ := strings.Cut(task, " "); of == thread && (task == name || l.lost(parseTask(thread, task), task)) {
				lives[about] = lostLife
			}
		}
	}
}

// lostLife stands for the life in which something was done that was not committed then.
const lostLife = "lost"

// lost reports whether a task is done again because the store did not take a step: in async durability with what ran meanwhile, and in exit
// with all that was not committed.
func (l *ledger) lost(k task, name string) bool {
	if l.durability == graph.DurabilityExit {
		_, lacks := l.lacks[k.thread+" "+outer]
		return lacks && !l.settled(k, name)
	}
	step, lacks := l.lacks[k.scope()]
	return lacks && k.step >= step && k.step <= step+l.mayBeBehind()
}

// asks takes in that a question was committed.
func (l *ledger) asks(question, id string) string {
	if known := l.waits[question]; known != "" && known != id {
		return "its id was " + known
	}
	l.waits[question] = id
	return ""
}

// toldOf takes in that somebody was told of a question. If it was asked in an earlier life a kill may have come before the line that says that
// it was committed.
func (l *ledger) toldOf(life, question string) string {
	if l.waits[question] == "" && l.asked[question] == life {
		return "somebody was told of a question that was not committed"
	}
	return ""
}

func (l *ledger) answered(question, answer string) string {
	if known := l.answers[question]; known != "" && known != answer {
		return "its answer was " + known
	}
	if !l.gave(question, answer) {
		return "the answers that were given are " + l.given[question]
	}
	l.answers[question] = answer
	return ""
}

// gave reports whether an answer is the one that was given last.
func (l *ledger) gave(question, answer string) bool {
	return strings.HasSuffix(l.given[question], answer+" ")
}

// right checks the state of a thread that ended against what its turns must have done, in order.
func (l *ledger) right(t *testing.T, thread string, state doc) {
	t.Helper()
	r := reader{ledger: l, thread: thread, said: state.Log}
	for turn := 1; turn <= state.Turn; turn++ {
		r.turn(turn)
	}
	for _, p := range r.problems {
		t.Error(p)
	}
	if len(r.said) > 0 || r.sum != state.Sum {
		t.Errorf("thread %s has %d words too many, %q, and the sum %d, want %d", thread, len(r.said), r.said, state.Sum, r.sum)
	}
	if state.Turn > 0 && (state.Draft != draftOf(state.Turn) || state.Scan != scanned) {
		t.Errorf("thread %s has a draft of %d bytes and a scan of %d, want %d and %d", thread,
			len(state.Draft), len(state.Scan), len(draftOf(state.Turn)), len(scanned))
	}
}

// reader reads what was said in a thread.
type reader struct {
	*ledger

	thread   string
	run      string
	said     []string
	sum      int
	problems []string
}

// turn reads what a turn must have said.
func (r *reader) turn(turn int) {
	r.run = fmt.Sprint("t", turn)
	step := (turn-1)*stepsOfTurn + 1
	r.next(step, "plan", "", 0, turn)
	r.next(step+1, "ask", "", 2, turn)
	r.next(1, "sub.first", "", 0, turn)
	r.next(2, "sub.query", "", 1, turn)
	r.next(2, "sub.part", "0", 0, 0)
	r.next(2, "sub.part", "1", 1, 1)
	r.next(3, "sub.last", "", 0, turn)
	if turn%2 == 0 {
		r.next(step+1, "risky", "", 0, turn)
	}
	for i := range width(turn) {
		r.next(step+1, "work", strconv.Itoa(i), 0, i)
	}
	r.next(step+1, "approve", "0", 1, 0)
	r.next(step+1, "approve", "1", 1, 1)
	r.next(step+2, "recheck", "", 0, turn)
	if turn%2 == 1 {
		r.next(step+2, "repair", "0", 0, 1)
	}
	r.next(step+3, "gather", "", 0, turn)
	r.next(step+4, "close", "", 0, turn)
	r.next(step+5, "sign", "", 1, turn)
}

// next reads what a task must have said, with the answers that it must have got.
func (r *reader) next(step int, node, input string, questions, n int) {
	r.sum += n
	name := taskName(r.run, step, node, input)
	problem := func(format string, args ...any) { r.problems = append(r.problems, fmt.Sprintf(format, args...)) }
	if len(r.said) == 0 {
		problem("thread %s ends before %s", r.thread, name)
		return
	}
	words := strings.Fields(r.said[0])
	r.said = r.said[1:]
	if words[0] != node+input || len(words) != 1+questions {
		problem("thread %s did %q, want %s with %d answers", r.thread, words, name, questions)
		return
	}
	for q, got := range words[1:] {
		question := r.thread + " " + questionName(name, q)
		if !r.gave(question, got) {
			problem("question %s got the answer %s, want the last one of those given: %s", question, got, r.given[question])
		}
	}
}
