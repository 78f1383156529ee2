package runs

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"annai/graph"
)

// A Graph is a graph whose state is JSON to whoever calls it; [Typed] makes one of any graph. It is safe for concurrent use. A checkpoint is known by a
// text that tells no more than its thread and its place: of two of a thread the later one is the larger. Errors have the kinds that the engine gives them.
type Graph interface {
	// ID names the graph: "annai".
	ID() string
	Drawing() graph.Drawing
	Schemas() Schemas
	// Run runs the graph on the thread until it ends, asks or pauses, and gives emit what happens, of the kinds and places wanted, in order; nothing else
	// is encoded. Emit is called by one goroutine at a time. The outcome is that of the newest checkpoint, with an error too.
	Run(ctx context.Context, in Input, want Want, emit func(Event)) (Outcome, error)
	// State returns how the thread stands, at a checkpoint or, for "", now. A thread that never ran has the zero state.
	State(ctx context.Context, thread, checkpoint string) (State, error)
	// Inside returns how a graph inside stands now, in the namespace of a [Task] or an [Event]. Its Checkpoint is no
	// place to go on from.
	Inside(ctx context.Context, thread, namespace string) (State, error)
	// History yields the states of a thread, newest first, before a checkpoint if that is not empty.
	History(ctx context.Context, thread, before string) iter.Seq2[State, error]
	// Update writes values at a checkpoint as if the node asNode had, and returns the new checkpoint. The thread need not have run.
	Update(ctx context.Context, thread, checkpoint string, values json.RawMessage, asNode string) (string, error)
	Checkpoints
}

// Checkpoints is what can be done with a thread's checkpoints as a whole, as [graph.Graph] does it.
type Checkpoints interface {
	Copy(ctx context.Context, from, to string) error
	Delete(ctx context.Context, thread string) error
	KeepLatest(ctx context.Context, thread string) error
	// Storage returns how much is kept of the thread.
	Storage(ctx context.Context, thread string) (Storage, error)
	// Head returns the newest checkpoint, "" for a thread without any.
	Head(ctx context.Context, thread string) (string, error)
	// Rewind makes the thread stand where it stood at the checkpoint; "" empties it.
	Rewind(ctx context.Context, thread, checkpoint string) error
}

// Schemas are JSON Schemas of what goes in and out. Nil is any object.
type Schemas struct {
	Input, Output, State, Config, Context json.RawMessage
}

// An Input is what a run of a graph begins with.
type Input struct {
	ThreadID, RunID string
	// Kwargs are what the run was asked to do.
	Kwargs Kwargs
	// Again says that an earlier attempt at this run broke off: if it left a checkpoint the run goes on from there.
	Again bool
	// New says that the thread was made for this attempt, so that it has no checkpoint.
	New bool
	// Said returns what earlier attempts said, and Settle returns once what was emitted is in the log. Both are nil for a run without a log.
	Said   func(ctx context.Context) ([]Event, error)
	Settle func(ctx context.Context) error
	// Store is what the nodes find in [graph.Runtime]; nil: that of the graph.
	Store graph.Store
}

// A Config is what a run is about but does not remember. Nodes find it with [graph.RunContext].
type Config struct {
	// Configurable is that of the run's configuration, Context its context.
	Configurable, Context Object
	// Owner says that it is the owner of the assistant's calendar who asks.
	Owner bool
	// OwnerName is the name of that owner; empty: none in particular.
	OwnerName string
}

// Config is what the run is about.
func (in Input) Config() Config {
	configurable, _ := in.Kwargs.Config["configurable"].(Object)
	return Config{
		Configurable: configurable, Context: in.Kwargs.Context, Owner: in.Kwargs.Owner, OwnerName: in.Kwargs.OwnerName,
	}
}

// Want says which events are wanted.
type Want struct {
	Kinds     map[Kind]bool
	Subgraphs bool
}

// An Outcome is where a run left its thread.
type Outcome struct {
	// Values is the state, Tasks what would run next: empty when the run has finished.
	Values json.RawMessage
	Tasks  []Task
	// Checkpoint is the newest one.
	Checkpoint string
}

// Interrupts are the open questions, in the order of the tasks.
func (o Outcome) Interrupts() []Interrupt {
	open := []Interrupt{}
	for _, t := range o.Tasks {
		open = append(open, t.Interrupts...)
	}
	return open
}

// A State is how a thread stands, or stood at a checkpoint.
type State struct {
	Values json.RawMessage `json:"values"`
	Tasks  []Task          `json:"tasks"`
	// Checkpoint is empty for a thread that never ran, Parent for its first one.
	Checkpoint string `json:"checkpoint"`
	Parent     string `json:"parent,omitempty"`
	// Source is input, loop or update. Step grows from checkpoint to checkpoint; the first one has -1.
	Source    string    `json:"source"`
	Step      int       `json:"step"`
	RunID     string    `json:"run_id,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// Next are the nodes that run next.
func (s State) Next() []string {
	next := []string{}
	for _, t := range s.Tasks {
		next = append(next, t.Name)
	}
	return next
}

// A Task is a node that is to run next.
type Task struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Interrupts []Interrupt `json:"interrupts"`
	// Result is what the task wrote, an object of channels, if it has run since. Only [Graph.State] and [Graph.History] tell it.
	Result json.RawMessage `json:"result,omitempty"`
	// Namespace is where the task remembers, if it is a graph inside; see [Graph.Inside].
	Namespace string `json:"namespace,omitempty"`
}
