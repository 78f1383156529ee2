package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"annai/fault"
)

// PicturePath is below which the pictures of events are.
const PicturePath = "/pictures/"

// Pictures has the pictures of events.
type Pictures interface {
	// Name is the name of the picture at an address; "" where none may come from there.
	Name(address string) string
	// Open returns the picture of a name as a JPEG. One that no event has is [fault.ErrNotFound], one that can't
	// be had [fault.ErrUnavailable].
	Open(ctx context.Context, name string) ([]byte, error)
}

// picture is GET /pictures/{name}: that of an event in a public calendar, which a page shows without a key.
func (s *Server) picture(c *gin.Context) error {
	if s.parts.Pictures == nil {
		return fmt.Errorf("pictures of events: %w", fault.ErrNotFound)
	}
	data, err := s.parts.Pictures.Open(c.Request.Context(), c.Param("name"))
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", stillImage)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // an avatar's page shows it, who has the address
	h.Set("Cache-Control", "private, max-age=3600")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	c.Data(http.StatusOK, "image/jpeg", data)
	return nil
}

// pictureOf is where the picture of an event is.
func (s *Server) pictureOf(address string) string {
	if s.parts.Pictures == nil {
		return ""
	}
	if name := s.parts.Pictures.Name(address); name != "" {
		return PicturePath + name
	}
	return ""
}
