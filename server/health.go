package server

import (
	"context"

	"annai/civil"
)

// calendarHealth reads today.
func (s *Server) calendarHealth(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, s.parts.CalendarDeadline)
	defer cancel()
	location := s.parts.Venue.Location
	today := civil.DateOf(s.parts.Now().In(location))
	listing, err := s.parts.Events(ctx, civil.Days(today, today.AddDays(1), location))
	switch {
	case err != nil:
		return "error"
	case !listing.Complete:
		return "degraded"
	}
	return "ok"
}
