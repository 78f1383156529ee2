package mem

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"annai/fault"
	"annai/graph"
)

// Items is a [graph.Store] in memory. It knows no meanings: searches are sorted by namespace and key.
type Items struct {
	now   func() time.Time
	mu    sync.Mutex
	items map[string]graph.Item // by path
}

// NewItems returns an empty store. Now is the clock of its items, which have no times where it is nil.
func NewItems(now func() time.Time) *Items { return &Items{now: now, items: map[string]graph.Item{}} }

// path names an item. Labels have no dots, so the first two side by side are where the key begins.
func path(namespace []string, key string) (string, error) {
	if len(namespace) == 0 || key == "" {
		return "", fmt.Errorf("an item without a namespace or a key: %w", fault.ErrInvalid)
	}
	for _, label := range namespace {
		if label == "" || strings.Contains(label, ".") {
			return "", fmt.Errorf("the label %q of a namespace is empty or has a dot: %w", label, fault.ErrInvalid)
		}
	}
	return strings.Join(namespace, ".") + ".." + key, nil
}

// Put implements [graph.Store].
func (s *Items) Put(_ context.Context, namespace []string, key string, value any) error {
	p, err := path(namespace, key)
	if err != nil {
		return err
	}
	data, err := json.Marshal(value)
	if err != nil || !strings.HasPrefix(string(data), "{") {
		return fmt.Errorf("the value of item %q is no JSON object: %w", key, fault.ErrInvalid)
	}
	item := graph.Item{Namespace: slices.Clone(namespace), Key: key, Value: data}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		item.UpdatedAt = s.now()
		item.CreatedAt = item.UpdatedAt
	}
	if old, ok := s.items[p]; ok {
		item.CreatedAt = old.CreatedAt
	}
	s.items[p] = item
	return nil
}

// Get implements [graph.Store].
func (s *Items) Get(_ context.Context, namespace []string, key string) (graph.Item, error) {
	p, err := path(namespace, key)
	if err != nil {
		return graph.Item{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	item, ok := s.items[p]
	if !ok {
		return graph.Item{}, fmt.Errorf("item %q: %w", key, fault.ErrNotFound)
	}
	return copied(item), nil
}

// Delete implements [graph.Store].
func (s *Items) Delete(_ context.Context, namespace []string, key string) error {
	p, err := path(namespace, key)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, p)
	return nil
}

// Search implements [graph.Store].
func (s *Items) Search(_ context.Context, prefix []string, q graph.StoreQuery) ([]graph.Item, error) {
	filter, err := json.Marshal(q.Filter)
	if err != nil {
		return nil, fmt.Errorf("filter: %w: %w", err, fault.ErrInvalid)
	}
	var wanted map[string]any
	_ = json.Unmarshal(filter, &wanted) // it was just written
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []graph.Item{}
	for _, item := range s.items {
		if n := item.Namespace; len(n) >= len(prefix) && slices.Equal(n[:len(prefix)], prefix) && has(item, wanted) {
			found = append(found, copied(item))
		}
	}
	slices.SortFunc(found, func(a, b graph.Item) int {
		return cmp.Or(slices.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Key, b.Key))
	})
	found = found[min(max(q.Offset, 0), len(found)):]
	return found[:min(cmp.Or(max(q.Limit, 0), 10), len(found))], nil
}

// has reports whether the item has the fields that are wanted.
func has(item graph.Item, wanted map[string]any) bool {
	if len(wanted) == 0 {
		return true
	}
	var value map[string]any
	if json.Unmarshal(item.Value, &value) != nil {
		return false
	}
	for name, want := range wanted {
		if got, ok := value[name]; !ok || !reflect.DeepEqual(got, want) {
			return false
		}
	}
	return true
}

func copied(item graph.Item) graph.Item {
	item.Namespace, item.Value = slices.Clone(item.Namespace), slices.Clone(item.Value)
	return item
}
