package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
	"annai/storage/row"
	"annai/storage/sqlite"
)

// image returns bytes that can't be compressed.
func image(size int, seed uint64) []byte {
	r := rand.NewChaCha8([32]byte{byte(seed)})
	out := make([]byte, size)
	_, _ = r.Read(out) // never fails
	return out
}

// of is a record with one value.
func of(id int64, value []byte) graph.Record {
	return graph.Record{ID: id, Parent: id - 1, Base: id, Snapshot: true, Writes: []graph.ChannelData{{Channel: "image", Data: value}}}
}

// size is what the file and its log take on the disk, in MB.
func size(t *testing.T, path string) (mb float64) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(path + suffix)
		if err == nil {
			mb += float64(info.Size()) / (1 << 20)
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return mb
}

// TestLargeOnce writes an image of 19 MB in twenty checkpoints, as a snapshot or as an update, and as a question.
func TestLargeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const mb = 19
	picture := image(mb<<20, 1)
	for id := int64(1); id <= 20; id++ {
		r := of(id, picture)
		if r.Snapshot = id%2 == 1; !r.Snapshot {
			r.Base = id - 1
		}
		if err := s.Put(t.Context(), "t", r); err != nil {
			t.Fatalf("Put(%d) = %v", id, err)
		}
	}
	asks := graph.TaskWrites{Checkpoint: 20, Interrupts: []graph.InterruptData{{ID: "i", Question: picture}}}
	if err := s.PutWrites(t.Context(), "t", asks); err != nil {
		t.Fatalf("PutWrites = %v", err)
	}
	records, err := s.List(t.Context(), "t", "", 0, 0)
	if err != nil || len(records) != 20 {
		t.Fatalf("List = %d records, %v, want 20", len(records), err)
	}
	for _, r := range records {
		if !bytes.Equal(r.Writes[0].Data, picture) || r.ID == 20 && !bytes.Equal(r.Pending[0].Interrupts[0].Question, picture) {
			t.Errorf("record %d has not the image that it was given", r.ID)
		}
	}
	if open := size(t, path); open > 2*mb+5 { // the log has it too until it is moved
		t.Errorf("the file and its log have %.1f MB after 20 checkpoints of %d MB, want about %d at most", open, mb, 2*mb)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if closed := size(t, path); closed > mb+1 {
		t.Errorf("the file has %.1f MB after 20 checkpoints of %d MB, want about %d", closed, mb, mb)
	}
}

// TestLargeForgotten takes the rows away that have a large value, one after the other and in every way there is.
func TestLargeForgotten(t *testing.T) {
	s := openWith(t, filepath.Join(t.TempDir(), "annai.db"), sqlite.Options{Row: row.Options{Key: bytes.Repeat([]byte{1}, 32), CompressAbove: 100}})
	picture, other := image(row.Large, 1), image(row.Large, 2)
	do := func(what string, err error, want int) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s = %v", what, err)
		}
		if n := s.Count(t, "blobs"); n != want {
			t.Errorf("%d large values are kept after %s, want %d", n, what, want)
		}
	}
	ctx := t.Context()
	do("Put(a value below the threshold)", s.Put(ctx, "t", of(1, image(row.Large-1, 3))), 0)
	do("Put", s.Put(ctx, "t", of(2, picture)), 1)
	do("Put of the same value", s.Put(ctx, "t", of(3, picture)), 1)
	if err := s.Put(ctx, "t", of(3, other)); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Put of a record that is there = %v, want ErrConflict", err)
	}
	if err := s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 9, Answers: [][]byte{other}}); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("PutWrites of a record that is not there = %v, want ErrNotFound", err)
	}
	do("what was refused", nil, 1)
	do("PutWrites", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 3, Answers: [][]byte{picture, other}}), 2)
	do("PutWrites in its place, with one of two", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 3, Answers: [][]byte{other}}), 2)
	do("PutWrites in its place, with none", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 3}), 1)
	do("PutWrites again", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 3, Answers: [][]byte{other}}), 2)
	do("Copy", s.Copy(ctx, "t", "copy"), 4)
	do("Delete of the copy", s.Delete(ctx, "copy"), 2)
	kept := of(3, other)
	kept.Parent = 0
	do("Keep without one of them", s.Keep(ctx, "t", kept, nil), 1)
	do("PutWrites without the other, which the record has", s.PutWrites(ctx, "t", graph.TaskWrites{Checkpoint: 3}), 1)
	if err := s.Keep(ctx, "t", of(2, picture), nil); err == nil {
		t.Error("Keep of a record with a parent = nil, want an error")
	}
	inner := of(1, picture)
	inner.Namespace = "a:1"
	do("Put in a subgraph", s.Put(ctx, "t", inner), 2)
	do("Keep without it", s.Keep(ctx, "t", kept, nil), 1)
	if n, err := s.Prune(ctx, time.Unix(1, 0)); err != nil || n != 1 {
		t.Errorf("Prune = %d, %v, want 1", n, err)
	}
	do("Prune", nil, 0)
	if n := s.Count(t, "refs"); n != 0 {
		t.Errorf("%d references are left, want none", n)
	}
}

