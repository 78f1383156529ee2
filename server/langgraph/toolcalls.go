package langgraph

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"annai/internal/message"
	"annai/runs"
)

// calls are the tool calls of a run that have begun, by their ids: tasks that are given one, until a message answers
// it.
type calls map[string]toolCall

// A toolCall is the input of a task that calls a tool.
type toolCall struct {
	Type string          `json:"type"`
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// begin returns the call that the start of a task is given, if it is one that was not told yet.
func (c calls) begin(e runs.Event) (toolCall, bool) {
	var task struct {
		Input toolCall `json:"input"`
	}
	if json.Unmarshal(e.Data, &task) != nil || task.Input.Type != "tool_call" || task.Input.ID == "" {
		return toolCall{}, false
	}
	_, told := c[task.Input.ID]
	c[task.Input.ID] = task.Input
	return task.Input, !told
}

// end returns the call that the message answers, if that has begun.
func (c calls) end(m runs.Object) (toolCall, bool) {
	if m["type"] != "tool" {
		return toolCall{}, false
	}
	id, _ := m["tool_call_id"].(string)
	call, ok := c[id]
	delete(c, id)
	return call, ok
}

// started is what the channel "tools" says of a call that begins, and finished of one that a message answers.
func (c toolCall) started() runs.Object {
	return runs.Object{"event": "tool-started", "tool_call_id": c.ID, "tool_name": c.Name, "input": c.Args}
}

func (c toolCall) finished(m runs.Object) runs.Object {
	if m["status"] == "error" {
		return runs.Object{"event": "tool-error", "tool_call_id": c.ID, "message": message.Text(m)}
	}
	return runs.Object{"event": "tool-finished", "tool_call_id": c.ID, "output": m}
}

// A callPiece is a part of a tool call in a piece of a message.
type callPiece struct {
	Index int
	ID    string
	Name  string
	Args  string
}

// callPieces are the parts of tool calls in a message.
func callPieces(m runs.Object) []callPiece {
	list, _ := m["tool_call_chunks"].([]any)
	pieces := make([]callPiece, 0, len(list))
	for _, one := range list {
		o, _ := one.(runs.Object)
		var p callPiece
		index, _ := o["index"].(float64)
		p.Index = int(index)
		p.ID, _ = o["id"].(string)
		p.Name, _ = o["name"].(string)
		p.Args, _ = o["args"].(string)
		pieces = append(pieces, p)
	}
	return pieces
}

// joinCalls puts further pieces of tool calls to those of a message, and makes its tool calls of them, as far as they
// have come.
func joinCalls(m runs.Object, more []callPiece) {
	byIndex := map[int]callPiece{}
	for _, p := range append(callPieces(m), more...) {
		known := byIndex[p.Index]
		if known.ID == "" {
			known.ID = p.ID
		}
		if known.Name == "" {
			known.Name = p.Name
		}
		byIndex[p.Index] = callPiece{p.Index, known.ID, known.Name, known.Args + p.Args}
	}
	var pieces, whole []any
	for _, index := range slices.Sorted(maps.Keys(byIndex)) {
		p := byIndex[index]
		pieces = append(pieces, runs.Object{
			"type": "tool_call_chunk", "index": float64(p.Index), "id": p.ID, "name": p.Name, "args": p.Args,
		})
		whole = append(whole, runs.Object{"type": "tool_call", "id": p.ID, "name": p.Name, "args": begun(p.Args)})
	}
	m["tool_call_chunks"], m["tool_calls"] = pieces, whole
}

// begun reads a JSON object that may be cut off anywhere: what can't be read yet is left out.
func begun(text string) runs.Object {
	if len(text) > maxBegun && !json.Valid([]byte(text)) {
		return runs.Object{}
	}
	for end := len(text); end > 0; end-- {
		var o runs.Object
		if json.Unmarshal([]byte(closed(text[:end])), &o) == nil && o != nil {
			return o
		}
		if len(text)-end > maxCut {
			break
		}
	}
	return runs.Object{}
}

// maxCut is how far back an object that is cut off is tried to be read: a name, or a number, without its end.
const maxCut = 64

// maxBegun is how long an object may be, in bytes, to be read before it is whole.
const maxBegun = 64 << 10

// closed puts the ends behind a JSON text that it lacks.
func closed(text string) string {
	var open []byte
	inText, escaped := false, false
	for _, c := range []byte(text) {
		switch {
		case escaped:
			escaped = false
		case inText && c == '\\':
			escaped = true
		case c == '"':
			inText = !inText
		case inText:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	var b strings.Builder
	b.WriteString(text)
	if inText {
		b.WriteByte('"')
	}
	slices.Reverse(open)
	b.Write(open)
	return b.String()
}
