package graph

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"annai/fault"
)

// A Graph is a compiled [StateGraph]. It is immutable and safe for concurrent use. Where two runs write to one thread
// at the same time, one of them ends with [fault.ErrConflict]. What needs a checkpointer is [fault.ErrInvalid] without.
type Graph[S any] struct {
	opts     Options
	channels []*channel[S]
	schema   *Schema[S]
	// ephemeral are the channels that are empty between runs.
	ephemeral []*channel[S]
	nodes     []*node[S]
	byName    map[string]int
	start     *node[S]
	joins     []*join
	targets   []int // of joins
	drawing   Drawing
	// fingerprint is what the graph's records are marked with: its name, and its version if that is not 0.
	fingerprint string
	live        *live[S]
	pool        *sync.Pool // of *run[S]
	source      *StateGraph[S]
}

// goEnd is the number of [End] among edges by number.
const goEnd = -1

// Compile checks the graph and makes it ready to run. The error wraps [fault.ErrInvalid] and lists everything that is
// wrong: names that are used twice or unknown, nodes that can't be reached or lead nowhere, a missing entry. The
// StateGraph may be compiled again, with other options, and must not be changed afterwards.
func (g *StateGraph[S]) Compile(opts Options) (*Graph[S], error) {
	if opts.Name == "" {
		opts.Name = "graph"
	}
	opts.RecursionLimit = orDefault(opts.RecursionLimit, orDefault(g.limit, 25))
	opts.MaxConcurrency = orDefault(opts.MaxConcurrency, 16)
	opts.LiveThreads = orDefault(opts.LiveThreads, 256)
	if opts.Durability == "" {
		opts.Durability = DurabilitySync
	}
	if problems := g.check(opts); len(problems) > 0 {
		all := make([]error, len(problems))
		for i, p := range problems {
			all[i] = errors.New(p)
		}
		return nil, fmt.Errorf("compile %s: %w:\n%w", opts.Name, fault.ErrInvalid, errors.Join(all...))
	}
	source := g
	g = g.clone()
	c := &Graph[S]{
		source: source, opts: opts, schema: g.schema, channels: g.schema.channels, nodes: g.nodes, start: &g.start,
		joins: g.joins, byName: map[string]int{End: goEnd}, drawing: g.draw(opts.Name),
		live: newLive[S](opts.LiveThreads), pool: new(sync.Pool),
	}
	c.fingerprint = opts.Name
	if opts.Version != 0 {
		c.fingerprint = fmt.Sprintf("%s@%d", opts.Name, opts.Version)
	}
	for _, n := range g.nodes {
		c.byName[n.name] = n.index
	}
	for i, j := range g.joins {
		j.index = i
		c.targets = append(c.targets, c.byName[j.target])
	}
	for _, ch := range g.schema.channels {
		if ch.ephemeral {
			c.ephemeral = append(c.ephemeral, ch)
		}
	}
	for n := range g.all() {
		n.opts = n.opts.defaults(opts, n.name == opts.OnError)
		n.cache = newResultCache[S](n.opts.Cache, opts.Now)
		c.link(n)
	}
	return c, nil
}

// WithCheckpointer returns the same graph with another checkpointer: the two know nothing of each other's threads, but
// share what [Cache] keeps. Nil: runs remember nothing, and their nodes can't ask.
func (g *Graph[S]) WithCheckpointer(c Checkpointer) *Graph[S] {
	other := *g
	other.opts.Checkpointer = c
	other.live, other.pool = newLive[S](g.opts.LiveThreads), new(sync.Pool)
	return &other
}

// Source returns what the graph was compiled from, and the options, defaults filled in.
func (g *Graph[S]) Source() (*StateGraph[S], Options) { return g.source, g.opts }

// clone returns a copy whose nodes, routes and joins are its own.
func (g *StateGraph[S]) clone() *StateGraph[S] {
	c := *g
	c.nodes, c.joins = make([]*node[S], len(g.nodes)), make([]*join, len(g.joins))
	c.start.cloneEdges()
	for i, n := range g.nodes {
		own := *n
		own.cloneEdges()
		c.nodes[i] = &own
	}
	for i, j := range g.joins {
		own := *j
		c.joins[i] = &own
	}
	return &c
}

func (n *node[S]) cloneEdges() {
	n.next, n.joins, n.routes = nil, nil, slices.Clone(n.routes)
	for i, r := range n.routes {
		own := *r
		n.routes[i] = &own
	}
}

func orDefault(v, def int) int {
	if v <= 0 {
		return def
	}
	return v
}

// RecursionLimit returns how many supersteps a run may make unless [RunOptions] says otherwise.
func (g *Graph[S]) RecursionLimit() int { return g.opts.RecursionLimit }

