package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"annai/fault"
)

// NewThread is what a thread is made with.
type NewThread struct {
	ID       string `json:"thread_id"`
	Metadata Object `json:"metadata"`
	// IfExists is "raise", the default, or "do_nothing".
	IfExists string `json:"if_exists"`
	TTL      *TTL   `json:"ttl"`
	// Supersteps are written to the thread's state, one after the other; that needs graph_id in Metadata.
	Supersteps []Superstep `json:"supersteps"`
}

// maxUpdates is how many updates may be in one request.
const maxUpdates = 1000

// A Superstep is updates that are written one after the other.
type Superstep struct {
	Updates []StateUpdate `json:"updates"`
}

// A StateUpdate is values that are written as if a node had.
type StateUpdate struct {
	Values json.RawMessage `json:"values"`
	AsNode string          `json:"as_node"`
	// CheckpointID is where; Checkpoint the same at length. Empty: the newest.
	Checkpoint   *CheckpointRef `json:"checkpoint"`
	CheckpointID string         `json:"checkpoint_id"`
}

// CreateThread makes a thread. An id that exists is [fault.ErrConflict] unless IfExists says otherwise.
func (s *Service) CreateThread(ctx context.Context, n NewThread) (Thread, error) {
	if n.ID == "" {
		n.ID = s.opts.NewID()
	}
	if err := checkID("thread_id", n.ID); err != nil {
		return Thread{}, err
	}
	updates, bytes := 0, int64(0)
	for _, step := range n.Supersteps {
		updates += len(step.Updates)
		for _, u := range step.Updates {
			bytes += u.size()
		}
	}
	most := maxUpdates
	if l := s.caller.Limits.Updates; l > 0 {
		most = min(most, l)
	}
	if updates > most {
		return Thread{}, fmt.Errorf("%d updates, at most %d: %w", updates, most, fault.ErrInvalid)
	}
	t := s.freshThread(n.ID, n.Metadata, n.TTL)
	if err := s.room(ctx, nil, t.Bytes+bytes); err != nil {
		return Thread{}, err
	}
	if id, ok := n.Metadata["graph_id"].(string); ok && s.graphs[id] != nil {
		t.GraphID = id
	}
	err := s.parts.Store.CreateThread(ctx, t)
	switch {
	case errors.Is(err, fault.ErrConflict) && n.IfExists == "do_nothing":
		return s.thread(ctx, n.ID)
	case err != nil:
		return Thread{}, err
	}
	if updates == 0 {
		return t, nil
	}
	return s.replay(ctx, t, n.Supersteps)
}

// replay writes updates to a new thread, and returns it.
func (s *Service) replay(ctx context.Context, t Thread, steps []Superstep) (Thread, error) {
	w, err := s.writing(ctx, t.ID)
	if err != nil {
		return Thread{}, err
	}
	for _, step := range steps {
		for _, u := range step.Updates {
			if _, err := w.write(ctx, u); err != nil {
				return Thread{}, errors.Join(err, w.end(ctx))
			}
		}
	}
	if err := w.end(ctx); err != nil {
		return Thread{}, err
	}
	return s.thread(ctx, t.ID)
}

func (s *Service) freshThread(id string, metadata Object, ttl *TTL) Thread {
	now, ttl := s.now(), s.caller.lives(ttl)
	return Thread{
		ID: id, CreatedAt: now, UpdatedAt: now, Metadata: merged(metadata, nil, ""), Status: ThreadIdle, Config: Object{}, TTL: ttl,
		ExpiresAt: s.expiry(ttl, "", now), Maker: s.caller.Maker, Bytes: size(metadata),
	}
}

// Thread returns a thread. Those of other processes' runs are as they were when the run began, until it ends.
func (s *Service) Thread(ctx context.Context, id string) (Thread, error) {
	return s.thread(ctx, id)
}

// UpdateThread merges metadata into those of the thread, and sets its TTL if there is one.
func (s *Service) UpdateThread(ctx context.Context, id string, metadata Object, ttl *TTL) (Thread, error) {
	t, err := s.thread(ctx, id)
	if err == nil {
		err = s.room(ctx, &t, size(metadata))
	}
	if err != nil {
		return Thread{}, err
	}
	return s.parts.Store.UpdateThread(ctx, id, func(t *Thread) error {
		t.Metadata, t.UpdatedAt = merged(t.Metadata, metadata, ""), s.now()
		t.Bytes += size(metadata)
		if ttl != nil {
			t.TTL = s.caller.lives(ttl)
		}
		t.ExpiresAt = s.expiry(t.TTL, t.GraphID, t.UpdatedAt)
		return nil
	})
}

