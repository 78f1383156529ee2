package agent_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/agent"
	"annai/fault"
	"annai/graph/graphtest"
	"annai/llm"
)

func call(id, name, args string) agent.ToolCall {
	return agent.ToolCall{ID: id, Name: name, Args: json.RawMessage(args)}
}

// TestReadMessages: each form that clients send is read, and what is read is written as LangChain writes it.
func TestReadMessages(t *testing.T) {
	for form, want := range map[string]agent.Message{
		`"hi"`:                             {Type: agent.TypeHuman, ID: "new", Text: "hi"},
		`["hi"]`:                           {Type: agent.TypeHuman, ID: "new", Text: "hi"},
		`[["ai","hi"]]`:                    {Type: agent.TypeAI, ID: "new", Text: "hi"},
		`{"role":"user","content":"hi"}`:   {Type: agent.TypeHuman, ID: "new", Text: "hi"},
		`{"type":"remove","id":"1"}`:       {Type: agent.TypeRemove, ID: "1"},
		`{"role":"developer","content":3}`: {Type: agent.TypeSystem, ID: "new"},
		`{"type":"human","id":"1","content":[{"type":"text","text":"a"},{"type":"image","url":"u"}]}`: {
			Type: agent.TypeHuman, ID: "1", Text: "a",
			Blocks: json.RawMessage(`[{"text":"a","type":"text"},{"type":"image","url":"u"}]`),
		},
		`{"type":"ai","id":"1","content":"","tool_calls":[{"name":"f","args":{"n":12345678901234567890},"id":"c"}],
			"response_metadata":{"model_name":"m"},"usage_metadata":null}`: {
			Type: agent.TypeAI, ID: "1", ToolCalls: []agent.ToolCall{call("c", "f", `{"n":12345678901234567890}`)},
			Extra: map[string]json.RawMessage{"response_metadata": json.RawMessage(`{"model_name":"m"}`)},
		},
		`{"role":"assistant","content":null,
			"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}]}`: {
			Type: agent.TypeAI, ID: "new", ToolCalls: []agent.ToolCall{call("c", "f", `{"n":1}`)},
		},
		`{"type":"tool","id":"1","name":"f","tool_call_id":"c","content":"bad","status":"error"}`: {
			Type: agent.TypeTool, ID: "1", Name: "f", ToolCallID: "c", Text: "bad", Failed: true,
		},
		`{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],
			"kwargs":{"content":"hi","id":"1"}}`: {
			Type: agent.TypeHuman, ID: "1", Text: "hi", Extra: nil,
		},
	} {
		got, err := agent.ReadMessages(json.RawMessage(form), func() string { return "new" })
		if err != nil || len(got) != 1 {
			t.Errorf("ReadMessages(%s) = %v, %v", form, got, err)
			continue
		}
		if d := cmp.Diff(want, got[0]); d != "" {
			t.Errorf("ReadMessages(%s) (-want +got):\n%s", form, d)
		}
		data, err := json.Marshal(got[0])
		if err != nil {
			t.Errorf("Marshal(%s) = %v", form, err)
		}
		var again agent.Message
		if err := json.Unmarshal(data, &again); err != nil {
			t.Errorf("Unmarshal(%s) = %v", data, err)
		}
		if d := cmp.Diff(want, again); d != "" {
			t.Errorf("%s, written and read again (-want +got):\n%s", form, d)
		}
	}
	for _, form := range []string{
		`1`, `{}`, `[1]`, `{"type":"robot"}`, `{`, `[`,
		`{"type":"ai","tool_calls":[{"name":"f","id":"c","args":[]}]}`,
		`{"type":"ai","tool_calls":[{"name":"f","args":{}}]}`,
		`{"type":"ai","tool_calls":"f"}`, `[` + strings.Repeat(`"a",`, 1000) + `"a"]`,
	} {
		_, err := agent.ReadMessages(json.RawMessage(form), func() string { return "" })
		if !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("ReadMessages(%.40s) = %v, want ErrInvalid", form, err)
		}
	}
}

