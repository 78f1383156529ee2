package runs

import (
	"context"
	"errors"
	"fmt"

	"annai/fault"
)

// Cancel ends a run: one that waits at once, one that is executed here as soon as its node heeds that, one elsewhere within some seconds. With wait it returns when
// the run has ended. A run that ended already stays as it is.
func (s *Service) Cancel(ctx context.Context, thread, id string, how Action, wait bool) error {
	if how != CancelInterrupt && how != CancelRollback {
		return fmt.Errorf("action is %q: %w", how, fault.ErrInvalid)
	}
	before, err := s.theRun(ctx, thread, id)
	if err != nil {
		return err
	}
	run, err := s.parts.Store.CancelRun(ctx, thread, id, how, s.now())
	if err != nil {
		return err
	}
	if run.Status.Ended() {
		if how == CancelRollback && !before.Status.Ended() {
			return s.parts.Store.DeleteRun(ctx, thread, id)
		}
		return nil
	}
	if e := s.executing(id); e != nil {
		e.heed(run.Cancel)
	}
	if !wait {
		return nil
	}
	if _, err := s.Wait(ctx, run); err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	return nil
}

// CancelMany cancels the runs that are named, or those of the status on the thread, or on all: "pending", "running" or "all". None at all is [fault.ErrNotFound].
func (s *Service) CancelMany(ctx context.Context, thread string, ids []string, status string, how Action) error {
	f := RunFilter{ThreadID: thread, IDs: ids, Page: Page{Limit: -1}}
	switch status {
	case "pending", "running":
		f.Statuses = []RunStatus{RunStatus(status)}
	case "", "all":
		f.Statuses = []RunStatus{RunPending, RunRunning}
	default:
		return fmt.Errorf("status is %q: %w", status, fault.ErrInvalid)
	}
	if len(ids) == 0 && status == "" {
		return fmt.Errorf("neither run_ids nor status is given: %w", fault.ErrInvalid)
	}
	list, n, err := s.parts.Store.ListRuns(ctx, f)
	if err == nil && n == 0 {
		err = fmt.Errorf("no such runs: %w", fault.ErrNotFound)
	}
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := s.Cancel(ctx, r.ThreadID, r.ID, how, false); err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
	}
	return nil
}

// DeleteRun forgets a run; one that has not ended is ended first. What it wrote to its thread stays.
func (s *Service) DeleteRun(ctx context.Context, thread, id string) error {
	run, err := s.theRun(ctx, thread, id)
	if err != nil {
		return err
	}
	if !run.Status.Ended() {
		if err := s.Cancel(ctx, thread, id, CancelInterrupt, true); err != nil {
			return err
		}
	}
	return s.parts.Store.DeleteRun(ctx, thread, id)
}
