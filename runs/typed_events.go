package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/graph"
)

// teller turns what the engine says into what is wanted of it.
type teller[S any] struct {
	graph *typed[S]
	in    Input
	want  Want
	emit  func(Event)

	state   S // the newest whole one
	steps   int
	limit   int
	outcome Outcome
	// ended are the ends of tasks that wait for what they wrote, which the engine says later.
	ended   []graph.Event
	hearing *hearing
	// begun says that the checkpoint before the input was shown.
	begun bool
}

// kinds says which modes of the engine a kind needs.
var kinds = map[Kind][]graph.Mode{
	KindUpdate:     {graph.ModeUpdates},
	KindMessage:    {graph.ModeMessages},
	KindCustom:     {graph.ModeCustom},
	KindTask:       {graph.ModeTasks, graph.ModeUpdates},
	KindCheckpoint: {graph.ModeCheckpoints},
}

// patience is how long the engine waits for us: whoever keeps events may be slow for a while, and none may be lost.
const patience = time.Hour

func (r *teller[S]) options(start entry[S]) graph.RunOptions {
	limit, _ := r.in.Kwargs.Config["recursion_limit"].(float64)
	r.limit = int(limit)
	if r.limit <= 0 {
		r.limit = r.graph.graph.RecursionLimit()
	}
	opts := graph.RunOptions{
		ThreadID: r.in.ThreadID, RunID: r.in.RunID, Checkpoint: start.from, RecursionLimit: r.limit, Modes: []graph.Mode{graph.ModeValues},
		Durability: graph.Durability(r.in.Kwargs.Durability), Store: r.in.Store,
		ReaderTimeout: patience, Subgraphs: r.want.Subgraphs, Context: r.in.Config(),
	}
	if r.graph.def.Context != nil {
		opts.Context = r.graph.def.Context(r.in)
	}
	for kind, modes := range kinds {
		if r.want.Kinds[kind] {
			opts.Modes = append(opts.Modes, modes...)
		}
	}
	if r.in.Settle != nil {
		opts.Modes = append(opts.Modes, graph.ModeTasks) // their ends say how much was heard
	}
	if !start.fresh {
		r.steps = 1 // no values are said before the first superstep
	}
	return opts
}

// standing says how the thread stands before the run goes on, unless an attempt before has said so.
func (r *teller[S]) standing(ctx context.Context, start *entry[S]) error {
	if r.in.Again && r.in.Said != nil {
		if told, err := r.retell(ctx, start); told || err != nil {
			return err
		}
	}
	c, err := r.graph.graph.State(ctx, r.in.ThreadID, start.from)
	if err != nil {
		return err
	}
	r.state = c.State
	return r.tell(graph.Event{}, KindValues, c.State)
}

// hear turns one event of the engine into what is wanted of it.
func (r *teller[S]) hear(ctx context.Context, e graph.Event) error {
	switch e.Mode {
	case graph.ModeValues:
		return r.values(e)
	case graph.ModeUpdates:
		return r.update(e)
	case graph.ModeMessages:
		return r.tell(e, KindMessage, e.Value)
	case graph.ModeCustom:
		return r.tell(e, KindCustom, e.Value)
	case graph.ModeTasks:
		return r.task(e)
	case graph.ModeCheckpoints:
		return r.checkpoint(ctx, e)
	case graph.ModeResult:
		return r.result(ctx, e)
	default:
		return nil
	}
}

// tell emits an event if it is wanted.
func (r *teller[S]) tell(e graph.Event, kind Kind, data any) error {
	if !r.want.Kinds[kind] || e.Namespace != "" && !r.want.Subgraphs {
		return nil
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("what node %s says: %w", e.Node, err)
	}
	r.emit(Event{At: r.graph.now(), Kind: kind, Namespace: e.Namespace, Node: e.Node, Step: e.Step, Data: encoded})
	return nil
}

func (r *teller[S]) values(e graph.Event) error {
	if e.Namespace == "" {
		if s, ok := e.Value.(S); ok {
			r.state = s
		}
		r.steps++
	}
	return r.tell(e, KindValues, e.Value)
}

func (r *teller[S]) update(e graph.Event) error {
	for i, end := range r.ended {
		if end.Node == e.Node && end.Namespace == e.Namespace {
			r.ended = append(r.ended[:i:i], r.ended[i+1:]...)
			if err := r.endOf(end, e.Value); err != nil {
				return err
			}
			break
		}
	}
	return r.tell(e, KindUpdate, e.Value)
}

