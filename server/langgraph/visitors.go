package langgraph

import (
	"context"
	"errors"
	"iter"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
)

// made is the threads of a service, as [door.Threads].
type made struct{ runs *runs.Service }

// Threads returns what the service keeps of callers.
func Threads(service *runs.Service) door.Threads { return made{service} }

// Each page of threads and of runs has so many.
const page = 100

// keptThread is all that is kept of a thread.
type keptThread struct {
	runs.Thread

	// States are all of it, newest first.
	States []runs.State `json:"states"`
	Runs   []keptRun    `json:"runs"`
	Log    []runs.Event `json:"log"`
}

// keptRun is a run with what is not sent otherwise.
type keptRun struct {
	runs.Run

	Error string `json:"error,omitempty"`
}

// Made is part of [door.Threads]. Threads of runs that have none of their own go with these.
func (m made) Made(ctx context.Context, makers, ids []string) iter.Seq2[door.Made, error] {
	return func(yield func(door.Made, error) bool) {
		for thread, err := range m.threads(ctx, makers, ids) {
			one := door.Made{ID: thread.ID}
			if err == nil {
				one.Kept, err = m.all(ctx, thread)
			}
			if errors.Is(err, fault.ErrNotFound) { // it was deleted meanwhile
				continue
			}
			if !yield(one, err) || err != nil {
				return
			}
		}
	}
}

// threads yields those that are meant, each once.
func (m made) threads(ctx context.Context, makers, ids []string) iter.Seq2[runs.Thread, error] {
	return func(yield func(runs.Thread, error) bool) {
		seen := map[string]bool{}
		for _, id := range ids {
			thread, err := m.runs.Thread(ctx, id)
			if errors.Is(err, fault.ErrNotFound) {
				continue
			}
			seen[id] = true
			if !yield(thread, err) || err != nil {
				return
			}
		}
		for _, maker := range makers {
			theirs := m.runs.As(runs.Caller{Maker: runs.Maker{Name: maker}})
			f := runs.ThreadFilter{Sort: runs.Sort{Ascending: true}, Page: runs.Page{Limit: page}}
			for {
				threads, _, err := theirs.SearchThreads(ctx, f)
				if err != nil {
					yield(runs.Thread{}, err)
					return
				}
				for _, thread := range threads {
					if !seen[thread.ID] && !yield(thread, nil) {
						return
					}
				}
				if len(threads) < page {
					break
				}
				f.Page.Offset += page
			}
		}
	}
}

// all reads all that is kept of a thread.
func (m made) all(ctx context.Context, thread runs.Thread) (kept keptThread, err error) {
	kept.Thread = thread
	for before := ""; ; {
		states, _, err := m.runs.History(ctx, thread.ID, runs.HistoryFilter{Limit: page, Before: before})
		if err != nil {
			return kept, err
		}
		n := len(kept.States)
		for state, err := range states {
			if err != nil {
				return kept, err
			}
			kept.States, before = append(kept.States, state), state.Checkpoint
		}
		if len(kept.States) == n {
			break
		}
	}
	for {
		f := runs.RunFilter{ThreadID: thread.ID, Page: runs.Page{Limit: page, Offset: len(kept.Runs)}}
		list, _, err := m.runs.ListRuns(ctx, f)
		if err != nil {
			return kept, err
		}
		for _, r := range list {
			kept.Runs = append(kept.Runs, keptRun{r, r.Error})
		}
		if len(list) == 0 {
			break
		}
	}
	for event, err := range m.runs.LoggedEvents(ctx, thread.ID) {
		if err != nil {
			return kept, err
		}
		kept.Log = append(kept.Log, event)
	}
	return kept, nil
}

// Delete is part of [door.Threads].
func (m made) Delete(ctx context.Context, id string) error {
	if err := m.runs.DeleteThread(ctx, id); !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	return nil
}
