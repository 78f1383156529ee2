package sqlitefile_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/sqlitefile"
)

// writing is a file with a writer.
type writing struct {
	*sqlitefile.Writer

	file *sqlitefile.File
	path string
	own  *sql.Conn // of the writer, if it has one
}

// eachWriter runs a test with a writer that has a connection of its own, and with one that takes the file's.
func eachWriter(t *testing.T, test func(t *testing.T, w writing)) {
	for _, name := range []string{"own", "shared"} {
		t.Run(name, func(t *testing.T) { test(t, openWriter(t, name == "own")) })
	}
}

// openWriter returns a writer of a new file, with a connection of its own or without one.
func openWriter(t *testing.T, own bool) writing {
	path := filepath.Join(t.TempDir(), "notes.db")
	w := writing{file: open(t, path, hasty(notes())), path: path}
	var err error
	if own {
		if w.own, err = w.file.Write.Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if w.Writer, err = sqlitefile.NewWriter(t.Context(), w.file, w.own); err != nil {
		t.Fatalf("NewWriter = %v", err)
	}
	w.Patience(5 * time.Minute)
	t.Cleanup(func() {
		w.Close()
		if w.own != nil {
			_ = w.own.Close()
		}
	})
	return w
}

// note writes one.
func (w writing) note(ctx context.Context, text, after string) error {
	return w.Write(ctx, sqlitefile.Change{Do: func(ctx context.Context, tx *sql.Tx) error {
		for _, t := range []string{text + " begins", text} {
			if _, err := tx.ExecContext(ctx, "INSERT INTO notes VALUES (?, nullif(?, ''))", t, after); err != nil {
				return sqlitefile.Fault(err)
			}
		}
		return nil
	}})
}

// hold calls f between two commits.
func (w writing) hold(t *testing.T, f func()) {
	t.Helper()
	err := w.Write(t.Context(), sqlitefile.Change{Do: func(context.Context, *sql.Tx) error {
		f()
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// together calls write for 0 to n-1 so that they go into one commit, in this order, and returns their errors.
func (w writing) together(t *testing.T, n int, write func(i int) error) []error {
	t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	w.hold(t, func() {
		for i := range n {
			all.Go(func() { errs[i] = write(i) })
			w.waitFor(i + 1)
		}
	})
	all.Wait()
	return errs
}

func (w writing) waitFor(n int) {
	for w.Waiting() < n {
		runtime.Gosched()
	}
}

func TestOneFailsForItselfOnly(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		errs := w.together(t, 6, func(i int) error {
			if i%2 == 1 {
				return w.note(context.Background(), fmt.Sprint(i), "none")
			}
			return w.note(context.Background(), fmt.Sprint(i), "")
		})
		for i, err := range errs {
			if want := map[int]error{0: nil, 1: fault.ErrConflict}[i%2]; !errors.Is(err, want) {
				t.Errorf("Write(%d) = %v, want %v", i, err, want)
			}
		}
		wantNotes(t, w.file, "0 0 begins 2 2 begins 4 4 begins")
	})
}

// TestOneIsTooLarge has one that makes the whole transaction fail.
func TestOneIsTooLarge(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		if err := w.pragma(t, "max_page_count = 30"); err != nil { // of 4 KB
			t.Fatal(err)
		}
		errs := w.together(t, 4, func(i int) error {
			if i == 2 {
				return w.note(context.Background(), strings.Repeat("x", 1<<20), "")
			}
			return w.note(context.Background(), fmt.Sprint(i), "")
		})
		for i, err := range errs {
			if i == 2 && (!errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "no space left")) {
				t.Errorf("Write(more than fits) = %v, want ErrUnavailable that speaks of space", err)
			}
			if i != 2 && err != nil {
				t.Errorf("Write(%d) beside it = %v", i, err)
			}
		}
		wantNotes(t, w.file, "0 0 begins 1 1 begins 3 3 begins")
	})
}

// pragma sets one on the connection that writes.
func (w writing) pragma(t *testing.T, pragma string) error {
	t.Helper()
	var err error
	if w.own != nil {
		_, err = w.own.ExecContext(t.Context(), "PRAGMA "+pragma)
	} else {
		_, err = w.file.Write.ExecContext(t.Context(), "PRAGMA "+pragma)
	}
	return err
}

