package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"annai/fault"
	"annai/graph"
	"annai/llm"
)

// Options are the settings of [React] that have a default.
type Options struct {
	// SystemPrompt is the model's system message, before those of the state, of which it is no part. Empty: none.
	SystemPrompt string
	// ModelCallLimit is how many calls of the model a run may make; where it would need more the run ends with a
	// message that says so. An answer to an interrupt does not begin a new run. 0: 10.
	ModelCallLimit int
	// ResponseFormat is the JSON schema of a structured response. Once the model asks for no more tools it is called
	// once more, for State.StructuredResponse, which is JSON but not checked against the schema. Nil: none.
	ResponseFormat json.RawMessage
	// Middleware changes what is done around the calls; see [Middleware] for their order.
	Middleware []Middleware
	// InterruptOn names the tools whose calls a person has to decide about first, as in [ToolNodeOptions].
	InterruptOn map[string]Review
	// MaxAnswer is how many bytes of a tool's answer the model is given at most. 0: 16,384.
	MaxAnswer int
	// NewID makes ids of messages. Nil: random ones.
	NewID func() string
}

// The names of React's nodes.
const (
	modelNode     = JumpModel
	toolsNode     = JumpTools
	structureNode = "generate_structured_response"
)

// React makes the graph of an agent: the model is called, the tools that it asks for are called side by side, it is
// called again with their results, and so on until it asks for none. What the model says is streamed to
// [graph.ModeMessages] as pieces of the message that it becomes, with the same id: text and tool calls as they come,
// the latter in the form of LangChain's tool_call_chunks.
//
// A model that fails ends the run with its error, and an empty [graph.Input] goes on from there; see [llm.Guard] for
// retries and time limits. Tools and options that can't be right are [fault.ErrInvalid]. The graph's recursion limit
// is as high as ModelCallLimit needs.
func React(model llm.Model, tools []Tool, opts Options) (*graph.StateGraph[State], error) {
	opts.ModelCallLimit = cmp.Or(opts.ModelCallLimit, 10)
	if opts.NewID == nil {
		opts.NewID = rand.Text
	}
	r := &react{model: model, tools: tools, opts: opts}
	node, err := newToolNode(StateMessages, tools, ToolNodeOptions{
		InterruptOn: opts.InterruptOn, MaxAnswer: opts.MaxAnswer, NewID: opts.NewID,
	})
	err = errors.Join(err, checkMiddleware(opts.Middleware))
	if model == nil {
		err = errors.Join(err, fmt.Errorf("an agent without a model: %w", fault.ErrInvalid))
	}
	if opts.ResponseFormat != nil && !isObject(opts.ResponseFormat) {
		err = errors.Join(err, fmt.Errorf("a response format that is no JSON object: %w", fault.ErrInvalid))
	}
	if err != nil {
		return nil, fmt.Errorf("make an agent: %w", err)
	}
	callTool := wrapTool(opts.Middleware, func(ctx context.Context, q ToolRequest) (ToolResult, error) {
		return q.Tool.run(ctx, q.State, q.Call.Args)
	})
	node.call = func(ctx context.Context, s State, t Tool, call ToolCall) (ToolResult, error) {
		return callTool(ctx, ToolRequest{Call: call, Tool: t, State: s})
	}
	r.callModel = wrapModel(opts.Middleware, r.base)
	return r.graph(node), nil
}

// react is the nodes of an agent.
type react struct {
	model     llm.Model
	tools     []Tool
	opts      Options
	callModel ModelHandler
	// loop, finish and end are where the model's turn begins, where one goes after its last word, and where the run
	// ends.
	loop, finish, end string
}

