package google

import (
	"context"
	"strings"
	"time"

	gtasks "google.golang.org/api/tasks/v1"

	"annai/fault"
	"annai/tools/tasks"
)

const (
	// pageSize is the most that Google gives at once, and maxPages what is read of it.
	pageSize = 100
	maxPages = tasks.MaxTasks / pageSize
	// doneFor is how long ago tasks may be done that are listed.
	doneFor = 30 * 24 * time.Hour
)

// Tasks implements [tasks.List]: the open ones, and those that were done in the last 30 days.
func (l *List) Tasks(ctx context.Context) ([]tasks.Task, error) {
	all, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, t := range all {
		seen[t.ID] = true
	}
	since := l.opts.Now().Add(-doneFor).UTC().Format(time.RFC3339)
	done, err := l.pages(ctx, func(c *gtasks.TasksListCall) {
		c.ShowCompleted(true).ShowHidden(true).CompletedMin(since)
	})
	if err != nil {
		return nil, err
	}
	for _, t := range done {
		if t.Done() && !seen[t.ID] {
			all = append(all, t)
		}
	}
	tasks.Sort(all)
	return all, nil
}

func (l *List) open(ctx context.Context) ([]tasks.Task, error) {
	return l.pages(ctx, func(c *gtasks.TasksListCall) { c.ShowCompleted(false) })
}

// pages reads what is asked for, a page after the other.
func (l *List) pages(ctx context.Context, ask func(*gtasks.TasksListCall)) ([]tasks.Task, error) {
	all := []tasks.Task{}
	next := ""
	for range maxPages {
		var page *gtasks.Tasks
		err := l.send(ctx, func(ctx context.Context, token string) (err error) {
			call := l.service.Tasks.List(l.opts.ListID).MaxResults(pageSize).Context(ctx)
			if next != "" {
				call.PageToken(next)
			}
			ask(call)
			authorize(call.Header(), token)
			page, err = call.Do()
			return err //nolint:wrapcheck // send says what it means
		})
		if err != nil {
			return nil, err
		}
		for _, w := range page.Items {
			if w == nil || w.Deleted {
				continue
			}
			t, err := task(w)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
		if next = page.NextPageToken; next == "" {
			break
		}
	}
	return all, nil
}

// Create implements [tasks.List]. An open task that says the same is taken for the one that is meant.
func (l *List) Create(ctx context.Context, _ string, t tasks.Task) (tasks.Task, error) {
	if err := t.Check(); err != nil {
		return tasks.Task{}, err
	}
	l.creating.Lock()
	defer l.creating.Unlock()
	there, err := l.open(ctx)
	if err != nil {
		return tasks.Task{}, err
	}
	for _, other := range there {
		if plain(other).Same(plain(t)) {
			return other, nil
		}
	}
	if len(there) >= tasks.MaxTasks {
		return tasks.Task{}, tasks.Full()
	}
	w := &gtasks.Task{Title: t.Title, Notes: t.Notes}
	if !t.Due.IsZero() {
		w.Due = t.Due.String() + "T00:00:00.000Z"
	}
	return l.change(ctx, func(ctx context.Context, token string) (*gtasks.Task, error) {
		call := l.service.Tasks.Insert(l.opts.ListID, w).Context(ctx)
		authorize(call.Header(), token)
		return call.Do()
	})
}

// plain is a task without the space around its texts, with which Google may take liberties.
func plain(t tasks.Task) tasks.Task {
	t.Title, t.Notes = strings.TrimSpace(t.Title), strings.TrimSpace(t.Notes)
	return t
}

// Complete implements [tasks.List].
func (l *List) Complete(ctx context.Context, id string, done bool) (tasks.Task, error) {
	there, err := l.get(ctx, id)
	if err != nil || there.Done() == done {
		return there, err
	}
	w := &gtasks.Task{Status: completed}
	if !done {
		w = &gtasks.Task{Status: needsAction, NullFields: []string{"Completed"}}
	}
	return l.change(ctx, func(ctx context.Context, token string) (*gtasks.Task, error) {
		call := l.service.Tasks.Patch(l.opts.ListID, id, w).Context(ctx)
		authorize(call.Header(), token)
		return call.Do()
	})
}

// Delete implements [tasks.List].
func (l *List) Delete(ctx context.Context, id string) error {
	if _, err := l.get(ctx, id); err != nil {
		return err
	}
	return l.send(ctx, func(ctx context.Context, token string) error {
		call := l.service.Tasks.Delete(l.opts.ListID, id).Context(ctx)
		authorize(call.Header(), token)
		return call.Do()
	})
}

// get returns the task; Google still has those that were deleted.
func (l *List) get(ctx context.Context, id string) (tasks.Task, error) {
	if !possible(id) {
		return tasks.Task{}, &tasks.Failure{Kind: fault.ErrNotFound}
	}
	return l.change(ctx, func(ctx context.Context, token string) (*gtasks.Task, error) {
		call := l.service.Tasks.Get(l.opts.ListID, id).Context(ctx)
		authorize(call.Header(), token)
		return call.Do()
	})
}

// change sends a request that is answered with a task.
func (l *List) change(
	ctx context.Context, do func(ctx context.Context, token string) (*gtasks.Task, error),
) (tasks.Task, error) {
	var w *gtasks.Task
	err := l.send(ctx, func(ctx context.Context, token string) (err error) {
		w, err = do(ctx, token)
		return err
	})
	switch {
	case err != nil:
		return tasks.Task{}, err
	case w.Deleted:
		return tasks.Task{}, &tasks.Failure{Kind: fault.ErrNotFound}
	}
	return task(w)
}

// possible reports whether Google may have made an id: letters, digits, - and _.
func possible(id string) bool {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	return id != "" && len(id) <= 256 && !strings.ContainsFunc(id, odd)
}
