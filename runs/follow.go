package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"annai/fault"
)

// readEvents is how many events are read at a time.
const readEvents = 256

// Run returns a run of the thread; of any thread where that is empty.
func (s *Service) Run(ctx context.Context, thread, id string) (Run, error) {
	return s.theRun(ctx, thread, id)
}

// ListRuns returns runs of a thread, and how many there are in all. A thread that does not exist is [fault.ErrNotFound].
func (s *Service) ListRuns(ctx context.Context, f RunFilter) ([]Run, int, error) {
	if f.ThreadID != "" {
		if _, err := s.thread(ctx, f.ThreadID); err != nil {
			return nil, 0, err
		}
	}
	return s.pages(ctx, f)
}

// listed is how many runs are read at a time.
const listed = 16

// pages is [Runs.ListRuns], but for what would be more than [MaxPage].
func (s *Service) pages(ctx context.Context, f RunFilter) (list []Run, n int, err error) {
	bytes, part := int64(0), f
	for {
		part.Page.Offset, part.Page.Limit = f.Page.Offset+len(list), min(listed, f.Page.Limit-len(list))
		more, all, err := s.parts.Store.ListRuns(ctx, part)
		if err != nil || len(more) == 0 {
			return list, all, err
		}
		list, n = append(list, more...), all
		for _, r := range more {
			bytes += int64(len(r.Kwargs.Input)) + size(r.Kwargs.Config)
		}
		if len(list) == f.Page.Limit || bytes > MaxPage {
			return list, n, nil
		}
	}
}

// Follow yields the events of a run from after the one with that id until the run has ended; the last one is a [KindEnd], unless the run was forgotten. From 0 it
// yields all that are kept. Who takes too little for too long may get [ErrSlow].
func (s *Service) Follow(ctx context.Context, run Run, after int64) iter.Seq2[Event, error] {
	if e := s.executing(run.ID); e != nil && e.feed != nil {
		return e.follow(ctx, after)
	}
	return func(yield func(Event, error) bool) {
		for {
			changed, stop := s.parts.Store.Watch(run.ThreadID)
			ended, err := s.page(ctx, run.ThreadID, run.ID, &after, func(e Event) bool { return yield(e, nil) && e.Kind != KindEnd })
			if err == nil && !ended {
				ended, err = s.over(ctx, run, &after, yield)
			}
			if err == nil && !ended {
				ended, err = waiting(ctx, changed)
			}
			stop()
			if err != nil {
				yield(Event{}, err)
			}
			if ended || err != nil {
				return
			}
		}
	}
}

// page yields what there is after an event. Ended says that yield wants no more.
func (s *Service) page(ctx context.Context, thread, run string, after *int64, yield func(Event) bool) (ended bool, err error) {
	for {
		events, err := s.parts.Store.ReadEvents(ctx, thread, run, *after, readEvents)
		if err != nil {
			return false, err
		}
		bytes := 0
		for _, e := range events {
			*after, bytes = e.ID, bytes+len(e.Data)
			if !yield(e) {
				return true, nil
			}
		}
		if len(events) < readEvents && bytes < MaxPage {
			return false, nil
		}
	}
}

// over reports whether the run has ended, and yields what it said since it was looked last.
func (s *Service) over(ctx context.Context, run Run, after *int64, yield func(Event, error) bool) (bool, error) {
	now, err := s.parts.Store.Run(ctx, run.ThreadID, run.ID)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return true, nil
	case err != nil || !now.Status.Ended():
		return false, err
	}
	ended, err := s.page(ctx, run.ThreadID, run.ID, after, func(e Event) bool { return yield(e, nil) && e.Kind != KindEnd })
	if err == nil && !ended { // one whose events are not kept
		data, _ := json.Marshal(Ending{Status: now.Status, Message: now.Error, Error: errorName(now)})
		yield(Event{ID: *after + 1, RunID: now.ID, At: now.EndedAt, Kind: KindEnd, Data: data}, nil)
	}
	return true, err
}

func errorName(r Run) string {
	if r.Error == "" {
		return ""
	}
	return "Error"
}

// waiting waits until something happens. Nobody waits any more when ctx ends.
func waiting(ctx context.Context, changed <-chan struct{}) (ended bool, err error) {
	select {
	case <-changed:
		return false, nil
	case <-ctx.Done():
		return true, context.Cause(ctx)
	}
}

