package graph_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
	"annai/storage/sqlite"
)

var (
	propertySeed   = flag.Uint64("property.seed", 0, "try only the random graph of this seed")
	propertyGraphs = flag.Int("property.graphs", 500, "how many random graphs are tried")
)

// An outcome is what can be seen of one call on a thread.
type outcome struct {
	// Kind is ended, asked, paused, stopped (nobody listens any more), refused (ErrInvalid) or updated.
	Kind string
	// State is the result's, Kept the newest checkpoint's. Steps are those since the run was begun or continued.
	State, Kept string
	Step, Steps int
	Next, Asked []string
	// Heard are the updates and values that were streamed.
	Heard []string
}

// A machine is a thread on the engine or on the reference. A call stops listening at the first update of superstep stopAt, if it comes
// to that.
type machine interface {
	start(edits []edit, stopAt int) outcome
	// resume answers open questions, by their places.
	resume(answers map[int]string, stopAt int) outcome
	goOn(stopAt int) outcome
	update(edits []edit, asNode string) outcome
}

// play makes random calls. Which ones depends on the outcomes so far, so that two machines that do the same are asked the same.
func play(r *rand.Rand, plan *blueprint, m machine) (all []outcome) {
	var last outcome
	for range 3 + r.IntN(6) {
		stopAt := 0
		if r.IntN(4) == 0 && !plan.shells {
			stopAt = last.Step + 1 + r.IntN(3)
		}
		dice := r.IntN(20)
		switch {
		case len(all) == 0, len(last.Next) == 0 && dice > 0, dice == 1:
			last = m.start(randomEdits(r), stopAt)
		case dice < 4:
			last = m.update(randomEdits(r), randomStateNode(r, plan))
		case len(last.Asked) > 0 && dice < 18:
			last = m.resume(randomAnswers(r, len(last.Asked)), stopAt)
		default:
			last = m.goOn(stopAt)
		}
		all = append(all, last)
	}
	return all
}

// randomEdits is what comes from outside.
func randomEdits(r *rand.Rand) []edit {
	out := []edit{}
	for _, channel := range some(r, boardChannels, 3) {
		out = append(out, randomEdit(r, channel, "人"))
	}
	return out
}

// randomAnswers answers all of the open questions, or about half.
func randomAnswers(r *rand.Rand, open int) map[int]string {
	answers := map[int]string{r.IntN(open): "はい"}
	all := r.IntN(2) == 0
	for i := range open {
		if all || r.IntN(3) == 0 {
			answers[i] = fmt.Sprint("答え", r.IntN(100))
		}
	}
	return answers
}

// randomStateNode returns the name of a node, or "" for what runs next stays as it is.
func randomStateNode(r *rand.Rand, plan *blueprint) string {
	n := plan.nodes[r.IntN(len(plan.nodes))]
	switch {
	case plan.shells: // a subgraph that is open has the state as it was before the update
		return plan.nodes[0].name
	case n.takesInput || r.IntN(2) == 0:
		return ""
	default:
		return n.name
	}
}

var boardChannels = []string{"last", "log", "total", "seen", "items", "draft"}

// randomBlueprint makes a graph that compiles.
func randomBlueprint(r *rand.Rand) *blueprint {
	plan := &blueprint{start: &blueNode{name: graph.Start}, limit: 3 + r.IntN(10)}
	for i := range 2 + r.IntN(7) {
		n := &blueNode{name: fmt.Sprint("n", i), takesInput: i > 0 && r.IntN(4) == 0}
		for _, channel := range boardChannels {
			often := 2
			if channel == "last" || channel == "draft" {
				often = 8 // two writers end the run
			}
			if r.IntN(often) == 0 {
				n.writes = append(n.writes, channel)
			}
		}
		if r.IntN(3) == 0 {
			n.questions = 1 + r.IntN(2)
		}
		if r.IntN(5) == 0 {
			n.fails = []failure{failsError, failsPanic, failsCancels}[r.IntN(3)]
		}
		n.defers = !n.takesInput && r.IntN(8) == 0
		plan.nodes = append(plan.nodes, n)
	}
	plan.connect(r)
	plan.shells = r.IntN(3) == 0
	if r.IntN(6) == 0 {
		plan.before = []string{plan.nodes[r.IntN(len(plan.nodes))].name}
	}
	if r.IntN(6) == 0 {
		plan.after = []string{plan.nodes[r.IntN(len(plan.nodes))].name}
	}
	return plan
}

