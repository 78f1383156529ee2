package caldav

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"

	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/ics"
	"annai/tools/tasks"
)

// Tasks is a [tasks.List]: the VTODOs of a calendar. The key of a task is its UID.
type Tasks struct {
	account *Account
	name    string

	mu sync.Mutex
	// path is where they are, once that was found out.
	path string
	// gone are the ids of what was deleted here.
	gone map[string]bool
}

var _ tasks.List = (*Tasks)(nil)

// Tasks returns the tasks in the calendar of that name or path at the server; of an empty one in the
// first that holds tasks. Nothing is asked yet.
func (a *Account) Tasks(name string) *Tasks {
	return &Tasks{account: a, name: name, gone: map[string]bool{}}
}

// A todo is an object with a task as the server has it, and where.
type todo struct {
	*ics.Todo
	path, etag string
}

// place returns where the tasks are.
func (l *Tasks) place(ctx context.Context) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.path != "" {
		return l.path, nil
	}
	path, err := l.account.find(ctx, l.name, todos)
	if err != nil {
		return "", err
	}
	l.path = withSlash(path)
	return l.path, nil
}

// query reads the tasks that pass a filter. What is no task that can be read is left out.
func (l *Tasks) query(ctx context.Context, filter string) ([]todo, error) {
	place, err := l.place(ctx)
	if err != nil {
		return nil, err
	}
	answers, err := l.account.query(ctx, place, todos, filter, true)
	if err != nil {
		return nil, err
	}
	var all []todo
	for _, r := range answers {
		p := r.good()
		if t, err := ics.ReadTodo([]byte(p.Data), l.account.opts.Location); err == nil && !t.Cancelled {
			all = append(all, todo{t, path(r.Href), p.ETag})
		}
	}
	return all, nil
}

// Tasks implements [tasks.List].
func (l *Tasks) Tasks(ctx context.Context) ([]tasks.Task, error) {
	found, err := l.query(ctx, "")
	if err != nil {
		return nil, failure(ctx, err)
	}
	var all []tasks.Task
	for _, t := range found {
		all = append(all, t.Task)
	}
	tasks.Sort(all)
	return all, nil
}

// lookup reads the task with the id. There is none: kind [calendar.NotFound].
func (l *Tasks) lookup(ctx context.Context, id string) (todo, error) {
	if id != "" {
		found, err := l.query(ctx, withUID(id))
		if err != nil {
			return todo{}, err
		}
		for _, t := range found {
			if t.Task.ID == id {
				return t, nil
			}
		}
	}
	return todo{}, &calendar.Failure{Kind: calendar.NotFound}
}

// Create implements [tasks.List]: a PUT under the key, if there is nothing yet.
func (l *Tasks) Create(ctx context.Context, key string, t tasks.Task) (tasks.Task, error) {
	if err := t.Check(); err != nil {
		return tasks.Task{}, err
	}
	if key == "" || strings.ContainsFunc(key, unicode.IsControl) {
		return tasks.Task{}, &tasks.Failure{Kind: fault.ErrInvalid, Err: errors.New("no key")}
	}
	all, err := l.query(ctx, "")
	if err != nil {
		return tasks.Task{}, failure(ctx, err)
	}
	for _, there := range all {
		if there.Task.ID == key {
			return same(there.Task, t)
		}
	}
	if l.wasDeleted(key) {
		return tasks.Task{}, &tasks.Failure{Kind: fault.ErrConflict, Err: errors.New("the key was used")}
	}
	if len(all) >= tasks.MaxTasks {
		return tasks.Task{}, tasks.Full()
	}
	return l.create(ctx, key, t)
}

