// Package invoke runs a graph for doors whose protocols know no threads: one call, one answer, and what is needed to
// answer a question that the graph asked.
package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"annai/fault"
	"annai/internal/message"
	"annai/runs"
)

// kept is how many minutes a thread lives that a call began, so that a question can be answered.
const kept = 24 * 60

// A Call is what a graph is to do.
type Call struct {
	Graph string
	// Thread is the one to go on with. Empty: a new one, which lives for a day without use.
	Thread string
	// Input is an object of channels. Resume answers the open question of the thread in its place.
	Input, Resume json.RawMessage
	// Streamed has messages told while they are said, see [Begun].
	Streamed bool
}

// An Answer is how a run left its thread.
type Answer struct {
	Thread     string           `json:"thread_id"`
	Values     json.RawMessage  `json:"values"`
	Interrupts []runs.Interrupt `json:"interrupts,omitempty"`
}

// Text is the question that was asked, or what was said last where the state has messages, or the state as JSON.
func (a Answer) Text() string {
	if len(a.Interrupts) > 0 {
		return string(a.Interrupts[0].Value)
	}
	var state struct {
		Messages []message.Object `json:"messages"`
	}
	if json.Unmarshal(a.Values, &state) == nil && len(state.Messages) > 0 {
		return message.Text(state.Messages[len(state.Messages)-1])
	}
	return string(a.Values)
}

// Begun is a run that is under way.
type Begun struct {
	service *runs.Service
	begun   *runs.Begun
	thread  string
}

// Begin begins a run. What can't be right about it is [fault.ErrInvalid].
func Begin(ctx context.Context, service *runs.Service, c Call) (Begun, error) {
	if c.Thread == "" {
		made, err := service.CreateThread(ctx, runs.NewThread{TTL: &runs.TTL{Minutes: kept}})
		if err != nil {
			return Begun{}, err
		}
		c.Thread = made.ID
	}
	r := runs.Request{AssistantID: c.Graph, Input: c.Input}
	if c.Resume != nil {
		r.Input, r.Command = nil, &runs.Command{Resume: c.Resume}
	}
	if c.Streamed {
		r.StreamMode = runs.Modes{runs.ModeMessages}
	}
	begun, err := service.Begin(ctx, c.Thread, r, !c.Streamed)
	return Begun{service, begun, c.Thread}, err
}

// Thread is that of the run.
func (b Begun) Thread() string { return b.thread }

// Wait returns the answer once the run has ended. A run that failed is a [Failed].
func (b Begun) Wait(ctx context.Context) (Answer, error) {
	result, err := b.begun.Wait(ctx)
	if err != nil {
		return Answer{}, err
	}
	if result.Error != "" {
		return Answer{}, &Failed{result.Ending}
	}
	return Answer{Thread: b.thread, Values: result.Values, Interrupts: result.Interrupts}, nil
}

// Follow yields what happens in the run, as it does; then it has ended.
func (b Begun) Follow(ctx context.Context) iter.Seq2[runs.Event, error] { return b.begun.Follow(ctx) }

// Said is the piece of text that a model says with an event; "" where it says none. An event that ends a run with an
// error is a [Failed].
func Said(e runs.Event) (string, error) {
	switch e.Kind { //nolint:exhaustive // the rest is not told
	case runs.KindMessage:
		var m message.Object
		if json.Unmarshal(e.Data, &m) == nil && (m["type"] == "ai" || m["type"] == "AIMessageChunk") {
			return message.Text(m), nil
		}
	case runs.KindEnd:
		var end runs.Ending
		if json.Unmarshal(e.Data, &end) == nil && end.Error != "" {
			return "", &Failed{end}
		}
	}
	return "", nil
}

// Left is the answer of a run that was followed to its end.
func (b Begun) Left(ctx context.Context) (Answer, error) {
	state, _, err := b.service.State(ctx, b.thread, "")
	a := Answer{Thread: b.thread, Values: state.Values}
	for _, t := range state.Tasks {
		a.Interrupts = append(a.Interrupts, t.Interrupts...)
	}
	return a, err
}

// Failed is a run that ended with an error. Its kind is [fault.ErrUnavailable], or [fault.ErrInvalid] if the run did
// not begin, because of what it was asked.
type Failed struct{ Ending runs.Ending }

func (f *Failed) Error() string { return fmt.Sprintf("the run failed: %s", f.Ending.Message) }
func (f *Failed) Unwrap() error {
	if f.Ending.Refused {
		return fault.ErrInvalid
	}
	return fault.ErrUnavailable
}

// Explained is what the outside may know of the error: what kind it is of, or why the graph failed.
func Explained(err error) string {
	var failed *Failed
	switch {
	case errors.As(err, &failed):
		return failed.Error()
	case errors.Is(err, fault.ErrInvalid), errors.Is(err, fault.ErrNotFound), errors.Is(err, fault.ErrConflict),
		errors.Is(err, runs.ErrQuota), errors.Is(err, runs.ErrQueue):
		return err.Error()
	}
	return "something went wrong here"
}
