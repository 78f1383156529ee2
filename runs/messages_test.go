package runs_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/runs"
)

// TestMessagesMerge: a known id replaces, others are added, "remove" takes out one or all.
func TestMessagesMerge(t *testing.T) {
	message := func(id, text string) runs.Object { return runs.Object{"type": "human", "id": id, "content": text} }
	remove := func(id string) runs.Object { return runs.Object{"type": "remove", "id": id} }
	one, two, other := message("1", "a"), message("2", "b"), message("1", "c")
	for name, test := range map[string]struct{ old, added, want []any }{
		"none":                   {nil, nil, []any{}},
		"added":                  {[]any{one}, []any{two}, []any{one, two}},
		"replaced":               {[]any{one, two}, []any{other}, []any{other, two}},
		"replaced in the update": {nil, []any{one, other}, []any{other}},
		"removed":                {[]any{one, two}, []any{remove("1")}, []any{two}},
		"removed and added":      {[]any{one, two}, []any{remove("1"), other}, []any{two, other}},
		"removed twice":          {[]any{one}, []any{remove("1"), remove("1"), remove("9")}, []any{}},
		"all removed":            {[]any{one}, []any{two, remove("__remove_all__"), other}, []any{other}},
		"no ids":                 {[]any{"x"}, []any{"y"}, []any{"x", "y"}},
	} {
		before := append([]any(nil), test.old...)
		if d := cmp.Diff(any(test.want), runs.ReduceMessages(test.old, test.added)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(before, test.old); d != "" {
			t.Errorf("%s changed its argument:\n%s", name, d)
		}
	}
}

// TestManyMessages: the time to merge does not grow with the square of their number, which for
// these would be minutes.
func TestManyMessages(t *testing.T) {
	list := make([]any, 100_000)
	for i := range list {
		list[i] = runs.Object{"type": "human", "id": strconv.Itoa(i)}
	}
	began := time.Now()
	half := runs.ReduceMessages(nil, list[:len(list)/2])
	if got := runs.ReduceMessages(half, list).([]any); len(got) != len(list) {
		t.Errorf("%d messages were merged, want %d", len(got), len(list))
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("%d messages took %v", len(list), took)
	}
}
