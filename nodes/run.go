package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/graph"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/owner"
	"annai/prompts"
)

// A listener hears of a run: emit of what happens on the way, after of the state at its end. Both
// may be nil.
type listener struct {
	emit  func(dialog.Event) bool
	after func(State)
}

// run runs one turn on its session.
func (c *Concierge) run(ctx context.Context, t utterance, hears listener) (api.QueryResponse, error) {
	t, err := c.capture(ctx, t)
	if err != nil {
		return api.QueryResponse{}, err
	}
	began := c.opts.Now()
	invented := false
	if t.SessionID == "" {
		if t.Resume != nil {
			return api.QueryResponse{}, fmt.Errorf("resume without a session: %w", fault.ErrNotFound)
		}
		t.SessionID, invented = c.opts.NewID(), true
	}
	if t.RunID == "" {
		t.RunID = c.opts.NewID()
	}
	if other := c.elsewhere(t); other != nil {
		return other.run(ctx, t, hears)
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Deadline)
	defer cancel()
	entry, err := c.sessions.enter(threadOf(t.Session()), cancel)
	if err != nil {
		return api.QueryResponse{}, err
	}
	defer c.sessions.leave(threadOf(t.Session()), entry)
	entry.invented = entry.invented || invented
	hears = hears.beganOnce()
	answer, err := c.turn(ctx, t, entry, hears, began)
	if overtaken(ctx, t, entry, err) {
		if err := c.endedMeanwhile(ctx, t, entry); err != nil {
			return api.QueryResponse{}, err
		}
		answer, err = c.turn(ctx, t, entry, hears, began)
	}
	switch {
	case err == nil:
		c.bringHome(ctx)
	case c.unkept(ctx, t, entry, err):
		return c.answerElsewhere(ctx, t, hears, err)
	}
	return answer, err
}

// beganOnce returns the listener, told only once that the turn began.
func (l listener) beganOnce() listener {
	if l.emit == nil {
		return l
	}
	emit, began := l.emit, false
	l.emit = func(e dialog.Event) bool {
		if _, ok := e.(dialog.Started); ok {
			if began {
				return true
			}
			began = true
		}
		return emit(e)
	}
	return l
}

// overtaken says that a turn failed because another process went on with the session meanwhile:
// nothing of it was kept, and it is run again on what is there now.
func overtaken(ctx context.Context, t utterance, entry *session, err error) bool {
	answered := entry.open != "" && t.Resume == nil && errors.Is(err, fault.ErrNotFound)
	return ctx.Err() == nil && (answered || errors.Is(err, fault.ErrConflict))
}

// endedMeanwhile is the error of a turn whose session was ended in another process while it ran.
func (c *Concierge) endedMeanwhile(ctx context.Context, t utterance, entry *session) error {
	newest, err := c.graph.Newest(ctx, threadOf(t.Session()))
	if err == nil && newest.ID == 0 && entry.at.ID != 0 {
		err = fmt.Errorf("session %s was ended meanwhile: %w", t.SessionID, context.Canceled)
	}
	return err
}

// turn runs one turn on its session, which is the caller's.
func (c *Concierge) turn(
	ctx context.Context, t utterance, entry *session, hears listener, began time.Time,
) (api.QueryResponse, error) {
	emit := hears.emit
	at := c.keep(t, began)
	if c.parts.Checkpointer != nil {
		if err := c.open(ctx, t, entry, began); err != nil {
			return api.QueryResponse{}, err
		}
	}
	entry.doubtful = true
	if entry.unfinished {
		answer, final, err := c.catchUp(ctx, t, at, entry)
		if err != nil {
			return api.QueryResponse{}, err
		}
		if final {
			if emit != nil && !emit(started(t)) {
				return api.QueryResponse{}, context.Canceled
			}
			return c.done(answer, entry, began), nil
		}
		at.Before = untagged(answer.Text)
	}
	in, err := c.input(ctx, t, entry, at)
	if err != nil {
		return api.QueryResponse{}, err
	}
	answer, left, err := c.execute(ctx, t, entry, in, hears, began)
	if err != nil {
		return api.QueryResponse{}, err
	}
	entry.at = left
	return c.done(answer, entry, began), nil
}

// started is the first event of a turn.
func started(t utterance) dialog.Started {
	return dialog.Started{RunStarted: api.RunStarted{
		RunID: t.RunID, SessionID: t.SessionID, Language: string(guessLanguage(t)),
	}}
}

// done notes how a turn ended.
func (c *Concierge) done(answer api.QueryResponse, entry *session, began time.Time) api.QueryResponse {
	entry.last, entry.open, entry.planning, entry.doubtful = began, "", false, false
	if answer.Interrupt != nil {
		entry.open, entry.planning = answer.Interrupt.ID, answer.Interrupt.Kind == nodeConfirm
	}
	answer.Metadata.ProcessingInfo.TimingsMS["total"] = milliseconds(c.opts.Now().Sub(began))
	return answer
}

