package sqlitefile

import (
	"context"
	"database/sql"
	"sync"
)

// A Watch tells whether a file has changed, whoever changed it, without reading it. It has a connection of
// its own, one of those that read. It is safe for concurrent use; its zero value watches nothing.
type Watch struct {
	db *sql.DB

	mu      sync.Mutex
	conn    *sql.Conn
	opened  int64 // how many connections there were, since each counts for itself
	stopped bool
}

// A Version is a state of a file, for one [Watch]: while it is the same, nothing was committed. The zero
// Version is none.
type Version struct{ connection, count int64 }

// Watch returns a watch on the file, to be closed before it. A database in memory can't be watched: it has
// one connection.
func (f *File) Watch() *Watch {
	if f.Read == f.Write {
		return new(Watch)
	}
	return &Watch{db: f.Read}
}

// Version returns how the file is now, or the zero Version where nothing is watched.
func (w *Watch) Version(ctx context.Context) (v Version, err error) {
	if w.db == nil {
		return Version{}, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return Version{}, Fault(sql.ErrConnDone)
	}
	if w.conn == nil {
		if w.conn, err = w.db.Conn(ctx); err != nil {
			w.conn = nil
			return Version{}, Fault(err)
		}
		w.opened++
	}
	v.connection = w.opened
	if err := w.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v.count); err != nil {
		_ = w.conn.Close() // it may be that alone which fails
		w.conn = nil
		return Version{}, Fault(err)
	}
	return v, nil
}

// Close lets go of the connection.
func (w *Watch) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	if w.conn == nil {
		return nil
	}
	err := w.conn.Close()
	w.conn = nil
	return Fault(err)
}
