package agui

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	internal "annai/internal/message"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// protocol is the version that is spoken.
const protocol = "1.0"

// A narration tells one run as events of the protocol.
type narration struct {
	out *stream.SSE
	in  input
	at  time.Time
	// said is the text that was told of each message, open the messages whose end was not told, in order.
	said map[string]string
	open []string
	// called are the tool calls that were told, steps how many tasks of each node run.
	called map[string]bool
	steps  map[string]int
	// values is the newest state, state what was told of it; nil: nothing yet.
	values json.RawMessage
	state  map[string]json.RawMessage
	// differs says that the messages of the state are not those that were told.
	differs bool
	asked   []runs.Interrupt
}

func newNarration(out *stream.SSE, in input) *narration {
	return &narration{
		out: out, in: in, said: map[string]string{}, called: map[string]bool{}, steps: map[string]int{},
	}
}

// tell sends an event.
func (n *narration) tell(kind string, fields gin.H) error {
	fields["type"] = kind
	if !n.at.IsZero() {
		fields["timestamp"] = n.at.UnixMilli()
	}
	data, err := encode(fields)
	if err == nil {
		n.out.Event("", "", data)
	}
	return err
}

// start tells that the run begins.
func (n *narration) start() error {
	return n.tell("RUN_STARTED", gin.H{
		"threadId": n.in.ThreadID, "runId": n.in.RunID, "protocolVersion": protocol,
	})
}

func (n *narration) finish(outcome gin.H) error {
	return n.tell("RUN_FINISHED", gin.H{"threadId": n.in.ThreadID, "runId": n.in.RunID, "outcome": outcome})
}

// nothing tells of a run in which nothing is done.
func (n *narration) nothing() error {
	if err := n.start(); err != nil {
		return err
	}
	return errors.Join(n.finish(gin.H{"type": "cancelled"}), n.out.Flush())
}

// broken tells that the stream ends before its run.
func (n *narration) broken(f door.Failure) error {
	return errors.Join(n.tell("RUN_ERROR", gin.H{"message": f.Message, "code": f.Code}), n.out.Flush())
}

// hear tells an event of the run.
func (n *narration) hear(e runs.Event) error {
	n.at = e.At
	switch e.Kind {
	case runs.KindValues:
		return n.stateOf(e.Data)
	case runs.KindMessage:
		var piece runs.Object
		if json.Unmarshal(e.Data, &piece) != nil {
			return nil // nodes may say what is no message
		}
		return n.piece(piece)
	case runs.KindUpdate:
		for _, m := range stream.Messages(e.Data) {
			if err := n.written(m); err != nil {
				return err
			}
		}
		return nil
	case runs.KindCustom:
		return n.tell("CUSTOM", gin.H{"name": "custom", "value": e.Data})
	case runs.KindTask, runs.KindTaskEnd:
		return n.step(e.Node, e.Kind == runs.KindTask)
	case runs.KindInterrupt:
		if err := json.Unmarshal(e.Data, &n.asked); err != nil {
			return fmt.Errorf("questions of the run: %w", err)
		}
		return nil
	case runs.KindEnd:
		return n.end(e)
	case runs.KindBegin, runs.KindCheckpoint:
	}
	return nil
}

// step tells that a node begins, or that the last of its tasks ended.
func (n *narration) step(node string, begins bool) error {
	change, kind, at := 1, "STEP_STARTED", 1
	if !begins {
		change, kind, at = -1, "STEP_FINISHED", 0
	}
	if !begins && n.steps[node] == 0 {
		return nil
	}
	if n.steps[node] += change; n.steps[node] != at {
		return nil
	}
	return n.tell(kind, gin.H{"stepName": node})
}

// ofAgent says whether the agent says the message.
func ofAgent(m runs.Object) bool { return m["type"] == "ai" || m["type"] == "AIMessageChunk" }

// piece tells a piece of a message.
func (n *narration) piece(m runs.Object) error {
	id, _ := m["id"].(string)
	if id == "" || !ofAgent(m) {
		return nil
	}
	return n.text(id, internal.Text(m))
}

// text tells more of a message, which begins if it is new.
func (n *narration) text(id, more string) error {
	if more == "" {
		return nil
	}
	if !slices.Contains(n.open, id) {
		if err := n.tell("TEXT_MESSAGE_START", gin.H{"messageId": id, "role": "assistant"}); err != nil {
			return err
		}
		n.open = append(n.open, id)
	}
	n.said[id] += more
	return n.tell("TEXT_MESSAGE_CONTENT", gin.H{"messageId": id, "delta": more})
}

// close tells that a message is complete, if it is open.
func (n *narration) close(id string) error {
	i := slices.Index(n.open, id)
	if i < 0 {
		return nil
	}
	n.open = slices.Delete(n.open, i, i+1)
	return n.tell("TEXT_MESSAGE_END", gin.H{"messageId": id})
}

