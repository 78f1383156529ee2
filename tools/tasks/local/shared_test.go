package local_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
	"annai/tools/tasks"
	"annai/tools/tasks/local"
	"annai/tools/tasks/taskstest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func clock() time.Time { return time.Date(2026, 3, 2, 1, 0, 0, 0, time.UTC) }

// connect returns connections as a process of its own has them.
func connect(t *testing.T, address string) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{Connections: 4})
	if err != nil {
		t.Fatalf("Open(%s) = %v", address, err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func openShared(t *testing.T, db *pgdb.DB, opts local.Options) *local.Store {
	t.Helper()
	s, err := local.OpenShared(t.Context(), db, clock, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSharedList has each check look at a list of its own.
func TestSharedList(t *testing.T) {
	s := openShared(t, connect(t, pgtest.Shared(t).Schema(t)), local.Options{})
	n := 0
	taskstest.Run(t, func(*testing.T) tasks.List {
		n++
		return s.List(fmt.Sprint("owner", n))
	})
}

// TestSharedByTwo has two processes create, complete and delete.
func TestSharedByTwo(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	one := openShared(t, connect(t, address), local.Options{}).List("hanako")
	two := openShared(t, connect(t, address), local.Options{}).List("hanako")
	var both sync.WaitGroup
	for _, l := range []*local.List{one, two} {
		both.Go(func() {
			if _, err := l.Create(t.Context(), "tea", tasks.Task{Title: "tea"}); err != nil {
				t.Errorf("Create at once with another process = %v, want the same task", err)
			}
		})
	}
	both.Wait()
	if _, err := two.Complete(t.Context(), "tea", true); err != nil {
		t.Errorf("Complete elsewhere = %v", err)
	}
	if all, err := one.Tasks(t.Context()); err != nil || len(all) != 1 || !all[0].Done() {
		t.Errorf("Tasks() = %+v, %v, want one that is done", all, err)
	}
	if err := one.Delete(t.Context(), "tea"); err != nil {
		t.Error(err)
	}
	if _, err := two.Complete(t.Context(), "tea", false); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Complete of what was deleted elsewhere = %v, want ErrNotFound", err)
	}
}

// TestSealed looks for the words of a task where it is kept.
func TestSealed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.db")
	opts := local.Options{Row: row.Options{Key: bytes.Repeat([]byte{7}, 32)}}
	s, err := local.Open(t.Context(), path, clock, opts)
	if err != nil {
		t.Fatal(err)
	}
	want := tasks.Task{Title: "Buy tea", Notes: "for Hanako"}
	if _, err := s.List("").Create(t.Context(), "tea", want); err != nil {
		t.Fatal(err)
	}
	if all, err := s.List("").Tasks(t.Context()); err != nil || len(all) != 1 || !all[0].Same(want) {
		t.Errorf("Tasks() = %+v, %v, want %+v", all, err, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "Buy tea") || strings.Contains(string(text), "Hanako") {
		t.Errorf("the file has the words of the task (%v), want them encrypted", err)
	}
	if all, err := open(t, path).List("").Tasks(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Tasks() without the key = %+v, %v, want ErrUnavailable", all, err)
	}
}

// TestCarry copies a file once, and leaves alone lists that have tasks.
func TestCarry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.db")
	hers := open(t, path).List("hanako")
	for _, key := range []string{"tea", "milk"} {
		if _, err := hers.Create(t.Context(), key, tasks.Task{Title: key}); err != nil {
			t.Fatal(err)
		}
	}
	if err := hers.Delete(t.Context(), "milk"); err != nil {
		t.Fatal(err)
	}
	db := connect(t, pgtest.Shared(t).Schema(t))
	for _, want := range []int{2, 0} {
		if n, err := local.Carry(t.Context(), path, db); err != nil || n != want {
			t.Errorf("Carry = %d, %v, want %d", n, err, want)
		}
	}
	there := openShared(t, db, local.Options{}).List("hanako")
	if all, err := there.Tasks(t.Context()); err != nil || len(all) != 1 || all[0].Title != "tea" {
		t.Errorf("Tasks() = %+v, %v, want what was in the file", all, err)
	}
	if _, err := there.Create(t.Context(), "milk", tasks.Task{Title: "milk"}); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Create under the key of a deleted one = %v, want ErrConflict", err)
	}
}
