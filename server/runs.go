package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
)

// cancelRun is POST /runs/{id}/cancel.
func (s *Server) cancelRun(c *gin.Context) error {
	there, err := s.parts.Gate.Cancel(c.Request.Context(), c.Param("id"), door.CallerOf(c).Speaker())
	if err != nil {
		return err
	}
	if !there {
		return fault.ErrNotFound
	}
	c.Status(http.StatusAccepted)
	return nil
}
