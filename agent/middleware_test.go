package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
)

// ran runs an agent once, without a checkpointer unless a store is given.
func ran(
	t *testing.T, model llm.Model, tools []agent.Tool, text string, middleware ...agent.Middleware,
) (graph.Result[agent.State], error) {
	t.Helper()
	g := compiled(t, model, tools, agent.Options{Middleware: middleware}, nil)
	return g.Invoke(t.Context(), agent.Input(agent.HumanMessage(text)), graph.RunOptions{})
}

// recorder is what middleware did, in order.
type recorder struct {
	mu    sync.Mutex
	lines []string
}

func (d *recorder) add(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// every is a middleware that takes part everywhere.
func (d *recorder) every(name string) agent.Middleware {
	hook := func(kind string) graph.Node[agent.State] {
		return func(_ context.Context, s agent.State) (graph.Command[agent.State], error) {
			d.add("%s %s %d", name, kind, len(s.Messages))
			return graph.Command[agent.State]{}, nil
		}
	}
	return agent.Middleware{
		Name: name, BeforeAgent: hook("before_agent"), BeforeModel: hook("before_model"),
		AfterModel: hook("after_model"), AfterAgent: hook("after_agent"),
		WrapModelCall: func(ctx context.Context, r agent.ModelRequest, next agent.ModelHandler) (agent.Message, error) {
			d.add("%s model", name)
			defer d.add("%s model over", name)
			return next(ctx, r)
		},
		WrapToolCall: func(ctx context.Context, r agent.ToolRequest, next agent.ToolHandler) (agent.ToolResult, error) {
			d.add("%s tool %s", name, r.Call.Name)
			defer d.add("%s tool over", name)
			return next(ctx, r)
		},
	}
}

// TestMiddlewareOrder: before goes forward, after goes back, and the first stands outermost.
func TestMiddlewareOrder(t *testing.T) {
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "look", `{}`)), llm.Say("Done."))}
	d := new(recorder)
	look := agent.NewTool("look", "Looks.", nothing)
	if _, err := ran(t, model, []agent.Tool{look}, "go", d.every("a"), d.every("b")); err != nil {
		t.Fatal(err)
	}
	turn := func(n int) []string {
		return []string{
			fmt.Sprintf("a before_model %d", n), fmt.Sprintf("b before_model %d", n),
			"a model", "b model", "b model over", "a model over",
			fmt.Sprintf("b after_model %d", n+1), fmt.Sprintf("a after_model %d", n+1),
		}
	}
	want := slices.Concat([]string{"a before_agent 1", "b before_agent 1"}, turn(1),
		[]string{"a tool look", "b tool look", "b tool over", "a tool over"}, turn(3),
		[]string{"b after_agent 4", "a after_agent 4"})
	if diff := cmp.Diff(want, d.lines); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// TestJumps: hooks lead the agent elsewhere.
