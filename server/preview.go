package server

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
	"annai/server/httpd"
	"annai/tools/media/video"
)

// previewOff is the status of a server that makes no films.
const previewOff = "off"

// preview is GET /preview: the film of today, for a screen that nobody uses.
func (s *Server) preview(c *gin.Context) error {
	if s.parts.Preview == nil {
		return httpd.WriteJSON(c, http.StatusOK, api.PreviewResponse{Status: previewOff})
	}
	language, shape := c.DefaultQuery("language", "ja"), video.Shape(c.DefaultQuery("shape", string(video.Portrait)))
	switch {
	case language != "ja" && language != "en":
		return door.Invalid("language", "must be ja or en")
	case shape != video.Portrait && shape != video.Landscape:
		return door.Invalid("shape", "must be portrait or landscape")
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.parts.CalendarDeadline)
	defer cancel()
	made, status, err := s.parts.Preview.Film(ctx, language, shape)
	if err != nil {
		return err
	}
	response := api.PreviewResponse{Status: string(status)}
	if status == video.Ready {
		response.VideoURL = made.Address.URL
		response.DurationSeconds = int(made.Duration / time.Second)
	}
	return httpd.WriteJSON(c, http.StatusOK, response)
}
