package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/agent"
	"annai/fault"
	"annai/graph"
	"annai/llm"
	"annai/storage/mem"
	"annai/storage/sqlite"
)

type numbers struct {
	A int `json:"a" jsonschema:"The first."`
	B int `json:"b,omitempty" max:"10"`
}

func asked(id, name, args string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(args)}
}

func nothing(context.Context, struct{}) (string, error) { return "ok", nil }

// counter makes ids that tests know.
func counter() func() string {
	var mu sync.Mutex
	n := 0
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return strconv.Itoa(n)
	}
}

func compiled(
	t *testing.T, model llm.Model, tools []agent.Tool, opts agent.Options, store graph.Checkpointer,
) *graph.Graph[agent.State] {
	t.Helper()
	g, err := agent.React(model, tools, opts)
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.Compile(graph.Options{Checkpointer: store})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// results are the tools' messages by the ids of their calls; those that tell an error begin with "!".
func results(messages []agent.Message) map[string]string {
	all := map[string]string{}
	for _, m := range messages {
		if m.Type == agent.TypeTool {
			text := m.Text
			if m.Failed {
				text = "!" + text
			}
			all[m.ToolCallID] = text
		}
	}
	return all
}

// TestParallel: calls of one message run at the same time, their results come in the order of the calls, and what goes
// wrong is told to the model.
func TestParallel(t *testing.T) {
	both := make(chan struct{}, 2)
	meet := func(ctx context.Context, n numbers) (map[string]int, error) { // returns once the other one is there
		select {
		case both <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		for len(both) < 2 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			time.Sleep(time.Millisecond)
		}
		return map[string]int{"sum": n.A + n.B}, nil
	}
	tools := []agent.Tool{
		agent.NewTool("add", "Adds.", meet),
		agent.NewTool("divide", "Divides.", func(_ context.Context, n numbers) (string, error) {
			if n.B == 0 {
				return "", errors.New("division by zero")
			}
			return strings.Repeat("é", n.A/n.B), nil
		}),
		agent.NewTool("crash", "Panics.", func(context.Context, struct{}) (string, error) { panic("oh") }),
	}
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(
			asked("1", "add", `{"a":1,"b":2}`), asked("2", "add", `{"a":3}`), asked("3", "divide", `{"a":1}`),
			asked("4", "divide", `{"a":"x"}`), asked("5", "divide", `{"a":100,"b":1}`), asked("6", "crash", `{}`),
			asked("7", "fly", `{}`),
		),
		llm.Say("Three", " and three."),
	)}
	g := compiled(t, model, tools, agent.Options{SystemPrompt: "Be exact.", MaxAnswer: 101, NewID: counter()}, nil)
	result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("add")), graph.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"1": `{"sum":3}`, "2": `{"sum":3}`, "3": `!call tool "divide": division by zero`,
		"4": `!"a" must be a whole number.`,
		"5": strings.Repeat("é", 50) + "\n[cut off: 100 of 200 bytes]",
		"6": `!call tool "crash": tool crash panicked: oh`,
		"7": `!There is no tool "fly". The tools are: add, crash, divide.`,
	}
	if d := cmp.Diff(want, results(result.State.Messages)); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
	if got := result.State.Text(); got != "Three and three." || result.State.RunCalls.Model != 2 {
		t.Errorf("the agent said %q after %d calls", got, result.State.RunCalls.Model)
	}
	requests := model.Asked()
	if got := requests[0].Messages; len(got) != 2 || got[0].Role != llm.System || got[0].Text != "Be exact." {
		t.Errorf("the model was first told %+v", got)
	}
	var order []string
	for _, m := range requests[1].Messages {
		if m.Role == llm.Result {
			order = append(order, m.CallID)
		}
	}
	if d := cmp.Diff([]string{"1", "2", "3", "4", "5", "6", "7"}, order); d != "" {
		t.Errorf("order of results (-want +got):\n%s", d)
	}
	schema := string(requests[0].Tools[0].Schema)
	for _, part := range []string{`"required":["a"]`, `"The first."`, `"maximum":10`} {
		if !strings.Contains(schema, part) {
			t.Errorf("schema %s lacks %s", schema, part)
		}
	}
}

