package embedded

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"annai/internal/fault"
)

const (
	magic   = "ANNAIEM1"
	version = 1
	// maxHeader and maxVocabulary are far above what any file of this format has: lengths in a file are not trusted.
	maxHeader     = 1 << 20
	maxVocabulary = 1 << 20
)

// A header is what a model file says about itself.
type header struct {
	Name       string   `json:"name"`
	Version    int      `json:"version"`
	Dim        int      `json:"dim"`
	Vocab      int      `json:"vocab"`
	Channels   int      `json:"channels"`
	Unk        int32    `json:"unk"`
	BOS        int32    `json:"bos"`
	EOS        int32    `json:"eos"`
	UnkPenalty float32  `json:"unk_penalty"`
	Epsilon    float32  `json:"ln_eps"`
	Block      int      `json:"embed_block"`
	Orders     []int    `json:"orders"`
	Left       []int    `json:"left"`
	Tensors    []tensor `json:"tensors"`
}

// A tensor is a named part of a file.
type tensor struct {
	Name   string  `json:"name"`
	Type   string  `json:"dtype"`
	Shape  []int   `json:"shape"`
	Offset int     `json:"offset"`
	Bytes  int     `json:"bytes"`
	Scale  float32 `json:"scale"`

	data string
}

// A container is a file whose header was read and whose tensors all lie inside it. Its tensors are read one after the other;
// the first that is not as it should be is kept as the error.
type container struct {
	header
	file    string
	tensors map[string]tensor
	err     error
}

// open reads the header of a model file and checks that the whole file is there. Everything wrong is [fault.ErrInvalid].
func open(file string) (*container, error) {
	c := &container{file: file, tensors: map[string]tensor{}}
	if !strings.HasPrefix(file, magic) {
		return nil, fmt.Errorf("not an embedding model: it does not begin with %s: %w", magic, fault.ErrInvalid)
	}
	if len(file) < len(magic)+4 {
		return nil, fmt.Errorf("embedding model is cut off after %d bytes: %w", len(file), fault.ErrInvalid)
	}
	length := binary.LittleEndian.Uint32([]byte(file[len(magic) : len(magic)+4]))
	text := file[len(magic)+4:]
	switch {
	case length > maxHeader:
		return nil, fmt.Errorf("embedding model has a header of %d bytes, more than %d: %w", length, maxHeader, fault.ErrInvalid)
	case int(length) > len(text):
		return nil, fmt.Errorf("embedding model is cut off after %d bytes: %w", len(file), fault.ErrInvalid)
	}
	if err := json.Unmarshal([]byte(text[:length]), &c.header); err != nil {
		return nil, fmt.Errorf("header of embedding model: %w: %w", fault.ErrInvalid, err)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return c, nil
}

// check refuses another network than that of this package, and tensors that are not in the file.
func (c *container) check() error {
	h := c.header
	switch {
	case h.Version != version:
		return fmt.Errorf("embedding model %q is of version %d, not %d: %w", h.Name, h.Version, version, fault.ErrInvalid)
	case h.Name == "" || strings.ContainsAny(h.Name, "/ \n") || h.Dim != dimension || h.Channels != channels || h.Block != block ||
		h.Unk != unk || h.BOS != bos || h.EOS != eos || !slices.Equal(h.Orders, orders) || !slices.Equal(h.Left, left) ||
		h.Vocab <= int(eos) || h.Vocab > maxVocabulary || !(h.UnkPenalty >= 0) || !(h.Epsilon > 0):
		return fmt.Errorf("embedding model %q is not the network that this program knows: %w", h.Name, fault.ErrInvalid)
	}
	for _, t := range h.Tensors {
		if t.Offset < 0 || t.Bytes < 0 {
			return fmt.Errorf("tensor %q of embedding model lies at %d and has %d bytes: %w", t.Name, t.Offset, t.Bytes, fault.ErrInvalid)
		}
		if t.Offset > len(c.file) || t.Bytes > len(c.file)-t.Offset {
			return fmt.Errorf("embedding model is cut off after %d bytes, before the end of %q: %w", len(c.file), t.Name, fault.ErrInvalid)
		}
		t.data = c.file[t.Offset : t.Offset+t.Bytes]
		c.tensors[t.Name] = t
	}
	return nil
}

// sizes are the bits of an element of each type whose elements are all alike.
var sizes = map[string]int{"f32": 32, "f16": 16, "i8": 8, "u4": 4}

// tensor returns the bytes of a tensor that must have that type and shape.
func (c *container) tensor(name, typ string, shape ...int) (tensor, string) {
	t, ok := c.tensors[name]
	bits := sizes[typ]
	for _, n := range shape {
		bits *= n // shapes are ours or the checked vocabulary: no overflow
	}
	switch {
	case c.err != nil:
		return tensor{}, ""
	case !ok:
		c.err = fmt.Errorf("embedding model has no tensor %q: %w", name, fault.ErrInvalid)
	case t.Type != typ || !slices.Equal(t.Shape, shape) || sizes[typ] != 0 && t.Bytes*8 != bits:
		c.err = fmt.Errorf("tensor %q of embedding model is %s %v of %d bytes, not %s %v: %w", name, t.Type, t.Shape, t.Bytes, typ, shape, fault.ErrInvalid)
	default:
		return t, t.data
	}
	return tensor{}, ""
}

// floats returns a tensor of single precision, or nil after an error.
func (c *container) floats(name string, n int) []float32 {
	_, bytes := c.tensor(name, "f32", n)
	if bytes == "" {
		return nil
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(uint32(bytes[4*i]) | uint32(bytes[4*i+1])<<8 | uint32(bytes[4*i+2])<<16 | uint32(bytes[4*i+3])<<24)
	}
	return out
}

// records calls yield with the strings of every record of a tensor: parts of them, each with its length before it.
func (c *container) records(name, typ string, count, parts int, yield func(record int, strings []string)) {
	_, bytes := c.tensor(name, typ, count)
	fields := make([]string, parts)
	for i := range count {
		for p := range fields {
			if c.err == nil && (bytes == "" || len(bytes) <= int(bytes[0])) {
				c.err = fmt.Errorf("record %d of %q of embedding model is cut off: %w", i, name, fault.ErrInvalid)
			}
			if c.err != nil {
				return
			}
			n := 1 + int(bytes[0])
			fields[p], bytes = bytes[1:n], bytes[n:]
		}
		yield(i, fields)
	}
	if bytes != "" && c.err == nil {
		c.err = fmt.Errorf("tensor %q of embedding model has more than its %d records: %w", name, count, fault.ErrInvalid)
	}
}

// count returns how many rows a tensor says it has.
func (c *container) count(name string) int {
	if t := c.tensors[name]; len(t.Shape) > 0 {
		return t.Shape[0]
	}
	return 0
}
