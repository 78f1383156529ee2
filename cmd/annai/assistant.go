package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"

	"annai/agent"
	"annai/api"
	"annai/fault"
	"annai/graph"
	"annai/internal/setup"
	"annai/nodes"
	"annai/runs"
	"annai/server/door"
	"annai/server/gate"
)

// assistantID is the id of the graph that is the concierge, and of its assistant.
const assistantID = "annai"

// onThreads is the caller of turns on threads, for whom no session and no run of /query is.
const onThreads = "threads"

// An assistant runs the graph of the concierge on threads: each run is a turn, bounded and counted like those of
// sessions.
type assistant struct {
	runs.Graph

	turns *gate.Gate
	// observe is told how every turn ended.
	observe func(answer api.QueryResponse, err error)
	log     *slog.Logger
}

// newAssistant makes the graph of the concierge one that is run on threads.
func newAssistant(
	a *assembly, threads graph.Checkpointer, turns *gate.Gate, observe func(api.QueryResponse, error),
	log *slog.Logger,
) (*assistant, error) {
	typed, err := runs.Typed(runs.Definition[nodes.State]{
		ID: assistantID, Graph: a.concierge.Graph().WithCheckpointer(threads),
		Fields: assistantFields(), Schemas: assistantSchemas(a.concierge), Context: speakerOf,
	})
	return &assistant{typed, turns, observe, log}, err
}

// assistantFields are what an input may write. A query is a message, too.
func assistantFields() []runs.Field[nodes.State] {
	messages := func(list []agent.Message, err error) (graph.Write[nodes.State], error) {
		return nodes.MessagesChannel.Write(list), err
	}
	return []runs.Field[nodes.State]{
		{Name: "query", Read: func(data json.RawMessage) (graph.Write[nodes.State], error) {
			var text string
			if json.Unmarshal(data, &text) != nil || text == "" {
				return messages(nil, nil)
			}
			return messages(agent.ReadMessages(data, rand.Text))
		}},
		{Name: nodes.MessagesChannel.Name(), Read: func(data json.RawMessage) (graph.Write[nodes.State], error) {
			return messages(agent.ReadMessages(data, rand.Text))
		}},
		runs.FieldOf(nodes.LanguageChannel),
	}
}

// assistantSchemas describe the state of the graph, and what of it an input may have.
func assistantSchemas(c *nodes.Concierge) runs.Schemas {
	const language = `"language":{"type":"string","enum":["ja","en"]}`
	const messages = `"messages":{"type":"array","items":{"type":"object"}}`
	const input = messages + `,"query":{"type":"string"},` + language
	source, _ := c.Graph().Source()
	return runs.Schemas{
		Input:  json.RawMessage(`{"type":"object","properties":{` + input + `}}`),
		Output: json.RawMessage(`{"type":"object","properties":{` + messages + `,"answer":{"type":"object"}}}`),
		State:  setup.Schemas(source).State,
		Config: json.RawMessage(`{"type":"object","properties":{` + language + `,"timezone":{"type":"string"}}}`),
	}
}

// speakerOf is who speaks in a run.
func speakerOf(in runs.Input) any {
	c := in.Config()
	s := nodes.Speaker{Owner: c.Owner, OwnerName: c.OwnerName, Caller: onThreads}
	s.Zone, _ = c.Configurable["timezone"].(string)
	if language, _ := c.Configurable["language"].(string); language == "ja" || language == "en" {
		s.Language = language
	}
	s.GoesOn = in.Again || in.Kwargs.Command == nil && !said(in.Kwargs.Input)
	return s
}

// said reports whether there is an input.
func said(input json.RawMessage) bool { return len(input) > 0 && string(input) != "null" }

