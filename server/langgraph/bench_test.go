package langgraph

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/graph"
	"annai/internal/budget"
	"annai/runs"
	"annai/storage/mem"
)

// threeNodes is a graph that does as good as nothing, in three supersteps.
func threeNodes(t testing.TB) runs.Graph {
	t.Helper()
	type state struct {
		Text string `json:"text"`
	}
	schema := graph.NewSchema[state]()
	text := graph.Last(schema, "text", func(s *state) *string { return &s.Text })
	three := graph.New(schema)
	last := graph.Start
	for _, name := range []string{"a", "b", "c"} {
		three.AddNode(name, func(_ context.Context, s state) (graph.Command[state], error) {
			return graph.Command[state]{Update: graph.Update[state]{text.Write(s.Text + name)}}, nil
		})
		three.AddEdge(last, name)
		last = name
	}
	three.AddEdge(last, graph.End)
	compiled, err := three.Compile(graph.Options{Name: "three", Checkpointer: mem.New(), Now: wallClock})
	if err != nil {
		t.Fatal(err)
	}
	g, err := runs.Typed(runs.Definition[state]{
		Graph:   compiled,
		Fields:  []runs.Field[state]{runs.FieldOf(text)},
		Schemas: runs.Schemas{State: json.RawMessage(`{"type":"object"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ask posts a run and waits for its values.
func ask(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/runs/wait", strings.NewReader(`{"assistant_id":"three","input":{"text":""}}`))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && string(body) != `{"text":"abc"}` {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// BenchmarkWait is a graph of three nodes through POST /runs/wait, over loopback sockets that are kept alive: with 64 clients at once, and with one.
func BenchmarkWait(b *testing.B) {
	const clients = 64
	url := serve(b, threeNodes(b))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	b.Run("64 clients", func(b *testing.B) {
		left := make(chan struct{}, b.N)
		for range b.N {
			left <- struct{}{}
		}
		close(left)
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				for range left {
					if err := ask(b.Context(), client, url); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		if b.N > 100 {
			budget.AtLeast(os.Stdout, "langgraph_wait_64", float64(b.N)/b.Elapsed().Seconds(), "requests/s", 1500)
		}
	})
	b.Run("one client", func(b *testing.B) {
		var took []float64
		for b.Loop() {
			began := time.Now()
			if err := ask(b.Context(), client, url); err != nil {
				b.Fatal(err)
			}
			took = append(took, float64(time.Since(began).Microseconds())/1000)
		}
		if len(took) > 100 {
			slices.Sort(took)
			budget.AtMost(os.Stdout, "langgraph_wait_p50", took[len(took)/2], "ms", 3)
		}
	})
}
