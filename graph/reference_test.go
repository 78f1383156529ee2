package graph_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"annai/graph"
)

// board is the state of random graphs: one field for each reducer.
type board struct {
	Last  string
	Log   []string
	Total int
	Seen  []int
	Items []boardItem
	Draft string // ephemeral
}

type boardItem struct{ ID, Text string }

func (b board) String() string {
	return fmt.Sprintf("last=%s log=%v total=%d seen=%v items=%v draft=%s", b.Last, b.Log, b.Total, b.Seen, b.Items, b.Draft)
}

// A blueprint is a graph as plain data. The engine is given it as a StateGraph; the reference reads it as it is.
type blueprint struct {
	nodes         []*blueNode
	start         *blueNode // only its edges and routes count
	joins         []blueJoin
	before, after []string
	limit         int
	// shells says that some nodes are subgraphs in the engine.
	shells bool
}

type blueNode struct {
	name string
	// takesInput says that the node reads the input of a send and not the state.
	takesInput bool
	edges      []string
	routes     []*blueRoute
	// goTos and sendTos are where the node's commands may lead.
	goTos, sendTos []string
	writes         []string // channels
	questions      int
	fails          failure // the first time
	defers         bool
}

type failure string

const (
	failsNever   failure = ""
	failsError   failure = "error"
	failsPanic   failure = "panic"
	failsCancels failure = "cancels the run"
)

type blueRoute struct {
	name             string
	targets, sendTos []string
	fails            bool // the first time
}

type blueJoin struct {
	from []string
	to   string
}

// edit is a write to a channel. Value has the type of the channel's updates.
type edit struct {
	channel string
	value   any
}

func (e edit) String() string { return fmt.Sprintf("%s=%v", e.channel, e.value) }

// errand is a send. The input matters only to nodes that take one.
type errand struct {
	node  string
	input int
}

// wish is what a node wants.
type wish struct {
	asks  string
	edits []edit
	goTo  string
	sends []errand
}

// dice make behaviour a function of what was seen: whoever sees another state soon does something else.
func dice(seen ...any) *rand.Rand {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, seen...)
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

// some returns up to n different elements of list.
func some[T any](r *rand.Rand, list []T, n int) (out []T) {
	for _, i := range r.Perm(len(list))[:min(len(list), r.IntN(n+1))] {
		out = append(out, list[i])
	}
	return out
}

// behave is what a node of a blueprint does, in the engine and in the reference.
func (n *blueNode) behave(s board, input int, answers []string) wish {
	r := dice(n.name, s, input, answers)
	if len(answers) < n.questions {
		return wish{asks: fmt.Sprintf("%s asks %d: %d?", n.name, len(answers), r.IntN(1000))}
	}
	var w wish
	for _, channel := range n.writes {
		if r.IntN(4) > 0 {
			w.edits = append(w.edits, randomEdit(r, channel, n.name))
		}
	}
	if len(n.goTos) > 0 && r.IntN(2) == 0 {
		w.goTo = n.goTos[r.IntN(len(n.goTos))]
	}
	switch { // the input of a send counts down, so that a fan-out ends
	case !n.takesInput:
		w.sends = randomErrands(r, n.sendTos, 2)
	case input > 0:
		w.sends = randomErrands(r, n.sendTos, input)
	}
	return w
}

// choose is what a route does: labels, and errands.
func (b *blueRoute) choose(s board) ([]string, []errand) {
	r := dice(b.name, s)
	return some(r, b.targets, 2), randomErrands(r, b.sendTos, 2)
}

func randomErrands(r *rand.Rand, nodes []string, below int) (out []errand) {
	if len(nodes) == 0 {
		return nil
	}
	for range r.IntN(4) {
		out = append(out, errand{node: nodes[r.IntN(len(nodes))], input: r.IntN(below)})
	}
	return out
}

// randomEdit writes to the channel, by whom so that order can be seen.
func randomEdit(r *rand.Rand, channel, by string) edit {
	word := fmt.Sprint(by, "·", r.IntN(1000))
	switch channel {
	case "last", "draft":
		return edit{channel, word}
	case "log":
		return edit{channel, []string{word, "木"}[:r.IntN(3)]}
	case "total":
		return edit{channel, r.IntN(10) - 3}
	case "seen":
		return edit{channel, []int{r.IntN(9), r.IntN(9), r.IntN(9)}[:r.IntN(4)]}
	case "items":
		id := func() string { return string(rune('a' + r.IntN(5))) }
		m := graph.Merge[boardItem]{Overwrite: r.IntN(8) == 0}
		for range r.IntN(3) {
			m.Remove = append(m.Remove, id())
		}
		for range r.IntN(4) {
			m.Put = append(m.Put, boardItem{ID: id(), Text: word})
		}
		return edit{channel, m}
	default:
		panic("no channel " + channel)
	}
}

