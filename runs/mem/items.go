package mem

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/runs"
)

// place is where an item is kept.
func place(namespace []string, key string) string {
	b, _ := json.Marshal(append(slices.Clone(namespace), key)) // texts always can be written
	return string(b)
}

// PutItem implements [runs.Items].
func (s *Store) PutItem(_ context.Context, item runs.Item) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := place(item.Namespace, item.Key)
	if old := s.items[at]; old != nil && lives(old, item.UpdatedAt) {
		item.CreatedAt = old.CreatedAt
	} else if old == nil && len(s.items) >= s.opts.MaxItems && !s.forgetItems(item.UpdatedAt) {
		return fmt.Errorf("there are %d items already: %w", len(s.items), fault.ErrUnavailable)
	}
	s.items[at] = &item
	return nil
}

// forgetItems drops what does not live any more, and reports whether that was anything.
func (s *Store) forgetItems(now time.Time) bool {
	had := len(s.items)
	for at, i := range s.items {
		if !lives(i, now) {
			delete(s.items, at)
		}
	}
	return len(s.items) < had
}

func lives(i *runs.Item, now time.Time) bool { return i.ExpiresAt == nil || i.ExpiresAt.After(now) }

// refresh lets the item live its time from now on.
func refresh(i *runs.Item, now time.Time) {
	if i.TTLMinutes > 0 {
		until := now.Add(time.Duration(i.TTLMinutes * float64(time.Minute)))
		i.ExpiresAt = &until
	}
}

// Item implements [runs.Items].
func (s *Store) Item(_ context.Context, namespace []string, key string, now time.Time, again bool) (runs.Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.items[place(namespace, key)]
	if i == nil || !lives(i, now) {
		return runs.Item{}, missing("item", key)
	}
	if again {
		refresh(i, now)
	}
	return *i, nil
}

// DeleteItem implements [runs.Items].
func (s *Store) DeleteItem(_ context.Context, namespace []string, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, place(namespace, key))
	return nil
}

// SearchItems implements [runs.Items].
func (s *Store) SearchItems(_ context.Context, f runs.ItemFilter) ([]runs.Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*runs.Item
	for _, i := range s.items {
		if lives(i, f.Now) && runs.Begins(i.Namespace, f.Prefix) && runs.Matches(i.Value, f.Match) {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b *runs.Item) int {
		return slices.Compare(append(slices.Clone(a.Namespace), a.Key), append(slices.Clone(b.Namespace), b.Key))
	})
	var items []runs.Item
	for _, i := range runs.Paged(found, f.Page) {
		if f.Refresh {
			refresh(i, f.Now)
		}
		items = append(items, *i)
	}
	return items, nil
}

// ItemVersions implements [runs.Items].
func (s *Store) ItemVersions(_ context.Context, prefix []string, now time.Time) (found []runs.ItemVersion, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.items {
		if lives(i, now) && runs.Begins(i.Namespace, prefix) {
			found = append(found, runs.ItemVersion{Namespace: i.Namespace, Key: i.Key, Version: i.Version})
		}
	}
	return found, nil
}

// ItemsAt implements [runs.Items].
func (s *Store) ItemsAt(_ context.Context, at []runs.ItemVersion, now time.Time) (found []runs.Item, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range at {
		if i := s.items[place(a.Namespace, a.Key)]; i != nil && lives(i, now) {
			found = append(found, *i)
		}
	}
	return found, nil
}

// Namespaces implements [runs.Items].
func (s *Store) Namespaces(_ context.Context, f runs.NamespaceFilter) ([][]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found [][]string
	for _, i := range s.items {
		if !lives(i, f.Now) || !runs.Begins(i.Namespace, f.Prefix) || !runs.Ends(i.Namespace, f.Suffix) {
			continue
		}
		n := i.Namespace
		if f.MaxDepth > 0 && len(n) > f.MaxDepth {
			n = n[:f.MaxDepth]
		}
		found = append(found, n)
	}
	slices.SortFunc(found, slices.Compare)
	return runs.Paged(slices.CompactFunc(found, slices.Equal), f.Page), nil
}
