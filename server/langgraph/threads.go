package langgraph

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
)

func (a *handlers) createThread(c *gin.Context) error {
	n, err := decode[runs.NewThread](c)
	if err != nil {
		return err
	}
	made, err := a.as(c).CreateThread(c.Request.Context(), n)
	if err != nil {
		return err
	}
	return answer(c, threadOf(made))
}

func (a *handlers) thread(c *gin.Context) error {
	t, err := a.as(c).Thread(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return answer(c, threadOf(t))
}

func (a *handlers) updateThread(c *gin.Context) error {
	body, err := decode[struct {
		runs.NewThread
		agentUpdate
	}](c)
	if err != nil {
		return err
	}
	if err := a.updateValues(c, body.agentUpdate); err != nil {
		return err
	}
	t, err := a.as(c).UpdateThread(c.Request.Context(), c.Param("id"), body.Metadata, body.TTL)
	if err != nil {
		return err
	}
	return answer(c, threadOf(t))
}

func (a *handlers) deleteThread(c *gin.Context) error {
	if err := a.as(c).DeleteThread(c.Request.Context(), c.Param("id")); err != nil {
		return err
	}
	return a.noContent(c)
}

func (a *handlers) copyThread(c *gin.Context) error {
	t, err := a.as(c).CopyThread(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return answer(c, threadOf(t))
}

// threadOf shows a thread.
func threadOf(t runs.Thread) thread {
	shown := thread{Thread: t, Values: t.Values, StateUpdatedAt: t.StateUpdatedAt, Interrupts: t.Interrupts}
	if shown.Interrupts == nil {
		shown.Interrupts = map[string][]runs.Interrupt{}
	}
	if t.Error != "" {
		shown.Error = &failure{"Error", t.Error}
	}
	return shown
}

type threadSearch struct {
	search

	// Extract are paths to take values from, by the names under which they come back.
	Extract map[string]string `json:"extract"`

	IDs    []string          `json:"ids"`
	Status runs.ThreadStatus `json:"status"`
	Values runs.Object       `json:"values"`
}

func (s threadSearch) filter(page runs.Page) runs.ThreadFilter {
	return runs.ThreadFilter{IDs: s.IDs, Status: s.Status, Metadata: s.Metadata, Values: s.Values, Sort: s.sort(), Page: page}
}

func (a *handlers) searchThreads(c *gin.Context) error {
	s, err := decode[threadSearch](c)
	if err != nil {
		return err
	}
	page, err := s.page(10)
	if err != nil {
		return err
	}
	list, n, err := a.as(c).SearchThreads(c.Request.Context(), s.filter(page))
	if err != nil {
		return err
	}
	shown := make([]thread, len(list))
	for i, t := range list {
		shown[i] = threadOf(t)
		if shown[i].Extracted, err = extract(t, s.Extract); err != nil {
			return err
		}
	}
	if len(s.Select) > 0 && len(s.Extract) > 0 {
		s.Select = append(s.Select, "extracted")
	}
	return found(c, s.search, page, shown, n)
}

func (a *handlers) countThreads(c *gin.Context) error {
	s, err := decode[threadSearch](c)
	if err != nil {
		return err
	}
	_, n, err := a.as(c).SearchThreads(c.Request.Context(), s.filter(runs.Page{}))
	if err != nil {
		return err
	}
	return answer(c, n)
}

func (a *handlers) prune(c *gin.Context) error {
	body, err := decode[struct {
		IDs      []string `json:"thread_ids"`
		Strategy string   `json:"strategy"`
	}](c)
	if err != nil {
		return err
	}
	n, err := a.as(c).Prune(c.Request.Context(), body.IDs, body.Strategy)
	if err != nil {
		return err
	}
	return answer(c, gin.H{"pruned_count": n})
}

type (
	// checkpointRef names a checkpoint on the wire.
	checkpointRef struct {
		ThreadID  string          `json:"thread_id"`
		ID        string          `json:"checkpoint_id"`
		Namespace string          `json:"checkpoint_ns"`
		Map       json.RawMessage `json:"checkpoint_map"`
	}
	// insideRef names the graph inside that a task is.
	insideRef struct {
		ThreadID  string `json:"thread_id"`
		Namespace string `json:"checkpoint_ns"`
	}
	stateTask struct {
		ID         string           `json:"id"`
		Name       string           `json:"name"`
		Error      *string          `json:"error"`
		Interrupts []runs.Interrupt `json:"interrupts"`
		Path       []string         `json:"path"`
		Checkpoint *insideRef       `json:"checkpoint"`
		State      *threadState     `json:"state"`
		Result     json.RawMessage  `json:"result"`
	}
	// threadState is a state on the wire.
	threadState struct {
		Values     json.RawMessage `json:"values"`
		Next       []string        `json:"next"`
		Tasks      []stateTask     `json:"tasks"`
		Metadata   runs.Object     `json:"metadata,omitempty"`
		CreatedAt  *time.Time      `json:"created_at"`
		Checkpoint *checkpointRef  `json:"checkpoint"`
		Parent     *checkpointRef  `json:"parent_checkpoint"`
		// Interrupts are those of all tasks, as the Python client expects them.
		Interrupts []runs.Interrupt `json:"interrupts"`
		// CheckpointID and ParentID are the ids of Checkpoint and Parent once more.
		CheckpointID *string `json:"checkpoint_id"`
		ParentID     *string `json:"parent_checkpoint_id"`
	}
	// thread is a thread on the wire.
	thread struct {
		runs.Thread

		// Values and StateUpdatedAt are null before the first run.
		Values         json.RawMessage             `json:"values"`
		StateUpdatedAt *time.Time                  `json:"state_updated_at"`
		Interrupts     map[string][]runs.Interrupt `json:"interrupts"`
		// Error is why the last run failed, null if it did not.
		Error *failure `json:"error"`
		// Extracted is what a search took out of it, by the names that it gave.
		Extracted map[string]any `json:"extracted,omitempty"`
	}
)

// A failure is a kind of error and what it says.
type failure struct {
	Error   string `json:"error"`
	Message string `json:"message"`
}

func ref(thread, id string) *checkpointRef {
	if id == "" {
		return nil
	}
	return &checkpointRef{ThreadID: thread, ID: id}
}

// stateOf shows a state of a thread. The tasks with which a run failed show why as long as nothing happened since.
func stateOf(t runs.Thread, s runs.State) threadState {
	shown := threadState{Values: s.Values, Next: s.Next(), Tasks: []stateTask{}, Interrupts: []runs.Interrupt{}, Checkpoint: ref(t.ID, s.Checkpoint), Parent: ref(t.ID, s.Parent)}
	if shown.Checkpoint == nil {
		return shown
	}
	shown.CreatedAt, shown.CheckpointID = &s.CreatedAt, &shown.Checkpoint.ID
	if shown.Parent != nil {
		shown.ParentID = &shown.Parent.ID
	}
	shown.Metadata = runs.Object{
		"source": s.Source, "step": s.Step, "parents": runs.Object{}, "thread_id": t.ID, "graph_id": t.GraphID, "assistant_id": t.Metadata["assistant_id"],
	}
	if s.RunID != "" {
		shown.Metadata["run_id"] = s.RunID
	}
	for _, task := range s.Tasks {
		entry := stateTask{ID: task.ID, Name: task.Name, Interrupts: task.Interrupts, Path: []string{"__pregel_pull", task.Name}, Result: task.Result}
		if t.Status == runs.ThreadError && t.Error != "" {
			entry.Error = &t.Error
		}
		if task.Namespace != "" {
			entry.Checkpoint = &insideRef{t.ID, task.Namespace}
		}
		shown.Tasks, shown.Interrupts = append(shown.Tasks, entry), append(shown.Interrupts, task.Interrupts...)
	}
	return shown
}

// state is GET /threads/{id}/state, and below it that at a checkpoint.
func (a *handlers) state(c *gin.Context) error { return a.showState(c, c.Param("checkpoint")) }

func (a *handlers) stateAt(c *gin.Context) error {
	body, err := decode[struct {
		Checkpoint *runs.CheckpointRef `json:"checkpoint"`
	}](c)
	if err != nil {
		return err
	}
	if namespace := body.Checkpoint.Inside(); namespace != "" {
		return a.showInside(c, namespace)
	}
	return a.showState(c, body.Checkpoint.Text())
}

func (a *handlers) showState(c *gin.Context, checkpoint string) error {
	s, t, err := a.as(c).State(c.Request.Context(), c.Param("id"), checkpoint)
	if err != nil {
		return err
	}
	if checkpoint != "" {
		t.Error = ""
	}
	shown := stateOf(t, s)
	if flag(c, "subgraphs") {
		err = a.lookInside(c, t, &shown, maxDepth)
	}
	if err != nil {
		return err
	}
	return answer(c, shown)
}

// showInside shows how a graph inside stands now.
func (a *handlers) showInside(c *gin.Context, namespace string) error {
	s, t, err := a.as(c).Inside(c.Request.Context(), c.Param("id"), namespace)
	if err != nil {
		return err
	}
	shown := insideOf(t, namespace, s)
	if err := a.lookInside(c, t, &shown, maxDepth); err != nil {
		return err
	}
	return answer(c, shown)
}

// insideOf shows the state of a graph inside.
func insideOf(t runs.Thread, namespace string, s runs.State) threadState {
	shown := stateOf(t, s)
	for _, at := range []*checkpointRef{shown.Checkpoint, shown.Parent} {
		if at != nil {
			at.Namespace = namespace
		}
	}
	return shown
}

// maxDepth is how deep graphs in graphs are shown.
const maxDepth = 16

// lookInside adds the states of the graphs inside that have begun.
func (a *handlers) lookInside(c *gin.Context, t runs.Thread, shown *threadState, depth int) error {
	for i := range shown.Tasks {
		task := &shown.Tasks[i]
		if task.Checkpoint == nil || depth == 0 {
			continue
		}
		s, _, err := a.as(c).Inside(c.Request.Context(), t.ID, task.Checkpoint.Namespace)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		inner := insideOf(t, task.Checkpoint.Namespace, s)
		if err := a.lookInside(c, t, &inner, depth-1); err != nil {
			return err
		}
		task.State = &inner
	}
	return nil
}

func (a *handlers) updateState(c *gin.Context) error {
	body, err := decode[runs.StateUpdate](c)
	if err != nil {
		return err
	}
	id, err := a.as(c).UpdateState(c.Request.Context(), c.Param("id"), body)
	if errors.Is(err, runs.ErrBusy) {
		return fmt.Errorf("thread is busy: %w", fault.ErrConflict)
	}
	if err != nil {
		return err
	}
	return answer(c, gin.H{
		"checkpoint": ref(c.Param("id"), id), "checkpoint_id": id,
		"configurable": gin.H{"thread_id": c.Param("id"), "checkpoint_id": id, "checkpoint_ns": ""},
	})
}

// patchState merges metadata into those of the thread.
func (a *handlers) patchState(c *gin.Context) error {
	body, err := decode[runs.NewThread](c)
	if err != nil {
		return err
	}
	if _, err := a.as(c).UpdateThread(c.Request.Context(), c.Param("id"), body.Metadata, nil); err != nil {
		return err
	}
	return a.noContent(c)
}

// history is GET and POST /threads/{id}/history.
func (a *handlers) history(c *gin.Context) error {
	body, err := decode[struct {
		search

		Before     *runs.CheckpointRef `json:"before"`
		Checkpoint *runs.CheckpointRef `json:"checkpoint"`
	}](c)
	if err != nil {
		return err
	}
	page, err := body.page(10)
	if err != nil {
		return err
	}
	f := runs.HistoryFilter{Limit: page.Limit, Before: body.Before.Text(), At: body.Checkpoint.Text(), Match: body.Metadata}
	if c.Request.Method != "POST" {
		if f.Limit, err = number(c, "limit", 10); err != nil {
			return err
		}
		f.Limit, f.Before = min(f.Limit, maxLimit), c.Query("before")
	}
	states, t, err := a.as(c).History(c.Request.Context(), c.Param("id"), f)
	if err != nil {
		return err
	}
	if f.Before != "" {
		t.Error = ""
	}
	return sendStates(c, t, states)
}

// sendStates sends a list of states, each as soon as it is known: together they may be large.
func sendStates(c *gin.Context, t runs.Thread, states iter.Seq2[runs.State, error]) error {
	next := "["
	for s, err := range states {
		if err != nil {
			return err
		}
		data, err := encode(stateOf(t, s))
		if err != nil {
			return err
		}
		if next == "[" {
			c.Header("Content-Type", "application/json")
			c.Status(http.StatusOK)
		}
		if _, err := c.Writer.Write(append([]byte(next), data...)); err != nil {
			return fmt.Errorf("%w: %w", door.ErrGone, err)
		}
		next, t.Error = ",", ""
	}
	if next == "[" {
		return answer(c, []threadState{})
	}
	_, err := c.Writer.WriteString("]")
	return err
}

// storage is GET /threads/{id}/storage: how many bytes the thread's checkpoints have.
func (a *handlers) storage(c *gin.Context) error {
	s, err := a.as(c).Storage(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return answer(c, gin.H{
		"thread_id": c.Param("id"), "total_bytes": s.Checkpoints.Bytes + s.Values.Bytes + s.Pending.Bytes,
		"checkpoints":    s.Checkpoints,
		"channel_values": gin.H{"count": s.Values.Count, "bytes": s.Values.Bytes, "by_channel": s.ByChannel},
		"pending_writes": s.Pending,
	})
}
