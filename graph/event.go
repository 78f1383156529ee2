package graph

// A Mode selects a kind of event of a stream. Events of a kind that was not asked for are not made.
type Mode string

// The values of [Mode], with the events that they select.
const (
	// ModeValues yields a [StateEvent] after every superstep, and after the input.
	ModeValues Mode = "values"
	// ModeUpdates yields an [UpdateEvent] for every finished task, in task order.
	ModeUpdates Mode = "updates"
	// ModeMessages yields a [MessageEvent] for what nodes gave to [WriteMessage], at once.
	ModeMessages Mode = "messages"
	// ModeCustom yields a [CustomEvent] for what nodes gave to [WriteCustom], at once.
	ModeCustom Mode = "custom"
	// ModeTasks yields a [TaskEvent] when a task starts and when it ends.
	ModeTasks Mode = "tasks"
	// ModeCheckpoints yields a [CheckpointEvent] after every superstep, and after the input, of runs on a thread.
	ModeCheckpoints Mode = "checkpoints"
	// ModeDebug yields what ModeTasks and ModeCheckpoints do; where both are asked for, each once.
	ModeDebug Mode = "debug"
	// ModeResult yields the [ResultEvent], last, in every run that did not fail. It is always selected.
	ModeResult Mode = "result"
)

// An Event is something that happened in a run: a [StateEvent], [UpdateEvent], [MessageEvent], [CustomEvent],
// [TaskEvent], [CheckpointEvent] or [ResultEvent], of the graph's state S. Events of a subgraph are of the subgraph's
// state; see [Place].
type Event interface {
	// From returns where it happened.
	From() Place
	// Mode returns the mode that selects this type of event; never [ModeDebug].
	Mode() Mode
	// Data returns the content as one value, such as the state or the update, for programs that only write it out. That
	// of a [TaskEvent] is the event itself.
	Data() any

	event()
}

// A Place is where in a run an [Event] happened.
type Place struct {
	// Namespace is empty for the graph itself, and the path of the subgraph's tasks otherwise.
	Namespace string
	// Step is the superstep of the thread, from 1; 0 for what comes before the first. That of a [ResultEvent] is
	// Result.Steps.
	Step int
	// Node is the node it is about; empty for states, checkpoints and the result.
	Node string
}

// From returns the place.
func (p Place) From() Place { return p }

func (Place) event() {}

// A StateEvent is the state after a superstep, or after the input.
type StateEvent[S any] struct {
	Place

	State S
}

// An UpdateEvent is what a task wrote.
type UpdateEvent[S any] struct {
	Place

	Update Update[S]
}

// A MessageEvent is a message, or a piece of one, as a node gave it to [WriteMessage].
type MessageEvent struct {
	Place

	Message any
}

// A CustomEvent is what a node gave to [WriteCustom].
type CustomEvent struct {
	Place

	Value any
}

// A TaskEvent is the start or the end of a task.
type TaskEvent struct {
	Place

	// ID tells the task from all others of the thread, and stays the same when it runs again.
	ID string
	// Ended is false for the start.
	Ended bool
	// Input is what the task is given, only at the start: the input of its [Send] if Sent, or else the state S.
	Input any
	Sent  bool
	// Err is why a task failed, Interrupts what it asks; both only at the end.
	Err        error
	Interrupts []Interrupt
}

// A CheckpointEvent is the checkpoint after a superstep, or after the input. With [DurabilityAsync] it may not be
// committed yet. With [DurabilityExit] it is not kept, and its ID is 0.
type CheckpointEvent[S any] struct {
	Place

	Checkpoint Checkpoint[S]
}

// A ResultEvent is how the run ended.
type ResultEvent[S any] struct {
	Place

	Result Result[S]
}

// Mode returns [ModeValues].
func (StateEvent[S]) Mode() Mode { return ModeValues }

// Mode returns [ModeUpdates].
func (UpdateEvent[S]) Mode() Mode { return ModeUpdates }

// Mode returns [ModeMessages].
func (MessageEvent) Mode() Mode { return ModeMessages }

// Mode returns [ModeCustom].
func (CustomEvent) Mode() Mode { return ModeCustom }

// Mode returns [ModeTasks].
func (TaskEvent) Mode() Mode { return ModeTasks }

// Mode returns [ModeCheckpoints].
func (CheckpointEvent[S]) Mode() Mode { return ModeCheckpoints }

// Mode returns [ModeResult].
func (ResultEvent[S]) Mode() Mode { return ModeResult }

// Data returns the state, an S.
func (e StateEvent[S]) Data() any { return e.State }

// Data returns the Update[S].
func (e UpdateEvent[S]) Data() any { return e.Update }

// Data returns the message.
func (e MessageEvent) Data() any { return e.Message }

// Data returns the value.
func (e CustomEvent) Data() any { return e.Value }

// Data returns the event.
func (e TaskEvent) Data() any { return e }

// Data returns a Checkpoint[any], whatever the type of the state.
func (e CheckpointEvent[S]) Data() any { return e.Checkpoint.Any() }

// Data returns the Result[S].
func (e ResultEvent[S]) Data() any { return e.Result }
