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
	// Command is what the tool wants of the graph besides: an Update of the state, say. With an Interrupt it asks a
	// person, and Text does not count: when the answer comes the tool is called again and finds it with [graph.Answer],
	// where a review of the call ([Options].InterruptOn) counts as answer 0.
	Command graph.Command[S]
}

// NewStateTool makes a tool of a function that is given the state of the graph, of type S, and may write to it. The
// model knows nothing of that. Else it is as with [NewTool]. The state is that at the beginning of the superstep, so
// tools that are called side by side do not see what the others write. Who asks and on which thread, and what is
// remembered across threads, is in [graph.RunContext] and [graph.RuntimeOf], for every tool.
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
