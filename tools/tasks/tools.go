package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"annai/civil"
	"annai/fault"
	"annai/tools"
	"annai/tools/calendar/agenda"
)

type writeInput struct {
	EventID string `json:"eventId,omitempty" jsonschema:"The event they belong to, whose link goes into their notes."`
	Todos   []todo `json:"todos" jsonschema:"The tasks, 1 to 20."`
	Key     string `json:"idempotency_key,omitempty" jsonschema:"The same text again writes nothing new."`
}

type todo struct {
	Title   string `json:"title" jsonschema:"What is to be done, 1,024 characters at most."`
	DueDate string `json:"dueDate,omitempty" jsonschema:"By when, ISO 8601. Only the day is kept."`
	Notes   string `json:"notes,omitempty" jsonschema:"Anything else about it."`
}

type writeOutput struct {
	TaskIDs []string `json:"taskIds"`
}

// maxTogether is how many tasks are written at once.
const maxTogether = 20

func (f *family) write(ctx context.Context, caller tools.Caller, in writeInput) (writeOutput, error) {
	if len(in.Todos) == 0 || len(in.Todos) > maxTogether {
		return writeOutput{}, &tools.Refusal{
			Kind: fault.ErrInvalid, JA: fmt.Sprintf("「todos」は1件から%d件までで指定してください。", maxTogether),
			EN: fmt.Sprintf("%q must have 1 to %d tasks.", "todos", maxTogether),
		}
	}
	link, err := f.link(ctx, caller, in.EventID)
	if err != nil {
		return writeOutput{}, err
	}
	var ready []Task
	for i, t := range in.Todos {
		due, err := f.day("todos."+strconv.Itoa(i)+".dueDate", t.DueDate)
		if err != nil {
			return writeOutput{}, err
		}
		task := Task{Title: t.Title, Notes: withLink(t.Notes, link), Due: due}
		if err := task.Check(); err != nil {
			return writeOutput{}, err
		}
		ready = append(ready, task)
	}
	key, err := requestKey(caller, in)
	if err != nil {
		return writeOutput{}, err
	}
	out := writeOutput{TaskIDs: []string{}}
	for i, t := range ready {
		made, err := f.lists(caller.Owner).Create(ctx, agenda.KeyFor(key, strconv.Itoa(i)), t)
		if err != nil {
			return writeOutput{}, fmt.Errorf("write task %d of %d: %w", i+1, len(ready), err)
		}
		out.TaskIDs = append(out.TaskIDs, made.ID)
	}
	return out, nil
}

// requestKey is the same when the call is tried again, and no other call's. It depends on the input
// too, since some callers name everything that they ask for by one request id.
func requestKey(caller tools.Caller, in writeInput) (string, error) {
	if in.Key != "" {
		return agenda.KeyFor("task key", in.Key), nil
	}
	text, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("name the tasks of a request: %w", err)
	}
	return agenda.KeyFor("task request", caller.SessionID, caller.RequestID, string(text)), nil
}

// day reads a date, or the date of a time where the owner is; "" is no day.
func (f *family) day(field, s string) (civil.Date, error) {
	if s == "" {
		return civil.Date{}, nil
	}
	if d, err := civil.ParseDate(s); err == nil && d.Year > 0 {
		return d, nil
	}
	if t, ok := agenda.ParseTime(s, f.agenda.Location()); ok {
		return civil.DateOf(t), nil
	}
	return civil.Date{}, &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "「" + field + "」は 2026-03-01 のようにご指定ください。",
		EN: fmt.Sprintf("Please give %q like 2026-03-01.", field),
	}
}

type listInput struct {
	Status  string `json:"status,omitempty" enum:"open,done,all" jsonschema:"Which tasks. Absent: open."`
	DueFrom string `json:"dueFrom,omitempty" jsonschema:"Only tasks due on this day or later, YYYY-MM-DD."`
	DueTo   string `json:"dueTo,omitempty" jsonschema:"Only tasks due on this day or before, YYYY-MM-DD."`
}

