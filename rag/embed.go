package rag

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"annai/fault"
)

const (
	// group is how many pieces are embedded before the next, so that the vectors of their texts are
	// not all in memory at once.
	group = 1024
	// mostTexts is how many texts an embedder is asked for at once: a service takes a while for each call.
	mostTexts = 48
)

// embedPieces gives every piece its vector, from those that are known or by computing it, on all cores.
func embedPieces(ctx context.Context, e Embedder, pieces []piece, known *Vectors) error {
	if known == nil {
		known = new(Vectors)
	}
	keys := make([]vectorKey, len(pieces))
	var unknown []*piece
	for i := range pieces {
		p := &pieces[i]
		keys[i] = keyOf(e.Fingerprint(), p.made())
		if p.vector = known.known[keys[i]]; p.vector == nil {
			unknown = append(unknown, p)
		}
	}
	for some := range slices.Chunk(unknown, group) {
		if err := embedGroup(ctx, e, some); err != nil {
			return fmt.Errorf("embed %q and others: %w", some[0].name(), err)
		}
	}
	known.replace(keys, pieces, len(unknown))
	return nil
}

// embedGroup gives pieces their vectors. A text that several of them have, such as a heading, is embedded once.
func embedGroup(ctx context.Context, e Embedder, pieces []*piece) error {
	var texts []string
	at := map[string]int{}
	for _, p := range pieces {
		for _, text := range p.texts() {
			if _, there := at[text]; !there {
				at[text] = len(texts)
				texts = append(texts, text)
			}
		}
	}
	vectors, err := embedTexts(ctx, e, texts)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		var of []Vector
		for _, text := range p.texts() {
			of = append(of, vectors[at[text]])
		}
		p.vector = middle(of)
	}
	return nil
}

// embedTexts returns the vector of each text, nil for one with nothing to embed. All cores get the same share.
func embedTexts(ctx context.Context, e Embedder, texts []string) ([]Vector, error) {
	vectors, workers := make([]Vector, len(texts)), runtime.GOMAXPROCS(0)
	rounds := (len(texts) + workers*mostTexts - 1) / (workers * mostTexts)
	batches := min(rounds*workers, len(texts))
	err := share(batches, func(b int) error {
		from, to := len(texts)*b/batches, len(texts)*(b+1)/batches
		made, err := embedBatch(ctx, e, texts[from:to])
		copy(vectors[from:], made)
		return err
	})
	return vectors, err
}

// embedBatch embeds texts at once; if one of them can't be, one by one.
func embedBatch(ctx context.Context, e Embedder, texts []string) ([]Vector, error) {
	vectors, err := e.Embed(ctx, texts)
	switch {
	case errors.Is(err, fault.ErrInvalid) && len(texts) == 1:
		return make([]Vector, 1), nil
	case errors.Is(err, fault.ErrInvalid):
		vectors = nil
		for _, text := range texts {
			one, err := embedBatch(ctx, e, []string{text})
			if err != nil {
				return nil, err
			}
			vectors = append(vectors, one...)
		}
		return vectors, nil
	case err != nil:
		return nil, err
	case len(vectors) != len(texts):
		return nil, fmt.Errorf("the embedder returned %d vectors for %d texts: %w", len(vectors), len(texts),
			fault.ErrUnavailable)
	}
	return vectors, nil
}

// embedMiddle returns the direction between the vectors of texts, of unit length, or nil where none
// has anything to embed.
func embedMiddle(ctx context.Context, e Embedder, texts ...string) (Vector, error) {
	vectors, err := embedBatch(ctx, e, texts)
	if err != nil {
		return nil, fmt.Errorf("embed: %w", err)
	}
	return middle(vectors), nil
}

// middle returns the sum of vectors, made of unit length; nil where there are none or nothing is
// between them.
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

// share has all cores do n pieces of work, and returns the errors of those that failed; what comes
// behind one is left.
func share(n int, work func(i int) error) error {
	errs := make([]error, min(runtime.GOMAXPROCS(0), n))
	var next atomic.Int64
	var group sync.WaitGroup
	for w := range errs {
		group.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[w] = work(i)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
