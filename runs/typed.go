package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"annai/fault"
	"annai/graph"
)

// A Field reads what JSON has for one channel of the state S. See [FieldOf].
type Field[S any] struct {
	Name string
	Read func(data json.RawMessage) (graph.Write[S], error)
}

// FieldOf makes the field of a channel, which reads what its updates look like in JSON.
func FieldOf[S, U any](c graph.Channel[S, U]) Field[S] {
	return Field[S]{Name: c.Name(), Read: func(data json.RawMessage) (graph.Write[S], error) {
		var update U
		if err := json.Unmarshal(data, &update); err != nil {
			return graph.Write[S]{}, fmt.Errorf("%s: %w: %w", c.Name(), err, fault.ErrInvalid)
		}
		return c.Write(update), nil
	}}
}

// A Definition is what [Typed] must know of a graph.
type Definition[S any] struct {
	// ID is what the graph is called here. Empty: its name.
	ID string
	// Graph was compiled with a name, a checkpointer and a clock.
	Graph *graph.Graph[S]
	// Fields are what input and updates from outside may write; anything else in them is ignored.
	Fields  []Field[S]
	Schemas Schemas
	// Context is what nodes find with [graph.RunContext] in a run that begins with the input. Nil: its [Config].
	Context func(in Input) any
}

// Typed makes a [Graph] of a graph. A definition that can't be right is [fault.ErrInvalid].
func Typed[S any](d Definition[S]) (Graph, error) {
	if d.Graph == nil {
		return nil, fmt.Errorf("a definition without a graph: %w", fault.ErrInvalid)
	}
	_, opts := d.Graph.Source()
	if opts.Checkpointer == nil || opts.Now == nil || opts.Name == "" {
		return nil, fmt.Errorf("a graph needs a name, a checkpointer and a clock: %w", fault.ErrInvalid)
	}
	d.ID = cmp.Or(d.ID, opts.Name)
	t := &typed[S]{def: d, opts: opts, graph: d.Graph.WithCheckpointer(guard{opts.Checkpointer}), store: opts.Checkpointer}
	t.fingerprint = opts.Name
	if opts.Version != 0 {
		t.fingerprint = fmt.Sprintf("%s@%d", opts.Name, opts.Version)
	}
	return t, nil
}

// A Holder is a checkpointer that can keep in memory for a moment what is put on a thread: a thread that is deleted by
// then costs the store nothing.
type Holder interface {
	// Hold does so with a thread, which is empty. Forget forgets what is held, and writes none of it.
	Hold(thread string)
	Forget(thread string)
}

type typed[S any] struct {
	def Definition[S]
	// opts are those that the graph was compiled with.
	opts        graph.Options
	graph       *graph.Graph[S]
	store       graph.Checkpointer
	fingerprint string
}

func (t *typed[S]) ID() string             { return t.def.ID }
func (t *typed[S]) Drawing() graph.Drawing { return t.graph.Drawing() }
func (t *typed[S]) Schemas() Schemas       { return t.def.Schemas }

// update reads an object of channels.
func (t *typed[S]) update(data json.RawMessage) (graph.Update[S], error) {
	update := graph.Update[S]{}
	var values map[string]json.RawMessage
	if isNull(data) {
		return update, nil
	}
	if err := json.Unmarshal(data, &values); err != nil {
		return nil, fmt.Errorf("the state is an object: %w: %w", err, fault.ErrInvalid)
	}
	for _, f := range t.def.Fields {
		value, ok := values[f.Name]
		if !ok {
			continue
		}
		w, err := f.Read(value)
		if err != nil {
			return nil, err
		}
		update = append(update, w)
	}
	return update, nil
}

func isNull(data json.RawMessage) bool { return len(data) == 0 || string(data) == "null" }

// State implements [Graph].
func (t *typed[S]) State(ctx context.Context, thread, checkpoint string) (State, error) {
	at, err := placeOf(thread, checkpoint)
	if err != nil {
		return State{}, err
	}
	c, err := t.graph.State(ctx, thread, at.record)
	switch {
	case errors.Is(err, fault.ErrNotFound) && checkpoint == "":
		return State{Values: json.RawMessage("{}")}, nil
	case err != nil:
		return State{}, err
	}
	chain, _, err := t.store.Load(ctx, thread, "", c.ID)
	switch {
	case err != nil:
		return State{}, fmt.Errorf("checkpoint %d of thread %s: %w", c.ID, thread, err)
	case at.before:
		return t.input(ctx, thread, c, chain[0])
	case len(c.Next) == 0:
		return t.after(ctx, thread, c)
	}
	next, err := t.ended(ctx, thread, c.ID)
	if err != nil {
		return State{}, err
	}
	return t.superstep(ctx, thread, c, chain[0], next)
}

