// Package graph runs typed state graphs in the manner of LangGraph: nodes read a state and return commands, all ready
// nodes of a superstep run, then their updates are reduced into the state in a fixed order, and the next superstep
// begins.
//
// The idea to hold: an update is data. The same value goes to the reducers, to streams and into checkpoints, from
// which a thread is restored. A question to a person is data too: an [Interrupt] is a result, not an error.
//
// A [StateGraph] is built from a [Schema], nodes, edges and routes, and compiled to a [Graph], which is immutable and
// safe for concurrent use. The package knows no model, no SQL and no HTTP; a [Checkpointer] keeps what outlives the
// process.
//
// Start with these: [Schema] with [Last] and [Append] (what is remembered), [Node] and [Command] (a step and what it
// wants), [StateGraph.AddEdge] and [StateGraph.AddRoute] (what comes next), [StateGraph.Compile], and [Graph.Invoke]
// with [Input] and [Result] (a run). Then, as needed:
//
//   - to ask a person: [Interrupt], [Answer]
//   - to remember: [RunOptions] (ThreadID), [Checkpointer], [Durability], [Graph.State], [Graph.History],
//     [Graph.UpdateState]
//   - to stream: [Graph.Stream], [Mode], [Event], [WriteCustom]
//   - to measure and trace: [Callback], [Observe]
//   - many tasks at once: [Fan], [Send], [AddInputNode], [StateGraph.AddJoin]
//   - failures and slow nodes: [NodeOptions], [Retry], [Failure], [Cache]
//   - graphs in graphs: [AddSubgraph], [ToParent]
//   - graphs known only at run time: [Values]
//   - to remember across threads: [Store], found by [RuntimeOf]
//
// [Record], [TaskWrites] and the types whose names end in Data are for those who write a [Checkpointer] or an
// Options.Migrate.
package graph

import (
	"context"
	"encoding/json"
	"time"
)

// Start is where every run begins and End where a path through the graph ends. Neither is a node.
const (
	Start = "__start__"
	End   = "__end__"
)

// A Node is one step. It reads the state, changes nothing it was given, and returns what it wants. Slices and maps in
// the state are shared with other tasks and with checkpoints: a node that needs another value makes a new one.
//
// An error ends the run, which can be continued from its last checkpoint; tasks that had finished are not run again.
type Node[S any] func(ctx context.Context, state S) (Command[S], error)

// A Route chooses the next steps after a node, from the state as it is when the superstep's updates are applied.
type Route[S any] func(ctx context.Context, state S) (Next, error)

// Next is what a [Route] chose: labels of its targets, and sends. The zero Next ends the path.
type Next struct {
	first string
	more  []string
	// Sends are tasks with inputs of their own. The route's targets name their nodes too, for the checks and the
	// drawing.
	Sends []Send
}

// To goes to the targets with these labels, all of them in the next superstep.
func To(label string, more ...string) Next { return Next{first: label, more: more} }

// Fan sends tasks with inputs of their own. Without any the path ends.
func Fan(sends ...Send) Next { return Next{Sends: sends} }

// A Send is a task for a node. Input has the type that the node takes if it was added by [AddInputNode] or the like;
// for a node that reads the state it is nil.
type Send struct {
	Node  string
	Input any
}

// An Update says which channels get which values: a list of what [Channel.Write] made. A channel that is not in it
// was not written.
type Update[S any] []Write[S]

// A Command is what a node returns: what it writes and what is to run next. With the zero Command nothing is written,
// and the edges and routes of the node decide what comes next.
type Command[S any] struct {
	// Update is reduced into the state.
	Update Update[S]
	// Goto is a further node to run next, besides those that edges and routes name.
	Goto string
	// Sends are further tasks to run next.
	Sends []Send
	// Interrupt asks a person. The task is not finished then, so the other fields must be empty. When the answer comes,
	// the node runs again and reads it with [Answer]. That needs a checkpointer and a thread.
	Interrupt *Interrupt
	// Parent is a command to the graph in which this one is a node. This graph ends without finishing its superstep,
	// and Parent becomes the command of that node; its edges and routes are not followed. The other fields must be
	// empty.
	Parent *ParentCommand
	// alone says that the edges of the node are not followed.
	alone bool
}

// A ParentCommand is a [Command] to the graph around a subgraph, as [ToParent] made it.
type ParentCommand struct{ command any }

// ToParent makes a command to the graph around this one, whose state is P.
func ToParent[P any](c Command[P]) *ParentCommand { return &ParentCommand{command: c} }

// An Interrupt is a question only a person can answer. A node asks by returning one with a Question; see [Answer].
type Interrupt struct {
	// ID is set by the engine, and stays the same when the task runs again.
	ID string `json:"id"`
	// Question is what is asked: a string, or any value that JSON can carry.
	Question any `json:"question"`
	// ResponseSchema is the JSON schema of the answer, an object, for whoever asks a person. Answers are not checked
	// against it, but by NodeOptions.CheckAnswer. Nil: none.
	ResponseSchema json.RawMessage `json:"response_schema,omitempty"`
	// Node is the node that asks, set by the engine.
	Node string `json:"node"`
}

