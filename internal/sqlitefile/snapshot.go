package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"

	"annai/fault"
)

const (
	// holdBusy is how long a snapshot waits for the writer of one file while it keeps those of
	// others waiting.
	holdBusy = 50 * time.Millisecond
	// snapshotPause is how long the files are left alone before the next attempt, snapshotPatience
	// for how long there are attempts.
	snapshotPause    = 20 * time.Millisecond
	snapshotPatience = 30 * time.Second
	// snapshotPages is how many pages are copied between two looks at the context.
	snapshotPages = 1024
)

// A Snapshot is how several files were at one moment, whoever writes them meanwhile.
type Snapshot struct {
	dbs   []*sql.DB
	conns []*sql.Conn
}

// TakeSnapshot fixes the files at one moment, at which none of them is being written: writers of all
// of them wait for each other's files, some milliseconds, and nobody for the copies. Whatever was
// committed anywhere before that moment is in the snapshot, and nothing later is. Meanwhile, which
// may be nil, is called at that moment. If there is a writer in one of the files for half a minute
// that is [fault.ErrUnavailable].
//
// The files must be there. They are not changed.
func TakeSnapshot(ctx context.Context, paths []string, meanwhile func() error) (s *Snapshot, err error) {
	s = new(Snapshot)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
			s = nil
		}
	}()
	for _, path := range paths {
		if err := s.open(ctx, path); err != nil {
			return s, err
		}
	}
	until := time.NewTimer(snapshotPatience)
	defer until.Stop()
	for {
		err := s.fix(ctx, paths, meanwhile)
		if CodeOf(err) != Busy {
			return s, faultOf(err)
		}
		select {
		case <-time.After(snapshotPause):
		case <-until.C:
			return s, fmt.Errorf("the files are written all the time: %w: %w", err, fault.ErrUnavailable)
		case <-ctx.Done():
			return s, ctx.Err()
		}
	}
}

// faultOf is [Fault] for what may be somebody else's error.
func faultOf(err error) error {
	if CodeOf(err) == None {
		return err
	}
	return Fault(err)
}

// open connects to a file that is there.
func (s *Snapshot) open(ctx context.Context, path string) error {
	db, err := openThere(path)
	if err != nil {
		return err
	}
	s.dbs = append(s.dbs, db)
	conn, err := db.Conn(ctx)
	if err != nil {
		return Fault(err)
	}
	s.conns = append(s.conns, conn)
	return nil
}

func openThere(path string) (*sql.DB, error) {
	query := fmt.Sprintf("?mode=rw&_pragma=busy_timeout(%d)", holdBusy.Milliseconds())
	db, err := sql.Open("sqlite", address(path)+query)
	if err != nil {
		return nil, Fault(err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// fix keeps writers away from all files at once, and then begins to read each.
func (s *Snapshot) fix(ctx context.Context, paths []string, meanwhile func() error) (err error) {
	for _, path := range paths {
		release, err := keepWritersAway(ctx, path)
		if err != nil {
			return err
		}
		defer release()
	}
	defer func() {
		if err != nil {
			s.leave(context.WithoutCancel(ctx))
		}
	}()
	for _, conn := range s.conns {
		// A transaction begins with the first thing that is read.
		if _, err := conn.ExecContext(ctx, "BEGIN; SELECT count(*) FROM sqlite_master"); err != nil {
			return err
		}
	}
	if meanwhile == nil {
		return nil
	}
	return meanwhile()
}

// keepWritersAway takes the place of the writer of a file, without writing, until release is called.
func keepWritersAway(ctx context.Context, path string) (release func(), err error) {
	db, err := openThere(path)
	if err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func() { _ = db.Close() }, nil // which ends the transaction; nothing was written
}

// leave ends what was begun to be read.
func (s *Snapshot) leave(ctx context.Context) {
	for _, conn := range s.conns {
		_, _ = conn.ExecContext(ctx, "ROLLBACK") // fails where there is none
	}
}

// A backuper is a connection of the driver.
type backuper interface {
	NewBackup(to string) (*sqlite.Backup, error)
}

// Copy writes the file with that index to a new path, for nobody else to read.
func (s *Snapshot) Copy(ctx context.Context, index int, to string) error {
	to, err := touch(to)
	if err != nil {
		return err
	}
	return s.conns[index].Raw(func(conn any) error {
		from, ok := conn.(backuper)
		if !ok {
			return errors.New("the driver makes no backups")
		}
		backup, err := from.NewBackup(address(to))
		if err != nil {
			return Fault(err)
		}
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = backup.Step(snapshotPages)
			}
		}
		return faultOf(errors.Join(err, backup.Finish()))
	})
}

// Close lets go of the files.
func (s *Snapshot) Close() error {
	var errs []error
	for _, conn := range s.conns {
		errs = append(errs, conn.Close())
	}
	for _, db := range s.dbs {
		errs = append(errs, db.Close())
	}
	return faultOf(errors.Join(errs...))
}
