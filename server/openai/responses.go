package openai

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
)

// A responseRequest is the body of POST /v1/responses, as far as it matters.
type responseRequest struct {
	origin

	Model        *string         `json:"model"`
	Input        json.RawMessage `json:"input"`
	Instructions json.RawMessage `json:"instructions"`
	Previous     *string         `json:"previous_response_id"`
	Stream       bool            `json:"stream"`
	Background   bool            `json:"background"`
	ToolChoice   json.RawMessage `json:"tool_choice"`
	Text         struct {
		Format json.RawMessage `json:"format"`
	} `json:"text"`
}

// respond is POST /v1/responses. Nothing is stored: what was said is the session's, which the id of a
// response names.
func (s *service) respond(c *gin.Context) error {
	var body responseRequest
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	model := modelConcierge
	if body.Model != nil && *body.Model != "" {
		model = *body.Model
	}
	named, err := profileOfModel(model)
	if err != nil {
		return err
	}
	t, err := body.talk()
	if err != nil {
		return err
	}
	if err := body.refuse(); err != nil {
		return err
	}
	session, err := sessionOfResponse(body.Previous)
	if err != nil {
		return err
	}
	r, err := styleOf(c.Request.Header, named, render.Chat, t.instructions)
	if err != nil {
		return err
	}
	out := &responseStream{}
	out.Stream = render.NewStream(c.Writer, s.opts.Heartbeat, out.alive)
	defer out.Close()
	err = s.respondTo(c, body, model, t, r, session, out)
	if err != nil && !errors.Is(err, door.ErrGone) && out.Written() {
		_ = out.fail(door.Explain(err, c.GetHeader("Accept-Language"))) // who went away needs no last words
	}
	return err
}

func (s *service) respondTo(
	c *gin.Context, body responseRequest, model string, t talk, r render.Style, session string, out *responseStream,
) error {
	if answer, ok := s.chore(model, t); ok {
		return out.whole(c, body, s.newResponse(model, "", body.Previous), t, answer, s.parts.Now())
	}
	if session == "" && placeOf(c.Request.Header, body.origin, door.CallerOf(c), t.said).fresh() {
		session = "talk-" + s.parts.NewID() // the client will name it by the response
	}
	turn, err := s.turn(c, body.origin, t, session)
	if err != nil {
		return err
	}
	out.response = s.newResponse(model, turn.SessionID, body.Previous)
	var l render.Listener = render.Silent{}
	if body.Stream {
		l = out
	}
	a, err := s.answerer.Answer(c.Request.Context(), turn, r, l)
	if err != nil {
		return err
	}
	out.response.Extras = extrasOf(a.QueryResponse)
	out.response.complete(a.Written, t, s.parts.Now())
	if body.Stream {
		return out.finish(a.Written)
	}
	return render.WriteJSON(c, http.StatusOK, out.response)
}

// talk reads the input: words, or a list of messages among other things.
func (b responseRequest) talk() (talk, error) {
	if !render.IsSet(b.Input) {
		return talk{}, missing("input")
	}
	messages := []message{{Role: "system", Content: b.Instructions}}
	if words := render.Str(b.Input); words != "" {
		messages = append(messages, message{Role: "user", Content: b.Input})
	} else {
		var items []message
		if json.Unmarshal(b.Input, &items) != nil {
			return talk{}, door.Invalid("input", "must be words, or a list of messages")
		}
		messages = append(messages, items...)
	}
	t := readTalk(messages)
	if len(t.said) == 0 {
		return talk{}, door.Invalid("input", "must have words of the user")
	}
	return t, nil
}

// refuse refuses what can't be done.
func (b responseRequest) refuse() error {
	if b.Background {
		return unsupported("background", "There are no responses in the background: nothing is stored here.")
	}
	if err := refuseTools(b.ToolChoice); err != nil {
		return err
	}
	return refuseFormat("text.format", b.Text.Format)
}

// The id of a response is "resp_", the session, a dot and what makes it one of a kind, so that whoever
// goes on with it goes on with the session.
var inID = base64.RawURLEncoding

func responseID(session, nonce string) string {
	return "resp_" + inID.EncodeToString([]byte(session)) + "." + nonce
}

// sessionOfResponse returns the session that a response belongs to; "" without one, and for a chore, which
// has none.
func sessionOfResponse(id *string) (string, error) {
	if id == nil || *id == "" {
		return "", nil
	}
	encoded, isID := strings.CutPrefix(*id, "resp_")
	encoded, _, hasNonce := strings.Cut(encoded, ".")
	session, err := inID.DecodeString(encoded)
	if isID && hasNonce && encoded == "" {
		return "", nil
	}
	if !isID || !hasNonce || err != nil || gate.SessionProblem(string(session)) != "" {
		return "", &refusal{
			error: door.Invalid("previous_response_id", "is not known"), code: "previous_response_not_found", param: "previous_response_id",
			message: "Previous response with id '" + render.Shorten(*id, 64) + "' not found.",
		}
	}
	return string(session), nil
}

