package server

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/internal/civil"
)

// healthz is GET /healthz: the process lives.
func (s *Server) healthz(c *gin.Context) error {
	return writeJSON(c, http.StatusOK, api.ReadyResponse{Status: "ok", Version: s.opts.Version})
}

// readyz is GET /readyz: whether the server takes work, and how what it depends on fares.
func (s *Server) readyz(c *gin.Context) error {
	status, word := http.StatusOK, "ok"
	if s.stopping.Load() {
		status, word = http.StatusServiceUnavailable, "stopping"
	}
	return writeJSON(c, status, api.ReadyResponse{
		Status: word, Version: s.opts.Version,
		Parts: map[string]string{"calendar": s.calendarHealth(c.Request.Context()), "kiosk": s.kiosk.health()},
	})
}

// calendarHealth reads today.
func (s *Server) calendarHealth(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, s.opts.CalendarDeadline)
	defer cancel()
	location := s.parts.Venue.Location
	today := civil.DateOf(s.parts.Now().In(location))
	listing, err := s.parts.Calendar.Events(ctx, civil.Days(today, today.AddDays(1), location))
	switch {
	case err != nil:
		return "error"
	case !listing.Complete:
		return "degraded"
	}
	return "ok"
}