// reference is an interpreter of blueprints, written to be read: one goroutine, no checkpoints, every value a plain one. It says
// what the engine must do. Failures do not happen in it: that a run which failed and was continued is one that did not fail is
// what it is there to show.
type reference struct {
	plan  *blueprint
	state board
	step  int
	// tasks run next. Arrived are the sources that reached each join.
	tasks   []*refTask
	arrived map[int][]string
	// deferred are the nodes that wait until nothing else is left.
	deferred []string
	// counted are the supersteps since the run was begun or continued.
	counted int
	// tripped are the nodes and routes that fail the first time and had it. A run that fails counts its supersteps anew.
	tripped map[string]bool

	turn   int
	lines  []string       // what a listener heard since the last outcome
	values []string       // what every checkpoint of the thread holds
	ran    map[string]int // how often tasks finished
	twice  map[string]int // how often a lone task may have finished again, because the superstep could not be ended
}

type refTask struct {
	node    *blueNode
	input   int
	asks    string // the open question
	answers []string
	done    bool
	wish    wish
}

func newReference(plan *blueprint) *reference {
	return &reference{plan: plan, arrived: map[int][]string{}, tripped: map[string]bool{}, ran: map[string]int{}, twice: map[string]int{}}
}

func (r *reference) start(edits []edit, stopAt int) outcome {
	r.turn++
	r.arrived, r.deferred = map[int][]string{}, nil
	r.state.Draft = ""
	r.state = reduced(r.state, edits)
	r.tasks = r.follow(r.state, []*refTask{{node: r.plan.start}})
	r.keep()
	r.heard("=", r.state)
	return r.run(stopAt, false)
}

func (r *reference) resume(answers map[int]string, stopAt int) outcome {
	open := 0
	for _, t := range r.tasks {
		if t.asks == "" {
			continue
		}
		if answer, ok := answers[open]; ok {
			t.answers, t.asks = append(t.answers, answer), ""
		}
		open++
	}
	return r.run(stopAt, true)
}

func (r *reference) goOn(stopAt int) outcome { return r.run(stopAt, true) }

func (r *reference) update(edits []edit, asNode string) outcome {
	r.state = reduced(r.state, edits)
	if asNode != "" {
		r.tasks = r.follow(r.state, []*refTask{{node: r.plan.find(asNode)}})
	}
	r.step++
	r.keep()
	return r.outcome("updated", false)
}

// run makes supersteps until the end, a question, a pause, the limit, two writers of one value, or until nobody listens any more.
func (r *reference) run(stopAt int, continued bool) outcome {
	r.counted = 0
	for len(r.tasks) > 0 {
		if r.counted == r.plan.limit {
			return r.outcome("refused", false)
		}
		if !continued && among(r.tasks, r.plan.before) {
			return r.outcome("paused", true)
		}
		continued = false
		if r.runTasks() {
			return r.outcome("asked", true)
		}
		if r.twoWriters() {
			return r.outcome("refused", false)
		}
		ended := r.tasks
		r.endStep()
		if r.step == stopAt {
			r.lines = r.lines[:len(r.lines)-len(ended)+1]
			return r.outcome("stopped", false)
		}
		r.heard("=", r.state)
		if among(ended, r.plan.after) && len(r.tasks) > 0 {
			return r.outcome("paused", true)
		}
	}
	return r.outcome("ended", true)
}

// runTasks runs what can run, and reports whether a question is open.
func (r *reference) runTasks() (asked bool) {
	for _, t := range r.tasks {
		if t.node.fails != failsNever && !r.tripped[t.node.name] {
			r.tripped[t.node.name] = true
			r.counted = 0
		}
		if !t.done && t.asks == "" {
			seen := r.state
			if t.node.takesInput {
				seen = board{}
			}
			t.wish = t.node.behave(seen, t.input, t.answers)
			t.asks = t.wish.asks
			t.done = t.asks == ""
			if t.done {
				r.ran[t.key(r.turn)]++
			}
		}
		asked = asked || !t.done
	}
	return asked
}

func (t *refTask) key(turn int) string { return taskKey(turn, t.node.name, t.input) }

func taskKey(turn int, node string, input int) string { return fmt.Sprint(turn, " ", node, " ", input) }

func (r *reference) twoWriters() bool {
	writers := map[string]int{}
	for _, t := range r.tasks {
		for _, channel := range []string{"last", "draft"} {
			if slices.ContainsFunc(t.wish.edits, func(e edit) bool { return e.channel == channel }) {
				writers[channel]++
			}
		}
	}
	return writers["last"] > 1 || writers["draft"] > 1
}

// endStep applies what the tasks wrote, in task order, and finds what runs next.
func (r *reference) endStep() {
	ended := r.tasks
	for _, t := range ended {
		r.state = reduced(r.state, t.wish.edits)
	}
	r.tasks = r.follow(r.state, ended)
	r.step++
	r.counted++
	for _, t := range ended {
		r.lines = append(r.lines, heardUpdate(r.step, t.node.name, t.wish.edits))
	}
	r.keep()
}

func heardUpdate(step int, node string, edits []edit) string {
	return fmt.Sprint(step, " ", node, " ", edits)
}

