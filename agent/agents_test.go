package agent_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/agent"
	"annai/fault"
	"annai/graph"
	"annai/llm"
	"annai/storage/mem"
	"annai/storage/sqlite"
)

var city = agent.NewField[string]("city")

// TestStateTool: a tool reads the state, the thread and the store, and writes to the state; the model sees nothing of
// it.
func TestStateTool(t *testing.T) {
	remember := agent.NewStateTool("remember", "Remembers a city.",
		func(ctx context.Context, s agent.State, in struct{ Name string }) (agent.Reply[agent.State], error) {
			before, err := city.Of(s)
			runtime := graph.RuntimeOf(ctx)
			if err == nil {
				err = runtime.Store.Put(ctx, []string{"cities"}, runtime.ThreadID, map[string]string{"name": in.Name})
			}
			return agent.Reply[agent.State]{
				Text:    fmt.Sprintf("%q became %q after %d messages.", before, in.Name, len(s.Messages)),
				Command: graph.Command[agent.State]{Update: graph.Update[agent.State]{city.Write(in.Name)}},
			}, err
		})
	fail := agent.NewStateTool("fail", "Fails.",
		func(context.Context, agent.State, struct{}) (agent.Reply[agent.State], error) {
			return agent.Reply[agent.State]{}, errors.New("no luck")
		})
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(
			asked("1", "remember", `{"Name":"Kyoto"}`),
			asked("2", "fail", `{}`),
			asked("3", "remember", `{"name":1}`),
		),
		llm.Ask(asked("4", "remember", `{"Name":"Nara"}`)),
		llm.Say("Done."),
	)}
	store := mem.NewItems(nil)
	g := compiled(t, model, []agent.Tool{remember, fail}, agent.Options{}, mem.New())
	result, err := g.Invoke(
		t.Context(),
		agent.Input(agent.HumanMessage("go")),
		graph.RunOptions{ThreadID: "t", Store: store},
	)
	if err != nil {
		t.Fatal(err)
	}
	got := results(result.State.Messages)
	if got["1"] != `"" became "Kyoto" after 2 messages.` || got["4"] != `"Kyoto" became "Nara" after 6 messages.` ||
		got["2"] != `!call tool "fail": no luck` || !strings.HasPrefix(got["3"], "!") {
		t.Errorf("results %v", got)
	}
	kept, err := g.State(t.Context(), "t", 0)
	if name, failed := city.Of(kept.State); err != nil || failed != nil || name != "Nara" {
		t.Errorf("the thread remembers %q, %v, %v", name, err, failed)
	}
	if item, err := store.Get(
		t.Context(),
		[]string{"cities"},
		"t",
	); err != nil ||
		string(item.Value) != `{"name":"Nara"}` {
		t.Errorf("the store has %s, %v", item.Value, err)
	}
	if schema := string(model.Asked()[0].Tools[0].Schema); strings.Contains(schema, "essages") {
		t.Errorf("the model sees %s", schema)
	}
}

// TestToolAsks: a tool asks a person by itself, after the review of its call.
func TestToolAsks(t *testing.T) {
	book := agent.NewStateTool("book", "Books.",
		func(ctx context.Context, _ agent.State, _ struct{}) (agent.Reply[agent.State], error) {
			var room string
			answered, err := graph.Answer(ctx, 1, &room)
			if err != nil || !answered {
				ask := &graph.Interrupt{Question: "Which room?"}
				return agent.Reply[agent.State]{Command: graph.Command[agent.State]{Interrupt: ask}}, err
			}
			return agent.Reply[agent.State]{Text: "Room " + room}, nil
		})
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "book", `{}`)), llm.Say("Done."))}
	g := compiled(t, model, []agent.Tool{book},
		agent.Options{InterruptOn: map[string]agent.Review{"book": {}}}, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	if _, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("go")), thread); err != nil {
		t.Fatal(err)
	}
	result, err := g.Invoke(t.Context(), agent.Resume(map[string]agent.Decision{"": {Type: agent.Approve}}), thread)
	if err != nil || len(result.Interrupts) != 1 || result.Interrupts[0].Question != "Which room?" {
		t.Fatalf("Invoke = %+v, %v", result, err)
	}
	result, err = g.Invoke(t.Context(), graph.Input[agent.State]{Resume: map[string]any{"": "A"}}, thread)
	if err != nil || results(result.State.Messages)["1"] != "Room A" {
		t.Errorf("Invoke = %+v, %v", result.State.Messages, err)
	}
}

