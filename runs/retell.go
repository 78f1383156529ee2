package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"annai/graph"
)

// told is what earlier attempts at a run said.
type told struct {
	events []Event
	// tasks are the starts of tasks, each once, and finished says which of them were said to have finished.
	tasks    []toldTask
	finished map[string]bool
	// values says that a state was told, stopped that the run asked or paused.
	values, stopped bool
}

type toldTask struct {
	TaskEnd

	step int
}

// readTold reads a log.
func readTold(events []Event) (*told, error) {
	t := &told{finished: map[string]bool{}}
	for _, e := range events {
		if e.Namespace != "" {
			continue
		}
		switch e.Kind {
		case KindValues:
			t.values = true
		case KindInterrupt:
			t.stopped = true
		case KindTask, KindTaskEnd:
			task := toldTask{step: e.Step}
			if err := json.Unmarshal(e.Data, &task.TaskEnd); err != nil {
				return nil, fmt.Errorf("event %d: %w", e.ID, err)
			}
			if !t.task(e.Kind, task) {
				continue
			}
		case KindBegin, KindUpdate, KindMessage, KindCustom, KindCheckpoint, KindEnd:
		}
		t.events = append(t.events, e)
	}
	return t, nil
}

// task takes in the start or end of a task, and reports whether it was more than the end of one that failed or asks and runs again.
func (t *told) task(kind Kind, task toldTask) bool {
	switch {
	case kind == KindTaskEnd && (task.Error != nil || len(task.Interrupts) > 0):
		return false
	case kind == KindTaskEnd:
		t.finished[task.ID] = true
	case !slices.ContainsFunc(t.tasks, func(other toldTask) bool { return other.ID == task.ID }):
		t.tasks = append(t.tasks, task)
	}
	return true
}

// take takes an event of the kind out of what was said of the superstep, and reports whether there was one.
func (t *told) take(kind Kind, step int, node string) bool {
	i := slices.IndexFunc(t.events, func(e Event) bool { return e.Kind == kind && e.Step == step && e.Node == node })
	if i < 0 {
		return false
	}
	t.events = slices.Delete(t.events, i, i+1)
	return true
}

// open returns the id of a task of the node whose end was not said, and takes that for said.
func (t *told) open(step int, node string) (id string, ok bool) {
	for _, task := range t.tasks {
		if task.step == step && task.Name == node && !t.finished[task.ID] {
			t.finished[task.ID] = true
			return task.ID, true
		}
	}
	return "", false
}

// retell says what the log lacks of the newest superstep, as it would have been said after its commit. What came before is there, see guard. It reports whether the log
// has, then, how the thread stands.
func (r *teller[S]) retell(ctx context.Context, start *entry[S]) (bool, error) {
	log, err := r.in.Said(ctx)
	if err != nil {
		return false, fmt.Errorf("log of run %s: %w", r.in.RunID, err)
	}
	said, err := readTold(log)
	if err != nil {
		return false, err
	}
	start.nothing = start.nothing || said.stopped
	chain, _, err := r.graph.store.Load(ctx, r.in.ThreadID, "", start.from)
	if err != nil || len(chain) == 0 {
		return false, err
	}
	c, err := r.graph.graph.State(ctx, r.in.ThreadID, chain[0].ID)
	if err != nil {
		return false, err
	}
	r.state = c.State
	if c.RunID == r.in.RunID {
		if err := r.retellRecord(ctx, said, chain[0], c); err != nil {
			return false, err
		}
	}
	r.resumeEnds(said, chain[0])
	return said.values, nil
}

// retellRecord says what is missing of the record.
func (r *teller[S]) retellRecord(ctx context.Context, said *told, rec graph.Record, c graph.Checkpoint[S]) error {
	switch {
	case c.Source == graph.SourceLoop:
		if err := r.retellTasks(ctx, said, rec); err != nil {
			return err
		}
	case c.Source == graph.SourceUpdate || r.in.Kwargs.Command != nil: // how the thread stands is all that is said of these
		return nil
	}
	c.Interrupts = nil // there were none yet
	if err := r.retellCheckpoint(ctx, said, c); err != nil {
		return err
	}
	said.values = true
	if said.take(KindValues, c.Step, "") {
		return nil
	}
	return r.tell(graph.Place{Step: c.Step}, KindValues, c.State)
}

func (r *teller[S]) retellCheckpoint(ctx context.Context, said *told, c graph.Checkpoint[S]) error {
	r.begun = c.Source != graph.SourceInput || said.take(KindCheckpoint, c.Step, "") // that before the input
	if said.take(KindCheckpoint, c.Step, "") {
		return nil
	}
	return r.checkpoint(ctx, graph.Place{Step: c.Step}, c)
}

// retellTasks says which tasks ended in the superstep that the record is of, and what they wrote.
func (r *teller[S]) retellTasks(ctx context.Context, said *told, rec graph.Record) error {
	if rec.Parent == 0 { // what was before is forgotten
		return nil
	}
	chain, _, err := r.graph.store.Load(ctx, r.in.ThreadID, "", rec.Parent)
	if err != nil {
		return fmt.Errorf("checkpoint before %d of thread %s: %w", rec.ID, r.in.ThreadID, err)
	}
	for i, task := range chain[0].Tasks {
		at := graph.Place{Step: rec.Step, Node: task.Node}
		ended := said.take(KindTaskEnd, at.Step, at.Node)
		if said.take(KindUpdate, at.Step, at.Node) {
			continue
		}
		wrote, err := r.graph.wrote(ctx, r.in.ThreadID, chain[0], i, &rec)
		if err != nil {
			return err
		}
		if !ended {
			err = r.retellEnd(said, at, wrote)
		}
		if err == nil {
			err = r.tell(at, KindUpdate, wrote)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// retellEnd says that a task of the node ended whose start was said.
func (r *teller[S]) retellEnd(said *told, at graph.Place, wrote any) error {
	id, ok := said.open(at.Step, at.Node)
	if !ok {
		return nil
	}
	return r.endOf(graph.TaskEvent{Place: at, ID: id, Ended: true}, wrote)
}

// resumeEnds has the ends of tasks be said that finished in an earlier attempt at the superstep that goes on: it is known what they wrote when that ends.
func (r *teller[S]) resumeEnds(said *told, rec graph.Record) {
	if !r.want.Kinds[KindTaskEnd] {
		return
	}
	pending := slices.Clone(rec.Pending)
	slices.SortFunc(pending, func(a, b graph.TaskWrites) int { return a.Task - b.Task })
	for _, w := range pending {
		if !w.Finished || w.Task >= len(rec.Tasks) {
			continue
		}
		at := graph.Place{Step: rec.Step + 1, Node: rec.Tasks[w.Task].Node}
		if id, ok := said.open(at.Step, at.Node); ok {
			r.ended = append(r.ended, graph.TaskEvent{Place: at, ID: id, Ended: true})
		}
	}
}