// DeleteThread forgets a thread with its runs and checkpoints. Runs that are under way on it are ended.
func (s *Service) DeleteThread(ctx context.Context, id string) error {
	t, err := s.thread(ctx, id)
	if err != nil {
		return err
	}
	s.endAll(ctx, id)
	if g := s.graphs[t.GraphID]; g != nil {
		if err := g.Delete(ctx, id); err != nil {
			return err
		}
	}
	return s.parts.Store.DeleteThread(ctx, id)
}

// endAll ends the runs of a thread that are executed here, and waits for them.
func (s *Service) endAll(ctx context.Context, thread string) {
	s.mu.Lock()
	var mine []*execution
	for _, e := range s.active {
		if e.thread == thread {
			mine = append(mine, e)
		}
	}
	s.mu.Unlock()
	for _, e := range mine {
		e.cancel(errCancelled)
		select {
		case <-e.done:
		case <-ctx.Done():
		}
	}
}

// SearchThreads returns threads, and how many there are in all.
func (s *Service) SearchThreads(ctx context.Context, f ThreadFilter) ([]Thread, int, error) {
	f.MadeBy = s.caller.theirs()
	return s.parts.Store.SearchThreads(ctx, f)
}

// CopyThread makes a thread with the same state and history.
func (s *Service) CopyThread(ctx context.Context, id string) (Thread, error) {
	from, err := s.thread(ctx, id)
	if err != nil {
		return Thread{}, err
	}
	if err := s.room(ctx, nil, from.Bytes); err != nil {
		return Thread{}, err
	}
	to := s.freshThread(s.opts.NewID(), from.Metadata, from.TTL)
	to.Bytes = from.Bytes
	to.Metadata["thread_id"] = to.ID
	to.Config, to.GraphID, to.Values, to.StateUpdatedAt, to.Dropped = from.Config, from.GraphID, from.Values, from.StateUpdatedAt, from.Dropped
	if g := s.graphs[from.GraphID]; g != nil {
		if err := g.Copy(ctx, from.ID, to.ID); err != nil && !errors.Is(err, fault.ErrNotFound) {
			return Thread{}, err
		}
		state, err := g.State(ctx, to.ID, "")
		if err != nil {
			return Thread{}, err
		}
		to.Status, to.Interrupts = standing(state.Tasks)
	}
	return to, s.parts.Store.CreateThread(ctx, to)
}

// standing says how a thread stands with these tasks to run next, and its open questions by the ids of the tasks.
func standing(tasks []Task) (ThreadStatus, map[string][]Interrupt) {
	open := map[string][]Interrupt{}
	for _, t := range tasks {
		if len(t.Interrupts) > 0 {
			open[t.ID] = t.Interrupts
		}
	}
	if len(tasks) > 0 {
		return ThreadInterrupted, open
	}
	return ThreadIdle, open
}

// State returns how a thread stands, at a checkpoint or, for "", now, and the thread. One that never ran has the zero state.
func (s *Service) State(ctx context.Context, thread, checkpoint string) (State, Thread, error) {
	t, err := s.thread(ctx, thread)
	if err != nil {
		return State{}, Thread{}, err
	}
	g := s.graphs[t.GraphID]
	if g == nil {
		return State{Values: json.RawMessage("{}")}, t, nil
	}
	state, err := g.State(ctx, thread, checkpoint)
	if err == nil && t.dropped(state) {
		err = fmt.Errorf("checkpoint %q of thread %s: %w", checkpoint, thread, fault.ErrNotFound)
	}
	return state, t, err
}

// Inside returns how a graph inside stands now, and the thread; see [Graph.Inside].
func (s *Service) Inside(ctx context.Context, thread, namespace string) (State, Thread, error) {
	t, err := s.thread(ctx, thread)
	if err != nil {
		return State{}, Thread{}, err
	}
	g := s.graphs[t.GraphID]
	if g == nil {
		return State{}, t, fmt.Errorf("namespace %q of thread %s: %w", namespace, thread, fault.ErrNotFound)
	}
	state, err := g.Inside(ctx, thread, namespace)
	return state, t, err
}

// dropped says whether the state is one that was rolled back.
func (t Thread) dropped(s State) bool { return s.RunID != "" && slices.Contains(t.Dropped, s.RunID) }

// A HistoryFilter says which states of a thread, newest first.
type HistoryFilter struct {
	Limit int
	// Before is a checkpoint; At one that is wanted alone.
	Before, At string
	// Match is held by source, step and run_id.
	Match Object
}

// MaxPage is about how many bytes there are in a page: of states, of runs, of events. It ends early
// with what goes beyond.
const MaxPage = 4 << 20

// History returns the states of a thread, newest first, and the thread. The states that are looked
// at have [MaxPage] bytes: for what is older the caller asks for those before the last one.
func (s *Service) History(
	ctx context.Context, thread string, f HistoryFilter,
) (iter.Seq2[State, error], Thread, error) {
	t, err := s.thread(ctx, thread)
	if err != nil {
		return nil, Thread{}, err
	}
	return func(yield func(State, error) bool) {
		g := s.graphs[t.GraphID]
		switch {
		case g == nil || f.Limit <= 0:
		case f.At != "":
			state, _, err := s.State(ctx, thread, f.At)
			yield(state, err)
		default:
			f.yield(t, g.History(ctx, thread, f.Before), yield)
		}
	}, t, nil
}

