package nodes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"annai/api"
	"annai/fault"
	"annai/graph"
	"annai/nlu"
)

// look loads how a thread stands.
func (c *Concierge) look(ctx context.Context, id string) (standing, error) {
	there, err := c.graph.State(ctx, id, 0)
	if errors.Is(err, fault.ErrNotFound) {
		return standing{}, nil
	}
	if err != nil {
		return standing{}, fmt.Errorf("load session %s: %w", id, err)
	}
	s := standing{at: there.Mark(), last: there.State.Seen.At}
	if len(there.Interrupts) > 0 {
		s.open = there.Interrupts[0].ID
	}
	s.unfinished = s.open == "" && len(there.Next) > 0 && there.State.Agreed()
	s.planning = s.open != "" && there.State.Plan.Open()
	if s.open != "" || s.unfinished {
		s.last = there.State.Turn.At
	}
	return s, nil
}

// Agreed says that a run which did not come to its end at this state was cut off between a yes and its answer.
func (s State) Agreed() bool {
	return s.Plan.Open() || s.Route.Node == nodeCalendar && s.Route.By == byOpenQuestion
}

// catchUp finishes a run that was cut off between a yes and its answer: what was agreed to is
// carried out, under the same id, and said. With final that is the whole answer: it was the same
// yes again, or it has to be asked once more. Otherwise it is said before the answer to what was
// said now.
func (c *Concierge) catchUp(ctx context.Context, t utterance, at turn, entry *session) (answer api.QueryResponse, final bool, err error) {
	opts := graph.RunOptions{
		ThreadID: threadOf(t.Session()), RunID: t.RunID, Newest: entry.at, Context: cutOff{},
		Durability: graph.DurabilitySync,
	}
	result, err := c.graph.Invoke(ctx, graph.Input[State]{}, opts)
	if err != nil {
		return api.QueryResponse{}, false, fmt.Errorf("finish what was begun on session %s: %w", t.SessionID, err)
	}
	entry.at, entry.unfinished, entry.open = result.Mark(), false, ""
	result.State.Turn.RunID, result.State.Turn.RequestID = at.RunID, at.RequestID
	if len(result.Interrupts) > 0 {
		return c.ask(result.State, result.Interrupts[0]), true, nil
	}
	answer = c.finish(result.State, result.State.Draft)
	again := t.Resume != nil || c.parts.Understander.Understand(t.Query, at.At).Intent == nlu.Affirm
	return answer, again, nil
}

// cutOff is the context of a run that finishes what another began.
type cutOff struct{}

// untagged is the text of an answer without its face.
func untagged(text string) string {
	_, body, _ := strings.Cut(text, "]")
	return body
}