// superstep shows a record with what its tasks wrote.
func (t *typed[S]) superstep(ctx context.Context, thread string, c graph.Checkpoint[S], rec graph.Record, next *graph.Record) (State, error) {
	s, err := t.after(ctx, thread, c)
	if err == nil {
		err = t.results(ctx, thread, s.Tasks, rec, next)
	}
	return s, err
}

// input shows what was there before the input of a record, and the input.
func (t *typed[S]) input(ctx context.Context, thread string, c graph.Checkpoint[S], rec graph.Record) (State, error) {
	s, err := t.before(ctx, thread, c)
	if err != nil {
		return s, err
	}
	took, err := t.added(ctx, thread, rec)
	if err == nil {
		s.Tasks[0].Result, err = json.Marshal(took)
	}
	return s, err
}

// after shows a record.
func (t *typed[S]) after(ctx context.Context, thread string, c graph.Checkpoint[S]) (State, error) {
	values, err := json.Marshal(c.State)
	if err != nil {
		return State{}, fmt.Errorf("state of thread %s: %w", thread, err)
	}
	s := State{
		Values: values, Checkpoint: place{record: c.ID}.text(thread), Parent: place{record: c.Parent}.text(thread),
		Source: string(c.Source), Step: step(c.ID, c.Step), RunID: c.RunID, CreatedAt: c.At,
	}
	switch c.Source {
	case graph.SourceInput:
		s.Source, s.Parent = string(graph.SourceLoop), place{c.ID, true}.text(thread)
	case graph.SourceUpdate:
		if parent, err := t.parent(ctx, thread, c); err == nil && blank(parent.RunID) {
			s.Parent = standsFor(parent.RunID).text(thread)
		}
	case graph.SourceLoop:
	}
	s.Tasks, err = t.tasks(ctx, thread, c.ID, c.Next, c.Interrupts)
	s.name(c.Namespaces)
	return s, err
}

// name says where the tasks that are graphs inside remember.
func (s *State) name(namespaces []string) {
	for i := range min(len(s.Tasks), len(namespaces)) {
		s.Tasks[i].Namespace = namespaces[i]
	}
}

// Inside implements [Graph].
func (t *typed[S]) Inside(ctx context.Context, thread, namespace string) (State, error) {
	if namespace == "" {
		return t.State(ctx, thread, "")
	}
	c, err := t.graph.Inside(ctx, thread, namespace)
	if err != nil {
		return State{}, err
	}
	return inside(thread, namespace, c)
}

// inside shows a checkpoint of a graph inside.
func inside(thread, namespace string, c graph.Checkpoint[any]) (State, error) {
	values, err := json.Marshal(c.State)
	if err != nil {
		return State{}, fmt.Errorf("state of %s in thread %s: %w", namespace, thread, err)
	}
	at := func(id int64) string {
		if id == 0 {
			return ""
		}
		return textID(fmt.Sprintf("%s %s %d", thread, namespace, id))
	}
	s := State{
		Values: values, Checkpoint: at(c.ID), Parent: at(c.Parent),
		Source: string(c.Source), Step: c.Step, RunID: c.RunID, CreatedAt: c.At,
	}
	s.Tasks, err = tasks(thread+" "+namespace, c.ID, c.Next, c.Interrupts, nil)
	s.name(c.Namespaces)
	return s, err
}

// tasks lists what runs next at a record, with the questions that are open.
func (t *typed[S]) tasks(ctx context.Context, thread string, record int64, next []string, open []graph.Interrupt) ([]Task, error) {
	asks := map[string]int{}
	if len(open) > 0 && len(next) > 1 {
		chain, _, err := t.store.Load(ctx, thread, "", record)
		if err != nil {
			return nil, fmt.Errorf("who asks on thread %s: %w", thread, err)
		}
		for _, w := range chain[0].Pending {
			for _, i := range w.Interrupts {
				asks[i.ID] = w.Task
			}
		}
	}
	return tasks(thread, record, next, open, asks)
}

