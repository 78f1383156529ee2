package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"annai/internal/config"
	"annai/tools/calendar/google/oauth"
	"annai/tools/tasks"
	"annai/tools/tasks/google"
	"annai/tools/tasks/local"
)

// openTasks opens where the tasks of owners are kept, and adds their tools.
func (a *assembly) openTasks(ctx context.Context, c config.Config, log *slog.Logger) error {
	opts := tasks.Options{BackEnd: c.Own.Tasks}
	var err error
	switch {
	case a.agenda == nil:
		opts.Off = noOwner
	case c.Own.Tasks == "off":
		opts.Off = "tasks are switched off"
	case c.Own.Tasks == "google":
		opts.Scopes = []string{google.Scope}
		opts.Off, err = a.googleTasks(ctx, c)
	case a.unshared != nil:
		opts.Off = a.unshared.Error()
	default:
		err = a.localTasks(ctx, c, log)
	}
	if err != nil {
		return err
	}
	return tasks.Register(a.tools, a.tasks, a.agenda, opts)
}

func (a *assembly) localTasks(ctx context.Context, c config.Config, log *slog.Logger) error {
	opts := local.Options{Row: rowOptions(c)}
	var store *local.Store
	var err error
	switch {
	case a.shared != nil:
		if err := a.carryTasks(ctx, c, log); err != nil {
			return oneLine{err}
		}
		store, err = local.OpenShared(ctx, a.shared, a.now, opts)
	case c.Data != "":
		store, err = local.Open(ctx, filepath.Join(c.Data, "tasks.db"), a.now, opts)
	default:
		store, err = local.Open(ctx, "", a.now, opts)
	}
	if err != nil {
		return oneLine{err}
	}
	a.closers = append(a.closers, store.Close)
	a.tasks = func(owner string) tasks.List { return store.List(owner) }
	return nil
}

// carryTasks copies the tasks of a data folder into PostgreSQL, where there were none before.
func (a *assembly) carryTasks(ctx context.Context, c config.Config, log *slog.Logger) error {
	path := filepath.Join(c.Data, "tasks.db")
	if c.Data == "" || !isFile(path) {
		return nil
	}
	n, err := local.Carry(ctx, path, a.shared)
	if n > 0 {
		log.InfoContext(ctx, "tasks copied from the data folder into PostgreSQL", "tasks", n)
	}
	return err
}

// googleTasks opens the list of the account of the owner's calendar. off says why it can't be used.
func (a *assembly) googleTasks(ctx context.Context, c config.Config) (off string, err error) {
	source, err := a.opened.source(ctx, oauth.DefaultAccount)
	if err != nil {
		return "", err
	}
	if granted, known := a.opened.granted[oauth.DefaultAccount]; known && !granted.CanKeepTasks() {
		return "Google was not asked for, or did not grant, the right to keep tasks; run annai auth google", nil
	}
	options := google.Options{Now: a.now, BaseURL: c.Own.TasksURL}
	list, err := google.New(source, options) //nolint:contextcheck // nothing is asked yet
	if err != nil {
		return "", err
	}
	a.tasks = func(owner string) tasks.List {
		if owner != "" { // the account is not theirs
			return tasks.None
		}
		return list
	}
	return "", nil
}
