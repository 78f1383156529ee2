package dify

import (
	"fmt"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/server/render"
	"annai/voice"
)

// info is GET /v1/info.
func (s *service) info(c *gin.Context) error {
	return render.WriteJSON(c, http.StatusOK, map[string]any{
		"name": s.parts.Name, "description": "annai", "tags": []string{}, "mode": "chat", "author_name": "annai",
	})
}

// meta is GET /v1/meta: there are no tools with pictures.
func (s *service) meta(c *gin.Context) error {
	return render.WriteJSON(c, http.StatusOK, map[string]any{"tool_icons": map[string]any{}})
}

// enabled says whether the app has something.
type enabled struct {
	Enabled bool `json:"enabled"`
}

// parameters is GET /v1/parameters.
func (s *service) parameters(c *gin.Context) error {
	suggested := s.opts.Suggestions(door.Preferred(c.GetHeader("Accept-Language")))
	if suggested == nil {
		suggested = []string{}
	}
	choice := func(name, label string, options ...string) map[string]any {
		return map[string]any{"select": map[string]any{
			"variable": name, "label": label, "required": false, "default": "", "options": options,
		}}
	}
	return render.WriteJSON(c, http.StatusOK, map[string]any{
		"opening_statement": "", "suggested_questions": suggested,
		"suggested_questions_after_answer": enabled{}, "speech_to_text": enabled{},
		"text_to_speech":     enabled{s.opts.Voice != nil},
		"retriever_resource": enabled{true}, "annotation_reply": enabled{}, "more_like_this": enabled{},
		"sensitive_word_avoidance": enabled{},
		"user_input_form": []any{
			choice("profile", "How the answer is written", "avatar", "olv", "chat", "raw"),
			choice("language", "Language", "ja", "en"),
		},
		"file_upload":       map[string]any{"image": enabled{}},
		"system_parameters": map[string]any{},
	})
}

// A speakRequest is the body of POST /v1/text-to-audio.
type speakRequest struct {
	Text string `json:"text"`
	User string `json:"user"`
}

// chargedLetters is how many characters count as one request.
const chargedLetters = 100

// speak is POST /v1/text-to-audio.
func (s *service) speak(c *gin.Context) error {
	var body speakRequest
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	switch n := utf8.RuneCountInString(body.Text); {
	case s.opts.Voice == nil:
		return fmt.Errorf("voice: %w", fault.ErrNotFound)
	case n == 0:
		return door.Invalid("text", "must not be absent: messages are not kept here, so that message_id names none")
	case n > voice.MaxText:
		return door.Invalid("text", "must have at most "+strconv.Itoa(voice.MaxText)+" characters")
	}
	if err := door.Charge(c, utf8.RuneCountInString(body.Text)/chargedLetters); err != nil {
		return err
	}
	speech, err := s.opts.Voice.Speak(c.Request.Context(), body.Text, voice.LanguageOf(body.Text))
	if err != nil {
		return err
	}
	sound := speech.WAV()
	if err := door.Hold(c, len(sound)); err != nil {
		return err
	}
	h := c.Writer.Header()
	h.Set("Content-Type", "audio/wav")
	h.Set("Content-Length", strconv.Itoa(len(sound)))
	h.Set("Cache-Control", "no-store")
	c.Status(http.StatusOK)
	_, _ = c.Writer.Write(sound) // whoever went away needs no answer
	return nil
}