// shown is a task as tools show it.
type shown struct {
	TaskID string     `json:"taskId"`
	Title  string     `json:"title"`
	Due    civil.Date `json:"dueDate,omitzero" jsonschema:"The day by which it is to be done. Absent: none."`
	Notes  string     `json:"notes,omitempty"`
	Done   bool       `json:"done"`
}

func show(t Task) shown {
	return shown{TaskID: t.ID, Title: t.Title, Due: t.Due, Notes: t.Notes, Done: t.Done()}
}

type listOutput struct {
	Success bool    `json:"success"`
	Tasks   []shown `json:"tasks"`
	Count   int     `json:"count"`
	Message string  `json:"message"`
}

func (f *family) list(ctx context.Context, caller tools.Caller, in listInput) (listOutput, error) {
	from, err := f.day("dueFrom", in.DueFrom)
	if err != nil {
		return listOutput{}, err
	}
	to, err := f.day("dueTo", in.DueTo)
	if err != nil {
		return listOutput{}, err
	}
	all, err := f.lists(caller.Owner).Tasks(ctx)
	if err != nil {
		return listOutput{}, err
	}
	out := listOutput{Success: true, Tasks: []shown{}}
	for _, t := range all {
		if in.wants(t) && t.DueWithin(from, to) {
			out.Tasks = append(out.Tasks, show(t))
		}
	}
	out.Count = len(out.Tasks)
	out.Message = counted(out.Count, in.Status, caller.Language)
	return out, nil
}

func (in listInput) wants(t Task) bool {
	switch in.Status {
	case "all":
		return true
	case "done":
		return t.Done()
	default:
		return !t.Done()
	}
}

type completeInput struct {
	TaskID string `json:"taskId" jsonschema:"The taskId of the task."`
	Done   *bool  `json:"done,omitempty" jsonschema:"false makes a task open again. Absent: true."`
}

type taskOutput struct {
	Success bool   `json:"success"`
	Task    shown  `json:"task"`
	Message string `json:"message"`
}

func (f *family) complete(ctx context.Context, caller tools.Caller, in completeInput) (taskOutput, error) {
	done := in.Done == nil || *in.Done
	t, err := f.lists(caller.Owner).Complete(ctx, in.TaskID, done)
	if err != nil {
		return taskOutput{}, err
	}
	said := pick(caller.Language, "「"+t.Title+"」を済みにしました。", fmt.Sprintf("I ticked off %q.", t.Title))
	if !done {
		said = pick(caller.Language, "「"+t.Title+"」を未完了に戻しました。", fmt.Sprintf("%q is open again.", t.Title))
	}
	return taskOutput{Success: true, Task: show(t), Message: said}, nil
}

type deleteInput struct {
	TaskID string `json:"taskId" jsonschema:"The taskId of the task."`
}

type deleteOutput struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
}

func (f *family) remove(ctx context.Context, caller tools.Caller, in deleteInput) (deleteOutput, error) {
	if err := f.lists(caller.Owner).Delete(ctx, in.TaskID); err != nil {
		return deleteOutput{}, err
	}
	return deleteOutput{Success: true, Message: pick(caller.Language, "タスクを削除しました。", "I deleted the task.")}, nil
}

// counted says how many tasks there are.
func counted(n int, status, lang string) string {
	kind := map[string]struct{ ja, en string }{
		"done": {"済んだタスク", "done"}, "all": {"タスク", "on the list"},
	}
	k, ok := kind[status]
	if !ok {
		k = struct{ ja, en string }{"残っているタスク", "open"}
	}
	switch n {
	case 0:
		return pick(lang, k.ja+"はありません。", "No tasks are "+k.en+".")
	case 1:
		return pick(lang, k.ja+"は1件です。", "1 task is "+k.en+".")
	default:
		return pick(lang, fmt.Sprintf("%sは%d件です。", k.ja, n), fmt.Sprintf("%d tasks are %s.", n, k.en))
	}
}
