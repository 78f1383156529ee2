package owner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/todo"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar/agenda"
	"annai/tools/tasks"
)

// A Todo is a task of the owner's list, as it was told.
type Todo struct {
	ID    string     `json:"id,omitempty"`
	Title string     `json:"title"`
	Due   civil.Date `json:"due,omitzero"`
	Note  string     `json:"note,omitempty"`
}

// The actions on tasks. Of such a plan Todos are what is added, ticked off or deleted, Asked those
// one of which is to be chosen.
const (
	ActionTodoAdd    Action = "todo_add"
	ActionTodoTick   Action = "todo_tick"
	ActionTodoRemove Action = "todo_remove"
)

// IsTodo reports whether the plan is about tasks.
func (p Plan) IsTodo() bool {
	return p.Do == ActionTodoAdd || p.Do == ActionTodoTick || p.Do == ActionTodoRemove
}

// decideTodo reads an order to the list of tasks. ok is false for what is none.
func (c *Calendar) decideTodo(ctx context.Context, t Turn) (r Request, reason string, ok bool) {
	u := t.Understanding
	if c.opts.Tasks == nil || u.Intent == nlu.Safety {
		return Request{}, "", false
	}
	talking := t.Memory.Request.Do == DoTodo
	order, ok := todo.Read(u.Text, u.Times)
	if !ok && talking && len(u.Times) > 0 && u.LeavesOut() { // 来週は？
		order, reason, ok = todo.Order{Do: todo.List}, "other time", true
	}
	switch {
	case !ok:
		return Request{}, "", false
	case order.Loose && order.Do == todo.Remove && !talking, order.Loose && !c.knows(ctx, t, order):
		return Request{}, "", false
	}
	r = Request{Do: DoTodo, Todo: order}
	if s, ok := display.SpanOf(u.Times, t.Now); ok && order.Do == todo.List {
		r.Range = s
	}
	return r, reason, true
}

// knows reports whether there is an open task that the order means. Where the list can't be read
// nobody knows, and the words are taken for something else.
func (c *Calendar) knows(ctx context.Context, t Turn, o todo.Order) bool {
	d := c.dialog(t, Request{Do: DoTodo, Todo: o})
	all, err := d.openTodos(ctx)
	if err != nil {
		return false
	}
	found, _ := d.todosMeant(all, o)
	return len(found) > 0
}

// tasks is the list of whoever speaks.
func (d dialog) tasks() tasks.List { return d.opts.Tasks(d.Owner) }

// openTodos reads the tasks that are not done.
func (d dialog) openTodos(ctx context.Context) ([]Todo, error) {
	all, err := d.tasks().Tasks(ctx)
	if err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	open := []Todo{}
	for _, t := range all {
		if !t.Done() {
			open = append(open, todoOf(t))
		}
	}
	return open, nil
}

func todoOf(t tasks.Task) Todo { return Todo{ID: t.ID, Title: t.Title, Due: t.Due, Note: t.Notes} }

// todosMeant are those that an order means. named is false where it names none.
func (d dialog) todosMeant(open []Todo, o todo.Order) (found []Todo, named bool) {
	if o.All {
		return open, true
	}
	told := d.Memory.Todos
	ref := d.Understanding.Reference
	if n := placed(cmp.Or(ref.Ordinal, nlu.BareNumber(o.Title)), len(told)); n > 0 {
		return told[n-1 : n], true
	}
	if ref.That && len(told) == 1 || o.Title == "" && len(told) == 1 {
		return told, true
	}
	title := todoWords(o.Title)
	if title == "" {
		return nil, false
	}
	same := func(t Todo) bool { return strings.EqualFold(todoWords(t.Title), title) }
	if i := slices.IndexFunc(open, same); i >= 0 {
		return open[i : i+1], true
	}
	return todosThat(open, func(t Todo) bool { return text.ContainsWord(t.Title, title) }), true
}

