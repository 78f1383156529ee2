package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/internal/fault"
)

// cancelRun is POST /runs/{id}/cancel.
func (s *Server) cancelRun(c *gin.Context) error {
	if !s.parts.Gate.Cancel(c.Param("id")) {
		return fault.ErrNotFound
	}
	c.Status(http.StatusAccepted)
	return nil
}
