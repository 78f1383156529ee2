package httpd

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// stall is how long one write of a long answer may take, its reader not reading.
const stall = 30 * time.Second

// long lets an answer last as long as it is read and the server does not stop.
func (s *Server) long(do door.Handler, endless bool) door.Handler {
	return func(c *gin.Context) error {
		ctx, cancel := context.WithCancelCause(c.Request.Context())
		defer cancel(nil)
		forget, err := s.streams.add(door.CallerOf(c), endless, cancel)
		if err != nil {
			return err
		}
		defer forget()
		if c.Request.ContentLength == 0 {
			if err := EndReadLimit(c.Writer); err != nil {
				return err
			}
		}
		w := &patientWriter{ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer)}
		c.Request, c.Writer = c.Request.WithContext(ctx), w
		defer w.extend() // for what is flushed after the handler
		return do(c)
	}
}

// A patientWriter has a limit of time for each write instead of one for all.
type patientWriter struct {
	gin.ResponseWriter

	control *http.ResponseController
}

func (w *patientWriter) Write(p []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(p)
}

func (w *patientWriter) WriteString(text string) (int, error) {
	w.extend()
	return w.ResponseWriter.WriteString(text)
}

func (w *patientWriter) Flush() {
	w.extend()
	w.ResponseWriter.Flush()
}

// Unwrap is for [http.ResponseController].
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *patientWriter) extend() {
	_ = w.control.SetWriteDeadline(time.Now().Add(stall)) //nolint:forbidigo // sockets go by the wall clock
}

// streams are the long answers that are under way.
type streams struct {
	mu   sync.Mutex
	open map[*stream]bool
	// settled is closed when the last one ended that has an end of its own; nil while nobody waits
	// for that.
	settled chan struct{}
	// none is closed when the last one ended after the end; nil before it.
	none chan struct{}
}

type stream struct {
	caller  door.Caller
	endless bool
	cancel  context.CancelCauseFunc
}

// add registers a stream, unless the end was.
func (s *streams) add(caller door.Caller, endless bool, cancel context.CancelCauseFunc) (forget func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.none != nil {
		return nil, door.ErrStopping
	}
	if s.open == nil {
		s.open = map[*stream]bool{}
	}
	this := &stream{caller, endless, cancel}
	s.open[this] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, this)
		if s.settled != nil && s.endlessOnly() {
			close(s.settled)
			s.settled = nil
		}
		if s.none != nil && len(s.open) == 0 {
			close(s.none)
		}
	}, nil
}

func (s *streams) endlessOnly() bool {
	for this := range s.open {
		if !this.endless {
			return false
		}
	}
	return true
}

// settle waits until all streams have ended that have an end of their own, or for the end of ctx,
// whose error it then returns.
func (s *streams) settle(ctx context.Context) error {
	s.mu.Lock()
	if s.endlessOnly() {
		s.mu.Unlock()
		return nil
	}
	if s.settled == nil {
		s.settled = make(chan struct{})
	}
	settled := s.settled
	s.mu.Unlock()
	select {
	case <-settled:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// drop ends the streams to callers who are not to have them any more.
func (s *streams) drop(unwanted func(door.Caller) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for this := range s.open {
		if unwanted(this.caller) {
			this.cancel(door.ErrKey)
		}
	}
}

// end ends all streams, and lets no more begin. What it returns is closed when all have ended.
func (s *streams) end() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.none == nil {
		s.none = make(chan struct{})
		if len(s.open) == 0 {
			close(s.none)
		}
	}
	for this := range s.open {
		this.cancel(door.ErrStopping)
	}
	return s.none
}
