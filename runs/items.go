package runs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"annai/internal/fault"
)

// PutItem keeps a value under its namespace and key.
func (s *Service) PutItem(ctx context.Context, namespace []string, key string, value Object, ttlMinutes float64) error {
	if err := checkNamespace(namespace); err != nil {
		return err
	}
	if key == "" || value == nil || ttlMinutes < 0 {
		return fmt.Errorf("an item has a key and an object as its value, and a ttl is not negative: %w", fault.ErrInvalid)
	}
	now := s.now()
	item := Item{Namespace: namespace, Key: key, Value: value, CreatedAt: now, UpdatedAt: now, TTLMinutes: ttlMinutes}
	if ttlMinutes > 0 {
		at := now.Add(time.Duration(ttlMinutes * float64(time.Minute)))
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

// SearchItems returns items; the filter's Now is given here.
func (s *Service) SearchItems(ctx context.Context, f ItemFilter) ([]Item, error) {
	f.Now = s.now()
	return s.parts.Store.SearchItems(ctx, f)
}

// Namespaces returns namespaces; the filter's Now is given here.
func (s *Service) Namespaces(ctx context.Context, f NamespaceFilter) ([][]string, error) {
	f.Now = s.now()
	return s.parts.Store.Namespaces(ctx, f)
}