func (f HistoryFilter) yield(t Thread, states iter.Seq2[State, error], yield func(State, error) bool) {
	found, seen := 0, 0
	for state, err := range states {
		if err != nil {
			yield(State{}, err)
			return
		}
		if seen += len(state.Values); !t.dropped(state) && f.fits(state) {
			if found++; !yield(state, nil) {
				return
			}
		}
		if found == f.Limit || seen > MaxPage {
			return
		}
	}
}

func (f HistoryFilter) fits(state State) bool {
	return Contains(Object{"source": state.Source, "step": float64(state.Step), "run_id": state.RunID}, f.Match)
}

// UpdateState writes to a thread's state and returns the new checkpoint. A thread that is busy is [ErrBusy]; one that has no graph yet [fault.ErrInvalid].
func (s *Service) UpdateState(ctx context.Context, thread string, u StateUpdate) (string, error) {
	w, err := s.writing(ctx, thread)
	if err != nil {
		return "", err
	}
	if err := s.room(ctx, &w.thread, u.size()); err != nil {
		return "", err
	}
	checkpoint, err := w.write(ctx, u)
	if err != nil {
		return "", err
	}
	return checkpoint, w.end(ctx)
}

// writing is updates of the state of one thread.
type writing struct {
	service *Service
	thread  Thread
	graph   Graph
	// state is about how many bytes the state has, bytes how many were written.
	state int
	bytes int64
}

func (s *Service) writing(ctx context.Context, thread string) (*writing, error) {
	t, err := s.thread(ctx, thread)
	if err != nil {
		return nil, err
	}
	if t.Status == ThreadBusy {
		return nil, ErrBusy
	}
	if t.GraphID == "" {
		id, _ := t.Metadata["graph_id"].(string)
		t.GraphID = id
	}
	g := s.graphs[t.GraphID]
	if g == nil {
		return nil, fmt.Errorf("thread %s has no graph yet: %w", thread, fault.ErrInvalid)
	}
	return &writing{service: s, thread: t, graph: g, state: len(t.Values)}, nil
}

// size is about how many bytes are kept of the update.
func (u StateUpdate) size() int64 { return overhead + int64(len(u.Values)) }

func (w *writing) write(ctx context.Context, u StateUpdate) (checkpoint string, err error) {
	w.state += len(u.Values)
	w.bytes += u.size()
	if err := w.service.caller.Limits.fits(w.state); err != nil {
		return "", err
	}
	at := u.CheckpointID
	if at == "" {
		at = u.Checkpoint.Text()
	}
	return w.graph.Update(ctx, w.thread.ID, at, u.Values, u.AsNode)
}

// end lets the thread say what was written.
func (w *writing) end(ctx context.Context) error {
	return w.service.reflect(ctx, w.graph, w.thread.ID, w.bytes)
}

// reflect lets the thread say what its newest checkpoint says, for which so many bytes were
// written.
func (s *Service) reflect(ctx context.Context, g Graph, thread string, bytes int64) error {
	state, err := g.State(ctx, thread, "")
	if err != nil {
		return err
	}
	_, err = s.parts.Store.UpdateThread(ctx, thread, func(t *Thread) error {
		now := s.now()
		t.GraphID, t.Values, t.UpdatedAt, t.StateUpdatedAt, t.Error = g.ID(), state.Values, now, &now, ""
		t.ExpiresAt = s.expiry(t.TTL, t.GraphID, now)
		t.Bytes += bytes
		if t.Status != ThreadBusy {
			t.Status, t.Interrupts = standing(state.Tasks)
		}
		return nil
	})
	return err
}

// Prune forgets threads, or with the strategy "keep_latest" all of their checkpoints but the newest. It returns how many there were; those that do not
// exist do not count.
func (s *Service) Prune(ctx context.Context, threads []string, strategy string) (int, error) {
	if !oneOf(strategy, []string{"", "delete", "keep_latest"}) {
		return 0, fmt.Errorf("strategy is %q: %w", strategy, fault.ErrInvalid)
	}
	n := 0
	for _, id := range threads {
		err := s.prune(ctx, id, strategy)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (s *Service) prune(ctx context.Context, id, strategy string) error {
	if strategy != "keep_latest" {
		return s.DeleteThread(ctx, id)
	}
	t, err := s.thread(ctx, id)
	if err != nil {
		return err
	}
	if g := s.graphs[t.GraphID]; g != nil {
		return g.KeepLatest(ctx, id)
	}
	return nil
}
