package openai

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// A stream writes frames of server-sent events, each with one write and one flush, so that none arrives in two halves if the network can help it.
// When it was silent for long it writes a frame of its own, since some readers break on comments.
type stream struct {
	mu     sync.Mutex
	writer gin.ResponseWriter
	// idle makes the frame that says that the stream lives.
	idle   func() (name string, data any)
	every  time.Duration
	beat   *time.Timer
	begun  bool
	closed bool
}

// start lets the heartbeat begin. Nothing is written yet.
func (s *stream) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat = time.AfterFunc(s.every, s.breathe)
}

// written says whether a frame was sent.
func (s *stream) written() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

// send writes a frame. With a name it has an event line, which no avatar can read. The error is [door.ErrGone] when nobody listens any more.
func (s *stream) send(name string, data any) error {
	text, err := encode(data)
	if err != nil {
		return err
	}
	return s.sendText(name, text)
}

func (s *stream) sendText(name string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(name, text)
}

func (s *stream) write(name string, text []byte) error {
	if s.closed {
		return door.ErrGone
	}
	if !s.begun {
		s.begun = true
		h := s.writer.Header()
		h.Set("Content-Type", "text/event-stream; charset=utf-8")
		h.Set("Cache-Control", "no-cache, no-store")
		h.Set("X-Accel-Buffering", "no")
		s.writer.WriteHeader(http.StatusOK)
	}
	if s.beat != nil {
		s.beat.Reset(s.every)
	}
	frame := make([]byte, 0, len(text)+len(name)+20)
	if name != "" {
		frame = append(append(append(frame, "event: "...), name...), '\n')
	}
	frame = append(append(append(frame, "data: "...), text...), "\n\n"...)
	if _, err := s.writer.Write(frame); err != nil {
		return fmt.Errorf("%w: %w", door.ErrGone, err)
	}
	s.writer.Flush()
	return nil
}

func (s *stream) breathe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	name, data := s.idle()
	if text, err := encode(data); err == nil {
		_ = s.write(name, text) // who went away is noticed by the server
	}
}

// close ends the heartbeat. Nothing is written after it.
func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.beat != nil {
		s.beat.Stop()
	}
}