// connect leads to every node from one before it, adds some ways across and back, and an end where there is none.
func (b *blueprint) connect(r *rand.Rand) {
	for i, n := range b.nodes {
		from := b.start
		if i > 0 && r.IntN(4) > 0 {
			from = b.nodes[r.IntN(i)]
		}
		from.lead(r, n)
	}
	for range r.IntN(len(b.nodes)) {
		b.nodes[r.IntN(len(b.nodes))].lead(r, b.nodes[r.IntN(len(b.nodes))])
	}
	for range r.IntN(3) {
		to := b.nodes[r.IntN(len(b.nodes))]
		from := namesOf(some(r, b.nodes, 3))
		if len(from) > 1 && !to.takesInput {
			b.joins = append(b.joins, blueJoin{from: from, to: to.name})
		}
	}
	for _, n := range b.nodes {
		if len(n.edges)+len(n.goTos)+len(n.sendTos)+len(n.routes) == 0 || r.IntN(4) == 0 {
			n.edges = append(n.edges, graph.End)
		}
	}
}

func namesOf(nodes []*blueNode) (out []string) {
	for _, n := range nodes {
		out = append(out, n.name)
	}
	return out
}

// lead makes a way from n to another node.
func (n *blueNode) lead(r *rand.Rand, to *blueNode) {
	add := func(list *[]string) {
		if !slices.Contains(*list, to.name) {
			*list = append(*list, to.name)
		}
	}
	way := r.IntN(5)
	switch {
	case to.takesInput && (way < 3 || n.takesInput) && n.name != graph.Start:
		add(&n.sendTos)
	case to.takesInput:
		add(&n.route(r).sendTos)
	case way < 2:
		add(&n.edges)
	case way == 2 && n.name != graph.Start:
		add(&n.goTos)
	case way == 3 && n.name != graph.Start:
		add(&n.sendTos) // without an input
	default:
		add(&n.route(r).targets)
	}
}

// route returns one of at most two routes of the node.
func (n *blueNode) route(r *rand.Rand) *blueRoute {
	if i := r.IntN(2); i < len(n.routes) {
		return n.routes[i]
	}
	b := &blueRoute{name: fmt.Sprint("route ", len(n.routes), " of ", n.name), fails: r.IntN(8) == 0 && n.name != graph.Start}
	if r.IntN(2) == 0 {
		b.targets = []string{graph.End}
	}
	n.routes = append(n.routes, b)
	return b
}

var (
	boards      = graph.NewSchema[board]()
	boardWrites = map[string]func(value any) graph.Write[board]{
		"last":  writes(graph.Last(boards, "last", func(b *board) *string { return &b.Last })),
		"log":   writes(graph.Append(boards, "log", func(b *board) *[]string { return &b.Log })),
		"total": writes(graph.Sum(boards, "total", func(b *board) *int { return &b.Total })),
		"seen":  writes(graph.Set(boards, "seen", func(b *board) *[]int { return &b.Seen })),
		"items": writes(graph.MergeByID(boards, "items", func(b *board) *[]boardItem { return &b.Items }, func(i boardItem) string { return i.ID })),
		"draft": writes(graph.Ephemeral(boards, "draft", func(b *board) *string { return &b.Draft })),
	}
)

func writes[U any](c graph.Channel[board, U]) func(any) graph.Write[board] {
	return func(value any) graph.Write[board] { return c.Write(value.(U)) }
}

func updateOf(edits []edit) graph.Update[board] {
	u := graph.Update[board]{}
	for _, e := range edits {
		u = append(u, boardWrites[e.channel](e.value))
	}
	return u
}

func editsOf(u graph.Update[board]) []edit {
	var out []edit
	for _, w := range u {
		out = append(out, edit{w.Channel(), w.Value()})
	}
	return out
}

// errFirst is why something fails the first time.
var errFirst = errors.New("the first time fails")

// engine is a thread of a blueprint on the real engine. After a failure it continues the run, so that nothing of it can be seen.
type engine struct {
	t      *testing.T
	plan   *blueprint
	opts   graph.Options
	thread string
	rng    *rand.Rand // for what must make no difference

	compiled *graph.Graph[board]
	open     []graph.Interrupt
	asked    map[string]string // all questions so far by their ids
	turn     int
	cancel   context.CancelFunc
	// forgets says that older checkpoints may be forgotten.
	forgets bool

	mu      sync.Mutex
	tripped map[string]bool
	ran     map[string]int
}

