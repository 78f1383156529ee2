// Package message reads and makes messages as LangChain's libraries write them in JSON: flat objects with a type, an
// id and a content.
//
// The idea to hold: whatever form a client sends, [Whole] makes the one form of it that is kept and shown. The
// package knows no state and no model.
package message

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"annai/fault"
)

// An Object is a message, or a part of one, as JSON has it.
type Object = map[string]any

// Channel is the name that clients expect the channel of messages to have.
const Channel = "messages"

// New makes a message of type "human", "ai", "system", "tool", "function" or "remove".
func New(kind, id, content string) Object {
	m := Object{
		"type": kind, "id": id, "content": content, "additional_kwargs": Object{}, "response_metadata": Object{},
	}
	if kind == "ai" {
		m["tool_calls"], m["invalid_tool_calls"] = []any{}, []any{}
	}
	return m
}

// Text is the text of a message, whether its content is a text or a list of blocks.
func Text(m Object) string {
	switch content := m["content"].(type) {
	case string:
		return content
	case []any:
		var b strings.Builder
		for _, block := range content {
			o, _ := block.(Object)
			text, _ := o["text"].(string)
			b.WriteString(text)
		}
		return b.String()
	default:
		return ""
	}
}

// Max is how many messages one update may have. A conversation has a few; what has more is no conversation.
const Max = 1000

// Read reads one message or a list of them, in any form that LangGraph's clients send, and gives an id to those
// without one. What is none, or more than [Max], is [fault.ErrInvalid].
func Read(data json.RawMessage, newID func() string) ([]any, error) {
	var given any
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fmt.Errorf("messages: %w: %w", err, fault.ErrInvalid)
	}
	list, ok := given.([]any)
	if !ok {
		list = []any{given}
	}
	if len(list) > Max {
		return nil, fmt.Errorf("%d messages at once, at most %d: %w", len(list), Max, fault.ErrInvalid)
	}
	made := make([]any, 0, len(list))
	for _, g := range list {
		m, err := Whole(g)
		if err != nil {
			return nil, err
		}
		if id, _ := m["id"].(string); id == "" {
			m["id"] = newID()
		}
		made = append(made, m)
	}
	return made, nil
}

// Whole makes a message of a text, a pair of type and text, or an object with a role or type. Anything else is
// [fault.ErrInvalid].
func Whole(given any) (Object, error) {
	switch g := given.(type) {
	case string:
		return New("human", "", g), nil
	case []any:
		if len(g) == 2 {
			kind, _ := g[0].(string)
			text, ok := g[1].(string)
			if known := kinds[kind]; known != "" && ok {
				return New(known, "", text), nil
			}
		}
	case Object:
		return whole(g)
	}
	return nil, fmt.Errorf("a message is a text or an object: %w", fault.ErrInvalid)
}

// kinds are the types of messages by all their names.
var kinds = map[string]string{
	"human": "human", "user": "human", "ai": "ai", "assistant": "ai", "AIMessageChunk": "ai", "system": "system",
	"developer": "system", "tool": "tool", "function": "function", "remove": "remove",
}

func whole(g Object) (Object, error) {
	if kwargs, ok := g["kwargs"].(Object); ok && g["type"] == "constructor" { // as LangChain writes objects
		path, _ := g["id"].([]any)
		if len(path) == 0 {
			return nil, fmt.Errorf("a message without a type: %w", fault.ErrInvalid)
		}
		name, _ := path[len(path)-1].(string)
		g = maps.Clone(kwargs)
		g["type"] = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "Chunk"), "Message"))
	}
	kind, ok := g["type"].(string)
	if !ok {
		kind, _ = g["role"].(string)
	}
	known := kinds[kind]
	if known == "" {
		return nil, fmt.Errorf("a message of type %q: %w", kind, fault.ErrInvalid)
	}
	m := New(known, "", "")
	maps.Copy(m, g)
	m["type"] = known
	delete(m, "role")
	return m, nil
}
