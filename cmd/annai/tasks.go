package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"annai/fault"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/ics"
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
	case c.Own.Tasks == "caldav":
		err = a.davTasks(c)
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
	opts := local.Options{Row: setup.Row(c)}
	var store *local.Store
	var err error
	switch {
	case a.shared != nil:
		if err := a.carryTasks(ctx, c, log); err != nil {
			return setup.OneLine(err)
		}
		store, err = local.OpenShared(ctx, a.shared, a.now, opts)
	case c.Data != "":
		store, err = local.Open(ctx, filepath.Join(c.Data, "tasks.db"), a.now, opts)
	default:
		store, err = local.Open(ctx, "", a.now, opts)
	}
	if err != nil {
		return setup.OneLine(err)
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
	a.tasks = onlyUnnamed(list)
	return "", nil
}

// davTasks opens the tasks at the CalDAV server of the settings.
func (a *assembly) davTasks(c config.Config) error {
	if c.Own.CalDAV.URL == "" {
		return fmt.Errorf("tasks=caldav needs caldav-url, which says where the server is: %w", fault.ErrInvalid)
	}
	account, err := a.davAccount(c.Own, c.Own.CalDAV)
	if err != nil {
		return err
	}
	a.tasks = onlyUnnamed(account.Tasks(""))
	return nil
}

// onlyUnnamed is a list of an account that belongs to the owner without a name, and to no other.
func onlyUnnamed(list tasks.List) tasks.Lists {
	return func(owner string) tasks.List {
		if owner != "" {
			return tasks.None
		}
		return list
	}
}

func tasksCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "tasks", Short: "Write an owner's tasks as a calendar file",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(exportTasksCommand())
	return cmd
}

func exportTasksCommand() *cobra.Command {
	var owner string
	cmd := &cobra.Command{
		Use: "export", Short: "Print the tasks as a calendar (iCalendar, VTODO) that other programs import",
		Example: "  annai tasks export --data ./data > tasks.ics", Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			if c.Own.Tasks == "local" && c.Data == "" && c.Postgres == "" {
				return fmt.Errorf("tasks are kept in the data folder: add --data DIR (ANNAI_DATA), the same as for "+
					"annai serve: %w", fault.ErrInvalid)
			}
			a, err := assemble(cmd.Context(), c, wants{owner: true, forgetful: true}, discard)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, a.close()) }()
			if a.tasks == nil {
				return fmt.Errorf("there are no tasks: tasks=%s: %w", c.Own.Tasks, fault.ErrInvalid)
			}
			all, err := a.tasks(owner).Tasks(cmd.Context())
			if err != nil {
				return setup.OneLine(err)
			}
			_, err = cmd.OutOrStdout().Write(ics.WriteTasks(all, ics.Stamp{Now: a.now()}))
			return err
		},
	}
	config.Bind(cmd.Flags())
	cmd.Flags().StringVar(&owner, "owner", "", "whose tasks, as keys name them (the owner without a name)")
	return cmd
}