// TestToolAsksWithoutReview: where nobody reviews the call, the first answer is to the tool's own question.
func TestToolAsksWithoutReview(t *testing.T) {
	book := agent.NewStateTool("book", "Books.",
		func(ctx context.Context, _ agent.State, _ struct{}) (agent.Reply[agent.State], error) {
			var room string
			if answered, err := graph.Answer(ctx, 0, &room); err != nil || !answered {
				ask := &graph.Interrupt{Question: "Which room?"}
				return agent.Reply[agent.State]{Command: graph.Command[agent.State]{Interrupt: ask}}, err
			}
			return agent.Reply[agent.State]{Text: "Room " + room}, nil
		})
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "book", `{}`)), llm.Say("Done."))}
	never := agent.Review{When: func(agent.ToolCall) bool { return false }}
	g := compiled(t, model, []agent.Tool{book},
		agent.Options{InterruptOn: map[string]agent.Review{"book": never}}, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	if _, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("go")), thread); err != nil {
		t.Fatal(err)
	}
	result, err := g.Invoke(t.Context(), graph.Input[agent.State]{Resume: map[string]any{"": "A"}}, thread)
	if err != nil || results(result.State.Messages)["1"] != "Room A" {
		t.Errorf("Invoke = %+v, %v", result.State.Messages, err)
	}
}

// TestSupervisor: agents are tools of another one, side by side; a question of one of them is the whole's, and a
// request that is none is told to the model.
func TestSupervisor(t *testing.T) {
	booked := 0
	book := agent.NewTool(
		"book",
		"Books.",
		func(context.Context, numbers) (string, error) { booked++; return "booked", nil },
	)
	booker := compiled(
		t,
		&llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "book", `{"a":1}`)), llm.Say("Room 1 is yours."))},
		[]agent.Tool{book},
		agent.Options{InterruptOn: map[string]agent.Review{"book": {}}},
		nil,
	)
	poet := &llm.Script{Answer: llm.Turns(llm.Say("Autumn wind."))}
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(asked("1", "poet", `{"request":"Write a poem."}`), asked("2", "booker", `{"request":"Book room 1."}`),
			asked("3", "poet", `{"wish":"?"}`)),
		llm.Say("All done."),
	)}
	g := compiled(t, model, []agent.Tool{
		agent.AsTool(
			"booker",
			"Books rooms.",
			booker,
		),
		agent.AsTool("poet", "Writes.", compiled(t, poet, nil, agent.Options{}, nil)),
	}, agent.Options{}, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("a poem and a room")), thread)
	if err != nil || len(result.Interrupts) != 1 {
		t.Fatalf("Invoke = %+v, %v, want an interrupt", result, err)
	}
	if _, err := g.Invoke(
		t.Context(),
		graph.Input[agent.State]{Resume: map[string]any{"": "yes"}},
		thread,
	); !errors.Is(
		err,
		fault.ErrInvalid,
	) {
		t.Errorf("a wrong answer: %v, want ErrInvalid", err)
	}
	result, err = g.Invoke(t.Context(), agent.Resume(map[string]agent.Decision{"": {Type: agent.Approve}}), thread)
	if err != nil || result.State.Text() != "All done." || booked != 1 || len(poet.Asked()) != 1 {
		t.Fatalf("Invoke = %+v, %v; booked %d times", result.State.Messages, err, booked)
	}
	got := results(result.State.Messages)
	if got["1"] != "Autumn wind." || got["2"] != "Room 1 is yours." || !strings.HasPrefix(got["3"], "!") {
		t.Errorf("results %v", got)
	}
	if request := poet.Asked()[0].Messages; len(request) != 1 || request[0].Text != "Write a poem." {
		t.Errorf("the poet was told %+v", request)
	}
	if !strings.Contains(g.Drawing().Mermaid(), "booker") {
		t.Error("the drawing lacks the agent")
	}
}

