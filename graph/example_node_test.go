package graph_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"annai/fault"
	"annai/graph"
)

// An Order is what the graph remembers: a struct, with a channel for each field.
type Order struct {
	Dish  string
	Price int
}

var (
	orders = graph.NewSchema[Order]()
	dish   = graph.Last(orders, "dish", func(s *Order) *string { return &s.Dish })
	price  = graph.Last(orders, "price", func(s *Order) *int { return &s.Price })
)

// A Menu has prices. What a node needs besides the state is in its receiver.
type Menu map[string]int

// priced is the node: it reads the state and returns an update.
func (m Menu) priced(_ context.Context, s Order) (graph.Command[Order], error) {
	p, ok := m[s.Dish]
	if !ok {
		return graph.Command[Order]{}, fmt.Errorf("price of %s: %w", s.Dish, fault.ErrNotFound)
	}
	return graph.Command[Order]{Update: graph.Update[Order]{price.Write(p)}}, nil
}

// ordering is the graph.
func ordering(m Menu) (*graph.Graph[Order], error) {
	g := graph.New(orders)
	g.AddNode("price", m.priced, graph.NodeOptions{
		Writes:  []string{price.Name()},
		Timeout: time.Second,
		Retry:   &graph.Retry{Attempts: 3},
	})
	g.AddEdge(graph.Start, "price")
	g.AddEdge("price", graph.End)
	return g.Compile(graph.Options{Name: "ordering"})
}

func TestPriced(t *testing.T) {
	command, err := Menu{"soup": 500}.priced(t.Context(), Order{Dish: "soup"})
	if err != nil {
		t.Fatalf("priced(soup) = %v", err)
	}
	got, err := command.Update.MarshalJSON()
	if want := `{"price":500}`; err != nil || string(got) != want {
		t.Errorf("priced(soup) wrote %s, %v, want %s", got, err, want)
	}
}

func Example_node() {
	compiled := must(ordering(Menu{"soup": 500}))
	input := graph.Input[Order]{Update: graph.Update[Order]{dish.Write("soup")}}
	result := must(compiled.Invoke(context.Background(), input, graph.RunOptions{}))
	fmt.Println(result.State)
	fmt.Print(compiled.Drawing().Mermaid())
	// Output:
	// {soup 500}
	// flowchart TD
	//   n_start([start])
	//   n_price["price"]
	//   n_end([end])
	//   n_start --> n_price
	//   n_price --> n_end
}
