// Package outside uses the module as programs of others do.
package outside

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"annai/agent"
	"annai/fault"
	"annai/graph"
	"annai/llm"
	"annai/runs"
	runsmem "annai/runs/mem"
	"annai/serve"
	"annai/storage/mem"
	"annai/storage/sqlite"
	"annai/tools"
)

type State struct {
	Words []string `json:"words"`
}

var (
	schema = graph.NewSchema[State]()
	words  = graph.Append(schema, "words", func(s *State) *[]string { return &s.Words })
)

func greeter() *graph.StateGraph[State] {
	g := graph.New(schema)
	g.AddNode("greet", func(context.Context, State) (graph.Command[State], error) {
		return graph.Command[State]{Update: graph.Update[State]{words.Write([]string{"hello"})}}, nil
	})
	g.AddEdge(graph.Start, "greet")
	g.AddEdge("greet", graph.End)
	return g
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func Example_graph() {
	g := must(greeter().Compile(graph.Options{}))
	in := graph.Input[State]{Update: graph.Update[State]{words.Write([]string{"Oh,"})}}
	fmt.Println(must(g.Invoke(context.Background(), in, graph.RunOptions{})).State.Words)
	// Output: [Oh, hello]
}

func Example_storage() {
	ctx := context.Background()
	folder := must(os.MkdirTemp("", "outside"))
	file := must(sqlite.Open(ctx, filepath.Join(folder, "threads.db"), sqlite.Options{}))
	defer func() { must(0, errors.Join(file.Close(), os.RemoveAll(folder))) }()
	for _, store := range []graph.Checkpointer{mem.New(), file} {
		g := must(greeter().Compile(graph.Options{Checkpointer: store}))
		for range 2 {
			must(g.Invoke(ctx, graph.Input[State]{Update: graph.Update[State]{}}, graph.RunOptions{ThreadID: "1"}))
		}
		fmt.Println(must(g.State(ctx, "1", 0)).State.Words)
	}
	// Output:
	// [hello hello]
	// [hello hello]
}

func Example_runs() {
	ctx, stop := context.WithCancel(context.Background())
	g := must(runs.Typed(runs.Definition[State]{
		Graph:  must(greeter().Compile(graph.Options{Name: "greeter", Checkpointer: mem.New(), Now: time.Now})),
		Fields: []runs.Field[State]{runs.FieldOf(words)},
	}))
	webhooks := must(runs.NewWebhooks(time.Now, runs.WebhookOptions{}))
	store := runsmem.New(runsmem.Options{})
	service := must(runs.New(runs.Parts{
		Store: store, Queue: runsmem.NewQueue(store, time.Now, runsmem.QueueOptions{}), Graphs: []runs.Graph{g},
		Now: time.Now, Post: webhooks.Post,
	}, runs.Options{Log: slog.New(slog.DiscardHandler)}))
	must(0, service.Prepare(ctx))
	var work sync.WaitGroup
	work.Go(func() { must(0, service.Work(ctx)) })
	run := must(service.Create(ctx, "", runs.Request{AssistantID: "greeter", OnCompletion: "keep"}))
	fmt.Printf("%s\n", must(service.Wait(ctx, run)).Values)
	stop()
	work.Wait()
	// Output: {"words":["hello"]}
}

func Example_tools() {
	r := tools.New(time.Now, tools.Options{})
	_, err := r.Call(context.Background(), tools.Caller{}, "none", json.RawMessage(`{}`))
	fmt.Println(err != nil, fault.ErrNotFound)
	// Output: true not found
}

func Example_llm() {
	model := llm.Guard(&llm.Script{Answer: llm.Turns(llm.Say("Good ", "morning"))}, time.Now, llm.GuardOptions{})
	request := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hello"}}}
	fmt.Println(must(llm.Collect(model.Stream(context.Background(), request))).Text)
	// Output: Good morning
}

func Example_agent() {
	type Sum struct{ A, B int }
	add := agent.NewTool("add", "Adds.", func(_ context.Context, s Sum) (int, error) { return s.A + s.B, nil })
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(llm.ToolCall{Name: "add", Arguments: []byte(`{"A":1,"B":2}`)}), llm.Say("3"),
	)}
	g := must(must(agent.React(model, []agent.Tool{add}, agent.Options{})).Compile(graph.Options{}))
	result := must(g.Invoke(context.Background(), agent.Input(agent.HumanMessage("1 + 2?")), graph.RunOptions{}))
	fmt.Println(result.State.Text())
	// Output: 3
}

func Example_serve() {
	ctx, stop := context.WithCancel(context.Background())
	out, written := io.Pipe()
	compiled := must(greeter().Compile(graph.Options{Name: "compiled"}))
	ended := make(chan error)
	go func() {
		args := []string{"greeter", "--listen", "127.0.0.1:0"}
		ended <- serve.Run(ctx, args, written, io.Discard, serve.Graph("greeter", greeter()), serve.Compiled(compiled))
	}()
	said := make([]byte, 1<<10)
	address := regexp.MustCompile(`http://[0-9.:]+`).FindString(string(said[:must(out.Read(said))]))
	go func() { _, _ = io.Copy(io.Discard, out) }()
	for _, name := range []string{"greeter", "compiled"} {
		body := strings.NewReader(`{"assistant_id":"` + name + `","input":{"words":["Oh,"]}}`)
		answer := must(http.Post(address+"/runs/wait", "application/json", body))
		fmt.Printf("%s\n", must(io.ReadAll(answer.Body)))
		must(0, answer.Body.Close())
	}
	stop()
	fmt.Println(<-ended)
	// Output:
	// {"words":["Oh,","hello"]}
	// {"words":["Oh,","hello"]}
	// <nil>
}
