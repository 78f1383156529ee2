// Package stream is what the doors over [runs.Service] share: the service as a caller sees it, and what happens in a
// run as server-sent events.
//
// The idea to hold: events of a run come in at one end, and each door says what frames they make; how frames are
// written, when the stream says that it lives, and how it ends is the same for all. The package knows no protocol.
package stream

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/runs"
	"annai/server/door"
)

// As returns the service as the caller of a request sees it. A thread is its maker's and operators'; the limits are
// those of visitors.
func As(c *gin.Context, service *runs.Service, visitors runs.Limits) *runs.Service {
	caller := door.CallerOf(c)
	made := runs.Maker{Name: caller.Name(), Network: caller.Network}
	as := runs.Caller{Maker: made, All: caller.Role == door.Operator}
	if caller.Bounded() {
		as.Limits = visitors
	}
	return service.As(as)
}

// quotaWait is after how long somebody may ask again who has made as much as is kept: threads of
// visitors end by themselves.
const quotaWait = 30 * time.Second

// Known makes what only package runs knows of errors known to the server.
func Known(do door.Handler) door.Handler {
	return func(c *gin.Context) error {
		err := do(c)
		switch {
		case errors.Is(err, runs.ErrQuota):
			return errors.Join(&door.RateError{Wait: quotaWait}, err)
		case errors.Is(err, runs.ErrQueue):
			return errors.Join(door.ErrOverloaded, err)
		}
		return err
	}
}

// maxBuffer is how many bytes wait to be flushed at most.
const maxBuffer = 64 << 10

// SSE writes server-sent events to one client. It is used by one goroutine at a time.
type SSE struct {
	w      gin.ResponseWriter
	pause  time.Duration
	buffer []byte
}

// New returns a stream that says that it lives when nothing happened for so long.
func New(w gin.ResponseWriter, pause time.Duration) *SSE { return &SSE{w: w, pause: pause} }

// Begin sends the headers.
func (s *SSE) Begin() {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(http.StatusOK)
	s.w.WriteHeaderNow()
	s.w.Flush()
}

// Event adds an event to what is to be flushed. Without a name or an id it has none.
func (s *SSE) Event(name, id string, data []byte) {
	if data == nil {
		data = []byte("null")
	}
	s.field("event", name)
	s.field("data", string(data))
	s.field("id", id)
	s.buffer = append(s.buffer, '\n')
}

func (s *SSE) field(name, value string) {
	if value != "" {
		s.buffer = append(append(append(append(s.buffer, name...), ": "...), value...), '\n')
	}
}

// heartbeat writes a comment. No blank line follows it, since old clients take that for an event.
func (s *SSE) heartbeat() error {
	s.buffer = append(s.buffer, ": heartbeat\n"...)
	return s.Flush()
}

// Flush sends what was added. The error is [door.ErrGone] when nobody reads any more.
func (s *SSE) Flush() error {
	if len(s.buffer) == 0 {
		return nil
	}
	_, err := s.w.Write(s.buffer)
	s.buffer = s.buffer[:0]
	if err != nil {
		return fmt.Errorf("%w: %w", door.ErrGone, err)
	}
	s.w.Flush()
	return nil
}

// Follow hands events to handle, flushes what that wrote, and says that the stream lives when nothing happens. A
// reader who goes away is no error.
func (s *SSE) Follow(ctx context.Context, events iter.Seq2[runs.Event, error], handle func(runs.Event) error) error {
	return relay(ctx, events, s.pause, s.heartbeat, func(e runs.Event, more bool) error {
		if err := handle(e); err != nil {
			return err
		}
		if more && len(s.buffer) < maxBuffer {
			return nil
		}
		return s.Flush()
	})
}
