package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/fault"
	"annai/prompts"
	"annai/server/door"
	"annai/server/httpd"
)

const (
	// keptFor is how long the answers to the venue's suggestions are those that are kept.
	keptFor = 30 * time.Minute
	// maxKept is how many of them are, and keptLimit in what time they are made.
	maxKept   = 6
	keptLimit = 30 * time.Second
)

// kept are the answers to the venue's suggestions, in a language.
type kept struct {
	mu       sync.Mutex
	at       time.Time
	response api.KeptResponse
}

// keep is GET /kept: what a kiosk keeps for when the server can't be reached.
func (s *Server) keep(c *gin.Context) error {
	language := c.DefaultQuery("language", "ja")
	k, ok := s.kept[language]
	switch {
	case !ok:
		return door.Invalid("language", "must be ja or en")
	case s.parts.Rehearse == nil:
		return fmt.Errorf("nothing is kept: %w", fault.ErrNotFound)
	}
	return httpd.WriteJSON(c, http.StatusOK, s.keptNow(c.Request.Context(), k, language))
}

// keptNow is what is kept, made anew where it is old. It is sent once the lock is free again: who does not read it
// keeps nobody from it.
func (s *Server) keptNow(ctx context.Context, k *kept, language string) api.KeptResponse {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := s.parts.Now(); k.at.IsZero() || now.Sub(k.at) >= keptFor {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keptLimit)
		defer cancel()
		k.response, k.at = s.rehearse(ctx, language), now
	}
	response := k.response
	response.Apology = s.voiced(response.Apology, language) // its sound may have been forgotten
	response.Answers = slices.Clone(response.Answers)
	for i := range response.Answers {
		answer := &response.Answers[i]
		answer.Sentences = slices.Clone(answer.Sentences)
		for j, said := range answer.Sentences {
			answer.Sentences[j] = s.voiced(said, language)
		}
	}
	return response
}

// rehearse asks the venue's suggestions. What can't be answered now, or is answered by a question, is not kept.
func (s *Server) rehearse(ctx context.Context, language string) api.KeptResponse {
	response := api.KeptResponse{
		Apology: api.SpokenSentence{Text: prompts.CutOff{}.In(language), Emotion: "sad"},
		Answers: []api.KeptAnswer{}, AsOf: s.parts.Now().In(s.parts.Venue.Location).Format(time.RFC3339),
	}
	for _, suggestion := range s.parts.Venue.Suggestions {
		question := suggestion.In(language)
		if len(response.Answers) == maxKept || question == "" {
			continue
		}
		answer, err := s.parts.Rehearse(ctx, question, language)
		if err != nil || answer.Interrupt != nil || len(answer.Speech) == 0 || isUnsure(answer) {
			continue
		}
		one := api.KeptAnswer{Question: question, Sentences: []api.SpokenSentence{}, Cards: answer.Cards}
		fill(&one.Cards)
		for i, said := range answer.Speech {
			one.Sentences = append(one.Sentences, api.SpokenSentence{Index: i, Text: said.Text, Emotion: said.Emotion})
		}
		response.Answers = append(response.Answers, one)
	}
	return response
}

// isUnsure reports whether a source could not be read for an answer.
func isUnsure(answer api.QueryResponse) bool {
	for _, status := range answer.Metadata.SourceStatus {
		if status == "error" {
			return true
		}
	}
	return false
}
