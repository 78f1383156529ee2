// Package encoder has the file of the sentence encoder that our networks of texts are made of: its
// vocabulary and the embeddings of its pieces, which none of them changes. Its one idea: they are
// in the program, and in memory, once. It knows no weights behind the embeddings: those of
// rag/embedded make vectors of sentences, those of nlu/network read utterances.
package encoder

import (
	_ "embed"
	"fmt"
	"sync"

	"annai/fault"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
	"annai/internal/unigram"
)

// File is the encoder; data/NOTICE says where it comes from.
//
//go:embed data/use-ml3-ja-en-q4.bin
var File string

// Magic is what a file of the encoder's format begins with.
const Magic = "ANNAIEM1"

const (
	// Dimension is how many values an embedding has.
	Dimension = 512
	// Block is how many of them share a scale.
	Block = 64
	// maxVocabulary is far above what any file of this format has: sizes in a file are not trusted.
	maxVocabulary = 1 << 20
)

// Pieces are a vocabulary and its embeddings. They never change.
type Pieces struct {
	*unigram.Tokenizer
	embeddings, scales string // u4 and f16
}

// NewPieces reads those of a file of the encoder's format, with as many pieces and such a penalty
// for what is none. What is wrong is the file's error.
func NewPieces(f *tensorfile.File, size int, penalty float32) *Pieces {
	return &Pieces{
		Tokenizer:  unigram.New(f, size, penalty),
		embeddings: f.Tensor("emb.q", "u4", size, Dimension).Data,
		scales:     f.Tensor("emb.s", "f16", size, Dimension/Block).Data,
	}
}

var open = sync.OnceValues(func() (*Pieces, error) {
	var h struct {
		Vocab      int     `json:"vocab"`
		UnkPenalty float32 `json:"unk_penalty"`
	}
	f, err := tensorfile.Open("encoder", Magic, File, &h, func() error {
		if h.Vocab <= int(unigram.End) || h.Vocab > maxVocabulary || !(h.UnkPenalty >= 0) {
			return fmt.Errorf("encoder of %d pieces is none that this program knows: %w", h.Vocab, fault.ErrInvalid)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := NewPieces(f, h.Vocab, h.UnkPenalty)
	return p, f.Err
})

// Open returns the pieces of [File], which are read once. An error says that the program was built
// with a damaged file; it is [fault.ErrInvalid].
func Open() (*Pieces, error) { return open() }

// Embed writes the embedding of a piece.
//
//go:norace
func (p *Pieces) Embed(id int32, to []float32) {
	values := p.embeddings[int(id)*Dimension/2:]
	scales := p.scales[int(id)*Dimension/Block*2:]
	for b := range Dimension / Block {
		scale := matrix.Half(uint16(scales[2*b]) | uint16(scales[2*b+1])<<8)
		for i := b * Block; i < (b+1)*Block; i += 2 {
			pair := values[i/2]
			to[i] = (float32(pair&15) - 7.5) * scale
			to[i+1] = (float32(pair>>4) - 7.5) * scale
		}
	}
}
