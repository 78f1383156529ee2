// Package runs is the service behind LangGraph's API: assistants, threads, runs, a store of items and crons, over any
// graph.
//
// The idea to hold: a run is first of all a row in the [Store]. The process that executes it holds its lease, and
// appends what happens to the event log of its thread, which every process that shares the Store can read, at once or
// later; all streams and protocols are made from that log. A run to which only its caller listens has a feed in
// memory instead.
//
// [Service] is what servers call. [Store] is what outlives a process, [Queue] hands waiting runs to processes,
// [Graph] is a graph whose state its callers see as JSON. The package knows no HTTP server, no SQL and no model.
package runs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"annai/fault"
)

// An Object is a JSON object: metadata, configuration, the value of an item.
type Object = map[string]any

// Errors that tell more than their kind, which is [fault.ErrConflict].
var (
	// ErrBusy says that it is not the run's turn: another run of its thread comes first, somebody else holds the lease, or it is not time yet.
	ErrBusy = fmt.Errorf("the thread is busy: %w", fault.ErrConflict)
	// ErrEnded says that the run ended already.
	ErrEnded = fmt.Errorf("the run has ended: %w", fault.ErrConflict)
	// ErrLost says that the lease is somebody else's by now: whoever held it stops and writes nothing more.
	ErrLost = fmt.Errorf("the lease of the run is lost: %w", fault.ErrConflict)
)

// An Assistant is a named graph with its settings. Each change makes a new version; the latest one, which may be set back, is what runs use.
type Assistant struct {
	ID          string    `json:"assistant_id"`
	GraphID     string    `json:"graph_id"`
	Version     int       `json:"version"`
	Name        string    `json:"name"`
	Description *string   `json:"description"`
	Config      Object    `json:"config"`
	Context     Object    `json:"context"`
	Metadata    Object    `json:"metadata"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// ThreadStatus says how a thread stands.
type ThreadStatus string

// The values of [ThreadStatus].
const (
	ThreadIdle        ThreadStatus = "idle"
	ThreadBusy        ThreadStatus = "busy"        // a run is pending or running
	ThreadInterrupted ThreadStatus = "interrupted" // it waits for answers, or stopped at a breakpoint
	ThreadError       ThreadStatus = "error"       // the last run failed
)

// A TTL says what becomes of a thread that nobody used for so long.
type TTL struct {
	Minutes float64 `json:"ttl"`
	// Strategy is "delete", which "" means, or "keep_latest": all checkpoints but the newest go.
	Strategy string `json:"strategy,omitempty"`
}

// A Thread is one conversation. Its checkpoints are kept by its graph's checkpointer, under the thread's id.
type Thread struct {
	ID        string       `json:"thread_id"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
	Metadata  Object       `json:"metadata"`
	Status    ThreadStatus `json:"status"`
	Config    Object       `json:"config"`
	// Values is the newest state, Interrupts the open questions by the ids of their tasks; nil before the first run.
	Values     json.RawMessage        `json:"values,omitempty"`
	Interrupts map[string][]Interrupt `json:"interrupts,omitempty"`
	// StateUpdatedAt is when Values was written last.
	StateUpdatedAt *time.Time `json:"state_updated_at,omitempty"`
	TTL            *TTL       `json:"ttl,omitempty"`
	// ExpiresAt is when TTL runs out, if nothing happens.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`

	// What follows is kept, but never sent.

	// GraphID is the graph that the thread's checkpoints are of; empty before the first run or update.
	GraphID string `json:"-"`
	// Temporary threads belong to one run and go with it. No search finds them.
	Temporary bool `json:"-"`
	// Error is why the last run failed, while Status is ThreadError.
	Error string `json:"-"`
	// Dropped are runs that were rolled back, whose checkpoints are not shown any more.
	Dropped []string `json:"-"`
	// Maker is who made it, Bytes about how many bytes were written to it since.
	Maker Maker `json:"-"`
	Bytes int64 `json:"-"`
}