func (r *react) graph(node *toolNode[State]) *graph.StateGraph[State] {
	g := graph.New(schema)
	forward, backward := r.opts.Middleware, slices.Clone(r.opts.Middleware)
	slices.Reverse(backward)
	beforeAgent := hooks(g, forward, "before_agent", func(m Middleware) graph.Node[State] { return m.BeforeAgent })
	beforeModel := hooks(g, forward, "before_model", func(m Middleware) graph.Node[State] { return m.BeforeModel })
	g.AddNode(modelNode, r.ask)
	afterModel := hooks(g, backward, "after_model", func(m Middleware) graph.Node[State] { return m.AfterModel })
	node.add(g, toolsNode)
	if r.opts.ResponseFormat != nil {
		g.AddNode(structureNode, r.structure)
	}
	afterAgent := hooks(g, backward, "after_agent", func(m Middleware) graph.Node[State] { return m.AfterAgent })

	r.loop, r.end = first(beforeModel, modelNode), first(afterAgent, graph.End)
	r.finish = r.end
	if r.opts.ResponseFormat != nil {
		r.finish = structureNode
		g.AddEdge(structureNode, r.end)
	}
	after := []string{toolsNode, r.finish, r.end}
	inside := 0 // what an agent inside needs
	for _, t := range r.tools {
		if t.agent != nil {
			inside = max(inside, t.agent.RecursionLimit())
			addAgent(g, t, r.opts.NewID)
			g.AddEdge(t.Name, r.loop)
			after = append(after, t.Name)
		}
	}
	if len(afterModel) > 0 { // which may have answered all calls
		after = append(after, r.loop)
	}
	g.AddEdge(graph.Start, first(beforeAgent, r.loop))
	g.AddEdge(toolsNode, r.loop)
	r.chain(g, beforeAgent, always(r.loop), r.loop)
	r.chain(g, beforeModel, always(modelNode), modelNode)
	r.chain(g, append([]hook{{name: modelNode}}, afterModel...), r.next, after...)
	r.chain(g, afterAgent, always(graph.End), graph.End)

	turn := 2 + len(beforeModel) + len(afterModel) // and one for the message that says that the limit was reached
	g.RecursionLimit(max(25, len(beforeAgent)+(r.opts.ModelCallLimit+1)*turn+1+len(afterAgent)) + inside)
	return g
}

// first is where a list of hooks begins, before next.
func first(list []hook, next string) string {
	if len(list) == 0 {
		return next
	}
	return list[0].name
}

// always goes to one node.
func always(to string) func(State) graph.Next {
	return func(State) graph.Next { return graph.To(to) }
}

// chain adds what follows the hooks: each other, then next, which is among the targets, unless they jump.
func (r *react) chain(g *graph.StateGraph[State], list []hook, next func(State) graph.Next, targets ...string) {
	for i, h := range list {
		next, targets := next, targets
		if rest := list[i+1:]; len(rest) > 0 {
			next, targets = always(rest[0].name), []string{rest[0].name}
		}
		if len(h.can) == 0 && len(targets) == 1 {
			g.AddEdge(h.name, targets[0])
			continue
		}
		labels := graph.Nodes(targets...)
		for _, to := range h.can {
			maps.Copy(labels, graph.Nodes(r.jumps(to)...))
		}
		g.AddRoute(h.name, func(_ context.Context, s State) (graph.Next, error) {
			if len(h.can) > 0 {
				return r.jump(s, next), nil
			}
			return next(s), nil
		}, labels)
	}
}

// jump goes where the hook that ran last jumps to, or else on.
func (r *react) jump(s State, next func(State) graph.Next) graph.Next {
	switch s.JumpTo {
	case JumpModel:
		return graph.To(r.loop)
	case JumpTools:
		return r.next(s)
	case JumpEnd:
		return graph.To(r.end)
	}
	return next(s)
}

// jumps are the nodes that a jump may lead to.
func (r *react) jumps(to string) []string {
	switch to {
	case JumpModel:
		return []string{r.loop}
	case JumpEnd:
		return []string{r.end}
	}
	all := []string{toolsNode, r.loop, r.finish, r.end}
	for _, t := range r.tools {
		if t.agent != nil {
			all = append(all, t.Name)
		}
	}
	return all
}