// TestSwarm: the talk moves between agents with its messages, and stays with the last one.
func TestSwarm(t *testing.T) {
	front := &llm.Script{As: "front", Answer: llm.Turns(
		llm.Ask(asked("1", "look", `{}`)), llm.Ask(asked("2", "transfer_to_rooms", `{}`), asked("3", "look", `{}`)),
	)}
	rooms := &llm.Script{As: "rooms", Answer: llm.Turns(
		llm.Say("Which room?"), llm.Ask(asked("4", "transfer_to_front", `{}`)), llm.Say("never"),
	)}
	looked := 0
	look := agent.NewTool(
		"look",
		"Looks.",
		func(context.Context, struct{}) (string, error) { looked++; return "free", nil },
	)
	remember := agent.Middleware{
		Name: "remember",
		BeforeAgent: func(context.Context, agent.State) (graph.Command[agent.State], error) {
			return graph.Command[agent.State]{Update: graph.Update[agent.State]{city.Write("Kyoto")}}, nil
		},
	}
	g, err := agent.Swarm(
		agent.Member{Name: "front", Agent: compiled(t, front,
			[]agent.Tool{look, agent.Handoff("rooms", "Hands over to who books rooms.")},
			agent.Options{Middleware: []agent.Middleware{remember}}, nil)},
		agent.Member{Name: "rooms", Agent: compiled(t, rooms,
			[]agent.Tool{agent.Handoff("front", "Hands back.")}, agent.Options{}, nil)},
	)
	if err != nil {
		t.Fatal(err)
	}
	swarm, err := g.Compile(graph.Options{Checkpointer: mem.New()})
	if err != nil {
		t.Fatal(err)
	}
	thread := graph.RunOptions{ThreadID: "t"}
	result, err := swarm.Invoke(t.Context(), agent.Input(agent.HumanMessage("a room")), thread)
	if err != nil || result.State.Text() != "Which room?" || looked != 1 {
		t.Fatalf("Invoke = %+v, %v; looked %d times", result.State.Messages, err, looked)
	}
	active, _ := agent.ActiveAgent.Of(result.State)
	if where, err := city.Of(result.State); err != nil || where != "Kyoto" || active != "rooms" {
		t.Errorf("fields %s", result.State.Fields)
	}
	var texts []string
	for _, m := range rooms.Asked()[0].Messages {
		texts = append(texts, m.Text)
	}
	want := []string{"a room", "", "free", "", "The talk is handed over to rooms.", "This call was not carried out."}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("rooms was told (-want +got):\n%s", diff)
	}
	front.Answer = func(int, llm.Request) []llm.Step { return llm.Say("Front again.") }
	result, err = swarm.Invoke(t.Context(), agent.Input(agent.HumanMessage("who is there?")), thread)
	if err != nil || result.State.Text() != "Front again." || len(rooms.Asked()) != 2 {
		t.Errorf("Invoke = %+v, %v", result.State.Messages, err)
	}
	ids := map[string]bool{}
	for _, m := range result.State.Messages {
		if m.ID == "" || ids[m.ID] {
			t.Errorf("message %+v is there twice", m)
		}
		ids[m.ID] = true
	}
}

