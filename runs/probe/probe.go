// Package probe has two graphs that do a little of everything, so that a client of LangGraph's API can be tried against a server that asks no model.
//
// The idea to hold: what a run does is said by its input, so each ability has a mode of its own in the graph "probe"; the graph "agent" is what the smallest
// assistant looks like. Both are made at run time, of [graph.Values]. The package knows no client and no server.
package probe

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/graph"
	"annai/internal/message"
	"annai/runs"
)

// The ids of the graphs.
const (
	AgentID = "agent"
	ProbeID = "probe"
)

type (
	values  = graph.Values
	command = graph.Command[values]
	update  = graph.Update[values]
	channel = graph.Channel[values, any]
)

// Graphs returns both graphs, which remember with the checkpointer. NewID makes ids of messages.
func Graphs(checkpointer graph.Checkpointer, now func() time.Time, newID func() string) ([]runs.Graph, error) {
	a, p := newAgent(newID), newProbe(newID)
	agent, err := a.build(graph.Options{Name: AgentID, Checkpointer: checkpointer, Now: now})
	if err != nil {
		return nil, err
	}
	probe, err := p.build(graph.Options{Name: ProbeID, Checkpointer: checkpointer, Now: now})
	if err != nil {
		return nil, err
	}
	var graphs []runs.Graph
	for _, d := range []runs.Definition[values]{
		{Graph: agent, Fields: a.fields, Schemas: a.schemas()}, {Graph: probe, Fields: p.fields, Schemas: p.schemas()},
	} {
		g, err := runs.Typed(d)
		if err != nil {
			return nil, err
		}
		graphs = append(graphs, g)
	}
	return graphs, nil
}

// state is the channels of a graph, and what may be written to them from outside.
type state struct {
	schema   *graph.Schema[values]
	messages channel
	last     map[string]channel
	fields   []runs.Field[values]
	types    map[string]string
	newID    func() string
}

// newState declares messages, and channels that keep what was written last, by their types in JSON Schema.
func newState(types map[string]string, newID func() string) *state {
	s := &state{schema: graph.NewSchema[values](), last: map[string]channel{}, types: types, newID: newID}
	s.messages = runs.Messages(s.schema)
	s.fields = append(s.fields, runs.MessagesField(s.messages, newID))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		s.last[name] = graph.LastValue(s.schema, name)
		s.fields = append(s.fields, runs.FieldOf(s.last[name]))
	}
	return s
}

// schemas are those of the state, which goes in and out whole.
func (s *state) schemas() runs.Schemas {
	properties := map[string]any{message.Channel: map[string]any{"type": "array", "items": map[string]any{"type": "object"}}}
	for name, kind := range s.types {
		properties[name] = map[string]any{"type": kind}
	}
	data, _ := json.Marshal(map[string]any{"type": "object", "properties": properties}) // texts always can be written
	return runs.Schemas{Input: data, Output: data, State: data}
}

func (s *state) write(name string, value any) graph.Write[values] { return s.last[name].Write(value) }

// say writes a message of the assistant.
func (s *state) say(text, name string) graph.Write[values] {
	m := message.New("ai", s.newID(), text)
	if name != "" {
		m["name"] = name
	}
	return s.messages.Write([]any{m})
}

func text(s values, name string) string {
	t, _ := s[name].(string)
	return t
}

// number returns a number of the state, or what it is by default.
func number(s values, name string, otherwise int) int {
	if n, ok := s[name].(float64); ok {
		return int(n)
	}
	return otherwise
}

// agent is a router and three nodes that answer.
type agent struct{ *state }

func newAgent(newID func() string) agent {
	return agent{newState(map[string]string{"query": "string", "language": "string", "route": "string", "answer": "string"}, newID)}
}

func (a agent) build(opts graph.Options) (*graph.Graph[values], error) {
	g := graph.New(a.schema)
	g.AddNode("router", a.router)
	g.AddEdge(graph.Start, "router")
	for _, name := range []string{"event", "calendar", "date"} {
		g.AddNode(name, a.answer(name))
		g.AddEdge(name, graph.End)
	}
	g.AddRoute("router", func(_ context.Context, s values) (graph.Next, error) { return graph.To(text(s, "route")), nil },
		graph.Nodes("event", "calendar", "date"))
	return g.Compile(opts)
}

