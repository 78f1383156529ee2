package runs

import (
	"context"
	"encoding/json"
	"time"
)

// A Store is what outlives a process. All its methods are safe for concurrent use, in several processes where those share it; each is one
// transaction. What maps, slices and pointers lead to is never changed, by the store or by whoever gave or got it, so it may be shared. Times are given by
// the caller, in UTC and whole milliseconds, and come back as they went. What does not exist is [fault.ErrNotFound], an id that exists already
// [fault.ErrConflict]. Nil objects and lists may come back empty, and the reverse; numbers in objects come back as float64.
type Store interface {
	Assistants
	Threads
	Runs
	Leases
	Events
	Items
	Crons
}

// Assistants keeps assistants with all their versions.
type Assistants interface {
	// CreateAssistant adds one, with its first version.
	CreateAssistant(ctx context.Context, a Assistant) error
	// Assistant returns the latest version.
	Assistant(ctx context.Context, id string) (Assistant, error)
	// AddVersion adds a version and makes it the latest. A version that exists already is [fault.ErrConflict].
	AddVersion(ctx context.Context, a Assistant) error
	// SetLatest makes an old version the latest again, and returns it with the time as its UpdatedAt.
	SetLatest(ctx context.Context, id string, version int, at time.Time) (Assistant, error)
	// Versions returns the versions whose metadata contains what is wanted, newest first, and how many there are without the page's bounds.
	Versions(ctx context.Context, id string, metadata Object, page Page) ([]Assistant, int, error)
	// DeleteAssistant forgets all versions.
	DeleteAssistant(ctx context.Context, id string) error
	// SearchAssistants returns latest versions, and how many there are without the page's bounds.
	SearchAssistants(ctx context.Context, f AssistantFilter) ([]Assistant, int, error)
}

// A Page is a part of a list. Limit 0 is none at all, negative: all.
type Page struct{ Limit, Offset int }

// A Sort is the order of a list. What is equal is sorted by id in the same direction, so that pages neither overlap nor leave something out.
type Sort struct {
	// By is a field by its JSON name; the empty one, and one that is not among those the filter lists, is created_at.
	By string
	// Ascending is smallest or oldest first; the default is the reverse.
	Ascending bool
}

// AssistantFilter says which assistants; the zero fields do not matter.
type AssistantFilter struct {
	GraphID string
	// Name is a part of the name, in any case.
	Name     string
	Metadata Object
	// Sort is by assistant_id, graph_id, name, created_at or updated_at.
	Sort Sort
	Page Page
}

// Threads keeps threads, but not their checkpoints.
type Threads interface {
	CreateThread(ctx context.Context, t Thread) error
	Thread(ctx context.Context, id string) (Thread, error)
	// UpdateThread calls change with the thread as it is and keeps what it leaves, unless it returns an error, which is returned as it is.
	// Nobody else changes the thread meanwhile. Change may be called more than once, and calls nothing of the store. It returns the thread.
	// ID, CreatedAt and Maker stay as they are.
	UpdateThread(ctx context.Context, id string, change func(*Thread) error) (Thread, error)
	// DeleteThread forgets the thread with its runs, events, and crons that are for it. Runs that are being executed find that their lease is lost.
	DeleteThread(ctx context.Context, id string) error
	// SearchThreads returns threads that are not temporary, and how many there are without the page's bounds.
	SearchThreads(ctx context.Context, f ThreadFilter) ([]Thread, int, error)
	// Usage returns what those threads have, temporary ones too, that were made by the name, or, if
	// that is empty, from the network.
	Usage(ctx context.Context, of Maker) (Usage, error)
}

// ThreadFilter says which threads; the zero fields do not matter.
type ThreadFilter struct {
	IDs    []string
	Status ThreadStatus
	// Metadata need not find threads that are temporary.
	Metadata Object
	// Values is held by the state; see [Contains].
	Values Object
	// MadeBy is the name of the maker.
	MadeBy string
	// ExpiresBefore finds threads that have an ExpiresAt before it and are not busy, temporary ones among them.
	ExpiresBefore time.Time
	// Sort is by thread_id, status, created_at or updated_at.
	Sort Sort
	Page Page
}

