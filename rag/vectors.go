package rag

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"annai/fault"
)

// Vectors are embeddings of passages that were computed before, so that a start with the same texts
// embeds nothing. Each is known by the embedder's fingerprint and the text it was made of: of
// another embedder, or of a text that changed, none is found. The zero value is empty. A copy is
// another one. It is not safe for concurrent use.
type Vectors struct {
	known map[vectorKey]Vector
	added int
}

// A vectorKey is the beginning of a SHA-256 of the fingerprint and the text.
type vectorKey [16]byte

const (
	vectorsMagic = "ANNAIVC1"
	// maxDimension is more than any embedder has; it keeps a damaged file from asking for all memory.
	maxDimension = 1 << 14
)

// ReadVectors reads what [Vectors.Write] wrote. What is no such file, or not the whole of it, is [fault.ErrInvalid].
func ReadVectors(r io.Reader) (*Vectors, error) {
	in := bufio.NewReader(r)
	magic := make([]byte, len(vectorsMagic))
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != vectorsMagic {
		return nil, fmt.Errorf("read vectors: this is no file of vectors: %w", fault.ErrInvalid)
	}
	v := &Vectors{known: map[vectorKey]Vector{}}
	for {
		err := v.read(in)
		if errors.Is(err, io.EOF) {
			return v, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read vector %d: %w: %w", len(v.known), fault.ErrInvalid, err)
		}
	}
}

// read reads one vector; io.EOF says that there is none.
func (v *Vectors) read(in *bufio.Reader) error {
	var key vectorKey
	if _, err := io.ReadFull(in, key[:]); err != nil {
		return err
	}
	var dimension uint32
	if err := binary.Read(in, binary.LittleEndian, &dimension); err != nil {
		return errors.New("cut off")
	}
	if dimension == 0 || dimension > maxDimension {
		return fmt.Errorf("a vector of %d dimensions", dimension)
	}
	data := make([]byte, 4*dimension)
	if _, err := io.ReadFull(in, data); err != nil {
		return errors.New("cut off")
	}
	vector := make(Vector, dimension)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	if !vector.IsUnit() {
		return errors.New("not of unit length")
	}
	v.known[key] = vector
	return nil
}

// Write writes all vectors, the same ones always in the same order. Its errors are those of w.
func (v *Vectors) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	_, _ = out.WriteString(vectorsMagic) // a bufio.Writer remembers its first error until Flush
	keys := make([]vectorKey, 0, len(v.known))
	for key := range v.known {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b vectorKey) int { return bytes.Compare(a[:], b[:]) })
	var number [4]byte
	for _, key := range keys {
		_, _ = out.Write(key[:])
		binary.LittleEndian.PutUint32(number[:], uint32(len(v.known[key])))
		_, _ = out.Write(number[:])
		for _, x := range v.known[key] {
			binary.LittleEndian.PutUint32(number[:], math.Float32bits(x))
			_, _ = out.Write(number[:])
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write %d vectors: %w", len(v.known), err)
	}
	return nil
}

// Fill computes what [New] of these passages would, with the same options but for Known, and drops
// what no passage needs any more.
func (v *Vectors) Fill(ctx context.Context, passages []Passage, e Embedder, opts Options) error {
	return embedPieces(ctx, e, toEmbed(passages, opts), v)
}

// Missing is how many vectors [Vectors.Fill] would compute.
func (v *Vectors) Missing(passages []Passage, e Embedder, opts Options) (n int) {
	for _, p := range toEmbed(passages, opts) {
		if v.known[keyOf(e.Fingerprint(), p.made())] == nil {
			n++
		}
	}
	return n
}

// Add puts the vectors of another time among these.
func (v *Vectors) Add(o Vectors) {
	all := make(map[vectorKey]Vector, len(v.known)+len(o.known))
	maps.Copy(all, v.known)
	maps.Copy(all, o.known)
	v.known = all
}

// Len is how many vectors there are.
func (v *Vectors) Len() int { return len(v.known) }

// Added is how many vectors the last [New], or Fill, had to compute. Above 0, they are worth writing again.
func (v *Vectors) Added() int { return v.added }

func keyOf(fingerprint, text string) vectorKey {
	sum := sha256.Sum256([]byte(fingerprint + "\x00" + text))
	return vectorKey(sum[:16])
}

// replace keeps the vectors of these pieces and no others.
func (v *Vectors) replace(keys []vectorKey, pieces []piece, added int) {
	v.known, v.added = make(map[vectorKey]Vector, len(pieces)), added
	for i, p := range pieces {
		if p.vector != nil {
			v.known[keys[i]] = p.vector
		}
	}
}