func TestJumps(t *testing.T) {
	add := func(id, text, to string) graph.Command[agent.State] {
		m := agent.HumanMessage(text)
		m.ID = id
		return graph.Command[agent.State]{
			Update: graph.Update[agent.State]{agent.StateMessages.Write([]agent.Message{m})},
			Goto:   to,
		}
	}
	look := agent.NewTool("look", "Looks.", nothing)
	for name, test := range map[string]struct {
		middleware agent.Middleware
		asked      int
		want       string
	}{
		"to the end before the model": {agent.Middleware{
			BeforeModel: func(context.Context, agent.State) (graph.Command[agent.State], error) {
				return add("x", "stop", agent.JumpEnd), nil
			},
		}, 0, "go, stop"},
		"to the end before the agent": {agent.Middleware{
			BeforeAgent: func(context.Context, agent.State) (graph.Command[agent.State], error) {
				return add("x", "stop", agent.JumpEnd), nil
			},
		}, 0, "go, stop"},
		"back to the model": {agent.Middleware{
			AfterModel: func(_ context.Context, s agent.State) (graph.Command[agent.State], error) {
				if s.RunCalls.Model == 1 {
					return add("x", "again", agent.JumpModel), nil
				}
				return graph.Command[agent.State]{}, nil
			},
		}, 2, "go, one, again, two"},
		"to the tools before the model": {agent.Middleware{
			BeforeAgent: func(_ context.Context, s agent.State) (graph.Command[agent.State], error) {
				m := agent.AIMessage("", agent.ToolCall{ID: "1", Name: "look"})
				m.ID = "x"
				return graph.Command[agent.State]{
					Update: graph.Update[agent.State]{agent.StateMessages.Write([]agent.Message{m})},
					Goto:   agent.JumpTools,
				}, nil
			},
		}, 1, "go, , ok, one"},
	} {
		t.Run(name, func(t *testing.T) {
			model := &llm.Script{Answer: llm.Turns(llm.Say("one"), llm.Say("two"))}
			test.middleware.Name, test.middleware.CanJumpTo = "x", []string{
				agent.JumpModel,
				agent.JumpTools,
				agent.JumpEnd,
			}
			result, err := ran(t, model, []agent.Tool{look}, "go", test.middleware)
			var texts []string
			for _, m := range result.State.Messages {
				texts = append(texts, m.Text)
			}
			if got := strings.Join(texts, ", "); err != nil || got != test.want || len(model.Asked()) != test.asked {
				t.Errorf(
					"said %q, asked %d times, %v; want %q, %d",
					got,
					len(model.Asked()),
					err,
					test.want,
					test.asked,
				)
			}
		})
	}
	wild := agent.Middleware{
		Name: "w",
		BeforeModel: func(context.Context, agent.State) (graph.Command[agent.State], error) {
			return graph.Command[agent.State]{Goto: agent.JumpEnd}, nil
		},
	}
	if _, err := ran(t, &llm.Script{}, nil, "go", wild); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("a jump that was not announced: %v, want ErrInvalid", err)
	}
}

// TestHookAsks: a hook asks a person, and what ran before it does not run again.
func TestHookAsks(t *testing.T) {
	d := new(recorder)
	ask := agent.Middleware{
		Name: "ask",
		AfterModel: func(ctx context.Context, s agent.State) (graph.Command[agent.State], error) {
			var reply string
			if answered, err := graph.Answer(ctx, 0, &reply); err != nil || !answered {
				return graph.Command[agent.State]{Interrupt: &graph.Interrupt{Question: "Send " + s.Text() + "?"}}, err
			}
			d.add("%s", reply)
			return graph.Command[agent.State]{}, nil
		},
	}
	model := &llm.Script{Answer: llm.Turns(llm.Say("a letter"))}
	g := compiled(t, model, nil, agent.Options{Middleware: []agent.Middleware{ask}}, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("write")), thread)
	if err != nil || len(result.Interrupts) != 1 || result.Interrupts[0].Question != "Send a letter?" {
		t.Fatalf("Invoke = %+v, %v", result, err)
	}
	if _, err = g.Invoke(t.Context(), graph.Input[agent.State]{Resume: map[string]any{"": "yes"}}, thread); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"yes"}, d.lines); diff != "" || len(model.Asked()) != 1 {
		t.Errorf("asked the model %d times (-want +got):\n%s", len(model.Asked()), diff)
	}
}

// TestMiddlewareWrong: what can't be right is reported at once.
func TestMiddlewareWrong(t *testing.T) {
	_, err := agent.React(&llm.Script{}, nil, agent.Options{Middleware: []agent.Middleware{
		{},
		{Name: "twice"},
		{Name: "twice"},
		{Name: "far", CanJumpTo: []string{"moon"}},
		agent.ModelCallLimit(agent.CallLimits{}), agent.ToolCallLimit("x", agent.CallLimits{Run: -1}),
		agent.ModelFallback(), agent.ToolRetry(graph.Retry{}), agent.PII(agent.PIIOptions{}),
		agent.Summarization(nil, agent.SummarizationOptions{}), agent.ToolSelector(nil, 0),
	}})
	if !errors.Is(err, fault.ErrInvalid) {
		t.Fatalf("React = %v, want ErrInvalid", err)
	}
	for _, part := range []string{
		`"" has no name`, `"twice" has no name`, `to "moon"`, "ModelCallLimit", "ToolCallLimit[x]", "ModelFallback",
		"ToolRetry", "PII", "Summarization", "ToolSelector",
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("React = %v, which does not say %q", err, part)
		}
	}
}

