// Package a2a is the door for agents that speak the Agent2Agent protocol, over JSON-RPC: its version 1.0, and 0.3,
// which older clients speak. Which one is meant is said by the name of the method.
//
// The idea to hold: a context is a thread and a task is a run. A task that asks is the run that stopped to ask and,
// after the answer, the run that goes on; it keeps the id of the first. Whatever is told of a task is read from the
// thread and its log, so any server that shares the store can tell it. The package knows no graph and no store.
package a2a

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// The paths of the door. Behind path and a slash is the id of an assistant other than the default.
const (
	path     = "/a2a"
	pathCard = "/.well-known/agent-card.json"
)

// Options are the settings of the door. All but Assistant have a default.
type Options struct {
	// Assistant is who is asked at /a2a, by its id or that of its graph.
	Assistant string
	// Agents describes assistants, by the id of their graph. One that is not there has its own name and description.
	Agents map[string]Agent
	// Version is what agent cards say. Empty: "dev".
	Version string
	// Heartbeat is how long a stream may be silent before a comment says that it lives. 0: 5 seconds.
	Heartbeat time.Duration
	// MaxBody is the largest body in bytes, VisitorBody that of visitors. 0: 1 MiB and 64 KiB.
	MaxBody, VisitorBody int64
	// Visitors bounds what visitors make the service keep.
	Visitors runs.Limits
}

// handlers are the door.
type handlers struct {
	runs    *runs.Service
	opts    Options
	methods map[string]method
}

// New returns the door to the service.
func New(service *runs.Service, opts Options) door.Door {
	if opts.Version == "" {
		opts.Version = "dev"
	}
	if opts.Heartbeat == 0 {
		opts.Heartbeat = 5 * time.Second
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = 1 << 20
	}
	if opts.VisitorBody == 0 {
		opts.VisitorBody = 64 << 10
	}
	a := &handlers{runs: service, opts: opts}
	a.methods = a.table()
	ask := door.Route{
		Method: http.MethodPost, Role: door.Visitor, Handle: stream.Known(a.call), Long: true,
		MaxBody: opts.MaxBody, VisitorBody: opts.VisitorBody,
	}
	one, each := ask, ask
	one.Path, each.Path = path, path+"/:id"
	return door.Door{Name: "a2a", Fail: fail, Routes: []door.Route{
		{Method: http.MethodGet, Path: pathCard, Role: door.Anyone, Handle: a.card}, one, each,
	}}
}

// A method answers a call.
type method struct {
	// version is that of the protocol which has the method.
	version version
	handle  func(a *handlers, c *call) error
}

// table is every method there is, in both versions.
func (a *handlers) table() map[string]method {
	table := map[string]method{}
	for _, m := range []struct {
		name, old string
		handle    func(*handlers, *call) error
	}{
		{"SendMessage", "message/send", (*handlers).send},
		{"SendStreamingMessage", "message/stream", (*handlers).sendStream},
		{"GetTask", "tasks/get", (*handlers).task},
		{"CancelTask", "tasks/cancel", (*handlers).cancel},
		{"SubscribeToTask", "tasks/resubscribe", (*handlers).subscribe},
		{"CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set", noPush},
		{"GetTaskPushNotificationConfig", "tasks/pushNotificationConfig/get", noPush},
		{"ListTaskPushNotificationConfigs", "tasks/pushNotificationConfig/list", noPush},
		{"DeleteTaskPushNotificationConfig", "tasks/pushNotificationConfig/delete", noPush},
		{"GetExtendedAgentCard", "agent/getAuthenticatedExtendedCard", noExtendedCard},
	} {
		table[m.name], table[m.old] = method{v1, m.handle}, method{v03, m.handle}
	}
	return table
}

func noPush(*handlers, *call) error {
	return &refusal{codeNoPush, "PUSH_NOTIFICATION_NOT_SUPPORTED", "tasks are told of in streams, not pushed"}
}