// noResponse answers whoever wants to see, delete or cancel a response: none is stored.
func (s *service) noResponse(c *gin.Context) error {
	return &refusal{
		error: fmt.Errorf("response: %w", fault.ErrNotFound), code: "response_not_found", param: "response_id",
		message: "Response with id '" + render.Shorten(c.Param("id"), 64) + "' not found: responses are not stored here.",
	}
}

// response is an answer, or what there is of it yet. Fields that mean nothing here have the values that
// clients expect of them.
type response struct {
	ID                string            `json:"id"`
	Object            string            `json:"object"`
	CreatedAt         int64             `json:"created_at"`
	CompletedAt       *int64            `json:"completed_at"`
	Status            string            `json:"status"`
	Error             *responseError    `json:"error"`
	IncompleteDetails *struct{}         `json:"incomplete_details"`
	Instructions      *string           `json:"instructions"`
	Metadata          map[string]string `json:"metadata"`
	Model             string            `json:"model"`
	Output            []outputItem      `json:"output"`
	ParallelToolCalls bool              `json:"parallel_tool_calls"`
	Previous          *string           `json:"previous_response_id"`
	Store             bool              `json:"store"`
	Temperature       float64           `json:"temperature"`
	Text              textFormat        `json:"text"`
	ToolChoice        string            `json:"tool_choice"`
	Tools             []struct{}        `json:"tools"`
	TopP              float64           `json:"top_p"`
	Usage             *responseUsage    `json:"usage"`
	Extras            *extras           `json:"x_annai,omitempty"`

	unused
}

// unused are fields that Open Responses requires of a response, and of which there is nothing to say here.
type unused struct {
	Background       bool      `json:"background"`
	FrequencyPenalty float64   `json:"frequency_penalty"`
	MaxOutputTokens  *int      `json:"max_output_tokens"`
	MaxToolCalls     *int      `json:"max_tool_calls"`
	PresencePenalty  float64   `json:"presence_penalty"`
	PromptCacheKey   *string   `json:"prompt_cache_key"`
	Reasoning        *struct{} `json:"reasoning"`
	SafetyIdentifier *string   `json:"safety_identifier"`
	ServiceTier      string    `json:"service_tier"`
	TopLogprobs      int       `json:"top_logprobs"`
	Truncation       string    `json:"truncation"`
}

type responseError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type textFormat struct {
	Format struct {
		Type string `json:"type"`
	} `json:"format"`
}

type outputItem struct {
	ID      string       `json:"id"`
	Type    string       `json:"type"`
	Status  string       `json:"status"`
	Role    string       `json:"role"`
	Content []outputText `json:"content"`
}

type outputText struct {
	Type        string     `json:"type"`
	Text        string     `json:"text"`
	Annotations []struct{} `json:"annotations"`
}

