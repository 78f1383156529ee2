// Package graphs is the door for clients of OpenAI's API to graphs whose state has messages: each looks like a model.
//
// The idea to hold: a request is a run, on a thread of its own or on the one that the header X-Thread-Id names. On
// a thread of its own all messages of the request are the input, on a named one the last message alone, because
// the thread has the others; it answers the question with which the thread stopped, if it did.
package graphs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/invoke"
	"annai/server/stream"
)

// Options are the settings of the door that have a default.
type Options struct {
	// MaxBody is the largest request in bytes. 0: 8 MiB.
	MaxBody int64
}

// headerThread names the thread of a request, and of its answer.
const headerThread = "X-Thread-Id"

type handlers struct {
	graphs []string
	as     func(c *gin.Context) *runs.Service
	now    func() time.Time
}

// New returns the door to the graphs of those names. As returns the service as who asks sees it, now is the clock.
func New(
	graphs []string, as func(c *gin.Context) *runs.Service, now func() time.Time, opts Options,
) door.Door {
	if opts.MaxBody == 0 {
		opts.MaxBody = 8 << 20
	}
	h := &handlers{graphs, as, now}
	return door.Door{Name: "openai", Fail: fail, Routes: []door.Route{
		{Method: http.MethodGet, Path: "/v1/models", Role: door.Visitor, Handle: h.models},
		{Method: http.MethodGet, Path: "/v1/models/:id", Role: door.Visitor, Handle: h.model},
		{
			Method: http.MethodPost, Path: "/v1/chat/completions", Role: door.Visitor, Handle: stream.Known(h.chat),
			Long:    true,
			MaxBody: opts.MaxBody,
		},
	}}
}

func modelOf(id string) gin.H {
	return gin.H{"id": id, "object": "model", "created": 0, "owned_by": "annai"}
}

func (h *handlers) models(c *gin.Context) error {
	list := []gin.H{}
	for _, g := range h.graphs {
		list = append(list, modelOf(g))
	}
	c.JSON(http.StatusOK, gin.H{"object": "list", "data": list})
	return nil
}

func (h *handlers) model(c *gin.Context) error {
	if err := h.known(c.Param("id")); err != nil {
		return err
	}
	c.JSON(http.StatusOK, modelOf(c.Param("id")))
	return nil
}

func (h *handlers) known(model string) error {
	if !slices.Contains(h.graphs, model) {
		return fmt.Errorf("the model %q does not exist: %w", model, fault.ErrNotFound)
	}
	return nil
}

// request is the body of POST /v1/chat/completions, as far as it matters. The rest is the graph's own business.
type request struct {
	Model    string            `json:"model"`
	Messages []json.RawMessage `json:"messages"`
	Stream   bool              `json:"stream"`
}

func (h *handlers) chat(c *gin.Context) error {
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return err
	}
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return door.Invalid("body", "must be JSON with model and messages")
	}
	if err := h.known(r.Model); err != nil {
		return err
	}
	if len(r.Messages) == 0 {
		return door.Invalid("messages", "must not be empty")
	}
	ctx, service := c.Request.Context(), h.as(c)
	call, err := callOf(ctx, service, r, c.GetHeader(headerThread))
	if err != nil {
		return err
	}
	begun, err := invoke.Begin(ctx, service, call)
	if err != nil {
		return err
	}
	c.Header(headerThread, begun.Thread())
	if r.Stream {
		return h.stream(c, r.Model, begun)
	}
	answer, err := begun.Wait(ctx)
	if err != nil {
		return err
	}
	whole := h.envelope("chat.completion", r.Model, answer)
	whole["choices"] = []gin.H{{
		"index": 0, "finish_reason": "stop", "message": gin.H{"role": "assistant", "content": answer.Text()},
	}}
	whole["usage"] = gin.H{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
	c.JSON(http.StatusOK, whole)
	return nil
}

