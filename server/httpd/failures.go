package httpd

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// fail answers the request with the error in the words of the door that it came to, unless something was sent
// already or nobody listens, logs it and returns the status.
func (s *Server) fail(c *gin.Context, err error) int {
	f := door.Explain(err, c.Request.Header.Get("Accept-Language"))
	s.Log(c, f)
	if f.Status == door.StatusGone || c.Writer.Written() {
		return f.Status
	}
	h := c.Writer.Header()
	if f.Retry > 0 {
		h.Set("Retry-After", strconv.Itoa(f.Retry))
	}
	if f.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if f.Cut {
		h.Set("Connection", "close")
	}
	s.doorOf(c).Fail(c, f)
	return c.Writer.Status()
}

// doorOf returns the door that a request came to: that of its route, or of other routes that begin like its path,
// or the first.
func (s *Server) doorOf(c *gin.Context) *door.Door {
	path := c.FullPath()
	if path == "" {
		path = firstOf(c.Request.URL.Path)
	}
	if d, ok := s.doors[path]; ok {
		return d
	}
	return &s.parts.Doors[0]
}

// firstOf returns the path up to the second slash: "/v1" of "/v1/models".
func firstOf(path string) string {
	if i := strings.IndexByte(strings.TrimPrefix(path, "/"), '/'); i >= 0 {
		return path[:i+1]
	}
	return path
}

// Log writes one line about a request that failed. What the error says stays here.
func (s *Server) Log(c *gin.Context, f door.Failure) {
	level := slog.LevelInfo
	switch {
	case f.Status == door.StatusGone, (isRefusal(f.Status) || f.Status == http.StatusTooManyRequests) && !s.tells(c):
		level = slog.LevelDebug
	case f.Status == http.StatusInternalServerError:
		level = slog.LevelError
	case f.Status > http.StatusInternalServerError:
		level = slog.LevelWarn
	}
	attributes := []slog.Attr{
		slog.String("request_id", RequestID(c)), slog.String("method", c.Request.Method),
		slog.String("route", c.FullPath()),
		slog.Int("status", f.Status), slog.Any("err", f.Err),
	}
	caller := door.CallerOf(c)
	attributes = append(attributes, slog.String("address", caller.Address))
	if caller.Key != "" {
		attributes = append(attributes, slog.String("key", caller.Key))
	}
	if device := door.DeviceOf(c.Request); device != "" {
		attributes = append(attributes, slog.String("device", device))
	}
	var caught *door.PanicError
	if errors.As(f.Err, &caught) {
		attributes = append(attributes, slog.String("stack", string(caught.Stack)))
	}
	s.opts.Log.LogAttrs(c.Request.Context(), level, "request failed", attributes...)
}
