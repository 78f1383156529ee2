package sqlitefile

import (
	"context"
	"database/sql"
	"time"
)

// patience is how long a transaction waits for another process that has the file.
const patience = 5 * time.Second

// Transaction commits what do does, or nothing of it. It waits for the connection, and some seconds for another process that has the file, as
// long as ctx lasts. One that has begun is not given up half-way, so the context that do is given has no end: whoever asks is told what became
// of it. An error of do comes back as it is.
func (f *File) Transaction(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error {
	conn, err := f.Write.Conn(ctx)
	if err != nil {
		return Fault(err)
	}
	defer func() { _ = conn.Close() }() // gives the connection back
	tx, err := begin(ctx, conn)
	if err != nil {
		return Fault(err)
	}
	if err := do(context.WithoutCancel(ctx), tx); err != nil {
		_ = tx.Rollback() // nothing was written
		return err
	}
	if err := tx.Commit(); err != nil {
		_ = tx.Rollback() // SQLite may have done so by itself
		return Fault(err)
	}
	return nil
}

func begin(ctx context.Context, conn *sql.Conn) (tx *sql.Tx, err error) {
	whole := context.WithoutCancel(ctx)
	err = patiently(ctx, func() error {
		tx, err = conn.BeginTx(whole, nil)
		return err
	})
	return tx, err
}

// patiently calls try again while another process has the file. Each time SQLite waits as long as Options.Busy.
func patiently(ctx context.Context, try func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if err := try(); CodeOf(err) != Busy || ctx.Err() != nil {
			return err
		}
	}
}
