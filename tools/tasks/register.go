package tasks

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"time"

	"annai/tools"
	"annai/tools/calendar/agenda"
)

// Options are the settings of [Register] that have a default.
type Options struct {
	// Off says for the operator why no tool of tasks can be offered. Empty: they can.
	Off string
	// BackEnd names what keeps the tasks, and Scopes what it must be granted. Empty: "tasks", none.
	BackEnd string
	Scopes  []string
}

//go:embed descriptions
var descriptions embed.FS

// Lists returns the tasks of an owner; the name is that of [tools.Caller].
type Lists func(owner string) List

// Register adds tasks_write, tasks_list, tasks_complete and tasks_delete, which owners and
// operators may call. Nil lists switch them off. The agenda knows the events that tasks belong to,
// and the zone in which days begin; nil switches them off too.
func Register(r *tools.Registry, lists Lists, a *agenda.Agenda, opts Options) error {
	if lists == nil || a == nil {
		opts.Off = cmp.Or(opts.Off, "no list of tasks is configured")
	}
	opts.BackEnd = cmp.Or(opts.BackEnd, "tasks")
	f := &family{lists: lists, agenda: a, opts: opts}
	return errors.Join(
		add(r, f.spec("tasks_write", tools.KeyedWrite, 2, false), f.write),
		add(r, f.spec("tasks_list", tools.Read, 1, false), f.list),
		add(r, f.spec("tasks_complete", tools.KeyedWrite, 2, true), f.complete),
		add(r, f.spec("tasks_delete", tools.KeyedWrite, 2, true), f.remove),
	)
}

type family struct {
	lists  Lists
	agenda *agenda.Agenda
	opts   Options
}

var allowed = []tools.Role{tools.Owner, tools.Operator}

const timeout = 10 * time.Second

func (f *family) spec(name string, class tools.Class, retries int, destructive bool) tools.Spec {
	return tools.Spec{
		Name: name, Class: class, Retries: retries, Destructive: destructive, Roles: allowed, Timeout: timeout,
		BackEnd: f.opts.BackEnd, Scopes: f.opts.Scopes, Unconfigured: f.opts.Off,
	}
}

func add[In, Out any](r *tools.Registry, s tools.Spec, do func(context.Context, tools.Caller, In) (Out, error)) error {
	words, err := tools.Descriptions(descriptions, s.Name)
	if err != nil {
		return err
	}
	s.Description = words
	return tools.Add(r, tools.Tool[In, Out]{Spec: s, Do: do, Retry: retry})
}
