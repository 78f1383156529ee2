package runs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"time"

	"annai/fault"
	"annai/internal/traceparent"
)

// maxBatch is how many runs a batch may have.
const maxBatch = 1000

// Create makes a run that is executed in the background. Thread is empty for one on a thread of its own. See [Service.Begin] for errors.
func (s *Service) Create(ctx context.Context, thread string, r Request) (Run, error) {
	return s.create(ctx, thread, r, s.opts.NewID)
}

// create is Create with the ids of the run and then, if it gets one, of its thread.
func (s *Service) create(ctx context.Context, thread string, r Request, newID func() string) (Run, error) {
	start, err := s.prepare(ctx, thread, r, newID, true)
	if err != nil {
		return Run{}, err
	}
	run, err := s.parts.Queue.Enqueue(ctx, start)
	if err != nil {
		return Run{}, err
	}
	return run, s.cancelOthers(ctx, run)
}

// CreateBatch makes runs on threads of their own. If one can't be made those before it stay.
func (s *Service) CreateBatch(ctx context.Context, batch []Request) ([]Run, error) {
	if len(batch) > maxBatch {
		return nil, fmt.Errorf("a batch has at most %d runs: %w", maxBatch, fault.ErrInvalid)
	}
	for i := range batch {
		if err := batch[i].check(); err != nil {
			return nil, err
		}
	}
	list := make([]Run, 0, len(batch))
	for _, r := range batch {
		run, err := s.Create(ctx, "", r)
		if err != nil {
			return nil, err
		}
		list = append(list, run)
	}
	return list, nil
}

// A Begun is a run that is executed here, as its caller has it.
type Begun struct {
	Run Run

	service *Service
	e       *execution
}

// Begin makes a run that is executed here while its caller waits for it, by [Begun.Follow] or, if it is quiet and says nothing on the way, [Begun.Wait].
// It is executed to its end even if nobody waits any more.
//
// A request that makes no sense is [fault.ErrInvalid]; an assistant or thread that does not exist [fault.ErrNotFound]; a thread that is busy, with the
// strategy [Reject], [ErrBusy]. Without a strategy it is [Enqueue].
func (s *Service) Begin(ctx context.Context, thread string, r Request, quiet bool) (*Begun, error) {
	start, err := s.prepare(ctx, thread, r, s.opts.NewID, false)
	if err != nil {
		return nil, err
	}
	if quiet && !start.Run.Kwargs.Logged {
		start.Run.Kwargs.StreamMode = nil
	}
	start.Owner, start.LeaseUntil = s.owner, start.Run.CreatedAt.Add(s.opts.Lease)
	start.Idle = r.Strategy == "" && !start.Run.Kwargs.Logged
	b, err := s.begin(ctx, start)
	if start.Idle && errors.Is(err, ErrBusy) { // it waits, and may be executed elsewhere: its events go into the log
		start.Idle, start.Run.Kwargs.Logged = false, true
		b, err = s.begin(ctx, start)
	}
	return b, err
}

// begin makes a run and executes it, at its turn.
func (s *Service) begin(ctx context.Context, start Start) (*Begun, error) {
	e, err := s.enter(start.Run)
	if err != nil {
		return nil, err
	}
	run, err := s.parts.Store.CreateRun(ctx, start)
	if err != nil {
		s.leave(e)
		s.busy.Done()
		return nil, err
	}
	e.run, e.fresh = run, start.New && run.Attempt == 1
	go s.attend(e) //nolint:contextcheck // a run outlives the request that asked for it
	return &Begun{run, s, e}, s.cancelOthers(ctx, run)
}

// Follow is [Service.Follow] of this run, from its beginning.
func (b *Begun) Follow(ctx context.Context) iter.Seq2[Event, error] {
	if b.e.feed != nil {
		return b.e.follow(ctx, 0)
	}
	return b.service.Follow(ctx, b.Run, 0)
}

// Wait is [Service.Wait] for this run.
func (b *Begun) Wait(ctx context.Context) (Result, error) { return b.service.wait(ctx, b.Run, b.e) }

// prepare makes a start of a request.
func (s *Service) prepare(ctx context.Context, thread string, r Request, newID func() string, background bool) (Start, error) {
	if err := r.check(); err != nil {
		return Start{}, err
	}
	if r.Webhook != "" && s.parts.Post == nil {
		return Start{}, fmt.Errorf("webhooks are not enabled here: %w", fault.ErrInvalid)
	}
	a, g, err := s.graphOf(ctx, r.AssistantID)
	if err != nil {
		return Start{}, err
	}
	run := Run{
		ID: newID(), ThreadID: thread, AssistantID: a.ID, GraphID: g.ID(), Status: RunPending, Strategy: r.Strategy,
		Metadata: merged(Object{"created_by": "system"}, r.Metadata, ""),
	}
	run.CreatedAt = s.now()
	run.UpdatedAt = run.CreatedAt
	if run.Strategy == "" {
		run.Strategy = Enqueue
	}
	if r.AfterSeconds > 0 {
		run.After = run.CreatedAt.Add(time.Duration(r.AfterSeconds * float64(time.Second)))
	}
	run.Metadata["graph_id"], run.Metadata["assistant_id"] = g.ID(), a.ID
	start, config, err := s.place(ctx, &run, &r, newID)
	if err != nil {
		return Start{}, err
	}
	run.Kwargs = s.kwargs(run, r, a, config)
	run.Kwargs.Traceparent = traceparent.Parent(ctx)
	run.Kwargs.Temporary = start.Thread != nil && start.Thread.Temporary
	waits := r.Strategy != "" && r.Strategy != Reject
	run.Kwargs.Logged = background || r.Resumable || r.AllModes || waits || !run.After.IsZero()
	if s.followed(run.ThreadID) {
		run.Kwargs.Logged, run.Kwargs.AllModes = true, true
	}
	start.Run, start.Bytes = run, size(run.Kwargs)
	if start.Thread != nil {
		err = s.room(ctx, nil, start.Bytes)
	}
	return start, err
}

