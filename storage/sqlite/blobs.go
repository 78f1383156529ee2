package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"annai/internal/sqlitefile"
	"annai/storage/row"
)

// blob is a large value that is to be in the file. Its data is nil if it was there when somebody looked.
type blob struct {
	address row.Address
	data    []byte
}

// errGone says that a blob that was in the file when somebody looked is there no more.
var errGone = errors.New("a large value is gone")

const hasBlob = `SELECT EXISTS (SELECT 1 FROM blobs WHERE thread = ?1 AND address = ?2)`

// withBlobs has a job done that puts a row with large values. They are encoded before, outside of the commit, unless the file has them. One that
// is forgotten meanwhile, by somebody else or because this row takes the place of the last one that had it, is encoded after all.
func (s *Store) withBlobs(ctx context.Context, thread string, values []row.Blob, j func([]blob) *job) error {
	var err error
	for _, all := range []bool{false, true} {
		var blobs []blob
		if blobs, err = s.encodeBlobs(ctx, thread, values, all); err != nil {
			return err
		}
		if err = s.writer.run(ctx, j(blobs)); !errors.Is(err, errGone) {
			break
		}
	}
	return err
}

// encodeBlobs encodes all values, or those that the file does not have.
func (s *Store) encodeBlobs(ctx context.Context, thread string, values []row.Blob, all bool) ([]blob, error) {
	blobs := make([]blob, len(values))
	for i, v := range values {
		blobs[i].address = v.Address
		there := false
		if !all {
			if err := s.read.QueryRowContext(ctx, hasBlob, thread, v.Address[:]).Scan(&there); err != nil {
				return nil, sqlitefile.Fault(err)
			}
		}
		if there {
			continue
		}
		data, err := s.codec.EncodeBlob(thread, v)
		if err != nil {
			return nil, err
		}
		blobs[i].data = data
	}
	return blobs, nil
}

// refer puts the blobs in that are not there yet, and says that the row at the place, a task's or [row.Record]'s, has their addresses.
func refer(ctx context.Context, conn *sql.Conn, p row.Place, blobs []blob) error {
	for _, b := range blobs {
		var there bool
		if err := conn.QueryRowContext(ctx, hasBlob, p.Thread, b.address[:]).Scan(&there); err != nil {
			return sqlitefile.Fault(err)
		}
		if !there && b.data == nil {
			return errGone
		}
		if !there {
			const put = `INSERT INTO blobs (thread, address, data) VALUES (?1, ?2, ?3)`
			if _, err := conn.ExecContext(ctx, put, p.Thread, b.address[:], b.data); err != nil {
				return sqlitefile.Fault(err)
			}
		}
		const ref = `INSERT INTO refs (thread, namespace, id, task, address) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING`
		if _, err := conn.ExecContext(ctx, ref, p.Thread, p.Namespace, p.ID, p.Task, b.address[:]); err != nil {
			return sqlitefile.Fault(err)
		}
	}
	return nil
}

// fetch reads the rows of large values. One that is not there is left out.
func (s *Store) fetch(ctx context.Context, thread string, addresses []row.Address) (map[row.Address][]byte, error) {
	rows := make(map[row.Address][]byte, len(addresses))
	for _, a := range addresses {
		var data []byte
		err := s.blob.QueryRowContext(ctx, thread, a[:]).Scan(&data)
		switch {
		case err == nil:
			rows[a] = data
		case !errors.Is(err, sql.ErrNoRows):
			return nil, sqlitefile.Fault(err)
		}
	}
	return rows, nil
}

// attempts is how often what was read is read again when its large values were gone before they were read too. Each time somebody must have
// written meanwhile.
const attempts = 10

// again calls read until it finds all large values. If it never does the file is damaged.
func again(read func() error) (err error) {
	for range attempts {
		if err = read(); !errors.Is(err, row.ErrGone) {
			return err
		}
	}
	return fmt.Errorf("after reading %d times: %w", attempts, err)
}
