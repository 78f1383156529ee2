package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// WriteJSON sends the value. An error means that nothing was written.
func WriteJSON(c *gin.Context, status int, value any) error {
	text, err := Encode(value)
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	c.Status(status)
	_, _ = c.Writer.Write(text) // whoever went away needs no answer
	return nil
}

// harmless are what some readers take for the end of a frame, of a line or of the stream, wherever it
// stands. All of it can only be in a string of the JSON, where it may be written differently.
var harmless = strings.NewReplacer("data:", `data\u003a`, "[DONE]", `\u005bDONE]`, "\u0085", `\u0085`)

// Encode returns the value as JSON without a line break, harmless for readers of streams.
func Encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode %T: %w", value, err)
	}
	return []byte(harmless.Replace(strings.TrimSuffix(b.String(), "\n"))), nil
}

// ReadJSON reads the body of the request into the struct. What it does not know in it is ignored.
func ReadJSON(c *gin.Context, into any) error {
	if !isJSON(c.Request.Header) {
		return door.ErrMediaType
	}
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return fmt.Errorf("read body: %w", err)
	}
	if !utf8.Valid(body) {
		return door.Invalid("body", "must be UTF-8")
	}
	err = json.Unmarshal(bytes.TrimPrefix(body, []byte("\uFEFF")), into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return door.Invalid("body", "is not JSON: it breaks at byte "+strconv.FormatInt(syntax.Offset, 10))
	case errors.As(err, &kind) && kind.Field != "":
		return door.Invalid(kind.Field, "must not be of type "+kind.Value)
	default:
		return door.Invalid("body", "must be a JSON object")
	}
}

// isJSON says whether the headers announce plain JSON in UTF-8.
func isJSON(h http.Header) bool {
	if encoding := h.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return false
	}
	mediaType, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, given := parameters["charset"]
	utf := !given || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
	return err == nil && mediaType == "application/json" && utf
}

// Str is the value if it is a string, else "": a field that a client fills with something else says
// nothing to us.
func Str(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// IsSet says whether there is a value other than null.
func IsSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// Shorten returns at most n characters of the text.
func Shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}
