package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"annai/fault"
	"annai/graph"
	"annai/llm"
)

// A Middleware changes what an agent of [React] does before, after and around the calls of the model and of the tools.
// All fields but Name may be nil. The names are those of LangChain's AgentMiddleware.
//
// The order is fixed. Before hooks run from the first middleware to the last, after hooks from the last to the first,
// and of the wrapping functions the first is the outermost. Every hook is a node of the graph, so what it writes is
// there when the next one runs, it may return an interrupt, and once done it is not run again; the wrapping functions
// run within the nodes "model" and "tools".
type Middleware struct {
	// Name is unlike those of the agent's other middleware: the nodes are called Name.before_model and so on. The
	// name of a ready-made one may be changed.
	Name string
	// BeforeAgent runs once when a run begins, and AfterAgent once when it ends. An answer to an interrupt goes on with
	// the run and does not begin another.
	BeforeAgent, AfterAgent graph.Node[State]
	// BeforeModel runs before each call of the model, and AfterModel after it, before its tool calls are carried out.
	// A tool call that AfterModel answers with a [ToolMessage] is not carried out; if all are answered the model is
	// asked again.
	BeforeModel, AfterModel graph.Node[State]
	// CanJumpTo are the values that Command.Goto of the hooks may have: [JumpModel], [JumpTools], [JumpEnd]. Without a
	// Goto the agent goes on as usual.
	CanJumpTo []string
	// WrapModelCall is called in place of each call of the model, that for the structured response included, and makes
	// it by next. It may change the request, call next any number of times, and change the message.
	WrapModelCall func(ctx context.Context, r ModelRequest, next ModelHandler) (Message, error)
	// WrapToolCall is called in place of each call of a tool, after a person decided about it
	// ([Options].InterruptOn), and makes it by next. The model is told of an error, as of one of the tool. It may be
	// called by several goroutines at once. Agents that are tools, and handoffs, are not wrapped.
	WrapToolCall func(ctx context.Context, r ToolRequest, next ToolHandler) (ToolResult, error)

	// invalid says what is wrong with the options of a ready-made one; [React] reports it.
	invalid error
}

// Where the hooks of a [Middleware] may jump to.
const (
	// JumpModel asks the model, after the hooks before it.
	JumpModel = "model"
	// JumpTools carries out the tool calls of the last message.
	JumpTools = "tools"
	// JumpEnd ends the run, after the AfterAgent hooks, without a structured response.
	JumpEnd = graph.End
)

// A ModelRequest is a call of the model.
type ModelRequest struct {
	// Model is asked. It must not be nil.
	Model llm.Model
	// SystemPrompt is told to the model before the messages; empty: nothing is.
	SystemPrompt string
	// Messages are those of the state.
	Messages []Message
	// Tools are those that the model is offered. One that it asks for is carried out even if it was not offered.
	Tools []Tool
	// ResponseFormat is the JSON schema of the answer in the call for the structured response, which offers no tools;
	// nil in others.
	ResponseFormat json.RawMessage
	// Silent says that the answer is not streamed while it comes.
	Silent bool
	// State is the agent's. It is only to be read.
	State State
}

// A ModelHandler calls the model. The message is of [TypeAI] and has an id.
type ModelHandler func(ctx context.Context, r ModelRequest) (Message, error)

// A ToolRequest is a call of a tool.
type ToolRequest struct {
	// Call is what the model asked for, with the arguments that the tool gets.
	Call ToolCall
	// Tool is the tool of that name.
	Tool Tool
	// State is the agent's at the beginning of the superstep. It is only to be read.
	State State
}

// A ToolHandler calls the tool. The error is the tool's, or says that it exceeded its Timeout or panicked.
type ToolHandler func(ctx context.Context, r ToolRequest) (ToolResult, error)

// A ToolResult is what a tool answered.
type ToolResult struct {
	// Text is what the model is told.
	Text string
	// command is the graph.Command[S] of a tool that [NewStateTool] made.
	command any
}

// hook is one hook of a middleware, as a node.
type hook struct {
	name string
	run  graph.Node[State]
	can  []string
}

// hooks adds the hooks of one kind to the graph, in the order in which they run.
func hooks(
	g *graph.StateGraph[State], all []Middleware, kind string, of func(Middleware) graph.Node[State],
) (list []hook) {
	for _, m := range all {
		if run := of(m); run != nil {
			h := hook{name: m.Name + "." + kind, run: run, can: m.CanJumpTo}
			g.AddNode(h.name, h.node)
			list = append(list, h)
		}
	}
	return list
}

// node is the hook as a node: its Goto becomes State.JumpTo, which the route behind it reads.
func (h hook) node(ctx context.Context, s State) (graph.Command[State], error) {
	cmd, err := h.run(ctx, s)
	if err != nil || cmd.Interrupt != nil {
		return cmd, err
	}
	if cmd.Goto != "" && !slices.Contains(h.can, cmd.Goto) {
		return cmd, fmt.Errorf(
			"%s jumps to %q, which is not among its CanJumpTo: %w",
			h.name,
			cmd.Goto,
			fault.ErrInvalid,
		)
	}
	if cmd.Goto != s.JumpTo {
		cmd.Update = append(slices.Clip(cmd.Update), jumpTo.Write(cmd.Goto))
	}
	cmd.Goto = ""
	return cmd, nil
}

// checkMiddleware looks for what is wrong with middleware.
func checkMiddleware(all []Middleware) error {
	var problems []error
	seen := map[string]bool{}
	for _, m := range all {
		if m.Name == "" || seen[m.Name] {
			problems = append(
				problems,
				fmt.Errorf("middleware %q has no name of its own: %w", m.Name, fault.ErrInvalid),
			)
		}
		seen[m.Name] = true
		for _, to := range m.CanJumpTo {
			if to != JumpModel && to != JumpTools && to != JumpEnd {
				problems = append(
					problems,
					fmt.Errorf("middleware %s can't jump to %q: %w", m.Name, to, fault.ErrInvalid),
				)
			}
		}
		if m.invalid != nil {
			problems = append(problems, fmt.Errorf("middleware %s: %w", m.Name, m.invalid))
		}
	}
	return errors.Join(problems...)
}

// wrapModel puts the middleware around a handler.
func wrapModel(all []Middleware, next ModelHandler) ModelHandler {
	for _, m := range slices.Backward(all) {
		if wrap := m.WrapModelCall; wrap != nil {
			inner := next
			next = func(ctx context.Context, r ModelRequest) (Message, error) { return wrap(ctx, r, inner) }
		}
	}
	return next
}

// wrapTool puts the middleware around a handler.
func wrapTool(all []Middleware, next ToolHandler) ToolHandler {
	for _, m := range slices.Backward(all) {
		if wrap := m.WrapToolCall; wrap != nil {
			inner := next
			next = func(ctx context.Context, r ToolRequest) (ToolResult, error) { return wrap(ctx, r, inner) }
		}
	}
	return next
}
