package embedded

import (
	"context"
	"fmt"

	"annai/fault"
	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/rag"
)

const (
	dimension = encoder.Dimension
	features  = encoder.Features
	channels  = (features - dimension) / len(encoder.Orders) // of a window
	// halo is how many tokens on each side can change what becomes of a token: the widest window reaches two, twice.
	halo = 4
	// A section is what is computed at once; longer texts are computed in sections, each with its
	// halo. This is how many tokens it usually has.
	section = 128
)

type network struct {
	pieces *encoder.Pieces
	layers *encoder.Layers
}

// A scratch is the memory of one computation.
type scratch struct {
	section int
	text    *encoder.Scratch
	sum     []float32
}

func newScratch(section int) *scratch {
	return &scratch{section: section, text: encoder.NewScratch(section + 2*halo), sum: make([]float32, features)}
}

// embed returns the vector of the text with these tokens.
func (n *network) embed(ctx context.Context, multiply matrix.Tile, ids []int32, s *scratch) (rag.Vector, error) {
	clear(s.sum)
	for from := 0; from < len(ids); from += s.section {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%w: %w", fault.ErrUnavailable, err)
		}
		to := min(from+s.section, len(ids))
		first := max(from-halo, 0)
		n.layers.Features(multiply, n.pieces, ids[first:min(to+halo, len(ids))], s.text)
		for t := from - first; t < to-first; t++ {
			matrix.Add(s.sum, s.text.F[t*features:])
		}
	}
	out := make(rag.Vector, dimension)
	n.layers.Vector(multiply, s.sum, len(ids), 1, out)
	if !out.IsUnit() {
		return nil, fmt.Errorf("the model gives no direction for it: %w", fault.ErrInvalid)
	}
	return out, nil
}
