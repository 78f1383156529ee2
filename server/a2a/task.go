package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"annai/fault"
	internal "annai/internal/message"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// The metadata that say what a run and a thread have to do with tasks.
const (
	// metaTask of a run is the task that it goes on with.
	metaTask = "a2a_task"
	// metaCanceled of a thread is the task that asked, and that nobody will answer any more.
	metaCanceled = "a2a_canceled"
)

// A job is a task as it is kept.
type job struct {
	id string
	// first is the run that the task began with, run the one that it is at.
	first, run runs.Run
	thread     runs.Thread
	// newest says that no other run came after it on the thread.
	newest bool
}

func noTask() error { return &refusal{codeNoTask, "TASK_NOT_FOUND", "there is no such task"} }

// listed is how many runs are read at a time.
const listed = 50

// job finds a task. One that does not exist for the caller is a refusal.
func (c *call) job(ctx context.Context, id string) (job, error) {
	first, err := c.service.Run(ctx, "", id)
	if errors.Is(err, fault.ErrNotFound) || err == nil && first.Metadata[metaTask] != nil {
		return job{}, noTask()
	}
	if err != nil {
		return job{}, err
	}
	door.SetObject(c.Context, "thread", first.ThreadID)
	door.SetObject(c.Context, "run", id)
	j := job{id: id, first: first, run: first}
	f := runs.RunFilter{ThreadID: first.ThreadID, Newest: true, Page: runs.Page{Limit: listed}}
	for found := false; !found; {
		list, _, err := c.service.ListRuns(ctx, f)
		if err != nil {
			return job{}, err
		}
		i := slices.IndexFunc(list, func(r runs.Run) bool { return r.ID == id || r.Metadata[metaTask] == id })
		if found = i >= 0 || len(list) == 0; i >= 0 {
			j.run, j.newest = list[i], i == 0 && f.Page.Offset == 0
		}
		f.Page.Offset += len(list)
	}
	j.thread, err = c.service.Thread(ctx, first.ThreadID)
	return j, err
}

// state says how the task stands.
func (j job) state() state {
	switch j.run.Status {
	case runs.RunPending:
		return submitted
	case runs.RunRunning:
		return working
	case runs.RunInterrupted:
		return canceled
	case runs.RunError, runs.RunTimeout:
		return failed
	case runs.RunSuccess:
	}
	switch {
	case !j.newest || j.thread.Status != runs.ThreadInterrupted || len(j.open()) == 0:
		return completed
	case j.thread.Metadata[metaCanceled] == j.id:
		return canceled
	}
	return inputRequired
}

// open are the questions that wait for an answer.
func (j job) open() []runs.Interrupt {
	var open []runs.Interrupt
	for _, task := range slices.Sorted(maps.Keys(j.thread.Interrupts)) {
		open = append(open, j.thread.Interrupts[task]...)
	}
	return open
}

// tell is what is told of a task.
func (c *call) tell(ctx context.Context, j job) (task, error) {
	t := task{id: j.id, context: j.thread.ID, status: status{state: j.state(), at: j.run.UpdatedAt}}
	switch t.status.state {
	case inputRequired:
		t.status.message = j.questions()
	case failed:
		t.status.message = j.says("failed", part{text: j.run.Error})
	case submitted, working, completed, canceled:
	}
	values, err := c.values(ctx, j)
	if err != nil {
		return task{}, err
	}
	said := j.said(values)
	for _, m := range said {
		if told, ok := j.message(m); ok {
			t.history = append(t.history, told)
		}
	}
	if s := t.status.state; s != completed && s != inputRequired {
		return t, nil
	}
	t.artifacts = artifacts(said)
	if len(t.artifacts) == 0 && t.status.state == completed {
		t.artifacts = result(j.run.ID, values)
	}
	return t, nil
}

// values is the state in which the task left its thread, or that before it, while it is worked on.
func (c *call) values(ctx context.Context, j job) (json.RawMessage, error) {
	if j.newest || !j.run.Status.Ended() {
		return j.thread.Values, nil
	}
	f := runs.HistoryFilter{Limit: 1, Match: runs.Object{"run_id": j.run.ID}}
	states, _, err := c.service.History(ctx, j.thread.ID, f)
	if err != nil {
		return nil, err
	}
	for state, err := range states {
		return state.Values, err
	}
	return nil, nil
}

// said are the messages of the task among those of the state: from the first that its input has. Before they are in
// the state they are those of the input.
func (j job) said(values json.RawMessage) []runs.Object {
	input := stream.Messages(j.first.Kwargs.Input)
	if len(input) == 0 {
		return nil
	}
	all := stream.Messages(values)
	i := slices.IndexFunc(all, func(m runs.Object) bool { return m["id"] == input[0]["id"] })
	if i < 0 {
		return input
	}
	return all[i:]
}

