package embedded

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"annai/fault"
	"annai/internal/tensorfile"
)

// adaptation has other weights for all of the network but its embeddings and its last layers: what
// visitors ask comes nearer to what a place says to it. They were learnt from questions about
// invented places (docs/decisions/0008). The file has the format of the model and nothing but these
// tensors.
//
//go:embed data/adaptation.bin
var adaptation string

// adapt puts the tensors of an adaptation in the place of those of the same name, type and shape. A
// matrix NAME.w may have a scale for each output besides, NAME.s. Anything else is
// [fault.ErrInvalid].
func (c *container) adapt(file string) error {
	a, err := open(file)
	if err != nil {
		return fmt.Errorf("adaptation: %w", err)
	}
	if len(a.Tensors) == 0 {
		return fmt.Errorf("adaptation of the embedding model has no tensors: %w", fault.ErrInvalid)
	}
	for name, t := range a.Tensors {
		was := c.Tensors[name]
		if of, ok := strings.CutSuffix(name, ".s"); ok && len(c.Tensors[of+".w"].Shape) == 2 {
			was = tensorfile.Tensor{Type: "f32", Shape: c.Tensors[of+".w"].Shape[1:]}
		}
		if t.Type != was.Type || !slices.Equal(t.Shape, was.Shape) {
			return fmt.Errorf("tensor %q of the adaptation is %s %v, and that of the embedding model %s %v: %w", name,
				t.Type, t.Shape, was.Type, was.Shape, fault.ErrInvalid)
		}
	}
	maps.Copy(c.Tensors, a.Tensors)
	return nil
}

// adaptedHash identifies the model together with its adaptation.
func adaptedHash() string {
	sum := sha256.Sum256([]byte(fileHash + adaptation))
	return hex.EncodeToString(sum[:])
}