// compile makes the graph anew: nothing may live in memory only.
func (e *engine) compile() {
	g := graph.New(boards)
	for _, n := range e.plan.nodes {
		opts := graph.NodeOptions{Destinations: slices.Concat(n.goTos, n.sendTos)}
		if n.takesInput {
			graph.AddInputNode(g, n.name, func(ctx context.Context, input int) (graph.Command[board], error) {
				return e.call(ctx, n, board{}, input)
			}, opts)
			continue
		}
		opts.Defer = n.defers
		if e.plan.shells && len(n.goTos)+len(n.sendTos) == 0 && e.rng.IntN(2) == 0 {
			e.addShell(g, n, opts)
			continue
		}
		g.AddNode(n.name, func(ctx context.Context, s board) (graph.Command[board], error) { return e.call(ctx, n, s, 0) }, opts)
	}
	for _, n := range append([]*blueNode{e.plan.start}, e.plan.nodes...) {
		for _, to := range n.edges {
			g.AddEdge(n.name, to)
		}
		for _, b := range n.routes {
			g.AddRoute(n.name, e.route(b), graph.Nodes(slices.Concat(b.targets, b.sendTos)...))
		}
	}
	for _, j := range e.plan.joins {
		g.AddJoin(j.from, j.to)
	}
	compiled, err := g.Compile(e.opts)
	if err != nil {
		e.t.Fatalf("Compile(%+v) = %v", e.plan, err)
	}
	e.compiled = compiled
}

func (e *engine) route(b *blueRoute) graph.Route[board] {
	return func(_ context.Context, s board) (graph.Next, error) {
		if b.fails && e.trips(b.name) {
			return graph.Next{}, errFirst
		}
		labels, errands := b.choose(s)
		var next graph.Next
		if len(labels) > 0 {
			next = graph.To(labels[0], labels[1:]...)
		}
		next.Sends = e.sends(errands)
		return next, nil
	}
}

// trips reports whether this is the first time for what fails the first time.
func (e *engine) trips(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := !e.tripped[name]
	e.tripped[name] = true
	return first
}

// call is the body of a node.
func (e *engine) call(ctx context.Context, n *blueNode, s board, input int) (graph.Command[board], error) {
	w, _, err := e.think(ctx, n, s, input)
	switch {
	case err != nil:
		return graph.Command[board]{}, err
	case w.asks != "":
		return graph.Command[board]{Interrupt: &graph.Interrupt{Question: w.asks}}, nil
	default:
		return graph.Command[board]{Update: updateOf(w.edits), Goto: w.goTo, Sends: e.sends(w.sends)}, nil
	}
}

// think finds what a node wants, with the answers that it had.
func (e *engine) think(ctx context.Context, n *blueNode, s board, input int) (wish, []string, error) {
	if stopAt, _ := graph.RunContext[int](ctx); stopAt > 0 && graph.RuntimeOf(ctx).Step > stopAt {
		<-ctx.Done() // the reader is about to leave: it heard the superstep before
		return wish{}, nil, context.Cause(ctx)
	}
	if n.fails != failsNever && e.trips(n.name) {
		if n.fails == failsPanic {
			panic(errFirst)
		}
		if n.fails == failsCancels {
			e.cancel()
		}
		return wish{}, nil, errFirst
	}
	var answers []string
	for {
		var reply string
		ok, err := graph.Answer(ctx, len(answers), &reply)
		if err != nil {
			return wish{}, nil, err
		}
		if !ok {
			break
		}
		answers = append(answers, reply)
	}
	w := n.behave(s, input, answers)
	s.Log = append(s.Log, "only here") // a node may append to its own copy
	for range dice(n.name, input).IntN(4) {
		runtime.Gosched() // finish in another order than begun
	}
	if w.asks == "" {
		e.mu.Lock()
		e.ran[taskKey(e.turn, n.name, input)]++
		e.mu.Unlock()
	}
	return w, answers, nil
}

// shell is the state of a subgraph with one node: what the node sees, and what it was answered.
type shell struct {
	Board   board
	Answers []string
	Tail    int
}

var (
	shells       = graph.NewSchema[shell]()
	shellBoard   = graph.Last(shells, "board", func(s *shell) *board { return &s.Board })
	shellAnswers = graph.Append(shells, "answers", func(s *shell) *[]string { return &s.Answers })
	shellTail    = graph.Sum(shells, "tail", func(s *shell) *int { return &s.Tail })
)

