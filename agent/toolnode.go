package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
)

// ToolNodeOptions are the settings of [AddToolNode] that have a default.
type ToolNodeOptions struct {
	// InterruptOn names the tools whose calls a person has to decide about first; see [ReviewRequest] and [Decision].
	// The graph needs a checkpointer then.
	InterruptOn map[string]Review
	// MaxAnswer is how many bytes of a tool's answer the model is given at most; if the rest is cut off the model is
	// told so. 0: 16,384.
	MaxAnswer int
	// NewID makes ids of messages. Nil: random ones.
	NewID func() string
}

// AddToolNode adds a node that carries out one tool call and writes its result to the messages. It is reached by
// [ToolsCondition], so that the calls of one message are tasks side by side: each has its own time limit and
// interrupts, and once it is done it is not done again. A call is carried out at least once: if the process dies
// before its result is kept, it is carried out again.
//
// What goes wrong with a call, be it an unknown tool, arguments that do not fit or the tool's own error, is a result
// that the model reads. Tools that can't be right are [fault.ErrInvalid]; so are those of [AsTool] and [Handoff],
// which only [React] takes.
func AddToolNode[S any](
	g *graph.StateGraph[S], name string, messages graph.Channel[S, []Message], tools []Tool, opts ToolNodeOptions,
) error {
	n, err := newToolNode(messages, tools, opts)
	for _, t := range tools {
		if t.agent != nil || t.handoff != "" {
			err = errors.Join(
				err,
				fmt.Errorf("tool %s leads to an agent, which needs React: %w", t.Name, fault.ErrInvalid),
			)
		}
	}
	if err != nil {
		return err
	}
	n.add(g, name)
	return nil
}

func newToolNode[S any](
	messages graph.Channel[S, []Message], tools []Tool, opts ToolNodeOptions,
) (*toolNode[S], error) {
	problem := checkTools(tools)
	n := &toolNode[S]{
		messages: messages, tools: map[string]Tool{}, opts: opts, fits: map[string]func(json.RawMessage) error{},
	}
	for _, t := range tools {
		n.tools[t.Name] = t
	}
	for _, name := range slices.Sorted(maps.Keys(opts.InterruptOn)) {
		if t, ok := n.tools[name]; !ok || t.agent != nil {
			problem = errors.Join(problem, fmt.Errorf("interrupt on %q, which is no tool: %w", name, fault.ErrInvalid))
		} else if t.err == nil {
			fits, err := t.checker()
			n.fits[name], problem = fits, errors.Join(problem, err)
		}
	}
	n.opts.MaxAnswer = cmp.Or(opts.MaxAnswer, 16<<10)
	if opts.NewID == nil {
		n.opts.NewID = rand.Text
	}
	n.call = func(ctx context.Context, s S, t Tool, call ToolCall) (ToolResult, error) {
		return t.run(ctx, s, call.Args)
	}
	return n, problem
}

// MaxToolCalls is how many tool calls of one message are carried out at most. The model is told that the others were
// not.
const MaxToolCalls = 32

// ToolsCondition returns what follows the last of the messages, a model's, for a [graph.Route]: a task of the node for
// each of its tool calls, or, if it has none, the label otherwise.
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
type toolNode[S any] struct {
	messages graph.Channel[S, []Message]
	tools    map[string]Tool
	opts     ToolNodeOptions
	// fits says what is wrong with arguments of the tools of opts.InterruptOn.
	fits map[string]func(args json.RawMessage) error
	call func(ctx context.Context, s S, t Tool, call ToolCall) (ToolResult, error)
}

func (n *toolNode[S]) add(g *graph.StateGraph[S], name string) {
	graph.AddStateInputNode(g, name, n.run, graph.NodeOptions{CheckAnswer: n.checkDecision})
}

// run carries a call out, or asks about it first.
func (n *toolNode[S]) run(ctx context.Context, s S, call ToolCall) (graph.Command[S], error) {
	t, ok := n.tools[call.Name]
	if !ok {
		names := strings.Join(slices.Sorted(maps.Keys(n.tools)), ", ")
		return n.failed(call, fmt.Sprintf("There is no tool %.64q. The tools are: %s.", call.Name, names)), nil
	}
	note := ""
	if review, ask := n.opts.InterruptOn[call.Name]; ask {
		decision, question, err := decide(ctx, call, t, review)
		switch {
		case err != nil:
			return graph.Command[S]{}, err
		case question != nil:
			return graph.Command[S]{Interrupt: question}, nil
		case decision.Type == Reject:
			return n.failed(call, strings.TrimSpace("A person refused this call. "+decision.Message)), nil
		case decision.Type == Respond:
			return n.say(n.message(call, decision.Message)), nil
		case decision.Type == Edit:
			call.Args = decision.EditedAction.Args
			note = fmt.Sprintf("A person changed the arguments of this call to %s.\n", call.Args)
		}
	}
	if t.handoff != "" {
		return handOff(s, n.message(call, "The talk is handed over to "+t.handoff+"."), t.handoff)
	}
	call.Args = orEmpty(call.Args)
	asked := toCalls([]ToolCall{call})[0]
	inside, ended := graph.Observe(ctx, graph.Span{Kind: graph.SpanTool, Name: call.Name, Value: asked})
	result, err := n.call(inside, s, t, call)
	ended(graph.Outcome{Value: result.Text, Err: err})
	switch {
	case ctx.Err() != nil: // the run ends, not the call
		return graph.Command[S]{}, context.Cause(ctx)
	case err != nil:
		return n.failed(call, note+err.Error()), nil
	}
	return n.result(call, note, result)
}

// result is what is wanted of the graph after a call.
func (n *toolNode[S]) result(call ToolCall, note string, result ToolResult) (graph.Command[S], error) {
	message := n.message(call, note+result.Text)
	if result.command == nil {
		return n.say(message), nil
	}
	cmd, ok := result.command.(graph.Command[S])
	if !ok {
		return cmd, fmt.Errorf("tool %s returned a %T: %w", call.Name, result.command, fault.ErrInvalid)
	}
	if cmd.Interrupt == nil && cmd.Parent == nil {
		cmd.Update = append(slices.Clip(cmd.Update), n.messages.Write([]Message{message}))
	}
	return cmd, nil
}

func (n *toolNode[S]) say(m Message) graph.Command[S] {
	return graph.Command[S]{Update: graph.Update[S]{n.messages.Write([]Message{m})}}
}

func (n *toolNode[S]) failed(call ToolCall, text string) graph.Command[S] {
	m := n.message(call, text)
	m.Failed = true
	return n.say(m)
}

func (n *toolNode[S]) message(call ToolCall, text string) Message {
	if len(text) > n.opts.MaxAnswer {
		head := strings.ToValidUTF8(text[:n.opts.MaxAnswer], "")
		text = fmt.Sprintf("%s\n[cut off: %d of %d bytes]", head, len(head), len(text))
	}
	m := ToolMessage(call, text)
	m.ID = n.opts.NewID()
	return m
}