// An Interrupt is an open question, as it is sent.
type Interrupt struct {
	ID    string          `json:"id"`
	Value json.RawMessage `json:"value"`
	// ResponseSchema is the JSON schema of the answers, where the graph says one.
	ResponseSchema json.RawMessage `json:"response_schema,omitempty"`
}

// RunStatus says how a run stands.
type RunStatus string

// The values of [RunStatus].
const (
	RunPending     RunStatus = "pending"
	RunRunning     RunStatus = "running"
	RunSuccess     RunStatus = "success" // also when it stopped to ask
	RunError       RunStatus = "error"
	RunInterrupted RunStatus = "interrupted" // it was cancelled
	RunTimeout     RunStatus = "timeout"
)

// Ended says whether a run of this status is over.
func (s RunStatus) Ended() bool { return s != RunPending && s != RunRunning }

// A Strategy says what a new run does on a thread that is busy.
type Strategy string

// The values of [Strategy].
const (
	Reject         Strategy = "reject"    // it is refused
	Enqueue        Strategy = "enqueue"   // it waits
	InterruptOther Strategy = "interrupt" // the others are cancelled; what they finished stays
	RollbackOther  Strategy = "rollback"  // the others are cancelled, and it is as if they had never been
)

// An Action is how a run is cancelled.
type Action string

// The values of [Action]; "" is no wish to cancel.
const (
	CancelInterrupt Action = "interrupt"
	CancelRollback  Action = "rollback"
)

// A Mode is a kind of stream that a client asks for.
type Mode string

// The values of [Mode].
const (
	ModeValues        Mode = "values"
	ModeUpdates       Mode = "updates"
	ModeMessages      Mode = "messages"
	ModeMessagesTuple Mode = "messages-tuple"
	ModeCustom        Mode = "custom"
	ModeTasks         Mode = "tasks"
	ModeCheckpoints   Mode = "checkpoints"
	ModeDebug         Mode = "debug"
	ModeEvents        Mode = "events"
	ModeTools         Mode = "tools"
)

// Kwargs are what a run was asked to do.
type Kwargs struct {
	// Input starts the graph; nil or null continues from the checkpoint. Command is instead of it.
	Input   json.RawMessage `json:"input"`
	Command *Command        `json:"command,omitempty"`
	// Config and Context are those of assistant, thread and run, merged. Config has recursion_limit, tags and configurable.
	Config  Object `json:"config"`
	Context Object `json:"context"`
	// Checkpoint is where to start from; empty: the newest.
	Checkpoint      string   `json:"checkpoint_id,omitempty"`
	StreamMode      []Mode   `json:"stream_mode"`
	Subgraphs       bool     `json:"subgraphs"`
	Resumable       bool     `json:"resumable"`
	Temporary       bool     `json:"temporary"`
	InterruptBefore []string `json:"interrupt_before,omitempty"`
	InterruptAfter  []string `json:"interrupt_after,omitempty"`
	Webhook         string   `json:"webhook,omitempty"`
	// Durability says when checkpoints are written; empty: what the graph says.
	Durability string `json:"durability,omitempty"`
	// Logged says that the run's events go into the log of its thread, AllModes that all kinds of events do and not only what StreamMode needs.
	Logged   bool `json:"logged,omitempty"`
	AllModes bool `json:"all_modes,omitempty"`
	// Owner says that it was the owner of the assistant's calendar who asked.
	Owner bool `json:"owner,omitempty"`
	// OwnerName is the name of that owner; empty: none in particular.
	OwnerName string `json:"owner_name,omitempty"`
	// Traceparent is the trace of who asked, as the W3C writes it; empty: none that is known.
	Traceparent string `json:"traceparent,omitempty"`
}

