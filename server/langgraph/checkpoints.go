package langgraph

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
)

// checkpoint is one in a list of them. Node is what made it, if that was one node.
type checkpoint struct {
	ID        string      `json:"id"`
	Timestamp time.Time   `json:"timestamp"`
	Step      int         `json:"step"`
	Node      string      `json:"node_name,omitempty"`
	Metadata  runs.Object `json:"metadata,omitempty"`
}

// listCheckpoints lists the checkpoints of the thread, newest first.
func (a *handlers) listCheckpoints(c *gin.Context, thread string, data json.RawMessage) (any, error) {
	p, err := read[struct {
		Namespace []string `json:"namespace"`
		Limit     *int     `json:"limit"`
		Before    string   `json:"before"`
	}](data)
	if err != nil {
		return nil, err
	}
	limit := 10
	if p.Limit != nil {
		limit = *p.Limit
	}
	if limit < 0 || limit > maxLimit {
		return nil, &refusal{"invalid_argument", fmt.Sprintf("limit is 0 to %d", maxLimit)}
	}
	if err := atTop(p.Namespace); err != nil {
		return nil, err
	}
	if _, err := a.ran(c, thread); err != nil {
		return nil, err
	}
	// One more, because what made a checkpoint is told by the one before.
	past, t, err := a.as(c).History(c.Request.Context(), thread, runs.HistoryFilter{Limit: limit + 1, Before: p.Before})
	if err != nil {
		return nil, unknownCheckpoint(err)
	}
	var states []runs.State
	for s, err := range past {
		if err != nil {
			return nil, unknownCheckpoint(err)
		}
		s.Values = nil
		states = append(states, s)
	}
	list := []checkpoint{}
	for _, s := range states[:min(limit, len(states))] {
		list = append(list, checkpoint{s.Checkpoint, s.CreatedAt, s.Step, madeBy(s, states), stateOf(t, s).Metadata})
	}
	return gin.H{"checkpoints": list}, nil
}

// madeBy is the only node that ran before a state, "" where several did, or none.
func madeBy(s runs.State, states []runs.State) string {
	for _, before := range states {
		if before.Checkpoint == s.Parent && len(before.Tasks) == 1 && s.Source == "loop" {
			return before.Tasks[0].Name
		}
	}
	return ""
}

// fork starts a run from a checkpoint, which the thread keeps beside what followed it. Without an input it goes on from there.
func (a *handlers) fork(c *gin.Context, thread string, data json.RawMessage) (any, error) {
	p, err := read[struct {
		Checkpoint string          `json:"checkpoint_id"`
		Input      json.RawMessage `json:"input"`
		Config     runs.Object     `json:"config"`
	}](data)
	if err != nil {
		return nil, err
	}
	if p.Checkpoint == "" {
		return nil, &refusal{"invalid_argument", "checkpoint_id is required"}
	}
	ctx := c.Request.Context()
	t, err := a.ran(c, thread)
	if err != nil {
		return nil, err
	}
	if _, _, err := a.as(c).State(ctx, thread, p.Checkpoint); err != nil {
		return nil, unknownCheckpoint(err)
	}
	assistant, _ := t.Metadata["assistant_id"].(string)
	if assistant == "" {
		assistant = t.GraphID
	}
	run, err := a.launch(c, thread, runs.Request{AssistantID: assistant, Input: p.Input, Config: p.Config, CheckpointID: p.Checkpoint})
	if err != nil {
		return nil, err
	}
	return gin.H{"run_id": run.ID, "thread_id": thread}, nil
}

// atTop refuses the namespaces of graphs inside, of which only the newest checkpoint is shown.
func atTop(namespace []string) error {
	if len(namespace) > 0 {
		const says = "only checkpoints of the graph itself are listed, not those of %q"
		return &refusal{"no_such_namespace", fmt.Sprintf(says, namespace)}
	}
	return nil
}

func unknownCheckpoint(err error) error {
	if errors.Is(err, fault.ErrNotFound) {
		return &refusal{"no_such_checkpoint", err.Error()}
	}
	return err
}
