package nodes

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"annai/api"
	"annai/graph"
	"annai/internal/fault"
	"annai/nlu"
)

// look loads what is known of a thread: when the last word was said, and what is open.
func (c *Concierge) look(ctx context.Context, id string, entry *session) (last time.Time, known bool, err error) {
	there, err := c.graph.State(ctx, id, 0)
	if errors.Is(err, fault.ErrNotFound) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("load session %s: %w", id, err)
	}
	last, entry.asking = there.State.Seen.At, len(there.Interrupts) > 0
	answering := there.State.Plan.Open() || there.State.Route.Node == nodeCalendar && there.State.Route.By == byOpenQuestion
	entry.unfinished = !entry.asking && len(there.Next) > 0 && answering
	entry.planning = entry.asking && there.State.Plan.Open()
	if entry.asking || entry.unfinished {
		last = there.State.Turn.At
	}
	return last, true, nil
}

// catchUp finishes a run that was cut off between a yes and its answer: what was agreed to is
// carried out, under the same id, and said. With final that is the whole answer: it was the same
// yes again, or it has to be asked once more. Otherwise it is said before the answer to what was
// said now.
func (c *Concierge) catchUp(ctx context.Context, t Turn, at turn, entry *session) (answer api.QueryResponse, final bool, err error) {
	opts := graph.RunOptions{ThreadID: threadOf(t.SessionID, t.speaker()), RunID: t.RunID, Context: cutOff{}}
	result, err := c.careful.Invoke(ctx, graph.Input[State]{}, opts)
	if err != nil {
		return api.QueryResponse{}, false, fmt.Errorf("finish what was begun on session %s: %w", t.SessionID, err)
	}
	entry.unfinished, entry.asking = false, len(result.Interrupts) > 0
	result.State.Turn.RunID, result.State.Turn.RequestID = at.RunID, at.RequestID
	if entry.asking {
		return c.ask(result.State, result.Interrupts[0]), true, nil
	}
	answer = result.State.Answer
	if answer.Metadata.ProcessingInfo.TimingsMS == nil {
		answer.Metadata.ProcessingInfo.TimingsMS = map[string]float64{}
	}
	answer.RunID, answer.Metadata.RequestID = at.RunID, at.RequestID
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
