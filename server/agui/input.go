package agui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"annai/fault"
	internal "annai/internal/message"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// An input is the protocol's RunAgentInput, as far as it matters.
type input struct {
	ThreadID       string                     `json:"threadId"`
	RunID          string                     `json:"runId"`
	State          json.RawMessage            `json:"state"`
	Messages       []message                  `json:"messages"`
	Tools          []json.RawMessage          `json:"tools"`
	Context        []json.RawMessage          `json:"context"`
	ForwardedProps map[string]json.RawMessage `json:"forwardedProps"`
	Resume         []answer                   `json:"resume"`
}

// An answer is one to an interrupt.
type answer struct {
	InterruptID string          `json:"interruptId"`
	Status      string          `json:"status"`
	Payload     json.RawMessage `json:"payload"`
}

// A message is one of the talk as clients have it.
type message struct {
	ID         string          `json:"id"`
	Role       string          `json:"role"`
	Name       string          `json:"name,omitempty"`
	Content    json.RawMessage `json:"content,omitempty"`
	ToolCalls  []toolCall      `json:"toolCalls,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	Error      string          `json:"error,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// maxGiven is how many tools a client may have, and how many things as context: each is kept with the run.
const maxGiven = 1000

func (in input) check() error {
	switch {
	case in.ThreadID == "" || in.RunID == "":
		return fmt.Errorf("threadId and runId are required: %w", fault.ErrInvalid)
	case max(len(in.Tools), len(in.Context), len(in.ForwardedProps)) > maxGiven:
		return fmt.Errorf("at most %d tools, and as much context: %w", maxGiven, fault.ErrInvalid)
	}
	return nil
}

// threadOf returns the caller's thread of that id, or one that is to be made. Ids that are no UUIDs stand for a thread
// of the caller's own.
func threadOf(ctx context.Context, service *runs.Service, who door.Caller, id string) (runs.Thread, error) {
	if !isUUID(id) {
		id = runs.AssistantID("agui " + who.Name() + " " + id) // a UUID that follows from the text
	}
	t, err := service.Thread(ctx, id)
	if errors.Is(err, fault.ErrNotFound) { // nobody's yet, or another's, which is as if there were none
		t, err = runs.Thread{ID: id}, service.MayFollow(ctx, id)
	}
	return t, err
}

func isUUID(text string) bool {
	digits := strings.ReplaceAll(text, "-", "")
	return len(text) == 36 && len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == "" &&
		text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-'
}

// request is the run that the input asks for; nil if it only drops what the last one asked.
func (in input) request(
	ctx context.Context, service *runs.Service, assistant string, t runs.Thread,
) (*runs.Request, error) {
	r := &runs.Request{
		AssistantID: assistant, IfNotExists: "create", OnDisconnect: "cancel",
		StreamMode: runs.Modes{runs.ModeValues, runs.ModeMessagesTuple, runs.ModeCustom, runs.ModeTasks},
	}
	if given := in.around(); len(given) > 0 {
		r.Context = runs.Object{"ag-ui": given}
	}
	if len(in.Resume) > 0 {
		command, err := in.resume(t)
		r.Command = command
		if command == nil {
			r = nil
		}
		return r, err
	}
	_, schemas, err := service.Schemas(ctx, assistant)
	if err != nil {
		return nil, err
	}
	values, err := in.changed(schemas, t.Values)
	if err != nil {
		return nil, err
	}
	messages, err := in.fresh(t.Values)
	if err != nil {
		return nil, err
	}
	if len(messages) > 0 {
		values[internal.Channel] = messages
	}
	r.Input, err = json.Marshal(values)
	return r, err
}

// around is what a node may look at besides the state: the client's tools, its context and what it passes through.
func (in input) around() runs.Object {
	given := runs.Object{}
	if len(in.Tools) > 0 {
		given["tools"] = in.Tools
	}
	if len(in.Context) > 0 {
		given["context"] = in.Context
	}
	if len(in.ForwardedProps) > 0 {
		given["forwardedProps"] = in.ForwardedProps
	}
	return given
}

// resume is the answers to open questions; nil if all of them were dropped.
func (in input) resume(t runs.Thread) (*runs.Command, error) {
	open := map[string]bool{}
	for _, asked := range t.Interrupts {
		for _, i := range asked {
			open[i.ID] = true
		}
	}
	answers, dropped := map[string]json.RawMessage{}, 0
	for _, a := range in.Resume {
		if !open[a.InterruptID] {
			return nil, fmt.Errorf("no question %q waits for an answer: %w", a.InterruptID, fault.ErrInvalid)
		}
		answers[a.InterruptID] = a.Payload
		if a.Status == "cancelled" {
			answers[a.InterruptID] = nil
			dropped++
		}
	}
	if dropped == len(in.Resume) {
		return nil, nil
	}
	data, err := json.Marshal(answers)
	return &runs.Command{Resume: data}, err
}

// changed is what the client changed in the state, of what an input may have. What it only gives back is left out, so
// that channels which collect do not take it in again.
func (in input) changed(schemas runs.Schemas, values json.RawMessage) (runs.Object, error) {
	changed := runs.Object{}
	if isNull(in.State) {
		return changed, nil
	}
	var state, before map[string]json.RawMessage
	if err := json.Unmarshal(in.State, &state); err != nil {
		return nil, fmt.Errorf("state is no object: %w", fault.ErrInvalid)
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schemas.Input, &schema) // without one, or a state, there is nothing to compare with
	_ = json.Unmarshal(values, &before)
	for name, value := range state {
		_, known := schema.Properties[name]
		if name != internal.Channel && (known || schema.Properties == nil) && !same(value, before[name]) {
			changed[name] = value
		}
	}
	return changed, nil
}

func isNull(data json.RawMessage) bool {
	data = bytes.TrimSpace(data)
	return len(data) == 0 || string(data) == "null"
}

// same says whether two values are the same JSON, whatever the order of names.
func same(a, b json.RawMessage) bool {
	var values [2]any
	for i, data := range []json.RawMessage{a, b} {
		if len(data) > 0 && json.Unmarshal(data, &values[i]) != nil {
			return false
		}
	}
	texts := [2][]byte{}
	for i, value := range values {
		texts[i], _ = json.Marshal(value) // what was read can be written
	}
	return bytes.Equal(texts[0], texts[1])
}

// fresh are the messages that the thread does not have, as it keeps them.
func (in input) fresh(values json.RawMessage) ([]runs.Object, error) {
	known := map[any]bool{}
	for _, m := range stream.Messages(values) {
		known[m["id"]] = true
	}
	var list []runs.Object
	for i, m := range in.Messages {
		kept, err := m.kept()
		if err != nil {
			return nil, fmt.Errorf("messages[%d]: %w", i, err)
		}
		if kept != nil && !known[m.ID] {
			list = append(list, kept)
		}
	}
	return list, nil
}

// kinds are the types of messages by their roles. Others, such as reasoning, are the client's only.
var kinds = map[string]string{
	"user": "human", "assistant": "ai", "system": "system", "developer": "system", "tool": "tool",
}

// kept is the message in LangChain's form; nil if it is none that a thread keeps.
func (m message) kept() (runs.Object, error) {
	kind := kinds[m.Role]
	if kind == "" {
		return nil, nil
	}
	content, err := m.content()
	if err != nil {
		return nil, err
	}
	o := runs.Object{"type": kind, "id": m.ID, "content": content}
	if m.Name != "" {
		o["name"] = m.Name
	}
	if kind == "tool" {
		o["tool_call_id"] = m.ToolCallID
		if m.Error != "" {
			o["status"] = "error"
		}
	}
	var calls []runs.Object
	for _, call := range m.ToolCalls {
		args := map[string]json.RawMessage{}
		if call.Function.Arguments != "" {
			if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err != nil {
				return nil, fmt.Errorf("arguments of call %q are no object: %w", call.ID, fault.ErrInvalid)
			}
		}
		calls = append(calls, runs.Object{"id": call.ID, "name": call.Function.Name, "args": args, "type": "tool_call"})
	}
	if calls != nil {
		o["tool_calls"] = calls
	}
	return o, nil
}

// content is a text, or blocks of text and pictures.
func (m message) content() (any, error) {
	if isNull(m.Content) {
		return "", nil
	}
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Type, Text string
		Source     struct{ Type, Value, MimeType string }
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return nil, fmt.Errorf("content is no text and no list of parts: %w", fault.ErrInvalid)
	}
	var blocks []runs.Object
	for _, p := range parts {
		switch {
		case p.Type == "text":
			blocks = append(blocks, runs.Object{"type": "text", "text": p.Text})
		case p.Type == "image" && p.Source.Value != "":
			address := p.Source.Value
			if p.Source.Type == "data" {
				address = "data:" + p.Source.MimeType + ";base64," + address
			}
			blocks = append(blocks, runs.Object{"type": "image_url", "image_url": runs.Object{"url": address}})
		default:
			return nil, fmt.Errorf("content of type %q is not read here: %w", p.Type, fault.ErrInvalid)
		}
	}
	return blocks, nil
}

