package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/agent"
	"annai/graph"
	"annai/llm"
	"annai/storage/mem"
)

// TestDetectors: what is found, and what only looks like it.
func TestDetectors(t *testing.T) {
	for _, test := range []struct {
		detector agent.PIIDetector
		text     string
		want     []string
	}{
		{agent.Email, "Mail ann.b+c@mail.example.com, or bob＠example.jp. Not a@b or @ann.", []string{
			"ann.b+c@mail.example.com", "bob＠example.jp",
		}},
		{agent.Phone, "電話は03-1234-5678、090 1234 5678、０９０－１２３４－５６７８です", []string{
			"03-1234-5678", "090 1234 5678", "０９０－１２３４－５６７８",
		}},
		{agent.Phone, "+81 90-1234-5678 or (555) 123-4567", []string{"+81 90-1234-5678", "(555) 123-4567"}},
		{agent.Phone, "on 2026-11-28 at 10:00, 10,000 yen, room 0301, id 550e8400123456789", nil},
		{agent.CreditCard, "4111 1111 1111 1111 and 5500-0000-0000-0004, not 4111 1111 1111 1112", []string{
			"4111 1111 1111 1111", "5500-0000-0000-0004",
		}},
		{agent.CreditCard, "４１１１１１１１１１１１１１１１", []string{"４１１１１１１１１１１１１１１１"}},
		{agent.IP, "from 192.168.0.1 and 2001:db8::1, not 1.2.3 at 10:30 or 300.1.1.1", []string{
			"192.168.0.1", "2001:db8::1",
		}},
		{agent.URL, "see https://example.com/a?b=c. Or www.example.org、それと", []string{
			"https://example.com/a?b=c", "www.example.org",
		}},
	} {
		var got []string
		for _, at := range test.detector.Find(test.text) {
			got = append(got, test.text[at[0]:at[1]])
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s in %q (-want +got):\n%s", test.detector.Name, test.text, diff)
		}
	}
}

// TestPII: personal data neither reach the model nor stay in the state, in what is said, answered and told by tools.
func TestPII(t *testing.T) {
	for _, test := range []struct {
		opts             agent.PIIOptions
		said, told, last string
	}{
		{
			agent.PIIOptions{},
			"I am [REDACTED_EMAIL], card [REDACTED_CREDIT_CARD]", "bob@example.com", "Ask bob@example.com",
		},
		{
			agent.PIIOptions{Strategy: agent.PIIMask, Input: true, Output: true, ToolResults: true},
			"I am ****e.com, card ****1111", "****e.com", "Ask ****e.com",
		},
		{
			agent.PIIOptions{Strategy: agent.PIIHash, Key: []byte("k"), Input: true, ToolResults: true},
			"I am <email_hash:812b5e65>, card <credit_card_hash:ea8f1cf8>",
			"<email_hash:3c106b25>", "Ask bob@example.com",
		},
		{
			agent.PIIOptions{Strategy: agent.PIIBlock, Output: true, ToolResults: true, Refusal: "Not that."},
			"I am ann@example.com, card 4111111111111111", "!Not that.", "Not that.",
		},
	} {
		model := &llm.Script{Answer: llm.Turns(llm.Ask(asked("1", "who", `{}`)), llm.Say("Ask ", "bob@example.com"))}
		who := agent.NewTool(
			"who",
			"Tells who.",
			func(context.Context, struct{}) (string, error) { return "bob@example.com", nil },
		)
		g := compiled(t, model, []agent.Tool{who}, agent.Options{
			Middleware: []agent.Middleware{agent.PII(test.opts, agent.Email, agent.CreditCard)},
		}, nil)
		var streamed strings.Builder
		var s agent.State
		input := agent.Input(agent.HumanMessage("I am ann@example.com, card 4111111111111111"))
		for e, err := range g.Stream(t.Context(), input, graph.RunOptions{Modes: []graph.Mode{graph.ModeMessages}}) {
			if err != nil {
				t.Fatal(err)
			}
			switch e := e.(type) {
			case graph.MessageEvent:
				m, _ := e.Message.(agent.Message)
				streamed.WriteString(m.Text)
			case graph.ResultEvent[agent.State]:
				s = e.Result.State
			}
		}
		if s.Messages[0].Text != test.said || results(s.Messages)["1"] != test.told || s.Text() != test.last {
			t.Errorf(
				"%+v: said %q, told %q, answered %q",
				test.opts,
				s.Messages[0].Text,
				results(s.Messages)["1"],
				s.Text(),
			)
		}
		second := model.Asked()[1].Messages
		if second[0].Text != test.said || second[2].Text != strings.TrimPrefix(test.told, "!") {
			t.Errorf("%+v: the model was told %+v", test.opts, second)
		}
		if got := streamed.String(); test.opts.Output && got != "" || !test.opts.Output && got != s.Text() {
			t.Errorf("%+v: streamed %q", test.opts, got)
		}
	}
}

