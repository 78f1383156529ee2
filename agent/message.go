package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"annai/fault"
	"annai/graph"
	"annai/internal/message"
)

// A Type says who speaks in a [Message].
type Type string

// The types of messages. Messages of other types are kept and streamed, but no model is given them.
const (
	// TypeSystem is the program that asks the model.
	TypeSystem Type = "system"
	// TypeHuman is a person.
	TypeHuman Type = "human"
	// TypeAI is the model.
	TypeAI Type = "ai"
	// TypeTool is a tool's answer to a [ToolCall].
	TypeTool Type = "tool"
	// TypeRemove takes other messages out. It only occurs in updates.
	TypeRemove Type = "remove"
)

// A Message is one turn of a conversation. Its JSON is that of LangChain's libraries; all forms in which LangGraph's
// clients send messages are read.
type Message struct {
	// Type says who speaks.
	Type Type
	// ID tells the message apart in its conversation. A message without one is never replaced or removed.
	ID string
	// Name is that of the speaker, or of the tool.
	Name string
	// Text is what is said.
	Text string
	// Blocks is the content as it was sent if it is a list of blocks, such as pictures; Text is the text in it then. A
	// model is given Text only.
	Blocks json.RawMessage
	// ToolCalls are the calls that the model asks for; messages of other types have none.
	ToolCalls []ToolCall
	// ToolCallID is the ID of the call that a tool's message answers.
	ToolCallID string
	// Failed says that a tool's message is an error.
	Failed bool
	// Extra has all other fields of the JSON, such as "additional_kwargs", "response_metadata" and "usage_metadata".
	Extra map[string]json.RawMessage
}

// A ToolCall is a call of a tool that a model asks for.
type ToolCall struct {
	// ID tells the calls of one message apart.
	ID string
	// Name is the tool's.
	Name string
	// Args is a JSON object. Nobody has checked it against the tool's schema.
	Args json.RawMessage
	// Extras is data of the model's provider that has to be sent back with the call. Most have none.
	Extras json.RawMessage
}

// HumanMessage returns a message of a person.
func HumanMessage(text string) Message { return Message{Type: TypeHuman, Text: text} }

// SystemMessage returns a message of the program to the model.
func SystemMessage(text string) Message { return Message{Type: TypeSystem, Text: text} }

// AIMessage returns a message of a model, with the tool calls that it asks for.
func AIMessage(text string, calls ...ToolCall) Message {
	return Message{Type: TypeAI, Text: text, ToolCalls: calls}
}

// ToolMessage returns the result of the call. It has no ID yet.
func ToolMessage(call ToolCall, text string) Message {
	return Message{Type: TypeTool, Name: call.Name, ToolCallID: call.ID, Text: text}
}

// RemoveMessage returns a message that, written to [Messages], removes the one with the id.
func RemoveMessage(id string) Message { return Message{Type: TypeRemove, ID: id} }

// RemoveAllMessages returns a message that, written to [Messages], removes all messages before it.
func RemoveAllMessages() Message { return RemoveMessage(message.RemoveAll) }

// Messages declares the channel "messages" of a state. An update is a list of messages: one whose id is known replaces
// the old one in its place, [RemoveMessage] removes one, others are appended.
func Messages[S any](s *graph.Schema[S], field func(*S) *[]Message) graph.Channel[S, []Message] {
	return graph.Reduce(s, message.Channel, field, AddMessages())
}

// AddMessages returns the reducer of [Messages], for a channel of another name.
func AddMessages() graph.Reducer[[]Message, []Message] {
	about := func(m Message) (id string, removes bool) { return m.ID, m.Type == TypeRemove }
	return graph.Reducer[[]Message, []Message]{
		Reduce:  func(list, update []Message) []Message { return message.Merge(list, update, about) },
		Combine: func(first, second []Message) []Message { return append(slices.Clip(first), second...) },
	}
}

// ReadMessages reads one message or a list of them, in any form that LangGraph's clients send, and gives those
// without an id one that newID makes. What is no message, and more than 1,000 of them, is [fault.ErrInvalid].
func ReadMessages(data json.RawMessage, newID func() string) ([]Message, error) {
	var list []json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		list = []json.RawMessage{data}
	} else if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("messages: %w: %w", err, fault.ErrInvalid)
	}
	if len(list) > message.Max {
		return nil, fmt.Errorf("%d messages at once, at most %d: %w", len(list), message.Max, fault.ErrInvalid)
	}
	messages := make([]Message, len(list))
	for i, one := range list {
		if err := json.Unmarshal(one, &messages[i]); err != nil {
			return nil, fmt.Errorf("message %d: %w: %w", i, err, fault.ErrInvalid)
		}
		if messages[i].ID == "" {
			messages[i].ID = newID()
		}
	}
	return messages, nil
}

