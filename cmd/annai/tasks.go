package main

import (
	"context"
	"fmt"
	"path/filepath"

	"annai/internal/config"
	"annai/internal/fault"
	"annai/tools/tasks"
	"annai/tools/tasks/local"
)

// openTasks opens where the tasks of owners are kept, and adds their tools.
func (a *assembly) openTasks(ctx context.Context, c config.Config) error {
	opts := tasks.Options{BackEnd: c.Own.Tasks}
	switch {
	case a.agenda == nil:
		opts.Off = noOwner
	case c.Own.Tasks == "off":
		opts.Off = "tasks are switched off"
	case c.Own.Tasks == "local":
		path := ""
		if c.Data != "" {
			path = filepath.Join(c.Data, "tasks.db")
		}
		store, err := local.Open(ctx, path, a.now)
		if err != nil {
			return oneLine{err}
		}
		a.closers = append(a.closers, store.Close)
		a.tasks = func(owner string) tasks.List { return store.List(owner) }
	default:
		return fmt.Errorf("tasks: %q is unknown: %w", c.Own.Tasks, fault.ErrInvalid)
	}
	return tasks.Register(a.tools, a.tasks, a.agenda, opts)
}
