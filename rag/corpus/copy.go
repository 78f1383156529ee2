package corpus

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"annai/fault"
	"annai/rag"
	"annai/rag/documents"
)

// Try ingests into a copy that is thrown away, and returns what would have been done and what would
// be served. Nothing is embedded; Summary.Embedded counts what would be. From is not changed; nil is
// an empty store.
func Try(ctx context.Context, from *Store, l documents.Listing, e rag.Embedder, opts Options) (s Summary,
	passages []rag.Passage, err error,
) {
	dir, err := os.MkdirTemp("", "annai-try-")
	if err != nil {
		return s, nil, fmt.Errorf("make a folder to try in: %w: %w", err, fault.ErrUnavailable)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	store, err := Open(ctx, filepath.Join(dir, "knowledge.db"))
	if err != nil {
		return s, nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if from != nil {
		if err := store.copyFrom(ctx, from); err != nil {
			return s, nil, err
		}
	}
	if s, err = store.Ingest(ctx, l, unembedded{e}, opts); err != nil {
		return s, nil, err
	}
	passages, _, err = store.Passages(ctx)
	return s, passages, err
}

// copied are the tables in the order in which they can be filled, each with its columns.
var copied = []struct{ table, columns string }{
	{"annai_documents", "number, path, root, name, hash, pair, sections, staged"},
	{"annai_passages", "document, place, id, title, text, lang, category, source, updated, valid_from, valid_until, " +
		"section, part, parts, pair"},
	{"annai_embedded", "document, hash"},
	{"annai_vectors", "fingerprint, hash"},
}

// copyFrom fills an empty file with what another store has: for vectors, that it has them.
func (s *Store) copyFrom(ctx context.Context, from *Store) error {
	view, err := from.read.BeginTx(ctx, &from.snapshot)
	if err != nil {
		return trouble(err)
	}
	defer func() { _ = view.Rollback() }() // nothing was written
	return s.place.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var version int64
		if err := view.QueryRowContext(ctx, "SELECT version FROM annai_knowledge").Scan(&version); err != nil {
			return trouble(err)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE annai_knowledge SET version = $1", version); err != nil {
			return trouble(err)
		}
		for _, c := range copied {
			if err := copyTable(ctx, view, tx, c.table, c.columns); err != nil {
				return fmt.Errorf("copy %s: %w", c.table, err)
			}
		}
		return nil
	})
}

func copyTable(ctx context.Context, from, to *sql.Tx, table, columns string) error {
	rows, err := from.QueryContext(ctx, "SELECT "+columns+" FROM "+table)
	if err != nil {
		return trouble(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return trouble(err)
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	marks := strings.Repeat(", ?", len(names))[2:]
	insert := "INSERT INTO " + table + " (" + columns + ") VALUES (" + marks + ")"
	if table == "annai_vectors" {
		insert = "INSERT INTO annai_vectors (fingerprint, hash, vector) VALUES (?, ?, ?)"
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return trouble(err)
		}
		args := values
		if table == "annai_vectors" {
			args = append(slices.Clone(values), encode(rag.Vector{1}))
		}
		if _, err := to.ExecContext(ctx, insert, args...); err != nil {
			return trouble(err)
		}
	}
	return trouble(rows.Err())
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
