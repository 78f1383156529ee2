// Package setup opens what the settings of a server name: where threads, runs and keys are kept, who keeps what
// was done, the address that it listens on. It is shared by all programs that serve graphs.
//
// It knows the settings and the back ends, and no graph.
package setup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"annai/fault"
	"annai/graph"
	"annai/internal/config"
	"annai/storage/mem"
	"annai/storage/postgres"
	"annai/storage/row"
	"annai/storage/sqlite"
)

// Deadline is how long opening a store may take: a server that does not answer must not keep anybody waiting for
// minutes.
const Deadline = 10 * time.Second

// Threads opens what keeps the checkpoints of threads, where the settings say that sessions are kept: in a file,
// or a schema, of their own, so that the concierge forgets its sessions without asking what else there is.
func Threads(ctx context.Context, c config.Config) (graph.Checkpointer, func() error, error) {
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	switch {
	case c.Postgres != "":
		s, err := postgres.Open(ctx, string(c.Postgres), postgres.Options{
			Row: Row(c), Schema: "annai_threads", Limit: c.Deadline,
		})
		if err != nil {
			return nil, nil, fmt.Errorf("threads: %w", err)
		}
		return s, s.Close, nil
	case c.Data != "":
		s, err := sqlite.Open(ctx, filepath.Join(c.Data, "threads.db"), sqlite.Options{Row: Row(c)})
		if err != nil {
			return nil, nil, fmt.Errorf("data folder: %w", err)
		}
		return s, s.Close, nil
	default:
		return mem.New(), func() error { return nil }, nil
	}
}

// AboutPostgres says in words why a store in PostgreSQL can't be opened.
func AboutPostgres(err error) error {
	switch {
	case errors.Is(err, fault.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the PostgreSQL server can't be reached: %w", err)
	case errors.Is(err, fault.ErrDenied):
		return fmt.Errorf("the PostgreSQL server refuses the user or the password: %w", err)
	}
	return err
}

// OneLine makes an error of a library that has several lines one that can be printed; nil stays nil.
func OneLine(err error) error {
	if err == nil {
		return nil
	}
	return oneLine{err}
}

type oneLine struct{ error }

func (e oneLine) Error() string {
	words := strings.FieldsFunc(e.error.Error(), func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r)
	})
	return strings.Join(words, " ")
}

func (e oneLine) Unwrap() error { return e.error }

// Row is how rows are kept.
func Row(c config.Config) row.Options {
	opts := row.Options{CompressAbove: int(c.CompressAbove)}
	if c.EncryptionKey != "" {
		opts.Key = []byte(c.EncryptionKey)
	}
	return opts
}
