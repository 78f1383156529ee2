package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"annai/fault"
	"annai/graph"
	"annai/internal/sqlitefile"
	"annai/storage/row"
)

var (
	//go:embed schema.sql
	schema string
	//go:embed blobs.sql
	blobsSchema string
)

// migrations lead to the format that this version writes, which is the third. Rows of the second stay as they are: package row still reads them.
func migrations(codec *row.Codec) []sqlitefile.Migration {
	return []sqlitefile.Migration{
		sqlitefile.Script(schema),
		func(ctx context.Context, tx *sql.Tx) error { return fromJSON(ctx, tx, codec) },
		sqlitefile.Script(blobsSchema),
	}
}

// fromJSON encodes the rows of version 1, which were JSON.
func fromJSON(ctx context.Context, tx *sql.Tx, codec *row.Codec) error {
	err := recode(ctx, tx, "records", func(thread string, data []byte) ([]byte, error) {
		var r graph.Record
		if err := json.Unmarshal(data, &r); err != nil {
			return nil, err
		}
		return codec.EncodeRecord(thread, r)
	})
	if err != nil {
		return err
	}
	return recode(ctx, tx, "writes", func(thread string, data []byte) ([]byte, error) {
		var w graph.TaskWrites
		if err := json.Unmarshal(data, &w); err != nil {
			return nil, err
		}
		return codec.EncodeWrites(thread, w)
	})
}

// recode writes the data of every row of the table anew, one row at a time, because they may be large.
func recode(ctx context.Context, tx *sql.Tx, table string, encode func(thread string, data []byte) ([]byte, error)) error {
	next := fmt.Sprintf("SELECT rowid, thread, data FROM %s WHERE rowid > ? ORDER BY rowid LIMIT 1", table)
	update := fmt.Sprintf("UPDATE %s SET data = ? WHERE rowid = ?", table)
	for at := int64(-1 << 63); ; {
		var thread string
		var data []byte
		err := tx.QueryRowContext(ctx, next, at).Scan(&at, &thread, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return sqlitefile.Fault(err)
		}
		data, err = encode(thread, data)
		if err != nil {
			return fmt.Errorf("row %d of %s, thread %s: %w: %w", at, table, thread, err, fault.ErrInvalid)
		}
		if _, err := tx.ExecContext(ctx, update, data, at); err != nil {
			return sqlitefile.Fault(err)
		}
	}
}