// input says how the turn enters the graph: as a new utterance, or as the answer to an open question.
func (c *Concierge) input(ctx context.Context, t utterance, entry *session, at turn) (graph.Input[State], error) {
	if c.parts.Checkpointer == nil {
		if t.Resume != nil {
			return graph.Input[State]{}, fmt.Errorf("resume without a memory: %w", fault.ErrNotFound)
		}
		return fresh(at), nil
	}
	switch {
	case t.Resume != nil:
		return c.resume(ctx, t, at)
	case entry.open != "":
		return graph.Input[State]{Resume: map[string]any{entry.open: reply{Turn: at}}}, nil
	}
	return fresh(at), nil
}

func fresh(t turn) graph.Input[State] {
	return graph.Input[State]{Update: graph.Update[State]{turnChannel.Write(t)}}
}

// keep is a turn as the state has it.
func (c *Concierge) keep(t utterance, now time.Time) turn {
	loc := t.Location
	if loc == nil {
		loc = c.parts.Venue.Location
	}
	zone := loc.String()
	if zone != c.parts.Venue.Location.String() {
		c.zones.LoadOrStore(zone, loc)
	}
	return turn{
		Query: t.Query, Language: nlu.Language(t.Language), Zone: zone, At: now.In(loc), Spec: t.SpecFormat,
		Owner: t.Owner, OwnerName: t.OwnerName,
		SessionID: t.SessionID, RequestID: t.RequestID, RunID: t.RunID, Caller: t.Caller, Capture: t.read,
	}
}

// open brings the session to where the turn finds it.
func (c *Concierge) open(ctx context.Context, t utterance, entry *session, now time.Time) error {
	if t.Anew {
		if err := c.anew(ctx, t); err != nil {
			return err
		}
		entry.standing, entry.invented = standing{}, false
	}
	return c.wake(ctx, threadOf(t.Session()), entry, now)
}

// anew makes the session of the turn one that goes on from the first of those before that is known,
// or where none is, one in which nothing was said.
func (c *Concierge) anew(ctx context.Context, t utterance) error {
	to := threadOf(t.Session())
	for _, id := range t.Before {
		from := t.Session()
		from.ID = id
		err := c.parts.Checkpointer.Copy(ctx, threadOf(from), to)
		if errors.Is(err, fault.ErrConflict) { // it was here before, and begins anew
			if err := c.forget(ctx, to); err != nil {
				return err
			}
			err = c.parts.Checkpointer.Copy(ctx, threadOf(from), to)
		}
		if err == nil || !errors.Is(err, fault.ErrNotFound) {
			return err
		}
	}
	return c.forget(ctx, to)
}

// wake brings back how the session stands, and forgets it if it was idle too long. What this process
// knows of it counts only where nobody else went on with it since.
func (c *Concierge) wake(ctx context.Context, id string, entry *session, now time.Time) error {
	entry.blank = entry.at.ID == 0 && entry.invented
	if entry.blank {
		return nil
	}
	newest, err := c.graph.Newest(ctx, id)
	switch {
	case err != nil:
		return fmt.Errorf("load session %s: %w", id, err)
	case newest.ID == 0:
		entry.standing = standing{}
	case !newest.Is(entry.at), entry.planning, entry.doubtful: // a yes is kept beside the checkpoint
		there, err := c.look(ctx, id)
		if err != nil {
			return err
		}
		entry.standing = there
	}
	entry.blank = entry.at.ID == 0
	if entry.blank || entry.unfinished {
		return nil
	}
	limit := c.opts.SessionIdle
	if entry.planning {
		limit = max(limit, owner.PlanKept)
	}
	if now.Sub(entry.last) <= limit {
		return nil
	}
	entry.standing = standing{}
	return c.forget(ctx, id)
}

// resume makes the input of an explicit answer to an interrupt.
func (c *Concierge) resume(ctx context.Context, t utterance, at turn) (graph.Input[State], error) {
	there, err := c.graph.State(ctx, threadOf(t.Session()), 0)
	if err != nil {
		return graph.Input[State]{}, fmt.Errorf("resume session %s: %w", t.SessionID, err)
	}
	for _, open := range there.Interrupts {
		if open.ID != t.Resume.InterruptID {
			continue
		}
		words, option, err := readReply(t.Resume.Value, len(readQuestion(open).Options))
		if err != nil {
			return graph.Input[State]{}, err
		}
		at.Query = words
		return graph.Input[State]{Resume: map[string]any{open.ID: reply{Option: option, Turn: at}}}, nil
	}
	return graph.Input[State]{}, fmt.Errorf("no open interrupt %q: %w", t.Resume.InterruptID, fault.ErrNotFound)
}