// parent returns the record before one.
func (t *typed[S]) parent(ctx context.Context, thread string, c graph.Checkpoint[S]) (graph.Checkpoint[S], error) {
	if c.Parent == 0 {
		return graph.Checkpoint[S]{}, nil
	}
	return t.graph.State(ctx, thread, c.Parent)
}

// before shows what was there before the input of a record was taken in.
func (t *typed[S]) before(ctx context.Context, thread string, c graph.Checkpoint[S]) (State, error) {
	s := State{
		Values: json.RawMessage("{}"), Checkpoint: place{c.ID, true}.text(thread), Parent: place{record: c.Parent}.text(thread),
		Source: string(graph.SourceInput), Step: step(c.ID, c.Step) - 1, RunID: c.RunID, CreatedAt: c.At,
		Tasks: []Task{{ID: taskID(thread, c.ID, -1), Name: graph.Start, Interrupts: []Interrupt{}}},
	}
	parent, err := t.parent(ctx, thread, c)
	switch {
	case err != nil || c.Parent == 0:
		return s, err
	case blank(parent.RunID):
		s.Parent = standsFor(parent.RunID).text(thread)
		return s, nil
	}
	s.Values, err = json.Marshal(parent.State)
	return s, err
}

// History implements [Graph].
func (t *typed[S]) History(ctx context.Context, thread, before string) iter.Seq2[State, error] {
	return func(yield func(State, error) bool) {
		from, err := placeOf(thread, before)
		if err != nil {
			yield(State{}, err)
			return
		}
		bound := from.record
		if bound > 0 && !from.before {
			bound++ // what was before the input of that record is before it
		}
		next := map[int64]graph.Record{} // by the record that it followed
		for rec, err := range t.records(ctx, thread, bound) {
			if err != nil {
				yield(State{}, err)
				return
			}
			if rec.Source == graph.SourceLoop {
				next[rec.Parent] = rec
			}
			if !t.show(ctx, thread, rec, rec.ID != from.record, next, yield) {
				return
			}
		}
	}
}

// records yields the records of a thread below the bound, newest first.
func (t *typed[S]) records(ctx context.Context, thread string, bound int64) iter.Seq2[graph.Record, error] {
	return func(yield func(graph.Record, error) bool) {
		for size := 16; ; size = 128 { // most want a few
			list, err := t.store.List(ctx, thread, "", bound, size)
			if err != nil {
				yield(graph.Record{}, fmt.Errorf("history of thread %s: %w", thread, err))
				return
			}
			for _, rec := range list {
				if !yield(rec, nil) {
					return
				}
				bound = rec.ID
			}
			if len(list) < size {
				return
			}
		}
	}
}

// show yields what a record shows; the record itself only if whole. Next are the records of the supersteps that followed others, as far as they are known.
func (t *typed[S]) show(
	ctx context.Context, thread string, rec graph.Record, whole bool, next map[int64]graph.Record, yield func(State, error) bool,
) bool {
	if blank(rec.RunID) {
		return true
	}
	c, err := t.graph.State(ctx, thread, rec.ID)
	if err != nil {
		yield(State{}, err)
		return false
	}
	if whole {
		if s, err := t.past(ctx, thread, c, rec, next); !yield(s, err) || err != nil {
			return false
		}
	}
	if c.Source != graph.SourceInput {
		return true
	}
	s, err := t.input(ctx, thread, c, rec)
	return yield(s, err) && err == nil
}

// past shows a record of the history.
func (t *typed[S]) past(ctx context.Context, thread string, c graph.Checkpoint[S], rec graph.Record, next map[int64]graph.Record) (State, error) {
	if after, known := next[rec.ID]; known {
		return t.superstep(ctx, thread, c, rec, &after)
	}
	after, err := t.ended(ctx, thread, rec.ID)
	if err != nil {
		return State{}, err
	}
	return t.superstep(ctx, thread, c, rec, after)
}

// Update implements [Graph].
func (t *typed[S]) Update(ctx context.Context, thread, checkpoint string, values json.RawMessage, asNode string) (string, error) {
	at, err := t.startAt(ctx, thread, checkpoint)
	if err != nil {
		return "", err
	}
	update, err := t.update(values)
	if err != nil {
		return "", err
	}
	id, err := t.graph.UpdateState(ctx, thread, at, update, asNode)
	return place{record: id}.text(thread), err
}