// todosThat are those that match.
func todosThat(list []Todo, match func(Todo) bool) []Todo {
	return slices.DeleteFunc(slices.Clone(list), func(t Todo) bool { return !match(t) })
}

// todoWords are the words by which a task is looked for.
func todoWords(said string) string { return words.Article.Trim(searchWords(said)) }

// todo does what was ordered: it lists tasks, or makes a plan.
func (d dialog) todo(ctx context.Context) (Result, error) {
	o := d.request.Todo
	if o.Do == todo.Add {
		t := Todo{Title: display.Capital(valueOf(o.Title), d.lang), Due: dueOf(d.Understanding.Times, d.now)}
		return d.reviewTodo(Plan{Do: ActionTodoAdd, Key: d.Key, Todos: []Todo{t}}), nil
	}
	open, err := d.openTodos(ctx)
	switch {
	case failed(ctx, err):
		return Result{}, err
	case err != nil:
		return d.todoFailed(ctx, err), nil
	case o.Do == todo.List:
		return d.listTodos(open), nil
	}
	p := Plan{Do: ActionTodoTick}
	if o.Do == todo.Remove {
		p.Do = ActionTodoRemove
	}
	found, named := d.todosMeant(open, o)
	switch {
	case len(open) == 0:
		return d.listTodos(open), nil
	case !named:
		p.Asked = open
		return d.reviewTodo(p), nil
	case len(found) == 0:
		out := Answer{Text: d.say(prompts.TodoNone{Wanted: searchWords(o.Title)})}
		out.Facts, out.Suggestions = Facts{Calendar: StatusEmpty, Nothing: true}, d.kinds("own_todos")
		return closed(out), nil
	case len(found) == 1 || o.All:
		p.Todos = found[:min(len(found), maxItems)]
	default:
		p.Asked = found
	}
	return d.reviewTodo(p), nil
}

// dueOf is the day by which something is to be done, of the times that were said; zero for none.
func dueOf(times []datetime.Expression, now time.Time) civil.Date {
	for _, e := range datetime.Combine(times, now).Times {
		r := e.TimeRange
		switch {
		case e.Invalid, e.Kind == datetime.KindDuration, e.Kind == datetime.KindSet:
		case r.End.After(r.Start) && !e.OpenEnd:
			return civil.DateOf(r.End.In(now.Location()).Add(-time.Nanosecond))
		case !r.Start.IsZero():
			return civil.DateOf(r.Start.In(now.Location()))
		}
	}
	return civil.Date{}
}

// listTodos tells the open tasks, or those that are due in the range.
func (d dialog) listTodos(open []Todo) Result {
	intro := prompts.TodoList{Count: len(open)}
	if r := d.request.Range; !r.IsZero() {
		open = todosThat(open, func(t Todo) bool {
			return !t.Due.IsZero() && (r.OpenStart || !t.Due.Before(civil.DateOf(r.Start))) &&
				!t.Due.After(r.LastDate())
		})
		intro.Range, intro.Count = d.rangeWords(), len(open)
	}
	told := open[:min(len(open), maxItems)]
	intro.More = len(open) - len(told)
	out := d.tellTodos(d.say(intro), told)
	out.Facts = Facts{Calendar: StatusOK}
	out.Suggestions = d.kinds("own_today", "own_week")
	return answered(out, Memory{Request: d.request, Todos: told})
}

// tellTodos is a list of tasks, written whole and spoken in its beginning.
func (d dialog) tellTodos(intro string, list []Todo) Answer {
	out := Answer{Text: intro, Spoken: []string{intro}}
	for i, t := range list {
		item := prompts.TodoItem{
			Title: d.todoTitle(t), Due: d.dueWords(t), Note: text.OneLine(t.Note, maxNote),
			Late: !t.Due.IsZero() && t.Due.Before(civil.DateOf(d.now)),
		}
		if len(list) > 1 {
			item.Number = i + 1
		}
		out.Text = display.JoinParts(out.Text, d.say(item))
		if i < maxSpoken {
			item.Spoken = true
			out.Spoken = append(out.Spoken, d.say(item))
		}
	}
	return out
}

