package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/api"
)

// emotions is GET /emotions.
func (s *Server) emotions(c *gin.Context) error {
	return writeJSON(c, http.StatusOK, api.Emotions())
}
