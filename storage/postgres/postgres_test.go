package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"annai/fault"
	"annai/graph"
	"annai/graph/graphtest"
	"annai/storage/postgres"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func schema(t testing.TB) string { return pgtest.Shared(t).Schema(t) }

func open(t testing.TB, address string, opts postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, opts)
	if err != nil {
		t.Fatalf("Open(%s) = %v", address, err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestCheckpointer(t *testing.T) {
	graphtest.Checkpointer(t, func(t *testing.T) graph.Checkpointer { return open(t, schema(t), postgres.Options{}) })
}

// TestCheckpointerEncrypted runs the suite once more with everything that can be done to a row.
func TestCheckpointerEncrypted(t *testing.T) {
	opts := postgres.Options{Row: row.Options{CompressAbove: 64, Key: bytes.Repeat([]byte{1}, 32)}}
	graphtest.Checkpointer(t, func(t *testing.T) graph.Checkpointer { return open(t, schema(t), opts) })
}

func TestDurable(t *testing.T) {
	graphtest.Durable(t, func(t *testing.T) func() graph.Checkpointer {
		address := schema(t)
		return func() graph.Checkpointer { return open(t, address, postgres.Options{}) }
	})
}

// TestSchema has two stores at one address, each with a schema of its own: what one forgets stays with the other.
func TestSchema(t *testing.T) {
	address := schema(t)
	sessions, threads := open(t, address, postgres.Options{}), open(t, address, postgres.Options{Schema: "threads of " + t.Name()})
	if err := threads.Put(t.Context(), "t", record(1, 0)); err != nil {
		t.Fatalf("Put in a schema of its own = %v", err)
	}
	if n, err := sessions.Prune(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("Prune beside it = %d, %v, want none", n, err)
	}
	if n, err := threads.Prune(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("Prune in it = %d, %v, want 1", n, err)
	}
}

func record(id, parent int64) graph.Record { return graph.Record{ID: id, Parent: parent, Base: 1} }

// TestSeveralProcesses has many open the same empty schema at once, and write the same record.
func TestSeveralProcesses(t *testing.T) {
	address := schema(t)
	const n = 5
	opened, put := make([]error, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s, err := postgres.Open(context.Background(), address, postgres.Options{Connections: 1})
			if opened[i] = err; err != nil {
				return
			}
			defer s.Close()
			put[i] = s.Put(context.Background(), "t", record(1, 0))
		})
	}
	wg.Wait()
	won := 0
	for i := range n {
		if opened[i] != nil {
			t.Errorf("Open beside others = %v", opened[i])
		}
		switch {
		case put[i] == nil:
			won++
		case !errors.Is(put[i], fault.ErrConflict):
			t.Errorf("Put beside others = %v, want nil or ErrConflict", put[i])
		}
	}
	if won != 1 {
		t.Errorf("%d won, want 1", won)
	}
}

// TestDeleteBesideWriters deletes threads that are written to: no record may be left whose parent is gone.
func TestDeleteBesideWriters(t *testing.T) {
	s := open(t, schema(t), postgres.Options{})
	for round := range 20 {
		thread := fmt.Sprint(round)
		if err := s.Put(t.Context(), thread, record(1, 0)); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			for id := int64(2); id < 30; id++ {
				err := s.Put(context.Background(), thread, record(id, id-1))
				if errors.Is(err, fault.ErrConflict) {
					return
				}
				if err != nil {
					t.Errorf("Put = %v", err)
				}
			}
		})
		wg.Go(func() {
			if err := s.Delete(context.Background(), thread); err != nil {
				t.Errorf("Delete = %v", err)
			}
		})
		wg.Wait()
		if chain, newest, err := s.Load(t.Context(), thread, "", 0); err != nil || newest != 0 && len(chain) != int(newest) {
			t.Errorf("Load after Delete beside a writer = %d of %d records, %v, want all or none", len(chain), newest, err)
		}
	}
}

func connect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// TestVersion1 opens tables of the first version, whose rows have all their values in them.
func TestVersion1(t *testing.T) {
	address := schema(t)
	conn := connect(t, address)
	statements, err := os.ReadFile(filepath.Join("migrations", "1.sql"))
	if err != nil {
		t.Fatal(err)
	}
	const versions = `CREATE TABLE annai_versions (version bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now()); INSERT INTO annai_versions VALUES (1);`
	const rows = `INSERT INTO annai_records VALUES ('スレッド', '', 1, NULL, 1, 0,
			decode('01720000020000e296c0f80c020372756e046c6f6f700b636f6e6369657267654032000105776f726473095b22f09f8fae225d0000', 'hex'));
		INSERT INTO annai_writes VALUES ('スレッド', '', 1, 0, decode('01770000000000010269310361736b0c22e4bd95e69982efbc9f220001062279657322', 'hex'));`
	if _, err := conn.Exec(t.Context(), versions+string(statements)+rows); err != nil {
		t.Fatal(err)
	}
	want := []graph.Record{{
		ID: 1, Base: 1, RunID: "run", Source: graph.SourceLoop, At: time.Date(2025, 1, 15, 19, 0, 1, 1, time.UTC), Graph: "concierge@2",
		Writes:  []graph.ChannelData{{Channel: "words", Data: []byte(`["🏮"]`)}},
		Pending: []graph.TaskWrites{{Checkpoint: 1, Answers: [][]byte{[]byte(`"yes"`)}, Interrupts: []graph.InterruptData{{ID: "i1", Node: "ask", Question: []byte(`"何時？"`)}}}},
	}}
	for range 2 {
		s := open(t, address, postgres.Options{})
		got, newest, err := s.Load(t.Context(), "スレッド", "", 0)
		if diff := cmp.Diff(want, got); diff != "" || newest != 1 || err != nil {
			t.Errorf("Load = %d, %v (-want +got):\n%s", newest, err, diff)
		}
	}
}

