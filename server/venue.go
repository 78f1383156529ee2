package server

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/civil"
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
	response.Today, response.Appearance = today(v, s.parts.Now()), s.look.appearance(v)
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

// today says when the venue is open on the day of now, or nil where that is not known.
func today(v *venue.Venue, now time.Time) *api.VenueDay {
	day := v.Hours.Day(civil.DateOf(now.In(v.Location)))
	if !day.Known {
		return nil
	}
	told := &api.VenueDay{Date: day.Date.String(), Open: make([]api.OpenSpan, 0, len(day.Spans))}
	for _, span := range day.Spans {
		told.Open = append(told.Open, api.OpenSpan{
			From: span.From.In(v.Location).Format(time.RFC3339), Until: span.Until.In(v.Location).Format(time.RFC3339),
		})
	}
	if !day.Reason.IsZero() {
		reason := local(day.Reason)
		told.Reason = &reason
	}
	return told
}

func local(t venue.Text) api.LocalText { return api.LocalText{JA: t.JA, EN: t.EN} }
