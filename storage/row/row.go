// Package row turns records into the bytes that a store keeps, and back: what the stores share.
//
// The one idea: a row is a head of three bytes (format, kind, flags) and a body, which may be compressed, encrypted, or both. An encrypted
// row opens only at the place that it was made for, so that rows can't be exchanged for one another. A large value is a row of its own, a
// [Blob], and the rows that it belongs to have its address: a thread keeps it once, however often it is written. The package knows no SQL.
package row

import (
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"annai/fault"
	"annai/graph"
)

// format is the first byte of every row. Rows of format 1 have no addresses, and are still read. One in JSON, as there were, starts with a brace.
const format = 2

// The kinds of rows, their second byte.
const (
	kindRecord byte = 'r'
	kindWrites byte = 'w'
	kindBlob   byte = 'b'
)

// The flags, the third byte.
const (
	compressed byte = 1 << iota
	encrypted
)

const (
	headSize = 3
	// largest is the size in bytes of a body that is compressed at most, and so what reading one may need.
	largest = 256 << 20
)

// Options are the settings of a [Codec] that have a default.
type Options struct {
	// CompressAbove is the size in bytes above which rows are compressed with zstd. 0 compresses none. Compressed rows are always read.
	CompressAbove int
	// Key is 32 bytes with which rows are encrypted by AES-256-GCM. Nil encrypts none. With a key, rows that are not encrypted are refused,
	// because anybody could have written them.
	Key []byte
	// ReadPlain reads them nevertheless: those from before there was a key.
	ReadPlain bool
}

// A Codec encodes and decodes rows. It is safe for concurrent use. The zero Codec neither compresses nor encrypts.
type Codec struct {
	above      int
	aead       cipher.AEAD
	addressKey []byte // nil without a key
	readPlain  bool
}

// Place says where a row is kept. Task is that of a task's writes, and 0 for a record. That of a blob is [Address.Place].
type Place struct {
	Thread, Namespace string
	ID                int64
	Task              int
}

// The encoder and the decoder of zstd have no settings of ours and are shared: they are large.
var (
	encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	})
	decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(largest), zstd.WithDecoderConcurrency(0))
	})
)

// New returns a codec. A key of another length than 32 bytes is [fault.ErrInvalid].
func New(opts Options) (*Codec, error) {
	c := &Codec{above: opts.CompressAbove, readPlain: opts.ReadPlain}
	if opts.Key == nil {
		return c, nil
	}
	if len(opts.Key) != 32 {
		return nil, fmt.Errorf("the key has %d bytes, AES-256 needs 32: %w", len(opts.Key), fault.ErrInvalid)
	}
	block, err := aes.NewCipher(opts.Key)
	if err != nil {
		return nil, fmt.Errorf("key: %w: %w", err, fault.ErrInvalid)
	}
	if c.aead, err = cipher.NewGCMWithRandomNonce(block); err != nil {
		return nil, fmt.Errorf("key: %w: %w", err, fault.ErrInvalid)
	}
	derive := hmac.New(sha256.New, opts.Key)
	derive.Write([]byte("addresses of large values"))
	c.addressKey = derive.Sum(nil)
	return c, nil
}

// EncodeRecord returns the row of the record, without Pending. Everything is in it, as large as it is.
func (c *Codec) EncodeRecord(thread string, r graph.Record) ([]byte, error) {
	var w writer
	return c.seal(kindRecord, Place{Thread: thread, Namespace: r.Namespace, ID: r.ID}, w.record(room(w.recordSize(&r)), &r))
}

// AppendRecord appends to b what [Codec.EncodeRecord] of the zero Codec returns: the row does not depend on its place.
func AppendRecord(b []byte, r *graph.Record) []byte {
	var w writer
	return w.record(append(b, format, kindRecord, 0), r)
}

// SplitRecord returns the row of the record without its large values, and those. They are the record's own.
func (c *Codec) SplitRecord(thread string, r graph.Record) ([]byte, []Blob, error) {
	w := writer{codec: c}
	row, err := c.seal(kindRecord, Place{Thread: thread, Namespace: r.Namespace, ID: r.ID}, w.record(room(w.recordSize(&r)), &r))
	return row, w.blobs, err
}

// DecodeRecord returns the record in the row that was found at the place, to which what [Codec.Records] says applies. Large values that were
// split off are [ErrGone].
func (c *Codec) DecodeRecord(p Place, row []byte) (graph.Record, error) {
	r, missing, err := c.decodeRecord(p, row, nil)
	return r, cmp.Or(err, gone(missing))
}

func (c *Codec) decodeRecord(p Place, row []byte, values map[Address][]byte) (graph.Record, []Address, error) {
	body, err := c.open(kindRecord, p, row)
	if err != nil {
		return graph.Record{}, nil, err
	}
	r := graph.Record{ID: p.ID, Namespace: p.Namespace}
	d := reader{left: body, format: row[0], values: values}
	d.record(&r)
	return r, d.missing, d.end()
}

// EncodeWrites is to a task's writes what [Codec.EncodeRecord] is to a record.
func (c *Codec) EncodeWrites(thread string, t graph.TaskWrites) ([]byte, error) {
	var w writer
	p := Place{Thread: thread, Namespace: t.Namespace, ID: t.Checkpoint, Task: t.Task}
	return c.seal(kindWrites, p, w.writes(room(w.writesSize(&t)), &t))
}

