package server

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// readBody returns the body of a request that must be JSON, at most Options.MaxBody bytes of it.
func (s *Server) readBody(c *gin.Context) ([]byte, error) {
	r := c.Request
	if !isJSON(r.Header) {
		return nil, errMediaType
	}
	if r.ContentLength > s.opts.MaxBody {
		return nil, errTooLarge
	}
	var body bytes.Buffer
	body.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	_, err := body.ReadFrom(http.MaxBytesReader(c.Writer, r.Body, s.opts.MaxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, errTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errTooSlow
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, invalid("body", "ended before its Content-Length")
	case err != nil:
		return nil, invalid("body", "could not be read")
	}
	// The limit of time was for the request. Left alone, it would look as if the client went away while its answer is being made.
	if err := http.NewResponseController(c.Writer).SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, err
	}
	return body.Bytes(), nil
}

// isJSON says whether the headers announce plain JSON in UTF-8.
func isJSON(h http.Header) bool {
	if encoding := h.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return false
	}
	contentType := h.Get("Content-Type")
	if contentType == "application/json" {
		return true
	}
	mediaType, parameters, err := mime.ParseMediaType(contentType)
	charset, given := parameters["charset"]
	return err == nil && mediaType == "application/json" && (!given || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8"))
}
