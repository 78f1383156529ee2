package server

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/httpd"
	"annai/venue"
)

// venue is GET /venue.
func (s *Server) venue(c *gin.Context) error {
	v := s.parts.Venue
	response := api.VenueResponse{
		Name: local(v.Name), Timezone: v.Timezone, Website: v.Website, Demo: v.Demo,
		Now:         s.parts.Now().In(v.Location).Format(time.RFC3339),
		Suggestions: make([]api.LocalText, 0, len(v.Suggestions)),
		IdleSeconds: int(s.parts.SessionIdle.Seconds()),
		Hearing:     s.parts.Hearing,
	}
	for _, text := range v.Suggestions {
		response.Suggestions = append(response.Suggestions, local(text))
	}
	if s.parts.Voice != nil {
		response.Voice = &api.VenueVoice{Credit: s.parts.VoiceCredit()}
	}
	return httpd.WriteJSON(c, http.StatusOK, response)
}

func local(t venue.Text) api.LocalText { return api.LocalText{JA: t.JA, EN: t.EN} }
