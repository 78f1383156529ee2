// Package tensorfile reads the files that our networks are kept in: a word that says which
// network's it is, the length of a header, the header as JSON, and the tensors, which lie where the
// header says. Nothing in a file is trusted. It knows no network: what a header says besides its
// tensors is for whoever opens the file.
package tensorfile

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"annai/fault"
)

// maxHeader is far above what any of these files has: lengths in a file are not trusted.
const maxHeader = 1 << 20

// A Tensor is a named part of a file.
type Tensor struct {
	Name   string  `json:"name"`
	Type   string  `json:"dtype"`
	Shape  []int   `json:"shape"`
	Offset int     `json:"offset"`
	Bytes  int     `json:"bytes"`
	Scale  float32 `json:"scale"`
	// Data are its bytes.
	Data string `json:"-"`
}

// A File is a file whose header was read and whose tensors all lie inside it. Its tensors are read
// one after the other; the first that is not as it should be is kept as Err.
type File struct {
	// Tensors are by name.
	Tensors map[string]Tensor
	// Err is [fault.ErrInvalid] once a tensor was not as it should be.
	Err  error
	what string
}

// maxUnpacked is far above what any of these files takes.
const maxUnpacked = 64 << 20

// Unpack returns a file that was packed with zstd, as those are that are read whole at the start anyway.
func Unpack(what string, packed []byte) (string, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
	if err != nil {
		return "", fmt.Errorf("unpack %s: %w: %w", what, fault.ErrInvalid, err)
	}
	defer decoder.Close()
	data, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return "", fmt.Errorf("unpack %s: %w: %w", what, fault.ErrInvalid, err)
	}
	return string(data), nil
}

// Open reads the header of a file that begins with magic into header, a pointer to a struct, and
// checks with check that it is of the network that is meant, then that the whole file is there.
// Everything wrong is [fault.ErrInvalid]; what says what the file is, in a few words.
func Open(what, magic, data string, header any, check func() error) (*File, error) {
	if !strings.HasPrefix(data, magic) {
		return nil, fmt.Errorf("not the file of an %s: it does not begin with %s: %w", what, magic, fault.ErrInvalid)
	}
	if len(data) < len(magic)+4 {
		return nil, fmt.Errorf("%s is cut off after %d bytes: %w", what, len(data), fault.ErrInvalid)
	}
	length := binary.LittleEndian.Uint32([]byte(data[len(magic) : len(magic)+4]))
	text := data[len(magic)+4:]
	switch {
	case length > maxHeader:
		return nil, fmt.Errorf("%s has a header of %d bytes, more than %d: %w", what, length, maxHeader, fault.ErrInvalid)
	case int(length) > len(text):
		return nil, fmt.Errorf("%s is cut off after %d bytes: %w", what, len(data), fault.ErrInvalid)
	}
	var list struct {
		Tensors []Tensor `json:"tensors"`
	}
	for _, into := range []any{header, &list} {
		if err := json.Unmarshal([]byte(text[:length]), into); err != nil {
			return nil, fmt.Errorf("header of %s: %w: %w", what, fault.ErrInvalid, err)
		}
	}
	if err := check(); err != nil {
		return nil, err
	}
	f := &File{Tensors: map[string]Tensor{}, what: what}
	return f, f.locate(list.Tensors, data)
}

// locate refuses tensors that are not in the file.
func (f *File) locate(tensors []Tensor, data string) error {
	for _, t := range tensors {
		if t.Offset < 0 || t.Bytes < 0 {
			return fmt.Errorf("tensor %q of %s lies at %d and has %d bytes: %w",
				t.Name, f.what, t.Offset, t.Bytes, fault.ErrInvalid)
		}
		if t.Offset > len(data) || t.Bytes > len(data)-t.Offset {
			return fmt.Errorf("%s is cut off after %d bytes, before the end of %q: %w",
				f.what, len(data), t.Name, fault.ErrInvalid)
		}
		t.Data = data[t.Offset : t.Offset+t.Bytes]
		f.Tensors[t.Name] = t
	}
	return nil
}

// sizes are the bits of an element of each type whose elements are all alike.
var sizes = map[string]int{"f32": 32, "f16": 16, "i8": 8, "u4": 4}

// Tensor returns a tensor that must have that type and shape; after an error it is empty.
func (f *File) Tensor(name, typ string, shape ...int) Tensor {
	t, ok := f.Tensors[name]
	bits := sizes[typ]
	for _, n := range shape {
		bits *= n // shapes are the caller's or a checked size: no overflow
	}
	switch {
	case f.Err != nil:
	case !ok:
		f.Err = fmt.Errorf("%s has no tensor %q: %w", f.what, name, fault.ErrInvalid)
	case t.Type != typ || !slices.Equal(t.Shape, shape) || sizes[typ] != 0 && t.Bytes*8 != bits:
		f.Err = fmt.Errorf("tensor %q of %s is %s %v of %d bytes, not %s %v: %w",
			name, f.what, t.Type, t.Shape, t.Bytes, typ, shape, fault.ErrInvalid)
	default:
		return t
	}
	return Tensor{}
}

// Floats returns a tensor of single precision as one row, or nil after an error.
func (f *File) Floats(name string, shape ...int) []float32 {
	bytes := f.Tensor(name, "f32", shape...).Data
	if bytes == "" {
		return nil
	}
	out := make([]float32, len(bytes)/4)
	for i := range out {
		b := bytes[4*i : 4*i+4]
		out[i] = math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
	}
	return out
}

// Records calls yield with the strings of every record of a tensor: parts of them, each with its
// length before it, a byte.
func (f *File) Records(name, typ string, count, parts int, yield func(record int, strings []string)) {
	bytes := f.Tensor(name, typ, count).Data
	fields := make([]string, parts)
	for i := range count {
		for p := range fields {
			if f.Err == nil && (bytes == "" || len(bytes) <= int(bytes[0])) {
				f.Err = fmt.Errorf("record %d of %q of %s is cut off: %w", i, name, f.what, fault.ErrInvalid)
			}
			if f.Err != nil {
				return
			}
			n := 1 + int(bytes[0])
			fields[p], bytes = bytes[1:n], bytes[n:]
		}
		yield(i, fields)
	}
	if bytes != "" && f.Err == nil {
		f.Err = fmt.Errorf("tensor %q of %s has more than its %d records: %w", name, f.what, count, fault.ErrInvalid)
	}
}

// Count returns how many rows a tensor says it has.
func (f *File) Count(name string) int {
	if t := f.Tensors[name]; len(t.Shape) > 0 {
		return t.Shape[0]
	}
	return 0
}
