package server

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/civil"
	"annai/server/door"
	"annai/server/httpd"
	"annai/tools/calendar"
)

const (
	maxDays     = 366
	defaultDays = 7
	maxYears    = 100 // from today: a series without end must not be unrolled for ever
)

// events is GET /events.
func (s *Server) events(c *gin.Context) error {
	window, err := s.days(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.parts.CalendarDeadline)
	defer cancel()
	listing, err := s.parts.Calendar.Events(ctx, window)
	if err != nil {
		return err
	}
	return httpd.WriteJSON(c, http.StatusOK, s.listed(listing, window))
}

// days reads the range from the request: from and to, both included, in its zone or the venue's.
func (s *Server) days(c *gin.Context) (civil.TimeRange, error) {
	location := s.parts.Venue.Location
	if name := c.Query("timezone"); name != "" {
		var ok bool
		if location, ok = zone(name); !ok {
			return civil.TimeRange{}, door.Invalid("timezone", "must be an IANA time zone such as Asia/Tokyo")
		}
	}
	today := civil.DateOf(s.parts.Now().In(location))
	first, err := day(c, "from", today, today)
	if err != nil {
		return civil.TimeRange{}, err
	}
	last, err := day(c, "to", first.AddDays(defaultDays-1), today)
	switch {
	case err != nil:
		return civil.TimeRange{}, err
	case last.Before(first):
		return civil.TimeRange{}, door.Invalid("to", "must not be before from")
	case last.Sub(first) >= maxDays:
		return civil.TimeRange{}, door.Invalid("to", "must be at most 366 days from from, both included")
	}
	return civil.Days(first, last.AddDays(1), location), nil
}

func day(c *gin.Context, name string, absent, today civil.Date) (civil.Date, error) {
	text := c.Query(name)
	if text == "" {
		return absent, nil
	}
	d, err := civil.ParseDate(text)
	switch {
	case err != nil:
		return civil.Date{}, door.Invalid(name, "must be a day such as 2026-01-31")
	case max(d.Year-today.Year, today.Year-d.Year) > maxYears:
		return civil.Date{}, door.Invalid(name, "must be within 100 years of today")
	}
	return d, nil
}

func (s *Server) listed(listing calendar.Listing, window civil.TimeRange) api.EventsResponse {
	location := window.Location()
	response := api.EventsResponse{
		Events: make([]api.Event, 0, len(listing.Events)),
		Window: api.Window{
			Start: window.Start.Format(time.RFC3339), End: window.End.Format(time.RFC3339), Timezone: location.String(),
		},
		Complete: listing.Complete,
	}
	if !listing.AsOf.IsZero() {
		response.AsOf = listing.AsOf.In(location).Format(time.RFC3339)
	}
	for _, e := range listing.Events {
		response.Events = append(response.Events, s.entry(e, location))
	}
	return response
}

func (s *Server) entry(e calendar.Event, location *time.Location) api.Event {
	shown := api.Event{
		ID: e.ID, Title: e.Title, AllDay: e.AllDay, Location: e.Location, Description: e.Description, URL: e.URL,
		Picture: s.pictureOf(e.Picture), CalendarID: e.CalendarID, Status: string(e.Status), Notice: string(e.Notice),
	}
	if e.Status == "" {
		shown.Status = string(calendar.Confirmed)
	}
	if e.AllDay {
		shown.Start, shown.End = e.FirstDay.String(), e.EndDay.AddDays(-1).String()
		return shown
	}
	shown.Start, shown.End = e.Start.In(location).Format(time.RFC3339), e.End.In(location).Format(time.RFC3339)
	return shown
}
