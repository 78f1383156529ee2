package graph

import (
	"context"
	"errors"
	"fmt"
	"time"

	"annai/fault"
)

// begin brings the run to where its first superstep can start, and reports whether it continues an unfinished one.
func (r *run[S]) begin(ctx context.Context, in Input[S]) (continued bool, err error) {
	if r.info.namespace != "" {
		return r.beginNested(ctx, in)
	}
	if in.Resume != nil && (in.Update != nil || in.Goto != "") {
		return false, fmt.Errorf("an input either resumes or starts anew: %w", fault.ErrInvalid)
	}
	if err := r.checkOptions(); err != nil {
		return false, err
	}
	found, lived := false, false
	if r.log != nil {
		if found, lived, err = r.wake(ctx, in); err != nil {
			return false, err
		}
	}
	r.info.first = r.step
	if in.Resume != nil {
		if !found {
			return false, fmt.Errorf("nothing to resume on thread %q: %w", r.opts.ThreadID, fault.ErrNotFound)
		}
		return true, r.resume(ctx, in.Resume)
	}
	if in.empty() && len(r.tasks) > 0 {
		r.info.forks = r.log != nil && r.opts.Checkpoint != 0 && r.log.newest > r.opts.Checkpoint
		return true, nil
	}
	err = r.start(ctx, in)
	if lived && !r.exits() && errors.Is(err, fault.ErrConflict) { // another process wrote meanwhile: what was kept of the thread is old
		opts, info := r.opts, r.info
		r.forget()
		r.restart(opts, info)
		r.underway = true
		return r.begin(ctx, in)
	}
	return false, err
}

// checkOptions looks at what was said of this run, as [StateGraph.Compile] does at what was said of all.
func (r *run[S]) checkOptions() error {
	if !r.info.durability.valid() {
		const none = "durability %q is none of sync, async and exit: %w"
		return fmt.Errorf(none, r.info.durability, fault.ErrInvalid)
	}
	for _, names := range [][]string{r.opts.InterruptBefore, r.opts.InterruptAfter} {
		for _, name := range names {
			if _, ok := r.g.byName[name]; !ok {
				return fmt.Errorf("the run is to pause at %q, which is no node: %w", name, fault.ErrInvalid)
			}
		}
	}
	return nil
}

// beginNested begins a subgraph, or continues it where it stood when its task did not come to its end: with the answers to what it asked, or
// without any, if it failed or the process died. One that had ended has nothing left to do; in a fork it begins anew.
func (r *run[S]) beginNested(ctx context.Context, in Input[S]) (continued bool, err error) {
	var rec *Record
	if r.log != nil {
		if rec, err = r.load(ctx); err != nil {
			return false, err
		}
	}
	r.info.first = r.step
	switch {
	case rec == nil || len(r.tasks) == 0 && r.info.forks:
		if rec != nil {
			r.startOver()
		}
		if r.base != nil {
			r.state = *r.base
			r.g.clip(&r.state)
		}
		return false, r.start(ctx, Input[S]{Update: in.Update})
	case in.Resume != nil:
		return true, r.resume(ctx, in.Resume)
	default:
		return true, nil
	}
}

// startOver forgets what was loaded, but for what the log has.
func (r *run[S]) startOver() {
	var empty S
	r.state, r.step, r.info.first, r.deferred = empty, 0, 0, r.deferred[:0]
	clear(r.spares)
	l := r.log
	l.head, l.parent, l.at, l.base, l.logBytes, l.snapBytes = 0, 0, time.Time{}, 0, 0, 0
}

// wake brings the run to where its thread stands; lived says that it was kept in memory. Whoever
// goes on with what was left open needs the checkpoint
// itself.
func (r *run[S]) wake(ctx context.Context, in Input[S]) (found, lived bool, err error) {
	if r.opts.New {
		return false, false, nil
	}
	if r.opts.Checkpoint == 0 && in.Resume == nil && !in.empty() {
		t, err := r.kept(ctx)
		if err != nil {
			return false, false, err
		}
		if t != nil {
			r.adopt(t)
			return true, true, nil
		}
	}
	rec, err := r.load(ctx)
	expected := r.opts.Newest
	if err == nil && expected.ID != 0 && r.opts.Checkpoint == 0 && !r.log.mark().Is(expected) {
		err = fmt.Errorf("thread %q went on after checkpoint %d: %w", r.opts.ThreadID, expected.ID, fault.ErrConflict)
	}
	return rec != nil, false, err
}

// kept returns the thread as it is kept in memory; nil if it is not, or if another process wrote to
// it since. A run that writes its input before anything
// happens finds that out by itself.
func (r *run[S]) kept(ctx context.Context) (*liveThread[S], error) {
	t, newest := r.g.live.take(r.opts.ThreadID), r.opts.Newest
	if t == nil || newest.ID == 0 && !r.exits() {
		return t, nil
	}
	if newest.ID == 0 {
		var err error
		if newest, err = r.log.checkpointer.Newest(ctx, r.opts.ThreadID, ""); err != nil {
			return nil, fmt.Errorf("newest checkpoint: %w", err)
		}
	}
	if !t.log.mark().Is(newest) {
		return nil, nil
	}
	return t, nil
}

// start reduces the input into the state and takes the first steps.
func (r *run[S]) start(ctx context.Context, in Input[S]) (err error) {
	defer caught(&err)
	clear(r.arrived)
	r.deferred = r.deferred[:0]
	r.g.forgetEphemeral(&r.state)
	r.began = true
	r.epoch++
	if err := r.apply(0, in.Update); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	next := r.collect()
	if in.Goto != "" {
		if err := next.name(in.Goto); err != nil {
			return err
		}
	} else if err := next.after(ctx, r.g.start, new(Command[S])); err != nil {
		return err
	}
	r.tasks = next.tasks(r.tasks[:0])
	if r.log != nil {
		if in.Update != nil {
			r.unwritten = append(r.unwritten, in.Update)
		}
		if err := r.checkpoint(ctx, SourceInput); err != nil {
			return err
		}
	}
	if r.info.stream != nil {
		r.emitCheckpoint(SourceInput)
		r.emitValues()
	}
	return nil
}