func (l *Tasks) create(ctx context.Context, key string, t tasks.Task) (tasks.Task, error) {
	place, err := l.place(ctx)
	if err != nil {
		return tasks.Task{}, failure(ctx, err)
	}
	made := tasks.Task{ID: key, Title: t.Title, Notes: t.Notes, Due: t.Due}
	text := ics.WriteTasks([]tasks.Task{made}, l.stamp())
	written := l.account.put(ctx, place+fileName(key), text, http.Header{"If-None-Match": {"*"}})
	if written != nil && !isUnheard(written) && calendar.KindOf(written) != calendar.Stale {
		return tasks.Task{}, failure(ctx, written)
	}
	there, err := l.look(ctx, key)
	if err != nil {
		return tasks.Task{}, failure(ctx, errors.Join(err, plain(written)))
	}
	return same(there.Task, t)
}

// same returns what is there under a key if it says what was to be created.
func same(there, t tasks.Task) (tasks.Task, error) {
	if !there.Same(t) {
		return tasks.Task{}, &tasks.Failure{Kind: fault.ErrConflict, Err: errors.New("the key was used")}
	}
	return there, nil
}

// Complete implements [tasks.List]: a PUT of the object with the change in it, under the etag of what
// was read.
func (l *Tasks) Complete(ctx context.Context, id string, done bool) (tasks.Task, error) {
	for range maxPlans {
		t, err := l.lookup(ctx, id)
		if err != nil {
			return tasks.Task{}, failure(ctx, err)
		}
		if t.Task.Done() == done {
			return t.Task, nil
		}
		if t.Recurs {
			return tasks.Task{}, &tools.Refusal{
				Kind: fault.ErrDenied, JA: "繰り返しのタスクは、作成したアプリで完了にしてください。",
				EN: "This task repeats; please tick it off in the app that it was made with.",
			}
		}
		at := time.Time{}
		if done {
			at = l.account.opts.Now()
		}
		err = l.account.put(ctx, t.path, t.Tick(at, l.stamp()), http.Header{"If-Match": {t.etag}})
		if err != nil && !isUnheard(err) && calendar.KindOf(err) != calendar.Stale {
			return tasks.Task{}, failure(ctx, err)
		}
		there, seen := l.look(ctx, id)
		if seen == nil && there.Task.Done() == done {
			return there.Task, nil
		}
		if seen != nil || isUnheard(err) {
			return tasks.Task{}, failure(ctx, errors.Join(seen, plain(err)))
		}
	}
	return tasks.Task{}, &tasks.Failure{Kind: fault.ErrConflict}
}

// Delete implements [tasks.List].
func (l *Tasks) Delete(ctx context.Context, id string) error {
	t, err := l.lookup(ctx, id)
	if err != nil {
		return failure(ctx, err)
	}
	err = l.account.send(ctx, http.MethodDelete, t.path, http.Header{}, nil)
	if isUnheard(err) {
		if _, seen := l.look(ctx, id); calendar.KindOf(seen) == calendar.NotFound && seen != nil {
			err = nil
		}
	}
	if err != nil {
		return failure(ctx, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.gone) >= maxGone {
		clear(l.gone)
	}
	l.gone[id] = true
	return nil
}

func (l *Tasks) wasDeleted(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gone[id]
}

// look is lookup after a write, which is worth a moment even if the caller does not wait any more.
func (l *Tasks) look(ctx context.Context, id string) (todo, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.account.opts.Timeout/2)
	defer cancel()
	return l.lookup(ctx, id)
}

func (l *Tasks) stamp() ics.Stamp { return ics.Stamp{Now: l.account.opts.Now()} }

// failure is an error of the server as one of tasks. A server without a calendar for tasks is one
// that they can't be reached at.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &tasks.Failure{Kind: fault.ErrUnavailable, Err: ctx.Err()}
	}
	f := &tasks.Failure{Kind: fault.ErrUnavailable, Err: plain(err)}
	var of *calendar.Failure
	if errors.As(err, &of) {
		f.RetryAfter = of.RetryAfter
		for _, kind := range []error{fault.ErrInvalid, fault.ErrNotFound, fault.ErrConflict, fault.ErrDenied} {
			if errors.Is(of, kind) && of.Kind != calendar.NoCalendar {
				f.Kind = kind
			}
		}
	}
	return f
}
