package danger

import (
	_ "embed"
	"fmt"

	"annai/fault"
	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

// networkFile is the network; data/NOTICE says what it was made of.
//
//go:embed data/danger.bin.zst
var networkFile []byte

const (
	magic   = "ANNAIDG2"
	version = 2
	// The sizes that this program knows.
	dimension = encoder.Dimension
	features  = encoder.Features
	inside    = 192 // width of the layer before the classes
	outputs   = (len(classes) + matrix.TileColumns - 1) / matrix.TileColumns * matrix.TileColumns
)

// A header is what a file says about itself, besides its tensors.
type header struct {
	Version int      `json:"version"`
	Vocab   int      `json:"vocab"` // of the encoder that the weights were learnt with
	Epsilon float32  `json:"ln_eps"`
	Classes []string `json:"classes"`
}

// check refuses another network than that of this package.
func (h *header) check() error {
	if h.Version != version || !(h.Epsilon > 0) || len(h.Classes) != len(classes) {
		return fmt.Errorf("danger network of version %d is none that this program knows: %w",
			h.Version, fault.ErrInvalid)
	}
	for i, c := range h.Classes {
		if c != string(classes[i]) {
			return fmt.Errorf("class %q of the danger network is none that this program knows: %w", c, fault.ErrInvalid)
		}
	}
	return nil
}

// read reads and checks all of a file.
func read(file string) (*network, error) {
	var h header
	f, err := tensorfile.Open("danger network", magic, file, &h, h.check)
	if err != nil {
		return nil, err
	}
	pieces, err := encoder.Open()
	if err != nil {
		return nil, err
	}
	if h.Vocab != pieces.Count() {
		return nil, fmt.Errorf("danger network of %d pieces is not of the encoder, which has %d: %w",
			h.Vocab, pieces.Count(), fault.ErrInvalid)
	}
	n := newNetwork(f, h, pieces)
	if f.Err != nil {
		return nil, f.Err
	}
	return n, nil
}
