package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"annai/fault"
	"annai/graph"
)

// Run implements [Graph].
func (t *typed[S]) Run(ctx context.Context, in Input, want Want, emit func(Event)) (Outcome, error) {
	durability := cmp.Or(graph.Durability(in.Kwargs.Durability), t.opts.Durability)
	if durability != "" && durability != graph.DurabilitySync { // what is said is not committed yet
		in.Said, in.Settle = nil, nil
	}
	defer t.hold(ctx, in)()
	r := &teller[S]{graph: t, in: in, want: want, emit: emit, hearing: newHearing(in)}
	start, err := t.enter(ctx, in)
	if err != nil {
		return t.stands(ctx, in.ThreadID, refusal(err))
	}
	if start.nothing || !start.fresh {
		if err := r.standing(ctx, &start); err != nil || start.nothing {
			return t.stands(ctx, in.ThreadID, err)
		}
	}
	inside := ctx
	if in.Settle != nil {
		inside = r.hearing.in(ctx)
	}
	begun := false
	for e, err := range t.graph.Stream(inside, start.input, r.options(start)) {
		switch {
		case err == nil:
			begun = true
			err = r.hear(ctx, e)
		case !begun:
			err = refusal(err)
		}
		if err != nil {
			r.hearing.leave()
			return t.stands(ctx, in.ThreadID, r.explain(err))
		}
	}
	return r.outcome, nil
}

// hold spares the store the checkpoints of a run that is over in a moment, and whose thread goes with it. A run that
// names a durability has that. Done forgets them where somebody else goes on with the run.
func (t *typed[S]) hold(ctx context.Context, in Input) (done func()) {
	h, ok := t.store.(Holder)
	if !ok || !in.New || !in.Kwargs.Temporary || in.Kwargs.Logged || in.Kwargs.Durability != "" {
		return func() {}
	}
	h.Hold(in.ThreadID)
	return func() {
		if why := context.Cause(ctx); errors.Is(why, ErrLost) || errors.Is(why, errStopping) {
			h.Forget(in.ThreadID)
		}
	}
}

// entry is how a run enters the graph.
type entry[S any] struct {
	input graph.Input[S]
	// from is the record to start from, 0 the newest.
	from int64
	// fresh says that an input is taken in; nothing that there is nothing to do.
	fresh, nothing bool
}

// enter finds out where and with what the run begins.
func (t *typed[S]) enter(ctx context.Context, in Input) (entry[S], error) {
	if in.Again {
		if newest, err := t.store.List(ctx, in.ThreadID, "", 0, 1); err != nil {
			return entry[S]{}, fmt.Errorf("checkpoint of thread %s: %w", in.ThreadID, err)
		} else if len(newest) > 0 && newest[0].RunID == in.RunID {
			if c := in.Kwargs.Command; c != nil && newest[0].Source == graph.SourceUpdate { // what it writes to the state is there
				in.Kwargs.Checkpoint = ""
				return t.command(ctx, in, Command{Resume: c.Resume, Goto: c.Goto})
			}
			return entry[S]{nothing: len(newest[0].Tasks) == 0}, nil
		}
	}
	if in.Kwargs.Command != nil {
		return t.command(ctx, in, *in.Kwargs.Command)
	}
	if isNull(in.Kwargs.Input) {
		return t.goOn(ctx, in)
	}
	update, err := t.update(in.Kwargs.Input)
	e := entry[S]{input: graph.Input[S]{Update: update}, fresh: true}
	if err == nil && in.Kwargs.Checkpoint != "" {
		e.from, err = t.startAt(ctx, in.ThreadID, in.Kwargs.Checkpoint)
	}
	return e, err
}

// goOn continues from a checkpoint. What had finished stays so; a thread that never ran begins with nothing.
func (t *typed[S]) goOn(ctx context.Context, in Input) (entry[S], error) {
	at, err := placeOf(in.ThreadID, in.Kwargs.Checkpoint)
	if err != nil {
		return entry[S]{}, err
	}
	c, err := t.graph.State(ctx, in.ThreadID, at.record)
	if errors.Is(err, fault.ErrNotFound) && at.record == 0 {
		return entry[S]{input: graph.Input[S]{Update: graph.Update[S]{}}, fresh: true}, nil
	}
	return entry[S]{from: at.record, nothing: len(c.Next) == 0}, err
}

// command continues a thread as the command says.
func (t *typed[S]) command(ctx context.Context, in Input, c Command) (entry[S], error) {
	from, err := t.startAt(ctx, in.ThreadID, in.Kwargs.Checkpoint)
	if err != nil {
		return entry[S]{}, err
	}
	if !isNull(c.Update) {
		update, err := t.update(c.Update)
		if err != nil {
			return entry[S]{}, err
		}
		if _, err := t.graph.UpdateState(newHearing(Input{ThreadID: in.ThreadID, RunID: in.RunID}).in(ctx), in.ThreadID, from, update, ""); err != nil {
			return entry[S]{}, err
		}
		from = 0
	}
	if len(c.Goto) > 0 {
		return entry[S]{}, t.jump(ctx, in, from, c.Goto)
	}
	now, err := t.graph.State(ctx, in.ThreadID, from)
	if err != nil || c.Resume == nil {
		return entry[S]{from: from, nothing: len(now.Next) == 0}, err
	}
	if in.Again && len(now.Interrupts) == 0 && len(now.Next) > 0 { // the answers were taken in before the earlier attempt broke off
		return entry[S]{from: from}, nil
	}
	answers, err := resume(c.Resume, now.Interrupts, in.Again)
	return entry[S]{from: from, input: graph.Input[S]{Resume: answers}}, err
}

// resume reads answers: an object by the ids of open questions, or the answer to the only one. With some, those
// that an attempt before took in are left out.
func resume(data json.RawMessage, open []graph.Interrupt, some bool) (map[string]any, error) {
	if len(open) == 0 {
		return nil, fmt.Errorf("nothing waits for an answer: %w", fault.ErrInvalid)
	}
	var byID map[string]any
	if json.Unmarshal(data, &byID) == nil && len(byID) > 0 {
		given := len(byID)
		maps.DeleteFunc(byID, func(id string, _ any) bool {
			return !slices.ContainsFunc(open, func(i graph.Interrupt) bool { return i.ID == id })
		})
		if len(byID) == given || some && len(byID) > 0 {
			return byID, nil
		}
	}
	var answer any
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("the answer: %w: %w", err, fault.ErrInvalid)
	}
	if len(open) > 1 {
		return nil, fmt.Errorf("%d questions are open, so answers are given by their ids: %w", len(open), fault.ErrInvalid)
	}
	return map[string]any{open[0].ID: answer}, nil
}

// named lists the nodes that are meant, where "*" is all of them.
func (t *typed[S]) named(nodes []string) []string {
	if !slices.Contains(nodes, "*") {
		return nodes
	}
	var all []string
	for _, n := range t.Drawing().Nodes {
		if n.Name != graph.Start && n.Name != graph.End {
			all = append(all, n.Name)
		}
	}
	return all
}

// stands returns how the thread stands when nothing more is done, with the error.
func (t *typed[S]) stands(ctx context.Context, thread string, because error) (Outcome, error) {
	s, err := t.State(context.WithoutCancel(ctx), thread, "")
	return Outcome{Values: s.Values, Tasks: s.Tasks, Checkpoint: s.Checkpoint}, errors.Join(because, err)
}

// ErrRecursion says that a run made as many supersteps as it may. Its kind is [fault.ErrInvalid].
var ErrRecursion = fmt.Errorf("recursion limit reached without an end: %w", fault.ErrInvalid)