func (a agent) router(_ context.Context, s values) (command, error) {
	query := text(s, "query")
	messages, _ := s[message.Channel].([]any)
	for _, m := range slices.Backward(messages) {
		if said, _ := m.(runs.Object); said["type"] == "human" {
			query = message.Text(said)
			break
		}
	}
	language := text(s, "language")
	if language == "" {
		language = "en"
	}
	return command{Update: update{a.write("query", query), a.write("language", language), a.write("route", routeOf(query))}}, nil
}

func routeOf(query string) string {
	query = strings.ToLower(query)
	switch {
	case strings.Contains(query, "calendar"), strings.Contains(query, "schedule"):
		return "calendar"
	case strings.Contains(query, "date"), strings.Contains(query, "today"):
		return "date"
	default:
		return "event"
	}
}

func (a agent) answer(name string) graph.Node[values] {
	return func(_ context.Context, s values) (command, error) {
		answer := "[" + text(s, "language") + "] " + name + ": " + text(s, "query")
		return command{Update: update{a.write("answer", answer), a.say(answer, name)}}, nil
	}
}

// probe has a node for each mode.
type probe struct {
	*state

	results channel
}

func newProbe(newID func() string) probe {
	s := newState(map[string]string{
		"mode": "string", "text": "string", "n": "number", "delay_ms": "number", "count": "number", "answer": "string",
	}, newID)
	p := probe{state: s, results: graph.AppendValue(s.schema, "results")}
	s.fields = append(s.fields, runs.FieldOf(p.results))
	s.types["results"] = "array"
	return p
}

func (p probe) build(opts graph.Options) (*graph.Graph[values], error) {
	inner, err := p.inner()
	if err != nil {
		return nil, err
	}
	g := graph.New(p.schema)
	modes := []string{"subgraph", "interrupt2", "fanout", "loop"}
	for name, node := range map[string]graph.Node[values]{
		"echo": p.echo, "interrupt": p.interrupt, "custom": p.custom, "tokens": p.tokens, "fail": p.fail, "slow": p.slow, "config": p.config,
	} {
		modes = append(modes, name)
		g.AddNode(name, node)
		g.AddEdge(name, graph.End)
	}
	graph.AddSubgraph(g, "subgraph", inner, func(s values) update { return update{p.write("text", text(s, "text"))} },
		func(_, s values) update { return update{p.write("answer", s["answer"])} })
	g.AddEdge("subgraph", graph.End)
	p.asking(g)
	p.fanning(g)
	p.looping(g)
	g.AddRoute(graph.Start, func(_ context.Context, s values) (graph.Next, error) {
		if mode := text(s, "mode"); slices.Contains(modes, mode) {
			return graph.To(mode), nil
		}
		return graph.To("echo"), nil
	}, graph.Nodes(modes...))
	return g.Compile(opts)
}

// inner is a graph with the same state and one node.
func (p probe) inner() (*graph.Graph[values], error) {
	g := graph.New(p.schema)
	g.AddNode("inner", func(_ context.Context, s values) (command, error) {
		return command{Update: update{p.write("answer", "inner:"+text(s, "text"))}}, nil
	})
	g.AddEdge(graph.Start, "inner")
	g.AddEdge("inner", graph.End)
	return g.Compile(graph.Options{Name: "subgraph"})
}

func (p probe) echo(_ context.Context, s values) (command, error) {
	return command{Update: update{p.write("answer", text(s, "text")), p.say(text(s, "text"), "")}}, nil
}

func (p probe) interrupt(ctx context.Context, s values) (command, error) {
	var reply json.RawMessage
	answered, err := graph.Answer(ctx, 0, &reply)
	if err != nil || !answered {
		question := map[string]any{"question": "approve?", "text": text(s, "text")}
		return command{Interrupt: &graph.Interrupt{Question: question}}, err
	}
	return command{Update: update{p.write("answer", "resumed:"+string(reply))}}, nil
}

func (p probe) custom(ctx context.Context, s values) (command, error) {
	n := min(number(s, "n", 3), maxFan)
	for i := 1; i <= n; i++ {
		graph.WriteCustom(ctx, map[string]int{"step": i, "total": n})
	}
	return command{Update: update{p.write("answer", "custom done")}}, nil
}

// pace is how long a word takes: as long as with a slow model, so that a client that connects meanwhile sees some of
// them come, and a page on a busy machine shows them one after the other.
const pace = 150 * time.Millisecond

