// Package taskstest checks back ends of [tasks.List]: each sentence of its contract.
package taskstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/tasks"
)

// Run checks a [tasks.List]. newList returns an empty one.
func Run(t *testing.T, newList func(t *testing.T) tasks.List) {
	for _, check := range []struct {
		name string
		do   func(t *testing.T, l tasks.List)
	}{
		{"create", create},
		{"create again", createAgain},
		{"create invalid", createInvalid},
		{"order", order},
		{"complete", complete},
		{"delete", remove},
		{"nobody's ids", unknown},
		{"concurrent creations", concurrent},
		{"a context that is done", cancelled},
	} {
		t.Run(check.name, func(t *testing.T) { check.do(t, newList(t)) })
	}
}

var friday = civil.Date{Year: 2026, Month: 3, Day: 6}

func sample() tasks.Task {
	return tasks.Task{Title: "お茶を買う", Notes: "緑茶と麦茶。\nPage: https://example.org/?a=1&b=<2>", Due: friday}
}

func mustCreate(t *testing.T, l tasks.List, key string, task tasks.Task) tasks.Task {
	t.Helper()
	made, err := l.Create(t.Context(), key, task)
	if err != nil {
		t.Fatalf("Create(%s, %+v) = %v, want the task", key, task, err)
	}
	return made
}

func mustList(t *testing.T, l tasks.List) []tasks.Task {
	t.Helper()
	all, err := l.Tasks(t.Context())
	if err != nil {
		t.Fatalf("Tasks() = %v, want tasks", err)
	}
	return all
}

func titles(all []tasks.Task) []string {
	names := []string{}
	for _, t := range all {
		names = append(names, t.Title)
	}
	return names
}

func create(t *testing.T, l tasks.List) {
	if all := mustList(t, l); len(all) != 0 {
		t.Errorf("Tasks() of a new list = %v, want none", all)
	}
	longest := tasks.Task{Title: strings.Repeat("茶", tasks.MaxTitle), Notes: strings.Repeat("n", tasks.MaxNotes)}
	for key, task := range map[string]tasks.Task{"first": sample(), "second": {Title: "call"}, "longest": longest} {
		made := mustCreate(t, l, key, task)
		if made.ID == "" || !made.Same(task) || made.Done() || made.Updated.IsZero() {
			t.Errorf("Create(%s) = %+v, want %+v, open, with an id and when", key, made, task)
		}
		var there []tasks.Task
		for _, other := range mustList(t, l) {
			if other.ID == made.ID {
				there = append(there, other)
			}
		}
		if diff := cmp.Diff([]tasks.Task{made}, there); diff != "" {
			t.Errorf("Tasks() after Create(%s) (-made +there):\n%s", key, diff)
		}
	}
}

func createAgain(t *testing.T, l tasks.List) {
	first := mustCreate(t, l, "first", sample())
	if again := mustCreate(t, l, "first", sample()); again.ID != first.ID {
		t.Errorf("Create again = %s, want %s", again.ID, first.ID)
	}
	mustCreate(t, l, "second", tasks.Task{Title: "call"})
	if got := mustList(t, l); len(got) != 2 {
		t.Errorf("Tasks() = %v, want 2", titles(got))
	}
}

func createInvalid(t *testing.T, l tasks.List) {
	for name, task := range map[string]tasks.Task{
		"no title":                  {},
		"a blank title":             {Title: " 　"},
		"a long title":              {Title: strings.Repeat("a", tasks.MaxTitle+1)},
		"long notes":                {Title: "a", Notes: strings.Repeat("a", tasks.MaxNotes+1)},
		"a control character":       {Title: "a\x00"},
		"a line break in the title": {Title: "a\nb"},
		"no UTF-8":                  {Title: "a\xff"},
		"a year":                    {Title: "a", Due: civil.Date{Year: 10000, Month: 1, Day: 1}},
	} {
		if _, err := l.Create(t.Context(), "key", task); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Create with %s = %v, want ErrInvalid", name, err)
		}
	}
	if got := mustList(t, l); len(got) != 0 {
		t.Errorf("Tasks() = %v, want none", titles(got))
	}
}

func order(t *testing.T, l tasks.List) {
	for _, task := range []tasks.Task{
		{Title: "b"},
		{Title: "a"},
		{Title: "later", Due: friday.AddDays(1)},
		{Title: "done", Due: friday},
		{Title: "soon", Due: friday},
	} {
		made := mustCreate(t, l, task.Title, task)
		if task.Title == "done" {
			if _, err := l.Complete(t.Context(), made.ID, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff([]string{"soon", "later", "a", "b", "done"}, titles(mustList(t, l))); diff != "" {
		t.Errorf("Tasks() (-want +got):\n%s", diff)
	}
}

func complete(t *testing.T, l tasks.List) {
	made := mustCreate(t, l, "first", sample())
	for range 2 {
		done, err := l.Complete(t.Context(), made.ID, true)
		if err != nil || !done.Done() || !done.Same(made) || done.ID != made.ID {
			t.Fatalf("Complete = %+v, %v, want it done and else the same", done, err)
		}
	}
	if all := mustList(t, l); len(all) != 1 || !all[0].Done() {
		t.Errorf("Tasks() = %+v, want it done", all)
	}
	for range 2 {
		open, err := l.Complete(t.Context(), made.ID, false)
		if err != nil || open.Done() || !open.Same(made) {
			t.Fatalf("Complete(false) = %+v, %v, want it open", open, err)
		}
	}
}

func remove(t *testing.T, l tasks.List) {
	made := mustCreate(t, l, "first", sample())
	other := mustCreate(t, l, "second", tasks.Task{Title: "call"})
	if err := l.Delete(t.Context(), made.ID); err != nil {
		t.Fatalf("Delete = %v, want nil", err)
	}
	if all := mustList(t, l); len(all) != 1 || all[0].ID != other.ID {
		t.Errorf("Tasks() = %+v, want only the other", all)
	}
	if err := l.Delete(t.Context(), made.ID); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Delete again = %v, want ErrNotFound", err)
	}
	if _, err := l.Complete(t.Context(), made.ID, true); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Complete after Delete = %v, want ErrNotFound", err)
	}
}

func unknown(t *testing.T, l tasks.List) {
	for _, id := range []string{"", "nobody", "a/b?c#d", "../..", strings.Repeat("a", 2000), "予定"} {
		if _, err := l.Complete(t.Context(), id, true); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Complete(%.20q) = %v, want ErrNotFound", id, err)
		}
		if err := l.Delete(t.Context(), id); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Delete(%.20q) = %v, want ErrNotFound", id, err)
		}
	}
}

func concurrent(t *testing.T, l tasks.List) {
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			key := fmt.Sprint("key", i/2) // each twice
			if _, err := l.Create(t.Context(), key, tasks.Task{Title: key}); err != nil {
				t.Errorf("Create(%s) = %v", key, err)
			}
		})
	}
	group.Wait()
	if diff := cmp.Diff([]string{"key0", "key1", "key2", "key3"}, titles(mustList(t, l))); diff != "" {
		t.Errorf("Tasks() (-want +got):\n%s", diff)
	}
}

func cancelled(t *testing.T, l tasks.List) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Tasks(ctx); err == nil {
		t.Error("Tasks with a context that is done = nil, want an error")
	}
	if _, err := l.Create(ctx, "key", sample()); err == nil {
		t.Error("Create with a context that is done = nil, want an error")
	}
	if all := mustList(t, l); len(all) != 0 {
		t.Errorf("Tasks() = %v, want none", titles(all))
	}
}
