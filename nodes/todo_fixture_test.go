package nodes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/tasks"
	"annai/tools/tasks/local"
)

// A todoList is an owner's list of tasks that can be made to fail.
type todoList struct {
	tasks.List

	broken bool
}

func newTodos(t testing.TB, lines []string, now func() time.Time) *todoList {
	t.Helper()
	store, err := local.Open(t.Context(), "", now, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	list := &todoList{List: store.List("")}
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := append(strings.Split(line, "|"), "", "")
		task := tasks.Task{Title: strings.TrimSpace(cells[0]), Notes: strings.TrimSpace(cells[2])}
		if day := strings.TrimSpace(cells[1]); day != "" {
			if task.Due, err = civil.ParseDate(day); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := list.Create(t.Context(), fmt.Sprint("fixture", i), task); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func (l *todoList) fails() error {
	if l.broken {
		return &tasks.Failure{Kind: fault.ErrUnavailable}
	}
	return nil
}

func (l *todoList) Tasks(ctx context.Context) ([]tasks.Task, error) {
	if err := l.fails(); err != nil {
		return nil, err
	}
	return l.List.Tasks(ctx)
}

func (l *todoList) Create(ctx context.Context, key string, t tasks.Task) (tasks.Task, error) {
	if err := l.fails(); err != nil {
		return tasks.Task{}, err
	}
	return l.List.Create(ctx, key, t)
}

// contents are the tasks as a talk shows them.
func (l *todoList) contents(t testing.TB) []string {
	t.Helper()
	all, err := l.List.Tasks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, task := range all {
		mark := "[ ]"
		if task.Done() {
			mark = "[x]"
		}
		line := mark + " " + task.Title
		if !task.Due.IsZero() {
			line += " | " + task.Due.String()
		}
		out = append(out, line)
	}
	return out
}