// TestReview: three calls wait for a person in a file, over the end of the process that asked; one is approved, one
// edited and one refused, by id. An answer that is none is refused, and those given with it.
func TestReview(t *testing.T) {
	ctx, file, thread := t.Context(), filepath.Join(t.TempDir(), "threads.db"), graph.RunOptions{ThreadID: "t"}
	var mu sync.Mutex
	var booked []string
	process := func(answers ...[]llm.Step) (*graph.Graph[agent.State], *llm.Script, func()) {
		store, err := sqlite.Open(ctx, file, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		book := agent.NewTool("book", "Books a room.", func(_ context.Context, n numbers) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			booked = append(booked, strconv.Itoa(n.A))
			return "booked " + strconv.Itoa(n.A), nil
		})
		look := agent.NewTool("look", "Looks.", func(context.Context, struct{}) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			booked = append(booked, "looked")
			return "free", nil
		})
		model := &llm.Script{Answer: llm.Turns(answers...)}
		opts := agent.Options{InterruptOn: map[string]agent.Review{"book": {}}}
		return compiled(t, model, []agent.Tool{book, look}, opts, store), model, func() { _ = store.Close() }
	}

	g, _, end := process(llm.Ask(
		asked("a", "book", `{"a":1}`), asked("b", "book", `{"a":2}`), asked("c", "book", `{"a":3}`),
		asked("d", "look", `{}`),
	))
	result, err := g.Invoke(ctx, agent.Input(agent.HumanMessage("book three")), thread)
	if err != nil || len(result.Interrupts) != 3 {
		t.Fatalf("Invoke = %+v, %v, want 3 interrupts", result, err)
	}
	end()

	g, model, end := process(llm.Say("Two of them."))
	defer end()
	state, err := g.State(ctx, "t", 0)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{} // of interrupts, by the room
	for _, i := range state.Interrupts {
		question, err := agent.ReviewOf(i)
		if err != nil {
			t.Fatal(err)
		}
		ids[string(question.ActionRequests[0].Args)] = i.ID
		if got := question.ReviewConfigs[0].AllowedDecisions; len(got) != 4 {
			t.Errorf("allowed decisions %v, want four", got)
		}
		if !strings.Contains(string(i.ResponseSchema), `"const":"respond"`) {
			t.Errorf("the schema of the answers is %s, want each decision", i.ResponseSchema)
		}
	}
	one, two, three := ids[`{"a":1}`], ids[`{"a":2}`], ids[`{"a":3}`]

	nine := &agent.Action{Args: json.RawMessage(`{"a":9}`)}
	edit := map[string]any{"decisions": []agent.Decision{{Type: agent.Edit, EditedAction: nine}}}
	_, err = g.Invoke(ctx, graph.Input[agent.State]{Resume: map[string]any{one: "yes", two: edit}}, thread)
	if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "must be a decision") {
		t.Errorf("a wrong answer: %v, want ErrInvalid", err)
	}
	result, err = g.Invoke(ctx, graph.Input[agent.State]{Resume: map[string]any{two: edit}}, thread)
	if err != nil || len(result.Interrupts) != 2 {
		t.Fatalf("Invoke = %+v, %v, want 2 interrupts", result, err)
	}

	result, err = g.Invoke(ctx, agent.Resume(map[string]agent.Decision{
		one: {Type: agent.Approve}, three: {Type: agent.Reject, Message: "Too small."},
	}), thread)
	if err != nil || len(result.Interrupts) != 0 {
		t.Fatalf("Invoke = %+v, %v", result, err)
	}
	want := map[string]string{
		"a": "booked 1", "b": "A person changed the arguments of this call to {\"a\":9}.\nbooked 9",
		"c": "!A person refused this call. Too small.", "d": "free",
	}
	if d := cmp.Diff(want, results(result.State.Messages)); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
	slices.Sort(booked)
	if d := cmp.Diff([]string{"1", "9", "looked"}, booked); d != "" { // each once
		t.Errorf("carried out (-want +got):\n%s", d)
	}
	if got := result.State.Text(); got != "Two of them." || len(model.Asked()) != 1 ||
		result.State.RunCalls.Model != 2 {
		t.Errorf("the agent said %q, asked %d times, counted %d", got, len(model.Asked()), result.State.RunCalls.Model)
	}
}

