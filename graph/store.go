package graph

import (
	"context"
	"encoding/json"
	"time"
)

// A Store keeps items across threads, such as what is known of a user. Nodes reach it by [RuntimeOf]. It is safe for
// concurrent use. What a node does with it is not part of its update: a task that runs again does it again.
type Store interface {
	// Put keeps the value, which JSON writes as an object, under the key in the namespace; an older one is replaced.
	// A namespace is a path of at least one label, a label neither empty nor with a dot, and a key is not empty:
	// otherwise [fault.ErrInvalid].
	Put(ctx context.Context, namespace []string, key string, value any) error
	// Get returns an item. One that does not exist is [fault.ErrNotFound].
	Get(ctx context.Context, namespace []string, key string) (Item, error)
	// Delete forgets an item. One that does not exist is no error.
	Delete(ctx context.Context, namespace []string, key string) error
	// Search returns the items of all namespaces that begin with the prefix, sorted by namespace and key unless the
	// query says otherwise.
	Search(ctx context.Context, prefix []string, query StoreQuery) ([]Item, error)
}

// A StoreQuery says which items are searched for. The zero value finds the first ten.
type StoreQuery struct {
	// Text sorts the items by how near they are to it in meaning, in stores that can do that; others ignore it.
	Text string
	// Filter has fields that the value must have, with these values. Nil: any value.
	Filter map[string]any
	// Limit is how many items are returned at most; 0 means 10. The first Offset are left out.
	Limit, Offset int
}

// An Item is what a [Store] keeps.
type Item struct {
	// Namespace and Key are those of [Store].Put.
	Namespace []string
	Key       string
	// Value is a JSON object.
	Value                json.RawMessage
	CreatedAt, UpdatedAt time.Time
	// Score is how near the item is to StoreQuery.Text, at most 1. Nil: it was not found by its meaning.
	Score *float64
}
