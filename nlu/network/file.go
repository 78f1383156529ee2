package network

import (
	"fmt"
	"slices"

	"annai/internal/fault"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
	"annai/internal/unigram"
)

const (
	magic   = "ANNAIRD1"
	version = 1
	// The sizes that this program knows.
	dimension = 384
	attention = 12 // heads of attention
	inner     = 4 * dimension
	positions = 160
	segments  = 5
	inside    = 256 // width of the layer before the decisions
	block     = 32  // values of an embedding that share a scale
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
	Version    int     `json:"version"`
	Dim        int     `json:"dim"`
	Attention  int     `json:"attention"`
	Inner      int     `json:"inner"`
	Inside     int     `json:"inside"`
	Positions  int     `json:"positions"`
	Layers     int     `json:"layers"`
	Vocab      int     `json:"vocab"`
	UnkPenalty float32 `json:"unk_penalty"`
	Epsilon    float32 `json:"ln_eps"`
	Heads      []head  `json:"heads"`
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
	sizes := h.Dim == dimension && h.Attention == attention && h.Inner == inner && h.Inside == inside &&
		h.Positions == positions
	counts := h.Layers > 0 && h.Layers <= maxLayers && h.Vocab > int(unigram.End) && h.Vocab <= maxVocabulary
	if h.Version != version || !sizes || !counts || !(h.UnkPenalty >= 0) || !(h.Epsilon > 0) {
		return fmt.Errorf("utterance network of version %d is none that this program knows: %w", h.Version, fault.ErrInvalid)
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
	embeddings, scales        string // u4 and f16
	asks, positions, segments []float32
	norm                      norm
	layers                    []layer
	inside, heads             matrix.Matrix
}

// A layer lets every token look at the others, then at itself.
type layer struct {
	attend, attended matrix.Matrix // queries, keys and values; what is made of those attended to
	attendedNorm     norm
	widen, narrow    matrix.Matrix
	norm             norm
}

// A norm is the gain and the shift of a normalisation.
type norm struct{ gain, shift []float32 }

func newWeights(c *container) weights {
	w := weights{
		embeddings: c.Tensor("emb.q", "u4", c.Vocab, dimension).Data,
		scales:     c.Tensor("emb.s", "f16", c.Vocab, dimension/block).Data,
		asks:       c.Floats("ask", len(c.Heads[headAsk].Labels), dimension),
		positions:  c.Floats("pos", positions, dimension),
		segments:   c.Floats("seg", segments, dimension),
		norm:       c.norm("eln"),
		inside:     c.matrix("inside", 2*dimension, inside),
		heads:      c.matrix("heads", inside, c.outputs()),
	}
	for i := range c.Layers {
		name := func(part string) string { return fmt.Sprintf("l%d.%s", i, part) }
		w.layers = append(w.layers, layer{
			attend:       c.matrix(name("qkv"), dimension, 3*dimension),
			attended:     c.matrix(name("ao"), dimension, dimension),
			attendedNorm: c.norm(name("aln")),
			widen:        c.matrix(name("fi"), dimension, inner),
			narrow:       c.matrix(name("fo"), inner, dimension),
			norm:         c.norm(name("oln")),
		})
	}
	return w
}

func (c *container) norm(name string) norm {
	return norm{gain: c.Floats(name+".g", dimension), shift: c.Floats(name+".b", dimension)}
}

// matrix reads NAME.w, NAME.s, a scale for each output, and NAME.b.
func (c *container) matrix(name string, in, out int) matrix.Matrix {
	w := c.Tensor(name+".w", "i8", in, out).Data
	scales, bias := c.Floats(name+".s", out), c.Floats(name+".b", out)
	if c.Err != nil {
		return matrix.Matrix{}
	}
	m := matrix.New(w, in, out, scales)
	m.Bias = bias
	return m
}
