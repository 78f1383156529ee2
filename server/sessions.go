package server

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// endSession is DELETE /sessions/{id}.
func (s *Server) endSession(c *gin.Context) error {
	id := c.Param("id")
	if problem := sessionProblem(id); problem != "" {
		return invalid("id", problem)
	}
	owner, err := s.isOwner(c)
	if err != nil {
		return err
	}
	if err := s.parts.Concierge.EndSession(c.Request.Context(), id, owner); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