// SplitWrites is to a task's writes what [Codec.SplitRecord] is to a record.
func (c *Codec) SplitWrites(thread string, t graph.TaskWrites) ([]byte, []Blob, error) {
	w := writer{codec: c}
	p := Place{Thread: thread, Namespace: t.Namespace, ID: t.Checkpoint, Task: t.Task}
	row, err := c.seal(kindWrites, p, w.writes(room(w.writesSize(&t)), &t))
	return row, w.blobs, err
}

// DecodeWrites is to a task's writes what [Codec.DecodeRecord] is to a record.
func (c *Codec) DecodeWrites(p Place, row []byte) (graph.TaskWrites, error) {
	w, missing, err := c.decodeWrites(p, row, nil)
	return w, cmp.Or(err, gone(missing))
}

func (c *Codec) decodeWrites(p Place, row []byte, values map[Address][]byte) (graph.TaskWrites, []Address, error) {
	body, err := c.open(kindWrites, p, row)
	if err != nil {
		return graph.TaskWrites{}, nil, err
	}
	w := graph.TaskWrites{Namespace: p.Namespace, Checkpoint: p.ID, Task: p.Task}
	d := reader{left: body, format: row[0], values: values}
	d.writes(&w)
	return w, d.missing, d.end()
}

// room is space for a head and a body of that size.
func room(size int) []byte { return make([]byte, headSize, headSize+size) }

// seal makes a row out of a body that has room for the head before it.
func (c *Codec) seal(kind byte, p Place, row []byte) ([]byte, error) {
	flags := byte(0)
	if body := row[headSize:]; c.above > 0 && len(body) > c.above && len(body) <= largest {
		e, err := encoder()
		if err != nil {
			return nil, fmt.Errorf("compress: %w: %w", err, fault.ErrUnavailable)
		}
		if smaller := e.EncodeAll(body, make([]byte, headSize, headSize+len(body)/2)); len(smaller) < len(row) {
			row, flags = smaller, compressed
		}
	}
	row[0], row[1], row[2] = format, kind, flags
	return c.encrypt(p, row), nil
}

// encrypt returns the row as it is kept at the place, with a key encrypted.
func (c *Codec) encrypt(p Place, row []byte) []byte {
	if c.aead == nil {
		return row
	}
	out := make([]byte, headSize, len(row)+c.aead.Overhead())
	copy(out, row)
	out[2] |= encrypted
	return c.aead.Seal(out, nil, row[headSize:], bind(out[:headSize], p))
}

// Move returns a row that was found at one place as it is kept at another. Its errors are those of [Codec.Records].
func (c *Codec) Move(from, to Place, row []byte) ([]byte, error) {
	if len(row) < headSize {
		return nil, check(kindRecord, row)
	}
	if err := check(row[1], row); err != nil {
		return nil, err
	}
	body, err := c.decrypt(row[:headSize], from, row[headSize:])
	if err != nil || c.aead == nil {
		return row, err
	}
	plain := append([]byte{row[0], row[1], row[2] &^ encrypted}, body...)
	return c.encrypt(to, plain), nil
}

// open returns the body of a row.
func (c *Codec) open(kind byte, p Place, row []byte) ([]byte, error) {
	if err := check(kind, row); err != nil {
		return nil, err
	}
	head, body := row[:headSize], row[headSize:]
	body, err := c.decrypt(head, p, body)
	if err != nil || head[2]&compressed == 0 {
		return body, err
	}
	d, err := decoder()
	if err != nil {
		return nil, fmt.Errorf("decompress: %w: %w", err, fault.ErrUnavailable)
	}
	if body, err = d.DecodeAll(body, nil); err != nil {
		return nil, fmt.Errorf("the compressed row is damaged: %w: %w", err, fault.ErrInvalid)
	}
	return body, nil
}

// check looks at the head.
func check(kind byte, row []byte) error {
	switch {
	case len(row) < headSize:
		return fmt.Errorf("a row of %d bytes is torn: %w", len(row), fault.ErrInvalid)
	case row[0] < 1 || row[0] > format:
		return fmt.Errorf("the row has format %d, this annai knows up to %d: %w", row[0], format, fault.ErrInvalid)
	case row[1] != kind:
		return fmt.Errorf("the row is of kind %q, not %q: %w", row[1], kind, fault.ErrInvalid)
	case row[2]&^(compressed|encrypted) != 0:
		return fmt.Errorf("the row has flags %b, which this annai does not know: %w", row[2], fault.ErrInvalid)
	}
	return nil
}

func (c *Codec) decrypt(head []byte, p Place, body []byte) ([]byte, error) {
	switch isEncrypted := head[2]&encrypted != 0; {
	case isEncrypted && c.aead == nil:
		return nil, fmt.Errorf("the row is encrypted and there is no key: %w", fault.ErrDenied)
	case !isEncrypted && c.aead != nil && !c.readPlain:
		return nil, fmt.Errorf("there is a key, but the row is not encrypted: %w", fault.ErrDenied)
	case !isEncrypted:
		return body, nil
	}
	plain, err := c.aead.Open(nil, nil, body, bind(head, p))
	if err != nil {
		return nil, fmt.Errorf("the key does not open the row, or the row was changed or moved: %w", fault.ErrDenied)
	}
	return plain, nil
}

// bind is what an encrypted row is tied to: its head and its place. Lengths keep two places from looking alike.
func bind(head []byte, p Place) []byte {
	out := make([]byte, 0, len(head)+len(p.Thread)+len(p.Namespace)+4*binary.MaxVarintLen64)
	out = append(out, head...)
	out = appendString(out, p.Thread)
	out = appendString(out, p.Namespace)
	out = binary.AppendVarint(out, p.ID)
	return binary.AppendVarint(out, int64(p.Task))
}
