package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"annai/fault"
	"annai/graph"
	"annai/llm"
)

// State is the state of the graph that [React] makes.
type State struct {
	Messages []Message `json:"messages"`
	// StructuredResponse is the answer of the last run that ended, if [Options] has a ResponseFormat. Nil or JSON's
	// null is none.
	StructuredResponse json.RawMessage `json:"structured_response,omitempty"`
	// ModelCalls counts the model's calls of the last run.
	ModelCalls int `json:"-"`
}

// Text is what was said last.
func (s State) Text() string {
	if len(s.Messages) == 0 {
		return ""
	}
	return s.Messages[len(s.Messages)-1].Text
}

// The channels of [State].
var (
	schema = graph.NewSchema[State]()
	// StateMessages is the channel of State.Messages.
	StateMessages      = Messages(schema, func(s *State) *[]Message { return &s.Messages })
	structuredResponse = graph.Last(schema, "structured_response",
		func(s *State) *json.RawMessage { return &s.StructuredResponse })
	modelCalls = graph.Ephemeral(schema, "model_calls", func(s *State) *int { return &s.ModelCalls })
)

// Input is what a run of [React]'s graph begins with. Messages without an id get a random one.
func Input(messages ...Message) graph.Input[State] {
	messages = slices.Clone(messages)
	for i := range messages {
		if messages[i].ID == "" {
			messages[i].ID = rand.Text()
		}
	}
	return graph.Input[State]{Update: graph.Update[State]{StateMessages.Write(messages)}}
}

// Resume answers the open interrupts of a thread by their ids. The id "" answers the only one.
func Resume(decisions map[string]Decision) graph.Input[State] {
	answers := make(map[string]any, len(decisions))
	for id, d := range decisions {
		answers[id] = d
	}
	return graph.Input[State]{Resume: answers}
}

// Options are the settings of [React] that have a default.
type Options struct {
	// SystemPrompt is told to the model before the messages. It is not part of the state.
	SystemPrompt string
	// ModelCallLimit is how many calls of the model a run may make; the run ends with a message that says so when it
	// would need more. An answer to an interrupt does not begin a new run. 0: 10. Each call takes up to two supersteps,
	// so more than 11 need a larger [graph.Options].RecursionLimit.
	ModelCallLimit int
	// ResponseFormat is the JSON schema of a structured answer. When the model has said its last word it is asked once
	// more, for that. Nil: none.
	ResponseFormat json.RawMessage

	// These are as in [ToolNodeOptions].

	InterruptOn map[string]Review
	MaxAnswer   int
	NewID       func() string
}

// The names of React's nodes.
const (
	modelNode     = "model"
	toolsNode     = "tools"
	structureNode = "generate_structured_response"
)