// message is a message of the state as the protocol has it. Only words of people and of the agent are.
func (j job) message(m runs.Object) (message, bool) {
	role := map[any]string{"human": "user", "ai": "agent"}[m["type"]]
	text := internal.Text(m)
	if role == "" || text == "" {
		return message{}, false
	}
	id, _ := m["id"].(string)
	return message{ID: id, ContextID: j.thread.ID, TaskID: j.id, Role: role, Parts: []part{{text: text}}}, true
}

// artifacts are what the agent said last: each message since a person spoke.
func artifacts(said []runs.Object) []artifact {
	var list []artifact
	for _, m := range said {
		if m["type"] == "human" {
			list = nil
		}
		if f, ok := artifactOf(m); ok {
			list = append(list, f)
		}
	}
	return list
}

// artifactOf is a message of the agent's as an artifact, with what was said beside the text as metadata.
func artifactOf(m runs.Object) (artifact, bool) {
	text := internal.Text(m)
	if m["type"] != "ai" && m["type"] != "AIMessageChunk" || text == "" {
		return artifact{}, false
	}
	id, _ := m["id"].(string)
	f := artifact{id: id, parts: []part{{text: text}}}
	if besides, ok := m["additional_kwargs"].(runs.Object); ok && len(besides) > 0 {
		f.metadata = besides
	}
	return f, true
}

// result is the artifact of a task that said nothing: the values of its state but for the messages.
func result(id string, values json.RawMessage) []artifact {
	var state map[string]json.RawMessage
	if json.Unmarshal(values, &state) != nil {
		return nil
	}
	delete(state, internal.Channel)
	data, err := json.Marshal(state)
	if err != nil || len(state) == 0 {
		return nil
	}
	return []artifact{{id: id, parts: []part{{data: data}}}}
}

// says is what the agent says of how the task stands.
func (j job) says(about string, parts ...part) *message {
	return &message{
		ID: j.run.ID + "-" + about, ContextID: j.thread.ID, TaskID: j.id, Role: "agent", Parts: parts,
	}
}

// questions are what the task asks: in words, where it has some, and as data with their ids.
func (j job) questions() *message {
	open := j.open()
	var words []string
	for _, i := range open {
		if text := stream.Question(i); text != "" {
			words = append(words, text)
		}
	}
	data, err := json.Marshal(map[string][]runs.Interrupt{"interrupts": open})
	if err != nil { // what is kept can be written
		data = []byte("{}")
	}
	parts := []part{{data: data}}
	if len(words) > 0 {
		parts = append([]part{{text: strings.Join(words, "\n")}}, parts...)
	}
	return j.says("question", parts...)
}

// taskParams name a task.
type taskParams struct {
	ID      string `json:"id"`
	History *int   `json:"historyLength"`
}

// named reads which task is meant.
func (c *call) named(ctx context.Context) (job, taskParams, error) {
	var p taskParams
	if err := c.read(&p); err != nil {
		return job{}, p, err
	}
	if p.ID == "" {
		return job{}, p, fmt.Errorf("id is required: %w", fault.ErrInvalid)
	}
	j, err := c.job(ctx, p.ID)
	return j, p, err
}

// task answers how a task stands.
func (*handlers) task(c *call) error {
	j, p, err := c.named(c.Request.Context())
	if err != nil {
		return err
	}
	return c.answerTask(j, p.History, false)
}

// answerTask answers with a task, as the result itself or as answers to messages have it.
func (c *call) answerTask(j job, history *int, named bool) error {
	t, err := c.tell(c.Request.Context(), j)
	if err != nil {
		return err
	}
	o := t.in(c.version, history)
	if named {
		o = c.version.named("task", o)
	}
	return c.answer(o)
}

// cancelTime is how long is waited for a run to heed that it is canceled.
const cancelTime = 10 * time.Second

// cancel ends a task. One that asks is not worked on, so it is only noted that the question is void.
func (*handlers) cancel(c *call) error {
	ctx := c.Request.Context()
	j, p, err := c.named(ctx)
	if err != nil {
		return err
	}
	switch s := j.state(); {
	case s.over():
		return &refusal{codeNoCancel, "TASK_NOT_CANCELABLE", "the task is " + string(s) + " already"}
	case s == inputRequired:
		_, err = c.service.UpdateThread(ctx, j.thread.ID, runs.Object{metaCanceled: j.id}, nil)
	default:
		waiting, cancel := context.WithTimeout(ctx, cancelTime)
		defer cancel()
		err = c.service.Cancel(waiting, j.thread.ID, j.run.ID, runs.CancelInterrupt, true)
		if waiting.Err() != nil && ctx.Err() == nil { // it is told as it stands
			err = nil
		}
	}
	if err != nil {
		return err
	}
	if j, err = c.job(ctx, j.id); err != nil {
		return err
	}
	return c.answerTask(j, p.History, false)
}
