package corpus

import (
	"context"
	"database/sql"

	"annai/civil"
	"annai/rag"
	"annai/rag/documents"
)

// stage writes a document into the staging area, in one commit.
func (s *Store) stage(ctx context.Context, f documents.File, d documents.Document, hash []byte, k *keeper) error {
	return s.place.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM annai_documents WHERE path = $1 AND staged", f.Path); err != nil {
			return trouble(err)
		}
		var number int64
		err := tx.QueryRowContext(ctx, `INSERT INTO annai_documents (path, root, name, hash, pair, sections, staged)
			VALUES ($1, $2, $3, $4, $5, $6, TRUE) RETURNING number`,
			f.Path, f.Root, f.Name, hash, d.Pair, len(d.Sections)).Scan(&number)
		if err != nil {
			return trouble(err)
		}
		for hash := range k.asked {
			_, err := tx.ExecContext(ctx, "INSERT INTO annai_embedded VALUES ($1, $2)", number, hash[:])
			if err != nil {
				return trouble(err)
			}
		}
		return insert(ctx, tx, number, d)
	})
}

// insert writes the passages of a document.
func insert(ctx context.Context, tx *sql.Tx, number int64, d documents.Document) error {
	add, err := tx.PrepareContext(ctx, `INSERT INTO annai_passages
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, '')`)
	if err != nil {
		return trouble(err)
	}
	defer func() { _ = add.Close() }() // the transaction's end says what went wrong
	place := 0
	for _, s := range d.Sections {
		for part, p := range s.Passages {
			_, err := add.ExecContext(ctx, number, place, p.ID, p.Title, p.Text, p.Lang, p.Category, p.Source,
				day(p.UpdatedAt), day(p.ValidFrom), day(p.ValidUntil), s.Pair, part, len(s.Passages))
			if err != nil {
				return trouble(err)
			}
			place++
		}
	}
	return nil
}

func day(d civil.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

// publish makes what was staged of the files that were seen what is served, in one commit. What is
// staged of others waits.
func (i *ingest) publish(ctx context.Context, l documents.Listing) error {
	return i.store.place.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		staged, err := i.replace(ctx, tx)
		if err != nil {
			return err
		}
		if err := i.remove(ctx, tx, l.Whole); err != nil {
			return err
		}
		if staged == 0 && i.summary.Removed == 0 {
			return trouble(tx.QueryRowContext(ctx, "SELECT version FROM annai_knowledge").Scan(&i.summary.Version))
		}
		if err := pair(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, pruneQuery); err != nil {
			return trouble(err)
		}
		return trouble(tx.QueryRowContext(ctx,
			"UPDATE annai_knowledge SET version = version + 1 RETURNING version").Scan(&i.summary.Version))
	})
}

// pruneQuery drops vectors of texts that no document has any more.
const pruneQuery = `DELETE FROM annai_vectors
	WHERE NOT EXISTS (SELECT 1 FROM annai_embedded e WHERE e.hash = annai_vectors.hash)`

// replace serves what was staged of the files that were seen, if that is what they say now, and
// returns how many there were.
func (i *ingest) replace(ctx context.Context, tx *sql.Tx) (int, error) {
	type row struct {
		number int64
		path   string
	}
	staged, err := collect(ctx, tx, func(rows *sql.Rows) (r row, err error) { return r, rows.Scan(&r.number, &r.path) },
		"SELECT number, path FROM annai_documents WHERE staged")
	if err != nil {
		return 0, err
	}
	count := 0
	for _, r := range staged {
		ready, found := i.seen[r.path]
		if !found {
			continue
		}
		query := "DELETE FROM annai_documents WHERE number = $1"
		if ready {
			const old = "DELETE FROM annai_documents WHERE path = $1 AND NOT staged"
			if _, err := tx.ExecContext(ctx, old, r.path); err != nil {
				return 0, trouble(err)
			}
			query = "UPDATE annai_documents SET staged = FALSE WHERE number = $1"
			count++
		}
		if _, err := tx.ExecContext(ctx, query, r.number); err != nil {
			return 0, trouble(err)
		}
	}
	return count, nil
}

// remove drops, or counts, the documents of folders that were looked through and in which they are no more.
func (i *ingest) remove(ctx context.Context, tx *sql.Tx, roots []string) error {
	for _, root := range roots {
		paths, err := collect(ctx, tx, func(rows *sql.Rows) (path string, err error) { return path, rows.Scan(&path) },
			"SELECT path FROM annai_documents WHERE root = $1 AND NOT staged", root)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if _, found := i.seen[path]; found {
				continue
			}
			if !i.opts.Prune {
				i.summary.Gone++
				continue
			}
			i.summary.Removed++
			if _, err := tx.ExecContext(ctx, "DELETE FROM annai_documents WHERE path = $1", path); err != nil {
				return trouble(err)
			}
		}
	}
	return nil
}

// pair gives the same pair to passages whose sections say the same in the two languages: those of
// two sections of the same pair, one in each language, that were cut into as many passages.
// Documents of a pair with another number of sections are not paired.
func pair(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, `UPDATE annai_passages SET pair = '' WHERE pair <> ''`); err != nil {
		return trouble(err)
	}
	_, err := tx.ExecContext(ctx, `WITH good AS (
			SELECT section FROM annai_passages p JOIN annai_documents d ON d.number = p.document
			WHERE section <> '' AND NOT staged GROUP BY section
			HAVING count(DISTINCT p.document || ' ' || p.lang) = 2 AND count(DISTINCT lang) = 2
				AND min(parts) = max(parts) AND count(*) = 2 * max(parts)
				AND (min(d.pair) = '' OR min(sections) = max(sections))
		)
		UPDATE annai_passages SET pair = section || CASE parts WHEN 1 THEN '' ELSE '.' || part END
		WHERE section IN (SELECT section FROM good)
			AND document IN (SELECT number FROM annai_documents WHERE NOT staged)`)
	return trouble(err)
}

// Passages returns what is served, and its version, as one.
func (s *Store) Passages(ctx context.Context) (passages []rag.Passage, version int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tx, err := s.read.BeginTx(ctx, &s.snapshot)
	if err != nil {
		return nil, 0, trouble(err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	if err := tx.QueryRowContext(ctx, "SELECT version FROM annai_knowledge").Scan(&version); err != nil {
		return nil, 0, trouble(err)
	}
	passages, err = collect(ctx, tx, scanPassage, `SELECT id, name, title, text, lang, category, source,
		updated, valid_from, valid_until, p.pair
		FROM annai_passages p JOIN annai_documents d ON d.number = p.document WHERE NOT staged ORDER BY name, place`)
	return passages, version, err
}

func scanPassage(rows *sql.Rows) (p rag.Passage, err error) {
	var days [3]string
	err = rows.Scan(&p.ID, &p.Document, &p.Title, &p.Text, &p.Lang, &p.Category, &p.Source, &days[0], &days[1],
		&days[2], &p.Pair)
	for i, into := range []*civil.Date{&p.UpdatedAt, &p.ValidFrom, &p.ValidUntil} {
		if days[i] == "" || err != nil {
			continue
		}
		*into, err = civil.ParseDate(days[i])
	}
	return p, err
}

// collect returns the rows of a query.
func collect[T any](ctx context.Context, db querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T,
	error,
) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, trouble(err)
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		row, err := scan(rows)
		if err != nil {
			return nil, trouble(err)
		}
		out = append(out, row)
	}
	return out, trouble(rows.Err())
}
