// Command contract serves the graphs of reference/graphs.py, for scripts/contract, which asks LangGraph's own server
// and this one the same.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log"

	"annai/agent"
	"annai/graph"
	"annai/llm"
	"annai/serve"
)

func main() {
	sources := []serve.Source{
		serve.Graph("echo", echo()), serve.Graph("ask", ask()), serve.Graph("outer", outer()),
		serve.Graph("spread", spread()), serve.Graph("fail", fail()),
	}
	for name, reviews := range map[string]map[string]agent.Review{"agent": nil, "careful": {"weather": {}}} {
		g, err := agent.React(&llm.Script{Answer: answer}, []agent.Tool{weather()}, agent.Options{InterruptOn: reviews})
		if err != nil {
			log.Fatal(err)
		}
		sources = append(sources, serve.Graph(name, g))
	}
	serve.Main(sources...)
}

type talk struct {
	Messages []agent.Message `json:"messages"`
}

// echo says again what was said.
func echo() *graph.StateGraph[talk] {
	schema := graph.NewSchema[talk]()
	messages := agent.Messages(schema, func(s *talk) *[]agent.Message { return &s.Messages })
	g := graph.New(schema)
	g.AddNode("echo", func(_ context.Context, s talk) (graph.Command[talk], error) {
		said := agent.AIMessage("echo: " + s.Messages[len(s.Messages)-1].Text)
		said.ID = rand.Text()
		return graph.Command[talk]{Update: graph.Update[talk]{messages.Write([]agent.Message{said})}}, nil
	})
	g.AddEdge(graph.Start, "echo")
	g.AddEdge("echo", graph.End)
	return g
}

type asked struct {
	Topic    string `json:"topic,omitempty"`
	Approved bool   `json:"approved,omitempty"`
}

var (
	askedSchema = graph.NewSchema[asked]()
	topic       = graph.Last(askedSchema, "topic", func(s *asked) *string { return &s.Topic })
	approved    = graph.Last(askedSchema, "approved", func(s *asked) *bool { return &s.Approved })
)

// ask asks a person, and goes on with a yes or a no.
func ask() *graph.StateGraph[asked] {
	g := graph.New(askedSchema)
	g.AddNode("ask", func(ctx context.Context, s asked) (graph.Command[asked], error) {
		var answer bool
		if answered, err := graph.Answer(ctx, 0, &answer); err != nil || !answered {
			question := map[string]string{"question": "May I " + s.Topic + "?"}
			return graph.Command[asked]{Interrupt: &graph.Interrupt{
				Question: question, ResponseSchema: json.RawMessage(`{"type":"boolean"}`),
			}}, err
		}
		return graph.Command[asked]{Update: graph.Update[asked]{approved.Write(answer)}}, nil
	}, graph.NodeOptions{CheckAnswer: graph.AnswerOf[bool]})
	g.AddNode("tell", func(_ context.Context, s asked) (graph.Command[asked], error) {
		return graph.Command[asked]{Update: graph.Update[asked]{topic.Write(s.Topic + " is over")}}, nil
	})
	g.AddEdge(graph.Start, "ask")
	g.AddEdge("ask", "tell")
	g.AddEdge("tell", graph.End)
	return g
}

type words struct {
	Word string `json:"word,omitempty"`
}

var (
	wordsSchema = graph.NewSchema[words]()
	word        = graph.Last(wordsSchema, "word", func(s *words) *string { return &s.Word })
)

// outer has a graph inside.
func outer() *graph.StateGraph[words] {
	inner := graph.New(wordsSchema)
	inner.AddNode("deep", func(ctx context.Context, s words) (graph.Command[words], error) {
		graph.WriteCustom(ctx, map[string]string{"at": "inner"})
		return graph.Command[words]{Update: graph.Update[words]{word.Write(s.Word + " inner")}}, nil
	})
	inner.AddEdge(graph.Start, "deep")
	inner.AddEdge("deep", graph.End)
	sub, err := inner.Compile(graph.Options{Name: "sub"})
	if err != nil {
		log.Fatal(err)
	}
	g := graph.New(wordsSchema)
	g.AddNode("first", func(_ context.Context, s words) (graph.Command[words], error) {
		return graph.Command[words]{Update: graph.Update[words]{word.Write(s.Word + " first")}}, nil
	})
	graph.AddSubgraph(g, "sub", sub,
		func(s words) graph.Update[words] { return graph.Update[words]{word.Write(s.Word)} },
		func(_, ended words) graph.Update[words] { return graph.Update[words]{word.Write(ended.Word)} })
	g.AddEdge(graph.Start, "first")
	g.AddEdge("first", "sub")
	g.AddEdge("sub", graph.End)
	return g
}

type texts struct {
	Texts   []string `json:"texts,omitempty"`
	Lengths []int    `json:"lengths,omitempty"`
	Total   int      `json:"total,omitempty"`
}

// spread counts letters side by side, and adds them up.
func spread() *graph.StateGraph[texts] {
	schema := graph.NewSchema[texts]()
	graph.Last(schema, "texts", func(s *texts) *[]string { return &s.Texts })
	lengths := graph.Append(schema, "lengths", func(s *texts) *[]int { return &s.Lengths })
	total := graph.Last(schema, "total", func(s *texts) *int { return &s.Total })
	g := graph.New(schema)
	graph.AddInputNode(g, "count", func(_ context.Context, text string) (graph.Command[texts], error) {
		return graph.Command[texts]{Update: graph.Update[texts]{lengths.Write([]int{len(text)})}}, nil
	})
	g.AddNode("sum", func(_ context.Context, s texts) (graph.Command[texts], error) {
		sum := 0
		for _, n := range s.Lengths {
			sum += n
		}
		return graph.Command[texts]{Update: graph.Update[texts]{total.Write(sum)}}, nil
	})
	g.AddRoute(graph.Start, func(_ context.Context, s texts) (graph.Next, error) {
		var sends []graph.Send
		for _, text := range s.Texts {
			sends = append(sends, graph.Send{Node: "count", Input: text})
		}
		return graph.Fan(sends...), nil
	}, graph.Nodes("count"))
	g.AddEdge("count", "sum")
	g.AddEdge("sum", graph.End)
	return g
}

// fail fails.
func fail() *graph.StateGraph[words] {
	g := graph.New(wordsSchema)
	g.AddNode("fail", func(context.Context, words) (graph.Command[words], error) {
		return graph.Command[words]{}, errors.New("no such word")
	})
	g.AddEdge(graph.Start, "fail")
	g.AddEdge("fail", graph.End)
	return g
}

// answer is a model that asks for the weather, in pieces, and tells what the tool said.
func answer(_ int, r llm.Request) []llm.Step {
	if last := r.Messages[len(r.Messages)-1]; last.Role == llm.Result {
		return llm.Say("It ", "says ", last.Text)
	}
	return llm.AskInPieces(llm.ToolCall{ID: "call_1", Name: "weather"}, `{"city":`, `"Kyoto"}`)
}

type place struct {
	City string `json:"city"`
}

func weather() agent.Tool {
	return agent.NewTool("weather", "The weather of a city.", func(_ context.Context, p place) (string, error) {
		return "sunny in " + p.City, nil
	})
}