type responseUsage struct {
	Input        int `json:"input_tokens"`
	InputDetails struct {
		Cached int `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	Output        int `json:"output_tokens"`
	OutputDetails struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
	Total int `json:"total_tokens"`
}

func (s *service) newResponse(model, session string, previous *string) *response {
	r := &response{
		ID: responseID(session, s.parts.NewID()), Object: "response", CreatedAt: s.parts.Now().Unix(), Status: "in_progress", Model: model,
		Metadata: map[string]string{}, Output: []outputItem{}, ParallelToolCalls: true, Previous: previous, Temperature: 1, ToolChoice: "auto",
		Tools: []struct{}{}, TopP: 1, unused: unused{ServiceTier: "default", Truncation: "disabled"},
	}
	r.Text.Format.Type = "text"
	return r
}

// item is the one message of the response.
func (r *response) item(status string, content ...outputText) outputItem {
	if content == nil {
		content = []outputText{}
	}
	return outputItem{ID: "msg_" + strings.TrimPrefix(r.ID, "resp_"), Type: "message", Status: status, Role: "assistant", Content: content}
}

func textPart(text string) outputText {
	return outputText{Type: "output_text", Text: text, Annotations: []struct{}{}}
}

func (r *response) complete(text string, t talk, at time.Time) {
	u, seconds := usageOf(t, text), at.Unix()
	r.CompletedAt = &seconds
	r.Status, r.Output = "completed", []outputItem{r.item("completed", textPart(text))}
	r.Usage = &responseUsage{Input: u.Prompt, Output: u.Completion, Total: u.Total}
}

// A responseStream streams one response as typed events.
type responseStream struct {
	*render.Stream

	response *response
	// first is the response as it was at the beginning, for the heartbeat.
	first    response
	sequence int
	opened   bool
}

// A responseEvent is the data of any event of a stream; which fields it has depends on its type.
type responseEvent struct {
	Type         string      `json:"type"`
	Sequence     int         `json:"sequence_number"`
	Response     *response   `json:"response,omitempty"`
	ItemID       string      `json:"item_id,omitempty"`
	OutputIndex  *int        `json:"output_index,omitempty"`
	ContentIndex *int        `json:"content_index,omitempty"`
	Item         *outputItem `json:"item,omitempty"`
	Part         *outputText `json:"part,omitempty"`
	Delta        *string     `json:"delta,omitempty"`
	Text         *string     `json:"text,omitempty"`
	Logprobs     *[]struct{} `json:"logprobs,omitempty"`
}

func (o *responseStream) emit(e responseEvent) error {
	return o.SendMade(func() (string, any) {
		e.Sequence = o.sequence
		o.sequence++
		return e.Type, e
	})
}

// alive is the event that says that the answer is still being made. The stream is held.
func (o *responseStream) alive() (name string, data any) {
	e := responseEvent{Type: "response.in_progress", Sequence: o.sequence, Response: &o.first}
	o.sequence++
	return e.Type, e
}

// Begin implements [render.Listener].
func (o *responseStream) Begin() error {
	o.first = *o.response
	o.Start()
	if err := o.emit(responseEvent{Type: "response.created", Response: o.response}); err != nil {
		return err
	}
	return o.emit(responseEvent{Type: "response.in_progress", Response: o.response})
}

// Progress implements [render.Listener].
func (o *responseStream) Progress(render.Step) error { return nil }

// within are the places of the one text in the one message.
func (o *responseStream) within(kind string) responseEvent {
	return responseEvent{Type: kind, ItemID: o.response.item("").ID, OutputIndex: new(int), ContentIndex: new(int)}
}

func (o *responseStream) open() error {
	if o.opened {
		return nil
	}
	o.opened = true
	item, part := o.response.item("in_progress"), textPart("")
	if err := o.emit(responseEvent{Type: "response.output_item.added", OutputIndex: new(int), Item: &item}); err != nil {
		return err
	}
	e := o.within("response.content_part.added")
	e.Part = &part
	return o.emit(e)
}

// Piece implements [render.Listener].
func (o *responseStream) Piece(p render.Piece) error { return o.delta(p.String()) }

func (o *responseStream) delta(text string) error {
	if err := o.open(); err != nil {
		return err
	}
	e := o.within("response.output_text.delta")
	e.Delta, e.Logprobs = &text, &[]struct{}{}
	return o.emit(e)
}

// finish ends the stream with the whole text, for a response that is complete.
func (o *responseStream) finish(text string) error {
	if err := o.open(); err != nil {
		return err
	}
	part := textPart(text)
	written, ended := o.within("response.output_text.done"), o.within("response.content_part.done")
	written.Text, written.Logprobs, ended.Part = &text, &[]struct{}{}, &part
	for _, e := range []responseEvent{
		written, ended,
		{Type: "response.output_item.done", OutputIndex: new(int), Item: &o.response.Output[0]},
		{Type: "response.completed", Response: o.response},
	} {
		if err := o.emit(e); err != nil {
			return err
		}
	}
	return o.done()
}

// done says that nothing follows, as Open Responses wants it.
func (o *responseStream) done() error { return o.SendText("", []byte("[DONE]")) }

// fail ends a stream that breaks off.
func (o *responseStream) fail(f door.Failure) error {
	o.response.Status, o.response.Error = "failed", &responseError{Code: "server_error", Message: f.Message}
	o.response.Extras = &extras{Emotion: f.Emotion, Language: f.Language, Error: f.Code}
	if err := o.emit(responseEvent{Type: "response.failed", Response: o.response}); err != nil {
		return err
	}
	return o.done()
}

// whole answers with a text that is there at once.
func (o *responseStream) whole(
	c *gin.Context, body responseRequest, r *response, t talk, text string, at time.Time,
) error {
	if !body.Stream {
		r.complete(text, t, at)
		return render.WriteJSON(c, http.StatusOK, r)
	}
	o.response = r
	if err := o.Begin(); err != nil {
		return err
	}
	if err := o.delta(text); err != nil {
		return err
	}
	r.complete(text, t, at)
	return o.finish(text)
}
