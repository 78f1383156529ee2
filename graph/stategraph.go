package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A StateGraph is a graph that is being built. What is wrong is noted, and [StateGraph.Compile] reports all of it at
// once. It is not safe for concurrent use.
type StateGraph[S any] struct {
	schema   *Schema[S]
	nodes    []*node[S]
	start    node[S]
	joins    []*join
	limit    int
	problems []string
}

// New returns a graph without nodes, whose state has the channels of the schema.
func New[S any](schema *Schema[S]) *StateGraph[S] {
	return &StateGraph[S]{schema: schema, start: node[S]{name: Start, index: -1}}
}

// NodeOptions are the settings of a node that have a default.
type NodeOptions struct {
	// Destinations names the nodes that the node's commands go or send to, for the checks of [StateGraph.Compile] and
	// the drawing.
	Destinations []string
	// Writes names the channels that the node's updates write. A write to another is an error then, and Compile
	// reports two nodes that run in the same superstep and both write a channel that keeps one value. Nil: they are
	// not checked.
	Writes []string
	// Timeout bounds each attempt of the node. Its context ends then; a node that has not returned a second later is
	// left running, and what it returns is dropped. 0: that of [Options], or else none.
	Timeout time.Duration
	// Retry says when a failed attempt is followed by another. Nil: that of [Options], or else never.
	Retry *Retry
	// OnError names the node that runs, with a [Failure] as its input, when the last attempt failed; the node's edges
	// and routes are not followed then. Empty: that of [Options], or else the run ends with the error.
	OnError string
	// Cache keeps what the node returns. Nil: that of [Options], or else the node always runs.
	Cache *Cache
	// Defer makes the node wait until nothing else is left to run, however often and from wherever it was reached.
	Defer bool
	// CheckAnswer checks an answer to a question of the node. If it returns an error, [Input].Resume is refused as a
	// whole, with [fault.ErrInvalid], and the questions stay open. See [AnswerOf]. Nil: all answers are taken.
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
	// run runs the node with the state. Where it is nil call does: with the state, or, where decode is set, with the
	// input of a send.
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
	// labels and their nodes by number, set when the graph is compiled. Most routes have a few: looking at each is
	// quicker than a map.
	labels []string
	to     []int
}

// join waits for all sources, then runs the target.
type join struct {
	sources []string
	target  string
	index   int
}

// RecursionLimit sets how many supersteps a run may make where neither [Options] nor [RunOptions] does. 0 means 25.
func (g *StateGraph[S]) RecursionLimit(limit int) { g.limit = limit }

// AddNode adds a node that reads the state. At most one NodeOptions may be given, here and in the other functions.
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

// AddEdge adds an edge: the node to runs after the node from, which must have been added before. From may be [Start],
// to may be [End].
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

// AddJoin makes the node to run once all of from, at least two, have run, in whatever superstep each does; then it
// waits for all of them again.
func (g *StateGraph[S]) AddJoin(from []string, to string) {
	if len(from) < 2 {
		g.problem("the join into %q has fewer than two sources", to)
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(from))); len(unique) < len(from) {
		g.problem("the join into %q has a source twice", to)
	}
	g.joins = append(g.joins, &join{sources: slices.Clone(from), target: to})
}

// AddRoute adds a route: choose says what runs after from, which may be [Start], among the targets. A label that they
// do not have ends the run with [fault.ErrInvalid].
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