// next is what follows the model's message: its tool calls, or else the end.
func (r *react) next(s State) graph.Next {
	calls, asked := pending(s.Messages)
	switch {
	case s.RunCalls.Model > r.opts.ModelCallLimit:
		return graph.To(r.end)
	case !asked:
		return graph.To(r.finish)
	case len(calls) == 0: // all of them were answered by middleware
		return graph.To(r.loop)
	}
	sends := make([]graph.Send, 0, len(calls))
	for _, c := range calls[:min(len(calls), MaxToolCalls)] {
		send := graph.Send{Node: toolsNode, Input: c}
		if i := slices.IndexFunc(r.tools, func(t Tool) bool { return t.Name == c.Name }); i >= 0 {
			switch t := r.tools[i]; {
			case t.handoff != "": // which leaves the agent, so nothing goes beside it
				return graph.Fan(send)
			case t.agent != nil && checkRequest(c.Args) == nil:
				send.Node = t.Name
			}
		}
		sends = append(sends, send)
	}
	return graph.Fan(sends...)
}

// pending returns the calls of the model's last message that nobody has answered, and whether it asked for any.
func pending(messages []Message) (calls []ToolCall, asked bool) {
	answered := map[string]bool{}
	for _, m := range slices.Backward(messages) {
		switch m.Type {
		case TypeTool:
			answered[m.ToolCallID] = true
		case TypeAI:
			for _, c := range m.ToolCalls {
				if !answered[c.ID] {
					calls = append(calls, c)
				}
			}
			return calls, len(m.ToolCalls) > 0
		case TypeSystem, TypeHuman, TypeRemove:
		}
	}
	return nil, false
}

// ask asks the model, unless it was asked too often.
func (r *react) ask(ctx context.Context, s State) (graph.Command[State], error) {
	if s.RunCalls.Model >= r.opts.ModelCallLimit {
		m := AIMessage(fmt.Sprintf("The limit of %d model calls in one run was reached.", r.opts.ModelCallLimit))
		m.ID = r.opts.NewID()
		return graph.Command[State]{Update: graph.Update[State]{
			StateMessages.Write([]Message{m}), runCalls.Write(s.RunCalls.with(m)),
		}}, nil
	}
	m, err := r.call(ctx, ModelRequest{
		Model: r.model, SystemPrompt: r.opts.SystemPrompt, Messages: s.Messages, Tools: r.tools, State: s,
	})
	if err != nil {
		return graph.Command[State]{}, fmt.Errorf("ask the model: %w", err)
	}
	return graph.Command[State]{Update: graph.Update[State]{
		StateMessages.Write([]Message{m}), runCalls.Write(s.RunCalls.with(m)), threadCalls.Write(s.ThreadCalls.with(m)),
	}}, nil
}

// structure asks for the answer in the form that was asked for, in place of the model's last message.
func (r *react) structure(ctx context.Context, s State) (graph.Command[State], error) {
	m, err := r.call(ctx, ModelRequest{
		Model: r.model, SystemPrompt: r.opts.SystemPrompt, Messages: s.Messages[:len(s.Messages)-1],
		ResponseFormat: r.opts.ResponseFormat, Silent: true, State: s,
	})
	if err != nil {
		return graph.Command[State]{}, fmt.Errorf("ask the model for a structured response: %w", err)
	}
	if !json.Valid([]byte(m.Text)) {
		return graph.Command[State]{}, fmt.Errorf("ask for a structured response: %w",
			&llm.Failure{Kind: llm.Malformed, Model: r.model.Name(), Err: errors.New("the answer is no JSON")})
	}
	return graph.Command[State]{Update: graph.Update[State]{structuredResponse.Write(json.RawMessage(m.Text))}}, nil
}

// call asks the model through the middleware.
func (r *react) call(ctx context.Context, q ModelRequest) (Message, error) {
	m, err := r.callModel(ctx, q)
	if err == nil && m.Type != TypeAI {
		err = fmt.Errorf("a middleware returned a message of the type %q: %w", m.Type, fault.ErrInvalid)
	}
	if m.ID == "" {
		m.ID = r.opts.NewID()
	}
	return m, err
}