func TestCancelledWhileWaiting(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		var gone, stays error
		w.hold(t, func() {
			all.Go(func() { stays = w.note(context.Background(), "stays", "") })
			returned := make(chan struct{})
			go func() {
				gone = w.note(ctx, "gone", "")
				close(returned)
			}()
			w.waitFor(2)
			cancel()
			<-returned // while the writer is still busy with something else
		})
		all.Wait()
		if !errors.Is(gone, context.Canceled) || stays != nil {
			t.Errorf("Write that was cancelled while it waited = %v, and beside it = %v, want context.Canceled, nil", gone, stays)
		}
		wantNotes(t, w.file, "stays stays begins")
		if err := w.note(ctx, "late", ""); !errors.Is(err, context.Canceled) {
			t.Errorf("Write with a context that has ended = %v, want context.Canceled", err)
		}
	})
}

// TestCancelledOnceBegun ends the context of a change that is being made: whoever asked is told what became of it.
func TestCancelledOnceBegun(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		ctx, cancel := context.WithCancel(t.Context())
		err := w.Write(ctx, sqlitefile.Change{Do: func(ctx context.Context, tx *sql.Tx) error {
			cancel()
			_, err := tx.ExecContext(ctx, "INSERT INTO notes VALUES ('begun', NULL)")
			return err
		}})
		if err != nil {
			t.Errorf("Write that was cancelled once it had begun = %v, want it whole", err)
		}
		wantNotes(t, w.file, "begun")
	})
}

func TestCloseWaitsForWhatIsQueued(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		var errs [5]error
		var all sync.WaitGroup
		w.hold(t, func() {
			for i := range errs {
				all.Go(func() { errs[i] = w.note(context.Background(), fmt.Sprint(i), "") })
			}
			w.waitFor(len(errs))
			all.Go(w.Close)
		})
		all.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			t.Errorf("Write that was queued before Close = %v", err)
		}
		wantNotes(t, w.file, "0 0 begins 1 1 begins 2 2 begins 3 3 begins 4 4 begins")
		if err := w.note(t.Context(), "late", ""); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Write after Close = %v, want ErrUnavailable", err)
		}
		w.Close()
	})
}

// TestSharedBetweenCommits uses the connection that writes while changes are written.
func TestSharedBetweenCommits(t *testing.T) {
	w := openWriter(t, false)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := w.note(context.Background(), fmt.Sprint("writer ", i), ""); err != nil {
				t.Errorf("Write = %v", err)
			}
		})
		all.Go(func() {
			if err := write(context.Background(), w.file, fmt.Sprint("other ", i)); err != nil {
				t.Errorf("Transaction beside it = %v", err)
			}
		})
	}
	all.Wait()
	var n int
	if err := w.file.Read.QueryRowContext(t.Context(), "SELECT count(*) FROM notes").Scan(&n); err != nil || n != 60 {
		t.Errorf("%d notes, %v, want 60", n, err)
	}
}

// TestLook reads on the writer's own connection, when nobody writes.
func TestLook(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		looks := func() bool {
			looked, err := w.Look(func() error { return nil })
			if err != nil {
				t.Errorf("Look = %v", err)
			}
			return looked
		}
		seen := []bool{looks()}
		w.hold(t, func() { seen = append(seen, looks()) })
		seen = append(seen, looks())
		if own := w.own != nil; !slices.Equal(seen, []bool{own, false, own}) {
			t.Errorf("Look looked before, during and after a change: %v, want %t, false, %t", seen, own, own)
		}
	})
}

// TestAnotherProcess has another connection hold the file: a change waits for it, or is given up when its context ends.
func TestAnotherProcess(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		other, err := open(t, w.path, notes()).Write.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		returned := make(chan error, 1)
		go func() { returned <- w.note(ctx, "gone", "") }()
		waitForBusy(w, 1)
		var all sync.WaitGroup
		var stays error
		all.Go(func() { stays = w.note(context.Background(), "stays", "") })
		waitForBusy(w, 2)
		cancel()
		select {
		case err := <-returned:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Write that was cancelled while another process had the file = %v, want context.Canceled", err)
			}
		case <-time.After(time.Minute):
			t.Error("Write that was cancelled while another process had the file did not return")
		}
		if err := other.Commit(); err != nil {
			t.Fatal(err)
		}
		all.Wait()
		if stays != nil {
			t.Errorf("Write that waited for another process = %v", stays)
		}
		wantNotes(t, w.file, "stays stays begins")
	})
}

func waitForBusy(w writing, n int) {
	for w.Busy() < n {
		runtime.Gosched()
	}
}

// TestAnotherProcessStays has one that does not let go of the file.
func TestAnotherProcessStays(t *testing.T) {
	eachWriter(t, func(t *testing.T, w writing) {
		w.Patience(1)
		other, err := open(t, w.path, notes()).Write.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.note(t.Context(), "one", ""); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Write while another process has the file = %v, want ErrUnavailable", err)
		}
		if err := other.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := w.note(t.Context(), "one", ""); err != nil {
			t.Errorf("Write once it has let go = %v", err)
		}
	})
}