// startAt returns the record to start from at a checkpoint: 0 is the newest. There is one afterwards.
func (t *typed[S]) startAt(ctx context.Context, thread, checkpoint string) (int64, error) {
	at, err := placeOf(thread, checkpoint)
	if err != nil {
		return 0, err
	}
	if at.record > 0 && !at.before {
		return at.record, nil
	}
	chain, newest, err := t.store.Load(ctx, thread, "", at.record)
	switch {
	case err != nil:
		return 0, fmt.Errorf("checkpoint of thread %s: %w", thread, err)
	case at.before && chain[0].Parent != 0:
		return chain[0].Parent, nil
	case at.before, newest == 0:
		return t.begin(ctx, thread, newest, at)
	default:
		return 0, nil
	}
}

// begin puts a blank record, an empty state that is never shown, for updates and forks to start from. It stands for what was before the first input, if there
// was one.
func (t *typed[S]) begin(ctx context.Context, thread string, newest int64, before place) (int64, error) {
	id := newest + 1
	err := t.store.Put(ctx, thread, graph.Record{
		ID: id, Base: id, RunID: blankRun + strconv.FormatInt(before.record, 10), Source: graph.SourceUpdate, At: t.opts.Now(),
		Graph: t.fingerprint, Snapshot: true,
	})
	if err != nil {
		return 0, fmt.Errorf("begin thread %s: %w", thread, err)
	}
	return id, nil
}

// jump makes what a command names run next on the thread.
func (t *typed[S]) jump(ctx context.Context, in Input, at int64, to []Goto) error {
	chain, newest, err := t.store.Load(ctx, in.ThreadID, "", at)
	if err != nil {
		return fmt.Errorf("go on thread %s: %w", in.ThreadID, err)
	}
	from := chain[0]
	next := graph.Record{
		ID: newest + 1, Parent: from.ID, Base: from.Base, LogBytes: from.LogBytes, RunID: in.RunID, Step: from.Step,
		Source: graph.SourceInput, At: t.opts.Now(), Graph: t.fingerprint,
	}
	for _, g := range to {
		if g.Node == graph.End {
			continue
		}
		if !slices.ContainsFunc(t.Drawing().Nodes, func(n graph.DrawnNode) bool { return n.Name == g.Node }) || g.Node == graph.Start {
			return fmt.Errorf("go to %q, which is no node: %w", g.Node, fault.ErrInvalid)
		}
		next.Tasks = append(next.Tasks, graph.TaskData{Node: g.Node, Input: g.Input})
	}
	if err := t.store.Put(ctx, in.ThreadID, next); err != nil {
		return fmt.Errorf("go on thread %s: %w", in.ThreadID, err)
	}
	return nil
}

// Copy implements [Graph].
func (t *typed[S]) Copy(ctx context.Context, from, to string) error {
	return t.graph.Copy(ctx, from, to)
}

// Delete implements [Graph].
func (t *typed[S]) Delete(ctx context.Context, thread string) error {
	return t.graph.Delete(ctx, thread)
}

// KeepLatest implements [Graph].
func (t *typed[S]) KeepLatest(ctx context.Context, thread string) error {
	return t.graph.KeepLatest(ctx, thread)
}

// Head implements [Graph].
func (t *typed[S]) Head(ctx context.Context, thread string) (string, error) {
	newest, err := t.store.List(ctx, thread, "", 0, 1)
	if err != nil || len(newest) == 0 {
		return "", err
	}
	return place{record: newest[0].ID}.text(thread), nil
}

// Rewind implements [Graph].
func (t *typed[S]) Rewind(ctx context.Context, thread, checkpoint string) error {
	if checkpoint == "" {
		return t.graph.Delete(ctx, thread)
	}
	head, err := t.Head(ctx, thread)
	if err != nil || head == checkpoint {
		return err
	}
	at, err := t.startAt(ctx, thread, checkpoint)
	if err == nil {
		_, err = t.graph.UpdateState(ctx, thread, at, nil, "")
	}
	return err
}

// interrupt shows a question.
func interrupt(i graph.Interrupt) (Interrupt, error) {
	value, err := json.Marshal(i.Question)
	if err != nil {
		return Interrupt{}, fmt.Errorf("question %s: %w", i.ID, err)
	}
	return Interrupt{ID: i.ID, Value: value, ResponseSchema: i.ResponseSchema}, nil
}

// now is the graph's clock, in the precision in which times are sent.
func (t *typed[S]) now() time.Time { return t.opts.Now().UTC().Truncate(time.Millisecond) }