// TestAgentsWrong: what can't be right is reported.
func TestAgentsWrong(t *testing.T) {
	g := compiled(t, &llm.Script{}, nil, agent.Options{}, nil)
	for name, make := range map[string]func() error{
		"nobody":    func() error { _, err := agent.Swarm(); return err },
		"no agent":  func() error { _, err := agent.Swarm(agent.Member{Name: "a"}); return err },
		"same name": func() error { _, err := agent.Swarm(agent.Member{"a", g}, agent.Member{"a", g}); return err },
		"no agent as a tool": func() error {
			_, err := agent.React(&llm.Script{}, []agent.Tool{agent.AsTool("a", "A.", nil)}, agent.Options{})
			return err
		},
		"a review of an agent": func() error {
			_, err := agent.React(&llm.Script{}, []agent.Tool{agent.AsTool("a", "A.", g)},
				agent.Options{InterruptOn: map[string]agent.Review{"a": {}}})
			return err
		},
		"a handoff without React": func() error {
			s := graph.NewSchema[agent.State]()
			c := agent.Messages(s, func(s *agent.State) *[]agent.Message { return &s.Messages })
			to := []agent.Tool{agent.Handoff("b", "B.")}
			return agent.AddToolNode(graph.New(s), "tools", c, to, agent.ToolNodeOptions{})
		},
	} {
		if err := make(); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	lost := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "transfer_to_moon", `{}`)))}
	alone := compiled(t, lost, []agent.Tool{agent.Handoff("moon", "Goes.")}, agent.Options{}, nil)
	if _, err := alone.Invoke(
		t.Context(),
		agent.Input(agent.HumanMessage("go")),
		graph.RunOptions{},
	); !errors.Is(
		err,
		fault.ErrInvalid,
	) {
		t.Errorf("a handoff outside of a swarm: %v, want ErrInvalid", err)
	}
}

// TestSwarmAsks: a question of a member waits in a file over the end of the process, and the talk goes on where it
// stood.
func TestSwarmAsks(t *testing.T) {
	ctx, file := t.Context(), filepath.Join(t.TempDir(), "threads.db")
	thread := graph.RunOptions{ThreadID: "t"}
	booked := 0
	book := agent.NewTool("book", "Books.", func(_ context.Context, n numbers) (int, error) {
		booked++
		return n.A, nil
	})
	process := func(front, rooms *llm.Script) (*graph.Graph[agent.State], func()) {
		store, err := sqlite.Open(ctx, file, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		hand := []agent.Tool{agent.Handoff("rooms", "Hands over.")}
		g, err := agent.Swarm(
			agent.Member{Name: "front", Agent: compiled(t, front, hand, agent.Options{}, nil)},
			agent.Member{Name: "rooms", Agent: compiled(t, rooms, []agent.Tool{book}, agent.Options{
				InterruptOn: map[string]agent.Review{"book": {}},
			}, nil)},
		)
		if err != nil {
			t.Fatal(err)
		}
		swarm, err := g.Compile(graph.Options{Checkpointer: store})
		if err != nil {
			t.Fatal(err)
		}
		return swarm, func() { _ = store.Close() }
	}
	front := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "transfer_to_rooms", `{}`)))}
	swarm, end := process(front, &llm.Script{Answer: llm.Turns(llm.Ask(asked("2", "book", `{"a":1}`)))})
	result, err := swarm.Invoke(ctx, agent.Input(agent.HumanMessage("a room")), thread)
	if err != nil || len(result.Interrupts) != 1 {
		t.Fatalf("Invoke = %+v, %v, want an interrupt", result, err)
	}
	end()
	rooms := &llm.Script{Answer: llm.Turns(llm.Say("Booked."))}
	swarm, end = process(&llm.Script{Answer: llm.Turns()}, rooms)
	defer end()
	edit := agent.Decision{Type: agent.Edit, EditedAction: &agent.Action{Args: []byte(`{"a":7}`)}}
	result, err = swarm.Invoke(ctx, agent.Resume(map[string]agent.Decision{"": edit}), thread)
	if err != nil || result.State.Text() != "Booked." || booked != 1 {
		t.Fatalf("Invoke = %+v, %v; booked %d times", result, err, booked)
	}
	if got := results(result.State.Messages)["2"]; !strings.HasSuffix(got, "\n7") {
		t.Errorf("the tool said %q", got)
	}
}
