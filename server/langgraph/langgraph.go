// Package langgraph is the door for clients of LangGraph's server: its REST interface, its streams of server-sent events, and the newer protocol of
// commands and events on a thread.
//
// The idea to hold: everything is done by [runs.Service]; this package decodes, makes one call and encodes. What happens in a run is one log of events, and
// each stream is a rendering of it that depends on nothing else, so a reader who comes back is told the same again and goes on where it was. The package
// knows no graph and no store.
package langgraph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// Options are the settings of the door that have a default.
type Options struct {
	// Version is what GET /info says. Empty: "dev".
	Version string
	// Heartbeat is how long a stream may be silent before a comment says that it lives. 0: 5 seconds.
	Heartbeat time.Duration
	// MaxBody is the largest body in bytes, VisitorBody that of visitors. 0: 16 MiB and 64 KiB.
	MaxBody, VisitorBody int64
	// Visitors bounds what visitors make the service keep.
	Visitors runs.Limits
	// CancelRuns says that POST /runs/{id}/cancel is this door's. The concierge's own door has such a route.
	CancelRuns bool
}

// handlers are the door.
type handlers struct {
	runs *runs.Service
	opts Options
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
		opts.MaxBody = 16 << 20
	}
	if opts.VisitorBody == 0 {
		opts.VisitorBody = 64 << 10
	}
	a := &handlers{runs: service, opts: opts}
	return door.Door{Name: "langgraph", Routes: a.routes(), Fail: fail}
}

// routes is everything that exists. A thread is its maker's and operators'; who wants to know which
// there are, or to change what others use, must be an operator.
func (a *handlers) routes() []door.Route {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	list := []door.Route{
		{Method: get, Path: "/ok", Role: door.Anyone, Handle: a.ok},
		{Method: get, Path: "/info", Role: door.Anyone, Handle: a.info},

		{Method: post, Path: "/assistants", Role: door.Operator, Handle: a.createAssistant},
		{Method: post, Path: "/assistants/search", Role: door.Visitor, Handle: a.searchAssistants},
		{Method: post, Path: "/assistants/count", Role: door.Visitor, Handle: a.countAssistants},
		{Method: get, Path: "/assistants/:id", Role: door.Visitor, Handle: a.assistant},
		{Method: patch, Path: "/assistants/:id", Role: door.Operator, Handle: a.updateAssistant},
		{Method: del, Path: "/assistants/:id", Role: door.Operator, Handle: a.deleteAssistant},
		{Method: post, Path: "/assistants/:id/versions", Role: door.Operator, Handle: a.versions},
		{Method: post, Path: "/assistants/:id/latest", Role: door.Operator, Handle: a.setLatest},
		{Method: get, Path: "/assistants/:id/graph", Role: door.Visitor, Handle: a.drawing},
		{Method: get, Path: "/assistants/:id/schemas", Role: door.Visitor, Handle: a.schemas},
		{Method: get, Path: "/assistants/:id/subgraphs", Role: door.Visitor, Handle: a.subgraphs},
		{Method: get, Path: "/assistants/:id/subgraphs/:namespace", Role: door.Visitor, Handle: a.subgraphs},

		{Method: post, Path: "/threads", Role: door.Visitor, Handle: a.createThread},
		{Method: post, Path: "/threads/search", Role: door.Operator, Handle: a.searchThreads},
		{Method: post, Path: "/threads/count", Role: door.Operator, Handle: a.countThreads},
		{Method: post, Path: "/threads/prune", Role: door.Operator, Handle: a.prune},
		{Method: get, Path: "/threads/:id", Role: door.Visitor, Handle: a.thread},
		{Method: patch, Path: "/threads/:id", Role: door.Visitor, Handle: a.updateThread},
		{Method: del, Path: "/threads/:id", Role: door.Visitor, Handle: a.deleteThread},
		{Method: post, Path: "/threads/:id/copy", Role: door.Visitor, Handle: a.copyThread},
		{Method: get, Path: "/threads/:id/state", Role: door.Visitor, Handle: a.state},
		{Method: get, Path: "/threads/:id/state/:checkpoint", Role: door.Visitor, Handle: a.state},
		{Method: post, Path: "/threads/:id/state/checkpoint", Role: door.Visitor, Handle: a.stateAt},
		{Method: post, Path: "/threads/:id/state", Role: door.Visitor, Handle: a.updateState},
		{Method: patch, Path: "/threads/:id/state", Role: door.Visitor, Handle: a.patchState},
		{Method: get, Path: "/threads/:id/history", Role: door.Visitor, Handle: a.history},
		{Method: post, Path: "/threads/:id/history", Role: door.Visitor, Handle: a.history},
		{
			Method: get, Path: "/threads/:id/stream", Role: door.Visitor, Handle: a.joinThread,
			Long: true, Endless: true, KeyInURL: true,
		},
		{Method: get, Path: "/threads/:id/storage", Role: door.Visitor, Handle: a.storage},
		{Method: post, Path: "/threads/:id/commands", Role: door.Visitor, Handle: a.commands},
		{
			Method: post, Path: "/threads/:id/stream/events", Role: door.Visitor, Handle: a.threadEvents,
			Long: true, Endless: true,
		},
		{
			Method: get, Path: "/threads/:id/stream/events", Role: door.Visitor, Handle: a.threadSocket,
			Long: true, Endless: true, KeyInURL: true,
		},

		{Method: post, Path: "/threads/:id/runs", Role: door.Visitor, Handle: a.createRun},
		{Method: post, Path: "/threads/:id/runs/wait", Role: door.Visitor, Handle: a.waitRun, Long: true},
		{Method: post, Path: "/threads/:id/runs/stream", Role: door.Visitor, Handle: a.streamRun, Long: true},
		{Method: get, Path: "/threads/:id/runs", Role: door.Visitor, Handle: a.listRuns},
		{Method: get, Path: "/threads/:id/runs/:run", Role: door.Visitor, Handle: a.run},
		{Method: del, Path: "/threads/:id/runs/:run", Role: door.Visitor, Handle: a.deleteRun},
		{Method: get, Path: "/threads/:id/runs/:run/join", Role: door.Visitor, Handle: a.join, Long: true},
		{Method: get, Path: "/threads/:id/runs/:run/stream", Role: door.Visitor, Handle: a.joinStream, Long: true},
		{Method: post, Path: "/threads/:id/runs/:run/cancel", Role: door.Visitor, Handle: a.cancel, Long: true},
		{Method: post, Path: "/threads/:id/runs/crons", Role: door.Operator, Handle: a.createCron},

		{Method: post, Path: "/runs", Role: door.Visitor, Handle: a.createRun},
		{Method: post, Path: "/runs/wait", Role: door.Visitor, Handle: a.waitRun, Long: true},
		{Method: post, Path: "/runs/stream", Role: door.Visitor, Handle: a.streamRun, Long: true},
		{Method: post, Path: "/runs/batch", Role: door.Visitor, Handle: a.batch},
		{Method: post, Path: "/runs/cancel", Role: door.Operator, Handle: a.cancelMany},
		{Method: get, Path: "/runs/:id/join", Role: door.Visitor, Handle: a.join, Long: true},
		{Method: get, Path: "/runs/:id/stream", Role: door.Visitor, Handle: a.joinStream, Long: true},
		{Method: post, Path: "/runs/crons", Role: door.Operator, Handle: a.createCron},
		{Method: post, Path: "/runs/crons/search", Role: door.Operator, Handle: a.searchCrons},
		{Method: post, Path: "/runs/crons/count", Role: door.Operator, Handle: a.countCrons},
		{Method: get, Path: "/runs/crons/:cron", Role: door.Operator, Handle: a.cron},
		{Method: patch, Path: "/runs/crons/:cron", Role: door.Operator, Handle: a.updateCron},
		{Method: del, Path: "/runs/crons/:cron", Role: door.Operator, Handle: a.deleteCron},

		{Method: put, Path: "/store/items", Role: door.Operator, Handle: a.putItem},
		{Method: get, Path: "/store/items", Role: door.Operator, Handle: a.item},
		{Method: del, Path: "/store/items", Role: door.Operator, Handle: a.deleteItem},
		{Method: post, Path: "/store/items/search", Role: door.Operator, Handle: a.searchItems},
		{Method: post, Path: "/store/namespaces", Role: door.Operator, Handle: a.namespaces},
	}
	list = append(append(list, a.agentProtocol()...), a.reference()...)
	for i := range list {
		list[i].Handle = stream.Known(list[i].Handle)
		list[i].MaxBody, list[i].VisitorBody = a.opts.MaxBody, a.opts.VisitorBody
	}
	return list
}

