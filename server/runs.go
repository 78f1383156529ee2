package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/internal/fault"
	"annai/server/door"
)

// cancelRun is POST /runs/{id}/cancel.
func (s *Server) cancelRun(c *gin.Context) error {
	if !s.parts.Gate.Cancel(c.Param("id"), door.CallerOf(c).Speaker()) {
		return fault.ErrNotFound
	}
	c.Status(http.StatusAccepted)
	return nil
}