// TestModelCallLimit: the limit of a thread holds over its runs, that of a run only in it.
func TestModelCallLimit(t *testing.T) {
	again := agent.NewTool("again", "Does nothing.", nothing)
	for _, test := range []struct {
		limits agent.CallLimits
		asked  int // after two runs
		want   string
	}{
		{agent.CallLimits{Run: 2}, 4, "The limit of 2 model calls in one run was reached."},
		{agent.CallLimits{Thread: 3}, 3, "The limit of 3 model calls on one thread was reached."},
		{agent.CallLimits{Thread: 3, Exit: agent.ExitError}, 3, ""},
	} {
		model := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return llm.Ask(asked("1", "again", `{}`)) }}
		g := compiled(t, model, []agent.Tool{again},
			agent.Options{Middleware: []agent.Middleware{agent.ModelCallLimit(test.limits)}}, mem.New())
		for range 2 {
			result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("go")), graph.RunOptions{ThreadID: "t"})
			if test.want == "" && !errors.Is(err, agent.ErrCallLimit) ||
				test.want != "" && result.State.Text() != test.want {
				t.Errorf("%+v: %q, %v", test.limits, result.State.Text(), err)
			}
		}
		if got := len(model.Asked()); got != test.asked {
			t.Errorf("%+v: asked %d times, want %d", test.limits, got, test.asked)
		}
	}
}

// TestToolCallLimit: of the calls that are too many the model is told, or the run ends.
func TestToolCallLimit(t *testing.T) {
	again, other := agent.NewTool("again", "Does nothing.", nothing), agent.NewTool("other", "Does nothing.", nothing)
	ended := "The limit of 2 calls of again in one run was reached."
	refused := "!The limit of 2 calls of again in one run was reached. Do not make such a call again."
	for _, test := range []struct {
		exit    agent.ExitBehavior
		results map[string]string
		text    string
	}{
		{"", map[string]string{"1": "ok", "2": "ok", "3": refused, "4": "ok", "5": refused}, "Enough."},
		{agent.ExitEnd, map[string]string{"1": "ok", "3": refused}, ended},
		{agent.ExitError, nil, ""},
	} {
		model := &llm.Script{Answer: llm.Turns(
			llm.Ask(asked("1", "again", `{}`)),
			llm.Ask(asked("2", "again", `{}`), asked("3", "again", `{}`), asked("4", "other", `{}`)),
			llm.Ask(asked("5", "again", `{}`)), llm.Say("Enough."),
		)}
		result, err := ran(t, model, []agent.Tool{again, other}, "go",
			agent.ToolCallLimit("again", agent.CallLimits{Run: 2, Exit: test.exit}))
		if test.results == nil {
			if !errors.Is(err, agent.ErrCallLimit) {
				t.Errorf("exit %q: %v, want ErrCallLimit", test.exit, err)
			}
			continue
		}
		if diff := cmp.Diff(
			test.results,
			results(result.State.Messages),
		); err != nil || diff != "" ||
			result.State.Text() != test.text {
			t.Errorf("exit %q: %q, %v (-want +got):\n%s", test.exit, result.State.Text(), err, diff)
		}
	}
	model := &llm.Script{
		Answer: llm.Turns(llm.Ask(asked("1", "again", `{}`), asked("2", "other", `{}`)), llm.Say("Ok.")),
	}
	result, err := ran(t, model, []agent.Tool{again, other}, "go", agent.ToolCallLimit("", agent.CallLimits{Thread: 1}))
	if got := results(
		result.State.Messages,
	); err != nil || got["1"] != "ok" ||
		!strings.HasPrefix(got["2"], "!The limit of 1 tool") {
		t.Errorf("all tools: %v, %v", got, err)
	}
}

