// Package nodes is the concierge: its steps (understand, router, event, calendar, confirm, commit,
// verify, date, info, clarify, respond) and the graph made of them.
//
// The idea to hold: nodes find evidence and code decides what may be said of it; one node, respond,
// makes every answer. An answer says only what the evidence says, and a source that could not be
// read is said to be so. What an owner wants written is a plan first, which confirm asks about and
// commit carries out, once. The package knows contracts (calendar.Reader, rag.Retriever,
// nlu.Understander, llm.Model, graph.Checkpointer), no back end and no HTTP.
//
// A language model, if there is one, reads utterances and words answers from the evidence that was
// found. What it says is held against the evidence sentence by sentence; what it
// does not do, or not in time, is done as without it.
package nodes

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/graph"
	"annai/llm"
	"annai/nlu"
	"annai/nodes/capture"
	"annai/nodes/owner"
	"annai/nodes/talk"
	"annai/rag"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/tasks"
	"annai/venue"
)

// Parts are what a concierge is made of. All are required but Agenda, Tasks, Model, Capture,
// Tools, Checkpointer and Spare.
type Parts struct {
	Venue    *venue.Venue
	Calendar calendar.Reader
	// Agenda is the owner's own calendars. Nil: there are none.
	Agenda *agenda.Agenda
	// Tasks are what owners have to do. Nil: they have no such lists.
	Tasks        tasks.Lists
	Knowledge    rag.Retriever
	Understander nlu.Understander
	// Reader reads an utterance in its talk.
	Reader talk.Reader
	// Index makes what finds the events that a question is about.
	Index NewIndex
	// Model reads utterances and words answers from evidence. Everything it says is checked. Nil:
	// there is none.
	Model llm.Model
	// Capture reads what an owner gives to be added. Nil: nothing is read.
	Capture *capture.Reader
	// Tools are what the model may call, within what whoever speaks may do. Nil: nothing.
	Tools *tools.Registry
	// Checkpointer remembers sessions. Nil: a concierge without memory, which never asks back.
	Checkpointer graph.Checkpointer
	// Spare remembers sessions that begin while Checkpointer can't be read or written. Nil: these are refused.
	Spare graph.Checkpointer
}

// Options are the settings of a [Concierge] that have a default.
type Options struct {
	// Now is the clock. Nil: the wall clock.
	Now func() time.Time
	// NewID makes ids of sessions and runs. Nil: random ones.
	NewID func() string
	// SessionIdle is how long a session is remembered without a word. 0: 3 minutes.
	SessionIdle time.Duration
	// Shared says that other processes may serve the same sessions.
	Shared bool
	// Deadline bounds a turn, SourceDeadline the search in calendars and knowledge within it. 0: 5
	// and 2 seconds.
	Deadline, SourceDeadline time.Duration
	// Reading writes a Japanese title in Latin letters, for answers in English; "" where it can't.
	// Nil: nobody can.
	Reading func(title string) string
	// Picture is where the picture at an address may be had from us; "" where it may not. Nil: none may.
	Picture func(address string) string
	// Log receives what an operator must know: sources that failed, panics. Nil discards it.
	Log *slog.Logger
	// Callbacks hear what each turn does.
	Callbacks graph.Callbacks
	// Wrote is told of each plan of an owner's that was agreed to. It must be quick and safe for
	// concurrent use. Nil: nobody is.
	Wrote func(Written)
}

// Written is what became of an owner's yes.
type Written struct {
	// Do is the plan's action, Objects the ids of what it is about.
	Do      string
	Objects []string
	// Done says that it is known to have been done.
	Done bool
	// Caller, SessionID, RunID and RequestID are those of the turn.
	Caller, SessionID, RunID, RequestID string
}

// A Concierge answers visitors. It is safe for concurrent use; sessions never see each other.
type Concierge struct {
	parts Parts
	opts  Options
	graph *graph.Graph[State]
	// owner answers the owner of calendars. Nil: there are none.
	owner    *owner.Calendar
	sessions *sessions
	// spare answers where sessions can't be kept.
	spare spare
	// programme is what questions about events are compared with.
	programme programme
	// shown are the events of the calendars as they may be shown.
	shown shownEvents
	// acts finds what parts of the venue allow and forbid, by the id of the part.
	acts sync.Map
	// answered is whether the venue file has a kind of answer of a part, by partAsk.
	answered sync.Map
	// zones keeps the locations of visitors by name, since the system reads a file for each.
	zones sync.Map
	// venueNames are the names of the venue, otherNames other names with their spellings.
	venueNames []string
	otherNames [][]string
}