func noExtendedCard(*handlers, *call) error {
	return &refusal{codeNoCard, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", "there is one agent card for all"}
}

// A call is a request of JSON-RPC.
type call struct {
	*gin.Context

	version version
	id      json.RawMessage
	params  json.RawMessage
	// service is the one that the caller sees, assistant who is asked.
	service   *runs.Service
	assistant string
}

// idKey is where the id of a request is kept for fail.
const idKey = "annai.a2a.id"

// call reads a request and answers it.
func (a *handlers) call(c *gin.Context) error {
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return err
	}
	var request struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		if !json.Valid(body) {
			return &refusal{codeParse, "", "the body is no JSON"}
		}
		return &refusal{codeRequest, "", "the body is no request of JSON-RPC"}
	}
	if id := bytes.TrimSpace(request.ID); len(id) > 0 && id[0] != '{' && id[0] != '[' {
		c.Set(idKey, request.ID)
	}
	if request.JSONRPC != "2.0" || request.Method == "" {
		return &refusal{codeRequest, "", "a request has jsonrpc \"2.0\" and a method"}
	}
	m, ok := a.methods[request.Method]
	if !ok {
		return &refusal{codeMethod, "", "there is no such method"}
	}
	if err := checkVersion(c.GetHeader("A2A-Version")); err != nil {
		return err
	}
	assistant := a.opts.Assistant
	if id := c.Param("id"); id != "" {
		assistant = id
	}
	return m.handle(a, &call{
		Context: c, version: m.version, id: request.ID, params: request.Params,
		service: stream.As(c, a.runs, a.opts.Visitors), assistant: assistant,
	})
}

// read reads the parameters.
func (c *call) read(into any) error {
	if err := json.Unmarshal(c.params, into); err != nil {
		return fmt.Errorf("params: %w: %w", err, fault.ErrInvalid)
	}
	return nil
}

// answer sends a result.
func (c *call) answer(result any) error {
	body, err := c.response(result)
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "application/json", body)
	return nil
}

// response is the answer to the request, with a result.
func (c *call) response(result any) ([]byte, error) {
	return encode(gin.H{"jsonrpc": "2.0", "id": c.id, "result": result})
}

// encode writes JSON in which <, > and & stay what they are.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// The codes of errors, of JSON-RPC and of the protocol.
const (
	codeParse       = -32700
	codeRequest     = -32600
	codeMethod      = -32601
	codeParams      = -32602
	codeInternal    = -32603
	codeServer      = -32000 // of the server's own: what HTTP's status says
	codeNoTask      = -32001
	codeNoCancel    = -32002
	codeNoPush      = -32003
	codeUnsupported = -32004
	codeContent     = -32005
	codeNoCard      = -32007
	codeVersion     = -32009
)

// A refusal is an error of JSON-RPC, which comes with status 200.
type refusal struct {
	code int
	// reason is the protocol's name for it; empty: it has none.
	reason, message string
}

func (r *refusal) Error() string { return r.message }
func (r *refusal) Unwrap() error { return fault.ErrInvalid }

// fail answers with an error of JSON-RPC. What the protocol has a code for has status 200, as clients expect; who may
// not ask at all, or not now, is told by the status too.
func fail(c *gin.Context, f door.Failure) {
	status, code, message, reason := f.Status, codeServer, f.Message, ""
	var refused *refusal
	switch {
	case errors.As(f.Err, &refused):
		status, code, message, reason = http.StatusOK, refused.code, refused.message, refused.reason
	case f.Status == http.StatusBadRequest && errors.Is(f.Err, fault.ErrInvalid):
		status, code, message = http.StatusOK, codeParams, f.Err.Error()
	case errors.Is(f.Err, runs.ErrBusy):
		status, code, message = http.StatusOK, codeUnsupported, "the task is being worked on"
		reason = "UNSUPPORTED_OPERATION"
	case f.Status == http.StatusInternalServerError:
		code = codeInternal
	}
	id, _ := c.Get(idKey)
	body, err := encode(gin.H{"jsonrpc": "2.0", "id": id, "error": errorObject(code, message, reason)})
	if err != nil { // texts always can be written
		return
	}
	c.Data(status, "application/json", body)
}

func errorObject(code int, message, reason string) gin.H {
	e := gin.H{"code": code, "message": message}
	if reason != "" {
		e["data"] = []gin.H{{
			"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "a2a-protocol.org",
		}}
	}
	return e
}
