package navigator

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
)

// A chatRequest is the body of POST /api/chat: a question in a session, or messages of a chat.
type chatRequest struct {
	Query     string `json:"query"`
	SessionID string `json:"session_id"`
	Language  string `json:"language"`

	ID       string        `json:"id"`
	ThreadID string        `json:"threadId"`
	Messages []pageMessage `json:"messages"`
}

// A pageMessage is one of a chat: the AI SDK has parts, AITuberKit content.
type pageMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Parts   json.RawMessage `json:"parts"`
}

// A chatAnswer is what is answered to a question.
type chatAnswer struct {
	Answer   string       `json:"answer"`
	Emotion  string       `json:"emotion"`
	Metadata api.Metadata `json:"metadata"`
}

// chat is POST /api/chat.
func (s *service) chat(c *gin.Context) error {
	var body chatRequest
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	if len(body.Messages) > 0 {
		return s.page(c, body)
	}
	turn, err := s.turn(c, "query", body.Query, body.SessionID, body.Language)
	if err != nil {
		return err
	}
	a, err := s.answer(c.Request.Context(), turn)
	if err != nil {
		return err
	}
	return render.WriteJSON(c, http.StatusOK, chatAnswer{a.Written, a.Emotion, a.Metadata})
}

// page streams the answer to the last message of the visitor, as the AI SDK has it. What fails is
// told in the stream: as an apology where the style speaks.
func (s *service) page(c *gin.Context, body chatRequest) error {
	said, profile := body.last()
	style, err := render.StyleOf(c.Request.Header, "", profile, "")
	if err != nil {
		return err
	}
	id := s.parts.NewID()
	out := &pageStream{id: id}
	out.Stream = render.NewStream(c.Writer, 0, func() (string, any) {
		return "", pageEvent{Type: "data-alive", Data: struct{}{}, Transient: true}
	})
	defer out.Close()
	err = s.tellPage(c, body, said, style, out)
	if err == nil || errors.Is(err, door.ErrGone) {
		return err
	}
	f := door.Explain(err, c.GetHeader("Accept-Language"))
	switch {
	case style.Profile.Speaks():
		if _, sad := render.Apologize(f, style, out); sad == nil {
			_ = out.finish() // who went away needs no end
		}
	case out.Written():
		_ = out.Send("", pageEvent{Type: "error", ErrorText: gate.Words(f)})
		_ = out.SendText("", []byte("[DONE]"))
	}
	return err
}

func (s *service) tellPage(c *gin.Context, body chatRequest, said string, style render.Style, out *pageStream) error {
	session := c.GetHeader("X-Session-Id")
	for _, named := range []string{body.ThreadID, body.ID} {
		if session == "" {
			session = named
		}
	}
	turn, err := s.turn(c, "messages", said, session, "")
	if err != nil {
		return err
	}
	c.Header("X-Vercel-AI-UI-Message-Stream", "v1")
	out.Start()
	if _, err := s.answerer.Answer(c.Request.Context(), turn, style, out); err != nil {
		return err
	}
	return out.finish()
}

// last is what the visitor said last, and how it is answered: a page that has parts shows text,
// another one speaks.
func (r chatRequest) last() (said string, profile render.Profile) {
	profile = render.Avatar
	for _, m := range r.Messages {
		if render.IsSet(m.Parts) {
			profile = render.Chat
		}
		if m.Role != "user" {
			continue
		}
		if said = render.Text(m.Content); render.IsSet(m.Parts) {
			said = render.Text(m.Parts)
		}
	}
	return said, profile
}

// A pageEvent is one of a stream; which fields it has depends on its type.
type pageEvent struct {
	Type      string `json:"type"`
	MessageID string `json:"messageId,omitempty"`
	ID        string `json:"id,omitempty"`
	Delta     string `json:"delta,omitempty"`
	ErrorText string `json:"errorText,omitempty"`
	Data      any    `json:"data,omitempty"`
	Transient bool   `json:"transient,omitempty"`
}

// A pageStream streams one message with one text.
type pageStream struct {
	*render.Stream

	id     string
	opened bool
}

// Begin implements [render.Listener].
func (o *pageStream) Begin() error { return o.open() }

func (o *pageStream) open() error {
	if o.opened {
		return nil
	}
	o.opened = true
	if err := o.Send("", pageEvent{Type: "start", MessageID: o.id}); err != nil {
		return err
	}
	return o.Send("", pageEvent{Type: "text-start", ID: o.id})
}

// Piece implements [render.Listener].
func (o *pageStream) Piece(p render.Piece) error {
	if err := o.open(); err != nil {
		return err
	}
	return o.Send("", pageEvent{Type: "text-delta", ID: o.id, Delta: p.String()})
}

// Progress implements [render.Listener].
func (o *pageStream) Progress(render.Step) error { return nil }

func (o *pageStream) finish() error {
	if err := o.open(); err != nil {
		return err
	}
	for _, e := range []pageEvent{{Type: "text-end", ID: o.id}, {Type: "finish"}} {
		if err := o.Send("", e); err != nil {
			return err
		}
	}
	return o.SendText("", []byte("[DONE]"))
}
