package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/runs"
	"annai/storage/row"
)

func assistantPlace(id string, version int64) row.Place {
	return row.Place{Thread: id, Namespace: "assistant", ID: version}
}

// CreateAssistant is part of [runs.Assistants].
func (s *Store) CreateAssistant(ctx context.Context, a runs.Assistant) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.holdAssistant(ctx, tx, a.ID); !errors.Is(err, fault.ErrNotFound) {
			return cmp.Or(err, exists("assistant", a.ID))
		}
		tx.Changed(a.ID)
		return s.addVersion(ctx, tx, a)
	})
}

// holdAssistant keeps everybody else from changing the assistant.
func (s *Store) holdAssistant(ctx context.Context, tx Tx, id string) error {
	var version int64
	query := `SELECT version FROM annai_assistants WHERE id = $1 ORDER BY version` + s.db.Lock()
	return named(one(ctx, tx, query, []any{id}, &version), "assistant", id)
}

func (s *Store) addVersion(ctx context.Context, tx Tx, a runs.Assistant) error {
	document, err := s.encode(assistantPlace(a.ID, int64(a.Version)), a)
	if err != nil {
		return err
	}
	const insert = `INSERT INTO annai_assistants (id, version, latest, doc) VALUES ($1, $2, 1, $3) ON CONFLICT DO NOTHING`
	n, err := tx.Exec(ctx, insert, a.ID, int64(a.Version), document)
	if err == nil && n == 0 {
		err = fmt.Errorf("version %d of assistant %s: %w", a.Version, a.ID, fault.ErrConflict)
	}
	return err
}

// Assistant is part of [runs.Assistants].
func (s *Store) Assistant(ctx context.Context, id string) (runs.Assistant, error) {
	found, err := s.assistants(ctx, `WHERE id = $1 AND latest = 1`, id)
	if err == nil && len(found) == 0 {
		err = missing("assistant", id)
	}
	if err != nil {
		return runs.Assistant{}, err
	}
	return found[0], nil
}

// assistants returns the versions that a condition leaves.
func (s *Store) assistants(ctx context.Context, where string, args ...any) (found []runs.Assistant, err error) {
	err = s.db.Look(ctx, func(ctx context.Context, tx Tx) error {
		found = nil
		return tx.Query(ctx, `SELECT id, version, doc FROM annai_assistants `+where, args, func(scan Scan) error {
			a, err := s.scanAssistant(scan)
			found = append(found, a)
			return err
		})
	})
	return found, err
}

func (s *Store) scanAssistant(scan Scan) (a runs.Assistant, err error) {
	var id string
	var version int64
	var document []byte
	if err := scan(&id, &version, &document); err != nil {
		return a, err
	}
	return a, s.decode(assistantPlace(id, version), document, &a)
}

// AddVersion is part of [runs.Assistants].
func (s *Store) AddVersion(ctx context.Context, a runs.Assistant) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.holdAssistant(ctx, tx, a.ID); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE annai_assistants SET latest = 0 WHERE id = $1`, a.ID); err != nil {
			return err
		}
		tx.Changed(a.ID)
		return s.addVersion(ctx, tx, a)
	})
}

// SetLatest is part of [runs.Assistants].
func (s *Store) SetLatest(ctx context.Context, id string, version int, at time.Time) (a runs.Assistant, err error) {
	err = s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.holdAssistant(ctx, tx, id); err != nil {
			return err
		}
		found := false
		const query = `SELECT id, version, doc FROM annai_assistants WHERE id = $1 AND version = $2`
		err := tx.Query(ctx, query, []any{id, int64(version)}, func(scan Scan) error {
			found = true
			a, err = s.scanAssistant(scan)
			return err
		})
		if err == nil && !found {
			err = fmt.Errorf("version %d of assistant %s: %w", version, id, fault.ErrNotFound)
		}
		if err != nil {
			return err
		}
		tx.Changed(id)
		a.UpdatedAt = at
		document, err := s.encode(assistantPlace(id, int64(version)), a)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE annai_assistants SET latest = 0 WHERE id = $1`, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE annai_assistants SET latest = 1, doc = $3 WHERE id = $1 AND version = $2`, id, int64(version), document)
		return err
	})
	return a, err
}

// Versions is part of [runs.Assistants].
func (s *Store) Versions(ctx context.Context, id string, metadata runs.Object, page runs.Page) ([]runs.Assistant, int, error) {
	found, err := s.assistants(ctx, `WHERE id = $1 ORDER BY version DESC`, id)
	if err == nil && len(found) == 0 {
		err = missing("assistant", id)
	}
	if err != nil {
		return nil, 0, err
	}
	found = slices.DeleteFunc(found, func(a runs.Assistant) bool { return !runs.Contains(a.Metadata, metadata) })
	return runs.Paged(found, page), len(found), nil
}

// DeleteAssistant is part of [runs.Assistants].
func (s *Store) DeleteAssistant(ctx context.Context, id string) error {
	return s.deleteOne(ctx, "assistant", `DELETE FROM annai_assistants WHERE id = $1`, id)
}

// deleteOne runs a statement that deletes what has the id.
func (s *Store) deleteOne(ctx context.Context, kind, query, id string) error {
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		tx.Changed(id)
		n, err := tx.Exec(ctx, query, id)
		if err == nil && n == 0 {
			err = missing(kind, id)
		}
		return err
	})
}

// SearchAssistants is part of [runs.Assistants]. Assistants are few: all of them are read.
func (s *Store) SearchAssistants(ctx context.Context, f runs.AssistantFilter) ([]runs.Assistant, int, error) {
	found, err := s.assistants(ctx, `WHERE latest = 1`)
	if err != nil {
		return nil, 0, err
	}
	found, total := f.Of(found)
	return found, total, nil
}
