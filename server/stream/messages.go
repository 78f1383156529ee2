package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/runs"
)

// Messages are those of a state, an input or an update; nil if it has none, or not as a list. What only removes others
// is left out.
func Messages(values json.RawMessage) []runs.Object {
	var state struct {
		Messages json.RawMessage `json:"messages"`
	}
	var list []runs.Object
	if json.Unmarshal(values, &state) != nil || json.Unmarshal(state.Messages, &list) != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(m runs.Object) bool { return m["type"] == "remove" })
}

// Question is an interrupt in words: its text, or what has the name that questions usually have; "" if it has none.
func Question(i runs.Interrupt) string {
	var value any
	if json.Unmarshal(i.Value, &value) != nil {
		return ""
	}
	if text, ok := value.(string); ok {
		return text
	}
	object, _ := value.(runs.Object)
	for _, name := range []string{"question", "message", "prompt", "description"} {
		if text, ok := object[name].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// abandonTime is how long canceling a run may take.
const abandonTime = 10 * time.Second

// Abandon cancels a run whose caller went away. One that is gone already is no error.
func Abandon(ctx context.Context, service *runs.Service, run runs.Run) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTime)
	defer cancel()
	err := service.Cancel(ctx, run.ThreadID, run.ID, runs.CancelInterrupt, false)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return fmt.Errorf("cancel what nobody waits for: %w", err)
	}
	return nil
}
