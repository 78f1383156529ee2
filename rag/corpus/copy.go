package corpus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"annai/internal/fault"
	"annai/rag"
	"annai/rag/documents"
)

// Try ingests into a copy that is thrown away, and returns what would have been done and what would
// be served. Nothing is embedded; Summary.Embedded counts what would be. A path without a file is
// an empty store, and there is none afterwards either.
func Try(ctx context.Context, path string, l documents.Listing, e rag.Embedder, opts Options) (s Summary,
	passages []rag.Passage, err error,
) {
	dir, err := os.MkdirTemp("", "annai-try-")
	if err != nil {
		return s, nil, fmt.Errorf("make a folder to try in: %w: %w", err, fault.ErrUnavailable)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	copied := filepath.Join(dir, "knowledge.db")
	if Exists(path) {
		if err := copyStore(ctx, path, copied); err != nil {
			return s, nil, err
		}
	}
	store, err := Open(ctx, copied)
	if err != nil {
		return s, nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if s, err = store.Ingest(ctx, l, unembedded{e}, opts); err != nil {
		return s, nil, err
	}
	passages, _, err = store.Passages(ctx)
	return s, passages, err
}

func copyStore(ctx context.Context, from, to string) (err error) {
	s, err := Open(ctx, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	_, err = s.read.ExecContext(ctx, "VACUUM INTO ?", to)
	return trouble(err)
}

// unembedded has the name of an embedder, and the same vector for every text.
type unembedded struct{ rag.Embedder }

func (unembedded) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	vectors := make([]rag.Vector, len(texts))
	for i := range vectors {
		vectors[i] = rag.Vector{1}
	}
	return vectors, ctx.Err()
}
