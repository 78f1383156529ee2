package embedded

import (
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/internal/encoder"
	"annai/internal/tensorfile"
	"annai/internal/unigram"
)

const (
	magic   = encoder.Magic
	version = 1
	// maxVocabulary is far above what any file of this format has: sizes in a file are not trusted.
	maxVocabulary = 1 << 20
)

// A header is what a model file says about itself, besides its tensors.
type header struct {
	Name       string  `json:"name"`
	Version    int     `json:"version"`
	Dim        int     `json:"dim"`
	Vocab      int     `json:"vocab"`
	Channels   int     `json:"channels"`
	Unk        int32   `json:"unk"`
	BOS        int32   `json:"bos"`
	EOS        int32   `json:"eos"`
	UnkPenalty float32 `json:"unk_penalty"`
	Epsilon    float32 `json:"ln_eps"`
	Block      int     `json:"embed_block"`
	Orders     []int   `json:"orders"`
	Left       []int   `json:"left"`
}

// A container is a model file whose header was read and whose tensors all lie inside it.
type container struct {
	header
	*tensorfile.File
}

// open reads the header of a model file and checks that the whole file is there. Everything wrong
// is [fault.ErrInvalid].
func open(file string) (*container, error) {
	c := &container{}
	f, err := tensorfile.Open("embedding model", magic, file, &c.header, c.check)
	if err != nil {
		return nil, err
	}
	c.File = f
	return c, nil
}

// check refuses another network than that of this package.
func (c *container) check() error {
	h := c.header
	switch {
	case h.Version != version:
		return fmt.Errorf("embedding model %q is of version %d, not %d: %w", h.Name, h.Version, version,
			fault.ErrInvalid)
	case h.Name == "" || strings.ContainsAny(h.Name, "/ \n") || h.Dim != dimension || h.Channels != channels ||
		h.Block != encoder.Block ||
		h.Unk != unigram.Unknown || h.BOS != unigram.Begin || h.EOS != unigram.End ||
		!slices.Equal(h.Orders, encoder.Orders[:]) || !slices.Equal(h.Left, encoder.Left[:]) ||
		h.Vocab <= int(unigram.End) || h.Vocab > maxVocabulary || !(h.UnkPenalty >= 0) || !(h.Epsilon > 0):
		return fmt.Errorf("embedding model %q is not the network that this program knows: %w", h.Name, fault.ErrInvalid)
	}
	return nil
}
