// Package network reads one utterance in its talk with a small learnt network: which act it is,
// which kind of answer it asks for, how it points at what it is about, and how sure that is. Its
// one idea: utterance and talk are one row of tokens, so that "and the other one?" is read beside
// the question before it.
//
// The network is the encoder of rag/embedded over each text by itself and two layers of attention
// over all of them, learnt from talks that strangers wrote (scripts/learn, docs/decisions/0010).
// Its weights are inside the program and stay bytes in memory. It knows no place, no calendar and
// no rules; what it says is an opinion with a probability, and the same for the same input on the
// same machine.
package network

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"annai/fault"
	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

// file is the network; data/NOTICE says what it was made of.
//
//go:embed data/reader.bin.zst
var packed []byte

// Context is what the network sees of the talk before an utterance. What is not known stays empty.
type Context struct {
	// Said is what the visitor said before.
	Said string
	// Ask is the kind of answer that was asked for then: one of the labels of [Output.Ask], none
	// where nothing was. After thanks and the like it may also be that of the last question. Any
	// other text is as none at all.
	Ask string
	// Subject is the title of what that was about, in either language or both; where it was the
	// venue it is its name or empty, where it was the programme or a day it is empty. After thanks
	// and the like it is still that of the last question. Earlier is the title of the event or
	// passage that was spoken of before Subject, if there was one.
	Subject, Earlier string
	// InView are the titles that the last answer listed, in its order: only the first four count,
	// and the first tokens of each. One that is alone is what the answer was about.
	InView []string
}

// A Scored is a label and how likely it is: of a hundred labels with a P of 0.8, some eighty are right.
type Scored struct {
	Label string
	P     float64
}

// Output is what an utterance is read as: of each decision all labels, the most likely first.
type Output struct {
	// Act is what the utterance does: asks, adds, changes, answers, orders, doubts, repeats,
	// translates, reports, greets, thanks, leaves, chats.
	Act []Scored
	// Ask is the kind of answer that it wants, or none; Second is that of a second question in it.
	Ask, Second []Scored
	// Ref is how it points at what it is about: named, last, earlier, item (of several) or none.
	Ref []Scored
	// When says where a day or time that it needs comes from: said, kept (from before) or none.
	When []Scored
	// About is the kind of thing that it is about: subject (an event or a passage), venue, events,
	// date, concierge, staff, visitor, unknown, none.
	About []Scored
	// Alone is Ask read without the talk: what the words by themselves ask for.
	Alone []Scored
	// Negated is how likely things are filtered by what they are not.
	Negated float64
	// Utterance is what points at what it is about.
	Utterance *Utterance
}

// A Network reads utterances. It is safe for concurrent use.
type Network struct {
	about      header
	vocabulary *encoder.Pieces
	weights    weights
	multiply   matrix.Tile
	attend     matrix.FloatTile
	known      *texts
	candidates *texts
	memory     sync.Pool // of *scratch
}

var open = sync.OnceValues(func() (*Network, error) {
	file, err := tensorfile.Unpack("utterance network", packed)
	if err != nil {
		return nil, err
	}
	return New(file)
})

// Open returns the network inside the program, which is read once. An error says that the program
// was built with a damaged file; it is [fault.ErrInvalid].
func Open() (*Network, error) { return open() }

// New reads and checks all of a file, such as one that was learnt without some of the talks. An error is
// [fault.ErrInvalid].
func New(file string) (*Network, error) {
	c, err := openFile(file)
	if err != nil {
		return nil, err
	}
	vocabulary, err := encoder.Open()
	if err != nil {
		return nil, err
	}
	if c.Vocab != vocabulary.Count() {
		return nil, fmt.Errorf("utterance network of %d pieces is not of the encoder, which has %d: %w",
			c.Vocab, vocabulary.Count(), fault.ErrInvalid)
	}
	n := &Network{
		about: c.header, vocabulary: vocabulary, weights: newWeights(c),
		multiply: matrix.FastestTile(), attend: matrix.FastestFloatTile(), known: &texts{most: mostOfTexts},
		candidates: &texts{most: mostOfCandidates},
	}
	if c.Err != nil {
		return nil, c.Err
	}
	n.memory.New = func() any { return newScratch() }
	return n, nil
}

// Read reads an utterance in its talk. Of a long one it reads the end, where people ask.
func (n *Network) Read(utterance string, c Context) Output {
	s := n.memory.Get().(*scratch)
	defer n.memory.Put(s)
	in := n.pack(utterance, c)
	out, own := n.output(n.logits(in, s)), len(in.texts[0].ids)
	u := &Utterance{
		text: in.texts[0], vector: slices.Clone(s.pooled[3*dimension:]), inTalk: n.view(own, s),
		bare: len(in.texts) == 1 && in.ask < 0,
	}
	if out.Alone, u.alone = out.Ask, u.inTalk; !u.bare {
		out.Alone = n.output(n.logitsAlone(in, s)).Ask
		u.alone = n.view(own, s)
	}
	out.Utterance = u
	return out
}
