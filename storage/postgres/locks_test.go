package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"annai/fault"
	"annai/graph"
	"annai/storage/postgres"
	"annai/storage/row"
)

// What another process holds of a thread while it puts a large value, and while it takes something away.
const (
	shared = `SELECT pg_advisory_xact_lock_shared(hashtextextended('t', 418464555369))`
	alone  = `SELECT pg_advisory_xact_lock(hashtextextended('t', 418464555369))`
)

// beside does something in a transaction, calls f and commits once f waits for a lock or has returned.
func beside(t *testing.T, address string, something func(exec func(query string, args ...any)), f func() error) error {
	t.Helper()
	tx, err := connect(t, address).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	something(func(query string, args ...any) {
		if _, err := tx.Exec(t.Context(), query, args...); err != nil {
			t.Fatalf("%s = %v", query, err)
		}
	})
	watch, done := connect(t, address), make(chan error, 1)
	go func() { done <- f() }()
	for {
		select {
		case err := <-done:
			if err := tx.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			return err
		default:
		}
		if waits(t, watch) {
			break
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return <-done
}

// waits reports whether somebody waits for a lock.
func waits(t *testing.T, conn *pgx.Conn) (yes bool) {
	t.Helper()
	const query = `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock')`
	if err := conn.QueryRow(t.Context(), query).Scan(&yes); err != nil {
		t.Fatal(err)
	}
	return yes
}

const insert = `INSERT INTO annai_records (thread, namespace, id, parent, base, at, data) VALUES ('t', $1, $2, $3, $4, 0, $5)`

// split returns a record with a large value as it is kept.
func split(t *testing.T, r graph.Record) ([]byte, row.Address) {
	t.Helper()
	data, blobs, err := new(row.Codec).SplitRecord("t", r)
	if err != nil || len(blobs) != 1 {
		t.Fatalf("SplitRecord = %d large values, %v, want 1", len(blobs), err)
	}
	return data, blobs[0].Address
}

func picture(id, parent int64) graph.Record {
	r := record(id, parent)
	r.Base, r.Writes = id, []graph.ChannelData{{Channel: "image", Data: make([]byte, row.Large)}}
	return r
}

func kept(id int64) graph.Record { return graph.Record{ID: id, Base: id, Snapshot: true} }

// TestKeepWaitsForPut has somebody put a record after an old one, with an old base, when Keep begins.
func TestKeepWaitsForPut(t *testing.T) {
	address := schema(t)
	s := open(t, address, postgres.Options{})
	for id := int64(1); id <= 5; id++ {
		if err := s.Put(t.Context(), "t", record(id, id-1)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := new(row.Codec).EncodeRecord("t", record(6, 3))
	if err != nil {
		t.Fatal(err)
	}
	err = beside(t, address, func(exec func(string, ...any)) { exec(insert, "", 6, 3, 1, data) }, func() error {
		return s.Keep(context.Background(), "t", kept(5), nil)
	})
	if !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Keep(5) while somebody puts 6 = %v, want ErrConflict", err)
	}
	if chain, newest, err := s.Load(t.Context(), "t", "", 0); err != nil || newest != 6 || len(chain) != 4 {
		t.Errorf("Load = %d of %d records, %v, want 6 with its ancestors", len(chain), newest, err)
	}
}

// TestKeepWaitsForLarge has somebody put the first record of a subgraph, with the large value that Keep takes away from another.
func TestKeepWaitsForLarge(t *testing.T) {
	address := schema(t)
	s := open(t, address, postgres.Options{})
	if err := s.Put(t.Context(), "t", picture(1, 0)); err != nil {
		t.Fatal(err)
	}
	inner := picture(1, 0)
	inner.Namespace = "a:1"
	data, a := split(t, inner)
	err := beside(t, address, func(exec func(string, ...any)) {
		exec(shared)
		exec(insert, "a:1", 1, nil, 1, data)
		exec(`INSERT INTO annai_refs (thread, namespace, id, task, address) VALUES ('t', 'a:1', 1, -1, $1)`, a[:])
	}, func() error { return s.Keep(context.Background(), "t", kept(1), []string{"a"}) })
	if err != nil {
		t.Errorf("Keep(1) = %v", err)
	}
	if chain, _, err := s.Load(t.Context(), "t", "a:1", 0); err != nil || len(chain) != 1 {
		t.Errorf("Load(a:1) = %d records, %v, want one with its large value", len(chain), err)
	}
}

// TestLargeWaitsForKeep has somebody take a large value away when another record with it is put.
func TestLargeWaitsForKeep(t *testing.T) {
	for name, put := range map[string]func(s *postgres.Store) error{
		"Put": func(s *postgres.Store) error { return s.Put(context.Background(), "t", picture(2, 1)) },
		"PutWrites": func(s *postgres.Store) error {
			return s.PutWrites(context.Background(), "t", graph.TaskWrites{Checkpoint: 1, Answers: [][]byte{picture(2, 1).Writes[0].Data}})
		},
	} {
		address := schema(t)
		s := open(t, address, postgres.Options{})
		if err := s.Put(t.Context(), "t", picture(1, 0)); err != nil {
			t.Fatal(err)
		}
		data, err := new(row.Codec).EncodeRecord("t", kept(1))
		if err != nil {
			t.Fatal(err)
		}
		err = beside(t, address, func(exec func(string, ...any)) {
			exec(alone)
			exec(`UPDATE annai_records SET data = $1`, data)
			exec(`DELETE FROM annai_refs`)
			exec(`DELETE FROM annai_blobs`)
		}, func() error { return put(s) })
		if err != nil {
			t.Errorf("%s while somebody takes its value away from another = %v", name, err)
		}
		if records, err := s.List(t.Context(), "t", "", 0, 0); err != nil || len(records) == 0 {
			t.Errorf("List after %s = %d records, %v, want them with their large value", name, len(records), err)
		}
	}
}

// TestFirstWaitsForKeep has somebody begin the thread, go on and take away the first record, between the look at what is there and the put of a
// first record.
func TestFirstWaitsForKeep(t *testing.T) {
	address := schema(t)
	s := open(t, address, postgres.Options{})
	if err := s.Put(t.Context(), "t", record(1, 0)); err != nil {
		t.Fatal(err)
	}
	data, err := new(row.Codec).EncodeRecord("t", kept(2))
	if err != nil {
		t.Fatal(err)
	}
	err = beside(t, address, func(exec func(string, ...any)) {
		exec(alone)
		exec(insert, "", 2, nil, 2, data)
		exec(`DELETE FROM annai_records WHERE id = 1`)
	}, func() error { return s.Put(context.Background(), "t", record(1, 0)) })
	if !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Put(1) while somebody goes on to 2 and forgets 1 = %v, want ErrConflict", err)
	}
}