// TestRespond: a person answers in a tool's place, and is asked about those calls only that the review wants.
func TestRespond(t *testing.T) {
	called := func(context.Context, numbers) (string, error) { return "called", nil }
	ask := agent.NewTool("ask", "Asks the user.", called)
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(asked("1", "ask", `{"a":1}`), asked("2", "ask", `{"a":2}`)), llm.Say("Thanks."),
	)}
	g := compiled(t, model, []agent.Tool{ask}, agent.Options{InterruptOn: map[string]agent.Review{
		"ask": {When: func(call agent.ToolCall) bool { return string(call.Args) == `{"a":2}` }},
	}}, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("ask")), thread)
	if err != nil || len(result.Interrupts) != 1 {
		t.Fatalf("Invoke = %+v, %v, want one question", result, err)
	}
	answer := func(text string) (graph.Result[agent.State], error) {
		respond := agent.Decision{Type: agent.Respond, Message: text}
		return g.Invoke(t.Context(), agent.Resume(map[string]agent.Decision{"": respond}), thread)
	}
	if _, err := answer(""); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("an empty answer: %v, want ErrInvalid", err)
	}
	if result, err = answer("Blue."); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"1": "called", "2": "Blue."}
	if d := cmp.Diff(want, results(result.State.Messages)); d != "" || result.State.Text() != "Thanks." {
		t.Errorf("the agent said %q, results (-want +got):\n%s", result.State.Text(), d)
	}
}

// TestDecisions: what a person may not decide is refused, with a reason, and the question stays open.
func TestDecisions(t *testing.T) {
	book := agent.NewTool("book", "Books.", func(context.Context, numbers) (string, error) { return "booked", nil })
	other := &agent.Action{Name: "burn", Args: json.RawMessage(`{}`)}
	list := &agent.Action{Args: json.RawMessage(`[1]`)}
	edit := func(args string) agent.Decision {
		return agent.Decision{Type: agent.Edit, EditedAction: &agent.Action{Args: json.RawMessage(args)}}
	}
	yes := agent.Decision{Type: agent.Approve}
	for name, test := range map[string]struct {
		answer any
		want   string
	}{
		"not allowed":    {agent.Decision{Type: agent.Reject}, "the type must be one of approve, edit"},
		"no type":        {map[string]any{}, "the type must be one of approve, edit"},
		"a list":         {[]string{"approve"}, "the answer must be a decision"},
		"null":           {nil, "the type must be one of"},
		"two":            {map[string]any{"decisions": []agent.Decision{yes, yes}}, "one call"},
		"no arguments":   {agent.Decision{Type: agent.Edit}, "must have an edited_action"},
		"a list of them": {agent.Decision{Type: agent.Edit, EditedAction: list}, "args are an object"},
		"another tool":   {agent.Decision{Type: agent.Edit, EditedAction: other}, "may not name another tool"},
		"wrong type":     {edit(`{"a":"nine"}`), `do not fit the tool book: "a" must be a whole number`},
		"out of range":   {edit(`{"a":1,"b":11}`), "to 10"},
		"missing":        {edit(`{}`), `"a" is required`},
		"unknown field":  {map[string]any{"decisions": []any{edit(`{"a":1,"c":1}`)}}, `no field "c"`},
	} {
		t.Run(name, func(t *testing.T) {
			model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "book", `{"a":1}`)), llm.Say("Done."))}
			g := compiled(t, model, []agent.Tool{book}, agent.Options{InterruptOn: map[string]agent.Review{
				"book": {Allowed: []agent.DecisionType{agent.Approve, agent.Edit}, Description: "Sure?"},
			}}, mem.New())
			thread := graph.RunOptions{ThreadID: "t"}
			if _, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("book")), thread); err != nil {
				t.Fatal(err)
			}
			answer := graph.Input[agent.State]{Resume: map[string]any{"": test.answer}}
			if _, err := g.Invoke(t.Context(), answer, thread); !errors.Is(err, fault.ErrInvalid) ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("Invoke = %v, want ErrInvalid with %q", err, test.want)
			}
			state, err := g.State(t.Context(), "t", 0)
			if err != nil || len(state.Interrupts) != 1 {
				t.Fatalf("State = %+v, %v, want an interrupt", state, err)
			}
			question, err := agent.ReviewOf(state.Interrupts[0])
			if err != nil || question.ActionRequests[0].Description != "Sure?" {
				t.Errorf("asked %+v, %v", question, err)
			}
			result, err := g.Invoke(t.Context(), agent.Resume(map[string]agent.Decision{"": yes}), thread)
			if err != nil || result.State.Text() != "Done." {
				t.Errorf("Invoke = %+v, %v", result, err)
			}
		})
	}
}

