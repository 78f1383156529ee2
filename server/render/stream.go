package render

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// A Stream writes frames of server-sent events, each with one write and one flush, so that none
// arrives in two halves if the network can help it. When it was silent for long it writes a frame
// of its own, since some readers break on comments. It is safe for concurrent use.
type Stream struct {
	mu     sync.Mutex
	writer gin.ResponseWriter
	idle   func() (name string, data any)
	every  time.Duration
	beat   *time.Timer
	begun  bool
	closed bool
}

// heartbeat is how long a stream is silent before it says that it lives.
const heartbeat = 10 * time.Second

// NewStream returns a stream on the writer. Idle makes the frame that says, after it was silent for
// so long, or 10 seconds where that is 0, that it lives; no other is sent while it is made.
func NewStream(w gin.ResponseWriter, every time.Duration, idle func() (name string, data any)) *Stream {
	return &Stream{writer: w, every: cmp.Or(every, heartbeat), idle: idle}
}

// Start lets the heartbeat begin. Nothing is written yet.
func (s *Stream) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat = time.AfterFunc(s.every, s.breathe)
}

// Written says whether a frame was sent.
func (s *Stream) Written() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

// Send writes a frame. With a name it has an event line, which no avatar can read. The error is
// [door.ErrGone] when nobody listens any more.
func (s *Stream) Send(name string, data any) error {
	text, err := Encode(data)
	if err != nil {
		return err
	}
	return s.SendText(name, text)
}

// SendText writes a frame whose data is that.
func (s *Stream) SendText(name string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(name, text)
}

// SendMade sends the frame that is made while no other is sent.
func (s *Stream) SendMade(make func() (name string, data any)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, data := make()
	text, err := Encode(data)
	if err != nil {
		return err
	}
	return s.write(name, text)
}

func (s *Stream) write(name string, text []byte) error {
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
	if text != nil {
		frame = append(append(append(frame, "data: "...), text...), '\n')
	}
	frame = append(frame, '\n')
	if _, err := s.writer.Write(frame); err != nil {
		return fmt.Errorf("%w: %w", door.ErrGone, err)
	}
	s.writer.Flush()
	return nil
}

func (s *Stream) breathe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	name, data := s.idle()
	if data == nil {
		_ = s.write(name, nil) // who went away is noticed by the server
		return
	}
	if text, err := Encode(data); err == nil {
		_ = s.write(name, text)
	}
}

// Close ends the heartbeat. Nothing is written after it.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.beat != nil {
		s.beat.Stop()
	}
}