func (d dialog) todoTitle(t Todo) string {
	return display.NoBrackets(text.OneLine(t.Title, display.MaxTitle))
}

func (d dialog) dueWords(t Todo) string {
	if t.Due.IsZero() {
		return ""
	}
	return d.day(t.Due)
}

// reviewTodo asks for what a plan for tasks lacks, or for a yes.
func (d dialog) reviewTodo(p Plan) Result {
	p.AskedAt, p.Await = d.now, awaitYes
	r := asking(p, Answer{})
	switch {
	case len(p.Asked) > 0:
		p.Asked = p.Asked[:min(len(p.Asked), maxItems)]
		p.Await = awaitChoice
		r = asking(p, d.tellTodos(d.say(prompts.TodoAsk{Do: string(p.Do)}), p.Asked))
		for _, t := range p.Asked {
			r.Answer.Suggestions = append(r.Answer.Suggestions, d.todoTitle(t))
		}
	case p.Todos[0].Title == "":
		p.Await = awaitTitle
		r = asking(p, Answer{Text: d.say(prompts.TodoAsk{Do: string(p.Do)})})
	default:
		show := prompts.TodoConfirm{Do: string(p.Do), Count: len(p.Todos), Title: d.todoTitle(p.Todos[0])}
		show.Due = d.dueWords(p.Todos[0])
		r.Plan = p
		if r.Answer.Text = d.say(show); len(p.Todos) > 1 {
			r.Answer = d.tellTodos(d.say(show), p.Todos)
		}
		r.Answer.Suggestions = d.kinds("yes_"+string(p.Do), "no")
		r.Answer.Confirmation = &display.Confirmation{Do: string(p.Do), Ask: d.say(show)}
	}
	r.Answer.Facts = Facts{Calendar: StatusOK, Asking: true, Gesture: "think"}
	d.apologize(&r)
	return r
}

// todoFailed says that the list could not be read or written.
func (d dialog) todoFailed(ctx context.Context, err error) Result {
	d.warn(ctx, err)
	f := &tasks.Failure{Kind: fault.ErrUnavailable}
	var worded interface{ Message(lang string) string } = f
	errors.As(err, &worded)
	out := Answer{Text: worded.Message(string(d.lang)), Suggestions: d.kinds("own_todos")}
	out.Facts = Facts{Calendar: StatusError, Nothing: true}
	return closed(out)
}

// commitTodo carries out a plan for tasks. It may run twice: what is added has the plan's key, and
// what is done or gone already stays so.
func (d dialog) commitTodo(ctx context.Context, p Plan) (Result, error) {
	for i, t := range p.Todos {
		var err error
		switch p.Do {
		case ActionTodoAdd:
			key := p.Key
			if i > 0 {
				key = agenda.KeyFor(p.Key, strconv.Itoa(i))
			}
			_, err = d.tasks().Create(ctx, key, tasks.Task{Title: t.Title, Due: t.Due, Notes: t.Note})
		case ActionTodoTick:
			_, err = d.tasks().Complete(ctx, t.ID, true)
		default:
			if err = d.tasks().Delete(ctx, t.ID); errors.Is(err, fault.ErrNotFound) {
				err = nil
			}
		}
		if failed(ctx, err) {
			return Result{}, fmt.Errorf("write tasks: %w", err)
		}
		if err != nil {
			return d.todoFailed(ctx, err), nil
		}
	}
	first := p.Todos[0]
	done := prompts.TodoDone{Do: string(p.Do), Count: len(p.Todos), Title: d.todoTitle(first), Due: d.dueWords(first)}
	out := Answer{Text: d.say(done), Facts: Facts{Calendar: StatusOK, Events: 1}, Suggestions: d.kinds("own_todos")}
	result := answered(out, Memory{Request: Request{Do: DoTodo}})
	result.Written = true
	return result, nil
}
