package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/server/gate"
	"annai/storage/mem"
	"annai/storage/postgres"
	"annai/storage/sqlite"
)

// sessionStore is where sessions are kept.
type sessionStore struct {
	graph.Checkpointer

	// peers are other processes that keep their sessions there; nil where there can be none.
	peers gate.Peers
	// where says it in words.
	where string
	close func() error
}

// openSessions opens what the settings name: PostgreSQL, a file in the data folder, or memory. The error says in one line what is wrong with it.
func openSessions(ctx context.Context, c config.Config) (sessionStore, error) {
	if c.Postgres == "" && c.Data == "" {
		return sessionStore{mem.New(), nil, "in memory; they end with the process", func() error { return nil }}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, setup.Deadline)
	defer cancel()
	open := openFile
	if c.Postgres != "" {
		open = openPostgres
	}
	s, err := open(ctx, c)
	if err != nil {
		return sessionStore{}, setup.OneLine(err)
	}
	if err := checkKey(ctx, c, s); err != nil {
		return sessionStore{}, setup.OneLine(errors.Join(err, s.close()))
	}
	if c.EncryptionKey != "" {
		s.where += ", encrypted"
	}
	return s, nil
}

func openFile(ctx context.Context, c config.Config) (sessionStore, error) {
	path := filepath.Join(c.Data, "annai.db")
	s, err := sqlite.Open(ctx, path, sqlite.Options{Row: setup.Row(c)})
	if err != nil {
		return sessionStore{}, fmt.Errorf("data folder: %w", err)
	}
	return sessionStore{s, nil, "in " + path, s.Close}, nil
}

func openPostgres(ctx context.Context, c config.Config) (sessionStore, error) {
	s, err := postgres.Open(ctx, string(c.Postgres), postgres.Options{Row: setup.Row(c), Limit: c.Deadline})
	if err != nil {
		return sessionStore{}, setup.AboutPostgres(err)
	}
	return sessionStore{s, s, "in PostgreSQL", s.Close}, nil
}

// A store has a record of ours, by which a key that is not the store's own shows before a session meets it. No session can have the name of its
// thread, which can't be printed, and it is too young for ever to be swept away.
const sealThread = "\x01seal"

var sealedAt = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// checkKey looks whether the key, or none, is the one that the store was first opened with.
func checkKey(ctx context.Context, c config.Config, s sessionStore) error {
	_, newest, err := s.Load(ctx, sealThread, "", 0)
	if err == nil && newest == 0 {
		err = s.Put(ctx, sealThread, graph.Record{ID: 1, Base: 1, At: sealedAt, Graph: "annai"})
		if errors.Is(err, fault.ErrConflict) { // another process did it meanwhile, perhaps with another key
			_, _, err = s.Load(ctx, sealThread, "", 0)
		}
	}
	switch {
	case errors.Is(err, fault.ErrDenied) && c.EncryptionKey == "":
		return fmt.Errorf("the sessions %s are encrypted, and no encryption key is set: %w", s.where, fault.ErrDenied)
	case errors.Is(err, fault.ErrDenied):
		return fmt.Errorf("the sessions %s were written with another encryption key, or without one: %w", s.where, fault.ErrDenied)
	case err != nil:
		return fmt.Errorf("sessions %s: %w", s.where, err)
	}
	return nil
}

// trySessions puts, reads and deletes a record.
func trySessions(ctx context.Context, store graph.Checkpointer, at time.Time) error {
	thread := "\x01try " + at.Format(time.RFC3339Nano)
	if err := store.Put(ctx, thread, graph.Record{ID: 1, Base: 1, At: at, Graph: "annai"}); err != nil {
		return err
	}
	_, newest, err := store.Load(ctx, thread, "", 0)
	if err == nil && newest != 1 {
		err = fmt.Errorf("what was written is not there: %w", fault.ErrUnavailable)
	}
	return errors.Join(err, store.Delete(ctx, thread))
}
