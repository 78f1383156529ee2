package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"annai/graph"
	"annai/internal/budget"
	"annai/storage/row"
	"annai/storage/sqlite"
)

// work is the state of the engine's workloads.
type work struct {
	Messages []string
	Count    int
	Last     string
}

// w1 is the graph of W1: three nodes, each of which appends its name, counts, and says that it was last.
func w1(b *testing.B, store graph.Checkpointer, durability graph.Durability) *graph.Graph[work] {
	b.Helper()
	schema := graph.NewSchema[work]()
	messages := graph.Append(schema, "messages", func(s *work) *[]string { return &s.Messages })
	count := graph.Last(schema, "count", func(s *work) *int { return &s.Count })
	last := graph.Last(schema, "last", func(s *work) *string { return &s.Last })
	g := graph.New(schema)
	before := graph.Start
	for _, name := range []string{"n0", "n1", "n2"} {
		g.AddNode(name, func(_ context.Context, s work) (graph.Command[work], error) {
			return graph.Command[work]{Update: graph.Update[work]{messages.Write([]string{name}), count.Write(s.Count + 1), last.Write(name)}}, nil
		})
		g.AddEdge(before, name)
		before = name
	}
	g.AddEdge(before, graph.End)
	compiled, err := g.Compile(graph.Options{Checkpointer: store, Durability: durability})
	if err != nil {
		b.Fatal(err)
	}
	return compiled
}

// BenchmarkW6 is W1 with checkpoints in a file, each run on a thread of its own, beside the same commits of the same rows by hand.
func BenchmarkW6(b *testing.B) {
	for _, durability := range []graph.Durability{graph.DurabilitySync, graph.DurabilityAsync} {
		b.Run(string(durability), func(b *testing.B) { benchmarkW6(b, durability) })
	}
}

func benchmarkW6(b *testing.B, durability graph.Durability) {
	ours, _ := filesW6(b, durability)
	b.ReportAllocs()
	for b.Loop() {
		ours()
	}
	b.StopTimer()
	ours, hand := filesW6(b, durability) // new ones, which grow alike
	alternate(300, ours, hand)           // until their logs have the size that they keep
	rounds := make([]float64, 2*budget.Rounds)
	for i := range rounds {
		rounds[i] = alternate(50, ours, hand)
	}
	budget.AtMost(os.Stdout, "W6-"+string(durability), budget.Median(rounds), "x", 1.15)
}

// filesW6 makes two files, and returns what has a run in one and its commits by hand in the other.
func filesW6(b *testing.B, durability graph.Durability) (ours, hand func()) {
	b.Helper()
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "annai.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	seen := &witness{Checkpointer: store, codec: new(row.Codec)}
	first, compiled := w1(b, seen, durability), w1(b, store, durability)
	n := 0
	run := func(g *graph.Graph[work]) {
		n++
		result, err := g.Invoke(context.Background(), graph.Input[work]{}, graph.RunOptions{ThreadID: strconv.Itoa(n)})
		if err != nil || len(result.State.Messages) != 3 || result.State.Count != 3 {
			b.Fatal(result.State, err)
		}
	}
	run(first)
	return func() { run(compiled) }, byHand(b, seen)
}

// witness remembers the records of a run, and their rows.
type witness struct {
	graph.Checkpointer
	codec   *row.Codec
	records []graph.Record
	rows    [][]byte
}

func (w *witness) Put(ctx context.Context, thread string, r graph.Record) error {
	data, err := w.codec.EncodeRecord(thread, r)
	if err != nil {
		return err
	}
	w.records, w.rows = append(w.records, r), append(w.rows, data)
	return w.Checkpointer.Put(ctx, thread, r)
}

// alternate returns the time of ours over that of limit. They take turns at every call, and of the times of each the lower quartile counts: what
// else the processor and the disk have to do at the moment only makes some calls longer, by far.
func alternate(n int, ours, limit func()) float64 {
	var times [2][]float64
	for range n {
		for i, f := range []func(){ours, limit} {
			began := time.Now()
			f()
			times[i] = append(times[i], float64(time.Since(began)))
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return times[0][n/4] / times[1][n/4]
}

// byHand returns what commits the rows that were seen, each by itself, to a file and table like the store's, for one new thread after the other.
// A record that is relaxed does not wait for the disk.
func byHand(b *testing.B, seen *witness) func() {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "hand.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)")
	if err != nil {
		b.Fatal(err)
	}
	conn, err := db.Conn(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	exec := func(_ sql.Result, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	exec(conn.ExecContext(b.Context(), `CREATE TABLE records (thread TEXT NOT NULL, namespace TEXT NOT NULL, id INTEGER NOT NULL, parent INTEGER NOT NULL,
		base INTEGER NOT NULL, at INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (thread, namespace, id)) STRICT`))
	insert, err := conn.PrepareContext(b.Context(), "INSERT INTO records (thread, namespace, id, parent, base, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		insert.Close()
		conn.Close()
		db.Close()
	})
	n, relaxed := 0, false
	return func() {
		n++
		for i, r := range seen.records {
			if level := map[bool]string{false: "FULL", true: "NORMAL"}[r.Relaxed]; r.Relaxed != relaxed {
				exec(conn.ExecContext(context.Background(), "PRAGMA synchronous = "+level))
				relaxed = r.Relaxed
			}
			exec(insert.ExecContext(context.Background(), strconv.Itoa(n), r.Namespace, r.ID, r.Parent, r.Base, r.At.UnixNano(), seen.rows[i]))
		}
	}
}