// addShell adds a subgraph that does what the node does, which must make no difference. It has two nodes side by side, so that one of them has
// finished when the other asks or fails.
func (e *engine) addShell(g *graph.StateGraph[board], n *blueNode, opts graph.NodeOptions) {
	inner := graph.New(shells)
	inner.AddNode(n.name, func(ctx context.Context, s shell) (graph.Command[shell], error) {
		w, answers, err := e.think(ctx, n, s.Board, 0)
		switch {
		case err != nil:
			return graph.Command[shell]{}, err
		case w.asks != "":
			return graph.Command[shell]{Interrupt: &graph.Interrupt{Question: w.asks}}, nil
		default:
			return graph.Command[shell]{Update: graph.Update[shell]{shellAnswers.Write(answers)}}, nil
		}
	})
	inner.AddNode("tail", func(context.Context, shell) (graph.Command[shell], error) {
		return graph.Command[shell]{Update: graph.Update[shell]{shellTail.Write(1)}}, nil
	})
	for _, name := range []string{n.name, "tail"} {
		inner.AddEdge(graph.Start, name)
		inner.AddEdge(name, graph.End)
	}
	compiled, err := inner.Compile(graph.Options{Name: "shell"})
	if err != nil {
		e.t.Fatalf("Compile(shell) = %v", err)
	}
	graph.AddSubgraph(g, n.name, compiled,
		func(s board) graph.Update[shell] { return graph.Update[shell]{shellBoard.Write(s)} },
		func(s board, in shell) graph.Update[board] {
			if in.Tail != 1 {
				e.t.Errorf("the node beside %s in its subgraph counts %d, want 1", n.name, in.Tail)
			}
			return updateOf(n.behave(s, 0, in.Answers).edits)
		}, opts)
}

func (e *engine) sends(errands []errand) (out []graph.Send) {
	for _, errand := range errands {
		s := graph.Send{Node: errand.node}
		if e.plan.find(errand.node).takesInput {
			s.Input = errand.input
		}
		out = append(out, s)
	}
	return out
}

func (e *engine) start(edits []edit, stopAt int) outcome {
	e.turn++
	return e.run(graph.Input[board]{Update: updateOf(edits)}, stopAt)
}

func (e *engine) goOn(stopAt int) outcome { return e.run(graph.Input[board]{}, stopAt) }

func (e *engine) resume(answers map[int]string, stopAt int) outcome {
	if e.rng.IntN(4) == 0 {
		e.resumeWrongly()
	}
	in := graph.Input[board]{Resume: map[string]any{}}
	for i, answer := range answers {
		id := e.open[i].ID
		if len(e.open) == 1 && e.rng.IntN(2) == 0 {
			id = ""
		}
		in.Resume[id] = answer
	}
	return e.run(in, stopAt)
}

// resumeWrongly answers what was asked long ago, which must change nothing.
func (e *engine) resumeWrongly() {
	in := graph.Input[board]{Resume: map[string]any{"none": "x"}}
	for id := range e.asked {
		if !slices.ContainsFunc(e.open, func(i graph.Interrupt) bool { return i.ID == id }) {
			in.Resume[id] = "x"
		}
	}
	if _, err := e.compiled.Invoke(e.t.Context(), in, graph.RunOptions{ThreadID: e.thread}); !errors.Is(err, fault.ErrNotFound) {
		e.t.Errorf("Invoke(%v) = %v, want ErrNotFound", in, err)
	}
}

func (e *engine) update(edits []edit, asNode string) outcome {
	for {
		if _, err := e.compiled.UpdateState(e.t.Context(), e.thread, 0, updateOf(edits), asNode); err == nil {
			return e.look(outcome{Kind: "updated"})
		} else if !errors.Is(err, errFirst) {
			e.t.Fatalf("UpdateState(%v, %q) = %v", edits, asNode, err)
		}
	}
}

