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
	response.Kiosk = s.venueKiosk()
	if s.parts.Voice != nil {
		response.Voice = &api.VenueVoice{Credit: s.parts.VoiceCredit()}
	}
	return httpd.WriteJSON(c, http.StatusOK, response)
}

// fullVolume is the volume of kiosks of a venue that says nothing of it, in percent.
const fullVolume = 100

func (s *Server) venueKiosk() api.VenueKiosk {
	v := s.parts.Venue
	k := api.VenueKiosk{
		Volume: fullVolume, Hours: []api.VolumeHours{},
		StaffCall: s.staff != nil, StaffWhere: local(v.Staff.Where), StaffPhone: v.Staff.Phone,
		Phone: s.handovers != nil, Corner: s.parts.Code != "",
	}
	if v.Kiosk.Volume != nil {
		k.Volume = *v.Kiosk.Volume
	}
	for _, hours := range v.Kiosk.Volumes {
		clock := hours.Clock()
		k.Hours = append(k.Hours, api.VolumeHours{
			From: clock.From.String(), Until: clock.Until.String(), Volume: hours.Volume,
		})
	}
	return k
}

func local(t venue.Text) api.LocalText { return api.LocalText{JA: t.JA, EN: t.EN} }