// TestModelRetryAndFallback: a busy model is asked again, then the other one; what began to speak is left as it is.
func TestModelRetryAndFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := &llm.Script{As: "busy", Answer: func(int, llm.Request) []llm.Step { return llm.Fail(llm.Unavailable) }}
		none := &llm.Script{As: "none", Answer: func(int, llm.Request) []llm.Step { return llm.Fail(llm.Auth) }}
		good := &llm.Script{As: "good", Answer: llm.Turns(llm.Say("Hello."))}
		retry := agent.ModelRetry(llm.RetryOptions{Times: 1})
		result, err := ran(t, busy, nil, "hi", agent.ModelFallback(none, good), retry)
		if err != nil || result.State.Text() != "Hello." || len(busy.Asked()) != 2 || len(none.Asked()) != 1 {
			t.Errorf("%q, %v; asked %d and %d times", result.State.Text(), err, len(busy.Asked()), len(none.Asked()))
		}
		_, err = ran(t, busy, nil, "hi", agent.ModelFallback(none))
		if llm.KindOf(err) != llm.Auth || !strings.Contains(err.Error(), "busy") {
			t.Errorf("all fail: %v, want what each said", err)
		}
		cut := &llm.Script{Answer: llm.Turns(llm.Cut("Hel"))}
		spare := &llm.Script{Answer: llm.Turns(llm.Say("Bye."))}
		if _, err = ran(
			t,
			cut,
			nil,
			"hi",
			agent.ModelFallback(spare),
		); llm.KindOf(err) != llm.CutOff ||
			len(spare.Asked()) != 0 {
			t.Errorf("a model that was cut off: %v, want CutOff", err)
		}
	})
}

// TestToolRetry: a tool is called again, as often as the policy says, and only those that are named.
func TestToolRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := map[string]int{}
		tool := func(name string, kind error) agent.Tool {
			return agent.NewTool(name, "Fails twice.", func(context.Context, struct{}) (string, error) {
				if calls[name]++; calls[name] < 3 {
					return "", fmt.Errorf("try %d: %w", calls[name], kind)
				}
				return "ok", nil
			})
		}
		model := &llm.Script{Answer: llm.Turns(
			llm.Ask(
				asked("1", "busy", `{}`),
			),
			llm.Ask(asked("2", "wrong", `{}`)),
			llm.Ask(asked("3", "else", `{}`)),
			llm.Say("Ok."),
		)}
		tools := []agent.Tool{
			tool("busy", fault.ErrUnavailable),
			tool("wrong", fault.ErrInvalid),
			tool("else", fault.ErrUnavailable),
		}
		result, err := ran(
			t,
			model,
			tools,
			"go",
			agent.ToolRetry(graph.Retry{Attempts: 3, Wait: time.Second}, "busy", "wrong"),
		)
		want := map[string]string{
			"1": "ok", "2": `!call tool "wrong": try 1: invalid`, "3": `!call tool "else": try 1: unavailable`,
		}
		if diff := cmp.Diff(want, results(result.State.Messages)); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

// TestSummarization: an old part of the talk becomes a summary, calls and results stay together, and a model that can't
// leaves the talk as it is.
func TestSummarization(t *testing.T) {
	small := &llm.Script{As: "small", Answer: llm.Turns(llm.Say("They ", "greeted."), llm.Fail(llm.Unavailable))}
	model := &llm.Script{Answer: llm.Turns(
		llm.Say("Hello."), llm.Ask(asked("1", "look", `{}`)), llm.Say("It is free."), llm.Say("Good."),
	)}
	look := agent.NewTool("look", "Looks.", func(context.Context, struct{}) (string, error) { return "free", nil })
	g := compiled(t, model, []agent.Tool{look}, agent.Options{Middleware: []agent.Middleware{
		agent.Summarization(small, agent.SummarizationOptions{TriggerMessages: 5, KeepMessages: 1}),
	}}, mem.New())
	said := func(text string) agent.State {
		t.Helper()
		result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage(text)), graph.RunOptions{ThreadID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		return result.State
	}
	said("hi")
	s := said("is it free?")
	if got := s.Messages[0]; got.Type != agent.TypeHuman ||
		got.Text != "Here is a summary of the conversation to date:\n\nThey greeted." {
		t.Errorf("the talk begins with %+v", got)
	}
	var kinds []string
	for _, m := range s.Messages {
		kinds = append(kinds, string(m.Type))
	}
	if diff := cmp.Diff([]string{"human", "ai", "tool", "ai"}, kinds); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if got := small.Asked()[0].Messages[1].Text; got != "human: hi\nai: Hello.\nhuman: is it free?" {
		t.Errorf("summarised: %q", got)
	}
	if s = said("thanks"); len(s.Messages) != 6 || s.Text() != "Good." {
		t.Errorf("after a summary that failed: %d messages, %q", len(s.Messages), s.Text())
	}
}