// MarshalJSON writes the message as LangChain's libraries do.
func (m Message) MarshalJSON() ([]byte, error) {
	o := message.New(string(m.Type), m.ID, m.Text)
	for name, value := range m.Extra {
		if !slices.Contains(ownFields, name) {
			o[name] = value
		}
	}
	if m.ID == "" {
		o["id"] = nil
	}
	if m.Blocks != nil {
		o["content"] = m.Blocks
	}
	if m.Name != "" {
		o["name"] = m.Name
	}
	if len(m.ToolCalls) > 0 {
		o["tool_calls"] = m.ToolCalls
	}
	if m.Type == TypeTool {
		o["tool_call_id"], o["status"] = m.ToolCallID, statusSuccess
		if m.Failed {
			o["status"] = statusError
		}
	}
	return json.Marshal(o)
}

// The values of "status" of a tool's message.
const (
	statusSuccess = "success"
	statusError   = "error"
)

// ownFields are those of a message in JSON that have a field in [Message].
var ownFields = []string{"type", "id", "name", "content", "tool_calls", "tool_call_id", "status"}

// UnmarshalJSON reads a message in any form that LangGraph's clients send.
func (m *Message) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber() // arguments of tools are to come back as they were
	var given any
	if err := decoder.Decode(&given); err != nil {
		return fmt.Errorf("a message: %w: %w", err, fault.ErrInvalid)
	}
	o, err := message.Whole(given)
	if err != nil {
		return err
	}
	read := Message{Text: message.Text(o)}
	kind, _ := o["type"].(string)
	read.Type = Type(kind)
	read.ID, _ = o["id"].(string)
	read.Name, _ = o["name"].(string)
	read.ToolCallID, _ = o["tool_call_id"].(string)
	read.Failed = o["status"] == statusError
	if blocks, ok := o["content"].([]any); ok {
		if read.Blocks, err = json.Marshal(blocks); err != nil {
			return fmt.Errorf("content of a message: %w", err)
		}
	}
	if err := remake(o["tool_calls"], &read.ToolCalls); err != nil {
		return err
	}
	if len(read.ToolCalls) == 0 {
		read.ToolCalls = nil
	}
	if read.Extra, err = extra(o); err != nil {
		return err
	}
	*m = read
	return nil
}

// extra returns the fields that [Message] has no field for, but for empty ones.
func extra(o message.Object) (map[string]json.RawMessage, error) {
	rest := maps.Clone(o)
	for _, name := range ownFields {
		delete(rest, name)
	}
	maps.DeleteFunc(rest, func(_ string, value any) bool {
		switch v := value.(type) {
		case nil:
			return true
		case []any:
			return len(v) == 0
		case message.Object:
			return len(v) == 0
		}
		return false
	})
	if len(rest) == 0 {
		return nil, nil
	}
	var fields map[string]json.RawMessage
	return fields, remake(rest, &fields)
}

// remake turns a value into another type with the same JSON.
func remake(from, to any) error {
	data, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		return fmt.Errorf("a field: %w: %w", err, fault.ErrInvalid)
	}
	return nil
}

// MarshalJSON writes the call as LangChain's libraries do.
func (c ToolCall) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name   string          `json:"name"`
		Args   json.RawMessage `json:"args"`
		ID     string          `json:"id"`
		Type   string          `json:"type"`
		Extras json.RawMessage `json:"extras,omitempty"`
	}{c.Name, orEmpty(c.Args), c.ID, "tool_call", c.Extras})
}

// UnmarshalJSON reads a call in LangChain's form or in OpenAI's.
func (c *ToolCall) UnmarshalJSON(data []byte) error {
	var in struct {
		Name, ID     string
		Args, Extras json.RawMessage
		Function     *struct{ Name, Arguments string }
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("a tool call: %w: %w", err, fault.ErrInvalid)
	}
	if f := in.Function; f != nil {
		in.Name, in.Args = f.Name, json.RawMessage(f.Arguments)
	}
	in.Args = orEmpty(in.Args)
	if in.Name == "" || in.ID == "" || !isObject(in.Args) {
		return fmt.Errorf("a tool call without a name, an id or an object of arguments: %w", fault.ErrInvalid)
	}
	*c = ToolCall{ID: in.ID, Name: in.Name, Args: in.Args, Extras: in.Extras}
	return nil
}

// orEmpty returns the arguments, or an empty object where there are none.
func orEmpty(args json.RawMessage) json.RawMessage {
	if len(args) == 0 {
		return json.RawMessage("{}")
	}
	return args
}

// isObject reports whether data is one JSON object.
func isObject(data []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(data, &object) == nil && object != nil
}
