package runs

import (
	"context"
	"encoding/json"
	"fmt"

	"annai/fault"
	"annai/graph"
)

// NodeStore is the items of the service as nodes reach them: [graph.Runtime] has it in every run.
func (s *Service) NodeStore() graph.Store { return nodeStore{s} }

type nodeStore struct{ service *Service }

// Put implements [graph.Store].
func (n nodeStore) Put(ctx context.Context, namespace []string, key string, value any) error {
	data, err := json.Marshal(value)
	var object Object
	if err == nil {
		err = json.Unmarshal(data, &object)
	}
	if err != nil {
		return fmt.Errorf("the value of item %q is no JSON object: %w: %w", key, err, fault.ErrInvalid)
	}
	return n.service.PutItem(ctx, NewItem{Namespace: namespace, Key: key, Value: object})
}

// Get implements [graph.Store].
func (n nodeStore) Get(ctx context.Context, namespace []string, key string) (graph.Item, error) {
	item, err := n.service.Item(ctx, namespace, key, true)
	if err != nil {
		return graph.Item{}, err
	}
	return toNode(item, nil)
}

// Delete implements [graph.Store].
func (n nodeStore) Delete(ctx context.Context, namespace []string, key string) error {
	return n.service.DeleteItem(ctx, namespace, key)
}

// Search implements [graph.Store].
func (n nodeStore) Search(ctx context.Context, prefix []string, q graph.StoreQuery) ([]graph.Item, error) {
	f := ItemFilter{Prefix: prefix, Match: q.Filter, Refresh: true, Page: Page{Limit: q.Limit, Offset: q.Offset}}
	if f.Page.Limit <= 0 {
		f.Page.Limit = 10
	}
	found, err := n.service.SearchItems(ctx, f, q.Text)
	if err != nil {
		return nil, err
	}
	items := make([]graph.Item, len(found))
	for i, item := range found {
		if items[i], err = toNode(item.Item, item.Score); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func toNode(i Item, score *float64) (graph.Item, error) {
	value, err := json.Marshal(i.Value)
	if err != nil {
		return graph.Item{}, fmt.Errorf("item %q: %w", i.Key, err)
	}
	return graph.Item{
		Namespace: i.Namespace, Key: i.Key, Value: value, CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, Score: score,
	}, nil
}