func (p probe) tokens(ctx context.Context, s values) (command, error) {
	say := text(s, "text")
	if say == "" {
		say = "alpha beta gamma"
	}
	id := p.newID()
	for _, word := range strings.SplitAfter(say, " ") {
		if err := sleep(ctx, pace); err != nil {
			return command{}, err
		}
		graph.WriteMessage(ctx, message.New("ai", id, word))
	}
	return command{Update: update{p.write("answer", say), p.messages.Write([]any{message.New("ai", id, say)})}}, nil
}

func (p probe) fail(_ context.Context, s values) (command, error) {
	return command{}, errors.New("probe failure: " + text(s, "text"))
}

func (p probe) slow(ctx context.Context, s values) (command, error) {
	const ticks = 10
	pause := time.Duration(number(s, "delay_ms", 1000)) * time.Millisecond / ticks
	for i := 1; i <= ticks; i++ {
		if err := sleep(ctx, pause); err != nil {
			return command{}, err
		}
		graph.WriteCustom(ctx, map[string]int{"tick": i, "ticks": ticks})
	}
	return command{Update: update{p.write("answer", "slow done:"+text(s, "text")), p.results.Write([]any{text(s, "text")})}}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p probe) config(ctx context.Context, _ values) (command, error) {
	c, _ := graph.RunContext[runs.Config](ctx)
	data, err := json.Marshal(struct {
		Tag     any `json:"tag"`
		Context any `json:"context_tag"`
	}{c.Configurable["tag"], c.Context["tag"]})
	return command{Update: update{p.write("answer", string(data))}}, err
}

// asking adds two tasks that ask at once.
func (p probe) asking(g *graph.StateGraph[values]) {
	type input struct {
		I string `json:"i"`
	}
	g.AddNode("interrupt2", func(context.Context, values) (command, error) { return command{Update: update{}}, nil })
	graph.AddInputNode(g, "ask", func(ctx context.Context, in input) (command, error) {
		var reply json.RawMessage
		answered, err := graph.Answer(ctx, 0, &reply)
		if err != nil || !answered {
			return command{Interrupt: &graph.Interrupt{Question: map[string]string{"ask": in.I}}}, err
		}
		return command{Update: update{p.results.Write([]any{in.I + "=" + string(reply)})}}, nil
	})
	g.AddEdge("ask", graph.End)
	g.AddRoute("interrupt2", func(context.Context, values) (graph.Next, error) {
		return graph.Fan(graph.Send{Node: "ask", Input: input{"a"}}, graph.Send{Node: "ask", Input: input{"b"}}), nil
	}, graph.Nodes("ask"))
}

// fanning adds as many tasks as are asked for, and what runs once after all of them.
func (p probe) fanning(g *graph.StateGraph[values]) {
	type input struct {
		I float64 `json:"i"`
	}
	g.AddNode("fanout", func(context.Context, values) (command, error) {
		return command{Update: update{p.results.Write([]any{})}}, nil
	})
	graph.AddInputNode(g, "worker", func(_ context.Context, in input) (command, error) {
		return command{Update: update{p.results.Write([]any{in.I * in.I})}}, nil
	})
	g.AddNode("join", func(_ context.Context, s values) (command, error) {
		results, _ := s["results"].([]any)
		return command{Update: update{p.write("answer", strconv.Itoa(len(results)))}}, nil
	})
	g.AddRoute("fanout", func(_ context.Context, s values) (graph.Next, error) {
		sends := make([]graph.Send, min(max(number(s, "n", 3), 0), maxFan))
		for i := range sends {
			sends[i] = graph.Send{Node: "worker", Input: input{float64(i + 1)}}
		}
		return graph.Fan(sends...), nil
	}, graph.Nodes("worker"))
	g.AddEdge("worker", "join")
	g.AddEdge("join", graph.End)
}

// maxFan is how many tasks are added at most.
const maxFan = 1000

// looping adds a node that runs until it has run often enough.
func (p probe) looping(g *graph.StateGraph[values]) {
	g.AddNode("loop", func(_ context.Context, s values) (command, error) {
		return command{Update: update{p.write("count", float64(number(s, "count", 0)+1))}}, nil
	})
	g.AddRoute("loop", func(_ context.Context, s values) (graph.Next, error) {
		if number(s, "count", 0) >= number(s, "n", 3) {
			return graph.To(graph.End), nil
		}
		return graph.To("loop"), nil
	}, graph.Nodes("loop", graph.End))
}