// A Command continues a thread otherwise than by an input.
type Command struct {
	// Resume answers the open interrupts: a value for the only one, or an object by their ids. Nil: it does not.
	Resume json.RawMessage `json:"resume,omitempty"`
	// Update is written to the state; Goto is what runs then.
	Update json.RawMessage `json:"update,omitempty"`
	Goto   []Goto          `json:"goto,omitempty"`
}

// A Goto is a node to run, with an input of its own unless Input is nil.
type Goto struct {
	Node  string          `json:"node"`
	Input json.RawMessage `json:"input,omitempty"`
}

// A Run is one execution on a thread.
type Run struct {
	ID          string    `json:"run_id"`
	ThreadID    string    `json:"thread_id"`
	AssistantID string    `json:"assistant_id"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	Metadata    Object    `json:"metadata"`
	Status      RunStatus `json:"status"`
	Kwargs      Kwargs    `json:"kwargs"`
	Strategy    Strategy  `json:"multitask_strategy"`

	// What follows is kept, but never sent.

	GraphID string `json:"-"`
	// After is when the run may start; zero: at once.
	After time.Time `json:"-"`
	// StartedAt and EndedAt are zero until then; Error is why it failed.
	StartedAt time.Time `json:"-"`
	EndedAt   time.Time `json:"-"`
	Error     string    `json:"-"`
	// Owner holds the lease until LeaseUntil; Attempt counts the leases. Cancel is how the run shall end.
	Owner      string    `json:"-"`
	LeaseUntil time.Time `json:"-"`
	Attempt    int       `json:"-"`
	Cancel     Action    `json:"-"`
}

// An Item is a value in the store, known by its namespace and key.
type Item struct {
	Namespace []string  `json:"namespace"`
	Key       string    `json:"key"`
	Value     Object    `json:"value"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// TTLMinutes is how long the item lives after it was written, or read with a refresh; 0: for ever. ExpiresAt follows from it.
	TTLMinutes float64    `json:"-"`
	ExpiresAt  *time.Time `json:"-"`
	// Meaning is what searches compare with a query, in a form that only [Service] knows; nil: nothing.
	Meaning []byte `json:"-"`
	// Version is another number after each writing, so that who knows the item sees that it changed.
	Version int64 `json:"-"`
}

// An ItemVersion is which writing of an item there is.
type ItemVersion struct {
	Namespace []string
	Key       string
	Version   int64
}

// A Cron starts runs by a schedule.
type Cron struct {
	ID          string `json:"cron_id"`
	AssistantID string `json:"assistant_id"`
	// ThreadID is where the runs are; nil: each on a thread of its own.
	ThreadID *string `json:"thread_id"`
	// Schedule has five fields, in the zone Timezone, an IANA name; empty: UTC.
	Schedule string `json:"schedule"`
	Timezone string `json:"timezone,omitempty"`
	// NextRun is nil once the cron is over or while it is not enabled.
	NextRun *time.Time `json:"next_run_date"`
	EndTime *time.Time `json:"end_time"`
	Enabled bool       `json:"enabled"`
	// OnCompleted is "delete" or "keep": what becomes of the thread of a run that has one of its own.
	OnCompleted string `json:"on_run_completed,omitempty"`
	// Payload is the body of the request that makes a run.
	Payload   json.RawMessage `json:"payload"`
	Metadata  Object          `json:"metadata"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`

	// Maker is who made it, and makes the threads of its runs. It is kept, but never sent.
	Maker Maker `json:"-"`
}

// Contains says whether have holds all of want: objects hold at least the wanted names, everything else is equal. Both are what encoding/json makes of
// JSON. A nil or empty want is held by all.
func Contains(have, want Object) bool {
	for name, w := range want {
		h, ok := have[name]
		if !ok || !holds(h, w) {
			return false
		}
	}
	return true
}

func holds(have, want any) bool {
	w, ok := want.(Object)
	if !ok {
		return reflect.DeepEqual(have, want)
	}
	h, ok := have.(Object)
	return ok && Contains(h, w)
}