// Runs keeps runs. A thread's runs are in the order of their creation, however close that was.
type Runs interface {
	// CreateRun adds a run, and makes its thread busy. A thread that does not exist is [fault.ErrNotFound], unless [Start.Thread] makes it; with
	// [Reject], one with a run that has not ended is [ErrBusy]. See Start for the lease. It returns the run as it is kept.
	CreateRun(ctx context.Context, s Start) (Run, error)
	// Run returns a run of the thread; of any thread where that is empty.
	Run(ctx context.Context, thread, id string) (Run, error)
	// ListRuns returns runs, the oldest first unless the filter says otherwise, and how many there are without the page's bounds.
	ListRuns(ctx context.Context, f RunFilter) ([]Run, int, error)
	// DeleteRun forgets a run and its events. One that is being executed finds that its lease is lost. If no other run of the thread is left that has not
	// ended, a busy thread becomes interrupted if it has Interrupts, else idle.
	DeleteRun(ctx context.Context, thread, id string) error
}

// A Start is a run to be created.
type Start struct {
	Run Run
	// Thread is made first if it does not exist; nil: it must. One that exists and has another
	// maker is [fault.ErrNotFound].
	Thread *Thread
	// Bytes is how many the thread has more, see [Thread.Bytes].
	Bytes int64
	// New says that the ids of Thread and Run are new. If one exists all the same, it is [fault.ErrConflict].
	New bool
	// Idle says that it is made only on a thread without another open run, whatever its strategy: else it is [ErrBusy].
	Idle bool
	// Owner, if not empty, holds the lease until LeaseUntil from the beginning, as after [Leases.ClaimRun] at Run.CreatedAt, if it is the run's
	// turn. If it is not the run is created pending and without an owner.
	Owner      string
	LeaseUntil time.Time
}

// RunFilter says which runs; the zero fields do not matter.
type RunFilter struct {
	ThreadID string
	IDs      []string
	// Statuses are those that match, if there are any.
	Statuses []RunStatus
	// Newest is newest first.
	Newest bool
	Page   Page
}

// Leases says who executes a run: one at a time, and on a thread one run after the other in the order of their creation. Runs that are not due yet
// (see Run.After) keep no other from running. A lease that ran out is as good as none, so another process can take over what a dead one left.
type Leases interface {
	// ClaimRun gives owner the lease until then, if it is the run's turn: it is due; no older run of its thread that is due has not ended; and nobody, the same owner
	// included, holds a lease on it or another run of the thread that lasts beyond now. Otherwise [ErrBusy]; for a run that has ended, [ErrEnded]. The run is running
	// then, its Attempt one more, its StartedAt now if that was zero.
	ClaimRun(ctx context.Context, thread, id, owner string, now, until time.Time) (Run, error)
	// RenewRun lets the owner's lease last until then. [ErrLost] if it is not the owner's any more, or the run is gone. It returns the run, whose Cancel may be set by now.
	RenewRun(ctx context.Context, thread, id, owner string, until time.Time) (Run, error)
	// FinishRun ends a run whose lease is the owner's; otherwise [ErrLost] and nothing is changed.
	FinishRun(ctx context.Context, f Finish) error
	// CancelRun says how a run shall end. One that is pending ends at once, as RunInterrupted; one that is running has its Cancel set, where a rollback is not
	// changed back to an interrupt; one that ended stays as it is. It returns the run. The thread is as after [Runs.DeleteRun].
	CancelRun(ctx context.Context, thread, id string, how Action, at time.Time) (Run, error)
	// DueRuns returns runs that nobody executes and whose turn it is: pending ones that are due and those whose lease ran out before now, at most limit, oldest first.
	DueRuns(ctx context.Context, now time.Time, limit int) ([]Run, error)
}

// A Finish is how a run ended.
type Finish struct {
	ThreadID, RunID, Owner string
	At                     time.Time
	Status                 RunStatus
	Error                  string
	// Bytes is how many the thread has more, see [Thread.Bytes].
	Bytes int64
	// Events are appended to the log first.
	Events []Event
	// Thread is what becomes of the thread; nil: it only stops being busy. If another run of it has not ended the thread's status stays busy.
	Thread *ThreadEnd
	// DeleteRun forgets the run and its events, DeleteThread the thread with all that belongs to it.
	DeleteRun, DeleteThread bool
}

