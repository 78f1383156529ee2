package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/fault"
	"annai/server/httpd"
	"annai/voice"
)

// speechPath is where the sound of sentences is.
const speechPath = "/speech/"

// voiced says of a sentence where its sound will be. It is not made before somebody asks for it.
func (s *Server) voiced(sentence api.SpokenSentence, language string) api.SpokenSentence {
	if s.parts.Voice == nil {
		return sentence
	}
	address, mouth := s.parts.Voice.Add(sentence.Text, language)
	sentence.Audio, sentence.Mouth = speechPath+address+".wav", mouth
	return sentence
}

// spoken is the sound at an address: of what was said here, or by another process that serves the
// same visitors.
func (s *Server) spoken(ctx context.Context, address string) (voice.Speech, error) {
	speech, err := s.parts.Voice.Get(ctx, address)
	if !errors.Is(err, fault.ErrNotFound) {
		return speech, err
	}
	said, ok, elsewhere := s.parts.Gate.Said(ctx, address)
	if elsewhere != nil {
		return voice.Speech{}, elsewhere
	}
	if !ok {
		return voice.Speech{}, err
	}
	if made, _ := s.parts.Voice.Add(said.Text, said.Language); made != address { // its voice is another one
		return voice.Speech{}, err
	}
	return s.parts.Voice.Get(ctx, address)
}

// speech is GET /speech/{name}: a sentence that was said, as sound or, with .json, as how the mouth
// moves. There is no other way to have a text spoken here than that the concierge said it.
func (s *Server) speech(c *gin.Context) error {
	address, kind, _ := strings.Cut(c.Param("name"), ".")
	if s.parts.Voice == nil || kind != "wav" && kind != "json" {
		return fmt.Errorf("speech: %w", fault.ErrNotFound)
	}
	speech, err := s.spoken(c.Request.Context(), address)
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h.Set("Cache-Control", "private, max-age=86400, immutable") // the address is that of the content
	if speech.Spare {
		h.Set("Cache-Control", "no-store") // next time the wanted voice may speak
	}
	if kind == "json" {
		return httpd.WriteJSON(c, http.StatusOK, api.SpeechResponse{
			Audio: speechPath + address + ".wav", MS: int(speech.Length().Milliseconds()), Mouth: speech.Mouth,
		})
	}
	h.Set("Content-Type", "audio/wav")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // an avatar's page plays it, which may ask
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(speech.WAV()))
	return nil
}
