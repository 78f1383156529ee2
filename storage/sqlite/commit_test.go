package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"annai/graph"
	"annai/internal/fault"
	"annai/storage/sqlite"
)

// TestRelaxed looks at whether the last commit waited for the disk.
func TestRelaxed(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "annai.db"))
	const normal, full = 1, 2
	put := func(thread string, relaxed bool, size int) error {
		r := first(size)
		r.Relaxed = relaxed
		return s.Put(context.Background(), thread, r)
	}
	check := func(what string, err error, want int) {
		t.Helper()
		if got := s.Synchronous(t); err != nil || got != want {
			t.Errorf("%s = %v, committed with synchronous %d, want %d", what, err, got, want)
		}
	}
	check("Open", nil, full)
	check("Put of a relaxed record", put("a", true, 1), normal)
	check("and another", put("b", true, 1), normal)
	check("Put of a large relaxed record", put("large", true, 100_000), normal)
	check("Put", put("c", false, 1), full)
	check("Put of a relaxed record again", put("d", true, 1), normal)
	check("PutWrites", s.PutWrites(t.Context(), "d", graph.TaskWrites{Checkpoint: 1}), full)
	check("Put of a relaxed record once more", put("e", true, 1), normal)
	check("Delete", s.Delete(t.Context(), "e"), full)

	all := together(t, s, 3, func(i int) error { return put(fmt.Sprint("all", i), true, 1) })
	check("a commit of relaxed records only", errors.Join(all...), normal)
	for strict := range 3 {
		some := together(t, s, 3, func(i int) error { return put(fmt.Sprint("some", strict, i), i != strict, 1) })
		check(fmt.Sprintf("a commit in which number %d is not", strict), errors.Join(some...), full)
		check("Put of a relaxed record after it", put(fmt.Sprint("after", strict), true, 1), normal)
	}
}

// TestAnotherProcess has another connection hold the file: a writer waits for it, or leaves when its context ends.
func TestAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	s := open(t, path)
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	conn, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exec := func(query string) {
		t.Helper()
		if _, err := conn.ExecContext(t.Context(), query); err != nil {
			t.Fatalf("%s = %v", query, err)
		}
	}
	exec("BEGIN IMMEDIATE")
	ctx, cancel := context.WithCancel(t.Context())
	returned := make(chan error, 1)
	go func() { returned <- s.Put(ctx, "gone", first(1)) }() // it finds the connection free
	for s.Waiting() < 1 {
		runtime.Gosched()
	}
	var wg sync.WaitGroup
	var stays error
	wg.Go(func() { stays = s.Put(context.Background(), "stays", first(1)) })
	for s.Waiting() < 2 {
		runtime.Gosched()
	}
	cancel()
	select {
	case err := <-returned:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Put that was cancelled while another process had the file = %v, want context.Canceled", err)
		}
	case <-time.After(3 * time.Second):
		t.Error("Put that was cancelled while another process had the file did not return")
	}
	exec("COMMIT")
	wg.Wait()
	if stays != nil || newest(t, s, "stays") != 1 || newest(t, s, "gone") != 0 {
		t.Errorf("Put that waited for another process = %v, newest %d and %d, want nil, 1 and 0", stays, newest(t, s, "stays"), newest(t, s, "gone"))
	}
}

// TestAnotherProcessStays has one that does not let go of the file.
func TestAnotherProcessStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	s := open(t, path)
	s.Impatient()
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "t", first(1)); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Put while another process has the file = %v, want ErrUnavailable", err)
	}
	if _, err := other.ExecContext(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "t", first(1)); err != nil {
		t.Errorf("Put once it has let go = %v", err)
	}
}

// TestTwoStores writes to one thread from two stores on the same file.
func TestTwoStores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	stores := []*sqlite.Store{open(t, path), open(t, path)}
	var wg sync.WaitGroup
	won := make([]int, len(stores))
	for i, s := range stores {
		wg.Go(func() {
			for id := int64(1); id <= 30; {
				r := first(1)
				r.ID, r.Parent = id, id-1
				err := s.Put(context.Background(), "t", r)
				switch {
				case err == nil:
					won[i]++
					id++
				case errors.Is(err, fault.ErrConflict):
					id++
				default:
					t.Errorf("Put(%d) = %v, want nil or ErrConflict", id, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if chain, _, err := stores[0].Load(t.Context(), "t", "", 0); err != nil || len(chain) != 30 || won[0]+won[1] != 30 {
		t.Errorf("Load = %d records, %v, after %v were put, want 30", len(chain), err, won)
	}
}
