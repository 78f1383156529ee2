package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/api"
)

// openAPI is GET /openapi.json.
func (s *Server) openAPI(c *gin.Context) error {
	c.Data(http.StatusOK, "application/json; charset=utf-8", []byte(api.Document()))
	return nil
}