// TestSummaryInput: of a talk that is too long the middle is left out, the last summary is not.
func TestSummaryInput(t *testing.T) {
	small := &llm.Script{Answer: llm.Turns(llm.Say("Short."))}
	model := &llm.Script{Answer: llm.Turns(llm.Say("Ok."))}
	g := compiled(t, model, nil, agent.Options{Middleware: []agent.Middleware{agent.Summarization(small,
		agent.SummarizationOptions{TriggerTokens: 60, KeepMessages: 1, MaxInput: 50})}}, nil)
	talk := []agent.Message{agent.HumanMessage("The first.")}
	for i := range 9 {
		talk = append(talk, agent.HumanMessage(fmt.Sprintf("日本語の長い文 %d", i)))
	}
	if _, err := g.Invoke(t.Context(), agent.Input(talk...), graph.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	got := small.Asked()[0].Messages[1].Text
	if !strings.HasPrefix(got, "human: The first.\n[messages left out]\nhuman: ") || !strings.HasSuffix(got, "文 7") ||
		strings.Contains(got, "文 0") {
		t.Errorf("summarised:\n%s", got)
	}
}

// TestToolSelector: the model is offered what was chosen and what always is.
func TestToolSelector(t *testing.T) {
	var tools []agent.Tool
	for _, name := range []string{"one", "two", "three", "help"} {
		tools = append(tools, agent.NewTool(name, "Is "+name+".", nothing))
	}
	small := &llm.Script{Answer: llm.Turns(llm.Say(`{"tools":["moon","two","three"]}`), llm.Say("hm"))}
	model := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return llm.Say("Ok.") }}
	offered := func(want ...string) {
		t.Helper()
		if _, err := ran(t, model, tools, "two, please", agent.ToolSelector(small, 1, "help")); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tool := range model.Asked()[len(model.Asked())-1].Tools {
			got = append(got, tool.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("offered (-want +got):\n%s", diff)
		}
	}
	offered("two", "help")
	offered("one", "two", "three", "help") // the choice can't be read
	var form struct{ Required []string }
	if request := small.Asked()[0]; json.Unmarshal(request.Schema, &form) != nil || len(form.Required) != 1 {
		t.Errorf("asked with the form %s", request.Schema)
	}
}

// TestHooksOnce: what a hook did before the model failed is not done again.
func TestHooksOnce(t *testing.T) {
	d := new(recorder)
	model := &llm.Script{Answer: llm.Turns(llm.Fail(llm.Unavailable), llm.Say("Hello."))}
	opts := agent.Options{Middleware: []agent.Middleware{d.every("a")}}
	g := compiled(t, model, nil, opts, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	if _, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("hi")), thread); err == nil {
		t.Fatal("the model did not fail")
	}
	result, err := g.Invoke(t.Context(), graph.Input[agent.State]{}, thread)
	if err != nil || result.State.Text() != "Hello." {
		t.Fatalf("Invoke = %+v, %v", result, err)
	}
	want := []string{
		"a before_agent 1", "a before_model 1", "a model", "a model over",
		"a model", "a model over", "a after_model 2", "a after_agent 2",
	}
	if diff := cmp.Diff(want, d.lines); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// TestMiddlewareSteps: an agent with middleware may make as many supersteps as its calls of the model need, without
// anybody saying so, and as many again for an agent inside.
func TestMiddlewareSteps(t *testing.T) {
	again := agent.NewTool("again", "Does nothing.", nothing)
	busy := func(calls int) *llm.Script {
		return &llm.Script{Answer: func(n int, _ llm.Request) []llm.Step {
			if n < calls {
				return llm.Ask(asked("1", "again", `{}`))
			}
			return llm.Say("Done.")
		}}
	}
	opts := agent.Options{Middleware: []agent.Middleware{new(recorder).every("a"), new(recorder).every("b")}}
	inner := compiled(t, busy(9), []agent.Tool{again}, opts, nil)
	model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "inner", `{"request":"go"}`)), llm.Say("All done."))}
	tools := []agent.Tool{agent.AsTool("inner", "Works.", inner)}
	result, err := compiled(t, model, tools, agent.Options{}, nil).Invoke(
		t.Context(), agent.Input(agent.HumanMessage("go")), graph.RunOptions{})
	if err != nil || results(result.State.Messages)["1"] != "Done." {
		t.Errorf("Invoke = %+v, %v", result.State.Messages, err)
	}
}