// TestLargeSecret looks for a value, and for its hash, in an encrypted file.
func TestLargeSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Row: row.Options{Key: bytes.Repeat([]byte{1}, 32)}})
	if err != nil {
		t.Fatal(err)
	}
	secret := bytes.Repeat([]byte("the secret of the lantern "), row.Large/20)
	if err := errors.Join(s.Put(t.Context(), "t", of(1, secret)), s.Copy(t.Context(), "t", "u"), s.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, plain, err := new(row.Codec).SplitRecord("t", of(1, secret))
	if err != nil || len(plain) != 1 {
		t.Fatal(plain, err)
	}
	if bytes.Contains(data, []byte("lantern")) || bytes.Contains(data, plain[0].Address[:]) {
		t.Error("an encrypted file shows a large value, or its hash")
	}
}

// TestLargeFullDisk has a large value that does not fit, beside others that do.
func TestLargeFullDisk(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "annai.db"))
	if err := s.Put(t.Context(), "t", first(1)); err != nil {
		t.Fatal(err)
	}
	s.Pragma(t, "max_page_count = 60") // of 4 KB
	errs := together(t, s, 4, func(i int) error {
		r := first(10)
		if i == 2 {
			r.Writes[0].Data = image(1<<20, 1)
		}
		return s.Put(context.Background(), fmt.Sprint(i), r)
	})
	for i, err := range errs {
		if i == 2 && (!errors.Is(err, fault.ErrUnavailable) || newest(t, s, "2") != 0) {
			t.Errorf("Put(more than fits) = %v, want ErrUnavailable and nothing kept", err)
		}
		if i != 2 && err != nil {
			t.Errorf("Put(%d) beside it = %v, want nil", i, err)
		}
	}
	if n := s.Count(t, "blobs"); n != 0 {
		t.Errorf("%d large values are kept, want none", n)
	}
	s.Pragma(t, "max_page_count = 100000")
	if err := s.Put(t.Context(), "2", of(1, image(1<<20, 1))); err != nil {
		t.Errorf("Put once there is space = %v", err)
	}
}

// TestLargeRefusedInACommit has one that is refused after its large value could have been written, in a commit with others.
func TestLargeRefusedInACommit(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "annai.db"))
	errs := together(t, s, 6, func(i int) error {
		r := of(1, image(row.Large, uint64(i)))
		if i%2 == 1 {
			r.ID, r.Base, r.Parent = 2, 2, 1 // there is none
		}
		return s.Put(context.Background(), fmt.Sprint(i), r)
	})
	for i, err := range errs {
		if want := map[int]error{0: nil, 1: fault.ErrConflict}[i%2]; !errors.Is(err, want) {
			t.Errorf("Put(%d) = %v, want %v", i, err, want)
		}
	}
	if n := s.Count(t, "blobs"); n != 3 {
		t.Errorf("%d large values are kept, want those of 3 records", n)
	}
}

// TestVersion2 opens a file whose rows have all their values in them.
func TestVersion2(t *testing.T) {
	old, err := os.ReadFile(filepath.Join("testdata", "version2.db"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "annai.db")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2025, 1, 15, 19, 0, 0, 1, time.UTC)
	want := []graph.Record{
		{
			ID: 2, Parent: 1, Base: 1, LogBytes: 9, RunID: "run", Source: graph.SourceLoop, At: at.Add(time.Second), Graph: "concierge@2",
			Writes:  []graph.ChannelData{{Channel: "words", Data: []byte(`["🏮"]`)}, {Channel: "nil"}, {Channel: "empty", Data: []byte{}}},
			Tasks:   []graph.TaskData{{Node: "ask"}},
			Joins:   []graph.JoinData{{Index: 1, Target: "c", Arrived: []string{"a", "b"}}},
			Pending: []graph.TaskWrites{{Checkpoint: 2, Answers: [][]byte{[]byte(`"yes"`)}, Interrupts: []graph.InterruptData{{ID: "i1", Node: "ask", Question: []byte(`"何時？"`)}}}},
		},
		{
			ID: 1, Base: 1, RunID: "run", Step: -1, Source: graph.SourceInput, At: at, Graph: "concierge", Snapshot: true,
			Writes: []graph.ChannelData{{Channel: "words", Data: []byte(`["語"]`)}, {Channel: "image"}},
			Tasks:  []graph.TaskData{{Node: "a"}, {Node: "b", Input: []byte("7")}},
		},
	}
	for range 2 {
		s := open(t, path)
		got, newest, err := s.Load(t.Context(), "スレッド", "", 0)
		if err != nil || len(got) != 2 {
			t.Fatalf("Load = %d records, %v, want 2", len(got), err)
		}
		if !bytes.Equal(got[1].Writes[1].Data, bytes.Repeat([]byte("x"), 70_000)) {
			t.Error("Load did not return the large value")
		}
		got[1].Writes[1].Data = nil // too large for a readable difference
		if diff := cmp.Diff(want, got); diff != "" || newest != 2 {
			t.Errorf("Load = %d (-want +got):\n%s", newest, diff)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, path)
	next := of(3, bytes.Repeat([]byte("x"), 70_000))
	if err := errors.Join(s.Copy(t.Context(), "スレッド", "copy"), s.Put(t.Context(), "スレッド", next)); err != nil {
		t.Errorf("Copy, Put after it = %v", err)
	}
	if n := s.Count(t, "blobs"); n != 1 {
		t.Errorf("%d large values are apart after one was put, want 1", n)
	}
}