// TestPIIToolCalls: the model gives personal data neither to a tool nor to the state, in any part of the arguments.
func TestPIIToolCalls(t *testing.T) {
	type note struct {
		To   string   `json:"to"`
		Card string   `json:"card"`
		Also []string `json:"also"`
	}
	const call = `{"to":"ann@example.com","card":4111111111111111,"also":["x","<c@example.com>"]}`
	const odd = `{"n":1.50,"bob@example.com":{"to":"ann@example.com"}}`
	for strategy, want := range map[agent.PIIStrategy]string{
		agent.PIIRedact: `{"also":["x","<[REDACTED_EMAIL]>"],"card":"[REDACTED_CREDIT_CARD]","to":"[REDACTED_EMAIL]"}` +
			`{"[REDACTED_EMAIL]":{"to":"[REDACTED_EMAIL]"},"n":1.50}`,
		agent.PIIBlock: "",
	} {
		told := ""
		send := agent.NewTool("send", "Sends.", func(_ context.Context, n note) (string, error) {
			told = n.To
			return "sent", nil
		})
		model := &llm.Script{Answer: llm.Turns(
			llm.Ask(asked("1", "send", call), asked("2", "send", odd)), llm.Say("Done, ann@example.com."),
		)}
		opts := agent.PIIOptions{Strategy: strategy, ToolCalls: true, Refusal: "Not that."}
		g := compiled(t, model, []agent.Tool{send}, agent.Options{
			Middleware: []agent.Middleware{agent.PII(opts, agent.Email, agent.CreditCard)},
		}, nil)
		result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("send")), graph.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		said := result.State.Messages[1]
		if strategy == agent.PIIBlock {
			if said.Text != "Not that." || len(said.ToolCalls) > 0 || told != "" {
				t.Errorf("the model said %+v, the tool was told %q; want a refusal", said, told)
			}
			continue
		}
		got := string(said.ToolCalls[0].Args) + string(said.ToolCalls[1].Args)
		if got != want || told != "[REDACTED_EMAIL]" {
			t.Errorf("the call is %s, the tool was told %q, answered %v; want %s",
				got, told, results(result.State.Messages), want)
		}
		if got := result.State.Text(); got != "Done, ann@example.com." {
			t.Errorf("the model said %q, which was not to be looked at", got)
		}
	}
}

// TestPIIBlock: a message with personal data is taken out, and the talk goes on without it.
func TestPIIBlock(t *testing.T) {
	model := &llm.Script{Answer: llm.Turns(llm.Say("Hello."))}
	g := compiled(t, model, nil, agent.Options{Middleware: []agent.Middleware{
		agent.PII(agent.PIIOptions{Strategy: agent.PIIBlock}, agent.Email),
	}}, mem.New())
	thread := graph.RunOptions{ThreadID: "t"}
	result, err := g.Invoke(t.Context(), agent.Input(agent.HumanMessage("I am ann@example.com")), thread)
	if err != nil || len(result.State.Messages) != 1 || !strings.Contains(result.State.Text(), "personal data") {
		t.Errorf("Invoke = %+v, %v", result.State.Messages, err)
	}
	result, err = g.Invoke(t.Context(), agent.Input(agent.HumanMessage("hi")), thread)
	if err != nil || result.State.Text() != "Hello." || len(model.Asked()) != 1 {
		t.Errorf("Invoke = %+v, %v", result.State.Messages, err)
	}
}

func FuzzDetectors(f *testing.F) {
	f.Add("+81 90-1234-5678 ann@example.com 4111111111111111 2001:db8::1 https://a.b/c")
	f.Add("（０３）１２３４－５６７８＠")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []agent.PIIDetector{agent.Email, agent.Phone, agent.CreditCard, agent.IP, agent.URL} {
			for _, at := range d.Find(text) {
				if at[0] < 0 || at[0] >= at[1] || at[1] > len(text) {
					t.Errorf("%s found %v in %q", d.Name, at, text)
				}
			}
		}
	})
}