// execute runs the graph and makes the answer of how the run ended, and where it left the session.
func (c *Concierge) execute(
	ctx context.Context, t utterance, entry *session, in graph.Input[State], hears listener, began time.Time,
) (answer api.QueryResponse, left graph.Mark, err error) {
	opts := graph.RunOptions{RunID: t.RunID, Newest: entry.at}
	if c.parts.Checkpointer != nil {
		opts.ThreadID = threadOf(t.Session())
	}
	result, err := c.invoke(ctx, t, in, opts, hears.emit)
	var panicked *graph.PanicError
	switch {
	case errors.As(err, &panicked):
		c.opts.Log.LogAttrs(ctx, slog.LevelError, "node panicked", slog.String("node", panicked.Node), slog.String("run_id", t.RunID),
			slog.Any("err", err), slog.String("stack", string(panicked.Stack)))
		return c.apology(t, began), entry.at, nil
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("run %s had no time: %w: %w", t.RunID, fault.ErrUnavailable, err)
		return api.QueryResponse{}, entry.at, err
	case err != nil:
		return api.QueryResponse{}, entry.at, fmt.Errorf("run %s: %w", t.RunID, err)
	}
	if hears.after != nil {
		hears.after(result.State)
	}
	if len(result.Interrupts) > 0 {
		return c.ask(result.State, result.Interrupts[0]), result.Mark(), nil
	}
	return c.finish(result.State, result.State.Draft), result.Mark(), nil
}

// invoke runs the graph, listening only if somebody wants to hear.
func (c *Concierge) invoke(ctx context.Context, t utterance, in graph.Input[State], opts graph.RunOptions, emit func(dialog.Event) bool) (graph.Result[State], error) {
	if in.Resume != nil && t.Owner && c.parts.Agenda != nil { // a yes may be in it: it is kept before it is acted on
		opts.Durability = graph.DurabilitySync
	}
	if emit == nil {
		return c.graph.Invoke(ctx, in, opts)
	}
	if !emit(started(t)) {
		return graph.Result[State]{}, context.Canceled
	}
	opts.Modes, opts.Subgraphs = []graph.Mode{graph.ModeTasks, graph.ModeCustom}, true
	since := map[string]time.Time{}
	for event, err := range c.graph.Stream(ctx, in, opts) {
		if err != nil {
			return graph.Result[State]{}, err
		}
		switch event := event.(type) {
		case graph.TaskEvent:
			if !emit(c.progress(event, since)) {
				return graph.Result[State]{}, context.Canceled
			}
		case graph.CustomEvent:
			if said, ok := event.Value.(dialog.Sentence); ok && !emit(said) {
				return graph.Result[State]{}, context.Canceled
			}
		case graph.ResultEvent[State]:
			return event.Result, nil
		}
	}
	return graph.Result[State]{}, errRunEnded
}

var errRunEnded = fmt.Errorf("the run ended without a result: %w", fault.ErrUnavailable)

// progressOf says that a node started.
func progressOf(node string) dialog.Progress {
	label := prompts.Progress{Node: node}
	return dialog.Progress{NodeProgress: api.NodeProgress{
		Node: node, LabelJA: label.In(string(nlu.Japanese)), LabelEN: label.In(string(nlu.English)),
	}}
}

// progress says that a node started or ended.
func (c *Concierge) progress(e graph.TaskEvent, since map[string]time.Time) dialog.Progress {
	p := progressOf(e.Node)
	if p.Done = e.Ended; e.Ended {
		p.MS = milliseconds(c.opts.Now().Sub(since[e.ID]))
		return p
	}
	since[e.ID] = c.opts.Now()
	return p
}

// ask makes the answer of a run that waits for the visitor.
func (c *Concierge) ask(s State, open graph.Interrupt) api.QueryResponse {
	answer := c.asking(s, readQuestion(open))
	answer.Interrupt.ID = open.ID
	return answer
}

// asking is the answer that is a question. Its id is not known yet.
func (c *Concierge) asking(s State, q question) api.QueryResponse {
	d := s.Draft
	if q.Kind != nodeConfirm {
		d = draft{Text: q.Text, Suggestions: q.Options, Facts: facts{Asking: true, Gesture: "think"}}
	}
	answer := c.finish(s, d)
	answer.Interrupt = &api.Interrupt{
		Kind: q.Kind, Question: display.NoBrackets(q.Text), Options: q.Options, Confirmation: q.Confirmation,
	}
	return answer
}

// readQuestion reads the question of an interrupt, whether it comes from this run or from a checkpoint.
func readQuestion(open graph.Interrupt) question {
	if q, ok := open.Question.(question); ok {
		return q
	}
	var q question
	data, err := json.Marshal(open.Question)
	if err != nil || json.Unmarshal(data, &q) != nil {
		return question{}
	}
	return q
}

// apology is the answer of a run in which a node panicked.
func (c *Concierge) apology(t utterance, now time.Time) api.QueryResponse {
	s := State{Turn: c.keep(t, now), Language: guessLanguage(t), Route: route{Node: nodeRespond, By: byDefault, Reason: "panic"}}
	return c.finish(s, draft{
		Text: prompts.Failure{}.In(string(s.Language)), Suggestions: c.starters(s.Language), Facts: facts{Nothing: true},
	})
}
