package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/graph/graphtest"
	"annai/storage/sqlite"
)

func first(size int) graph.Record {
	return graph.Record{ID: 1, Base: 1, Writes: []graph.ChannelData{{Channel: "c", Data: []byte(strings.Repeat("x", size))}}}
}

// together calls put for 0 to n-1 so that they go into one commit, in this order, and returns their errors.
func together(t *testing.T, s *sqlite.Store, n int, put func(i int) error) []error {
	t.Helper()
	errs := make([]error, n)
	var wg sync.WaitGroup
	s.Hold(t, func() {
		for i := range n {
			wg.Go(func() { errs[i] = put(i) })
			for s.Queued() <= i {
				runtime.Gosched()
			}
		}
	})
	wg.Wait()
	return errs
}

func newest(t *testing.T, s *sqlite.Store, thread string) int64 {
	t.Helper()
	_, n, err := s.Load(t.Context(), thread, "", 0)
	if err != nil {
		t.Fatalf("Load(%s) = %v", thread, err)
	}
	return n
}

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

func TestCloseWaitsForWhatIsQueued(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 20)
	var wg sync.WaitGroup
	var closed error
	s.Hold(t, func() {
		for i := range errs {
			wg.Go(func() { errs[i] = s.Put(context.Background(), fmt.Sprint(i), first(1)) })
		}
		for s.Queued() < len(errs) {
			runtime.Gosched()
		}
		wg.Go(func() { closed = s.Close() })
	})
	wg.Wait()
	if closed != nil {
		t.Errorf("Close() = %v", closed)
	}
	if err := s.Put(t.Context(), "late", first(1)); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Put after Close = %v, want ErrUnavailable", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close() again = %v, want nil", err)
	}
	again := open(t, path)
	for i, err := range errs {
		if err != nil || newest(t, again, fmt.Sprint(i)) != 1 {
			t.Errorf("Put(%d) that was queued before Close = %v, want it kept", i, err)
		}
	}
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	s := open(t, path)
	if err := s.Put(t.Context(), "t", first(100)); err != nil {
		t.Fatal(err)
	}
	s.Pragma(t, "max_page_count = 40") // of 4 KB
	errs := together(t, s, 6, func(i int) error {
		size := 1000
		if i == 3 {
			size = 1 << 20
		}
		return s.Put(context.Background(), fmt.Sprint(i), first(size))
	})
	for i, err := range errs {
		if i == 3 && (!errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "no space left")) {
			t.Errorf("Put(more than fits) = %v, want ErrUnavailable that speaks of space", err)
		}
		if i != 3 && (err != nil || newest(t, s, fmt.Sprint(i)) != 1) {
			t.Errorf("Put(%d) beside one that is too large = %v, want it kept", i, err)
		}
	}
	if chain, _, err := s.Load(t.Context(), "t", "", 0); err != nil || len(chain) != 1 {
		t.Errorf("Load while the disk is full = %v, %v, want what was there", chain, err)
	}
	s.Pragma(t, "max_page_count = 100000")
	if err := s.Put(t.Context(), "3", first(1<<20)); err != nil {
		t.Errorf("Put once there is space = %v", err)
	}
	if newest(t, open(t, path), "3") != 1 {
		t.Error("what was put once there was space is not found by another that opens the file")
	}
}

func TestReadOnly(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "annai.db"))
	if err := s.Put(t.Context(), "t", first(1)); err != nil {
		t.Fatal(err)
	}
	s.Pragma(t, "query_only = ON")
	err := s.Put(t.Context(), "u", first(1))
	if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "can't be written") {
		t.Errorf("Put while nothing can be written = %v, want ErrUnavailable that says so", err)
	}
	if newest(t, s, "t") != 1 {
		t.Error("Load while nothing can be written does not find what was there")
	}
	s.Pragma(t, "query_only = OFF")
	if err := s.Put(t.Context(), "u", first(1)); err != nil {
		t.Errorf("Put once it can be written again = %v", err)
	}
}

// TestReadOnlyFolder opens in a folder that nobody may write in. Root may write in any, but not make files in /proc.
func TestReadOnlyFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		folder = "/proc"
	}
	s, err := sqlite.Open(t.Context(), filepath.Join(folder, "annai.db"), sqlite.Options{})
	if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "can't be written") {
		t.Errorf("Open in a read-only folder = %v, %v, want ErrUnavailable that says so", s, err)
	}
}

// BenchmarkPut has 64 writers, each with a thread of its own, and one.
func BenchmarkPut(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprint(writers, " writers"), func(b *testing.B) {
			s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "annai.db"), sqlite.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			b.ResetTimer()
			var wg sync.WaitGroup
			for i := range writers {
				wg.Go(func() {
					for id := int64(1); id <= int64(b.N/writers)+1; id++ {
						r := first(1000)
						r.ID, r.Parent = id, id-1
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
func BenchmarkLoad(b *testing.B) {
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "annai.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	graphtest.BenchmarkLoad(b, s)
}