// callOf is the run of a request.
func callOf(ctx context.Context, service *runs.Service, r request, thread string) (invoke.Call, error) {
	call := invoke.Call{Graph: r.Model, Thread: thread, Streamed: r.Stream}
	if thread != "" {
		state, _, err := service.State(ctx, thread, "")
		if err != nil {
			return call, err
		}
		last := r.Messages[len(r.Messages)-1]
		r.Messages = []json.RawMessage{last}
		for _, t := range state.Tasks {
			if len(t.Interrupts) > 0 {
				call.Resume = answerIn(last)
				return call, nil
			}
		}
	}
	input, err := json.Marshal(map[string]any{"messages": r.Messages})
	call.Input = input
	return call, err
}

// answerIn is the answer to a question that a message has: JSON, or else its words.
func answerIn(m json.RawMessage) json.RawMessage {
	var said struct {
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(m, &said) // it was read before
	var words string
	if json.Unmarshal(said.Content, &words) == nil && json.Valid([]byte(words)) {
		return json.RawMessage(words)
	}
	return said.Content
}

// envelope is what answers and pieces of them have in common. Thread_id and interrupts are no words of OpenAI's.
func (h *handlers) envelope(object, model string, a invoke.Answer) gin.H {
	e := gin.H{
		"id": "chatcmpl-" + a.Thread, "object": object, "created": h.now().Unix(), "model": model,
		"thread_id": a.Thread,
	}
	if len(a.Interrupts) > 0 {
		e["interrupts"] = a.Interrupts
	}
	return e
}

// heartbeat is after how long a stream says that it lives.
const heartbeat = 5 * time.Second

// stream sends pieces while the graph says them, or what it said last where it says nothing on the way.
func (h *handlers) stream(c *gin.Context, model string, begun invoke.Begun) error {
	out := stream.New(c.Writer, heartbeat)
	out.Begin()
	add := func(a invoke.Answer, delta gin.H, finish any) error {
		piece := h.envelope("chat.completion.chunk", model, a)
		piece["choices"] = []gin.H{{"index": 0, "delta": delta, "finish_reason": finish}}
		data, err := json.Marshal(piece)
		out.Event("", "", data)
		return err
	}
	here, ctx := invoke.Answer{Thread: begun.Thread()}, c.Request.Context()
	err := errors.Join(add(here, gin.H{"role": "assistant", "content": ""}, nil), out.Flush())
	said := false
	if err == nil {
		err = out.Follow(ctx, begun.Follow(ctx), func(e runs.Event) error {
			text, err := invoke.Said(e)
			if text == "" || err != nil {
				return err
			}
			said = true
			return add(here, gin.H{"content": text}, nil)
		})
	}
	if err == nil && ctx.Err() != nil { // nobody reads any more
		return nil
	}
	if err == nil {
		err = h.end(ctx, begun, said, add)
	}
	switch {
	case errors.Is(err, door.ErrGone):
		return err
	case err != nil: // the stream has begun: it ends with an error
		data, encoding := json.Marshal(gin.H{"error": shape(invoke.Explained(err), "server_error")})
		out.Event("", "", data)
		return errors.Join(err, encoding, out.Flush())
	}
	out.Event("", "", []byte("[DONE]"))
	return out.Flush()
}

// end adds what is left to tell once the run has ended.
func (h *handlers) end(
	ctx context.Context, begun invoke.Begun, said bool, add func(a invoke.Answer, delta gin.H, finish any) error,
) error {
	answer, err := begun.Left(ctx)
	if err == nil && (!said || len(answer.Interrupts) > 0) {
		err = add(answer, gin.H{"content": answer.Text()}, nil)
	}
	if err == nil {
		err = add(answer, gin.H{}, "stop")
	}
	return err
}

func shape(message, kind string) gin.H {
	return gin.H{"message": message, "type": kind, "param": nil, "code": nil}
}

// fail answers in OpenAI's shape.
func fail(c *gin.Context, f door.Failure) {
	kind, words := "invalid_request_error", f.Message
	if f.Status >= http.StatusInternalServerError {
		kind = "server_error"
	}
	if explained := errors.Is(f.Err, fault.ErrInvalid) || errors.Is(f.Err, fault.ErrNotFound); explained {
		words = invoke.Explained(f.Err)
	}
	var failed *invoke.Failed
	if errors.As(f.Err, &failed) {
		words = failed.Error()
	}
	c.JSON(f.Status, gin.H{"error": shape(words, kind)})
}
