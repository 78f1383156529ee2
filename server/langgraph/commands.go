package langgraph

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
)

type (
	// command is what a client of the protocol wants done.
	command struct {
		ID     *int64          `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	// reply is the answer to a command: a result or an error.
	reply struct {
		Type    string `json:"type"`
		ID      int64  `json:"id"`
		Result  any    `json:"result,omitempty"`
		Meta    any    `json:"meta,omitempty"`
		Error   string `json:"error,omitempty"`
		Message string `json:"message,omitempty"`
	}
)

// A refusal is why a command is not done, by the protocol's codes.
type refusal struct{ code, message string }

func (r *refusal) Error() string { return r.code + ": " + r.message }

// commands is POST /threads/{id}/commands.
func (a *handlers) commands(c *gin.Context) error {
	cmd, err := decode[command](c)
	if err != nil {
		return err
	}
	if cmd.ID == nil {
		return fmt.Errorf("a command has an integer id: %w", fault.ErrInvalid)
	}
	r, err := a.obey(c, c.Param("id"), cmd)
	if err != nil {
		return err
	}
	return answer(c, r)
}

// obey does what a command says. An error is for whoever runs the server; what is wrong with the command is in the reply.
func (a *handlers) obey(c *gin.Context, thread string, cmd command) (reply, error) {
	result, err := a.do(c, thread, cmd)
	var refused *refusal
	switch {
	case err == nil:
		return reply{Type: "success", ID: *cmd.ID, Result: result, Meta: gin.H{"thread_id": thread}}, nil
	case errors.As(err, &refused):
	case errors.Is(err, fault.ErrInvalid), errors.Is(err, fault.ErrConflict), errors.Is(err, fault.ErrNotFound):
		refused = &refusal{"invalid_argument", err.Error()}
	case errors.Is(err, runs.ErrQuota), errors.Is(err, runs.ErrQueue):
		refused = &refusal{"unknown_error", err.Error()}
	case errors.Is(err, fault.ErrDenied):
		refused = &refusal{"permission_denied", err.Error()}
	default:
		return reply{}, err
	}
	return reply{Type: "error", ID: *cmd.ID, Error: refused.code, Message: refused.message}, nil
}

func (a *handlers) do(c *gin.Context, thread string, cmd command) (any, error) {
	switch cmd.Method {
	case "run.start":
		return a.start(c, thread, cmd.Params)
	case "input.respond":
		return a.respond(c, thread, cmd.Params)
	case "state.get":
		return a.getState(c, thread, cmd.Params)
	case "state.listCheckpoints":
		return a.listCheckpoints(c, thread, cmd.Params)
	case "state.fork":
		return a.fork(c, thread, cmd.Params)
	case "agent.getTree":
		return a.tree(c, thread)
	default:
		return nil, &refusal{"unknown_command", fmt.Sprintf("there is no command %q", cmd.Method)}
	}
}

// read reads the params of a command.
func read[T any](data json.RawMessage) (params T, err error) {
	if len(data) == 0 {
		return params, nil
	}
	if err := json.Unmarshal(data, &params); err != nil {
		return params, &refusal{"invalid_argument", err.Error()}
	}
	return params, nil
}

// start starts a run. If the thread waits for an answer, the input is that.
func (a *handlers) start(c *gin.Context, thread string, data json.RawMessage) (any, error) {
	p, err := read[struct {
		runs.Request

		Multitask runs.Strategy `json:"multitaskStrategy"`
	}](data)
	if err != nil {
		return nil, err
	}
	r := p.Request
	if r.AssistantID == "" {
		return nil, &refusal{"invalid_argument", "assistant_id is required"}
	}
	if p.Multitask != "" {
		r.Strategy = p.Multitask
	}
	if r.CheckpointID == "" {
		configurable, _ := r.Config["configurable"].(runs.Object)
		r.CheckpointID, _ = configurable["checkpoint_id"].(string)
	}
	ctx := c.Request.Context()
	t, err := a.as(c).Thread(ctx, thread)
	if err == nil && len(t.Interrupts) > 0 && t.Status == runs.ThreadInterrupted && r.Command == nil && r.CheckpointID == "" && len(r.Input) > 0 {
		r.Command, r.Input = &runs.Command{Resume: r.Input}, nil
	}
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return nil, err
	}
	run, err := a.launch(c, thread, r)
	if err != nil {
		return nil, err
	}
	return gin.H{"run_id": run.ID}, nil
}

// launch makes a run of which everything is told.
func (a *handlers) launch(c *gin.Context, thread string, r runs.Request) (runs.Run, error) {
	r.AllModes = true
	if r.Strategy == "" {
		r.Strategy = runs.Enqueue
	}
	if err := allowed(c, &r); err != nil {
		return runs.Run{}, err
	}
	return a.as(c).Create(c.Request.Context(), thread, r)
}

type response struct {
	ID       string          `json:"interrupt_id"`
	Response json.RawMessage `json:"response"`
}

// respond answers open questions.
func (a *handlers) respond(c *gin.Context, thread string, data json.RawMessage) (any, error) {
	p, err := read[struct {
		response

		Update    json.RawMessage `json:"update"`
		Goto      json.RawMessage `json:"goto"`
		Responses []response      `json:"responses"`
		Config    runs.Object     `json:"config"`
		Metadata  runs.Object     `json:"metadata"`
	}](data)
	if err != nil {
		return nil, err
	}
	t, err := a.ran(c, thread)
	if err != nil {
		return nil, err
	}
	if len(p.Responses) == 0 {
		p.Responses = []response{p.response}
	}
	answers := map[string]json.RawMessage{}
	for _, r := range p.Responses {
		if !asks(t, r.ID) {
			return nil, &refusal{"no_such_interrupt", fmt.Sprintf("no open interrupt %q", r.ID)}
		}
		answers[r.ID] = r.Response
		if len(r.Response) == 0 {
			answers[r.ID] = json.RawMessage("null")
		}
	}
	var command runs.Command
	data, err = encode(gin.H{"resume": answers, "update": p.Update, "goto": p.Goto})
	if err == nil {
		err = json.Unmarshal(data, &command)
	}
	if err != nil {
		return nil, &refusal{"invalid_argument", err.Error()}
	}
	assistant, _ := t.Metadata["assistant_id"].(string)
	if _, err := a.launch(c, thread, runs.Request{AssistantID: assistant, Command: &command, Config: p.Config, Metadata: p.Metadata}); err != nil {
		return nil, err
	}
	return gin.H{}, nil
}

func asks(t runs.Thread, id string) bool {
	for _, open := range t.Interrupts {
		for _, i := range open {
			if i.ID == id {
				return true
			}
		}
	}
	return false
}

// ran returns a thread on which something ran.
func (a *handlers) ran(c *gin.Context, thread string) (runs.Thread, error) {
	t, err := a.as(c).Thread(c.Request.Context(), thread)
	if errors.Is(err, fault.ErrNotFound) || err == nil && t.GraphID == "" {
		return t, &refusal{"no_such_run", "nothing ran on this thread yet"}
	}
	return t, err
}

func (a *handlers) getState(c *gin.Context, thread string, data json.RawMessage) (any, error) {
	p, err := read[struct {
		Namespace []string `json:"namespace"`
		Keys      []string `json:"keys"`
	}](data)
	if err != nil {
		return nil, err
	}
	if _, err := a.ran(c, thread); err != nil {
		return nil, err
	}
	namespace := strings.Join(p.Namespace, "|")
	s, _, err := a.as(c).Inside(c.Request.Context(), thread, namespace)
	if errors.Is(err, fault.ErrNotFound) && namespace != "" {
		return nil, &refusal{"no_such_namespace", err.Error()}
	}
	if err != nil {
		return nil, err
	}
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(s.Values, &values); err != nil {
		return nil, fmt.Errorf("state of thread %s: %w", thread, err)
	}
	if p.Keys != nil {
		picked := map[string]json.RawMessage{}
		for _, key := range p.Keys {
			if value, ok := values[key]; ok {
				picked[key] = value
			}
		}
		values = picked
	}
	return gin.H{"values": values, "checkpoint": gin.H{"id": s.Checkpoint, "ns": namespace}}, nil
}

// tree says how the thread's graph stands. What ran inside of it is told by events.
func (a *handlers) tree(c *gin.Context, thread string) (any, error) {
	t, err := a.ran(c, thread)
	if err != nil {
		return nil, err
	}
	status := map[runs.ThreadStatus]string{
		runs.ThreadIdle: "completed", runs.ThreadBusy: "running", runs.ThreadInterrupted: "interrupted", runs.ThreadError: "failed",
	}[t.Status]
	return gin.H{"tree": gin.H{"namespace": []string{}, "status": status, "graph_name": t.GraphID, "children": []string{}}}, nil
}