// React makes the graph of an agent: the model is asked, the tools that it asks for are called side by side, it is
// asked again with their results, and so on until it asks for none. What the model says is streamed to
// [graph.ModeMessages] as pieces of the message that it becomes, with the same id.
//
// A model that fails ends the run with its error, and an empty [graph.Input] goes on from there; see [llm.Guard] for
// retries, fallbacks and limits of time. Tools and options that can't be right are [fault.ErrInvalid].
func React(model llm.Model, tools []Tool, opts Options) (*graph.StateGraph[State], error) {
	r := react{model: model, opts: opts}
	r.opts.ModelCallLimit = cmp.Or(opts.ModelCallLimit, 10)
	if opts.NewID == nil {
		r.opts.NewID = rand.Text
	}
	node, err := ToolNode(StateMessages, tools, ToolNodeOptions{
		InterruptOn: opts.InterruptOn, MaxAnswer: opts.MaxAnswer, NewID: r.opts.NewID,
	})
	if model == nil {
		err = errors.Join(err, fmt.Errorf("an agent without a model: %w", fault.ErrInvalid))
	}
	if opts.ResponseFormat != nil && !isObject(opts.ResponseFormat) {
		err = errors.Join(err, fmt.Errorf("a response format that is no JSON object: %w", fault.ErrInvalid))
	}
	if err != nil {
		return nil, fmt.Errorf("make an agent: %w", err)
	}
	for _, t := range tools {
		r.offered = append(r.offered, llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	return r.graph(node), nil
}

// react is the nodes of an agent.
type react struct {
	model   llm.Model
	offered []llm.Tool
	opts    Options
}

func (r react) graph(node func(context.Context, ToolCall) (graph.Command[State], error)) *graph.StateGraph[State] {
	g := graph.New(schema)
	g.AddNode(modelNode, r.ask)
	graph.AddInputNode(g, toolsNode, node)
	g.AddEdge(graph.Start, modelNode)
	g.AddEdge(toolsNode, modelNode)
	last := graph.End
	if r.opts.ResponseFormat != nil {
		last = structureNode
		g.AddNode(structureNode, r.structure)
		g.AddEdge(structureNode, graph.End)
	}
	g.AddRoute(modelNode, func(_ context.Context, s State) (graph.Next, error) {
		return ToolsCondition(s.Messages, toolsNode, last), nil
	}, graph.Nodes(toolsNode, last))
	return g
}

// ask asks the model, unless it was asked too often.
func (r react) ask(ctx context.Context, s State) (graph.Command[State], error) {
	id := r.opts.NewID()
	if s.ModelCalls >= r.opts.ModelCallLimit {
		m := AIMessage(fmt.Sprintf("The limit of %d model calls in one run was reached.", r.opts.ModelCallLimit))
		m.ID = id
		return graph.Command[State]{Update: graph.Update[State]{StateMessages.Write([]Message{m})}}, nil
	}
	request := llm.Request{Messages: r.prompt(s.Messages), Tools: r.offered}
	answer, err := llm.Collect(streamed(ctx, r.model.Stream(ctx, request), id))
	if err != nil {
		return graph.Command[State]{}, fmt.Errorf("ask the model: %w", err)
	}
	return graph.Command[State]{Update: graph.Update[State]{
		StateMessages.Write([]Message{FromModel(answer, id)}), modelCalls.Write(s.ModelCalls + 1),
	}}, nil
}

// prompt is what the model is told.
func (r react) prompt(messages []Message) []llm.Message {
	if r.opts.SystemPrompt == "" {
		return ToModel(messages)
	}
	return ToModel(append([]Message{SystemMessage(r.opts.SystemPrompt)}, messages...))
}

// maxText is how many bytes an answer of a model may have.
const maxText = 1 << 20

// streamed writes pieces of text as messages with the id while they come.
func streamed(ctx context.Context, deltas iter.Seq2[llm.Delta, error], id string) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		size := 0
		for d, err := range deltas {
			size += len(d.Text)
			if size > maxText {
				yield(llm.Delta{}, fmt.Errorf("an answer of more than %d bytes: %w", maxText, fault.ErrUnavailable))
				return
			}
			if d.Text != "" {
				graph.WriteMessage(ctx, Message{Type: TypeAI, ID: id, Text: d.Text})
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// structure asks for the answer in the form that was asked for, in place of the model's last message.
func (r react) structure(ctx context.Context, s State) (graph.Command[State], error) {
	request := llm.Request{Messages: r.prompt(s.Messages[:len(s.Messages)-1]), Schema: r.opts.ResponseFormat}
	answer, err := llm.Collect(r.model.Stream(ctx, request))
	if err != nil {
		return graph.Command[State]{}, fmt.Errorf("ask the model for a structured response: %w", err)
	}
	if !json.Valid([]byte(answer.Text)) {
		return graph.Command[State]{}, fmt.Errorf("ask for a structured response: %w",
			&llm.Failure{Kind: llm.Malformed, Model: answer.End.Model, Err: errors.New("the answer is no JSON")})
	}
	return graph.Command[State]{Update: graph.Update[State]{
		structuredResponse.Write(json.RawMessage(answer.Text)),
	}}, nil
}