// follow yields what the run says here.
func (e *execution) follow(ctx context.Context, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			events, changed, ended, err := e.feed.read(after)
			for _, event := range events {
				after = event.ID
				if !yield(event, nil) {
					return
				}
			}
			if err == nil && len(events) == 0 && !ended {
				ended, err = waiting(ctx, changed)
			} else if len(events) > 0 {
				ended = false
			}
			if err != nil {
				yield(Event{}, err)
			}
			if err != nil || ended {
				return
			}
		}
	}
}

// Newest returns the id of the newest event of a run that is kept, 0 for none: where to follow it from if only what happens from now on is wanted.
func (s *Service) Newest(ctx context.Context, run Run) (int64, error) {
	if e := s.executing(run.ID); e != nil && e.feed != nil {
		e.feed.mu.Lock()
		defer e.feed.mu.Unlock()
		return e.feed.last, nil
	}
	var after int64
	_, err := s.page(ctx, run.ThreadID, run.ID, &after, func(Event) bool { return true })
	return after, err
}

// FollowThread yields the events of all runs of a thread that are logged, from after the one with that id, until ctx ends; then the error is why. The thread need
// not exist yet. While somebody does so here all runs that begin here on the thread are logged, whatever was asked.
func (s *Service) FollowThread(ctx context.Context, thread string, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		s.watch(thread, 1)
		defer s.watch(thread, -1)
		there, ended := false, false
		for {
			changed, stop := s.parts.Store.Watch(thread)
			var err error
			if !there {
				there, err = s.appeared(ctx, thread)
			}
			if there && err == nil {
				ended, err = s.page(ctx, thread, "", &after, func(e Event) bool { return yield(e, nil) })
			}
			if err == nil && !ended {
				ended, err = waiting(ctx, changed)
			}
			stop()
			if err != nil {
				yield(Event{}, err)
			}
			if ended || err != nil {
				return
			}
		}
	}
}

// MayFollow says whether the caller may follow what happens on a thread, which need not exist yet;
// [fault.ErrNotFound] if not.
func (s *Service) MayFollow(ctx context.Context, thread string) error {
	_, err := s.appeared(ctx, thread)
	return err
}

// appeared says whether there is a thread. One that exists, and not for the caller, is
// [fault.ErrNotFound].
func (s *Service) appeared(ctx context.Context, thread string) (bool, error) {
	_, err := s.thread(ctx, thread)
	if errors.Is(err, fault.ErrNotFound) && !errors.Is(err, errForeign) {
		return false, nil
	}
	return err == nil, err
}

// LoggedEvents yields the events of all runs of a thread that are in its log so far.
func (s *Service) LoggedEvents(ctx context.Context, thread string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		there, err := s.appeared(ctx, thread)
		if there && err == nil {
			var after int64
			_, err = s.page(ctx, thread, "", &after, func(e Event) bool { return yield(e, nil) })
		}
		if err != nil {
			yield(Event{}, err)
		}
	}
}

func (s *Service) watch(thread string, more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched[thread] += more; s.watched[thread] == 0 {
		delete(s.watched, thread)
	}
}

func (s *Service) followed(thread string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watched[thread] > 0
}

// Wait waits until the run has ended and returns how. If ctx ends first the error is why; the run goes on.
func (s *Service) Wait(ctx context.Context, run Run) (Result, error) {
	return s.wait(ctx, run, s.executing(run.ID))
}

// wait waits for a run that is executed here, unless e is nil.
func (s *Service) wait(ctx context.Context, run Run, e *execution) (Result, error) {
	if e != nil {
		select {
		case <-e.done:
			if e.result.Status != "" {
				return e.result, nil
			}
		case <-ctx.Done():
			return Result{}, context.Cause(ctx)
		}
	}
	for {
		changed, stop := s.parts.Store.Watch(run.ThreadID)
		now, err := s.parts.Store.Run(ctx, run.ThreadID, run.ID)
		if err == nil && !now.Status.Ended() {
			_, err = waiting(ctx, changed)
		}
		stop()
		if err != nil {
			return Result{}, fmt.Errorf("wait for run %s: %w", run.ID, err)
		}
		if now.Status.Ended() {
			return s.ended(ctx, now)
		}
	}
}

// ended is how a run ended that was not executed here: what its thread says now.
func (s *Service) ended(ctx context.Context, run Run) (Result, error) {
	t, err := s.parts.Store.Thread(ctx, run.ThreadID)
	if err != nil {
		return Result{}, err
	}
	r := Result{Run: run, Ending: Ending{Status: run.Status, Message: run.Error, Error: errorName(run), Thread: t.Status}, Values: t.Values}
	for _, open := range t.Interrupts {
		r.Interrupts = append(r.Interrupts, open...)
	}
	r.Paused = t.Status == ThreadInterrupted
	return r, nil
}
