package server

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/tools/media"
)

// stillImage is the policy of files that tools made: an SVG that is opened by itself may look as it
// does, and no more.
const stillImage = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

// media is GET /media/{name}: a file that a tool made, for whoever has its address.
func (s *Server) media(c *gin.Context) (err error) {
	if s.parts.Files == nil {
		return fmt.Errorf("files of tools: %w", fault.ErrNotFound)
	}
	file, err := s.parts.Files.Open(c.Param("name"), c.Query("expires"), c.Query("signature"))
	if errors.Is(err, media.ErrExpired) {
		return fmt.Errorf("%w: %w", door.ErrExpired, err)
	} else if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	h := c.Writer.Header()
	h.Set("Content-Type", string(file.Kind))
	h.Set("Content-Security-Policy", stillImage)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // an avatar's page shows it, who has the address
	h.Set("Cache-Control", "private, no-store")
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
	return nil
}