// Run implements [runs.Graph].
func (a *assistant) Run(
	ctx context.Context, in runs.Input, want runs.Want, emit func(runs.Event),
) (outcome runs.Outcome, err error) {
	turn, end, err := a.turns.Begin(ctx, in.RunID, onThreads)
	if err == nil {
		defer end()
		in, err = a.prepare(turn, in)
	}
	if err == nil {
		outcome, err = a.Graph.Run(turn, in, want, emit)
		err = door.Because(turn, err)
	} else {
		s, failed := a.State(context.WithoutCancel(ctx), in.ThreadID, "")
		outcome = runs.Outcome{Values: s.Values, Tasks: s.Tasks, Checkpoint: s.Checkpoint}
		err = errors.Join(err, failed)
	}
	var state struct{ Answer api.QueryResponse }
	if err == nil {
		err = json.Unmarshal(outcome.Values, &state)
	}
	a.observe(state.Answer, err)
	return outcome, a.shown(ctx, in, err)
}

// prepare lets what somebody says answer the question that is open. Where a run was cut off between a yes and its
// answer, it does first what was agreed to.
func (a *assistant) prepare(ctx context.Context, in runs.Input) (runs.Input, error) {
	if in.Kwargs.Durability == "" || in.Kwargs.Owner { // an owner's yes is kept before it is acted on
		in.Kwargs.Durability = string(graph.DurabilitySync)
	}
	if in.Kwargs.Command != nil || in.Kwargs.Checkpoint != "" || !said(in.Kwargs.Input) {
		return in, nil
	}
	s, err := a.State(ctx, in.ThreadID, "")
	if err != nil || len(s.Tasks) == 0 || in.Again && s.RunID == in.RunID {
		return in, err
	}
	if !asks(s) && !in.Again {
		var state nodes.State
		if err := json.Unmarshal(s.Values, &state); err != nil || !state.Agreed() {
			return in, err
		}
		return a.finish(ctx, in, state)
	}
	in.Kwargs.Command, in.Kwargs.Input = &runs.Command{Resume: replyOf(in.Kwargs.Input)}, nil
	return in, nil
}

// asks reports whether a question is open.
func asks(s runs.State) bool { return len(runs.Outcome{Tasks: s.Tasks}.Interrupts()) > 0 }

// replyOf is an input as the answer to a question.
func replyOf(input json.RawMessage) json.RawMessage {
	var words struct{ Messages, Query json.RawMessage }
	if json.Unmarshal(input, &words) == nil && words.Messages == nil && words.Query != nil {
		return words.Query
	}
	return input
}

// finish brings the run before to its end, in the name of who began it. If that asks something, the input is not
// heard: nobody knew of the question. What makes no sense is left.
func (a *assistant) finish(ctx context.Context, in runs.Input, left nodes.State) (runs.Input, error) {
	before := runs.Input{ThreadID: in.ThreadID, RunID: in.RunID + "-before", Kwargs: in.Kwargs, Store: in.Store}
	before.Kwargs.Input, before.Kwargs.Owner, before.Kwargs.OwnerName = nil, left.Turn.Owner, left.Turn.OwnerName
	_, err := a.Graph.Run(ctx, before, runs.Want{}, func(runs.Event) {})
	if errors.Is(err, fault.ErrInvalid) {
		return in, nil
	}
	if err != nil {
		return in, err
	}
	s, err := a.State(ctx, in.ThreadID, "")
	if err == nil && asks(s) {
		in.Kwargs.Input = nil
	}
	return in, err
}

// shown is an error in words for whoever asked for the run: those of its kind, unless it says what is wrong with what
// they sent. What broke is for the log.
func (a *assistant) shown(ctx context.Context, in runs.Input, err error) error {
	var panicked *graph.PanicError
	theirs := false
	for _, kind := range []error{fault.ErrInvalid, fault.ErrNotFound, fault.ErrConflict, fault.ErrDenied} {
		theirs = theirs || errors.Is(err, kind)
	}
	switch {
	case err == nil, theirs:
		return err
	case errors.As(err, &panicked):
		a.log.LogAttrs(ctx, slog.LevelError, "node panicked", slog.String("node", panicked.Node),
			slog.String("run_id", in.RunID), slog.Any("err", err), slog.String("stack", string(panicked.Stack)))
	}
	return shownError{err}
}

// A shownError has the words of its kind.
type shownError struct{ error }

func (e shownError) Error() string { return door.Explain(e.error, "en").Message }
func (e shownError) Unwrap() error { return e.error }
