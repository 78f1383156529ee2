// Package graph runs typed state graphs in the manner of LangGraph: nodes read a state and return commands, all ready
// nodes of a superstep run, then their updates are reduced into the state in a fixed order, and the next superstep begins.
//
// The idea to hold: an update is data. One value serves the reducers, the streams, the writes that are kept of finished tasks,
// the checkpoints and the replay. A question to a person is data too: an [Interrupt] is a result, not an error.
//
// A [StateGraph] is built from a [Schema], nodes, edges and routes, and compiled to a [Graph], which is immutable and safe
// for concurrent use. The package knows no model, no SQL and no HTTP; what outlives the process is a [Checkpointer]'s.
//
// Ten names are enough to begin, in this order: [Schema] with [Last] and [Append] (what is remembered), [Node] and [Command] (a step and what it
// wants), [StateGraph.AddEdge] and [StateGraph.AddRoute] (what comes next), [Graph.Invoke] with [Input] and [Result] (a run). Then as the need comes:
//
//   - to ask a person: [Interrupt], [Answer]
//   - to remember: [RunOptions] (ThreadID), [Checkpointer], [Durability], [Graph.State], [Graph.History], [Graph.UpdateState]
//   - to listen: [Graph.Stream], [Mode], [Event], [WriteCustom]
//   - to measure and trace: [Callback], [Observe]
//   - many tasks at once: [Fan], [Send], [AddInputNode], [StateGraph.AddJoin]
//   - what fails or takes long: [NodeOptions], [Retry], [Failure], [Cache]
//   - graphs in graphs: [AddSubgraph], [ToParent]; graphs known only at run time: [Values]
//   - to remember across threads: [Store], which [RuntimeOf] has
//
// Whoever writes a store needs [Checkpointer] and what follows from it: [Record], [TaskWrites] and the types whose names end in Data. Nobody else does, except for
// Options.Migrate.
package graph

import (
	"context"
	"encoding/json"
	"time"
)

// Start and End are where every run begins and where a path of it ends. Neither is a node.
const (
	Start = "__start__"
	End   = "__end__"
)

// A Node is one step. It reads the state, changes nothing it was given, and returns what it wants. Slices and maps in the state
// are shared with other tasks and with checkpoints: a node that needs another value makes a new one.
//
// An error ends the run, which can be continued from its last checkpoint; tasks that had finished are not run again.
type Node[S any] func(ctx context.Context, state S) (Command[S], error)

// A Route chooses the next steps after a node, from the state as it is when the superstep's updates are applied.
type Route[S any] func(ctx context.Context, state S) (Next, error)

// Next is what a [Route] chose: labels of its targets, and sends. The zero Next goes nowhere.
type Next struct {
	first string
	more  []string
	// Sends are tasks with inputs of their own; their nodes must be among the route's targets.
	Sends []Send
}

// To goes to the targets with these labels, all of them in the next superstep.
func To(label string, more ...string) Next { return Next{first: label, more: more} }

// Fan sends tasks with inputs of their own. No sends at all is a path that ends.
func Fan(sends ...Send) Next { return Next{Sends: sends} }

// A Send is a task for a node, with an input of its own if the node was added by [AddInputNode]. For a node that reads the
// state Input is nil.
type Send struct {
	Node  string
	Input any
}

// An Update says which channels get which values: a list of what [Channel.Write] made. A channel that is not in it was not written.
type Update[S any] []Write[S]

// A Command is what a node wants. The zero Command wants nothing: the fixed edges and routes of the node decide what comes next.
type Command[S any] struct {
	// Update is reduced into the state.
	Update Update[S]
	// Goto is a further node to run next, besides those that edges and routes name.
	Goto string
	// Sends are further tasks to run next.
	Sends []Send
	// Interrupt asks a person. The task counts as not finished, so nothing else may be wanted beside it. When the answer comes, the node
	// runs again and finds it with [Answer].
	Interrupt *Interrupt
	// Parent is a command to the graph in which this one is a node. This graph ends without finishing its superstep; its node's command is that
	// one, and what follows is only what it names, not the node's edges. Nothing else may be wanted beside it.
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
	// ID is given by the engine; it is the same however often the task is run again.
	ID string `json:"id"`
	// Question is what is asked: a string, or any value that JSON can carry.
	Question any `json:"question"`
	// ResponseSchema is the JSON schema of its answers, an object, for whoever asks a person. It is only shown: what
	// looks at answers is NodeOptions.CheckAnswer. Nil: none is said.
	ResponseSchema json.RawMessage `json:"response_schema,omitempty"`
	// Node is the node that asks, given by the engine.
	Node string `json:"node"`
}

