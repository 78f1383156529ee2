package server

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/dialog"
	"annai/server/door"
	"annai/server/httpd"
	"annai/server/render"
)

// heartbeat is how long a stream may be silent; then a comment says that it lives.
const heartbeat = 15 * time.Second

// stream answers a question as server-sent events. What fails before the first event is an error as in any other answer; what fails
// after it is the last event.
func (s *Server) stream(c *gin.Context, q question) error {
	out := &eventStream{writer: c.Writer}
	defer out.close()
	err := s.tellEvents(c, out, &q)
	if err == nil || !out.started() || errors.Is(err, door.ErrGone) {
		return err
	}
	f := door.Explain(tell(err, q), c.GetHeader("Accept-Language"))
	s.http.Log(c, f)
	return out.send(api.EventError, envelope(f, httpd.RequestID(c)))
}

// tellEvents sends what happens in the turn.
func (s *Server) tellEvents(c *gin.Context, out *eventStream, q *question) error {
	for event, err := range render.Ask(c.Request.Context(), s.parts.Gate, q.turn) {
		if err != nil {
			return err
		}
		if started, ok := event.(dialog.Started); ok {
			q.language = pick(started.Language, q.language)
		}
		if said, ok := event.(dialog.Sentence); ok {
			event = dialog.Sentence{SpokenSentence: s.voiced(said.SpokenSentence, q.language)}
		}
		if last, ok := event.(dialog.Final); ok {
			s.handovers.remember(q.turn, last.QueryResponse)
		}
		if err := forward(out, event); err != nil {
			return err
		}
	}
	return nil
}

// forward sends one event of the concierge under its name.
func forward(out *eventStream, event dialog.Event) error {
	switch e := event.(type) {
	case dialog.Started:
		return out.send(api.EventRunStarted, e.RunStarted)
	case dialog.Progress:
		if e.Done {
			return out.send(api.EventNodeFinished, e.NodeProgress)
		}
		return out.send(api.EventNodeStarted, e.NodeProgress)
	case dialog.Sentence:
		return out.send(api.EventSentence, e.SpokenSentence)
	case dialog.Cards:
		fill(&e.Cards.Cards)
		return out.send(api.EventCards, e.Cards)
	case dialog.Suggestions:
		fill(&e.Suggestions.Suggestions)
		return out.send(api.EventSuggestions, e.Suggestions)
	case dialog.Confirm:
		return out.send(api.EventConfirm, e.Interrupt)
	case dialog.Final:
		return out.send(api.EventFinal, whole(e.QueryResponse))
	default:
		return fmt.Errorf("no name for an event of type %T", event)
	}
}

// An eventStream writes server-sent events, each at once, and a comment when it was silent for long.
type eventStream struct {
	mu     sync.Mutex
	writer gin.ResponseWriter
	id     int
	beat   *time.Timer
	closed bool
}

func (e *eventStream) started() bool { return e.id > 0 }

// send writes one event. The error is door.ErrGone when nobody listens any more.
func (e *eventStream) send(name string, data any) error {
	return httpd.Encode(data, func(text []byte) error {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.id == 0 {
			e.begin()
		}
		e.id++
		event := make([]byte, 0, len(name)+len(text)+40)
		event = append(event, "id: "...)
		event = strconv.AppendInt(event, int64(e.id), 10)
		event = append(event, "\nevent: "...)
		event = append(event, name...)
		event = append(event, "\ndata: "...)
		event = append(event, text...) // ends with a newline
		event = append(event, '\n')
		return e.write(event)
	})
}

func (e *eventStream) begin() {
	h := e.writer.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache, no-store")
	h.Set("X-Accel-Buffering", "no")
	e.writer.WriteHeader(http.StatusOK)
	e.beat = time.AfterFunc(heartbeat, e.breathe)
}

// write sends the bytes in one piece and puts the heartbeat off.
func (e *eventStream) write(event []byte) error {
	e.beat.Reset(heartbeat)
	if _, err := e.writer.Write(event); err != nil {
		return fmt.Errorf("%w: %w", door.ErrGone, err)
	}
	e.writer.Flush()
	return nil
}

func (e *eventStream) breathe() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		_ = e.write([]byte(":\n\n")) // who went away is noticed by the server
	}
}

// close ends the heartbeat. Nothing is written after it.
func (e *eventStream) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.beat != nil {
		e.beat.Stop()
	}
}

func pick(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