// TestEditedArgumentsOfAPlainTool: a tool that brings its own schema has edited arguments held against it too.
func TestEditedArgumentsOfAPlainTool(t *testing.T) {
	called := func(_ context.Context, args json.RawMessage) (string, error) { return string(args), nil }
	tool := agent.Tool{Name: "pay", Call: called, Schema: json.RawMessage(
		`{"type":"object","required":["yen"],"properties":{"yen":{"type":"integer","exclusiveMinimum":0}}}`,
	)}
	opts := agent.Options{InterruptOn: map[string]agent.Review{"pay": {}}}
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "pay", `{"yen":5}`)), llm.Say("Done."))}
	g := compiled(t, model, []agent.Tool{tool}, opts, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	if _, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("pay")), thread); err != nil {
		t.Fatal(err)
	}
	edit := func(args string) (graph.Result[agent.State], error) {
		edited := agent.Decision{Type: agent.Edit, EditedAction: &agent.Action{Args: json.RawMessage(args)}}
		return g.Invoke(t.Context(), agent.Resume(map[string]agent.Decision{"": edited}), thread)
	}
	for _, wrong := range []string{`{}`, `{"yen":0}`, `{"yen":"7"}`} {
		if _, err := edit(wrong); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "the tool pay") {
			t.Errorf("edited to %s: %v, want ErrInvalid", wrong, err)
		}
	}
	result, err := edit(`{"yen":7}`)
	if said := results(result.State.Messages)["1"]; err != nil || !strings.HasSuffix(said, `{"yen":7}`) {
		t.Errorf("edited to 7 yen: %q, %v", said, err)
	}
	tool.Schema = json.RawMessage(`{"type":"object","properties":{"yen":{"$ref":"#/$defs/none"}}}`)
	if _, err := agent.React(model, []agent.Tool{tool}, opts); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("React with a schema that can't be read = %v, want ErrInvalid", err)
	}
}

// TestOpenQuestionDropped: who says something else while a question is open goes on, and the model is told that the
// call was not carried out.
func TestOpenQuestionDropped(t *testing.T) {
	book := agent.NewTool("book", "Books.", func(context.Context, numbers) (string, error) { return "booked", nil })
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "book", `{"a":1}`)), llm.Say("As you like."))}
	opts := agent.Options{InterruptOn: map[string]agent.Review{"book": {}}}
	g := compiled(t, model, []agent.Tool{book}, opts, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	for _, text := range []string{"book", "never mind"} {
		if _, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage(text)), thread); err != nil {
			t.Fatal(err)
		}
	}
	last := model.Asked()[1].Messages
	if got := last[len(last)-2]; got.CallID != "1" || got.Text != "This call was not carried out." {
		t.Errorf("the model was told %+v", last)
	}
}