// A TaskStart is the data of [KindTask], a TaskEnd that of [KindTaskEnd].
type (
	TaskStart struct {
		ID         string      `json:"id"`
		Name       string      `json:"name"`
		Input      any         `json:"input"`
		Triggers   []string    `json:"triggers"`
		Interrupts []Interrupt `json:"interrupts"`
	}
	// TaskEnd says what a task wrote, why it failed, or what it asks.
	TaskEnd struct {
		ID         string      `json:"id"`
		Name       string      `json:"name"`
		Result     any         `json:"result"`
		Error      *string     `json:"error"`
		Interrupts []Interrupt `json:"interrupts"`
	}
)

func (r *teller[S]) task(e graph.Event) error {
	t, ok := e.Value.(graph.TaskEvent)
	switch {
	case !ok:
		return nil
	case !t.Ended:
		start := TaskStart{
			ID: t.ID, Name: t.Node, Input: t.Input,
			Triggers: []string{"branch:to:" + t.Node}, Interrupts: []Interrupt{},
		}
		if t.Sent {
			start.Triggers[0] = "__pregel_push"
		}
		err := r.tell(e, KindTask, start)
		if e.Namespace == "" {
			r.hearing.start()
		}
		return err
	case t.Err == nil && len(t.Interrupts) == 0:
		if r.want.Kinds[KindTaskEnd] {
			r.ended = append(r.ended, e)
		}
		r.heard(e)
		return nil
	default:
		err := r.endOf(e, nil)
		r.heard(e)
		return err
	}
}

// heard notes that a task of the graph itself ended.
func (r *teller[S]) heard(e graph.Event) {
	if e.Namespace == "" {
		r.hearing.end()
	}
}

// endOf says how a task ended, with what it wrote.
func (r *teller[S]) endOf(e graph.Event, wrote any) error {
	t, _ := e.Value.(graph.TaskEvent)
	end := TaskEnd{ID: t.ID, Name: t.Node, Result: wrote, Interrupts: []Interrupt{}}
	if wrote == nil {
		end.Result = Object{}
	}
	if t.Err != nil {
		failed := t.Err.Error()
		end.Error = &failed
	}
	for _, i := range t.Interrupts {
		asked, err := interrupt(i)
		if err != nil {
			return err
		}
		end.Interrupts = append(end.Interrupts, asked)
	}
	return r.tell(e, KindTaskEnd, end)
}

func (r *teller[S]) checkpoint(ctx context.Context, e graph.Event) error {
	if e.Namespace != "" {
		return r.checkpointInside(e)
	}
	c, ok := e.Value.(graph.Checkpoint[S])
	if !ok {
		return nil
	}
	if c.Source == graph.SourceInput && !r.begun {
		r.begun = true
		s, err := r.graph.before(ctx, r.in.ThreadID, c)
		if err == nil {
			err = r.tell(e, KindCheckpoint, s)
		}
		if err != nil {
			return err
		}
	}
	s, err := r.graph.after(ctx, r.in.ThreadID, c)
	if err != nil {
		return err
	}
	return r.tell(e, KindCheckpoint, s)
}

// checkpointInside tells where a graph inside came to.
func (r *teller[S]) checkpointInside(e graph.Event) error {
	c, ok := e.Value.(interface{ Any() graph.Checkpoint[any] })
	if !ok || !r.want.Kinds[KindCheckpoint] || !r.want.Subgraphs {
		return nil
	}
	s, err := inside(r.in.ThreadID, e.Namespace, c.Any())
	if err != nil {
		return err
	}
	return r.tell(e, KindCheckpoint, s)
}

// result keeps how the run ended, and says what it asks.
func (r *teller[S]) result(ctx context.Context, e graph.Event) error {
	result, ok := e.Value.(graph.Result[S])
	if !ok {
		return nil
	}
	for _, end := range r.ended { // of a superstep in which another task asks
		if err := r.endOf(end, nil); err != nil {
			return err
		}
	}
	values, err := json.Marshal(result.State)
	if err != nil {
		return fmt.Errorf("state of thread %s: %w", r.in.ThreadID, err)
	}
	r.outcome = Outcome{Values: values, Checkpoint: place{record: result.Checkpoint}.text(r.in.ThreadID)}
	if r.outcome.Tasks, err = r.graph.tasks(ctx, r.in.ThreadID, result.Checkpoint, result.Next, result.Interrupts); err != nil || len(result.Next) == 0 {
		return err
	}
	return r.tell(graph.Event{Step: e.Step}, KindInterrupt, r.outcome.Interrupts())
}

// explain tells a run that came to its limit from others that make no sense.
func (r *teller[S]) explain(err error) error {
	if r.steps > r.limit && errors.Is(err, fault.ErrInvalid) {
		return fmt.Errorf("%w: %w", ErrRecursion, err)
	}
	return err
}
