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
	ended   []graph.TaskEvent
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
		ThreadID: r.in.ThreadID, RunID: r.in.RunID, New: r.in.New && start.fresh && start.from == 0, Checkpoint: start.from, RecursionLimit: r.limit, Modes: []graph.Mode{graph.ModeValues},
		Durability: graph.Durability(r.in.Kwargs.Durability), Store: r.in.Store,
		InterruptBefore: r.graph.named(r.in.Kwargs.InterruptBefore),
		InterruptAfter:  r.graph.named(r.in.Kwargs.InterruptAfter),
		ReaderTimeout:   patience, Subgraphs: r.want.Subgraphs, Context: r.in.Config(),
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
	return r.tell(graph.Place{}, KindValues, c.State)
}

// hear turns one event of the engine into what is wanted of it.
func (r *teller[S]) hear(ctx context.Context, e graph.Event) error {
	switch e := e.(type) {
	case graph.MessageEvent:
		return r.tell(e.Place, KindMessage, e.Message)
	case graph.CustomEvent:
		return r.tell(e.Place, KindCustom, e.Value)
	case graph.TaskEvent:
		return r.task(e)
	case graph.ResultEvent[S]:
		return r.result(ctx, e)
	case graph.StateEvent[S]:
		if e.Namespace == "" {
			r.state = e.State
			r.steps++
		}
	case graph.CheckpointEvent[S]:
		if e.Namespace == "" {
			return r.checkpoint(ctx, e.Place, e.Checkpoint)
		}
	}
	return r.hearAny(e)
}

// hearAny turns what is told of a state, the graph's own or that of a graph inside, which may be any, into what is
// wanted of it.
func (r *teller[S]) hearAny(e graph.Event) error {
	switch data := e.Data(); e.Mode() {
	case graph.ModeValues:
		return r.tell(e.From(), KindValues, data)
	case graph.ModeUpdates:
		return r.update(e.From(), data)
	case graph.ModeCheckpoints:
		return r.checkpointInside(e.From(), data)
	default:
		return nil
	}
}

// tell emits an event if it is wanted.
func (r *teller[S]) tell(at graph.Place, kind Kind, data any) error {
	if !r.want.Kinds[kind] || at.Namespace != "" && !r.want.Subgraphs {
		return nil
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("what node %s says: %w", at.Node, err)
	}
	r.emit(Event{At: r.graph.now(), Kind: kind, Namespace: at.Namespace, Node: at.Node, Step: at.Step, Data: encoded})
	return nil
}

func (r *teller[S]) update(at graph.Place, wrote any) error {
	for i, end := range r.ended {
		if end.Node == at.Node && end.Namespace == at.Namespace {
			r.ended = append(r.ended[:i:i], r.ended[i+1:]...)
			if err := r.endOf(end, wrote); err != nil {
				return err
			}
			break
		}
	}
	return r.tell(at, KindUpdate, wrote)
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

func (r *teller[S]) task(t graph.TaskEvent) error {
	switch {
	case !t.Ended:
		start := TaskStart{
			ID: t.ID, Name: t.Node, Input: t.Input,
			Triggers: []string{"branch:to:" + t.Node}, Interrupts: []Interrupt{},
		}
		if t.Sent {
			start.Triggers[0] = "__pregel_push"
		}
		err := r.tell(t.Place, KindTask, start)
		if t.Namespace == "" {
			r.hearing.start()
		}
		return err
	case t.Err == nil && len(t.Interrupts) == 0:
		if r.want.Kinds[KindTaskEnd] {
			r.ended = append(r.ended, t)
		}
		r.heard(t.Place)
		return nil
	default:
		err := r.endOf(t, nil)
		r.heard(t.Place)
		return err
	}
}

// heard notes that a task of the graph itself ended.
func (r *teller[S]) heard(at graph.Place) {
	if at.Namespace == "" {
		r.hearing.end()
	}
}

// endOf says how a task ended, with what it wrote.
func (r *teller[S]) endOf(t graph.TaskEvent, wrote any) error {
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
	return r.tell(t.Place, KindTaskEnd, end)
}

func (r *teller[S]) checkpoint(ctx context.Context, at graph.Place, c graph.Checkpoint[S]) error {
	if c.Source == graph.SourceInput && !r.begun {
		r.begun = true
		s, err := r.graph.before(ctx, r.in.ThreadID, c)
		if err == nil {
			err = r.tell(at, KindCheckpoint, s)
		}
		if err != nil {
			return err
		}
	}
	s, err := r.graph.after(ctx, r.in.ThreadID, c)
	if err != nil {
		return err
	}
	return r.tell(at, KindCheckpoint, s)
}

// checkpointInside tells where a graph inside came to.
func (r *teller[S]) checkpointInside(at graph.Place, data any) error {
	c, ok := data.(graph.Checkpoint[any])
	if !ok || !r.want.Kinds[KindCheckpoint] || !r.want.Subgraphs {
		return nil
	}
	s, err := inside(r.in.ThreadID, at.Namespace, c)
	if err != nil {
		return err
	}
	return r.tell(at, KindCheckpoint, s)
}

// result keeps how the run ended, and says what it asks.
func (r *teller[S]) result(ctx context.Context, e graph.ResultEvent[S]) error {
	result := e.Result
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
	return r.tell(e.Place, KindInterrupt, r.outcome.Interrupts())
}

// explain tells a run that came to its limit from others that make no sense.
func (r *teller[S]) explain(err error) error {
	if r.steps > r.limit && errors.Is(err, fault.ErrInvalid) {
		return fmt.Errorf("%w: %w", ErrRecursion, err)
	}
	return err
}
