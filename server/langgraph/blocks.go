package langgraph

import (
	"encoding/json"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/internal/message"
	"annai/runs"
)

// spoken is a message of the newer protocol as far as it was told: blocks of text and of tool calls, one after the
// other.
type spoken struct {
	// namespace and node are where it is said.
	namespace, node string
	// blocks is how many have begun. The last is still open if open.
	blocks int
	open   bool
	// text is what was said in the block that is open, call the tool call in it.
	text string
	call *callPiece
	// calls is how many tool calls have begun.
	calls int
	ended bool
}

// begin tells that a message begins. What a tool says is in a namespace of its own.
func (s *story) begin(e runs.Event, m runs.Object, l *lines) *spoken {
	id, _ := m["id"].(string)
	role, _ := m["type"].(string)
	said := &spoken{namespace: e.Namespace, node: e.Node}
	s.messages[id] = said
	data := gin.H{"event": "message-start", "id": id, "role": role, "run_id": e.RunID}
	if call, ok := m["tool_call_id"].(string); ok {
		data["tool_call_id"] = call
		said.namespace = strings.TrimPrefix(e.Namespace+"|tools:"+call, "|")
	}
	l.add("messages", said.namespace, said.node, data)
	return said
}

// piece tells a piece of the message.
func (m *spoken) piece(o runs.Object, l *lines) {
	if text := message.Text(o); text != "" {
		m.say(text, l)
	}
	for _, p := range callPieces(o) {
		m.ask(p, l)
	}
}

func (m *spoken) say(text string, l *lines) {
	if !m.open || m.call != nil {
		m.start(gin.H{"type": "text", "text": ""}, l)
	}
	m.text += text
	m.delta(gin.H{"type": "text-delta", "text": text}, l)
}

// ask tells a piece of a tool call. A call goes on where the message has said nothing else since.
func (m *spoken) ask(p callPiece, l *lines) {
	if m.call == nil || m.call.Index != p.Index {
		if p.Index < m.calls {
			return // it goes on after it has ended, which models do not do
		}
		m.start(gin.H{"type": "tool_call_chunk", "id": p.ID, "name": p.Name, "args": "", "index": p.Index}, l)
		m.call, m.calls = &callPiece{Index: p.Index, ID: p.ID, Name: p.Name}, p.Index+1
	}
	m.call.Args += p.Args
	if p.Args != "" {
		m.delta(gin.H{"type": "tool-call-delta", "args": p.Args}, l)
	}
}

func (m *spoken) start(content gin.H, l *lines) {
	m.finish(l)
	m.open, m.text, m.call = true, "", nil
	m.blocks++
	m.add(gin.H{"event": "content-block-start", "index": m.blocks - 1, "content": content}, l)
}

func (m *spoken) delta(delta gin.H, l *lines) {
	m.add(gin.H{"event": "content-block-delta", "index": m.blocks - 1, "delta": delta}, l)
}

// finish ends the block that is open.
func (m *spoken) finish(l *lines) {
	if !m.open {
		return
	}
	content := gin.H{"type": "text", "text": m.text}
	if m.call != nil {
		content = gin.H{"type": "tool_call", "id": m.call.ID, "name": m.call.Name, "args": begun(m.call.Args)}
	}
	m.open = false
	m.add(gin.H{"event": "content-block-finish", "index": m.blocks - 1, "content": content}, l)
}

// whole tells what a message has that was not streamed, and that it has ended.
func (m *spoken) whole(o runs.Object, l *lines) {
	list, _ := o["tool_calls"].([]any)
	if text := message.Text(o); m.blocks == 0 && (text != "" || len(list) == 0) {
		m.say(text, l)
	}
	for i, one := range list {
		call, _ := one.(runs.Object)
		if i < m.calls {
			continue
		}
		p := callPiece{Index: i}
		p.ID, _ = call["id"].(string)
		p.Name, _ = call["name"].(string)
		if args, err := json.Marshal(call["args"]); err == nil { // it was JSON
			p.Args = string(args)
		}
		m.ask(p, l)
	}
	m.finish(l)
	m.ended = true
	m.add(gin.H{"event": "message-finish", "reason": "stop"}, l)
}

func (m *spoken) add(data gin.H, l *lines) { l.add("messages", m.namespace, m.node, data) }
