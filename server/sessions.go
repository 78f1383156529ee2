package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/server/door"
	"annai/server/gate"
)

// endSession is DELETE /sessions/{id}.
func (s *Server) endSession(c *gin.Context) error {
	session := gate.SessionOf(door.CallerOf(c), c.Param("id"))
	if err := s.parts.Gate.EndSession(c.Request.Context(), session); err != nil {
		return err
	}
	s.handovers.forget(session.ID, session.Caller)
	c.Status(http.StatusNoContent)
	return nil
}
