package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
)

// AsTool makes a tool of an agent, for another agent, its supervisor. The supervisor's model calls the tool with a
// request; the agent begins a conversation of its own with it, and its last message is the result. In the graph of
// [React] the agent is a subgraph with the tool's name: its interrupts are those of the whole graph, its events have a
// namespace, and it goes on where it stood. If it fails the run fails. The agent is a compiled graph of [React] or
// [Swarm].
func AsTool(name, description string, agent *graph.Graph[State]) Tool {
	t := NewTool(name, description, func(context.Context, request) (string, error) {
		return "", errors.New("this tool is an agent") // React has a node for it
	})
	t.agent = agent
	if agent == nil {
		t.err = errors.Join(t.err, fmt.Errorf("tool %s has no agent: %w", name, fault.ErrInvalid))
	}
	return t
}

// request are the arguments of an agent that is a tool.
type request struct {
	Request string `json:"request" jsonschema:"What is to be done, with all that must be known for it."`
}

// checkRequest looks whether the arguments are a request.
func checkRequest(args json.RawMessage) error {
	_, err := readRequest(args)
	return err
}

func readRequest(args json.RawMessage) (string, error) {
	var r request
	if err := json.Unmarshal(orEmpty(args), &r); err != nil || strings.TrimSpace(r.Request) == "" {
		return "", fmt.Errorf("the arguments lack a request: %w", fault.ErrInvalid)
	}
	return r.Request, nil
}

// addAgent adds the node of a tool that is an agent.
func addAgent(g *graph.StateGraph[State], t Tool, newID func() string) {
	in := func(_ State, call ToolCall) graph.Update[State] {
		text, _ := readRequest(call.Args) // the route has looked
		m := HumanMessage(text)
		m.ID = newID()
		return graph.Update[State]{StateMessages.Write([]Message{m})}
	}
	out := func(_ State, call ToolCall, ended State) graph.Update[State] {
		m := ToolMessage(call, ended.Text())
		m.ID = newID()
		return graph.Update[State]{StateMessages.Write([]Message{m})}
	}
	graph.AddInputSubgraph(g, t.Name, t.agent, in, out)
}

// Handoff makes a tool by which an agent hands the conversation over to another member of its [Swarm]. The tool is
// called transfer_to_ and the name of that member. Other tools that the model asks for in the same message are not
// called.
func Handoff(to, description string) Tool {
	t := NewTool("transfer_to_"+to, description, func(context.Context, struct{}) (string, error) {
		return "", errors.New("this tool is a handoff") // the tool node carries it out
	})
	t.handoff = to
	return t
}

// ActiveAgent is the field with the name of the member of a [Swarm] that has the conversation. Empty: the first.
var ActiveAgent = NewField[string]("active_agent")

// handOff is the command of a handoff.
func handOff[S any](state S, result Message, to string) (graph.Command[S], error) {
	s, ok := any(state).(State)
	if !ok {
		return graph.Command[S]{}, fmt.Errorf("a handoff in a graph that React did not make: %w", fault.ErrInvalid)
	}
	update := moved(nil, append(slices.Clip(s.Messages), result))
	over := graph.Command[State]{Goto: to, Update: append(update, fields.Write(s.Fields), ActiveAgent.Write(to))}
	return graph.Command[S]{Parent: graph.ToParent(over)}, nil
}

// moved is the update that makes messages of what was before.
func moved(before, messages []Message) graph.Update[State] {
	if n := len(before); n > 0 && n <= len(messages) && reflect.DeepEqual(before, messages[:n]) {
		return graph.Update[State]{StateMessages.Write(messages[n:])}
	}
	all := append([]Message{RemoveAllMessages()}, messages...)
	return graph.Update[State]{StateMessages.Write(all)}
}

// A Member is an agent of a [Swarm].
type Member struct {
	// Name is what [Handoff] calls it.
	Name string
	// Agent is a compiled graph of [React].
	Agent *graph.Graph[State]
}

// Swarm makes a graph of agents that hand the conversation to each other with [Handoff], with all its messages and
// fields. The first member begins; later runs of the thread begin with the one that has the conversation. Limits of
// calls hold for each turn of a member. Members that can't be right are [fault.ErrInvalid].
func Swarm(members ...Member) (*graph.StateGraph[State], error) {
	names := map[string]bool{}
	for _, m := range members {
		if m.Name == "" || m.Agent == nil || names[m.Name] {
			return nil, fmt.Errorf(
				"make a swarm: member %q has no agent, or no name of its own: %w",
				m.Name,
				fault.ErrInvalid,
			)
		}
		names[m.Name] = true
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("make a swarm without members: %w", fault.ErrInvalid)
	}
	g := graph.New(schema)
	all := graph.Nodes()
	inside := 0 // what a member needs
	for _, m := range members {
		maps.Copy(all, graph.Nodes(m.Name))
		inside = max(inside, m.Agent.RecursionLimit())
	}
	g.RecursionLimit(25 + inside)
	for _, m := range members {
		in := func(s State) graph.Update[State] { return append(moved(nil, s.Messages), fields.Write(s.Fields)) }
		out := func(s, ended State) graph.Update[State] {
			return append(moved(s.Messages, ended.Messages), fields.Write(ended.Fields))
		}
		var others []string
		for _, other := range members {
			if other.Name != m.Name {
				others = append(others, other.Name)
			}
		}
		graph.AddSubgraph(g, m.Name, m.Agent, in, out, graph.NodeOptions{Destinations: others})
		g.AddEdge(m.Name, graph.End)
	}
	g.AddRoute(graph.Start, func(_ context.Context, s State) (graph.Next, error) {
		active, err := ActiveAgent.Of(s)
		if !names[active] {
			active = members[0].Name
		}
		return graph.To(active), err
	}, all)
	return g, nil
}