// New returns a concierge. Parts that are missing are [fault.ErrInvalid].
func New(parts Parts, opts Options) (*Concierge, error) {
	if parts.Venue == nil || parts.Calendar == nil || parts.Knowledge == nil || parts.Understander == nil ||
		parts.Reader == nil || parts.Index == nil {
		return nil, fmt.Errorf("new concierge: only agenda, model, tools and checkpointer may be left out: %w", fault.ErrInvalid)
	}
	c := &Concierge{parts: parts, opts: opts.withDefaults(), sessions: newSessions()}
	if parts.Agenda != nil {
		c.owner = owner.New(parts.Agenda, owner.Options{
			Log: c.opts.Log, Deadline: c.opts.Deadline, Location: parts.Venue.Location, Tasks: parts.Tasks,
		})
	}
	c.venueNames, c.otherNames = namesOf(parts.Venue)
	var err error
	c.graph, err = c.build()
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // The one place where the default clock is chosen.
	}
	if o.NewID == nil {
		o.NewID = randomID
	}
	o.SessionIdle = orDuration(o.SessionIdle, 3*time.Minute)
	o.Deadline = orDuration(o.Deadline, 5*time.Second)
	o.SourceDeadline = orDuration(o.SourceDeadline, 2*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func orDuration(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

func randomID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// build makes the graph of the concierge, for sessions and for threads.
func (c *Concierge) build() (*graph.Graph[State], error) {
	event, err := c.eventGraph()
	if err != nil {
		return nil, err
	}
	g := graph.New(schema)
	g.AddNode(nodeUnderstand, withProgress(c, c.understand), graph.NodeOptions{Timeout: c.toUnderstand()})
	g.AddNode(nodeRouter, withProgress(c, bySameSpeaker(c.router)))
	graph.AddSubgraph(g, nodeEvent, event, intoEvent, outOfEvent)
	g.AddNode(nodeCalendar, withProgress(c, bySameSpeaker(c.calendarNode)), graph.NodeOptions{
		Destinations: []string{nodeConfirm, nodeRespond, nodeInfo, nodeClarify},
	})
	g.AddNode(nodeConfirm, withProgress(c, onceSpoken(c.confirm)), graph.NodeOptions{
		Destinations: []string{nodeCommit, nodeCalendar, nodeRouter, nodeRespond}, CheckAnswer: checkReply,
	})
	g.AddNode(nodeCommit, withProgress(c, bySameSpeaker(c.commit)), graph.NodeOptions{
		Destinations: []string{nodeVerify, nodeConfirm, nodeCalendar, nodeRespond},
	})
	g.AddNode(nodeVerify, withProgress(c, bySameSpeaker(c.verify)), graph.NodeOptions{
		Destinations: []string{nodeConfirm, nodeCalendar, nodeRespond},
	})
	g.AddNode(nodeDate, withProgress(c, bySameSpeaker(c.dateNode)))
	g.AddNode(nodeInfo, withProgress(c, bySameSpeaker(c.infoNode)))
	g.AddNode(nodeClarify, withProgress(c, onceSpoken(c.clarify)), graph.NodeOptions{CheckAnswer: checkReply})
	g.AddNode(nodeRespond, withProgress(c, bySameSpeaker(c.respond)))
	g.AddEdge(graph.Start, nodeUnderstand)
	g.AddEdge(nodeUnderstand, nodeRouter)
	g.AddRoute(nodeRouter, chosen, graph.Nodes(nodeEvent, nodeCalendar, nodeDate, nodeInfo, nodeClarify, nodeRespond))
	for _, node := range []string{nodeEvent, nodeDate, nodeInfo} {
		g.AddEdge(node, nodeRespond)
	}
	g.AddEdge(nodeClarify, nodeRouter)
	g.AddEdge(nodeRespond, graph.End)
	// A turn of a session is over in milliseconds, and whoever asked waits for it: one checkpoint at its end is
	// enough, unless something is written.
	compiled, err := g.Compile(graph.Options{
		Name: "concierge", Migrate: migrate, Checkpointer: c.parts.Checkpointer, Durability: graph.DurabilityExit,
		Now: c.opts.Now, Callbacks: c.opts.Callbacks, Timeout: c.opts.Deadline,
	})
	if err != nil {
		return nil, fmt.Errorf("graph of the concierge: %w", err)
	}
	return compiled, nil
}

// Answer is [Concierge.Ask] for those who want only the answer.
func (c *Concierge) Answer(ctx context.Context, turn dialog.Turn) (api.QueryResponse, error) {
	return c.run(ctx, utterance{Turn: turn}, listener{})
}

// Ask runs one turn and yields its events, in order, as they happen. Breaking off the loop, or the
// end of ctx, cancels the run.
//
// The error, if any, is the last thing yielded: [fault.ErrConflict] if a run is active on the
// session, [fault.ErrNotFound] to resume an unknown or forgotten session or interrupt,
// [fault.ErrInvalid] for a Resume that fits nothing, [fault.ErrUnavailable] with
// context.DeadlineExceeded when the turn had no time. A failing source is no error: the answer says
// so. Neither is a panic in a node: the answer is a spoken apology with emotion apologetic, and the
// log has the stack.
func (c *Concierge) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) {
		stopped := false
		var said []api.Sentence
		emit := func(e dialog.Event) bool {
			if s, ok := e.(dialog.Sentence); ok {
				said = append(said, api.Sentence{Text: s.Text, Emotion: s.Emotion})
			}
			stopped = stopped || !yield(e, nil)
			return !stopped
		}
		answer, err := c.run(ctx, utterance{Turn: turn}, listener{emit: emit})
		switch {
		case stopped:
		case err != nil:
			yield(nil, err)
		default:
			tell(answer, said, emit)
		}
	}
}

