package setup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"annai/fault"
	"annai/internal/config"
	"annai/runs"
	"annai/runs/mem"
	"annai/runs/postgres"
	"annai/runs/river"
	"annai/runs/sqlite"
)

// Runs opens what keeps runs and hands them out, where the settings say that sessions are kept: in PostgreSQL, in
// a file of its own in the data folder, or in memory. The error says in one line what is wrong. What is returned
// last lets go of both.
func Runs(
	ctx context.Context, c config.Config, now func() time.Time, log *slog.Logger,
) (runs.Store, runs.Queue, func() error, error) {
	if c.Postgres == "" && c.Data == "" {
		store := mem.New(mem.Options{})
		queue := mem.NewQueue(store, now, mem.QueueOptions{Workers: c.Runs.Workers, Limit: c.Runs.Queue})
		return store, queue, func() error { return nil }, nil
	}
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	open := openRunsFile
	if c.Postgres != "" {
		open = openRunsPostgres
	}
	store, queue, closeBoth, err := open(ctx, c, now, log)
	if err != nil {
		return nil, nil, nil, OneLine(err)
	}
	return store, queue, closeBoth, nil
}

func openRunsFile(
	ctx context.Context, c config.Config, now func() time.Time, log *slog.Logger,
) (runs.Store, runs.Queue, func() error, error) {
	store, err := sqlite.Open(ctx, filepath.Join(c.Data, "runs.db"), sqlite.Options{Row: Row(c)})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("data folder: %w", err)
	}
	queue, err := river.NewSQLite(ctx, store, now, queueOptions(c, log))
	if err != nil {
		return nil, nil, nil, errors.Join(fmt.Errorf("data folder: %w", err), store.Close())
	}
	return store, queue, store.Close, nil
}

func openRunsPostgres(
	ctx context.Context, c config.Config, now func() time.Time, log *slog.Logger,
) (runs.Store, runs.Queue, func() error, error) {
	store, err := postgres.Open(ctx, string(c.Postgres), postgres.Options{Row: Row(c), Limit: c.Deadline})
	switch {
	case errors.Is(err, fault.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return nil, nil, nil, fmt.Errorf("the PostgreSQL server can't be reached: %w", err)
	case err != nil:
		return nil, nil, nil, err
	}
	queue, err := river.NewPostgres(ctx, store, now, queueOptions(c, log))
	if err != nil {
		return nil, nil, nil, errors.Join(err, store.Close())
	}
	return store, queue, store.Close, nil
}

func queueOptions(c config.Config, log *slog.Logger) river.Options {
	return river.Options{Workers: c.Runs.Workers, Limit: c.Runs.Queue, Log: log}
}
