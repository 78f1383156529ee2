package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A StateGraph is a graph being built. Its methods note what is wrong and [StateGraph.Compile] reports all of it at once.
type StateGraph[S any] struct {
	schema   *Schema[S]
	nodes    []*node[S]
	start    node[S]
	joins    []*join
	limit    int
	problems []string
}

// New returns a graph without nodes over the state of the schema.
func New[S any](schema *Schema[S]) *StateGraph[S] {
	return &StateGraph[S]{schema: schema, start: node[S]{name: Start, index: -1}}
}

// NodeOptions are the settings of a node that have a default.
type NodeOptions struct {
	// Destinations names the nodes that the node's commands go or send to, for the checks and the drawing.
	Destinations []string
	// Writes names the channels that the node's updates write, for the checks: a write to another is an error, and two nodes that run in the same
	// superstep and write a channel that keeps one value are found when the graph is compiled. Nil says nothing.
	Writes []string
	// Timeout bounds each attempt of the node; its context ends then, and a node that has not returned a second later is left behind. 0: the graph's.
	Timeout time.Duration
	// Retry says when a failed attempt is followed by another. Nil: the graph's.
	Retry *Retry
	// OnError names the node that runs, with a [Failure] as its input, when the last attempt failed; the node's edges and routes are
	// not followed then. Empty: the graph's.
	OnError string
	// Cache keeps what the node returns. Nil: it always runs.
	Cache *Cache
	// Defer makes the node wait until nothing else is left to run, however often and from wherever it was reached.
	Defer bool
	// CheckAnswer looks at an answer to a question of the node before any is taken. One that it refuses is
	// [fault.ErrInvalid], and the questions stay open. [AnswerOf] looks whether it has a type. Nil: all are taken.
	CheckAnswer func(question Interrupt, answer json.RawMessage) error
}

// Targets maps the labels that a [Route] returns to nodes, or [End].
type Targets map[string]string

// Nodes makes targets whose labels are the names of the nodes.
func Nodes(names ...string) Targets {
	t := make(Targets, len(names))
	for _, name := range names {
		t[name] = name
	}
	return t
}

// node is one node, its edges by number.
type node[S any] struct {
	name  string
	index int
	opts  NodeOptions
	// run runs the node with the state. Where it is nil call does: with the state, or, where decode is set, with the input of a send.
	run  Node[S]
	call func(ctx context.Context, state S, input any) (Command[S], []Interrupt, error)
	// decode reads an input back from a checkpoint; nil for nodes that read the state.
	decode func(data []byte) (any, error)
	// accepts reports whether a send's input has the right type; nil for nodes that read the state.
	accepts func(input any) bool
	cache   *resultCache[S]
	// sub is the graph inside, for the drawing, inner its look at answers, inside its states, branched a copy of them.
	sub      *Drawing
	inner    func(question Interrupt, answer json.RawMessage) (known bool, err error)
	inside   func(ctx context.Context, from Checkpointer, thread, namespace, rest string) (Checkpoint[any], error)
	branched func(ctx context.Context, from Checkpointer, thread, namespace, renamed string) ([]Record, error)

	edges  []string
	routes []*route[S]

	// next and joins are edges by number, set when the graph is compiled.
	next  []int
	joins []int
}

type route[S any] struct {
	choose  Route[S]
	targets Targets
	// labels and their nodes by number, set when the graph is compiled. Most routes have a few: looking at each is quicker than a map.
	labels []string
	to     []int
}

// join waits for all sources, then runs the target.
type join struct {
	sources []string
	target  string
	index   int
}

// RecursionLimit says how many supersteps a run may make where neither [Options] nor [RunOptions] does. 0 means 25.
func (g *StateGraph[S]) RecursionLimit(limit int) { g.limit = limit }

// AddNode adds a node that reads the state. It takes at most one NodeOptions.
func (g *StateGraph[S]) AddNode(name string, run Node[S], opts ...NodeOptions) {
	g.add(name, opts).run = run
}

// AddInputNode adds a node that does not read the state but the input of a [Send], of type I. I must survive JSON where
// the graph has a checkpointer.
func AddInputNode[S, I any](
	g *StateGraph[S], name string, run func(ctx context.Context, input I) (Command[S], error), opts ...NodeOptions,
) {
	AddStateInputNode(g, name, func(ctx context.Context, _ S, input I) (Command[S], error) {
		return run(ctx, input)
	}, opts...)
}

// AddStateInputNode adds a node that reads the state and the input of a [Send], as [AddInputNode] does.
func AddStateInputNode[S, I any](
	g *StateGraph[S], name string,
	run func(ctx context.Context, state S, input I) (Command[S], error), opts ...NodeOptions,
) {
	n := g.add(name, opts)
	n.call = func(ctx context.Context, state S, input any) (Command[S], []Interrupt, error) {
		c, err := run(ctx, state, input.(I))
		return c, nil, err
	}
	takes[S, I](n)
}

// takes makes the node take inputs of type I.
func takes[S, I any](n *node[S]) {
	n.accepts = func(input any) bool { _, ok := input.(I); return ok }
	n.decode = func(data []byte) (any, error) {
		var input I
		err := json.Unmarshal(data, &input)
		return input, err
	}
}

func (g *StateGraph[S]) add(name string, opts []NodeOptions) *node[S] {
	n := &node[S]{name: name, index: len(g.nodes)}
	switch {
	case name == "" || name == Start || name == End:
		g.problem("a node can't be named %q", name)
	case g.find(name) != nil:
		g.problem("node %q is added twice", name)
	case len(opts) > 1:
		g.problem("node %q has options twice", name)
	}
	if len(opts) > 0 {
		n.opts = opts[0]
	}
	g.nodes = append(g.nodes, n)
	return n
}

// AddEdge makes to run after from. From may be [Start], to may be [End].
func (g *StateGraph[S]) AddEdge(from, to string) {
	n := g.source("an edge", from)
	if n == nil {
		return
	}
	if slices.Contains(n.edges, to) {
		g.problem("edge %s -> %s is added twice", from, to)
	}
	n.edges = append(n.edges, to)
}

// AddJoin makes to run once all of from have run, in whatever superstep each does; then it waits for all of them anew.
func (g *StateGraph[S]) AddJoin(from []string, to string) {
	if len(from) < 2 {
		g.problem("the join into %q has fewer than two sources", to)
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(from))); len(unique) < len(from) {
		g.problem("the join into %q has a source twice", to)
	}
	g.joins = append(g.joins, &join{sources: slices.Clone(from), target: to})
}

// AddRoute makes choose say what runs after from, among the targets. A label that is not theirs ends the run with [fault.ErrInvalid].
func (g *StateGraph[S]) AddRoute(from string, choose Route[S], targets Targets) {
	n := g.source("a route", from)
	if n == nil {
		return
	}
	if len(targets) == 0 {
		g.problem("the route from %q has no targets", from)
	}
	n.routes = append(n.routes, &route[S]{choose: choose, targets: maps.Clone(targets)})
}

func (g *StateGraph[S]) source(what, from string) *node[S] {
	if from == Start {
		return &g.start
	}
	n := g.find(from)
	if n == nil {
		g.problem("%s starts at %q, which is no node added before it", what, from)
	}
	return n
}

func (g *StateGraph[S]) find(name string) *node[S] {
	for _, n := range g.nodes {
		if n.name == name {
			return n
		}
	}
	return nil
}

func (g *StateGraph[S]) problem(format string, args ...any) {
	g.problems = append(g.problems, fmt.Sprintf(format, args...))
}