// tell yields what an answer consists of, then the answer. What was said while it came about is not
// said again, unless the answer became another one.
func tell(r api.QueryResponse, said []api.Sentence, emit func(dialog.Event) bool) {
	n := len(said)
	if n > len(r.Speech) || !slices.Equal(said, r.Speech[:n]) {
		n = 0
	}
	for i, s := range r.Speech[n:] {
		i += len(said)
		if !emit(dialog.Sentence{SpokenSentence: api.SpokenSentence{Index: i, Text: s.Text, Emotion: s.Emotion}}) {
			return
		}
	}
	if len(r.Cards) > 0 && !emit(dialog.Cards{Cards: api.Cards{Cards: r.Cards}}) {
		return
	}
	if len(r.Suggestions) > 0 && !emit(dialog.Suggestions{Suggestions: api.Suggestions{Suggestions: r.Suggestions}}) {
		return
	}
	if r.Interrupt != nil && !emit(dialog.Confirm{Interrupt: *r.Interrupt}) {
		return
	}
	emit(dialog.Final{QueryResponse: r})
}

// EndSession forgets what was said in the session. One that does not exist is no error. A run that
// is active on it is cancelled first.
func (c *Concierge) EndSession(ctx context.Context, s dialog.Session) error {
	if other := c.spare.there(); other != nil {
		if err := other.EndSession(ctx, s); err != nil {
			return err
		}
	}
	thread := threadOf(s)
	if err := c.sessions.seize(ctx, thread); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	defer c.sessions.drop(thread)
	return c.forget(ctx, thread)
}

// Sweep forgets the sessions that were idle too long; the server calls it now and then. It returns
// how many.
func (c *Concierge) Sweep(ctx context.Context) (int, error) {
	n := 0
	if other := c.spare.there(); other != nil {
		var err error
		if n, err = other.Sweep(ctx); err != nil {
			return n, err
		}
	}
	now := c.opts.Now()
	if c.opts.Shared { // a turn that began in time may be under way elsewhere
		now = now.Add(-c.opts.Deadline)
	}
	since, planned := now.Add(-c.opts.SessionIdle), now.Add(-max(c.opts.SessionIdle, owner.PlanKept))
	idle, err := c.sweepIdle(ctx, c.sessions.idle(since, planned))
	if n += idle; err != nil {
		return n, err
	}
	if c.parts.Checkpointer != nil { // sessions of processes that are gone
		if c.parts.Agenda != nil { // one of them may wait with a plan
			since = planned
		}
		old, err := c.parts.Checkpointer.Prune(ctx, since)
		if err != nil {
			return n, fmt.Errorf("sweep: %w", err)
		}
		n += old
	}
	return n, nil
}

// sweepIdle forgets sessions that were seized because nothing was said in them here, where they
// still stand as they did: in others something was said in another process. It lets go of all.
func (c *Concierge) sweepIdle(ctx context.Context, idle map[string]graph.Mark) (n int, err error) {
	for id, at := range idle {
		var newest graph.Mark
		if err == nil {
			newest, err = c.graph.Newest(ctx, id)
		}
		if err == nil && newest.Is(at) {
			err = c.forget(ctx, id)
			n++
		}
		c.sessions.drop(id)
	}
	if err != nil {
		return n, fmt.Errorf("sweep: %w", err)
	}
	return n, nil
}

// forget deletes what the checkpointer has of a session.
func (c *Concierge) forget(ctx context.Context, thread string) error {
	if c.parts.Checkpointer == nil {
		return nil
	}
	if err := c.graph.Delete(ctx, thread); err != nil {
		return fmt.Errorf("forget session: %w", err)
	}
	return nil
}

// Graph is the graph that answers, with the checkpointer of sessions. With another one it answers on threads: each run
// is one turn then, and has a [Speaker] as its context. Its input is the channel "messages", whose last message of a
// person is answered, and "language". Questions are answered with words, the number of an option, or an object with
// messages.
func (c *Concierge) Graph() *graph.Graph[State] { return c.graph }

// migrate makes a record of the thread of an earlier version one of this graph. The graph was called annai on threads;
// before that it was inside of another one, of which only what was said stays, and no question that was open.
func migrate(r graph.Record) (graph.Record, error) {
	if r.Graph == "annai@2" {
		return r, nil
	}
	kept := r.Writes[:0:0]
	for _, w := range r.Writes {
		if w.Channel == messagesChannel.Name() {
			kept = append(kept, w)
		}
	}
	r.Writes, r.Tasks, r.Pending = kept, nil, nil
	return r, nil
}

// Drawing returns the graph with the subgraph of the event node.
func (c *Concierge) Drawing() graph.Drawing { return c.graph.Drawing() }