// run streams until the run neither fails for the first time nor has to be continued.
func (e *engine) run(in graph.Input[board], stopAt int) outcome {
	var o outcome
	before := e.open
	idle := in.Resume == nil && in.Update == nil && len(before) > 0
	for {
		if e.rng.IntN(2) == 0 && !e.plan.shells { // what a node is does not change while it may be open
			e.compile()
		}
		e.move()
		err := e.stream(in, stopAt, &o)
		if err == nil {
			break
		}
		if !failedFirst(err) {
			if !errors.Is(err, fault.ErrInvalid) {
				e.t.Errorf("Stream(%v) = %v, want ErrInvalid if anything", in, err)
			}
			o.Kind = "refused"
			break
		}
		in = graph.Input[board]{}
	}
	o = e.look(o)
	if idle && o.Kind == "asked" {
		if diff := cmp.Diff(before, e.open); diff != "" {
			e.t.Errorf("continuing without answers asks something else:\n%s", diff)
		}
	}
	return o
}

// move does what must make no difference: it goes on in a copy of the thread, or forgets what came before.
func (e *engine) move() {
	switch e.rng.IntN(8) {
	case 0:
		to := e.thread + "'"
		if err := e.compiled.Copy(e.t.Context(), e.thread, to); errors.Is(err, fault.ErrNotFound) {
			return // nothing was begun
		} else if err != nil {
			e.t.Fatalf("Copy() = %v", err)
		}
		e.thread = to
	case 1:
		if !e.forgets {
			return
		}
		if err := e.compiled.KeepLatest(e.t.Context(), e.thread); err != nil && !errors.Is(err, fault.ErrNotFound) {
			e.t.Fatalf("KeepLatest() = %v", err)
		}
	}
}

func failedFirst(err error) bool {
	var p *graph.PanicError
	if errors.As(err, &p) {
		err, _ = p.Value.(error)
	}
	return errors.Is(err, errFirst) || errors.Is(err, context.Canceled)
}

func (e *engine) stream(in graph.Input[board], stopAt int, o *outcome) error {
	ctx, cancel := context.WithCancel(e.t.Context())
	defer cancel()
	e.cancel = cancel
	modes := []graph.Mode{graph.ModeUpdates, graph.ModeValues}
	if e.rng.IntN(2) == 0 {
		modes = append(modes, graph.ModeCustom, graph.ModeTasks)
	}
	for event, err := range e.compiled.Stream(ctx, in, graph.RunOptions{ThreadID: e.thread, Modes: modes, Context: stopAt}) {
		if err != nil {
			return err
		}
		switch event := event.(type) {
		case graph.StateEvent[board]:
			o.Heard = append(o.Heard, fmt.Sprint(event.Step, " = ", event.State))
		case graph.UpdateEvent[board]:
			o.Heard = append(o.Heard, heardUpdate(event.Step, event.Node, editsOf(event.Update)))
			if event.Step == stopAt {
				o.Kind = "stopped"
				return nil
			}
		case graph.ResultEvent[board]:
			result := event.Result
			o.State, o.Steps = result.State.String(), result.Steps
			switch {
			case len(result.Interrupts) > 0:
				o.Kind = "asked"
			case len(result.Next) > 0:
				o.Kind = "paused"
			default:
				o.Kind = "ended"
			}
		default: // only there to be listened to
		}
	}
	return nil
}

// look adds what the thread's newest checkpoint says.
func (e *engine) look(o outcome) outcome {
	c, err := e.compiled.State(e.t.Context(), e.thread, 0)
	if err != nil {
		e.t.Fatalf("State() = %v", err)
	}
	o.Kept, o.Step, o.Next = c.State.String(), c.Step, c.Next
	ids := map[string]bool{}
	for _, i := range c.Interrupts {
		question := i.Question.(string)
		if was, ok := e.asked[i.ID]; ok && was != question || ids[i.ID] {
			e.t.Errorf("interrupt %s asks %q, it asked %q before", i.ID, question, was)
		}
		ids[i.ID], e.asked[i.ID] = true, question
		o.Asked = append(o.Asked, question)
	}
	e.open = c.Interrupts
	return o
}

// values are what the checkpoints of the thread hold, oldest first.
func (e *engine) values() (out []string) {
	for c, err := range e.compiled.History(e.t.Context(), e.thread, graph.HistoryOptions{}) {
		if err != nil {
			e.t.Fatalf("History() = %v", err)
		}
		out = append(out, fmt.Sprint(c.Step, c.Next, c.State))
	}
	slices.Reverse(out)
	return out
}

