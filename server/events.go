package server

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/civil"
	"annai/server/door"
	"annai/server/httpd"
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
	listing, err := s.parts.Events(ctx, window)
	if err != nil {
		return err
	}
	for i := range listing.Events {
		listing.Events[i].Picture = s.pictureOf(listing.Events[i].Picture)
	}
	return httpd.WriteJSON(c, http.StatusOK, listing)
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
