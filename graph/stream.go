package graph

import (
	"context"
	"errors"
	"iter"
	"slices"
)

// Mode is a kind of event that a run can be listened to for. What nobody listens to is not built.
type Mode string

// The values of [Mode], with what Event.Value holds.
const (
	// ModeValues yields the state S after every superstep, and after the input.
	ModeValues Mode = "values"
	// ModeUpdates yields the Update[S] of every finished task, in task order.
	ModeUpdates Mode = "updates"
	// ModeMessages yields what nodes gave to [WriteMessage], at once.
	ModeMessages Mode = "messages"
	// ModeCustom yields what nodes gave to [WriteCustom], at once.
	ModeCustom Mode = "custom"
	// ModeTasks yields a [TaskEvent] when a task starts and when it ends.
	ModeTasks Mode = "tasks"
	// ModeCheckpoints yields the Checkpoint[S] that a superstep, or the input, led to; only runs on a thread have any. With [DurabilityAsync] it
	// may not be committed yet, with [DurabilityExit] it never will be by itself: its ID is 0 then.
	ModeCheckpoints Mode = "checkpoints"
	// ModeDebug yields what ModeTasks and ModeCheckpoints do.
	ModeDebug Mode = "debug"
	// ModeResult yields the Result[S], last, in every run that did not fail. It need not be asked for.
	ModeResult Mode = "result"
)

// An Event is something that happened in a run.
type Event struct {
	Mode Mode
	// Namespace is empty for the graph itself, and the path of the subgraph's tasks otherwise.
	Namespace string
	Step      int
	// Node is the node it is about; empty for values and result.
	Node string
	// Value is what the mode says.
	Value any
}

// A TaskEvent is the start or the end of a task.
type TaskEvent struct {
	ID   string
	Node string
	// Ended is false for the start.
	Ended bool
	// Err is why a task failed, Interrupts what it asks; both only at the end.
	Err        error
	Interrupts []Interrupt
}

// emitter brings events to whoever listens. Its sink is called on one goroutine: that of the run it belongs to.
type emitter struct {
	modes     []Mode
	subgraphs bool
	// sink takes an event and reports whether more are wanted.
	sink func(Event) bool
	// stopped is set once no more are wanted.
	stopped bool
}

func (e *emitter) wants(mode Mode, namespace string) bool {
	return e != nil && !e.stopped && (namespace == "" || e.subgraphs) && slices.Contains(e.modes, mode)
}

func (e *emitter) send(event Event) {
	if !e.sink(event) {
		e.stopped = true
	}
}

// live reports whether somebody listens to what nodes write while they run.
func (e *emitter) live(namespace string) bool {
	return e.wants(ModeCustom, namespace) || e.wants(ModeMessages, namespace)
}

// Stream runs the graph and yields the events of opts.Modes as they happen, then the [ModeResult], or the error that ended the run.
// Breaking off the loop cancels the run and waits for its tasks.
func (g *Graph[S]) Stream(ctx context.Context, in Input[S], opts RunOptions) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		e := &emitter{modes: opts.Modes, subgraphs: opts.Subgraphs}
		e.sink = func(event Event) bool {
			if e.stopped {
				return false
			}
			if !yield(event, nil) {
				e.stopped = true
				cancel(errStopped)
			}
			return !e.stopped
		}
		result, err := g.run(ctx, in, opts, e)
		switch {
		case e.stopped:
		case err != nil:
			yield(Event{}, err)
		default:
			yield(Event{Mode: ModeResult, Step: result.Steps, Value: result}, nil)
		}
	}
}

var errStopped = errors.New("nobody listens any more")

// Invoke runs the graph until it ends, asks or pauses.
func (g *Graph[S]) Invoke(ctx context.Context, in Input[S], opts RunOptions) (Result[S], error) {
	return g.run(ctx, in, opts, nil)
}
