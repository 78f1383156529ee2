package network

import (
	"fmt"
	"slices"

	"annai/fault"
	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

const (
	magic   = "ANNAIRD3"
	version = 3
	// The sizes that this program knows.
	dimension = 384
	attention = 6 // heads of attention
	inner     = 1024
	inside    = 256                             // width of the layer before the decisions
	pooled    = 3*dimension + encoder.Dimension // what that layer sees
	// maxVocabulary and maxLayers are above what any file of this format has: sizes in a file are
	// not trusted.
	maxVocabulary = 1 << 17
	maxLayers     = 12
)

// The decisions of the network, in the order of the file.
const (
	headAct = iota
	headAsk
	headSecond
	headRef
	headWhen
	headAbout
	headNot
	heads
)

var headNames = [heads]string{"act", "ask", "second", "ref", "when", "about", "not"}

// A header is what a file says about itself, besides its tensors.
type header struct {
	Version        int     `json:"version"`
	Dim            int     `json:"dim"`
	Attention      int     `json:"attention"`
	Inner          int     `json:"inner"`
	Inside         int     `json:"inside"`
	Layers         int     `json:"layers"`
	Vocab          int     `json:"vocab"`  // of the encoder that the weights were learnt with
	Common         float32 `json:"common"` // a piece with a higher score is in most texts
	Epsilon        float32 `json:"ln_eps"`
	EncoderEpsilon float32 `json:"encoder_ln_eps"`
	Heads          []head  `json:"heads"`
}

// A head is a decision: its labels, and what its logits are divided by, so that probabilities are
// as good as they say.
type head struct {
	Name        string   `json:"name"`
	Labels      []string `json:"labels"`
	Temperature float64  `json:"temperature"`
}

// A container is a file whose header was read and whose tensors all lie inside it.
type container struct {
	header
	*tensorfile.File
}

func openFile(file string) (*container, error) {
	c := &container{}
	f, err := tensorfile.Open("utterance network", magic, file, &c.header, c.check)
	if err != nil {
		return nil, err
	}
	c.File = f
	return c, nil
}

// check refuses another network than that of this package.
func (c *container) check() error {
	h := c.header
	if h.Version != version || !h.hasSizes() || !h.hasLimits() {
		return fmt.Errorf("utterance network of version %d is none that this program knows: %w",
			h.Version, fault.ErrInvalid)
	}
	if len(h.Heads) != heads {
		return fmt.Errorf("utterance network has %d decisions, not %d: %w", len(h.Heads), heads, fault.ErrInvalid)
	}
	for i, head := range h.Heads {
		if head.Name != headNames[i] || len(head.Labels) < 2 || len(head.Labels) > inside || !(head.Temperature > 0) {
			return fmt.Errorf("decision %q of utterance network is none that this program knows: %w",
				head.Name, fault.ErrInvalid)
		}
	}
	if len(h.Heads[headNot].Labels) != 2 || !slices.Equal(h.Heads[headAsk].Labels, h.Heads[headSecond].Labels) {
		return fmt.Errorf("decisions of the utterance network do not fit together: %w", fault.ErrInvalid)
	}
	return nil
}

// hasSizes reports whether the vectors have the sizes that the program is written for.
func (h *header) hasSizes() bool {
	return h.Dim == dimension && h.Attention == attention && h.Inner == inner && h.Inside == inside
}

// hasLimits reports whether the numbers that may differ are within their bounds.
func (h *header) hasLimits() bool {
	counts := h.Layers > 0 && h.Layers <= maxLayers && h.Vocab > 0 && h.Vocab <= maxVocabulary
	return counts && h.Epsilon > 0 && h.EncoderEpsilon > 0
}

// outputs is how many labels all decisions have together, filled up to whole tiles.
func (h *header) outputs() int {
	sum := 0
	for _, head := range h.Heads {
		sum += len(head.Labels)
	}
	return (sum + matrix.TileColumns - 1) / matrix.TileColumns * matrix.TileColumns
}

// weights are what was learnt.
type weights struct {
	encoder                             *encoder.Layers
	narrow                              matrix.Matrix
	asks, segments, positions, matching []float32
	layers                              []layer
	norm                                norm
	inside, heads                       matrix.Matrix
	point                               pointer
}

// A layer lets every token look at the others, then at itself.
type layer struct {
	attendNorm, norm      norm
	query, keys, attended matrix.Matrix // keys with values
	widen, narrow         matrix.Matrix
}

// A norm is the gain and the shift of a normalisation.
type norm struct{ gain, shift []float32 }

func newWeights(c *container) weights {
	linear := func(name string, in, out int) matrix.Matrix { return encoder.NewMatrix(c.File, name, in, out) }
	w := weights{
		encoder:   encoder.NewLayers(c.File, c.EncoderEpsilon),
		narrow:    linear("narrow", encoder.Features, dimension),
		asks:      c.Floats("ask", len(c.Heads[headAsk].Labels), dimension),
		segments:  c.Floats("seg", segments, dimension),
		positions: c.Floats("pos", positions, dimension),
		matching:  c.Floats("match", matchParts, dimension),
		norm:      c.norm("norm"),
		inside:    linear("inside", pooled, inside),
		heads:     linear("heads", inside, c.outputs()),
		point:     newPointer(c),
	}
	for i := range c.Layers {
		name := func(part string) string { return fmt.Sprintf("l%d.%s", i, part) }
		w.layers = append(w.layers, layer{
			attendNorm: c.norm(name("an")),
			query:      linear(name("q"), dimension, dimension),
			keys:       linear(name("kv"), dimension, 2*dimension),
			attended:   linear(name("o"), dimension, dimension),
			norm:       c.norm(name("fn")),
			widen:      linear(name("fi"), dimension, inner),
			narrow:     linear(name("fo"), inner, dimension),
		})
	}
	return w
}

func (c *container) norm(name string) norm {
	return norm{gain: c.Floats(name+".g", dimension), shift: c.Floats(name+".b", dimension)}
}
