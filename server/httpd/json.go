package httpd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/gin-gonic/gin"
)

// TypeJSON is the type of what [WriteJSON] sends.
const TypeJSON = "application/json; charset=utf-8"

var typeJSON = []string{TypeJSON}

// A page is a buffer with an encoder into it, kept for the next answer.
type page struct {
	buffer  bytes.Buffer
	encoder *json.Encoder
}

var paper = sync.Pool{New: func() any {
	p := new(page)
	p.encoder = json.NewEncoder(&p.buffer)
	p.encoder.SetEscapeHTML(false)
	return p
}}

// maxPage is the largest buffer that is kept.
const maxPage = 64 << 10

// Encode calls use with the value as JSON and a final newline. The bytes are not its to keep.
func Encode(value any, use func(text []byte) error) error {
	p := paper.Get().(*page)
	defer func() {
		if p.buffer.Cap() <= maxPage {
			paper.Put(p)
		}
	}()
	p.buffer.Reset()
	if err := p.encoder.Encode(value); err != nil {
		return fmt.Errorf("encode %T: %w", value, err)
	}
	return use(p.buffer.Bytes())
}

// WriteJSON sends the value. An error means that nothing was written.
func WriteJSON(c *gin.Context, status int, value any) error {
	return Encode(value, func(text []byte) error {
		h := c.Writer.Header()
		h["Content-Type"] = typeJSON
		h["Content-Length"] = []string{strconv.Itoa(len(text))}
		c.Status(status)
		_, _ = c.Writer.Write(text) // whoever went away needs no answer
		return nil
	})
}
