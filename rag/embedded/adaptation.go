package embedded

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"annai/internal/fault"
)

// adaptation turns what the model makes of a text before its last layers towards what visitors ask and places say: m + m*A. It was learnt from
// questions about invented places (docs/decisions/0008); data/NOTICE says the format.
//
//go:embed data/adaptation.bin
var adaptation string

// adaptationSize is a scale and a weight of a byte for each pair of dimensions.
const adaptationSize = 4 + dimension*dimension

// newAdaptation reads the scale, float32, and the weights, [in][out], signed bytes.
func newAdaptation(file string) (*matrix, error) {
	if len(file) != adaptationSize {
		return nil, fmt.Errorf("adaptation of the embedding model has %d bytes, not %d: %w", len(file), adaptationSize, fault.ErrInvalid)
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(file[:4])))
	if !(scale > 0 && scale < 1) {
		return nil, fmt.Errorf("adaptation of the embedding model has the scale %g: %w", scale, fault.ErrInvalid)
	}
	m := newMatrix(file[4:], dimension, dimension, scale)
	return &m, nil
}

// adaptedHash identifies the model together with its adaptation.
func adaptedHash() string {
	sum := sha256.Sum256([]byte(fileHash + adaptation))
	return hex.EncodeToString(sum[:])
}