// link turns the names in a node's edges into numbers.
func (g *Graph[S]) link(n *node[S]) {
	n.next = n.next[:0]
	for _, to := range n.edges {
		n.next = append(n.next, g.byName[to])
	}
	n.joins = n.joins[:0]
	for i, j := range g.joins {
		if slices.Contains(j.sources, n.name) {
			n.joins = append(n.joins, i)
		}
	}
	for _, r := range n.routes {
		r.labels, r.to = slices.Sorted(maps.Keys(r.targets)), nil
		for _, label := range r.labels {
			r.to = append(r.to, g.byName[r.targets[label]])
		}
	}
}

// all yields the start and every node.
func (g *StateGraph[S]) all() func(func(*node[S]) bool) {
	return func(yield func(*node[S]) bool) {
		if !yield(&g.start) {
			return
		}
		for _, n := range g.nodes {
			if !yield(n) {
				return
			}
		}
	}
}

func (g *StateGraph[S]) check(opts Options) []string {
	b := &StateGraph[S]{nodes: g.nodes, problems: slices.Concat(g.schema.problems, g.problems)}
	if !opts.Durability.valid() {
		b.problem("durability %q is none of sync, async and exit", opts.Durability)
	}
	known := func(what, name string) {
		if name != End && g.find(name) == nil {
			b.problem("%s %q, which is no node", what, name)
		}
	}
	for n := range g.all() {
		for _, to := range n.targets() {
			known(fmt.Sprintf("%s leads to", n.name), to)
		}
	}
	plain := func(what, name string) {
		if n := g.find(name); n != nil && n.accepts != nil {
			b.problem("%s %q, which needs a send with an input", what, name)
		}
	}
	for n := range g.all() {
		for _, to := range n.edges {
			plain(fmt.Sprintf("an edge from %s leads to", n.name), to)
		}
	}
	for _, j := range g.joins {
		known("a join leads to", j.target)
		plain("a join leads to", j.target)
		for _, from := range j.sources {
			known("a join waits for", from)
		}
	}
	for _, name := range slices.Concat(opts.InterruptBefore, opts.InterruptAfter) {
		known("the run is to pause at", name)
		if opts.Checkpointer == nil {
			b.problem("to pause at %q needs a checkpointer", name)
		}
	}
	g.checkWrites(b)
	g.checkPolicies(b, opts)
	g.checkPaths(b, opts)
	return b.problems
}

// checkWrites looks at what the nodes say that they write: whether there are such channels, and whether two nodes
// that edges from the same place lead to, and so run in the same superstep, write the same channel that keeps one
// value.
func (g *StateGraph[S]) checkWrites(b *StateGraph[S]) {
	for n := range g.all() {
		for _, name := range n.opts.Writes {
			if g.schema.find(name) == nil {
				b.problem("node %q says that it writes %q, which is no channel", n.name, name)
			}
		}
		for i, to := range n.edges {
			for _, beside := range n.edges[i+1:] {
				g.checkParallel(b, g.find(to), g.find(beside))
			}
		}
	}
}

func (g *StateGraph[S]) checkParallel(b *StateGraph[S], one, other *node[S]) {
	if one == nil || other == nil || one == other || one.opts.Defer || other.opts.Defer {
		return
	}
	for _, name := range one.opts.Writes {
		if c := g.schema.find(name); c != nil && c.exclusive && slices.Contains(other.opts.Writes, name) {
			b.problem("nodes %q and %q run in the same superstep and both write %q, which keeps one value; declare a reducer", one.name, other.name, name)
		}
	}
}

// checkPaths looks for nodes that can't be reached and nodes that lead nowhere.
func (g *StateGraph[S]) checkPaths(b *StateGraph[S], opts Options) {
	if len(g.start.targets()) == 0 {
		b.problem("nothing leads from %s to a first node", Start)
	}
	reached := map[string]bool{}
	var visit func(n *node[S])
	visit = func(n *node[S]) {
		if n == nil || reached[n.name] {
			return
		}
		reached[n.name] = true
		for _, to := range n.targets() {
			visit(g.find(to))
		}
		visit(g.find(n.opts.defaults(opts, false).OnError))
		for _, j := range g.joins {
			if slices.Contains(j.sources, n.name) {
				visit(g.find(j.target))
			}
		}
	}
	visit(&g.start)
	for _, n := range g.nodes {
		if g.find(n.name) != n { // added twice, which is said elsewhere
			continue
		}
		if !reached[n.name] {
			b.problem("node %q can't be reached from %s", n.name, Start)
		}
		inJoin := slices.ContainsFunc(g.joins, func(j *join) bool { return slices.Contains(j.sources, n.name) })
		if len(n.targets()) == 0 && !inJoin {
			b.problem("node %q leads nowhere: add an edge to another node or to %s", n.name, End)
		}
	}
}

// targets lists the names a node can lead to, joins left out.
func (n *node[S]) targets() []string {
	names := slices.Clone(n.edges)
	for _, r := range n.routes {
		names = append(names, slices.Sorted(maps.Values(r.targets))...)
	}
	return append(names, n.opts.Destinations...)
}