// as is the service as the caller sees it.
func (a *handlers) as(c *gin.Context) *runs.Service { return stream.As(c, a.runs, a.opts.Visitors) }

func (a *handlers) ok(c *gin.Context) error { return answer(c, map[string]bool{"ok": true}) }

func (a *handlers) info(c *gin.Context) error {
	return answer(c, gin.H{
		"version": a.opts.Version, "context": "go",
		"flags": map[string]bool{"assistants": true, "crons": true, "langsmith": false, "langsmith_tracing_replicas": false},
	})
}

// answer sends JSON.
func answer(c *gin.Context, value any) error {
	data, err := encode(value)
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "application/json", data)
	return nil
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

// errMalformed says that a body is no JSON at all.
var errMalformed = fmt.Errorf("malformed JSON in request body: %w", fault.ErrInvalid)

// decode reads the body as JSON, whatever type it says it is of. No body is an empty object; unknown fields are ignored.
func decode[T any](c *gin.Context) (value T, err error) {
	data, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return value, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return value, nil
	}
	err = json.Unmarshal(data, &value)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return value, errMalformed
	case err != nil && !errors.Is(err, fault.ErrInvalid):
		err = fmt.Errorf("%w: %w", err, fault.ErrInvalid)
	}
	return value, err
}

// number reads a number of the query.
func number(c *gin.Context, name string, otherwise int) (int, error) {
	text := c.Query(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s is %q: %w", name, text, fault.ErrInvalid)
	}
	return n, nil
}

// flag reads a yes or no of the query: "1" and "true" are yes.
func flag(c *gin.Context, name string) bool {
	text := c.Query(name)
	return text == "1" || text == "true"
}