// A ThreadEnd is how a thread stands after a run. All fields replace those of the thread; UpdatedAt and StateUpdatedAt become Finish.At.
type ThreadEnd struct {
	Status     ThreadStatus
	Values     json.RawMessage
	Interrupts map[string][]Interrupt
	Error      string
	ExpiresAt  *time.Time
}

// Events is the logs of threads.
type Events interface {
	// AppendEvents adds events to the log of the thread, in order, gives them ids and returns the last one. Owner must hold the run's lease: otherwise [ErrLost]
	// and nothing is added. Once it returns every reader finds them.
	AppendEvents(ctx context.Context, thread, run, owner string, events []Event) (int64, error)
	// ReadEvents returns at most limit events of the thread with ids above after, of the run or,
	// where that is empty, of all runs, in order, and none after those that have [MaxPage] bytes. A
	// thread that does not exist has none.
	ReadEvents(ctx context.Context, thread, run string, after int64, limit int) ([]Event, error)
	// Watch returns a channel that is closed when something happens to the thread after the call: an event is appended, a run is created,
	// claimed, ended, cancelled or deleted, in whatever process; or to the assistant that has the id. It may also be closed for nothing, and is at the latest some seconds after something happened.
	// Who reads after the call and then waits misses nothing. Stop must be called, once.
	Watch(thread string) (changed <-chan struct{}, stop func())
	// TrimEvents forgets events of ended runs that were appended before then, and returns how many.
	TrimEvents(ctx context.Context, before time.Time) (int, error)
}

// Items keeps values for as long as they are wanted. One whose ExpiresAt is not after now does not exist.
type Items interface {
	// PutItem keeps the item; one with that namespace and key is replaced, but for its CreatedAt.
	PutItem(ctx context.Context, item Item) error
	// Item returns an item. Refresh, and in searches too, lets one with a TTL live its TTL from now on.
	Item(ctx context.Context, namespace []string, key string, now time.Time, refresh bool) (Item, error)
	// DeleteItem forgets an item. One that does not exist is no error.
	DeleteItem(ctx context.Context, namespace []string, key string) error
	// SearchItems returns items, sorted by namespace and key.
	SearchItems(ctx context.Context, f ItemFilter) ([]Item, error)
	// ItemVersions returns what there is below the prefix, in no order, without a look at the values.
	ItemVersions(ctx context.Context, prefix []string, now time.Time) ([]ItemVersion, error)
	// ItemsAt returns those of the items that are there, in no order.
	ItemsAt(ctx context.Context, at []ItemVersion, now time.Time) ([]Item, error)
	// Namespaces returns the namespaces that hold items, each once, sorted.
	Namespaces(ctx context.Context, f NamespaceFilter) ([][]string, error)
}

// ItemFilter says which items.
type ItemFilter struct {
	// Prefix is the beginning of the namespace, label by label; empty: all.
	Prefix []string
	// Match is held by the value; see [Matches].
	Match   Object
	Now     time.Time
	Refresh bool
	Page    Page
}

// NamespaceFilter says which namespaces. A label "*" of Prefix and Suffix stands for any.
type NamespaceFilter struct {
	Prefix, Suffix []string
	// MaxDepth cuts namespaces to so many labels; 0: they stay whole.
	MaxDepth int
	Now      time.Time
	Page     Page
}

// Crons keeps schedules.
type Crons interface {
	CreateCron(ctx context.Context, c Cron) error
	// UpdateCron is to crons what [Threads.UpdateThread] is to threads.
	UpdateCron(ctx context.Context, id string, change func(*Cron) error) (Cron, error)
	DeleteCron(ctx context.Context, id string) error
	// SearchCrons returns crons, and how many there are without the page's bounds.
	SearchCrons(ctx context.Context, f CronFilter) ([]Cron, int, error)
}

// CronFilter says which crons; the zero fields do not matter.
type CronFilter struct {
	AssistantID, ThreadID string
	Enabled               *bool
	Metadata              Object
	// DueBefore finds those that are enabled and whose NextRun is not after it.
	DueBefore time.Time
	// Sort is by cron_id, assistant_id, thread_id, next_run_date, end_time, created_at or updated_at.
	Sort Sort
	Page Page
}
