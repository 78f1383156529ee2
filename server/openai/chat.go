package openai

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/dialog"
	"annai/internal/text"
	"annai/server/door"
	"annai/server/render"
)

// A chatRequest is the body of POST /v1/chat/completions, as far as it matters. Whatever else is in it is ignored: how many answers, how long,
// how warm, which tools a model might call.
type chatRequest struct {
	origin

	Model         *string   `json:"model"`
	Messages      []message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
	ResponseFormat json.RawMessage `json:"response_format"`
}

// chat is POST /v1/chat/completions.
func (s *service) chat(c *gin.Context) error {
	var body chatRequest
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	model := modelConcierge
	if body.Model != nil && *body.Model != "" {
		model = *body.Model
	}
	return s.complete(c, body, model)
}

// avatar is POST /v1/avatar/completions: the same for clients that can only read a stream but do not ask for one, or that name a model of
// somebody else and can't be told otherwise.
func (s *service) avatar(c *gin.Context) error {
	var body chatRequest
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	model := modelConcierge
	if body.Model != nil {
		if _, err := profileOfModel(*body.Model); err == nil && *body.Model != modelUtility {
			model = *body.Model
		}
	}
	body.Stream = true
	return s.complete(c, body, model)
}

// complete answers a request for the model.
func (s *service) complete(c *gin.Context, body chatRequest, model string) error {
	named, err := profileOfModel(model)
	if err != nil {
		return err
	}
	if len(body.Messages) == 0 {
		return missing("messages")
	}
	t := readTalk(body.Messages)
	if len(t.said) == 0 {
		return door.Invalid("messages", "must have one of the user")
	}
	if err := refuseTools(body.ToolChoice); err != nil {
		return err
	}
	if answer, ok := s.chore(model, t); ok {
		return s.completeChore(c, body, model, t, answer)
	}
	if err := refuseFormat("response_format", body.ResponseFormat); err != nil {
		return err
	}
	r, err := styleOf(c.Request.Header, named, render.Avatar, t.instructions)
	if err != nil {
		return err
	}
	if body.Stream {
		return s.streamChat(c, body, model, t, r)
	}
	turn, err := s.turn(c, body.origin, t, "")
	if err != nil {
		return err
	}
	a, err := s.answerer.Answer(c.Request.Context(), turn, r, render.Silent{})
	if err != nil {
		return err
	}
	return render.WriteJSON(c, http.StatusOK, s.completion(model, a.Written, t, extrasOf(a.QueryResponse)))
}

// turn makes the turn of what was said, and says where it belongs: to the session, or if that is empty to the one that the request names.
func (s *service) turn(c *gin.Context, o origin, t talk, session string) (dialog.Turn, error) {
	words, err := t.words()
	if err != nil {
		return dialog.Turn{}, door.Tell(err, text.Language(strings.Join(t.said, "")), "")
	}
	p := place{session: session}
	if session == "" {
		p = placeOf(c.Request.Header, o, door.CallerOf(c), t.said)
	}
	turn := render.TurnOf(c, words, p.session, s.parts.NewID())
	turn.Anew, turn.Before = p.all, p.before
	return turn, nil
}

// refuseTools refuses what can't be done: to answer by calling a tool of the client's. That there are tools is no harm.
func refuseTools(choice json.RawMessage) error {
	var function struct {
		Type string `json:"type"`
	}
	if render.Str(choice) != "required" && (json.Unmarshal(choice, &function) != nil || function.Type == "") {
		return nil
	}
	return unsupported("tool_choice", "This model does not support tools of the client: it calls its own. Leave tool_choice out, or set it to 'auto' or 'none'.")
}

// refuseFormat refuses to answer in JSON: a schema that an answer does not keep would be worse than none.
func refuseFormat(param string, format json.RawMessage) error {
	var asked struct {
		Type string `json:"type"`
	}
	if !render.IsSet(format) || json.Unmarshal(format, &asked) == nil && (asked.Type == "" || asked.Type == "text") {
		return nil
	}
	return unsupported(param, "Answers are sentences for people, not '"+render.Shorten(asked.Type, 32)+"'. For structured answers use POST /query, or read x_annai.")
}

// completion is an answer that is not streamed.
type completion struct {
	ID      string           `json:"id"`
	Object  string           `json:"object"`
	Created int64            `json:"created"`
	Model   string           `json:"model"`
	Choices []completeChoice `json:"choices"`
	Usage   usage            `json:"usage"`
	Extras  *extras          `json:"x_annai,omitempty"`
}

type completeChoice struct {
	Index        int           `json:"index"`
	Message      completedText `json:"message"`
	Logprobs     *struct{}     `json:"logprobs"`
	FinishReason string        `json:"finish_reason"`
}

type completedText struct {
	Role    string  `json:"role"`
	Content string  `json:"content"`
	Refusal *string `json:"refusal"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

func usageOf(t talk, text string) usage {
	n := render.Tokens(text)
	return usage{Prompt: t.tokens, Completion: n, Total: t.tokens + n}
}

func (s *service) completion(model, text string, t talk, more *extras) completion {
	return completion{
		ID: "chatcmpl-" + s.parts.NewID(), Object: "chat.completion", Created: s.parts.Now().Unix(), Model: model,
		Choices: []completeChoice{{Message: completedText{Role: "assistant", Content: text}, FinishReason: "stop"}},
		Usage:   usageOf(t, text), Extras: more,
	}
}

// streamChat answers with a stream. What fails is said in it where the profile speaks; else it is an error, if nothing was written yet.
func (s *service) streamChat(c *gin.Context, body chatRequest, model string, t talk, r render.Style) error {
	out := s.newChatStream(c, model, r)
	out.include = body.StreamOptions.IncludeUsage
	defer out.Close()
	err := s.converse(c, body, t, r, out)
	if err == nil || errors.Is(err, door.ErrGone) {
		return err
	}
	f := door.Explain(err, c.GetHeader("Accept-Language"))
	switch {
	case r.Profile.Speaks():
		_ = out.apologize(f, &t) // who went away needs no apology
	case out.Written():
		_ = out.Send("", errorBody{shape(f)})
	}
	return err
}

func (s *service) converse(c *gin.Context, body chatRequest, t talk, r render.Style, out *chatStream) error {
	turn, err := s.turn(c, body.origin, t, "")
	if err != nil {
		return err
	}
	out.Start() // from here on the headers of the answer are the stream's
	a, err := s.answerer.Answer(c.Request.Context(), turn, r, out)
	if err != nil {
		return err
	}
	if out.webUI {
		if err := out.sources(a.Metadata.Passages); err != nil {
			return err
		}
	}
	return out.finish(a.Written, &t, extrasOf(a.QueryResponse))
}