// TestLimit: a model that never comes to an end is stopped, and the next run begins anew.
func TestLimit(t *testing.T) {
	again := agent.NewTool("again", "Does nothing.", nothing)
	model := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return llm.Ask(asked("1", "again", `{}`)) }}
	g := compiled(t, model, []agent.Tool{again}, agent.Options{ModelCallLimit: 3}, mem.New())
	for run := 1; run <= 2; run++ {
		result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("go")), graph.RunOptions{ThreadID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := result.State.Text(), "The limit of 3 model calls in one run was reached."; got != want {
			t.Errorf("the agent said %q, want %q", got, want)
		}
		if got := len(model.Asked()); got != 3*run {
			t.Errorf("after run %d the model was asked %d times, want %d", run, got, 3*run)
		}
	}
	if _, err := compiled(t, model, []agent.Tool{again}, agent.Options{}, nil).Invoke(
		t.Context(), agent.Input(agent.HumanMessage("go")), graph.RunOptions{},
	); err != nil {
		t.Errorf("with the limits as they are: %v", err) // 10 calls fit into 25 supersteps
	}
}

// TestManyCalls: of a message with too many calls the first are carried out.
func TestManyCalls(t *testing.T) {
	again := agent.NewTool("again", "Does nothing.", nothing)
	var calls []llm.ToolCall
	for i := range agent.MaxToolCalls + 1 {
		calls = append(calls, asked(strconv.Itoa(i), "again", `{}`))
	}
	model := &llm.Script{Answer: llm.Turns(llm.Ask(calls...), llm.Say("Enough."))}
	result, err := compiled(t, model, []agent.Tool{again}, agent.Options{}, nil).Invoke(
		t.Context(), agent.Input(agent.HumanMessage("go")), graph.RunOptions{},
	)
	if err != nil || len(results(result.State.Messages)) != agent.MaxToolCalls {
		t.Errorf("Invoke = %d results, %v", len(results(result.State.Messages)), err)
	}
}

// TestTimeouts: a tool has its own time, whether it heeds it or not.
func TestTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heeds := agent.NewTool("heeds", "Waits.", func(ctx context.Context, _ struct{}) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		})
		deaf := agent.NewTool("deaf", "Waits.", func(context.Context, struct{}) (string, error) {
			time.Sleep(time.Minute)
			return "late", nil
		})
		heeds.Timeout, deaf.Timeout = 2*time.Second, 3*time.Second
		model := &llm.Script{Answer: llm.Turns(
			llm.Ask(asked("1", "heeds", `{}`), asked("2", "deaf", `{}`)), llm.Say("Too slow."),
		)}
		g := compiled(t, model, []agent.Tool{heeds, deaf}, agent.Options{}, nil)
		began := time.Now()
		result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("go")), graph.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 4*time.Second {
			t.Errorf("the run took %s, want 4s", took)
		}
		want := map[string]string{
			"1": "!tool heeds had no answer in 2s: unavailable", "2": "!tool deaf had no answer in 3s: unavailable",
		}
		if d := cmp.Diff(want, results(result.State.Messages)); d != "" {
			t.Errorf("results (-want +got):\n%s", d)
		}
		time.Sleep(time.Minute) // for what was left behind
	})
}

// TestCancelled: a run that is told to end does, and no tool's result is made up.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	wait := agent.NewTool("wait", "Waits.", func(ctx context.Context, _ struct{}) (string, error) {
		cancel()
		<-ctx.Done()
		return "", ctx.Err()
	})
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "wait", `{}`)))}
	result, err := compiled(t, model, []agent.Tool{wait}, agent.Options{}, nil).Invoke(
		ctx, agent.Input(agent.HumanMessage("go")), graph.RunOptions{},
	)
	if !errors.Is(err, context.Canceled) || len(results(result.State.Messages)) != 0 {
		t.Errorf("Invoke = %+v, %v, want Canceled", result, err)
	}
}

// TestModelFails: the run ends with the model's failure, and goes on from there.
func TestModelFails(t *testing.T) {
	model := &llm.Script{Answer: llm.Turns(llm.Cut("Hel"), llm.Say("Hello."))}
	g := compiled(t, model, nil, agent.Options{}, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	if _, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("hi")), thread); llm.KindOf(err) != llm.CutOff {
		t.Errorf("Invoke = %v, want CutOff", err)
	}
	result, err := g.Invoke(t.Context(), graph.Input[agent.State]{}, thread)
	if err != nil || result.State.Text() != "Hello." || len(result.State.Messages) != 2 {
		t.Errorf("Invoke = %+v, %v", result, err)
	}
}

