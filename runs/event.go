package runs

import (
	"encoding/json"
	"time"
)

// A Kind is what an [Event] is about. What each stream shows of which kinds is decided where it is rendered.
type Kind string

// The values of [Kind], with what Event.Data holds.
const (
	// KindBegin is the first event of each attempt at a run: {"attempt": 1, "graph_id", "assistant_id"}.
	KindBegin Kind = "begin"
	// KindValues is the whole state after the input and after each superstep.
	KindValues Kind = "values"
	// KindUpdate is what one task wrote: an object of its channels.
	KindUpdate Kind = "update"
	// KindMessage is a message, or a piece of one, that a node says while it runs; pieces of one have the same id.
	KindMessage Kind = "message"
	// KindCustom is whatever a node wrote.
	KindCustom Kind = "custom"
	// KindTask is the start of a task, {"id", "name", "input"}, KindTaskEnd its end: {"id", "name", "result", "error", "interrupts"}.
	KindTask    Kind = "task"
	KindTaskEnd Kind = "task_end"
	// KindCheckpoint is a [State].
	KindCheckpoint Kind = "checkpoint"
	// KindInterrupt is the list of questions with which a run stopped; empty for a breakpoint.
	KindInterrupt Kind = "interrupt"
	// KindEnd is the last event of a run: an [Ending].
	KindEnd Kind = "end"
)

// An Event is an entry of a thread's log.
type Event struct {
	// ID is given by [Events.Append]. It grows strictly within the thread, over all of its runs; ids need not follow each other without gaps.
	ID    int64
	RunID string
	At    time.Time
	Kind  Kind
	// Namespace is empty for the graph itself, and the path of the subgraph's tasks otherwise, "node:id|node:id".
	Namespace string
	// Node and Step say where it happened; empty and 0 where that makes no sense.
	Node string
	Step int
	Data json.RawMessage
}

// An Ending is the data of [KindEnd].
type Ending struct {
	Status RunStatus `json:"status"`
	// Error and Message say why a run failed: the kind of error and its text.
	Error   string `json:"error,omitempty"`
	Message string `json:"message,omitempty"`
	// Refused says that the run did not begin, because what it was asked to begin with makes no sense.
	Refused bool `json:"refused,omitempty"`
	// Thread is how the thread stands.
	Thread ThreadStatus `json:"thread,omitempty"`
}