// TestWriteMessages: a message has the fields that LangChain's libraries expect.
func TestWriteMessages(t *testing.T) {
	tool := agent.ToolMessage(call("c", "f", `{}`), "done")
	tool.ID = "2"
	for want, m := range map[string]agent.Message{
		`{"additional_kwargs":{},"content":"","id":"1","invalid_tool_calls":[],"response_metadata":{},` +
			`"tool_calls":[{"name":"f","args":{"a":1},"id":"c","type":"tool_call"}],"type":"ai"}`: {
			Type: agent.TypeAI, ID: "1", ToolCalls: []agent.ToolCall{call("c", "f", `{"a":1}`)},
		},
		`{"additional_kwargs":{},"content":"done","id":"2","name":"f","response_metadata":{},"status":"success",` +
			`"tool_call_id":"c","type":"tool"}`: tool,
		`{"additional_kwargs":{},"content":"hi","id":null,"response_metadata":{},"type":"human"}`: {
			Type: agent.TypeHuman, Text: "hi",
		},
	} {
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(data)); d != "" {
			t.Errorf("Marshal(%+v) (-want +got):\n%s", m, d)
		}
	}
}

func TestAddMessages(t *testing.T) {
	reducer := agent.AddMessages()
	random := func(r *rand.Rand) []agent.Message {
		list := make([]agent.Message, r.IntN(4))
		for i := range list {
			list[i] = agent.Message{
				Type: agent.TypeHuman, ID: strconv.Itoa(r.IntN(4)), Text: strconv.Itoa(r.IntN(100)),
			}
			switch r.IntN(5) {
			case 0:
				list[i] = agent.RemoveMessage(list[i].ID)
			case 1:
				list[i].ID = ""
			case 2:
				if r.IntN(3) == 0 {
					list[i] = agent.RemoveAllMessages()
				}
			}
		}
		return list
	}
	value := func(r *rand.Rand) []agent.Message { return reducer.Reduce(nil, random(r)) }
	graphtest.CheckReducer(t, reducer, value, random)
}

// TestToModel: each call gets one result right behind it, whatever the conversation has.
func TestToModel(t *testing.T) {
	f, g := call("1", "f", `{}`), call("2", "g", ``)
	got := agent.ToModel([]agent.Message{
		agent.SystemMessage("be brief"), agent.HumanMessage(""), agent.HumanMessage("hi"),
		agent.ToolMessage(f, "without a call"),
		agent.AIMessage("", f, g), agent.ToolMessage(g, "G"), agent.HumanMessage("and?"), agent.ToolMessage(f, "F"),
		agent.AIMessage("", f), agent.HumanMessage("never mind"),
		{Type: "function", Text: "old"},
		agent.AIMessage(""), agent.AIMessage("bye"), agent.ToolMessage(f, "late"),
	})
	none := json.RawMessage(`{}`)
	want := []llm.Message{
		{Role: llm.System, Text: "be brief"},
		{Role: llm.User, Text: "hi"},
		{Role: llm.Assistant, Calls: []llm.ToolCall{
			{ID: "1", Name: "f", Arguments: none}, {ID: "2", Name: "g", Arguments: none},
		}},
		{Role: llm.Result, CallID: "1", Tool: "f", Text: "F"},
		{Role: llm.Result, CallID: "2", Tool: "g", Text: "G"},
		{Role: llm.User, Text: "and?"},
		{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "f", Arguments: none}}},
		{Role: llm.Result, CallID: "1", Tool: "f", Text: "This call was not carried out."},
		{Role: llm.User, Text: "never mind"},
		{Role: llm.Assistant, Text: "bye"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("ToModel (-want +got):\n%s", d)
	}
	if err := (llm.Request{Messages: got}).Check(); err != nil {
		t.Errorf("the request is refused: %v", err)
	}
}

// FuzzReadMessages: whatever is read is written so that it is read again as the same, and a model can be asked with it.
func FuzzReadMessages(f *testing.F) {
	f.Add([]byte(`["hi",["ai","yes"],{"role":"assistant","content":[{"text":"a"}],` +
		`"tool_calls":[{"id":"c","name":"f"}]}]`))
	f.Add([]byte(`{"type":"tool","tool_call_id":"c","content":null,"status":"error","x":{"y":[1e400]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		messages, err := agent.ReadMessages(data, func() string { return "id" })
		if err != nil {
			if !errors.Is(err, fault.ErrInvalid) {
				t.Errorf("ReadMessages = %v, want ErrInvalid", err)
			}
			return
		}
		written, err := json.Marshal(messages)
		if err != nil {
			t.Fatal(err)
		}
		again, err := agent.ReadMessages(written, func() string { return "other" })
		if err != nil {
			t.Fatalf("ReadMessages(%s) = %v", written, err)
		}
		rewritten, err := json.Marshal(again)
		if err != nil || string(rewritten) != string(written) {
			t.Errorf("written %s, then %s, %v", written, rewritten, err)
		}
		if asked := agent.ToModel(messages); len(asked) > 0 {
			if err := (llm.Request{Messages: asked}).Check(); err != nil {
				t.Errorf("the request is refused: %v", err)
			}
		}
	})
}