// written tells a message that was written to the state, as far as its pieces did not.
func (n *narration) written(m runs.Object) error {
	id, _ := m["id"].(string)
	text := internal.Text(m)
	switch {
	case m["type"] == "tool":
		call, _ := m["tool_call_id"].(string)
		return n.tell("TOOL_CALL_RESULT", gin.H{"messageId": id, "toolCallId": call, "content": text, "role": "tool"})
	case !ofAgent(m):
		n.differs = true // what a person said, and the client did not send
		return nil
	}
	rest, follows := strings.CutPrefix(text, n.said[id])
	switch known := n.said[id] != "" && !slices.Contains(n.open, id); {
	case known && text != n.said[id], !follows: // told and ended, or otherwise than it is kept
		n.differs = true
	case !known:
		if err := n.text(id, rest); err != nil {
			return err
		}
	}
	if err := n.close(id); err != nil {
		return err
	}
	for _, call := range callsOf(m) {
		if err := n.call(id, call); err != nil {
			return err
		}
	}
	return nil
}

// call tells a tool call, once.
func (n *narration) call(message string, call toolCall) error {
	if n.called[call.ID] {
		return nil
	}
	n.called[call.ID] = true
	return errors.Join(
		n.tell("TOOL_CALL_START", gin.H{
			"toolCallId": call.ID, "toolCallName": call.Function.Name, "parentMessageId": message,
		}),
		n.tell("TOOL_CALL_ARGS", gin.H{"toolCallId": call.ID, "delta": call.Function.Arguments}),
		n.tell("TOOL_CALL_END", gin.H{"toolCallId": call.ID}),
	)
}

// stateOf tells a state without its messages: whole at first, then what changed.
func (n *narration) stateOf(values json.RawMessage) error {
	n.values = values
	now := map[string]json.RawMessage{}
	if err := json.Unmarshal(values, &now); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	delete(now, internal.Channel)
	before := n.state
	if before == nil && len(now) == 0 {
		return nil
	}
	n.state = now
	if before == nil {
		return n.tell("STATE_SNAPSHOT", gin.H{"snapshot": now})
	}
	if patch := difference(before, now); len(patch) > 0 {
		return n.tell("STATE_DELTA", gin.H{"delta": patch})
	}
	return nil
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// difference is a JSON Patch that makes one object of another, channel by channel.
func difference(before, after map[string]json.RawMessage) []gin.H {
	var patch []gin.H
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, was := before[name]
		op := "add"
		if was {
			op = "replace"
		}
		if !was || !same(old, after[name]) {
			patch = append(patch, gin.H{"op": op, "path": "/" + escape.Replace(name), "value": after[name]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, is := after[name]; !is {
			patch = append(patch, gin.H{"op": "remove", "path": "/" + escape.Replace(name)})
		}
	}
	return patch
}

// end tells how the run ended, after the ends of what is open.
func (n *narration) end(e runs.Event) error {
	var ending runs.Ending
	if err := json.Unmarshal(e.Data, &ending); err != nil {
		return fmt.Errorf("end of the run: %w", err)
	}
	for _, id := range slices.Clone(n.open) {
		if err := n.close(id); err != nil {
			return err
		}
	}
	for _, node := range slices.Sorted(maps.Keys(n.steps)) {
		if n.steps[node] > 0 {
			n.steps[node] = 1
			if err := n.step(node, false); err != nil {
				return err
			}
		}
	}
	if n.differs && n.values != nil {
		if err := n.tell("MESSAGES_SNAPSHOT", gin.H{"messages": shown(stream.Messages(n.values))}); err != nil {
			return err
		}
	}
	switch ending.Status {
	case runs.RunSuccess:
		if len(n.asked) > 0 {
			return n.finish(gin.H{"type": "interrupt", "interrupts": questions(n.asked)})
		}
		return n.finish(gin.H{"type": "success"})
	case runs.RunInterrupted:
		return n.finish(gin.H{"type": "cancelled"})
	case runs.RunPending, runs.RunRunning, runs.RunError, runs.RunTimeout:
	}
	return n.tell("RUN_ERROR", gin.H{"message": ending.Message, "code": ending.Error})
}

// questions are interrupts as the protocol has them: a question in words, and what else there is as metadata.
func questions(asked []runs.Interrupt) []gin.H {
	list := []gin.H{}
	for _, i := range asked {
		var value struct {
			Kind string `json:"kind"`
		}
		if json.Unmarshal(i.Value, &value) != nil || value.Kind == "" {
			value.Kind = "input_required"
		}
		q := gin.H{"id": i.ID, "reason": value.Kind, "metadata": gin.H{"value": i.Value}}
		if words := stream.Question(i); words != "" {
			q["message"] = words
		}
		if i.ResponseSchema != nil {
			q["responseSchema"] = i.ResponseSchema
		}
		list = append(list, q)
	}
	return list
}