// TestStreamed: pieces of text have the id of the message that they become.
func TestStreamed(t *testing.T) {
	model := &llm.Script{Answer: llm.Turns(llm.Say("Good ", "morning."))}
	g := compiled(t, model, nil, agent.Options{}, nil)
	var pieces []string
	var last agent.Message
	id := ""
	modes := graph.RunOptions{Modes: []graph.Mode{graph.ModeMessages}}
	for event, err := range g.Stream(t.Context(), agent.Input(agent.HumanMessage("hi")), modes) {
		if err != nil {
			t.Fatal(err)
		}
		switch e := event.(type) {
		case graph.MessageEvent:
			m, _ := e.Message.(agent.Message)
			pieces, id = append(pieces, m.Text), m.ID
		case graph.ResultEvent[agent.State]:
			last = e.Result.State.Messages[1]
		}
	}
	if d := cmp.Diff([]string{"Good ", "morning."}, pieces); d != "" || id == "" || last.ID != id {
		t.Errorf("pieces with the id %q of message %q (-want +got):\n%s", id, last.ID, d)
	}
	if got := string(last.Extra["usage_metadata"]); got != `{"input_tokens":1,"output_tokens":2,"total_tokens":3}` {
		t.Errorf("usage %s", got)
	}
}

// TestStructured: after its last word the model is asked for the answer in a form, without tools.
func TestStructured(t *testing.T) {
	format := json.RawMessage(`{"type":"object","properties":{"sum":{"type":"integer"}}}`)
	add := agent.NewTool("add", "Adds.", func(_ context.Context, n numbers) (int, error) { return n.A + n.B, nil })
	model := &llm.Script{Answer: llm.Turns(
		llm.Ask(asked("1", "add", `{"a":1,"b":2}`)), llm.Say("It is three."), llm.Say(`{"sum":3}`),
		llm.Say("hm"), llm.Say("three"),
	)}
	g := compiled(t, model, []agent.Tool{add}, agent.Options{ResponseFormat: format}, nil)
	result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("1+2")), graph.RunOptions{})
	if err != nil || string(result.State.StructuredResponse) != `{"sum":3}` || result.State.Text() != "It is three." {
		t.Errorf("Invoke = %+v, %v", result.State, err)
	}
	last := model.Asked()[2]
	if end := last.Messages[len(last.Messages)-1]; end.Role != llm.Result || end.Text != "3" || len(last.Tools) != 0 {
		t.Errorf("asked for the form with %+v", last)
	}
	_, err = g.Invoke(t.Context(), agent.Input(agent.HumanMessage("1+2")), graph.RunOptions{})
	if llm.KindOf(err) != llm.Malformed {
		t.Errorf("Invoke with an answer that is no JSON = %v, want Malformed", err)
	}
}

// TestWrong: what can't be right is reported at once, all of it.
func TestWrong(t *testing.T) {
	good := agent.NewTool("good", "Good.", nothing)
	_, err := agent.React(nil, []agent.Tool{
		good, good, agent.NewTool("Bad Name", "Bad.", nothing), agent.NewTool("silent", "", nothing),
		agent.NewTool("text", "Text.", func(context.Context, string) (string, error) { return "", nil }),
		agent.NewTool[struct{}, string]("idle", "Idle.", nil),
		{Name: "bare"},
	}, agent.Options{InterruptOn: map[string]agent.Review{"gone": {}}, ResponseFormat: json.RawMessage(`[]`)})
	if !errors.Is(err, fault.ErrInvalid) {
		t.Fatalf("React = %v, want ErrInvalid", err)
	}
	for _, part := range []string{
		`"good" is there twice`, `"Bad Name" has a name`, `"silent" lacks a description`, `text takes string`,
		`"idle" does nothing`, `"bare" lacks`, `interrupt on "gone"`, `without a model`, `response format`,
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("React = %v, which does not say %q", err, part)
		}
	}
}
