package slots

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// errWeights is a file of weights that cannot be read.
var errWeights = errors.New("slots: broken file of weights")

// format is how a file of weights begins, before the language. It changes with its form and with the features.
const format = "annai slots 1 "

// appendModel appends the form in which a model is stored.
func appendModel(b []byte, m *Model) []byte {
	return m.operations.append(m.tagger.append(append(b, format+m.lang+"\n"...)))
}

// append appends the stored form: the unit, the pairs, and every feature as the distance of its hash from the one before, the labels
// that it has a weight for, as bits, and the weights.
func (w *weights) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(w.unit))
	for _, p := range w.pairs {
		b = binary.LittleEndian.AppendUint16(b, uint16(p))
	}
	b = binary.AppendUvarint(b, uint64(len(w.hashes)))
	last := uint32(0)
	for n, h := range w.hashes {
		b = binary.AppendUvarint(b, uint64(h-last))
		last = h
		cells := w.cells[w.first[n]:w.first[n+1]]
		labels := uint64(0)
		for _, c := range cells {
			labels |= 1 << c.label
		}
		b = binary.AppendUvarint(b, labels)
		for _, c := range cells {
			b = append(b, byte(c.weight))
		}
	}
	return b
}

// Load reads weights as [Train] returns them.
func Load(stored []byte) (*Model, error) {
	head, rest, ok := bytes.Cut(stored, []byte("\n"))
	lang, ok2 := strings.CutPrefix(string(head), format)
	if !ok || !ok2 {
		return nil, fmt.Errorf("%w: it begins with %q", errWeights, head[:min(len(head), len(format))])
	}
	m := Model{lang: lang}
	var err error
	if m.tagger, rest, err = parseWeights(rest); err != nil {
		return nil, fmt.Errorf("tagger: %w", err)
	}
	if m.operations, rest, err = parseWeights(rest); err != nil {
		return nil, fmt.Errorf("operations: %w", err)
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%w: %d bytes too many", errWeights, len(rest))
	}
	return &m, nil
}

func parseWeights(b []byte) (*weights, []byte, error) {
	const head = 8 + 2*numPairs
	if len(b) < head {
		return nil, nil, fmt.Errorf("%w: too short", errWeights)
	}
	w := &weights{unit: math.Float64frombits(binary.LittleEndian.Uint64(b))}
	for i := range w.pairs {
		w.pairs[i] = int16(binary.LittleEndian.Uint16(b[8+2*i:]))
	}
	d := decoder{rest: b[head:]}
	count := d.uvarint()
	if count > uint64(len(d.rest)) {
		return nil, nil, fmt.Errorf("%w: %d features", errWeights, count)
	}
	w.hashes, w.first = make([]uint32, count), make([]uint32, count+1)
	last := uint32(0)
	for n := range w.hashes {
		last += uint32(d.uvarint())
		w.hashes[n] = last
		for labels := d.uvarint(); labels != 0; labels &= labels - 1 {
			l := bits.TrailingZeros64(labels)
			if l >= numLabels {
				return nil, nil, fmt.Errorf("%w: label %d", errWeights, l)
			}
			w.cells = append(w.cells, cell{uint8(l), int8(d.byte())})
		}
		w.first[n+1] = uint32(len(w.cells))
	}
	if d.short || !slices.IsSorted(w.hashes) {
		return nil, nil, fmt.Errorf("%w: cut off or out of order", errWeights)
	}
	w.index()
	return w, d.rest, nil
}

// decoder reads numbers from bytes; short says that there were too few.
type decoder struct {
	rest  []byte
	short bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.short = true
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.short = true
		return 0
	}
	c := d.rest[0]
	d.rest = d.rest[1:]
	return c
}
