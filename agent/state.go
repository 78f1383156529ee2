package agent

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"annai/fault"
	"annai/graph"
)

// State is the state of the graphs that [React] and [Swarm] make.
type State struct {
	// Messages is the conversation, oldest first.
	Messages []Message `json:"messages"`
	// StructuredResponse is the answer of the last run that came to its end, if [Options] has a ResponseFormat. Nil or
	// JSON's null: there is none.
	StructuredResponse json.RawMessage `json:"structured_response,omitempty"`
	// Fields are what tools and middleware remember besides; see [Field].
	Fields map[string]json.RawMessage `json:"fields,omitempty"`
	// RunCalls counts the calls of the last run, ThreadCalls those of all runs of the thread.
	RunCalls    Calls `json:"-"`
	ThreadCalls Calls `json:"-"`
	// JumpTo is the Goto of the [Middleware] hook that ran last.
	JumpTo string `json:"-"`
}

// Calls are numbers of calls.
type Calls struct {
	// Model counts the calls of the model. In a run that ended at [Options].ModelCallLimit it is one more than that.
	Model int `json:"model"`
	// Tools counts the tool calls that the model asked for, by the names of the tools.
	Tools map[string]int `json:"tools,omitempty"`
}

// all is how often any tool was asked for.
func (c Calls) all() int {
	n := 0
	for _, times := range c.Tools {
		n += times
	}
	return n
}

// with adds a call of the model, and the tools that its message asks for.
func (c Calls) with(m Message) Calls {
	c.Model++
	if len(m.ToolCalls) > 0 {
		tools := make(map[string]int, len(c.Tools)+1)
		maps.Copy(tools, c.Tools)
		for _, call := range m.ToolCalls {
			tools[call.Name]++
		}
		c.Tools = tools
	}
	return c
}

// Text returns the text of the last message, "" if there is none.
func (s State) Text() string {
	if len(s.Messages) == 0 {
		return ""
	}
	return s.Messages[len(s.Messages)-1].Text
}

// The channels of [State] that programs write to.
var (
	schema = graph.NewSchema[State]()
	// StateMessages is the channel of State.Messages.
	StateMessages      = Messages(schema, func(s *State) *[]Message { return &s.Messages })
	structuredResponse = graph.Last(schema, "structured_response",
		func(s *State) *json.RawMessage { return &s.StructuredResponse })
	fields = graph.Reduce(
		schema,
		"fields",
		func(s *State) *map[string]json.RawMessage { return &s.Fields },
		graph.Reducer[map[string]json.RawMessage, map[string]json.RawMessage]{
			Reduce:  mergeFields,
			Combine: mergeFields,
		},
	)
	// The names of channels that nobody outside sees are in underlines.
	runCalls    = graph.Ephemeral(schema, "__run_calls__", func(s *State) *Calls { return &s.RunCalls })
	threadCalls = graph.Last(schema, "__thread_calls__", func(s *State) *Calls { return &s.ThreadCalls })
	jumpTo      = graph.Ephemeral(schema, "__jump_to__", func(s *State) *string { return &s.JumpTo })
)

func mergeFields(old, update map[string]json.RawMessage) map[string]json.RawMessage {
	merged := make(map[string]json.RawMessage, len(old)+len(update))
	maps.Copy(merged, old)
	maps.Copy(merged, update)
	return merged
}

// A Field is one of State.Fields, of type T: what your tools or middleware remember on the thread. It is kept as
// JSON. Of several writes in one superstep the last one counts, in the order of the tool calls.
type Field[T any] struct{ name string }

// NewField returns the field of that name, mostly for a package variable.
func NewField[T any](name string) Field[T] { return Field[T]{name} }

// Of returns the field's value; the zero T if it was never written. A value that is no T is [fault.ErrInvalid].
func (f Field[T]) Of(s State) (value T, err error) {
	data, ok := s.Fields[f.name]
	if !ok {
		return value, nil
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return value, fmt.Errorf("field %s: %w: %w", f.name, err, fault.ErrInvalid)
	}
	return value, nil
}

// Write returns the write of the value to the field, for a [graph.Update]. It panics if JSON can't write the value.
func (f Field[T]) Write(value T) graph.Write[State] {
	data, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("field %s: %v", f.name, err))
	}
	return fields.Write(map[string]json.RawMessage{f.name: data})
}

// Input returns the input of a run that begins with the messages. Those without an id get a random one.
func Input(messages ...Message) graph.Input[State] {
	messages = slices.Clone(messages)
	for i := range messages {
		if messages[i].ID == "" {
			messages[i].ID = rand.Text()
		}
	}
	return graph.Input[State]{Update: graph.Update[State]{StateMessages.Write(messages)}}
}

// Resume returns the input of a run that answers open interrupts of the thread, by their ids. The id "" answers the
// only one that is open.
func Resume(decisions map[string]Decision) graph.Input[State] {
	answers := make(map[string]any, len(decisions))
	for id, d := range decisions {
		answers[id] = d
	}
	return graph.Input[State]{Resume: answers}
}
