package linear

import (
	"encoding/binary"
	"errors"
	"math"
)

// format is what a file of a model begins with. What follows: the number of labels; each label's
// length and text, scale and bias; the number of rows; for each how far its bucket is from that
// before; the weights, a byte each, row by row. Numbers are uvarints, floats their bits in
// little-endian order.
const format = "annai linear 1\n"

// Bytes is the model as a file.
func (m *Model) Bytes() []byte {
	b := []byte(format)
	b = binary.AppendUvarint(b, uint64(len(m.labels)))
	for i, label := range m.labels {
		b = binary.AppendUvarint(b, uint64(len(label)))
		b = append(b, label...)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.scale[i]))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.bias[i]))
	}
	b = binary.AppendUvarint(b, uint64(len(m.weights)/len(m.labels)))
	before := -1
	for bucket, row := range m.rows {
		if row > 0 {
			b = binary.AppendUvarint(b, uint64(bucket-before))
			before = bucket
		}
	}
	for _, w := range m.weights {
		b = append(b, byte(w))
	}
	return b
}

// errFormat is a file that is no model.
var errFormat = errors.New("not a model of package linear")

// Read returns the model that [Model.Bytes] wrote.
func Read(file []byte) (*Model, error) {
	r := reader{rest: file}
	if string(r.next(len(format))) != format {
		return nil, errFormat
	}
	m := &Model{}
	for range r.number(len(file)) {
		m.labels = append(m.labels, string(r.next(r.number(len(file)))))
		m.scale = append(m.scale, r.float())
		m.bias = append(m.bias, r.float())
	}
	buckets := make([]uint32, r.number(math.MaxUint16-1))
	before := -1
	for i := range buckets {
		before += r.number(1 << bucketBits)
		buckets[i] = uint32(before)
		r.bad = r.bad || before < 0 || before >= 1<<bucketBits
	}
	if r.bad || len(m.labels) == 0 || len(r.rest) != len(buckets)*len(m.labels) {
		return nil, errFormat
	}
	m.weights = make([]int8, len(r.rest))
	for i, w := range r.rest {
		m.weights[i] = int8(w)
	}
	m.index(buckets)
	return m, nil
}

// reader takes a file apart. After a mistake it is bad and gives zeros.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) next(n int) []byte {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// number is a number of at most limit.
func (r *reader) number(limit int) int {
	v, n := binary.Uvarint(r.rest)
	if r.bad || n <= 0 || v > uint64(limit) {
		r.bad = true
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) float() float32 {
	b := r.next(4)
	if b == nil {
		return 0
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b))
}