// TestEngineIsTheReference runs random graphs on the engine and on the reference, which must do the same whatever runs side by side and
// wherever checkpoints are kept.
func TestEngineIsTheReference(t *testing.T) {
	disk, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "property.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	})
	if *propertySeed != 0 {
		tryBlueprint(t, *propertySeed, nil)
		tryBlueprint(t, *propertySeed, disk)
		return
	}
	var mu sync.Mutex
	kinds := map[string]int{}
	const shards = 4
	t.Run("graphs", func(t *testing.T) {
		for shard := range shards {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for seed := uint64(shard) + 1; seed <= uint64(*propertyGraphs); seed += shards {
					outcomes := tryBlueprint(t, seed, nil)
					mu.Lock()
					for _, o := range outcomes {
						kinds[o.Kind]++
					}
					mu.Unlock()
				}
				for seed := range uint64(*propertyGraphs / 500) {
					tryBlueprint(t, seed*shards+uint64(shard)+1, disk)
				}
			})
		}
	})
	for _, kind := range []string{"ended", "asked", "paused", "stopped", "refused", "updated"} {
		if kinds[kind] < *propertyGraphs/20 {
			t.Errorf("of %d graphs %d outcomes were %q: the graphs show too little", *propertyGraphs, kinds[kind], kind)
		}
	}
}

// tryBlueprint tries one random graph in memory, or on disk if it is given one, and returns what the reference did.
func tryBlueprint(t *testing.T, seed uint64, disk *sqlite.Store) []outcome {
	t.Helper()
	plan := randomBlueprint(rand.New(rand.NewPCG(seed, 1)))
	ref := newReference(plan)
	wanted := play(rand.New(rand.NewPCG(seed, 2)), plan, ref)
	for i, concurrency := range []int{1, 2, 16} {
		durability := []graph.Durability{graph.DurabilitySync, graph.DurabilityExit, graph.DurabilityAsync}[(seed+uint64(i))%3]
		opts := graph.Options{
			Checkpointer: mem.New(), Durability: durability, MaxConcurrency: concurrency, RecursionLimit: plan.limit,
			InterruptBefore: plan.before, InterruptAfter: plan.after,
		}
		if disk != nil {
			opts.Checkpointer = disk
		}
		e := newEngine(t, plan, opts, seed)
		e.compare(ref, wanted, play(rand.New(rand.NewPCG(seed, 2)), plan, e))
		if t.Failed() {
			t.Fatalf("-property.seed=%d shows it again; %s, %d at a time, on disk: %t; the graph is %s",
				seed, durability, concurrency, disk != nil, plan)
		}
	}
	return wanted
}

func newEngine(t *testing.T, plan *blueprint, opts graph.Options, seed uint64) *engine {
	t.Helper()
	e := &engine{
		t: t, plan: plan, opts: opts, rng: rand.New(rand.NewPCG(seed, 3)),
		thread:  fmt.Sprint(seed, " ", opts.Durability, " ", opts.MaxConcurrency),
		forgets: seed%2 == 0,
		asked:   map[string]string{}, tripped: map[string]bool{}, ran: map[string]int{},
	}
	e.compile()
	return e
}

// compare reports what the engine did otherwise than the reference.
func (e *engine) compare(ref *reference, wanted, got []outcome) {
	e.t.Helper()
	if diff := cmp.Diff(wanted, got); diff != "" {
		e.t.Errorf("outcomes (-reference +engine):\n%s", diff)
	}
	if e.opts.Durability == graph.DurabilitySync && !e.forgets { // exit leaves a checkpoint per call
		if diff := cmp.Diff(ref.values, e.values()); diff != "" {
			e.t.Errorf("checkpoints (-reference +engine):\n%s", diff)
		}
	}
	for key, n := range ref.ran {
		if got := e.ran[key]; got < n || got > n+ref.twice[key] {
			e.t.Errorf("the task of turn, node and input %s finished %d times, want %d and at most %d more", key, got, n, ref.twice[key])
		}
	}
	for key := range e.ran {
		if ref.ran[key] == 0 {
			e.t.Errorf("the task of turn, node and input %s finished, which it should not have begun", key)
		}
	}
}

// String draws the blueprint as a list.
func (b *blueprint) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "limit %d, before %v, after %v, joins %v", b.limit, b.before, b.after, b.joins)
	for _, n := range append([]*blueNode{b.start}, b.nodes...) {
		fmt.Fprintf(&s, "\n%+v", *n)
		for _, route := range n.routes {
			fmt.Fprintf(&s, "\n    %+v", *route)
		}
	}
	return s.String()
}
