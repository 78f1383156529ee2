package mem_test

import (
	"errors"
	"testing"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

func TestItems(t *testing.T) {
	ctx := t.Context()
	clock := time.Unix(0, 0).UTC()
	s := mem.NewItems(func() time.Time { return clock })
	put := func(key string, value any, namespace ...string) {
		t.Helper()
		if err := s.Put(ctx, namespace, key, value); err != nil {
			t.Fatal(err)
		}
	}
	put("city", map[string]string{"name": "Kyoto"}, "users", "ann")
	put("city", map[string]string{"name": "Nara"}, "users", "bob")
	put("city", map[string]string{"name": "Osaka"}, "shops")
	clock = clock.Add(time.Hour)
	put("city", map[string]any{"name": "Uji", "n": 1}, "users", "ann")

	got, err := s.Get(ctx, []string{"users", "ann"}, "city")
	if err != nil || string(got.Value) != `{"n":1,"name":"Uji"}` || got.UpdatedAt.Sub(got.CreatedAt) != time.Hour {
		t.Errorf("Get = %+v, %v", got, err)
	}
	for want, query := range map[int]graph.StoreQuery{
		2: {}, 1: {Filter: map[string]any{"n": 1}}, 0: {Filter: map[string]any{"n": "1"}},
	} {
		if found, err := s.Search(ctx, []string{"users"}, query); err != nil || len(found) != want {
			t.Errorf("Search(%+v) = %v, %v; want %d", query, found, err, want)
		}
	}
	if found, err := s.Search(
		ctx,
		nil,
		graph.StoreQuery{Limit: 1, Offset: 2},
	); err != nil ||
		found[0].Namespace[1] != "bob" {
		t.Errorf("Search(all) = %v, %v", found, err)
	}
	if err := s.Delete(ctx, []string{"users", "ann"}, "city"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(ctx, []string{"users", "ann"}, "city"); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Get = %v, want ErrNotFound", err)
	}
	for name, err := range map[string]error{
		"no namespace": s.Put(ctx, nil, "k", struct{}{}), "a dot": s.Put(ctx, []string{"a.b"}, "k", struct{}{}),
		"no key": s.Delete(ctx, []string{"a"}, ""), "no object": s.Put(ctx, []string{"a"}, "k", "text"),
	} {
		if !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
}
