package mem

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/runs"
)

// assistant is all versions of one, in order, and which is the latest.
type assistant struct {
	versions []runs.Assistant
	latest   int
}

func (a *assistant) current() runs.Assistant { return a.versions[a.latest] }

// CreateAssistant implements [runs.Assistants].
func (s *Store) CreateAssistant(_ context.Context, a runs.Assistant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.assistants[a.ID] != nil {
		return exists("assistant", a.ID)
	}
	s.assistants[a.ID] = &assistant{versions: []runs.Assistant{a}}
	s.changed(a.ID)
	return nil
}

// Assistant implements [runs.Assistants].
func (s *Store) Assistant(_ context.Context, id string) (runs.Assistant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.assistants[id]
	if a == nil {
		return runs.Assistant{}, missing("assistant", id)
	}
	return a.current(), nil
}

// AddVersion implements [runs.Assistants].
func (s *Store) AddVersion(_ context.Context, v runs.Assistant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.assistants[v.ID]
	if a == nil {
		return missing("assistant", v.ID)
	}
	if a.find(v.Version) >= 0 {
		return fmt.Errorf("version %d of assistant %s: %w", v.Version, v.ID, fault.ErrConflict)
	}
	a.versions = append(a.versions, v)
	a.latest = len(a.versions) - 1
	s.changed(v.ID)
	return nil
}

// find returns the place of a version, or -1.
func (a *assistant) find(version int) int {
	return slices.IndexFunc(a.versions, func(v runs.Assistant) bool { return v.Version == version })
}

// SetLatest implements [runs.Assistants].
func (s *Store) SetLatest(_ context.Context, id string, version int, at time.Time) (runs.Assistant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.assistants[id]
	if a == nil {
		return runs.Assistant{}, missing("assistant", id)
	}
	i := a.find(version)
	if i < 0 {
		return runs.Assistant{}, fmt.Errorf("version %d of assistant %s: %w", version, id, fault.ErrNotFound)
	}
	a.latest = i
	a.versions[i].UpdatedAt = at
	s.changed(id)
	return a.current(), nil
}

// Versions implements [runs.Assistants].
func (s *Store) Versions(_ context.Context, id string, metadata runs.Object, page runs.Page) ([]runs.Assistant, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.assistants[id]
	if a == nil {
		return nil, 0, missing("assistant", id)
	}
	var found []runs.Assistant
	for _, v := range a.versions {
		if runs.Contains(v.Metadata, metadata) {
			found = append(found, v)
		}
	}
	slices.SortFunc(found, func(a, b runs.Assistant) int { return cmp.Compare(b.Version, a.Version) })
	return runs.Paged(found, page), len(found), nil
}

// DeleteAssistant implements [runs.Assistants].
func (s *Store) DeleteAssistant(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.assistants[id] == nil {
		return missing("assistant", id)
	}
	delete(s.assistants, id)
	s.changed(id)
	return nil
}

// SearchAssistants implements [runs.Assistants].
func (s *Store) SearchAssistants(_ context.Context, f runs.AssistantFilter) ([]runs.Assistant, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]runs.Assistant, 0, len(s.assistants))
	for _, a := range s.assistants {
		all = append(all, a.current())
	}
	found, total := f.Of(all)
	return found, total, nil
}
