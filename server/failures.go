package server

import (
	"log/slog"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/httpd"
)

// envelope is how our own door speaks of a failure.
func envelope(f door.Failure, requestID string) api.ErrorResponse {
	return api.ErrorResponse{
		Error:     api.ErrorBody{Code: f.Code, Message: f.Message, Details: f.Details},
		RequestID: requestID, Language: f.Language, Emotion: f.Emotion, Text: tags[f.Emotion] + gate.Words(f),
	}
}

// fail answers with the envelope.
func (s *Server) fail(c *gin.Context, f door.Failure) {
	id := httpd.RequestID(c)
	if err := httpd.WriteJSON(c, f.Status, envelope(f, id)); err != nil {
		s.opts.Log.ErrorContext(c.Request.Context(), "error envelope not encoded",
			slog.String("request_id", id), slog.Any("err", err))
	}
}
