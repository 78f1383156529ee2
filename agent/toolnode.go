package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
)

// ToolNodeOptions are the settings of [ToolNode] that have a default.
type ToolNodeOptions struct {
	// InterruptOn names the tools whose calls a person has to decide about first; see [ReviewRequest] and [Decision].
	// The graph needs a checkpointer then.
	InterruptOn map[string]Review
	// MaxAnswer is how many bytes of a tool's answer the model is given at most; the rest is cut off, which the model
	// is told. 0: 16,384.
	MaxAnswer int
	// NewID makes ids of messages. Nil: random ones.
	NewID func() string
}

// ToolNode makes a node that carries out one tool call and writes its result to the messages. It is added by
// [graph.AddInputNode] and reached by [ToolsCondition], so that the calls of one message are tasks side by side: each
// has its time, asks for itself, and is not done again once it is done. A call is carried out at least once: if the
// process dies before its result is kept, again.
//
// What goes wrong with a call, be it a tool that there is not, arguments that do not fit or the tool's own error, is a
// result that the model reads. Tools that can't be right are [fault.ErrInvalid].
func ToolNode[S any](messages graph.Channel[S, []Message], tools []Tool, opts ToolNodeOptions) (
	func(ctx context.Context, call ToolCall) (graph.Command[S], error), error,
) {
	problem := checkTools(tools)
	byName := map[string]Tool{}
	for _, t := range tools {
		byName[t.Name] = t
	}
	for _, name := range slices.Sorted(maps.Keys(opts.InterruptOn)) {
		if _, ok := byName[name]; !ok {
			problem = errors.Join(problem, fmt.Errorf("interrupt on %q, which is no tool: %w", name, fault.ErrInvalid))
		}
	}
	if problem != nil {
		return nil, problem
	}
	opts.MaxAnswer = cmp.Or(opts.MaxAnswer, 16<<10)
	if opts.NewID == nil {
		opts.NewID = rand.Text
	}
	n := toolNode{tools: byName, opts: opts}
	return func(ctx context.Context, call ToolCall) (graph.Command[S], error) {
		result, question, err := n.handle(ctx, call)
		switch {
		case err != nil:
			return graph.Command[S]{}, err
		case question != nil:
			return graph.Command[S]{Interrupt: &graph.Interrupt{Question: question}}, nil
		}
		return graph.Command[S]{Update: graph.Update[S]{messages.Write([]Message{result})}}, nil
	}, nil
}

// MaxToolCalls is how many calls of one message are carried out. The model is told that the others were not.
const MaxToolCalls = 32

// ToolsCondition chooses what follows a model's message, the last of the list: a task of the node of that name for
// each of its tool calls, or else the label otherwise.
func ToolsCondition(messages []Message, node, otherwise string) graph.Next {
	if len(messages) == 0 || len(messages[len(messages)-1].ToolCalls) == 0 {
		return graph.To(otherwise)
	}
	calls := messages[len(messages)-1].ToolCalls
	calls = calls[:min(len(calls), MaxToolCalls)]
	sends := make([]graph.Send, len(calls))
	for i, c := range calls {
		sends[i] = graph.Send{Node: node, Input: c}
	}
	return graph.Fan(sends...)
}

// toolNode carries out calls.
type toolNode struct {
	tools map[string]Tool
	opts  ToolNodeOptions
}

// handle carries a call out, or returns what is to be asked first.
func (n toolNode) handle(ctx context.Context, call ToolCall) (Message, *ReviewRequest, error) {
	t, ok := n.tools[call.Name]
	if !ok {
		names := strings.Join(slices.Sorted(maps.Keys(n.tools)), ", ")
		return n.failed(call, fmt.Sprintf("There is no tool %.64q. The tools are: %s.", call.Name, names)), nil, nil
	}
	review, ask := n.opts.InterruptOn[call.Name]
	note := ""
	if ask {
		decision, question, err := decide(ctx, call, t, review)
		switch {
		case err != nil || question != nil:
			return Message{}, question, err
		case decision.Type == Reject:
			return n.failed(call, strings.TrimSpace("A person refused this call. "+decision.Message)), nil, nil
		case decision.Type == Edit:
			call.Args = decision.EditedAction.Args
			note = fmt.Sprintf("A person changed the arguments of this call to %s.\n", call.Args)
		}
	}
	answer, err := t.run(ctx, orEmpty(call.Args))
	switch {
	case ctx.Err() != nil: // the run ends, not the call
		return Message{}, nil, context.Cause(ctx)
	case err != nil:
		return n.failed(call, note+err.Error()), nil, nil
	}
	return n.result(call, note+answer), nil, nil
}

func (n toolNode) failed(call ToolCall, text string) Message {
	m := n.result(call, text)
	m.Failed = true
	return m
}

func (n toolNode) result(call ToolCall, text string) Message {
	if len(text) > n.opts.MaxAnswer {
		head := strings.ToValidUTF8(text[:n.opts.MaxAnswer], "")
		text = fmt.Sprintf("%s\n[cut off: %d of %d bytes]", head, len(head), len(text))
	}
	m := ToolMessage(call, text)
	m.ID = n.opts.NewID()
	return m
}
