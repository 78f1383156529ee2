package pgdb_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
)

// writers is a pool with an empty table of notes, and a writer of it.
func writers(t *testing.T) (*pgxpool.Pool, *pgdb.Writer) {
	t.Helper()
	pool := connect(t, pgtest.Shared(t).Schema(t), pgdb.Options{Connections: 8})
	if err := notes(first).Migrate(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	return pool, pgdb.NewWriter(pool, time.Minute)
}

// note is a change that adds some.
func note(texts ...string) *pgdb.Change {
	c := &pgdb.Change{}
	for _, text := range texts {
		c.Statements = append(c.Statements, pgdb.Statement{Query: `INSERT INTO notes VALUES ($1)`, Args: []any{text}})
	}
	return c
}

func count(t *testing.T, pool *pgxpool.Pool, where string) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM notes WHERE "+where).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Of changes that are written at the same time each is done whole or not at all, whatever becomes of the others.
func TestWriterTogether(t *testing.T) {
	pool, w := writers(t)
	errNone := errors.New("there is no such note")
	const of = 60
	var errs, twice, demands [of]error
	var all sync.WaitGroup
	for i := range of {
		text := fmt.Sprint(i)
		all.Go(func() { errs[i] = w.Write(t.Context(), note(text, "with "+text)) })
		all.Go(func() { twice[i] = w.Write(t.Context(), note("twice "+text, "twice "+text)) })
		all.Go(func() {
			c := note("needs " + text)
			c.Statements = append(c.Statements, pgdb.Demand(errNone, `SELECT 1 FROM notes WHERE text = $1`, "nothing"))
			demands[i] = w.Write(t.Context(), c)
		})
	}
	all.Wait()
	for i := range of {
		if errs[i] != nil || twice[i] == nil || !errors.Is(demands[i], errNone) {
			t.Errorf("change %d = %v, twice the same = %v, a demand = %v; want nil, an error and %v",
				i, errs[i], twice[i], demands[i], errNone)
		}
	}
	if n, all := count(t, pool, "text ~ '^(with )?[0-9]'"), count(t, pool, "true"); n != 2*of || all != n {
		t.Errorf("%d of %d notes are of changes that were done, want %d of as many", n, all, 2*of)
	}
}

// What waits for a lock keeps nobody else waiting.
func TestWriterBehindALock(t *testing.T) {
	pool, w := writers(t)
	if err := w.Write(t.Context(), note("held")); err != nil {
		t.Fatal(err)
	}
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `SELECT text FROM notes WHERE text = 'held' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	update := pgdb.Statement{Query: `UPDATE notes SET text = 'changed' WHERE text = 'held'`}
	changed := &pgdb.Change{Statements: []pgdb.Statement{update}}
	late := make(chan error, 1)
	go func() { late <- w.Write(context.Background(), changed) }()
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if err := w.Write(t.Context(), note(fmt.Sprint(i))); err != nil {
				t.Errorf("change %d = %v", i, err)
			}
		})
	}
	all.Wait()
	select {
	case err := <-late:
		t.Errorf("who waits for the lock has written: %v", err)
	default:
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-late; err != nil || changed.Rows[0] != 1 {
		t.Errorf("Write once the lock is free = %v, %v rows, want 1", err, changed.Rows)
	}
}

// Who has given up writes nothing.
func TestWriterGivenUp(t *testing.T) {
	pool, w := writers(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Write(ctx, note("late")); !errors.Is(err, context.Canceled) {
		t.Errorf("Write by who has given up = %v", err)
	}
	if err := w.Write(t.Context(), note("next")); err != nil {
		t.Error(err)
	}
	if n := count(t, pool, "true"); n != 1 {
		t.Errorf("%d notes, want that of who waited", n)
	}
}