// An Input starts or continues a run. The zero Input continues an unfinished thread from its checkpoint, or starts a new one.
type Input[S any] struct {
	// Update is reduced into the state and the run starts at [Start]; what a thread had left open is dropped. Nil is no update; an empty one is.
	Update Update[S]
	// Resume answers open interrupts by their ids. The id "" answers the only open one. An id that is not open is [fault.ErrNotFound], and then
	// none is answered. Not with Update or Goto.
	Resume map[string]any
	// Goto starts at a node other than [Start].
	Goto string
}

func (in Input[S]) empty() bool { return in.Update == nil && in.Resume == nil && in.Goto == "" }

// A Result is how a run ended.
type Result[S any] struct {
	State S
	// Interrupts are the questions the thread waits for, in task order; the run is finished if there are none and Next is empty.
	Interrupts []Interrupt
	// Next are the nodes that would run next: those that asked, or those the run paused before or after.
	Next []string
	// Checkpoint is the id of the last checkpoint, 0 for a run without a thread, and At when it was made.
	Checkpoint int64
	At         time.Time
	// Steps counts the supersteps of this run.
	Steps int
}

// Mark is that of the last checkpoint.
func (r Result[S]) Mark() Mark { return Mark{r.Checkpoint, r.At} }

// Options are the settings of a [Graph] that have a default.
type Options struct {
	// Name is the graph's, in errors, drawings and checkpoints. Empty: "graph".
	Name string
	// Version is to be raised when the graph or its channels change so that older checkpoints would be misread.
	Version int
	// Migrate makes a record that another version, or a graph of another name, wrote into one of this graph; its ids stay as they are. Nil: such a
	// thread is refused, with [fault.ErrInvalid].
	Migrate func(Record) (Record, error)
	// Checkpointer keeps threads. Nil: runs remember nothing, and their nodes can't ask.
	Checkpointer Checkpointer
	// RecursionLimit is the largest number of supersteps of a run; 0 means that of the [StateGraph], or else 25.
	RecursionLimit int
	// MaxConcurrency is how many tasks of a superstep run at the same time; 0 means 16.
	MaxConcurrency int
	// InterruptBefore and InterruptAfter pause a run before or after these nodes, to be continued by an empty [Input].
	InterruptBefore, InterruptAfter []string
	// Timeout, Retry, OnError and Cache hold for all nodes that do not say otherwise; the latter two not for the handler itself. Each node has results of
	// its own in the cache.
	Timeout time.Duration
	Retry   *Retry
	OnError string
	Cache   *Cache
	// Durability says when checkpoints are written. Empty: [DurabilitySync].
	Durability Durability
	// Store is what nodes find in [Runtime.Store]. Nil: none.
	Store Store
	// Callbacks hear what every run does. A subgraph's runs are heard by those of the outermost graph alone.
	Callbacks Callbacks
	// LiveThreads is how many threads' newest states are kept in memory, so that the next run loads nothing; 0 means 256. A thread that
	// another process wrote meanwhile is loaded anew.
	LiveThreads int
	// Now is the clock of checkpoints, and of nodes that ask [RuntimeOf]. Nil: checkpoints carry no time.
	Now func() time.Time
}

// Durability says when checkpoints are written.
type Durability string

// The values of [Durability].
const (
	// DurabilitySync commits every superstep before the next one begins, and before its updates and values are streamed.
	DurabilitySync Durability = "sync"
	// DurabilityAsync commits a superstep while the next one runs. A process that dies loses at most the last superstep that had ended.
	DurabilityAsync Durability = "async"
	// DurabilityExit writes one checkpoint when the run ends, asks, pauses or fails. A process that dies in between loses the run.
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
	// Newest, unless it is zero, is the checkpoint that must be the newest: if another process
	// wrote since it was, the run ends with [fault.ErrConflict] and has
	// done nothing. See [Graph.Newest].
	Newest Mark
	// New says that nothing is remembered on the thread yet, so that nothing is looked for. If something is, the
	// run ends with [fault.ErrConflict].
	New bool
	// RunID is written into checkpoints and given to nodes.
	RunID string
	// RecursionLimit and MaxConcurrency override the graph's if not 0.
	RecursionLimit, MaxConcurrency int
	// Durability overrides the graph's if not empty, and Store if not nil.
	Durability Durability
	Store      Store
	// InterruptBefore and InterruptAfter override the graph's if not nil.
	InterruptBefore, InterruptAfter []string
	// Callbacks hear what the run does, after those of the graph.
	Callbacks Callbacks
	// Modes are the events that [Graph.Stream] yields besides the [ModeResult] that ends every run.
	Modes []Mode
	// Subgraphs yields events of subgraphs too; their Namespace is not empty.
	Subgraphs bool
	// ReaderTimeout is how long a run waits for the reader of its stream that takes nothing; 0 means 10 s.
	// See [Graph.Stream].
	ReaderTimeout time.Duration
	// Context is handed to nodes by [RunContext]: who asks, where; what a run is about but does not remember.
	Context any
}
