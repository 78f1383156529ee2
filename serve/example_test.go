package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"annai/graph"
	"annai/serve"
)

// Count is what a thread of the example remembers.
type Count struct {
	Words []string `json:"words"`
	Total int      `json:"total"`
}

// counter is a graph that counts words.
func counter() *graph.StateGraph[Count] {
	schema := graph.NewSchema[Count]()
	graph.Append(schema, "words", func(s *Count) *[]string { return &s.Words })
	total := graph.Last(schema, "total", func(s *Count) *int { return &s.Total })
	g := graph.New(schema)
	g.AddNode("count", func(_ context.Context, s Count) (graph.Command[Count], error) {
		return graph.Command[Count]{Update: graph.Update[Count]{total.Write(len(s.Words))}}, nil
	})
	g.AddEdge(graph.Start, "count")
	g.AddEdge("count", graph.End)
	return g
}

// A program that serves two graphs. The first is the one that is asked where a protocol names none.
func Example() {
	count := serve.Graph("count", counter())
	count.Description = "Counts words."
	count.Options.RecursionLimit = 5
	serve.Main(count, serve.Graph("again", counter()))
}

// A graph that is compiled already is served with the options that it has, its name among them.
func ExampleCompiled() {
	g, err := counter().Compile(graph.Options{Name: "count", MaxConcurrency: 4})
	if err != nil {
		panic(err)
	}
	serve.Main(serve.Compiled(g))
}

// A test runs the server in its own process, at a port that is free, and asks it as any client does.
func ExampleRun() {
	ctx, stop := context.WithCancel(context.Background())
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		args := []string{"counter", "--listen", "127.0.0.1:0"}
		ended <- serve.Run(ctx, args, write, io.Discard, serve.Graph("count", counter()))
		_ = write.Close()
	}()
	lines := bufio.NewScanner(read)
	var url string
	for url == "" && lines.Scan() { // it says where it is
		url = regexp.MustCompile(`http://[0-9.:]+`).FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()

	body := strings.NewReader(`{"assistant_id": "count", "input": {"words": ["one", "two"]}}`)
	response, err := http.Post(url+"/runs/wait", "application/json", body)
	if err != nil {
		panic(err)
	}
	answer, err := io.ReadAll(response.Body)
	fmt.Printf("%s %v\n", answer, err)
	_ = response.Body.Close()

	stop()
	fmt.Println(<-ended)
	// Output:
	// {"words":["one","two"],"total":2} <nil>
	// <nil>
}
