package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
	"time"

	"annai/graph"
	"annai/internal/sqlitefile"
)

// writer is the one connection that writes, with its statements. Who finds it free uses it on the spot; what waits goes into one commit together.
type writer struct {
	conn    *sql.Conn
	commits *sqlitefile.Writer

	put, putWrites    *statement
	delete, deleteOld *statement
	newest            *statement

	once sync.Once // close
}

// job is one change: what do does is in the file when it was run without an error, and else nothing of it.
type job struct {
	do      func(context.Context, *writer) error
	single  bool // do is one statement, which leaves nothing if it fails
	relaxed bool // it may be lost with the power
}

// newWriter takes the only connection of the file that writes.
func newWriter(ctx context.Context, file *sqlitefile.File) (*writer, error) {
	conn, err := file.Write.Conn(ctx)
	if err != nil {
		return nil, sqlitefile.Fault(err)
	}
	w := &writer{conn: conn}
	err = w.prepare(ctx)
	if err == nil {
		w.commits, err = sqlitefile.NewWriter(ctx, file, conn)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

func (w *writer) prepare(ctx context.Context) error {
	queries := map[**statement]string{
		&w.put: putQuery, &w.putWrites: putWritesQuery, &w.newest: newestQuery,
		&w.delete: deleteQuery, &w.deleteOld: deleteOldQuery,
	}
	for s, query := range queries {
		var err error
		if *s, err = prepare(ctx, w.conn, query); err != nil {
			return err
		}
	}
	return nil
}

// close waits for what is queued.
func (w *writer) close() (err error) {
	w.commits.Close()
	w.once.Do(func() {
		for _, s := range []*statement{w.put, w.putWrites, w.delete, w.deleteOld, w.newest} {
			err = errors.Join(err, s.close())
		}
		err = errors.Join(err, w.conn.Close())
	})
	return err
}

// run has a job done and returns when it is committed, has failed, or was abandoned because ctx ended before it began.
func (w *writer) run(ctx context.Context, j *job) error {
	return w.commits.Write(ctx, sqlitefile.Change{
		Do: func(ctx context.Context, _ *sql.Tx) error { return j.do(ctx, w) }, Single: j.single, Relaxed: j.relaxed,
	})
}

// look returns the mark of the newest record, if the connection is free: it has at hand what was just written.
func (w *writer) look(ctx context.Context, thread, namespace string) (newest graph.Mark, looked bool, err error) {
	looked, err = w.commits.Look(func() (err error) {
		var row [2]driver.Value
		found, err := w.newest.first(ctx, row[:], thread, namespace)
		if err != nil || !found {
			return err
		}
		id, _ := row[0].(int64)
		at, _ := row[1].(int64)
		newest = graph.Mark{ID: id, At: time.Unix(0, at)}
		return nil
	})
	return newest, looked, err
}
