package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/dialog"
	"annai/server/httpd"
)

// emotions is GET /emotions.
func (s *Server) emotions(c *gin.Context) error {
	return httpd.WriteJSON(c, http.StatusOK, dialog.Emotions())
}

// tags has the tag of every emotion: "[sad]" for "apologetic".
var tags = func() map[string]string {
	byEmotion := map[string]string{}
	for _, e := range dialog.Emotions().Emotions {
		byEmotion[e.Emotion] = e.Tag
	}
	return byEmotion
}()
