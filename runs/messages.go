package runs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"annai/graph"
	"annai/internal/fault"
)

// The channel of messages in the manner of LangChain: a list of flat objects, each with an id. A message with a known id replaces the old one in its place, others are added at the
// end; one of the type "remove" takes out what has its id.

// MessagesName is the name that clients expect the channel to have.
const MessagesName = "messages"

// removeAll is the id of a "remove" that takes out all messages.
const removeAll = "__remove_all__"

// Messages declares the channel in a schema of values.
func Messages(s *graph.Schema[graph.Values]) graph.Channel[graph.Values, any] {
	return graph.ReduceValue(s, MessagesName, reduceMessages)
}

// MessagesField reads messages in each of the forms that clients send, and gives ids to those without.
func MessagesField(c graph.Channel[graph.Values, any], newID func() string) Field[graph.Values] {
	return Field[graph.Values]{Name: c.Name(), Read: func(data json.RawMessage) (graph.Write[graph.Values], error) {
		list, err := ReadMessages(data, newID)
		return c.Write(list), err
	}}
}

// NewMessage makes a message: of type "human", "ai", "system" or "tool".
func NewMessage(kind, id, content string) Object {
	m := Object{"type": kind, "id": id, "content": content, "additional_kwargs": Object{}, "response_metadata": Object{}}
	if kind == "ai" {
		m["tool_calls"], m["invalid_tool_calls"] = []any{}, []any{}
	}
	return m
}

// MessageText is the text of a message, whether its content is a text or a list of blocks.
func MessageText(m Object) string {
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

func reduceMessages(value, update any) any {
	list, _ := value.([]any)
	list = slices.Clone(list)
	added, _ := update.([]any)
	for _, m := range added {
		o, _ := m.(Object)
		id := o["id"]
		at := slices.IndexFunc(list, func(old any) bool { have, _ := old.(Object); return have["id"] == id })
		switch {
		case o["type"] == "remove" && id == removeAll:
			list = list[:0]
		case o["type"] == "remove" && at >= 0:
			list = slices.Delete(list, at, at+1)
		case o["type"] == "remove":
		case at >= 0:
			list[at] = m
		default:
			list = append(list, m)
		}
	}
	if list == nil {
		list = []any{}
	}
	return list
}

// ReadMessages reads one message or a list of them, in any form that LangGraph's clients send, and gives an id to those without one. What is none is [fault.ErrInvalid].
func ReadMessages(data json.RawMessage, newID func() string) ([]any, error) {
	var given any
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fmt.Errorf("messages: %w: %w", err, fault.ErrInvalid)
	}
	list, ok := given.([]any)
	if !ok {
		list = []any{given}
	}
	made := make([]any, 0, len(list))
	for _, g := range list {
		m, err := readMessage(g)
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

// readMessage reads a text, a pair of type and text, or an object with a role or type, and makes it whole.
func readMessage(given any) (Object, error) {
	switch g := given.(type) {
	case string:
		return NewMessage("human", "", g), nil
	case []any:
		if len(g) == 2 {
			kind, _ := g[0].(string)
			text, ok := g[1].(string)
			if known := messageKinds[kind]; known != "" && ok {
				return NewMessage(known, "", text), nil
			}
		}
	case Object:
		return wholeMessage(g)
	}
	return nil, fmt.Errorf("a message is a text or an object: %w", fault.ErrInvalid)
}

// messageKinds are the types of messages by all their names.
var messageKinds = map[string]string{
	"human": "human", "user": "human", "ai": "ai", "assistant": "ai", "AIMessageChunk": "ai", "system": "system", "developer": "system", "tool": "tool", "function": "function",
	"remove": "remove",
}

func wholeMessage(g Object) (Object, error) {
	if kwargs, ok := g["kwargs"].(Object); ok && g["type"] == "constructor" { // as LangChain writes objects
		path, _ := g["id"].([]any)
		if len(path) == 0 {
			return nil, fmt.Errorf("a message without a type: %w", fault.ErrInvalid)
		}
		name, _ := path[len(path)-1].(string)
		g = merged(kwargs, Object{"type": strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "Chunk"), "Message"))}, "")
	}
	kind, ok := g["type"].(string)
	if !ok {
		kind, _ = g["role"].(string)
	}
	known := messageKinds[kind]
	if known == "" {
		return nil, fmt.Errorf("a message of type %q: %w", kind, fault.ErrInvalid)
	}
	m := merged(NewMessage(known, "", ""), g, "")
	m["type"] = known
	delete(m, "role")
	return m, nil
}