// place finds or makes the thread of a run, and returns its configuration. On a thread that somebody else made nobody
// is the owner: whoever made it hears what is said there.
func (s *Service) place(ctx context.Context, run *Run, r *Request, newID func() string) (Start, Object, error) {
	if run.ThreadID == "" {
		run.ThreadID = newID()
		t := s.threadOf(*run)
		t.Temporary = r.OnCompletion != "keep"
		return Start{Thread: &t, New: true}, nil, nil
	}
	t, err := s.thread(ctx, run.ThreadID)
	switch {
	case errors.Is(err, fault.ErrNotFound) && !errors.Is(err, errForeign) && (r.IfNotExists == "create" || r.AllModes):
		if err := checkID("thread_id", run.ThreadID); err != nil {
			return Start{}, nil, err
		}
		made := s.threadOf(*run)
		made.Config = merged(nil, kept(r.Config), "")
		return Start{Thread: &made}, nil, nil
	case err != nil:
		return Start{}, nil, err
	}
	if err := s.caller.Limits.fits(len(t.Values) + len(r.Input)); err != nil {
		return Start{}, nil, err
	}
	if err := s.room(ctx, &t, overhead+int64(len(r.Input))); err != nil {
		return Start{}, nil, err
	}
	if s.caller.Name != t.Maker.Name {
		r.Owner, r.OwnerName = false, ""
	}
	return Start{}, t.Config, s.adopt(ctx, t, *run, *r)
}

// threadOf makes the thread for a run.
func (s *Service) threadOf(run Run) Thread {
	t := s.freshThread(run.ThreadID, Object{"graph_id": run.GraphID, "assistant_id": run.AssistantID}, nil)
	t.GraphID = run.GraphID
	return t
}

// kept is what a thread keeps of a run's configuration.
func kept(config Object) Object {
	if c, ok := config[configurable].(Object); ok && len(c) > 0 {
		return Object{configurable: c}
	}
	return nil
}

// adopt notes on the thread which graph runs on it, and with which configuration.
func (s *Service) adopt(ctx context.Context, t Thread, run Run, r Request) error {
	if t.GraphID != "" && t.GraphID != run.GraphID && t.Values != nil {
		return fmt.Errorf("thread %s is one of graph %q: %w", t.ID, t.GraphID, fault.ErrInvalid)
	}
	metadata := merged(t.Metadata, Object{"graph_id": run.GraphID, "assistant_id": run.AssistantID}, "")
	config := merged(t.Config, kept(r.Config), configurable)
	if t.GraphID == run.GraphID && maps.Equal(flat(metadata), flat(t.Metadata)) && reflect.DeepEqual(config, t.Config) {
		return nil
	}
	_, err := s.parts.Store.UpdateThread(ctx, t.ID, func(t *Thread) error {
		t.Metadata = merged(t.Metadata, Object{"graph_id": run.GraphID, "assistant_id": run.AssistantID}, "")
		t.Config, t.GraphID = merged(t.Config, kept(r.Config), configurable), run.GraphID
		return nil
	})
	return err
}

// flat is the two names of metadata that a run sets.
func flat(o Object) map[string]string {
	graph, _ := o["graph_id"].(string)
	assistant, _ := o["assistant_id"].(string)
	return map[string]string{"graph_id": graph, "assistant_id": assistant}
}

// kwargs is what a run is to do: what assistant, thread and request say, the later over the earlier.
func (s *Service) kwargs(run Run, r Request, a Assistant, thread Object) Kwargs {
	config := merged(merged(a.Config, thread, configurable), r.Config, configurable)
	c, _ := config[configurable].(Object)
	config[configurable] = merged(merged(c, r.Around, ""), Object{
		"run_id": run.ID, "thread_id": run.ThreadID, "graph_id": run.GraphID, "assistant_id": run.AssistantID,
	}, "")
	k := Kwargs{
		Input: r.Input, Command: r.Command, Config: config, Context: merged(a.Context, r.Context, ""), Checkpoint: r.CheckpointID,
		StreamMode: r.StreamMode, Subgraphs: r.Subgraphs, Resumable: r.Resumable, InterruptBefore: r.InterruptBefore, InterruptAfter: r.InterruptAfter,
		Webhook: r.Webhook, Durability: r.Durability, AllModes: r.AllModes, Owner: r.Owner, OwnerName: r.OwnerName,
	}
	if k.Checkpoint == "" {
		k.Checkpoint = r.Checkpoint.Text()
	}
	if len(k.StreamMode) == 0 {
		k.StreamMode = []Mode{ModeValues}
	}
	return k
}

// cancelOthers does to the older runs of the thread what the strategy of the run says.
func (s *Service) cancelOthers(ctx context.Context, run Run) error {
	how := CancelInterrupt
	switch run.Strategy {
	case InterruptOther:
	case RollbackOther:
		how = CancelRollback
	case Reject, Enqueue:
		return nil
	}
	older, _, err := s.parts.Store.ListRuns(ctx, RunFilter{
		ThreadID: run.ThreadID, Statuses: []RunStatus{RunPending, RunRunning}, Page: Page{Limit: -1},
	})
	if err != nil {
		return err
	}
	for _, other := range older {
		if other.ID == run.ID {
			return nil
		}
		if err := s.Cancel(ctx, run.ThreadID, other.ID, how, false); err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
	}
	return nil
}