// An Input starts or continues a run. The zero Input continues an unfinished thread from its checkpoint, or starts a
// new one.
type Input[S any] struct {
	// Update is reduced into the state, and the run starts at [Start]; open interrupts and unfinished tasks of the
	// thread are dropped. An empty Update that is not nil starts a run too, and writes nothing.
	Update Update[S]
	// Resume answers open interrupts by their ids. The id "" answers the only open one. An id that is not open is
	// [fault.ErrNotFound], an answer that NodeOptions.CheckAnswer refuses [fault.ErrInvalid], and then none is
	// answered. Not with Update or Goto.
	Resume map[string]any
	// Goto names the node at which the run starts, in place of what follows [Start].
	Goto string
}

func (in Input[S]) empty() bool { return in.Update == nil && in.Resume == nil && in.Goto == "" }

// A Result is how a run ended.
type Result[S any] struct {
	State S
	// Interrupts are the questions the thread waits for, in task order; the run is finished if there are none and
	// Next is empty.
	Interrupts []Interrupt
	// Next are the nodes that would run next: those that asked, or those the run paused before or after.
	Next []string
	// Checkpoint is the id of the last checkpoint, 0 for a run without a thread, and At when it was made.
	Checkpoint int64
	At         time.Time
	// Steps counts the supersteps of this run.
	Steps int
}

// Mark returns what tells the last checkpoint from all others.
func (r Result[S]) Mark() Mark { return Mark{r.Checkpoint, r.At} }

// Options are the settings of a [Graph] that have a default.
type Options struct {
	// Name is the graph's, in errors, drawings and checkpoints. Empty: "graph".
	Name string
	// Version is to be raised when the graph or its channels change so that older checkpoints would be misread.
	Version int
	// Migrate turns a record of another version, or of a graph of another name, into one of this graph; its ids stay as
	// they are. Nil: a thread with such a record is refused, with [fault.ErrInvalid].
	Migrate func(Record) (Record, error)
	// Checkpointer keeps threads. Nil: runs remember nothing, and their nodes can't ask.
	Checkpointer Checkpointer
	// RecursionLimit is the largest number of supersteps of a run; 0 means that of the [StateGraph], or else 25.
	RecursionLimit int
	// MaxConcurrency is how many tasks of a superstep run at the same time; 0 means 16.
	MaxConcurrency int
	// InterruptBefore and InterruptAfter pause a run before or after these nodes, to be continued by an empty [Input].
	InterruptBefore, InterruptAfter []string
	// Timeout, Retry, OnError and Cache are the defaults of [NodeOptions]; the latter two not for the node OnError
	// itself. Each node has a cache of its own.
	Timeout time.Duration
	Retry   *Retry
	OnError string
	Cache   *Cache
	// Durability says when checkpoints are written. Empty: [DurabilitySync].
	Durability Durability
	// Store is what nodes find in [Runtime.Store]. Nil: none.
	Store Store
	// Callbacks are called for every run. A subgraph calls those of the outermost graph instead of its own.
	Callbacks Callbacks
	// LiveThreads is how many threads' newest states are kept in memory, so that the next run need not load them; 0
	// means 256. A thread that another process wrote meanwhile is loaded again.
	LiveThreads int
	// Now is the clock of checkpoints, of caches with a TTL, and of nodes, by [RuntimeOf]. Nil: checkpoints carry no
	// time.
	Now func() time.Time
}

// Durability says when checkpoints are written.
type Durability string

// The values of [Durability].
const (
	// DurabilitySync commits every superstep before the next one begins, and before its updates and values are
	// streamed.
	DurabilitySync Durability = "sync"
	// DurabilityAsync commits a superstep while the next one runs. A process that dies loses at most the last superstep
	// that had ended.
	DurabilityAsync Durability = "async"
	// DurabilityExit writes one checkpoint when the run ends, asks, pauses or fails. A process that dies in between
	// loses the run.
	DurabilityExit Durability = "exit"
)

func (d Durability) valid() bool {
	return d == DurabilitySync || d == DurabilityAsync || d == DurabilityExit
}

// RunOptions are the settings of one run that have a default.
type RunOptions struct {
	// ThreadID names the thread to remember on. Empty: nothing is remembered.
	ThreadID string
	// Checkpoint is the checkpoint to start from; 0 is the newest. Another one makes a fork.
	Checkpoint int64
	// Newest, unless it is zero, is the checkpoint that must be the thread's newest: if something was written after it,
	// the run ends with [fault.ErrConflict] before it does anything. See [Graph.Newest].
	Newest Mark
	// New says that the thread has no checkpoint yet, so that none is loaded. If it has one, the run ends with
	// [fault.ErrConflict].
	New bool
	// RunID is written into checkpoints and given to nodes. The engine makes none.
	RunID string
	// RecursionLimit and MaxConcurrency override the graph's if not 0.
	RecursionLimit, MaxConcurrency int
	// Durability overrides the graph's if not empty, and Store if not nil.
	Durability Durability
	Store      Store
	// InterruptBefore and InterruptAfter override the graph's if not nil.
	InterruptBefore, InterruptAfter []string
	// Callbacks are called after those of the graph.
	Callbacks Callbacks
	// Modes are the events that [Graph.Stream] yields besides the [ModeResult] that ends every run.
	Modes []Mode
	// Subgraphs yields events of subgraphs too; their Namespace is not empty.
	Subgraphs bool
	// ReaderTimeout is how long a run waits while the reader of its stream takes nothing; 0 means 10 s.
	// See [Graph.Stream].
	ReaderTimeout time.Duration
	// Context is what nodes get from [RunContext]: what a run needs to know but does not remember, such as who asks.
	Context any
}
