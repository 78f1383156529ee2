package river

import (
	"context"
	"database/sql"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"annai/runs"
	"annai/runs/sqlite"
)

// NewSQLite returns a queue in the file of the store, which must be open as long as the queue works. Now is the clock.
func NewSQLite(ctx context.Context, store *sqlite.Store, now func() time.Time, opts Options) (*Queue, error) {
	listener := &listener{topics: make(chan *riverdriver.Notification, 1)}
	q, err := newQueue(ctx, store, &listening{riversqlite.New(store.DB()), listener}, update[*sql.Tx](store.Update), nil, now, opts)
	if err != nil {
		return nil, err
	}
	insert := q.insert
	q.insert = func(ctx context.Context, s runs.Start) (runs.Run, error) {
		r, err := insert(ctx, s)
		if err == nil {
			listener.notify()
		}
		return r, err
	}
	return q, nil
}

var _ Store = (*sqlite.Store)(nil)

var _ riverdriver.Driver[*sql.Tx] = (*listening)(nil)

// listening is River's driver, with a listener. Without one River would look for jobs that were committed with something else every so often only, and
// each look costs more than a millisecond.
type listening struct {
	*riversqlite.Driver

	listener *listener
}

// SupportsListener is part of [riverdriver.Driver].
func (l *listening) SupportsListener() bool { return true }

// GetListener is part of [riverdriver.Driver].
func (l *listening) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return l.listener
}

// listener is a [riverdriver.Listener] within the process.
type listener struct {
	topics chan *riverdriver.Notification
}

// notify says that there is a job. One word is enough for many.
func (l *listener) notify() {
	select {
	case l.topics <- &riverdriver.Notification{Topic: "river_insert", Payload: `{"queue": "` + queueName + `"}`}:
	default:
	}
}

// WaitForNotification is part of [riverdriver.Listener].
func (l *listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	select {
	case n := <-l.topics:
		return n, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Connect is part of [riverdriver.Listener], as is what follows: there is nothing to connect to.
func (l *listener) Connect(context.Context) error { return nil }

// Close does nothing.
func (l *listener) Close(context.Context) error { return nil }

// Listen does nothing: there is one topic that anybody is told of.
func (l *listener) Listen(context.Context, string) error { return nil }

// Unlisten does nothing.
func (l *listener) Unlisten(context.Context, string) error { return nil }

// Ping does nothing.
func (l *listener) Ping(context.Context) error { return nil }

// Schema is empty.
func (l *listener) Schema() string { return "" }

// SetAfterConnectExec does nothing.
func (l *listener) SetAfterConnectExec(string) {}
