package rag

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"annai/internal/fault"
)

// A piece is a part of a passage that has a vector of its own.
type piece struct {
	passage int32
	text    string
	vector  Vector
}

// meaning is the half of a [Hybrid] that compares vectors.
type meaning struct {
	embedder Embedder
	pieces   []piece // those of a passage stand together
	// first is the number of the first piece of each passage, and one more at the end.
	first []int32
	index Index
	asked questionVectors
}

// recipe is part of what a vector is known by: it changes with what is embedded of a piece.
const recipe = "title+piece, piece, heading"

// newMeaning embeds the pieces of all passages that opts.Known does not know.
func newMeaning(ctx context.Context, passages []Passage, embedder Embedder, newIndex NewIndex, opts Options) (*meaning, error) {
	m := &meaning{embedder: embedder, first: make([]int32, 1, len(passages)+1)}
	pieces := cut(passages, opts)
	if err := embedPieces(ctx, embedder, passages, pieces, opts.Known); err != nil {
		return nil, err
	}
	var entries []Entry
	for _, p := range pieces {
		for int(p.passage) >= len(m.first) {
			m.first = append(m.first, int32(len(m.pieces)))
		}
		if p.vector != nil {
			of := &passages[p.passage]
			entries = append(entries, Entry{ID: strconv.Itoa(len(m.pieces)), Vector: p.vector, Lang: of.Lang, Category: of.Category})
			m.pieces = append(m.pieces, p)
		}
	}
	for len(m.first) <= len(passages) {
		m.first = append(m.first, int32(len(m.pieces)))
	}
	var err error
	m.index, err = newIndex(ctx, embedder.Fingerprint(), entries)
	return m, err
}

// cut returns the pieces of all passages, in order, without vectors.
func cut(passages []Passage, opts Options) []piece {
	var pieces []piece
	for i, p := range passages {
		texts := []string{p.Text}
		if opts.Pieces != nil {
			texts = opts.Pieces(p.Text)
		}
		for _, text := range texts {
			pieces = append(pieces, piece{passage: int32(i), text: text})
		}
	}
	return pieces
}

// embedPieces gives every piece its vector, from those that are known or by computing it, on all cores.
func embedPieces(ctx context.Context, e Embedder, passages []Passage, pieces []piece, known *Vectors) error {
	if known == nil {
		known = new(Vectors)
	}
	keys := make([]vectorKey, len(pieces))
	var unknown []int
	for i := range pieces {
		p := &pieces[i]
		keys[i] = keyOf(e.Fingerprint(), strings.Join([]string{recipe, passages[p.passage].Title, p.text}, "\x00"))
		if p.vector = known.known[keys[i]]; p.vector == nil {
			unknown = append(unknown, i)
		}
	}
	workers := min(runtime.GOMAXPROCS(0), len(unknown))
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for j := w; j < len(unknown) && errs[w] == nil; j += workers {
				p := &pieces[unknown[j]]
				if p.vector, errs[w] = embedPiece(ctx, e, passages[p.passage].Title, p.text); errs[w] != nil {
					errs[w] = fmt.Errorf("embed passage %s: %w", passages[p.passage].ID, errs[w])
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	known.replace(keys, pieces, len(unknown))
	return nil
}

// embedPiece returns the vector of a piece: the middle of what it says under its title, what it says by itself, and its
// heading. Measured: each of the three finds questions that the others miss. Nil says that nothing of it can be embedded.
func embedPiece(ctx context.Context, e Embedder, title, text string) (Vector, error) {
	if strings.TrimSpace(title) == "" {
		return embedMiddle(ctx, e, text)
	}
	_, heading := cutTitle(title)
	return embedMiddle(ctx, e, title+"\n"+text, text, heading)
}

// embedMiddle returns the direction between the vectors of texts, of unit length, or nil where none has anything to embed.
func embedMiddle(ctx context.Context, e Embedder, texts ...string) (Vector, error) {
	vectors, err := e.Embed(ctx, texts)
	if errors.Is(err, fault.ErrInvalid) && len(texts) > 1 { // one of them; the others may do
		for _, text := range texts {
			v, err := embedMiddle(ctx, e, text)
			if err != nil {
				return nil, err
			}
			vectors = append(vectors, v)
		}
		return middle(vectors), nil
	}
	if err != nil && !errors.Is(err, fault.ErrInvalid) {
		return nil, fmt.Errorf("embed: %w", err)
	}
	return middle(vectors), nil
}

// middle returns the sum of vectors, made of unit length; nil where there are none or nothing is between them.
func middle(vectors []Vector) Vector {
	var sum Vector
	for _, v := range vectors {
		if sum == nil && v != nil {
			sum = make(Vector, len(v))
		}
		for i, x := range v {
			sum[i] += x
		}
	}
	if sum == nil || !normalize(sum) {
		return nil
	}
	return sum
}

// question returns the vector of a question: the middle of the question and of what it is about. Nil says that nothing of
// it can be embedded, so that its words are all there is to go by.
func (m *meaning) question(ctx context.Context, text, subject string) (Vector, error) {
	if v, ok := m.asked.get(text); ok {
		return v, nil
	}
	texts := []string{text}
	if subject != "" && subject != text {
		texts = append(texts, subject)
	}
	v, err := embedMiddle(ctx, m.embedder, texts...)
	if err != nil {
		return nil, err
	}
	m.asked.put(text, v)
	return v, nil
}

// cosine returns how near a passage is: as near as the nearest of its pieces, which is returned too. A passage without a
// vector is as far as nothing in common.
func (m *meaning) cosine(v Vector, passage int32) (cosine float64, nearest string) {
	for i := m.first[passage]; i < m.first[passage+1]; i++ {
		if c := Cosine(v, m.pieces[i].vector); nearest == "" || c > cosine {
			cosine, nearest = c, m.pieces[i].text
		}
	}
	return cosine, nearest
}

// nearest returns the passages of the n pieces nearest to v, each once.
func (m *meaning) nearest(ctx context.Context, v Vector, n int, f Filter) ([]int32, error) {
	near, err := m.index.Nearest(ctx, v, n, f)
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	var passages []int32
	for _, neighbour := range near {
		i, err := strconv.Atoi(neighbour.ID)
		if err != nil || i < 0 || i >= len(m.pieces) {
			return nil, fmt.Errorf("search vectors: the index found %q, which is not in it: %w", neighbour.ID, fault.ErrUnavailable)
		}
		passages = append(passages, m.pieces[i].passage)
	}
	return passages, nil
}

// questionVectors remembers the vectors of questions that were asked lately: visitors ask the same ones.
type questionVectors struct {
	mu      sync.Mutex
	vectors map[string]Vector
}

// maxQuestions is how many are remembered, half a megabyte; then all are forgotten. maxQuestion is the longest, in bytes.
const (
	maxQuestions = 256
	maxQuestion  = 500
)

func (q *questionVectors) get(text string) (Vector, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	v, ok := q.vectors[text]
	return v, ok
}

func (q *questionVectors) put(text string, v Vector) {
	if len(text) > maxQuestion {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.vectors == nil || len(q.vectors) >= maxQuestions {
		q.vectors = map[string]Vector{}
	}
	q.vectors[text] = v
}