// TestLargeOnce has a large value in many rows, and takes them away in every way there is.
func TestLargeOnce(t *testing.T) {
	address := schema(t)
	s, conn, ctx := open(t, address, postgres.Options{}), connect(t, address), t.Context()
	do := func(what string, err error, want int) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s = %v", what, err)
		}
		var n int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM annai_blobs").Scan(&n); err != nil || n != want {
			t.Errorf("%d large values are kept after %s, %v, want %d", n, what, err, want)
		}
	}
	picture, other := bytes.Repeat([]byte("p"), 1<<20), bytes.Repeat([]byte("o"), row.Large)
	of := func(id int64, value []byte) graph.Record {
		r := record(id, id-1)
		r.Base, r.Snapshot, r.Writes = id, true, []graph.ChannelData{{Channel: "image", Data: value}, {Channel: "again", Data: value}}
		return r
	}
	for id := int64(1); id <= 20; id++ {
		do("Put", s.Put(ctx, "t", of(id, picture)), 1)
	}
	if err := s.Put(ctx, "t", of(20, other)); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Put of a record that is there = %v, want ErrConflict", err)
	}
	if err := s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 99, Answers: [][]byte{other}}); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("PutWrites of a record that is not there = %v, want ErrNotFound", err)
	}
	do("what was refused", nil, 1)
	do("PutWrites", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 20, Answers: [][]byte{other, picture}}), 2)
	do("PutWrites in its place, with one of two", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 20, Answers: [][]byte{other}}), 2)
	do("PutWrites in its place, with none", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 20}), 1)
	do("PutWrites again", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 20, Answers: [][]byte{other}}), 2)
	do("PutWrites in its place, with another", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 20, Answers: [][]byte{picture}}), 1)
	do("Copy", s.Copy(ctx, "t", "copy"), 2)
	kept := of(20, other)
	kept.Parent = 0
	do("Keep with another", s.Keep(ctx, "t", kept, nil), 3)
	do("PutWrites without the first", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 20}), 2)
	do("Delete of the copy", s.Delete(ctx, "copy"), 1)
	n, err := s.Prune(ctx, time.Unix(1, 0))
	if n != 1 {
		t.Errorf("Prune = %d, want 1", n)
	}
	do("Prune", err, 0)
	var refs int
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM annai_refs").Scan(&refs); err != nil || refs != 0 {
		t.Errorf("%d references are left, %v, want none", refs, err)
	}
}

// TestServerDies kills the server under an open store.
func TestServerDies(t *testing.T) {
	server := pgtest.Shared(t)
	s := open(t, server.Schema(t), postgres.Options{})
	if err := s.Put(t.Context(), "t", record(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := s.Put(t.Context(), "t", record(2, 1)); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Put without a server = %v, want ErrUnavailable", err)
		}
	}
	if _, err := postgres.Open(t.Context(), "host=/nowhere user=annai", postgres.Options{}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Open without a server = %v, want ErrUnavailable", err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "t", record(2, 1)); err != nil {
		t.Errorf("Put once the server is back = %v", err)
	}
	if chain, newest, err := s.Load(t.Context(), "t", "", 0); err != nil || newest != 2 || len(chain) != 2 {
		t.Errorf("Load once the server is back = %v, %d, %v, want both records", chain, newest, err)
	}
}

