package pgdb

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/fault"
)

// Tables are those of one package.
type Tables struct {
	// Migrations has a folder of that name with a file for each version, 1.sql and so on without gaps, that leads to it from the one before. They
	// only go forward, and one that was released is never changed.
	Migrations fs.FS
	// Versions is the name of the table that holds the versions.
	Versions string
	// Lock is the number that processes agree on, so that one of them migrates at a time: see [Tables.Hold].
	Lock int64
	// Schema is made if it does not exist. Empty is the one that the connections work in, which must be there.
	Schema string
}

// Hold keeps everybody else from migrating, until the transaction ends.
func (t Tables) Hold(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", t.Lock)
	return err
}

// Migrate makes the tables what this version of annai expects, all of it or nothing. Those that a newer one made are [fault.ErrInvalid].
func (t Tables) Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return Fault(pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := t.Hold(ctx, tx); err != nil {
			return err
		}
		if t.Schema != "" {
			if _, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{t.Schema}.Sanitize()); err != nil {
				return err
			}
		}
		found, err := t.found(ctx, tx)
		if err != nil {
			return err
		}
		files, err := fs.ReadDir(t.Migrations, "migrations")
		if err != nil {
			return err
		}
		if found > len(files) {
			return fmt.Errorf("the tables have version %d in %s, this annai knows up to %d: %w", found, t.Versions, len(files), fault.ErrInvalid)
		}
		for v := found + 1; v <= len(files); v++ {
			if err := t.step(ctx, tx, v); err != nil {
				return fmt.Errorf("migrate to version %d of %s: %w", v, t.Versions, err)
			}
		}
		return nil
	}))
}

// found returns the version that the tables have, 0 if there are none.
func (t Tables) found(ctx context.Context, tx pgx.Tx) (version int, err error) {
	table := "CREATE TABLE IF NOT EXISTS " + t.table() + " (version bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())"
	if _, err := tx.Exec(ctx, table); err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM "+t.table()).Scan(&version)
	return version, err
}

func (t Tables) step(ctx context.Context, tx pgx.Tx, v int) error {
	statements, err := fs.ReadFile(t.Migrations, fmt.Sprintf("migrations/%d.sql", v))
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, string(statements)); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO "+t.table()+" (version) VALUES ($1)", v)
	return err
}

func (t Tables) table() string { return pgx.Identifier{t.Versions}.Sanitize() }
