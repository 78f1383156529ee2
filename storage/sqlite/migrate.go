package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"annai/graph"
	"annai/internal/fault"
	"annai/storage/row"
)

// The statements that make a file of version 2, and what version 3 adds.
var (
	//go:embed schema.sql
	schema string
	//go:embed blobs.sql
	blobsSchema string
)

// version is the one that files have after [migrate]. Those of version 1 have the tables of version 2, with rows in JSON. Rows of version 2
// stay as they are: package row still reads them.
const version = 3

// migrate makes the file what this version expects, all of it or nothing.
func migrate(ctx context.Context, db *sql.DB, codec *row.Codec) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return kind(err)
	}
	defer func() { _ = conn.Close() }() // gives the connection back
	found, err := versionOf(ctx, conn)
	if err != nil || found == version {
		return err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return kind(err)
	}
	if err := step(ctx, conn, codec); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // it may have been rolled back already
		return err
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d; COMMIT", version))
	return kind(err)
}

// versionOf returns the version of the file, 0 of an empty one. One that is newer is [fault.ErrInvalid].
func versionOf(ctx context.Context, conn *sql.Conn) (int, error) {
	var found int
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found); err != nil {
		return 0, kind(err)
	}
	if found > version {
		return 0, fmt.Errorf("the file has format %d, this annai knows up to %d: %w", found, version, fault.ErrInvalid)
	}
	return found, nil
}

// step runs in a transaction. Somebody else may have been here since the version was read, so it is read again.
func step(ctx context.Context, conn *sql.Conn, codec *row.Codec) error {
	found, err := versionOf(ctx, conn)
	if err != nil {
		return err
	}
	statements := blobsSchema
	if found == 0 {
		statements = schema + blobsSchema
	}
	if found < version {
		if _, err := conn.ExecContext(ctx, statements); err != nil {
			return kind(err)
		}
	}
	if found == 1 {
		return fromJSON(ctx, conn, codec)
	}
	return nil
}

// fromJSON encodes the rows of version 1.
func fromJSON(ctx context.Context, conn *sql.Conn, codec *row.Codec) error {
	err := recode(ctx, conn, "records", func(thread string, data []byte) ([]byte, error) {
		var r graph.Record
		if err := json.Unmarshal(data, &r); err != nil {
			return nil, err
		}
		return codec.EncodeRecord(thread, r)
	})
	if err != nil {
		return err
	}
	return recode(ctx, conn, "writes", func(thread string, data []byte) ([]byte, error) {
		var w graph.TaskWrites
		if err := json.Unmarshal(data, &w); err != nil {
			return nil, err
		}
		return codec.EncodeWrites(thread, w)
	})
}

// recode writes the data of every row of the table anew, one row at a time, because they may be large.
func recode(ctx context.Context, conn *sql.Conn, table string, encode func(thread string, data []byte) ([]byte, error)) error {
	next := fmt.Sprintf("SELECT rowid, thread, data FROM %s WHERE rowid > ? ORDER BY rowid LIMIT 1", table)
	update := fmt.Sprintf("UPDATE %s SET data = ? WHERE rowid = ?", table)
	for at := int64(-1 << 63); ; {
		var thread string
		var data []byte
		err := conn.QueryRowContext(ctx, next, at).Scan(&at, &thread, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return kind(err)
		}
		data, err = encode(thread, data)
		if err != nil {
			return fmt.Errorf("row %d of %s, thread %s: %w: %w", at, table, thread, err, fault.ErrInvalid)
		}
		if _, err := conn.ExecContext(ctx, update, data, at); err != nil {
			return kind(err)
		}
	}
}
