package h264

import "math/bits"

// A bitWriter collects the bits of a raw byte sequence payload (RBSP), most significant first.
type bitWriter struct {
	bytes []byte
	// pending holds the last size bits, which are fewer than eight between calls.
	pending uint64
	size    int
}

// put appends the low n bits of value; n is at most 32.
func (w *bitWriter) put(value uint32, n int) {
	w.pending = w.pending<<n | uint64(value)&(1<<n-1)
	w.size += n
	for w.size >= 8 {
		w.size -= 8
		w.bytes = append(w.bytes, byte(w.pending>>w.size))
	}
}

// flag appends one bit.
func (w *bitWriter) flag(set bool) {
	if set {
		w.put(1, 1)
	} else {
		w.put(0, 1)
	}
}

// ue appends an unsigned Exp-Golomb code, clause 9.1.
func (w *bitWriter) ue(value int) {
	length := bits.Len32(uint32(value) + 1)
	w.put(0, length-1)
	w.put(uint32(value)+1, length)
}

// se appends a signed Exp-Golomb code, clause 9.1.1: 0, 1, -1, 2, -2 ...
func (w *bitWriter) se(value int) {
	if value > 0 {
		w.ue(2*value - 1)
	} else {
		w.ue(-2 * value)
	}
}

// unit ends the payload (rbsp_trailing_bits) and returns it as a NAL unit with the given first
// byte, clause 7.3.1: where two zero bytes come before one of at most 3, a 3 is put between, so
// that no start code comes about.
func (w *bitWriter) unit(header byte) []byte {
	w.put(1, 1)
	if w.size > 0 {
		w.put(0, 8-w.size)
	}
	unit := make([]byte, 0, len(w.bytes)+len(w.bytes)/64+8)
	unit = append(unit, header)
	zeros := 0
	for _, b := range w.bytes {
		if zeros == 2 && b <= 3 {
			unit = append(unit, 3)
			zeros = 0
		}
		unit = append(unit, b)
		if b == 0 {
			zeros++
		} else {
			zeros = 0
		}
	}
	return unit
}
