package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// endSession is DELETE /sessions/{id}.
func (s *Server) endSession(c *gin.Context) error {
	if err := s.parts.Gate.EndSession(c.Request.Context(), c.Param("id"), door.CallerOf(c).Speaker()); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
