package local_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/tasks"
	"annai/tools/tasks/local"
	"annai/tools/tasks/taskstest"
)

func open(t *testing.T, path string) *local.Store {
	t.Helper()
	s, err := local.Open(t.Context(), path, clock, local.Options{})
	if err != nil {
		t.Fatalf("Open(%s) = %v", path, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return s
}

func TestList(t *testing.T) {
	for name, path := range map[string]string{"file": filepath.Join(t.TempDir(), "予定 1"), "memory": ""} {
		t.Run(name, func(t *testing.T) {
			taskstest.Run(t, func(t *testing.T) tasks.List {
				if path != "" {
					return open(t, filepath.Join(path, filepath.Base(t.Name())+".db")).List("hanako")
				}
				return open(t, "").List("")
			})
		})
	}
}

func TestReopened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.db")
	s, err := local.Open(t.Context(), path, time.Now, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.List("").Create(t.Context(), "tea", tasks.Task{Title: "tea"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := open(t, path).List("").Tasks(t.Context())
	if err != nil || len(all) != 1 || all[0].Title != "tea" {
		t.Errorf("Tasks() after a restart = %+v, %v, want the task", all, err)
	}
	if _, err := s.List("").Tasks(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Tasks() of a closed store = %v, want ErrUnavailable", err)
	}
}

// A key is used once, also when what it made is gone, and each owner has keys and tasks of their
// own.
func TestKeys(t *testing.T) {
	s := open(t, "")
	hers := s.List("hanako")
	if _, err := hers.Create(t.Context(), "tea", tasks.Task{Title: "tea"}); err != nil {
		t.Fatal(err)
	}
	if _, err := hers.Create(t.Context(), "tea", tasks.Task{Title: "coffee"}); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Create of something else under the key = %v, want ErrConflict", err)
	}
	if err := hers.Delete(t.Context(), "tea"); err != nil {
		t.Fatal(err)
	}
	if _, err := hers.Create(t.Context(), "tea", tasks.Task{Title: "tea"}); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Create under the key of a deleted one = %v, want ErrConflict", err)
	}
	his := s.List("taro")
	if _, err := his.Create(t.Context(), "tea", tasks.Task{Title: "his"}); err != nil {
		t.Errorf("Create of another owner under the same key = %v, want nil", err)
	}
	if all, err := hers.Tasks(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("Tasks() of hers = %+v, %v, want none", all, err)
	}
	if err := hers.Delete(t.Context(), "tea"); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Delete of his by her = %v, want ErrNotFound", err)
	}
}

func TestFull(t *testing.T) {
	l := open(t, "").List("")
	for i := range tasks.MaxTasks {
		if _, err := l.Create(t.Context(), fmt.Sprint(i), tasks.Task{Title: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Create(t.Context(), "more", tasks.Task{Title: "a"}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Create in a full list = %v, want ErrInvalid", err)
	}
}

func TestNotOurs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.db")
	text := []byte("this is no database, but a text that is long enough to be taken for one by its size")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := local.Open(t.Context(), path, time.Now, local.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open of something else = %v, want ErrInvalid", err)
	}
}
