package corpus

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"annai/fault"
	"annai/rag"
)

// A Live is a [rag.Retriever] that can be exchanged for another while it is asked: a search that
// has begun ends with the one that it began with. It is safe for concurrent use.
type Live struct {
	current atomic.Pointer[rag.Retriever]
}

// NewLive returns a retriever that begins as r.
func NewLive(r rag.Retriever) *Live {
	l := new(Live)
	l.Swap(r)
	return l
}

// Swap has later searches go to r.
func (l *Live) Swap(r rag.Retriever) { l.current.Store(&r) }

// Search implements [rag.Retriever].
func (l *Live) Search(ctx context.Context, q rag.Query) ([]rag.Hit, error) {
	return (*l.current.Load()).Search(ctx, q)
}

// Explain implements [rag.Explainer], if what it searches with does.
func (l *Live) Explain(ctx context.Context, q rag.Query) (rag.Explanation, error) {
	e, ok := (*l.current.Load()).(rag.Explainer)
	if !ok {
		return rag.Explanation{}, fmt.Errorf("explain a search that has no explanation: %w", fault.ErrInvalid)
	}
	return e.Explain(ctx, q)
}

// Watch looks at every tick whether the store has a version other than the one that is served, and
// if so builds a retriever of its passages and swaps it in; what is asked meanwhile is answered
// from the old one. What fails is logged once, and tried again at the next tick. Watch returns when ctx
// ends or ticks is closed.
func (l *Live) Watch(ctx context.Context, s *Store, served int64, ticks <-chan time.Time, build Build,
	log *slog.Logger,
) {
	failing := false // and said so
	for {
		select {
		case <-ctx.Done():
			return
		case _, more := <-ticks:
			if !more {
				return
			}
		}
		version, err := l.reload(ctx, s, served, build)
		switch {
		case err != nil && ctx.Err() == nil && !failing:
			log.Warn("knowledge not reloaded", "version", served, "err", err)
		case err == nil && version != served:
			log.Info("knowledge reloaded", "version", version)
			served = version
		}
		failing = err != nil
	}
}

// A Build makes a retriever of passages, with vectors that the embedder has at hand.
type Build func(ctx context.Context, passages []rag.Passage) (rag.Retriever, error)

// reload swaps in what the store has, if that is not what is served, and returns its version.
func (l *Live) reload(ctx context.Context, s *Store, served int64, build Build) (int64, error) {
	version, err := s.Version(ctx)
	if err != nil || version == served {
		return served, err
	}
	passages, version, err := s.Passages(ctx)
	if err != nil {
		return served, err
	}
	r, err := build(ctx, passages)
	if err != nil {
		return served, fmt.Errorf("index %d passages of version %d: %w", len(passages), version, err)
	}
	if r == nil {
		return served, fmt.Errorf("version %d has no retriever: %w", version, fault.ErrInvalid)
	}
	l.Swap(r)
	return version, nil
}
