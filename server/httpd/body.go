package httpd

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

	"annai/server/door"
)

// A limitedBody is the body of a request: at most so many bytes, whose failures are those of doors. Once it was
// read, the limit of time for requests ends; left alone, it would look as if the client went away while its answer
// is being made.
type limitedBody struct {
	io.ReadCloser

	writer http.ResponseWriter
}

// LimitBody bounds what a handler can read. A length that is over the limit is refused at once.
func LimitBody(c *gin.Context, limit int64) error {
	r := c.Request
	if r.ContentLength > limit {
		return door.ErrTooLarge
	}
	if r.ContentLength != 0 {
		r.Body = limitedBody{http.MaxBytesReader(c.Writer, r.Body, limit), c.Writer}
	}
	return nil
}

func (b limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil {
		return n, nil
	}
	var over *http.MaxBytesError
	switch {
	case errors.Is(err, io.EOF):
		if err := EndReadLimit(b.writer); err != nil {
			return n, err
		}
		return n, err
	case errors.As(err, &over):
		return n, door.ErrTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, door.ErrTooSlow
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, door.Invalid("body", "ended before its Content-Length")
	default:
		return n, door.Invalid("body", "could not be read")
	}
}

// EndReadLimit lifts the limit of time in which a request must arrive.
func EndReadLimit(w http.ResponseWriter) error {
	err := http.NewResponseController(w).SetReadDeadline(time.Time{})
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// ReadBody returns the body of a request that must be JSON.
func ReadBody(c *gin.Context) ([]byte, error) {
	r := c.Request
	if !IsJSON(r.Header) {
		return nil, door.ErrMediaType
	}
	var body bytes.Buffer
	body.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	_, err := body.ReadFrom(r.Body)
	return body.Bytes(), err
}

// IsJSON says whether the headers announce plain JSON in UTF-8.
func IsJSON(h http.Header) bool {
	if encoding := h.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return false
	}
	contentType := h.Get("Content-Type")
	if contentType == "application/json" {
		return true
	}
	mediaType, parameters, err := mime.ParseMediaType(contentType)
	charset, given := parameters["charset"]
	utf8 := !given || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
	return err == nil && mediaType == "application/json" && utf8
}
