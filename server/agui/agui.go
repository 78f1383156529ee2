// Package agui is the door for user interfaces that speak the Agent-User Interaction protocol: one request is one run,
// answered by a stream of its events.
//
// The idea to hold: the client sends all that it knows and the server keeps the thread, so only what is new to the
// thread goes in, and what happens comes out as text messages, tool calls, state and steps. A run whose client goes
// away is canceled. The package knows no graph and no store.
package agui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// path is where runs are asked for; behind it and a slash is the id of an assistant other than the default.
const path = "/agui"

// Options are the settings of the door. All but Assistant have a default.
type Options struct {
	// Assistant is who is asked at /agui, by its id or that of its graph.
	Assistant string
	// Heartbeat is how long a stream may be silent before a comment says that it lives. 0: 5 seconds.
	Heartbeat time.Duration
	// MaxBody is the largest body in bytes, VisitorBody that of visitors. 0: 16 MiB and 256 KiB: clients send the whole
	// talk.
	MaxBody, VisitorBody int64
	// Visitors bounds what visitors make the service keep.
	Visitors runs.Limits
}

// handlers are the door.
type handlers struct {
	runs *runs.Service
	opts Options
}

// New returns the door to the service.
func New(service *runs.Service, opts Options) door.Door {
	if opts.Heartbeat == 0 {
		opts.Heartbeat = 5 * time.Second
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = 16 << 20
	}
	if opts.VisitorBody == 0 {
		opts.VisitorBody = 256 << 10
	}
	a := &handlers{runs: service, opts: opts}
	route := door.Route{
		Method: http.MethodPost, Role: door.Visitor, Handle: stream.Known(a.run), Long: true,
		MaxBody: opts.MaxBody, VisitorBody: opts.VisitorBody,
	}
	one, each := route, route
	one.Path, each.Path = path, path+"/:id"
	return door.Door{Name: "agui", Fail: fail, Routes: []door.Route{one, each}}
}

// run runs the agent and streams what happens.
func (a *handlers) run(c *gin.Context) error {
	var in input
	if err := json.NewDecoder(c.Request.Body).Decode(&in); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) || errors.Is(err, door.ErrTooLarge) || errors.Is(err, door.ErrTooSlow) {
			return err
		}
		return fmt.Errorf("the body is no RunAgentInput: %w: %w", err, fault.ErrInvalid)
	}
	if err := in.check(); err != nil {
		return err
	}
	ctx, service := c.Request.Context(), stream.As(c, a.runs, a.opts.Visitors)
	t, err := threadOf(ctx, service, door.CallerOf(c), in.ThreadID)
	if err != nil {
		return err
	}
	assistant := a.opts.Assistant
	if id := c.Param("id"); id != "" {
		assistant = id
	}
	request, err := in.request(ctx, service, assistant, t)
	if err != nil {
		return err
	}
	out := stream.New(c.Writer, a.opts.Heartbeat)
	n := newNarration(out, in)
	if request == nil {
		out.Begin()
		return n.nothing()
	}
	caller := door.CallerOf(c)
	request.Owner, request.OwnerName = caller.Is(door.Owner), caller.Owner
	begun, err := service.Begin(ctx, t.ID, *request, false)
	if err != nil {
		return err
	}
	door.SetObject(c, "thread", t.ID)
	door.SetObject(c, "run", begun.Run.ID)
	out.Begin()
	err = n.start()
	if err == nil {
		err = out.Follow(ctx, begun.Follow(ctx), n.hear)
	}
	switch {
	case err != nil: // also that the server stops
		return errors.Join(err, n.broken(door.Explain(err, c.GetHeader("Accept-Language"))))
	case ctx.Err() != nil:
		return stream.Abandon(ctx, service, begun.Run)
	}
	return nil
}

// fail answers where no run began.
func fail(c *gin.Context, f door.Failure) {
	message := f.Message
	if f.Status == http.StatusBadRequest && errors.Is(f.Err, fault.ErrInvalid) {
		message = f.Err.Error()
	}
	c.JSON(f.Status, gin.H{"code": f.Code, "message": message})
}

// encode writes JSON in which <, > and & stay what they are.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