// base asks the model.
func (r *react) base(ctx context.Context, q ModelRequest) (Message, error) {
	if q.Model == nil {
		return Message{}, fmt.Errorf("a middleware took the model away: %w", fault.ErrInvalid)
	}
	if q.SystemPrompt != "" {
		q.Messages = append([]Message{SystemMessage(q.SystemPrompt)}, q.Messages...)
	}
	request := llm.Request{Messages: ToModel(q.Messages), Schema: q.ResponseFormat}
	if q.ResponseFormat == nil {
		for _, t := range q.Tools {
			offered := llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
			request.Tools = append(request.Tools, offered)
		}
	}
	id := r.opts.NewID()
	t := messageStream{id: id, silent: q.Silent}
	request.Pieces = !q.Silent
	ctx, ended := graph.Observe(ctx, graph.Span{Kind: graph.SpanModel, Name: q.Model.Name(), Value: request})
	answer, err := llm.Collect(t.streamed(ctx, q.Model.Stream(ctx, request)))
	ended(graph.Outcome{Value: answer, Err: err})
	switch {
	case err != nil && t.begun:
		return Message{}, &begunError{err}
	case err != nil:
		return Message{}, err
	}
	return FromModel(answer, id), nil
}

// begunError says that pieces of the answer had been streamed, which can't be taken back.
type begunError struct{ error }

func (e *begunError) Unwrap() error { return e.error }

// maxText is how many bytes an answer of a model may have.
const maxText = 1 << 20

// messageStream is an answer that is streamed as pieces of the message with the id, unless it is silent.
type messageStream struct {
	id     string
	silent bool
	begun  bool
	// calls is how many calls were told, as a whole or by their first piece.
	calls int
}

// streamed writes pieces of the answer while they come.
func (t *messageStream) streamed(ctx context.Context, deltas iter.Seq2[llm.Delta, error]) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		size, whole := 0, 0
		for d, err := range deltas {
			size += len(d.Text)
			if size > maxText {
				yield(llm.Delta{}, fmt.Errorf("an answer of more than %d bytes: %w", maxText, fault.ErrUnavailable))
				return
			}
			switch {
			case t.silent:
			case d.Text != "":
				t.tell(ctx, Message{Type: TypeAI, ID: t.id, Text: d.Text})
			case d.Piece != nil:
				t.calls = max(t.calls, d.Piece.Index+1)
				t.tell(ctx, callPiece(t.id, *d.Piece))
			case d.Call != nil && whole >= t.calls: // by a model that has no pieces
				t.tell(ctx, callPiece(t.id, llm.CallPiece{
					Index: whole, ID: d.Call.ID, Name: d.Call.Name, Arguments: string(orEmpty(d.Call.Arguments)),
				}))
			}
			if d.Call != nil {
				whole++
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

func (t *messageStream) tell(ctx context.Context, piece Message) {
	t.begun = true
	graph.WriteMessage(ctx, piece)
}

// callPiece is a piece of a message that has a piece of a tool call. As in LangChain, what a piece does not have is
// null.
func callPiece(id string, p llm.CallPiece) Message {
	type chunk struct {
		Type  string  `json:"type"`
		Index int     `json:"index"`
		ID    *string `json:"id"`
		Name  *string `json:"name"`
		Args  string  `json:"args"`
	}
	c := chunk{Type: "tool_call_chunk", Index: p.Index, Args: p.Arguments}
	if p.ID != "" {
		c.ID = &p.ID
	}
	if p.Name != "" {
		c.Name = &p.Name
	}
	piece := Message{Type: TypeAI, ID: id}
	if chunks, err := json.Marshal([]chunk{c}); err == nil { // texts and numbers always can be written
		piece.Extra = map[string]json.RawMessage{"tool_call_chunks": chunks}
	}
	return piece
}
