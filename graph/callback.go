package graph

import (
	"context"
	"slices"
)

// A Callback is told what a run does: it is called when a span begins, which is the run, a superstep, a task, or what a
// node reports with [Observe], and the function that it returns, unless nil, is called when the span ended. The context
// that it returns is that of all that happens within the span; it must be derived from the one that it is given.
//
// A callback is called by the goroutine that does the work, so it must be quick, and safe for concurrent use. It must
// not panic.
type Callback func(ctx context.Context, s Span) (context.Context, func(Outcome))

// Callbacks are called in order when a span begins, and in reverse order when it ended.
type Callbacks []Callback

// Begin calls all of them, and returns what ends the span. It is for programs that do something outside of a run; nodes
// call [Observe].
func (cs Callbacks) Begin(ctx context.Context, s Span) (context.Context, func(Outcome)) {
	ends := make([]func(Outcome), 0, len(cs))
	for _, c := range cs {
		var end func(Outcome)
		if ctx, end = c(ctx, s); end != nil {
			ends = append(ends, end)
		}
	}
	return ctx, func(o Outcome) {
		for _, end := range slices.Backward(ends) {
			end(o)
		}
	}
}

// A SpanKind says what a [Span] is.
type SpanKind string

// The kinds of spans. Nodes may report others with [Observe].
const (
	// SpanRun is a run; that of a subgraph is inside its task.
	SpanRun SpanKind = "run"
	// SpanSuperstep is a superstep, with its tasks, reducers, routes and checkpoint.
	SpanSuperstep SpanKind = "superstep"
	// SpanTask is a task of a superstep, with all its attempts.
	SpanTask SpanKind = "task"
	// SpanModel is a call of a language model, SpanTool one of a tool.
	SpanModel SpanKind = "model"
	SpanTool  SpanKind = "tool"
)

// A Span is a part of a run that a [Callback] is told of.
type Span struct {
	Kind SpanKind
	// Name is the name of the graph for a run, of the node for a task, of the model or the tool; empty for a superstep.
	Name string
	// Graph is the name of the outermost graph. Empty: there is no run.
	Graph string
	// ThreadID, RunID and Namespace are the run's; Namespace is empty except in subgraphs.
	ThreadID, RunID, Namespace string
	// Step is the superstep, as in [Runtime]; 0 for a run.
	Step int
	// Node is the node of a task, and of what happens in it; else empty.
	Node string
	// Value is what is called with, such as a model's request; its type depends on the kind. Nil for runs, supersteps
	// and tasks.
	Value any
}

// An Outcome is how a [Span] ended.
type Outcome struct {
	// Err is why it failed; nil if it did not.
	Err error
	// Interrupts are the questions that a run or a task asks.
	Interrupts []Interrupt
	// Value is the result, such as a model's answer; its type depends on the kind. Nil for runs, supersteps and tasks.
	Value any
}

// Observe reports to the callbacks of the run of ctx that a node begins something of its own, such as a call of a
// service. The caller sets Kind, Name and Value of the span; the rest is filled in. The node goes on with the context
// that is returned, and calls the function, which is never nil, once when that ended. Without a run or callbacks
// Observe does nothing.
func Observe(ctx context.Context, s Span) (context.Context, func(Outcome)) {
	c := taskOf(ctx)
	if c == nil || c.run.watch == nil {
		return ctx, func(Outcome) {}
	}
	s.Step, s.Node = int(c.step), *c.node
	return c.run.observe(ctx, s)
}

// watch is what a run that callbacks hear of has in common with those of its subgraphs, but for end.
type watch struct {
	callbacks Callbacks
	// graph is the name of the outermost graph.
	graph string
	// end is called when the run ended.
	end func(Outcome)
}

// watches returns what is told of a run; nil if nobody hears it.
func watches(graph Options, run RunOptions) *watch {
	if len(graph.Callbacks)+len(run.Callbacks) == 0 {
		return nil
	}
	return &watch{callbacks: slices.Concat(graph.Callbacks, run.Callbacks), graph: graph.Name}
}

// inside returns what is told of the run of a subgraph.
func (w *watch) inside() *watch {
	if w == nil {
		return nil
	}
	return &watch{callbacks: w.callbacks, graph: w.graph}
}

// observe tells the callbacks of a span. Somebody listens.
func (i *runInfo) observe(ctx context.Context, s Span) (context.Context, func(Outcome)) {
	s.Graph, s.ThreadID, s.RunID, s.Namespace = i.watch.graph, i.thread, i.run, i.namespace
	return i.watch.callbacks.Begin(ctx, s)
}

// observed tells that the run begins, and returns the context of all that it does.
func (r *run[S]) observed(ctx context.Context) context.Context {
	if r.info.watch == nil {
		return ctx
	}
	ctx, r.info.watch.end = r.info.observe(ctx, Span{Kind: SpanRun, Name: r.g.opts.Name})
	return ctx
}

// observedStep makes a superstep that is told of.
func (r *run[S]) observedStep(ctx context.Context) (over bool, err error) {
	ctx, end := r.info.observe(ctx, Span{Kind: SpanSuperstep, Step: r.step + 1})
	defer func() { end(Outcome{Err: err}) }()
	return r.superstep(ctx)
}

// observedTask runs a task that is told of.
func (r *run[S]) observedTask(ctx context.Context, index int, tc *taskContext) (err error) {
	t := &r.tasks[index]
	ctx, end := r.info.observe(ctx, Span{Kind: SpanTask, Name: t.node.name, Step: r.step + 1, Node: t.node.name})
	defer func() { end(Outcome{Err: err, Interrupts: t.unanswered()}) }()
	return r.runTask(ctx, index, tc)
}
