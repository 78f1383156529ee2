package openai

import (
	"encoding/json"
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

// A speechRequest is the body of POST /v1/audio/speech. The names of model and voice are not looked at:
// there is one voice a language, and the operator chose it.
type speechRequest struct {
	Input          string      `json:"input"`
	ResponseFormat string      `json:"response_format"`
	StreamFormat   string      `json:"stream_format"`
	Speed          json.Number `json:"speed"` // some send it in quotes
}

// chargedLetters is how many characters count as one request.
const chargedLetters = 100

// speech is POST /v1/audio/speech.
func (s *service) speech(c *gin.Context) error {
	var body speechRequest
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	if err := s.checkSpeech(body); err != nil {
		return err
	}
	if err := door.Charge(c, utf8.RuneCountInString(body.Input)/chargedLetters); err != nil {
		return err
	}
	speech, err := s.opts.Voice.Speak(c.Request.Context(), body.Input, voice.LanguageOf(body.Input))
	if err != nil {
		return err
	}
	sound, kind := speech.WAV(), "audio/wav"
	if body.ResponseFormat == "pcm" {
		sound, kind = speech.PCM(), "audio/pcm"
	}
	if err := door.Hold(c, len(sound)); err != nil {
		return err
	}
	h := c.Writer.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(sound)))
	h.Set("Cache-Control", "no-store")
	c.Status(http.StatusOK)
	_, _ = c.Writer.Write(sound) // whoever went away needs no answer
	return nil
}

// checkSpeech refuses what can't be spoken as it is asked for.
func (s *service) checkSpeech(body speechRequest) error {
	speed, err := body.Speed.Float64()
	switch n := utf8.RuneCountInString(body.Input); {
	case s.opts.Voice == nil:
		return &refusal{
			error: fmt.Errorf("voice: %w", fault.ErrNotFound), code: "model_not_found", param: "model",
			message: "This server does not speak: it was built or is set to have no voice",
		}
	case n == 0:
		return missing("input")
	case n > voice.MaxText:
		return unsupported("input", fmt.Sprintf("The input has %d characters, of at most %d.", n, voice.MaxText))
	case body.StreamFormat != "" && body.StreamFormat != "audio":
		return unsupported("stream_format", "The sound comes as a file: leave stream_format out, or ask for 'audio'.")
	case body.Speed != "" && (err != nil || speed != 1):
		return unsupported("speed", "The voice speaks as fast as the operator set it (voice-speed): leave speed out.")
	}
	switch body.ResponseFormat {
	case "", "wav", "pcm":
		return nil
	}
	return unsupported("response_format", "The sound can be 'wav' (also where nothing is asked for) or 'pcm', "+
		"16 bits at 24 kHz; '"+render.Shorten(body.ResponseFormat, 16)+"' it can't be.")
}
