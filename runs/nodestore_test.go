package runs_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/runs"
	"annai/storage/mem"
)

type visit struct {
	Seen string `json:"seen"`
}

// TestNodeStore: nodes find what the API keeps, and the reverse, by meaning too.
func TestNodeStore(t *testing.T) {
	bubble(t, func(w *world) {
		w.meaning = taste("1")
		p := w.process(runs.Options{})
		put(p, "cake", `{"is":"sweet"}`, "")
		schema := graph.NewSchema[visit]()
		seen := graph.Last(schema, "seen", func(v *visit) *string { return &v.Seen })
		g := graph.New(schema)
		g.AddNode("look", func(ctx context.Context, _ visit) (graph.Command[visit], error) {
			store := graph.RuntimeOf(ctx).Store
			if err := store.Put(ctx, []string{"tastes"}, "crisps", map[string]string{"is": "salty"}); err != nil {
				return graph.Command[visit]{}, err
			}
			found, err := store.Search(ctx, nil, graph.StoreQuery{Text: "sweet", Limit: 1})
			if err != nil || len(found) != 1 || found[0].Score == nil {
				return graph.Command[visit]{}, errors.Join(err, errors.New("nothing found"))
			}
			return graph.Command[visit]{Update: graph.Update[visit]{seen.Write(string(found[0].Value))}}, nil
		})
		g.AddEdge(graph.Start, "look")
		g.AddEdge("look", graph.End)
		compiled, err := g.Compile(graph.Options{Name: "look", Checkpointer: new(mem.Store), Now: time.Now})
		if err != nil {
			p.Fatal(err)
		}
		served, err := runs.Typed(runs.Definition[visit]{Graph: compiled})
		if err != nil {
			p.Fatal(err)
		}
		in := runs.Input{
			ThreadID: "t",
			RunID:    "r",
			Kwargs:   runs.Kwargs{Input: json.RawMessage(`{}`)},
			Store:    p.NodeStore(),
		}
		outcome, err := served.Run(p.Context(), in, runs.Want{}, func(runs.Event) {})
		if err != nil || string(outcome.Values) != `{"seen":"{\"is\":\"sweet\"}"}` {
			p.Errorf("Run = %s, %v", outcome.Values, err)
		}
		if item, err := p.Item(
			p.Context(),
			[]string{"tastes"},
			"crisps",
			false,
		); err != nil ||
			item.Value["is"] != "salty" {
			p.Errorf("Item = %+v, %v", item, err)
		}
		if err := p.NodeStore().Put(p.Context(), []string{"a"}, "b", "text"); !errors.Is(err, fault.ErrInvalid) {
			p.Errorf("Put of a text = %v, want ErrInvalid", err)
		}
		if _, err := p.NodeStore().Get(p.Context(), []string{"a"}, "b"); !errors.Is(err, fault.ErrNotFound) {
			p.Errorf("Get = %v, want ErrNotFound", err)
		}
	})
}