// shown are messages of a thread as clients have them.
func shown(list []runs.Object) []message {
	roles := map[string]string{}
	for _, role := range slices.Backward(slices.Sorted(maps.Keys(kinds))) { // system before developer
		if roles[kinds[role]] == "" {
			roles[kinds[role]] = role
		}
	}
	messages := []message{}
	for _, o := range list {
		kind, _ := o["type"].(string)
		role := roles[kind]
		if role == "" {
			continue
		}
		m := message{Role: role}
		m.ID, _ = o["id"].(string)
		m.Name, _ = o["name"].(string)
		m.ToolCallID, _ = o["tool_call_id"].(string)
		if role == "tool" {
			m.Name = ""
		}
		m.Content, _ = json.Marshal(internal.Text(o)) // texts always can be written
		m.ToolCalls = callsOf(o)
		messages = append(messages, m)
	}
	return messages
}

// callsOf are the tool calls of a message of the agent's.
func callsOf(o runs.Object) []toolCall {
	list, _ := o["tool_calls"].([]any)
	var calls []toolCall
	for _, one := range list {
		given, _ := one.(runs.Object)
		call := toolCall{Type: "function"}
		call.ID, _ = given["id"].(string)
		call.Function.Name, _ = given["name"].(string)
		args, err := encode(given["args"])
		if err != nil || given["args"] == nil {
			args = []byte("{}")
		}
		call.Function.Arguments = string(args)
		if call.ID != "" {
			calls = append(calls, call)
		}
	}
	return calls
}
