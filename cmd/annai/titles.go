package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"annai/fault"
	"annai/rag"
	"annai/rag/corpus"
)

// titles make retrievers over the events of the calendars and the parts of the venue, which find the
// nearest, however far they are. The vectors that all venues share are known, and those of earlier
// retrievers: when one event changes, the others are not embedded again. Where many are to be embedded, as
// at the start of a server with a large calendar, nobody waits for it: words alone find them until then.
type titles struct {
	embedder rag.Embedder
	opts     rag.Options
	log      *slog.Logger

	mu           sync.Mutex
	shared, kept rag.Vectors

	embedding sync.Mutex // one after the other, so that what one has embedded the next knows
	// later does something while nobody waits, until close.
	later func(do func(ctx context.Context))
	doing sync.WaitGroup
	close func() error
}

const (
	// maxIndexed is how many vectors are kept for the next retriever.
	maxIndexed = 1 << 14
	// maxAwaited is how many texts are embedded while whoever asks waits: some tenths of a second.
	maxAwaited = 256
)

// newTitles returns titles that are indexed with an embedder, until they are closed.
func newTitles(ctx context.Context, e rag.Embedder, opts rag.Options, log *slog.Logger) *titles {
	t := &titles{embedder: e, opts: opts, log: log, shared: *opts.Known, kept: *opts.Known}
	t.opts.Threshold = -1
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	t.later = func(do func(ctx context.Context)) { t.doing.Go(func() { do(ctx) }) }
	t.close = func() error {
		cancel()
		t.doing.Wait()
		return nil
	}
	return t
}

// index is a [nodes.NewIndex].
func (t *titles) index(ctx context.Context, passages []rag.Passage) (rag.Retriever, error) {
	if known := t.known(); known.Missing(passages, t.embedder, t.opts) <= maxAwaited {
		return t.byMeaning(ctx, passages)
	}
	opts := t.opts
	opts.Known, opts.Asked = nil, nil // it makes no vectors of questions that others may have
	words, err := newKnowledge(ctx, passages, speechless{t.embedder}, rag.NewFlat, opts)
	if err != nil {
		return nil, err
	}
	live := corpus.NewLive(words)
	t.later(func(ctx context.Context) {
		switch whole, err := t.byMeaning(ctx, passages); {
		case err == nil:
			live.Swap(whole)
		case ctx.Err() == nil:
			t.log.Warn("titles are found by their words alone", "err", err)
		}
	})
	return live, nil
}

func (t *titles) known() rag.Vectors {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept
}

// byMeaning embeds what is not known.
func (t *titles) byMeaning(ctx context.Context, passages []rag.Passage) (rag.Retriever, error) {
	t.embedding.Lock()
	defer t.embedding.Unlock()
	opts, known := t.opts, t.known()
	opts.Known = &known // in which it leaves what it needs
	made, err := newKnowledge(ctx, passages, t.embedder, rag.NewFlat, opts)
	if err != nil || known.Added() == 0 {
		return made, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept.Len() > maxIndexed {
		t.kept = t.shared
	}
	t.kept.Add(known)
	return made, nil
}

// speechless is an embedder that knows no word.
type speechless struct{ rag.Embedder }

func (speechless) Embed(context.Context, []string) ([]rag.Vector, error) {
	return nil, fmt.Errorf("no text is embedded now: %w", fault.ErrInvalid)
}
