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

// maxMessages is how many messages one update may have. A talk has a few; what has more is no talk.
const maxMessages = 1000

// reduceMessages merges an update in a time that grows with the two, and not with their product.
func reduceMessages(value, update any) any {
	old, _ := value.([]any)
	added, _ := update.([]any)
	list := make([]any, len(old), len(old)+len(added))
	copy(list, old)
	places := make(map[string]int, cap(list)) // by id, into list
	for i, m := range list {
		if id, ok := messageID(m); ok {
			places[id] = i
		}
	}
	for _, m := range added {
		id, named := messageID(m)
		at, known := places[id]
		o, _ := m.(Object)
		switch removes := o["type"] == "remove"; {
		case removes && id == removeAll:
			list = list[:0]
			clear(places)
		case removes && known:
			list[at] = nil // so that the places of the others stay; taken out below
			delete(places, id)
		case removes:
		case known:
			list[at] = m
		default:
			if named {
				places[id] = len(list)
			}
			list = append(list, m)
		}
	}
	return slices.DeleteFunc(list, func(m any) bool { return m == nil })
}

func messageID(m any) (id string, ok bool) {
	o, _ := m.(Object)
	id, ok = o["id"].(string)
	return id, ok
}

// ReadMessages reads one message or a list of them, in any form that LangGraph's clients send, and
// gives an id to those without one. What is none, or more than 1,000, is [fault.ErrInvalid].
func ReadMessages(data json.RawMessage, newID func() string) ([]any, error) {
	var given any
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fmt.Errorf("messages: %w: %w", err, fault.ErrInvalid)
	}
	list, ok := given.([]any)
	if !ok {
		list = []any{given}
	}
	if len(list) > maxMessages {
		return nil, fmt.Errorf("%d messages at once, at most %d: %w", len(list), maxMessages, fault.ErrInvalid)
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
