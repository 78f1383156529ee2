package graph_test

import (
	"context"
	"errors"
	"testing"

	"annai/fault"
	"annai/graph"
)

// TestFields: a program that does not know the state writes it by its channels, and compiles a graph again while it
// runs.
func TestFields(t *testing.T) {
	type state struct {
		Texts []string `json:"texts"`
		Calls int      `json:"-"`
	}
	schema := graph.NewSchema[state]()
	graph.Append(schema, "texts", func(s *state) *[]string { return &s.Texts })
	calls := graph.Last(schema, "calls", func(s *state) *int { return &s.Calls })
	g := graph.New(schema)
	g.AddNode("count", func(_ context.Context, s state) (graph.Command[state], error) {
		return graph.Command[state]{Update: graph.Update[state]{calls.Write(len(s.Texts))}}, nil
	})
	g.AddEdge(graph.Start, "count")
	g.AddEdge("count", graph.End)
	compiled, err := g.Compile(graph.Options{Name: "first"})
	if err != nil {
		t.Fatal(err)
	}
	source, opts := compiled.Source()
	fields := source.Fields()
	if len(fields) != 2 || fields[0].Name != "texts" || fields[0].Hidden || !fields[1].Hidden || opts.Name != "first" {
		t.Fatalf("Fields = %+v of %+v", fields, opts)
	}
	if fields[0].Update.String() != "[]string" {
		t.Errorf("updates of texts are %s", fields[0].Update)
	}
	if _, err := fields[0].Read([]byte(`1`)); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Read(a number) = %v, want fault.ErrInvalid", err)
	}
	w, err := fields[0].Read([]byte(`["a","b"]`))
	if err != nil {
		t.Fatal(err)
	}
	again := make(chan error)
	go func() {
		_, err := source.Compile(graph.Options{Name: "second"})
		again <- err
	}()
	result, err := compiled.Invoke(t.Context(), graph.Input[state]{Update: graph.Update[state]{w}}, graph.RunOptions{})
	if err != nil || result.State.Calls != 2 {
		t.Errorf("Invoke = %+v, %v, want 2 calls", result.State, err)
	}
	if err := <-again; err != nil {
		t.Error(err)
	}
}
