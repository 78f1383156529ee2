// Package postgres keeps named keys in PostgreSQL, for several servers at once.
//
// Its one idea: the list is one row, as the file is one file, and whoever changes it locks the row.
// The package knows nothing of what keys are for.
package postgres

import (
	"context"
	"embed"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/pgdb"
	"annai/server/keys"
)

//go:embed migrations
var migrations embed.FS

var ours = pgdb.Tables{Migrations: migrations, Versions: "annai_keys_migrations", Lock: 0x616e6b79} // the lock is anky

// connections are few: the list is read now and then.
const connections = 2

// A Store is a [keys.Store]. It is safe for concurrent use, by any number of processes.
type Store struct {
	pool  *pgxpool.Pool
	limit time.Duration
}

// Open connects to the address, a URL or a list of key=value, and makes the tables. No call takes
// longer than the limit. The errors are those of [pgdb.Fault].
func Open(ctx context.Context, address string, limit time.Duration) (*Store, error) {
	pool, err := pgdb.Connect(ctx, address, pgdb.Options{Connections: connections, Limit: limit})
	if err != nil {
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	if err := ours.Migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open postgres: %w", err)
	}
	return &Store{pool, limit}, nil
}

// Stats are how many of its connections are in use, are not, and may be at most, and how often somebody had to wait.
func (s *Store) Stats() (inUse, idle, most int, waits int64) { return pgdb.Stats(s.pool) }

// Close lets go of the connections.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// do calls for what takes no longer than the limit, and gives an error its kind.
func (s *Store) do(ctx context.Context, call func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	if err := pgdb.Fault(call(ctx)); err != nil {
		return fmt.Errorf("keys in postgres: %w", err)
	}
	return nil
}

// List is part of [keys.Store].
func (s *Store) List(ctx context.Context) (all []keys.Key, err error) {
	err = s.do(ctx, func(ctx context.Context) error {
		var data []byte
		if err := s.pool.QueryRow(ctx, "SELECT list FROM annai_keys").Scan(&data); err != nil {
			return err
		}
		all, err = keys.Decode(data)
		return err
	})
	return all, err
}

// Version is part of [keys.Store].
func (s *Store) Version(ctx context.Context) (version string, err error) {
	err = s.do(ctx, func(ctx context.Context) error {
		var n int64
		err := s.pool.QueryRow(ctx, "SELECT version FROM annai_keys").Scan(&n)
		version = strconv.FormatInt(n, 10)
		return err
	})
	return version, err
}

// Change is part of [keys.Store].
func (s *Store) Change(ctx context.Context, edit func([]keys.Key) ([]keys.Key, error)) error {
	return s.do(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var data []byte
			if err := tx.QueryRow(ctx, "SELECT list FROM annai_keys FOR UPDATE").Scan(&data); err != nil {
				return err
			}
			all, err := keys.Decode(data)
			if err != nil {
				return err
			}
			if all, err = edit(all); err != nil {
				return err
			}
			if data, err = keys.Encode(all); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, "UPDATE annai_keys SET version = version + 1, list = $1", data)
			return err
		})
	})
}

// Use is part of [keys.Store].
func (s *Store) Use(ctx context.Context, last map[string]time.Time) error {
	return s.do(ctx, func(ctx context.Context) error {
		names, times := make([]string, 0, len(last)), make([]time.Time, 0, len(last))
		for name, at := range last {
			names, times = append(names, name), append(times, at.UTC().Truncate(time.Second))
		}
		// In order, so that two who do it at once do not wait for each other.
		_, err := s.pool.Exec(ctx, `INSERT INTO annai_keys_used (name, at)
			SELECT * FROM unnest($1::text[], $2::timestamptz[]) AS used (name, at) ORDER BY name
			ON CONFLICT (name) DO UPDATE SET at = greatest(annai_keys_used.at, excluded.at)`, names, times)
		return err
	})
}

// Used is part of [keys.Store].
func (s *Store) Used(ctx context.Context) (used map[string]time.Time, err error) {
	err = s.do(ctx, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, "SELECT name, at FROM annai_keys_used")
		if err != nil {
			return err
		}
		used = map[string]time.Time{}
		var name string
		var at time.Time
		_, err = pgx.ForEachRow(rows, []any{&name, &at}, func() error {
			used[name] = at.UTC()
			return nil
		})
		return err
	})
	return used, err
}