// TestServerHangs has the server answer nobody any more, and then again.
func TestServerHangs(t *testing.T) {
	server := pgtest.Shared(t)
	line, address := server.Line(t, server.Schema(t))
	s := open(t, address, postgres.Options{Limit: 5 * time.Second})
	if err := s.Put(t.Context(), "t", record(1, 0)); err != nil {
		t.Fatal(err)
	}
	line.Hold()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	first := record(1, 0)
	first.Snapshot = true
	var all sync.WaitGroup
	for name, call := range map[string]func() error{ // what is held may yet be done, to threads that nobody looks at
		"Put of a first record": func() error { return s.Put(ctx, "u", first) },
		"Put":                   func() error { return s.Put(ctx, "u", record(2, 1)) },
		"PutWrites":             func() error { return s.PutWrites(ctx, "u", graph.TaskWrites{Checkpoint: 1}) },
		"Load":                  func() error { _, _, err := s.Load(ctx, "t", "", 0); return err },
		"List":                  func() error { _, err := s.List(ctx, "t", "", 0, 0); return err },
		"Copy":                  func() error { return s.Copy(ctx, "t", "v") },
		"Keep":                  func() error { return s.Keep(ctx, "u", first, nil) },
		"Delete":                func() error { return s.Delete(ctx, "u") },
		"Prune":                 func() error { _, err := s.Prune(ctx, time.Unix(0, 0)); return err },
	} {
		all.Go(func() {
			if err := call(); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("%s while the server hangs = %v, want ErrUnavailable", name, err)
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		t.Fatal("the calls took longer than their limit")
	}
	line.Release()
	var err error
	for range 20 { // connections of before may have to end first
		if _, _, err = s.Load(t.Context(), "t", "", 0); err == nil {
			return
		}
	}
	t.Errorf("Load once the server answers again = %v", err)
}

func TestOpenHangs(t *testing.T) {
	if s, err := postgres.Open(t.Context(), pgtest.Silent(t), postgres.Options{Limit: 50 * time.Millisecond}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Open of a server that does not answer = %v, %v, want ErrUnavailable", s, err)
	}
}

// After a restart of the server each connection that was idle failed one call.
func TestIdleConnectionsThatEndedFailedACall(t *testing.T) {
	address, connections := schema(t), 4
	s := open(t, address, postgres.Options{Connections: connections})
	operator := connect(t, address)
	tx, err := operator.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "LOCK TABLE annai_records"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for i := range connections { // each needs one of its own
		go func() {
			_, _, err := s.Load(t.Context(), fmt.Sprint(i), "", 0)
			done <- err
		}()
	}
	for waiting := 0; waiting < connections; {
		const query = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'annai_records'::regclass"
		if err := tx.QueryRow(t.Context(), query).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range connections {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	var ended int
	const end = `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
		WHERE query LIKE '%annai_records%' AND pid <> pg_backend_pid() AND state = 'idle'`
	if err := operator.QueryRow(t.Context(), end).Scan(&ended); err != nil || ended < connections {
		t.Fatalf("%d connections ended, %v, want %d", ended, err, connections)
	}
	for i := range connections {
		if err := s.Put(t.Context(), fmt.Sprint(i), record(1, 0)); err != nil {
			t.Errorf("Put once the server ended the connections = %v", err)
		}
	}
}

func TestDeadline(t *testing.T) {
	address := schema(t)
	s := open(t, address, postgres.Options{})
	conn := connect(t, address)
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "LOCK TABLE annai_records"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Put(ctx, "t", record(1, 0)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Put while somebody locks the table = %v, want context.DeadlineExceeded", err)
	}
}

func TestRefuses(t *testing.T) {
	address := schema(t)
	s := open(t, address, postgres.Options{})
	for name, thread := range map[string]string{"a zero": "a\x00b", "no UTF-8": "\xff", "4 MB": strings.Repeat("長い", 1<<20)} {
		if err := s.Put(t.Context(), thread, record(1, 0)); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Put(a name that is %s) = %.200v, want ErrInvalid", name, err)
		}
	}
	if _, err := postgres.Open(t.Context(), "postgres://:port/x", postgres.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open(no address) = %v, want ErrInvalid", err)
	}
	conn := connect(t, address)
	if _, err := conn.Exec(t.Context(), "INSERT INTO annai_versions (version) VALUES (99)"); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(t.Context(), address, postgres.Options{}); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "version 99") {
		t.Errorf("Open(tables of version 99) = %v, want ErrInvalid that names the version", err)
	}
}

func TestClosed(t *testing.T) {
	s := open(t, schema(t), postgres.Options{})
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Errorf("Close() twice = %v, want nil", err)
	}
	if err := s.Put(t.Context(), "t", record(1, 0)); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Put after Close = %v, want ErrUnavailable", err)
	}
}

// BenchmarkPut has 64 writers, each with a thread of its own, and one. The server of the tests does not wait for the disk.
func BenchmarkPut(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprint(writers, " writers"), func(b *testing.B) {
			s := open(b, schema(b), postgres.Options{Connections: 16})
			b.ResetTimer()
			var wg sync.WaitGroup
			for i := range writers {
				wg.Go(func() {
					for id := int64(1); id <= int64(b.N/writers)+1; id++ {
						r := record(id, id-1)
						r.Writes = []graph.ChannelData{{Channel: "c", Data: make([]byte, 1000)}}
						if err := s.Put(b.Context(), fmt.Sprint(i), r); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// BenchmarkLoad loads a record with five ancestors out of short and long threads.
func BenchmarkLoad(b *testing.B) { graphtest.BenchmarkLoad(b, open(b, schema(b), postgres.Options{})) }
