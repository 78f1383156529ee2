package a2a

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// A version is one of the protocol.
type version int

const (
	v03 version = iota
	v1
)

// checkVersion refuses a version that is not spoken here. Clients of 0.3 say none.
func checkVersion(header string) error {
	for _, known := range []string{"", "0.3", "1.0", "1"} {
		if header == known || known != "" && strings.HasPrefix(header, known+".") {
			return nil
		}
	}
	return &refusal{codeVersion, "VERSION_NOT_SUPPORTED", "versions 1.0 and 0.3 are spoken here"}
}

// A state is how a task stands.
type state string

const (
	submitted     state = "submitted"
	working       state = "working"
	inputRequired state = "input-required"
	completed     state = "completed"
	canceled      state = "canceled"
	failed        state = "failed"
)

// over says whether nothing more can become of a task.
func (s state) over() bool { return s == completed || s == canceled || s == failed }

// in is the state as the version writes it.
func (s state) in(v version) string {
	if v == v03 {
		return string(s)
	}
	return "TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(string(s), "-", "_"))
}

// A part is a piece of what is said: a text, or data. What is sent in other forms is noted as file.
type part struct {
	text string
	data json.RawMessage
	file bool
}

// UnmarshalJSON reads a part of both versions.
func (p *part) UnmarshalJSON(body []byte) error {
	var sent struct {
		Text           *string
		Data           json.RawMessage
		File, Raw, URL json.RawMessage
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		return err
	}
	if sent.Text != nil {
		p.text = *sent.Text
	}
	if given(sent.Data) {
		p.data = sent.Data
	}
	p.file = given(sent.File) || given(sent.Raw) || given(sent.URL)
	return nil
}

// given says whether a field was sent, and not as null.
func given(data json.RawMessage) bool { return len(data) > 0 && string(data) != "null" }

func (p part) in(v version) gin.H {
	value := gin.H{"text": p.text}
	kind := "text"
	if p.data != nil {
		value, kind = gin.H{"data": p.data}, "data"
	}
	if v == v03 {
		value["kind"] = kind
	}
	return value
}

func partsIn(v version, parts []part) []gin.H {
	list := []gin.H{}
	for _, p := range parts {
		list = append(list, p.in(v))
	}
	return list
}

// A message is what a client says, or the agent.
type message struct {
	ID        string `json:"messageId"`
	ContextID string `json:"contextId"`
	TaskID    string `json:"taskId"`
	Role      string `json:"role"`
	Parts     []part `json:"parts"`
	metadata  any
}

// ofAgent says whether the agent said it.
func (m message) ofAgent() bool { return m.Role == "agent" || m.Role == "ROLE_AGENT" }

func (m message) in(v version) gin.H {
	role := "ROLE_USER"
	if m.ofAgent() {
		role = "ROLE_AGENT"
	}
	o := gin.H{
		"messageId": m.ID, "contextId": m.ContextID, "taskId": m.TaskID, "role": role, "parts": partsIn(v, m.Parts),
	}
	if m.metadata != nil {
		o["metadata"] = m.metadata
	}
	if v == v03 {
		o["kind"], o["role"] = "message", strings.ToLower(strings.TrimPrefix(role, "ROLE_"))
	}
	return o
}

// An artifact is something that a task made.
type artifact struct {
	id       string
	parts    []part
	metadata any
}

func (f artifact) in(v version) gin.H {
	o := gin.H{"artifactId": f.id, "name": "answer", "parts": partsIn(v, f.parts)}
	if f.metadata != nil {
		o["metadata"] = f.metadata
	}
	return o
}

// A status is how a task stands since when, and what the agent says of it.
type status struct {
	state   state
	at      time.Time
	message *message
}

func (s status) in(v version) gin.H {
	o := gin.H{"state": s.state.in(v), "timestamp": s.at.UTC().Format("2006-01-02T15:04:05.000Z")}
	if s.message != nil {
		o["message"] = s.message.in(v)
	}
	return o
}

// A task is what is told of one.
type task struct {
	id, context string
	status      status
	history     []message
	artifacts   []artifact
}

// in is the task with that many of its newest messages, or all for nil.
func (t task) in(v version, history *int) gin.H {
	said := t.history
	if history != nil {
		said = said[max(0, len(said)-max(0, *history)):]
	}
	o := gin.H{"id": t.id, "contextId": t.context, "status": t.status.in(v)}
	if list := made(said, func(m message) gin.H { return m.in(v) }); len(list) > 0 {
		o["history"] = list
	}
	if list := made(t.artifacts, func(f artifact) gin.H { return f.in(v) }); len(list) > 0 {
		o["artifacts"] = list
	}
	if v == v03 {
		o["kind"] = "task"
	}
	return o
}

func made[T any](list []T, one func(T) gin.H) []gin.H {
	var all []gin.H
	for _, t := range list {
		all = append(all, one(t))
	}
	return all
}

// named is an object as streams and answers to messages have it: under its name since version 1.0.
func (v version) named(name string, o gin.H) gin.H {
	if v == v03 {
		return o
	}
	return gin.H{name: o}
}

// statusUpdate is an event that says how a task stands. The last one of a stream is final.
func (t task) statusUpdate(v version, final bool, metadata any) gin.H {
	o := gin.H{"taskId": t.id, "contextId": t.context, "status": t.status.in(v)}
	if metadata != nil {
		o["metadata"] = metadata
	}
	if v == v03 {
		o["kind"], o["final"] = "status-update", final
	}
	return v.named("statusUpdate", o)
}

// artifactUpdate is an event that brings an artifact, or more of one.
func (t task) artifactUpdate(v version, f artifact, more, last bool) gin.H {
	o := gin.H{"taskId": t.id, "contextId": t.context, "artifact": f.in(v), "append": more, "lastChunk": last}
	if v == v03 {
		o["kind"] = "artifact-update"
	}
	return v.named("artifactUpdate", o)
}
