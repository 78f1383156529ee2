package river_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"annai/runs/postgres"
	"annai/runs/river"
	"annai/storage/postgres/pgtest"
)

// warnings hands on what is logged.
type warnings struct {
	slog.Handler

	words chan<- string
}

func (w warnings) Handle(_ context.Context, r slog.Record) error {
	select {
	case w.words <- r.Message:
	default:
	}
	return nil
}

func (w warnings) Enabled(context.Context, slog.Level) bool { return true }

func (w warnings) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w warnings) WithGroup(string) slog.Handler      { return w }

// TestStartsLate begins to work while the server is away: once it is back, River executes what is
// enqueued. Looking by itself the queue would find it after an hour.
func TestStartsLate(t *testing.T) {
	pgtest.Shared(t) // there is one
	server, err := pgtest.Start(t.Context())
	if err != nil {
		t.Fatalf("start PostgreSQL = %v", err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	store, err := postgres.Open(t.Context(), server.Schema(t), postgres.Options{})
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	t.Cleanup(func() { _ = store.Close() })
	words, began := make(chan string, 100), make(chan string, 1)
	log := slog.New(warnings{slog.DiscardHandler, words})
	queue, err := river.NewPostgres(t.Context(), store, clock, river.Options{Every: time.Hour, Log: log})
	if err != nil {
		t.Fatalf("NewPostgres = %v", err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	work(t, queue, executor(store, began, nil))
	for !strings.Contains(receive(t, words, time.Minute), "does not start") {
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Enqueue(t.Context(), newStart("t", "run")); err != nil {
		t.Fatalf("Enqueue = %v", err)
	}
	if got := receive(t, began, time.Minute); got != "run" {
		t.Errorf("%s began, want run", got)
	}
}
