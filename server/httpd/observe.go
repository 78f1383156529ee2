package httpd

import (
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

const (
	headerRequestID = "X-Request-Id"
	maxRequestID    = 128
)

// observe is around every request: it gives it an id and safe headers, catches what panics, answers what failed,
// and counts.
func (s *Server) observe(c *gin.Context) {
	begin := s.parts.Now()
	s.prepare(c)
	err := door.Safely(func() error {
		if err := s.checkHost(c.Request); err != nil {
			return err
		}
		s.allowOrigin(c)
		c.Next()
		if failed := c.Errors.Last(); failed != nil {
			return failed.Err
		}
		return nil
	})
	status := c.Writer.Status()
	if err != nil {
		c.Abort()
		// A body that could not be read ends the context too, but has an error of its own.
		if errors.Is(err, context.Canceled) {
			err = door.Because(c.Request.Context(), err)
		}
		status = s.fail(c, err)
	}
	s.audit(c, status)
	s.figures.request(s.doorOf(c).Name, c.Request.Method, c.FullPath(), status, s.parts.Now().Sub(begin))
}

// The headers of every answer. Slices are shared: nothing may change them in place.
var (
	noSniff      = []string{"nosniff"}
	noReferrer   = []string{"no-referrer"}
	sameOrigin   = []string{"same-origin"}
	noStore      = []string{"no-store"}
	nothingRuns  = []string{"default-src 'none'; frame-ancestors 'none'"}
	varyOnOrigin = []string{"Origin"}
)

func (s *Server) prepare(c *gin.Context) {
	id := c.Request.Header.Get(headerRequestID)
	if !isRequestID(id) {
		id = s.opts.NewID()
	}
	h := c.Writer.Header()
	h[headerRequestID] = []string{id}
	h["X-Content-Type-Options"] = noSniff
	h["Referrer-Policy"] = noReferrer
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["Content-Security-Policy"] = nothingRuns
	h["Cache-Control"] = noStore
}

// RequestID returns the id that the server gave the request: it stands in the answer's header.
func RequestID(c *gin.Context) string { return c.Writer.Header().Get(headerRequestID) }

// isRequestID says whether a client's id can stand in headers, logs and answers as it is.
func isRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for _, r := range id {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == '-', r == '_', r == '.', r == ':':
		default:
			return false
		}
	}
	return true
}