func (r *reference) heard(what string, value any) {
	r.lines = append(r.lines, fmt.Sprint(r.step, " ", what, " ", value))
}

// follow finds what runs after these tasks: nodes that read the state once each and in the order of the blueprint, then sends as
// they were made.
func (r *reference) follow(s board, ended []*refTask) []*refTask {
	wanted := map[string]bool{}
	var sent []*refTask
	send := func(errands []errand) {
		for _, e := range errands {
			if n := r.plan.find(e.node); n != nil && n.takesInput {
				sent = append(sent, &refTask{node: n, input: e.input})
			} else {
				wanted[e.node] = true
			}
		}
	}
	for _, t := range ended {
		for _, to := range t.node.edges {
			wanted[to] = true
		}
		for i, j := range r.plan.joins {
			if !slices.Contains(j.from, t.node.name) {
				continue
			}
			if !slices.Contains(r.arrived[i], t.node.name) {
				r.arrived[i] = append(r.arrived[i], t.node.name)
			}
			if len(r.arrived[i]) == len(j.from) {
				r.arrived[i] = nil
				wanted[j.to] = true
			}
		}
		for _, route := range t.node.routes {
			r.trip(route, ended)
			labels, errands := route.choose(s)
			for _, label := range labels {
				wanted[label] = true
			}
			send(errands)
		}
		wanted[t.wish.goTo] = true
		send(t.wish.sends)
	}
	var next []*refTask
	for _, n := range r.plan.nodes {
		switch {
		case wanted[n.name] && n.defers && !slices.Contains(r.deferred, n.name):
			r.deferred = append(r.deferred, n.name)
		case wanted[n.name] && !n.defers:
			next = append(next, &refTask{node: n})
		}
	}
	next = append(next, sent...)
	if len(next) > 0 {
		return next
	}
	for _, n := range r.plan.nodes {
		if slices.Contains(r.deferred, n.name) {
			next = append(next, &refTask{node: n})
		}
	}
	r.deferred = nil
	return next
}

// trip notes that a route fails the first time. What its superstep's tasks did is kept, but not that of a task that was alone.
func (r *reference) trip(route *blueRoute, ended []*refTask) {
	if !route.fails || r.tripped[route.name] {
		return
	}
	r.tripped[route.name] = true
	r.counted = 0
	if len(ended) == 1 {
		r.twice[ended[0].key(r.turn)]++
	}
}

func (b *blueprint) find(name string) *blueNode {
	for _, n := range b.nodes {
		if n.name == name {
			return n
		}
	}
	return nil
}

func among(tasks []*refTask, names []string) bool {
	return slices.ContainsFunc(tasks, func(t *refTask) bool { return slices.Contains(names, t.node.name) })
}

// kept is the state as a checkpoint has it: a thread that waits for nothing forgets what only its run was about.
func (r *reference) kept() board {
	kept := r.state
	if len(r.tasks) == 0 {
		kept.Draft = ""
	}
	return kept
}

func (r *reference) next() (names []string) {
	for _, t := range r.tasks {
		names = append(names, t.node.name)
	}
	return names
}

// keep notes a checkpoint.
func (r *reference) keep() { r.values = append(r.values, fmt.Sprint(r.step, r.next(), r.kept())) }

func (r *reference) outcome(kind string, result bool) outcome {
	o := outcome{Kind: kind, Kept: r.kept().String(), Step: r.step, Next: r.next(), Heard: r.lines}
	for _, t := range r.tasks {
		if t.asks != "" {
			o.Asked = append(o.Asked, t.asks)
		}
	}
	if result {
		o.State, o.Steps = r.state.String(), r.counted
	}
	r.state = r.kept()
	r.lines = nil
	return o
}

// reduced returns the state with the edits in it. It changes nothing it was given.
func reduced(s board, edits []edit) board {
	for _, e := range edits {
		switch v := e.value.(type) {
		case string:
			if e.channel == "last" {
				s.Last = v
			} else {
				s.Draft = v
			}
		case []string:
			s.Log = slices.Concat(s.Log, v)
		case int:
			s.Total += v
		case []int:
			s.Seen = slices.Clone(s.Seen)
			for _, n := range v {
				if !slices.Contains(s.Seen, n) {
					s.Seen = append(s.Seen, n)
				}
			}
		case graph.Merge[boardItem]:
			s.Items = merged(s.Items, v)
		default:
			panic(fmt.Sprintf("an edit of type %T", v))
		}
	}
	return s
}

func merged(items []boardItem, m graph.Merge[boardItem]) (out []boardItem) {
	for _, item := range items {
		if !m.Overwrite && !slices.Contains(m.Remove, item.ID) {
			out = append(out, item)
		}
	}
	for _, item := range m.Put {
		if i := slices.IndexFunc(out, func(o boardItem) bool { return o.ID == item.ID }); i >= 0 {
			out[i] = item
		} else {
			out = append(out, item)
		}
	}
	return out
}
