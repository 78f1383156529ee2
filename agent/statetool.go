package agent

import (
	"context"
	"encoding/json"
	"fmt"

	"annai/fault"
	"annai/graph"
)

// A Reply is what a tool of [NewStateTool] answers.
type Reply[S any] struct {
	// Text is what the model is told.
	Text string
	// Command is what else the tool wants of the graph, such as an Update of the state. With an Interrupt it asks a
	// person, and Text is ignored: when the answer comes the tool is called again and reads it with [graph.Answer].
	// If the call was reviewed ([Options].InterruptOn), the decision is answer 0 and those to the tool begin with 1,
	// else with 0.
	Command graph.Command[S]
}

// NewStateTool makes a tool of a function that is given the state of the graph, of type S, too and may write to it by
// its [Reply]. The model knows nothing of that. All else is as with [NewTool]. The state is that at the beginning of
// the superstep, so tools that are called side by side do not see what the others write.
//
// Every tool, with a state or not, finds who asks by [graph.RunContext], and the thread and the store by
// [graph.RuntimeOf].
func NewStateTool[S, In any](
	name, description string, do func(ctx context.Context, state S, in In) (Reply[S], error),
) Tool {
	var call func(ctx context.Context, in In) (string, error)
	if do != nil {
		call = func(ctx context.Context, in In) (string, error) {
			c, ok := ctx.Value(stateCallKey{}).(*stateCall[S])
			if !ok {
				return "", fmt.Errorf("tool %s is for a graph with another state: %w", name, fault.ErrInvalid)
			}
			reply, err := do(ctx, c.state, in)
			c.command = reply.Command
			return reply.Text, err
		}
	}
	t := NewTool(name, description, call)
	if t.Call == nil {
		return t
	}
	plain := t.Call // it reads the arguments
	t.inState = func(ctx context.Context, state any, args json.RawMessage) (ToolResult, error) {
		s, ok := state.(S)
		if !ok {
			return ToolResult{}, fmt.Errorf("tool %s is for a graph with another state: %w", name, fault.ErrInvalid)
		}
		c := &stateCall[S]{state: s}
		text, err := plain(context.WithValue(ctx, stateCallKey{}, c), args)
		return ToolResult{Text: text, command: c.command}, err
	}
	return t
}

// stateCall is one call of a tool with a state, on its way through the registry that reads its arguments.
type stateCall[S any] struct {
	state   S
	command graph.Command[S]
}

type stateCallKey struct{}
