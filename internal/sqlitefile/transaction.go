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
	whole := context.WithoutCancel(ctx)
	_, err = patiently(ctx, patience, func() (bool, error) { return transact(whole, conn, do) })
	return err
}

// transact commits what do does, or nothing of it, and says whether it began: before that somebody else may have the file.
func transact(ctx context.Context, conn *sql.Conn, do func(ctx context.Context, tx *sql.Tx) error) (began bool, err error) {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return false, Fault(err)
	}
	if err := do(ctx, tx); err != nil {
		_ = tx.Rollback() // nothing was written
		return true, err
	}
	return true, Fault(tx.Commit()) // one that fails is rolled back
}

// patiently calls try until it begins, while another process has the file. Each time SQLite waits as long as Options.Busy.
func patiently(ctx context.Context, patience time.Duration, try func() (began bool, err error)) (began bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if began, err := try(); began || CodeOf(err) != Busy || ctx.Err() != nil {
			return began, err
		}
	}
}
