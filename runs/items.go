package runs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"annai/fault"
)

// A NewItem is a value that is to be kept.
type NewItem struct {
	Namespace []string `json:"namespace"`
	Key       string   `json:"key"`
	Value     Object   `json:"value"`
	// TTL is how many minutes the item lives; 0: for ever.
	TTL   float64 `json:"ttl"`
	Index Index   `json:"index"`
}

// PutItem keeps a value under its namespace and key.
func (s *Service) PutItem(ctx context.Context, n NewItem) error {
	if err := checkNamespace(n.Namespace); err != nil {
		return err
	}
	if n.Key == "" || n.Value == nil || n.TTL < 0 {
		return fmt.Errorf("an item has a key and an object as its value, and a ttl is not negative: %w", fault.ErrInvalid)
	}
	meaning, err := s.meaning(ctx, n.Index.text(n.Value))
	if err != nil {
		return fmt.Errorf("meaning of item %q: %w", n.Key, err)
	}
	now := s.now()
	item := Item{Namespace: n.Namespace, Key: n.Key, Value: n.Value, CreatedAt: now, UpdatedAt: now, TTLMinutes: n.TTL, Meaning: meaning}
	item.Version = rand.Int64()
	if n.TTL > 0 {
		at := now.Add(time.Duration(n.TTL * float64(time.Minute)))
		item.ExpiresAt = &at
	}
	return s.parts.Store.PutItem(ctx, item)
}

func checkNamespace(namespace []string) error {
	if len(namespace) == 0 {
		return fmt.Errorf("the namespace is empty: %w", fault.ErrInvalid)
	}
	for _, label := range namespace {
		if label == "" || strings.Contains(label, ".") {
			return fmt.Errorf("the label %q of a namespace is empty or has a dot: %w", label, fault.ErrInvalid)
		}
	}
	return nil
}

// Item returns an item.
func (s *Service) Item(ctx context.Context, namespace []string, key string, refresh bool) (Item, error) {
	if err := checkNamespace(namespace); err != nil {
		return Item{}, err
	}
	return s.parts.Store.Item(ctx, namespace, key, s.now(), refresh)
}

// DeleteItem forgets an item. One that does not exist is no error.
func (s *Service) DeleteItem(ctx context.Context, namespace []string, key string) error {
	if err := checkNamespace(namespace); err != nil {
		return err
	}
	return s.parts.Store.DeleteItem(ctx, namespace, key)
}

// Namespaces returns namespaces; the filter's Now is given here.
func (s *Service) Namespaces(ctx context.Context, f NamespaceFilter) ([][]string, error) {
	f.Now = s.now()
	return s.parts.Store.Namespaces(ctx, f)
}
