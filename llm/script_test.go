package llm_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/llm"
	"annai/llm/llmtest"
)

// steps are a script's reading of a reply.
func steps(reply llmtest.Reply) []llm.Step {
	if reply.Fail != "" {
		return []llm.Step{{Fail: &llm.Failure{Kind: reply.Fail, RetryAfter: reply.RetryAfter}}}
	}
	all := append([]llm.Step{{}}, llm.Cut(reply.Pieces...)...) // first a piece without words
	for _, c := range reply.Calls {
		all = append(all, llm.Step{Delta: llm.Delta{Call: &c}})
	}
	switch {
	case reply.Hang:
		return append(all, llm.Step{Wait: time.Hour})
	case reply.Stop == "":
		return all
	default:
		return append(all, llm.Step{Delta: llm.Delta{End: &llm.End{Stop: reply.Stop, Usage: reply.Usage}}})
	}
}

func TestScript(t *testing.T) {
	llmtest.Run(t, func(_ *testing.T, reply llmtest.Reply) llm.Model {
		return &llm.Script{Answer: func(int, llm.Request) []llm.Step { return steps(reply) }}
	})
}

// Every model around a model keeps the contract too.
func TestModelsAroundAModel(t *testing.T) {
	for name, around := range map[string]func(llm.Model) llm.Model{
		"deadline": func(m llm.Model) llm.Model { return llm.Deadline(m, time.Hour, time.Hour) },
		"retry":    func(m llm.Model) llm.Model { return llm.Retry(m, llm.RetryOptions{Backoff: time.Nanosecond}) },
		"fallback": func(m llm.Model) llm.Model { return llm.Fallback(m) },
		"breaker":  func(m llm.Model) llm.Model { return llm.Breaker(m, time.Now, llm.BreakerOptions{}) },
		"limit":    func(m llm.Model) llm.Model { return llm.Limit(m, 2) },
		"guard": func(m llm.Model) llm.Model {
			return llm.Guard(m, time.Now, llm.GuardOptions{Whole: time.Hour, First: time.Hour, Retry: llm.RetryOptions{Backoff: time.Nanosecond}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			llmtest.Run(t, func(_ *testing.T, reply llmtest.Reply) llm.Model {
				return around(&llm.Script{Answer: func(int, llm.Request) []llm.Step { return steps(reply) }})
			})
		})
	}
}

func collect(t *testing.T, m llm.Model) (llm.Answer, error) {
	t.Helper()
	return llm.Collect(m.Stream(t.Context(), llmtest.Ask()))
}

func TestTurns(t *testing.T) {
	s := &llm.Script{As: "actor", Answer: llm.Turns(
		llm.Ask(llm.ToolCall{Name: "today"}),
		llm.Say("It is ", "Monday."),
		llm.Cut("It is Mon"),
		llm.Say(`{"name": "today", "arguments": {}}`),
		llm.Fail(llm.Refused),
	)}
	var got []string
	for range 6 {
		a, err := collect(t, s)
		said := a.Text
		for _, c := range a.Calls {
			said += c.ID + c.Name + string(c.Arguments)
		}
		got = append(got, said+" "+string(llm.KindOf(err)))
	}
	want := []string{"call_1today{} ", "It is Monday. ", "It is Mon cut_off", `{"name": "today", "arguments": {}} `, " refused", " unavailable"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if asked := s.Asked(); len(asked) != 6 || asked[5].Messages[1].Text != llmtest.Ask().Messages[1].Text {
		t.Errorf("Asked() = %+v, want six times the request", asked)
	}
}

func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &llm.Script{Answer: llm.Turns(llm.Slow(time.Second, 100*time.Millisecond, llm.Say("a", "b")))}
		began := time.Now()
		var at []time.Duration
		for range s.Stream(t.Context(), llmtest.Ask()) {
			at = append(at, time.Since(began))
		}
		if diff := cmp.Diff([]time.Duration{time.Second, 1100 * time.Millisecond, 1200 * time.Millisecond}, at); diff != "" {
			t.Errorf("deltas came at (-want +got):\n%s", diff)
		}
	})
}

func TestSleepIsGivenTheWaits(t *testing.T) {
	var slept []time.Duration
	s := &llm.Script{
		Answer: llm.Turns(llm.Slow(time.Hour, time.Minute, llm.Say("a", "b"))),
		Sleep: func(_ context.Context, d time.Duration) error {
			slept = append(slept, d)
			return nil
		},
	}
	if a, err := collect(t, s); err != nil || a.Text != "ab" {
		t.Errorf("Stream = %+v, %v; want ab", a, err)
	}
	if diff := cmp.Diff([]time.Duration{time.Hour, time.Minute, time.Minute}, slept); diff != "" {
		t.Errorf("Sleep was given (-want +got):\n%s", diff)
	}
}

func TestDecode(t *testing.T) {
	type route struct {
		Route string `json:"route"`
	}
	for text, ok := range map[string]bool{
		`{"route":"event"}`: true, " {\"route\":\"event\"}\n": true,
		`{"route":"event"`: false, `{"route":"event"} and so on`: false, `{"rout":"event"}`: false, `{"route":1}`: false, `event`: false, ``: false,
	} {
		var got route
		err := llm.Answer{Text: text}.Decode(&got)
		if ok != (err == nil) || ok && got.Route != "event" || !ok && llm.KindOf(err) != llm.Malformed {
			t.Errorf("Decode(%q) = %+v, %v; want it to fit: %t", text, got, err, ok)
		}
	}
}

func TestCheck(t *testing.T) {
	object := json.RawMessage(`{"type":"object"}`)
	talk := []llm.Message{
		{Role: llm.User, Text: "x"},
		{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "f", Arguments: object}}},
		{Role: llm.Result, CallID: "1", Tool: "f"},
	}
	if err := (llm.Request{Messages: talk, Tools: []llm.Tool{{Name: "f", Schema: object}}, MaxTokens: 5, Temperature: 2}).Check(); err != nil {
		t.Errorf("Check() = %v, want nil", err)
	}
	for _, r := range []llm.Request{
		{Messages: talk, MaxTokens: -1},
		{Messages: talk, Temperature: 2.1},
		{Messages: talk, Temperature: -1},
		{Messages: talk, Schema: json.RawMessage(`[]`)},
		{Messages: talk, Schema: json.RawMessage(`null`)},
		{Messages: talk, Tools: []llm.Tool{{Name: "f"}}},
		{Messages: talk, Tools: []llm.Tool{{Schema: object}}},
		{Messages: []llm.Message{{Role: llm.User}}},
		{Messages: []llm.Message{{Role: llm.Assistant}}},
		{Messages: []llm.Message{{Role: llm.Result, Text: "x"}}},
		{Messages: []llm.Message{{Role: llm.User, Text: "x", Calls: talk[1].Calls}}},
		{Messages: []llm.Message{{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "f", Arguments: json.RawMessage(`"x"`)}}}}},
	} {
		if r.Check() == nil {
			t.Errorf("Check(%+v) = nil, want an error", r)
		}
	}
}
