package graph

// Mode is a kind of event that a run can be listened to for. What nobody listens to is not built.
type Mode string

// The values of [Mode], with the events that they yield.
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
	// ModeCheckpoints yields a [CheckpointEvent] for what a superstep, or the input, led to; only runs on a thread have
	// any.
	ModeCheckpoints Mode = "checkpoints"
	// ModeDebug yields what ModeTasks and ModeCheckpoints do; where both are asked for, each once.
	ModeDebug Mode = "debug"
	// ModeResult yields the [ResultEvent], last, in every run that did not fail. It need not be asked for.
	ModeResult Mode = "result"
)

// An Event is something that happened in a run: a [StateEvent], [UpdateEvent], [MessageEvent], [CustomEvent],
// [TaskEvent], [CheckpointEvent] or [ResultEvent], of the graph's state S. Those of a graph inside are of its own
// state; see [Place].
type Event interface {
	// From says where it happened.
	From() Place
	// Mode is what it is yielded for, ModeTasks and ModeCheckpoints for what ModeDebug yields.
	Mode() Mode
	// Data is what it tells, as one value, for those who only write it down: the state, the update, and so on; the
	// [TaskEvent] itself.
	Data() any

	event()
}

// A Place is where in a run an [Event] happened.
type Place struct {
	// Namespace is empty for the graph itself, and the path of the subgraph's tasks otherwise.
	Namespace string
	Step      int
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

// A CheckpointEvent is what a superstep, or the input, led to. With [DurabilityAsync] it may not be committed yet, with
// [DurabilityExit] it never will be by itself: its ID is 0 then.
type CheckpointEvent[S any] struct {
	Place

	Checkpoint Checkpoint[S]
}

// A ResultEvent is how the run ended.
type ResultEvent[S any] struct {
	Place

	Result Result[S]
}

// Mode is [ModeValues].
func (StateEvent[S]) Mode() Mode { return ModeValues }

// Mode is [ModeUpdates].
func (UpdateEvent[S]) Mode() Mode { return ModeUpdates }

// Mode is [ModeMessages].
func (MessageEvent) Mode() Mode { return ModeMessages }

// Mode is [ModeCustom].
func (CustomEvent) Mode() Mode { return ModeCustom }

// Mode is [ModeTasks].
func (TaskEvent) Mode() Mode { return ModeTasks }

// Mode is [ModeCheckpoints].
func (CheckpointEvent[S]) Mode() Mode { return ModeCheckpoints }

// Mode is [ModeResult].
func (ResultEvent[S]) Mode() Mode { return ModeResult }

// Data is the state S.
func (e StateEvent[S]) Data() any { return e.State }

// Data is the Update[S].
func (e UpdateEvent[S]) Data() any { return e.Update }

// Data is the message.
func (e MessageEvent) Data() any { return e.Message }

// Data is the value.
func (e CustomEvent) Data() any { return e.Value }

// Data is the event.
func (e TaskEvent) Data() any { return e }

// Data is a Checkpoint[any], whatever the state.
func (e CheckpointEvent[S]) Data() any { return e.Checkpoint.Any() }

// Data is the Result[S].
func (e ResultEvent[S]) Data() any { return e.Result }
