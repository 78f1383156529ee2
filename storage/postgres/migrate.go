package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/fault"
)

// Migrations only go forward. Each is a file named by its version, from 1 without gaps; a file that was released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// version is the one that the last migration makes.
const version = 2

// lock is the number that processes agree on, so that one of them migrates at a time.
const lock = 0x616e6e6169 // annai

// migrate makes the tables what this version expects, all of it or nothing.
func migrate(ctx context.Context, pool *pgxpool.Pool, schema string) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lock)); err != nil {
			return kind(err)
		}
		if schema != "" {
			if _, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{schema}.Sanitize()); err != nil {
				return kind(err)
			}
		}
		const table = `CREATE TABLE IF NOT EXISTS annai_versions (version bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`
		if _, err := tx.Exec(ctx, table); err != nil {
			return kind(err)
		}
		var found int
		if err := tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM annai_versions").Scan(&found); err != nil {
			return kind(err)
		}
		if found > version {
			return fmt.Errorf("the tables have version %d, this annai knows up to %d: %w", found, version, fault.ErrInvalid)
		}
		for v := found + 1; v <= version; v++ {
			if err := step(ctx, tx, v); err != nil {
				return fmt.Errorf("migrate to version %d: %w", v, err)
			}
		}
		return nil
	})
	return kind(err)
}

func step(ctx context.Context, tx pgx.Tx, v int) error {
	statements, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", v))
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, string(statements)); err != nil {
		return kind(err)
	}
	_, err = tx.Exec(ctx, "INSERT INTO annai_versions (version) VALUES ($1)", v)
	return kind(err)
}
