package graph

import (
	"context"
	"time"
)

// Source says what made a checkpoint.
type Source string

// The values of [Source].
const (
	SourceInput  Source = "input"  // the input of a run was reduced into the state
	SourceLoop   Source = "loop"   // a superstep ended
	SourceUpdate Source = "update" // somebody updated the state from outside
)

// A Record is a checkpoint as it is stored: what was written since its parent, and what runs next. It is for those who
// write a [Checkpointer] or an Options.Migrate.
type Record struct {
	// ID counts from 1 in the thread and namespace. Parent is the record before it, 0 for none; not always ID-1,
	// since a thread can be forked at any record.
	ID, Parent int64
	// Base is the oldest ancestor, or the record itself, from which the state can be rebuilt. LogBytes is the size of
	// the writes since then.
	Base, LogBytes int64
	// Namespace is empty for the graph itself, and the path of the task for a subgraph.
	Namespace string
	RunID     string
	Step      int
	Source    Source
	At        time.Time
	// Graph is the name of the graph that wrote it, followed by "@" and its version if that is not 0.
	Graph string
	// Snapshot says that Writes hold whole values, of every channel, and not updates.
	Snapshot bool
	// Writes are in the order in which they apply. One to a channel named __start__ says that a new run began there,
	// without what was ephemeral; one to __carried__ says at which checkpoint and step the tasks were made, if it was
	// an earlier one; one to __base__ says with which state a subgraph began.
	Writes []ChannelData
	// Tasks run next, in order.
	Tasks []TaskData
	// Joins are the sources that have arrived at joins still waiting.
	Joins []JoinData
	// Pending is what finished or asking tasks of this checkpoint left, in no order.
	Pending []TaskWrites
	// Inner are records of subgraphs that are stored together with this one: oldest first, each with a namespace, its
	// Pending and no Inner. Reads leave it empty.
	Inner []Record
	// Relaxed says that Put may return before the record is safe from a power failure; it must outlive the process.
	// It is not stored.
	Relaxed bool
}

// A Mark tells a record from all others that the thread has, or had before it was deleted and begun anew: by its id and
// the time at which it was put. The zero Mark is that of no record.
type Mark struct {
	ID int64
	At time.Time
}

// Is reports whether both are marks of the same record, or of none.
func (m Mark) Is(other Mark) bool {
	return m.ID == other.ID && (m.ID == 0 || m.At.UnixNano() == other.At.UnixNano())
}

// ChannelData is the encoded value, or update, of a channel.
type ChannelData struct {
	Channel string
	Data    []byte
}

// TaskData is a task that is to run: a node, with an encoded input if it was sent one.
type TaskData struct {
	Node  string
	Input []byte
}

// JoinData says which sources have arrived at the join into Target, or that the deferred node Target waits. Index tells
// the joins apart.
type JoinData struct {
	Index   int
	Target  string
	Arrived []string
}

// TaskWrites is what a task left before its superstep ended: its command if it finished, else its interrupts and
// their answers.
type TaskWrites struct {
	// Namespace and Checkpoint are those of the record, Task is the place in its Tasks.
	Namespace  string
	Checkpoint int64
	Task       int
	// Finished says that the command is whole; otherwise the task waits for answers.
	Finished bool
	// Writes is what the command writes; a channel named __alone__ among them says that the edges of the node are not
	// followed.
	Writes []ChannelData
	// Goto and Sends are those of the command.
	Goto  string
	Sends []TaskData
	// Interrupts are the encoded open questions with their ids, Answers the encoded answers so far, in order.
	Interrupts []InterruptData
	Answers    [][]byte
}

// InterruptData is an encoded interrupt.
type InterruptData struct {
	ID, Node string
	// Question is the question in JSON, and behind it the schema of its answers, if it has one.
	Question []byte
	// Answer is set once it was answered but the task has not run since.
	Answer []byte
}

// A Lister lists threads. Some Checkpointers implement it.
type Lister interface {
	// Threads returns at most limit names of threads that have a record, sorted, of those that come after the one
	// that is given; "" is before all.
	Threads(ctx context.Context, after string, limit int) ([]string, error)
}

// A Checkpointer keeps threads: for each an append-only log of records. It is safe for concurrent use; it neither
// keeps nor changes the slices it is given once a call returned, and nobody else sees what it returns. Bytes come
// back as they went, nil as nil and empty as empty. A thread or namespace that was never written is empty, which is
// no error.
type Checkpointer interface {
	// Put appends a record to the thread, with its Pending and those in Inner: all of it or nothing. If the namespace
	// has a record with that ID already, somebody else was first: [fault.ErrConflict], and nothing is changed; so it
	// is if it has no record Parent or no record Base other than this one, because somebody deleted them. When Put
	// returns, the record will be found by every later call.
	Put(ctx context.Context, thread string, r Record) error
	// PutWrites keeps what a task of a checkpoint left, in place of what it left before. A record that does not exist
	// is [fault.ErrNotFound].
	PutWrites(ctx context.Context, thread string, w TaskWrites) error
	// Load returns the record with that id, or the newest for 0, then its ancestors in order down to its Base, and
	// the newest id in the namespace. Of the ancestors Pending may be left out. No record at all: an empty slice and
	// 0. An id that does not exist: [fault.ErrNotFound].
	Load(ctx context.Context, thread, namespace string, id int64) (chain []Record, newest int64, err error)
	// Newest returns the mark of the newest record in the namespace, which costs less than to load
	// it. No record at all: the zero Mark.
	Newest(ctx context.Context, thread, namespace string) (Mark, error)
	// List returns at most limit records with ids below before, newest first, with Pending. 0 is no bound, for both.
	List(ctx context.Context, thread, namespace string, before int64, limit int) ([]Record, error)
	// Copy makes the thread to, which must be empty, one like from, with all its namespaces, at one moment. A to that
	// is not empty is [fault.ErrConflict], a from that does not exist [fault.ErrNotFound].
	Copy(ctx context.Context, from, to string) error
	// Keep forgets all of the thread but two things: the record r, a snapshot without a parent, which replaces the
	// one with its ID and takes over its Pending, whatever r's own are, and the namespaces that are, or begin with,
	// one of those given. If r's ID is not the newest of its namespace, somebody went on meanwhile:
	// [fault.ErrConflict], and nothing is changed.
	Keep(ctx context.Context, thread string, r Record, namespaces []string) error
	// Delete forgets the thread with all its namespaces.
	Delete(ctx context.Context, thread string) error
	// Prune forgets the threads in which no record was put since then, by the clock of the records, and returns how
	// many. A thread that waits for an answer counts like any other: who prunes says how old is too old.
	Prune(ctx context.Context, since time.Time) (int, error)
}
