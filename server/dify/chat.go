package dify

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/dialog"
	"annai/internal/text"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
)

// A request is the body of POST /v1/chat-messages, as far as it matters.
type request struct {
	// Query is words, or a list of parts where there is a picture.
	Query        json.RawMessage `json:"query"`
	Inputs       inputs          `json:"inputs"`
	Mode         string          `json:"response_mode"`
	Conversation string          `json:"conversation_id"`
	User         string          `json:"user"`
}

// inputs are variables of the app.
type inputs struct {
	// Profile is one of [render.Profile]; absent: avatar.
	Profile string `json:"profile"`
	// Faces are the words for faces in brackets, as a system prompt would have them.
	Faces string `json:"faces"`
	// Language is that of the answer: "ja" or "en"; absent: that of the question.
	Language string `json:"language"`
}

// UnmarshalJSON takes what is no text for absent: inputs are whatever the operator of the client
// made of them.
func (i *inputs) UnmarshalJSON(raw []byte) error {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // what is no object has no field
	*i = inputs{render.Str(fields["profile"]), render.Str(fields["faces"]), render.Str(fields["language"])}
	return nil
}

// style is how the answer is written.
func (r request) style(h http.Header) (render.Style, error) {
	profile := render.Profile(r.Inputs.Profile)
	if profile != "" && !profile.Known() {
		return render.Style{}, door.Invalid("inputs.profile", "must be avatar, olv, chat or raw")
	}
	return render.StyleOf(h, profile, render.Avatar, r.Inputs.Faces)
}

// chat is POST /v1/chat-messages.
func (s *service) chat(c *gin.Context) error {
	var body request
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	style, err := body.style(c.Request.Header)
	switch {
	case err != nil:
		return err
	case body.User == "":
		return door.Invalid("user", "must not be absent")
	case body.Mode != "" && body.Mode != "streaming" && body.Mode != "blocking":
		return door.Invalid("response_mode", "must be streaming or blocking")
	case body.Inputs.Language != "" && body.Inputs.Language != "ja" && body.Inputs.Language != "en":
		return door.Invalid("inputs.language", "must be ja or en")
	}
	m := s.newMessage(body)
	if body.Mode != "streaming" {
		return s.whole(c, body, m, style)
	}
	return s.stream(c, body, m, style)
}

// turn is what was said, in its conversation.
func (s *service) turn(c *gin.Context, body request, m message) (dialog.Turn, error) {
	words := render.Utterance(render.Text(body.Query))
	if err := render.CheckWords("query", words); err != nil {
		return dialog.Turn{}, door.Tell(err, text.Language(words), "")
	}
	turn := render.TurnOf(c, words, sessionOf(body.User, m.Conversation), m.Task)
	turn.Language = body.Inputs.Language
	return turn, nil
}

// sessionOf is the session of a user's conversation: who does not know both does not get at it.
func sessionOf(user, conversation string) string { return "dify-" + render.Sum(user, conversation) }

// whole answers at once.
func (s *service) whole(c *gin.Context, body request, m message, style render.Style) error {
	turn, err := s.turn(c, body, m)
	if err != nil {
		return err
	}
	a, err := s.answerer.Answer(c.Request.Context(), turn, style, render.Silent{})
	if err != nil {
		return err
	}
	m.Event, m.Mode, m.Answer = "message", "chat", &a.Written
	m.Metadata = s.metadata(body, a, m)
	return render.WriteJSON(c, http.StatusOK, m)
}

// stream answers as it is made. What fails is said in the stream where the style speaks; else it is
// an error, if nothing was written yet.
func (s *service) stream(c *gin.Context, body request, m message, style render.Style) error {
	out := &stream{message: m}
	out.Stream = render.NewStream(c.Writer, 0, func() (string, any) { return "ping", nil })
	defer out.Close()
	a, err := s.converse(c, body, out, style)
	if err == nil {
		return out.end(s.metadata(body, a, m))
	}
	if errors.Is(err, door.ErrGone) {
		return err
	}
	f := door.Explain(err, c.GetHeader("Accept-Language"))
	switch {
	case style.Profile.Speaks():
		if written, sad := render.Apologize(f, style, out); sad == nil {
			_ = out.end(s.metadata(body, render.Answer{Written: written}, m)) // who went away needs no end
		}
	case out.Written():
		_ = out.fail(f)
	}
	return err
}

func (s *service) converse(c *gin.Context, body request, out *stream, style render.Style) (render.Answer, error) {
	turn, err := s.turn(c, body, out.message)
	if err != nil {
		return render.Answer{}, err
	}
	out.Start()
	return s.answerer.Answer(c.Request.Context(), turn, style, out)
}

// A userOf is the body of whatever else a user asks for.
type userOf struct {
	User string `json:"user"`
}

// stop is POST /v1/chat-messages/{task_id}/stop. It succeeds too where there is nothing to stop.
func (s *service) stop(c *gin.Context) error {
	var body userOf
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	door.SetObject(c, "run", c.Param("id"))
	if _, err := s.parts.Gate.Cancel(c.Request.Context(), c.Param("id"), door.CallerOf(c).Speaker()); err != nil {
		return err
	}
	return render.WriteJSON(c, http.StatusOK, map[string]string{"result": "success"})
}

// forget is DELETE /v1/conversations/{conversation_id}.
func (s *service) forget(c *gin.Context) error {
	var body userOf
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	session := gate.SessionOf(door.CallerOf(c), sessionOf(body.User, c.Param("id")))
	if err := s.parts.Gate.EndSession(c.Request.Context(), session); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
