package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"annai/graph"
)

// ended returns the record of the superstep that came right after a record; nil if another came, or none.
func (t *typed[S]) ended(ctx context.Context, thread string, record int64) (*graph.Record, error) {
	next, err := t.store.List(ctx, thread, "", record+2, 1)
	switch {
	case err != nil:
		return nil, fmt.Errorf("checkpoint after %d of thread %s: %w", record, thread, err)
	case len(next) == 0 || next[0].Parent != record || next[0].Source != graph.SourceLoop:
		return nil, nil
	default:
		return &next[0], nil
	}
}

// results fills in what the tasks of a record wrote that have run; next is the record of their superstep, nil if that has not ended.
func (t *typed[S]) results(ctx context.Context, thread string, tasks []Task, rec graph.Record, next *graph.Record) error {
	for i := range tasks {
		wrote, err := t.wrote(ctx, thread, rec, i, next)
		if err == nil && wrote != nil {
			tasks[i].Result, err = json.Marshal(wrote)
		}
		if err != nil {
			return fmt.Errorf("what node %s wrote: %w", tasks[i].Name, err)
		}
	}
	return nil
}

// wrote returns what a task of a record wrote: what it left there, or, as the only one, what the record of its superstep has. Nil: it has not run.
func (t *typed[S]) wrote(ctx context.Context, thread string, rec graph.Record, task int, next *graph.Record) (map[string]json.RawMessage, error) {
	for _, w := range rec.Pending {
		if w.Task == task && w.Finished {
			return object(w.Writes), nil
		}
	}
	switch {
	case next == nil:
		return nil, nil
	case len(rec.Tasks) != 1:
		return map[string]json.RawMessage{}, nil
	default:
		return t.added(ctx, thread, *next)
	}
}

// added returns what a record added to the one before.
func (t *typed[S]) added(ctx context.Context, thread string, rec graph.Record) (map[string]json.RawMessage, error) {
	if !rec.Snapshot {
		return object(rec.Writes), nil
	}
	c, err := t.graph.State(ctx, thread, rec.ID)
	if err != nil {
		return nil, err
	}
	old, err := t.parent(ctx, thread, c)
	if err != nil {
		return nil, err
	}
	changed, err := difference(old.State, c.State)
	for name := range changed {
		if !slices.ContainsFunc(rec.Writes, func(w graph.ChannelData) bool { return w.Channel == name }) {
			delete(changed, name)
		}
	}
	return changed, err
}

// object makes an object of writes. A channel written twice keeps the last value, and those with names in underlines are the engine's own.
func object(writes []graph.ChannelData) map[string]json.RawMessage {
	o := map[string]json.RawMessage{}
	for _, w := range writes {
		if len(w.Channel) > 4 && w.Channel[:2] == "__" && w.Channel[len(w.Channel)-2:] == "__" {
			continue
		}
		o[w.Channel] = json.RawMessage(w.Data)
		if len(w.Data) == 0 {
			o[w.Channel] = json.RawMessage("null")
		}
	}
	return o
}

// difference returns what is new in a state: of lists that grew what was added, else whole values.
func difference(before, after any) (map[string]json.RawMessage, error) {
	var objects [2]map[string]json.RawMessage
	for i, state := range []any{before, after} {
		data, err := json.Marshal(state)
		if err == nil {
			err = json.Unmarshal(data, &objects[i])
		}
		if err != nil {
			return nil, fmt.Errorf("what a state has new: %w", err)
		}
	}
	for name, value := range objects[1] {
		old := objects[0][name]
		var had, has []json.RawMessage
		switch {
		case bytes.Equal(old, value):
			delete(objects[1], name)
		case json.Unmarshal(old, &had) == nil && json.Unmarshal(value, &has) == nil && len(had) <= len(has) &&
			slices.EqualFunc(had, has[:len(had)], func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }):
			added, err := json.Marshal(has[len(had):])
			if err != nil {
				return nil, fmt.Errorf("what a state has new: %w", err)
			}
			objects[1][name] = added
		}
	}
	return objects[1], nil
}
