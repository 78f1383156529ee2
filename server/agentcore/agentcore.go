// Package agentcore is the door for clients of Amazon Bedrock AgentCore's runtime, such as Tonari:
// the program can run there in place of an agent, or be asked in the same words anywhere else.
//
// The idea to hold: what a client streams is JSON, line by line: a text is part of what is said, an
// object is something else that happened.
package agentcore

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"annai/dialog"
	"annai/fault"
	"annai/internal/text"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
)

// Parts are what the door is made of. All are required.
type Parts struct {
	Gate *gate.Gate
	// Now is the clock, NewID makes ids.
	Now   func() time.Time
	NewID func() string
}

const (
	// maxBody is the largest request in bytes: Tonari sends a picture along.
	maxBody = 10 << 20
	// heartbeat is how long a stream may be silent before an empty text says that it lives.
	heartbeat = 10 * time.Second
	// headerSession names the session, where the runtime does.
	headerSession = "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"
)

// A service is the door behind its routes.
type service struct {
	parts    Parts
	answerer *render.Answerer
}

// New returns the door. Missing parts are [fault.ErrInvalid].
func New(parts Parts) (door.Door, error) {
	if parts.Gate == nil || parts.Now == nil || parts.NewID == nil {
		return door.Door{}, fmt.Errorf("new door for AgentCore: a part is missing: %w", fault.ErrInvalid)
	}
	s := &service{parts: parts, answerer: render.NewAnswerer(parts.Gate)}
	return door.Door{Name: "agentcore", Fail: render.Fail, Routes: []door.Route{
		{
			Method: http.MethodPost, Path: "/invocations", Role: door.Visitor, Handle: s.invoke,
			MaxBody: maxBody, Long: true,
		},
		{Method: http.MethodGet, Path: "/ping", Role: door.Anyone, Handle: s.ping},
	}}, nil
}

// ping is GET /ping: whether the program lives, and is needed.
func (s *service) ping(c *gin.Context) error {
	status := "Healthy"
	if s.parts.Gate.Active() > 0 {
		status = "HealthyBusy"
	}
	return render.WriteJSON(c, http.StatusOK, map[string]any{
		"status": status, "time_of_last_update": s.parts.Now().Unix(),
	})
}

// A request is the body of POST /invocations, as far as it matters. Pictures are not looked at.
type request struct {
	Prompt  string `json:"prompt"`
	Session string `json:"session_id"`
	Actor   string `json:"actor_id"`
}

// invoke is POST /invocations.
func (s *service) invoke(c *gin.Context) error {
	var body request
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	if !strings.Contains(c.GetHeader("Accept"), "text/event-stream") {
		turn, err := s.turn(c, body)
		if err != nil {
			return err
		}
		a, err := s.answerer.Answer(c.Request.Context(), turn, render.Spoken(), render.Silent{})
		if err != nil {
			return err
		}
		return render.WriteJSON(c, http.StatusOK, map[string]string{"response": a.Written, "status": "success"})
	}
	out := &stream{Stream: render.NewStream(c.Writer, heartbeat, func() (string, any) { return "", "" })}
	defer out.Close()
	err := s.stream(c, body, out)
	if err != nil && !errors.Is(err, door.ErrGone) {
		f := door.Explain(err, c.GetHeader("Accept-Language"))
		_, _ = render.Apologize(f, render.Spoken(), out) // who went away needs no apology
		if !out.Written() {
			_ = out.Send("", "") // that nothing is said is an answer too
		}
	}
	return err
}

func (s *service) stream(c *gin.Context, body request, out *stream) error {
	turn, err := s.turn(c, body)
	if err != nil {
		return err
	}
	out.Start()
	if _, err = s.answerer.Answer(c.Request.Context(), turn, render.Spoken(), out); err != nil {
		return err
	}
	return out.toolEnds()
}

// turn is what was said, in its session: a visitor's who has a name both times, else a new one.
func (s *service) turn(c *gin.Context, body request) (dialog.Turn, error) {
	words := render.Utterance(body.Prompt)
	if err := render.CheckWords("prompt", words); err != nil {
		return dialog.Turn{}, door.Tell(err, text.Language(words), "")
	}
	session := render.Named(body.Session)
	if session == "" {
		session = render.Named(c.GetHeader(headerSession))
	}
	if session == "" {
		session = s.parts.NewID()
	}
	return render.TurnOf(c, words, "agentcore-"+render.Sum(body.Actor, session), s.parts.NewID()), nil
}

// A stream tells one answer, and which node of the graph works on it as if that were a tool.
type stream struct {
	*render.Stream

	tool string
}

// An event is what is not said.
type event struct {
	Type string `json:"type"`
	// Tool is what is being done, in words: Tonari shows a name that it does not know.
	Tool string `json:"tool,omitempty"`
}

// Begin implements [render.Listener].
func (*stream) Begin() error { return nil }

// Piece implements [render.Listener].
func (o *stream) Piece(p render.Piece) error {
	if err := o.toolEnds(); err != nil {
		return err
	}
	return o.Send("", p.String())
}

// Progress implements [render.Listener].
func (o *stream) Progress(s render.Step) error {
	if s.Label == "" {
		return nil
	}
	if err := o.toolEnds(); err != nil {
		return err
	}
	o.tool = s.Label
	return o.Send("", event{"tool_start", s.Label})
}

func (o *stream) toolEnds() error {
	if o.tool == "" {
		return nil
	}
	o.tool = ""
	return o.Send("", event{Type: "tool_end"})
}
