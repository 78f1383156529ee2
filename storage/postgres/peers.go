package postgres

import (
	"context"
	"fmt"

	"annai/fault"
	"annai/internal/pgdb"
)

// maxWords is how many bytes PostgreSQL notifies at most.
const maxWords = 7999

// Tell says something to all processes that have the store open, this one included: those that hear
// it do so within milliseconds. It is kept nowhere.
func (s *Store) Tell(ctx context.Context, words string) error {
	if len(words) > maxWords {
		return fmt.Errorf("tell %d bytes, of which at most %d can be: %w", len(words), maxWords, fault.ErrInvalid)
	}
	err := pgdb.Within(ctx, s.limit, func(ctx context.Context) error {
		_, err := s.pool.Exec(ctx, `SELECT pg_notify($1, $2)`, s.channel, words)
		return err
	})
	if err != nil {
		return fmt.Errorf("tell the other processes: %w", pgdb.Fault(err))
	}
	return nil
}

// Hear calls heard for all that is told, one after the other, until ctx ends. What is told while
// the connection is lost is not heard.
func (s *Store) Hear(ctx context.Context, heard func(words string)) {
	pgdb.Listen(ctx, s.pool, s.channel, s.limit, heard, func() {})
}
