package postgres

import (
	"context"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"annai/internal/pgdb"
	"annai/storage/row"
)

// A thread has a lock, which ends with its transaction. Shared by who begins a log or gives a row the address of a blob, and held alone by who
// takes away records, or blobs that no row has the address of any more. It is taken before any lock of a row.
const (
	shareQuery = `SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 418464555369))`
	aloneQuery = `SELECT pg_advisory_xact_lock(hashtextextended($1, 418464555369))`
)

// holdQuery keeps everybody from putting a record after those of the thread, and waits for who is doing so. Puts hold a base before a parent,
// which is not before it, so that with this order nobody waits in a circle.
const holdQuery = `SELECT 1 FROM annai_records WHERE thread = $1 ORDER BY namespace, id FOR UPDATE`

// forgetQuery deletes the blobs that no row has the address of. Who runs it holds the thread's lock alone.
const forgetQuery = `DELETE FROM annai_blobs b WHERE thread = $1
	AND NOT EXISTS (SELECT 1 FROM annai_refs r WHERE r.thread = $1 AND r.address = b.address)`

// forget deletes the blobs of the thread that nobody needs.
func (s *Store) forget(ctx context.Context, thread string) error {
	_, err := s.together(ctx, command{aloneQuery, []any{thread}}, command{forgetQuery, []any{thread}})
	return err
}

// refer says that the row at the place, a task's or [row.Record]'s, has these large values and no others, and puts in those that are not there
// yet. The transaction holds the thread's lock.
func (s *Store) refer(ctx context.Context, tx pgx.Tx, p row.Place, values []row.Blob) error {
	addresses := make([][]byte, len(values))
	for i, v := range values {
		addresses[i] = v.Address[:]
	}
	rows, err := tx.Query(ctx, `SELECT address FROM annai_blobs WHERE thread = $1 AND address = ANY ($2)`, p.Thread, addresses)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		return err
	}
	there := make(map[row.Address]bool, len(found))
	for _, a := range found {
		there[row.Address(a)] = true
	}
	for _, v := range values {
		if there[v.Address] {
			continue
		}
		data, err := s.codec.EncodeBlob(p.Thread, v)
		if err != nil {
			return err
		}
		const put = `INSERT INTO annai_blobs (thread, address, data) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
		if _, err := tx.Exec(ctx, put, p.Thread, v.Address[:], data); err != nil {
			return err
		}
	}
	const clear = `DELETE FROM annai_refs WHERE thread = $1 AND namespace = $2 AND id = $3 AND task = $4`
	if _, err := tx.Exec(ctx, clear, p.Thread, p.Namespace, p.ID, p.Task); err != nil {
		return err
	}
	const refs = `INSERT INTO annai_refs (thread, namespace, id, task, address) SELECT $1, $2, $3, $4, unnest($5::bytea[])`
	_, err = tx.Exec(ctx, refs, p.Thread, p.Namespace, p.ID, p.Task, addresses)
	return err
}

// fetch reads the rows of large values. One that is not there is left out.
func (s *Store) fetch(ctx context.Context, thread string, addresses []row.Address) (map[row.Address][]byte, error) {
	wanted := make([][]byte, len(addresses))
	for i := range addresses {
		wanted[i] = addresses[i][:]
	}
	result, err := s.pool.Query(ctx, `SELECT address, data FROM annai_blobs WHERE thread = $1 AND address = ANY ($2)`, thread, wanted)
	if err != nil {
		return nil, pgdb.Fault(err)
	}
	rows := make(map[row.Address][]byte, len(addresses))
	var address, data []byte
	_, err = pgx.ForEachRow(result, []any{&address, &data}, func() error {
		rows[row.Address(address)], data = data, nil
		return nil
	})
	return rows, pgdb.Fault(err)
}

// command is a statement of several that are sent at once and are one transaction.
type command struct {
	query string
	args  []any
}

// together commits commands, and returns how many rows the one that did least changed or returned. Each sees what those before it waited for.
func (s *Store) together(ctx context.Context, commands ...command) (least int64, err error) {
	var c pgdb.Change
	for _, o := range commands {
		c.Statements = append(c.Statements, pgdb.Statement{Query: o.query, Args: o.args})
	}
	if err := s.writer.Write(ctx, &c); err != nil {
		return 0, pgdb.Fault(err)
	}
	return slices.Min(c.Rows), nil
}

// sender is a connection pool or a transaction.
type sender interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// count sends commands at once, and returns how many rows the one that did least changed or returned.
func count(ctx context.Context, to sender, commands ...command) (least int64, err error) {
	var b pgx.Batch
	for _, c := range commands {
		b.Queue(c.query, c.args...)
	}
	results := to.SendBatch(ctx, &b)
	least = math.MaxInt64
	for range commands {
		done, err := results.Exec()
		if err != nil {
			_ = results.Close() // says the same
			return 0, pgdb.Fault(err)
		}
		least = min(least, done.RowsAffected())
	}
	return least, pgdb.Fault(results.Close())
}
