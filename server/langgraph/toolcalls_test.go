package langgraph

import (
	"encoding/json"
	"strings"
	"testing"

	"annai/runs"
)

// agentLog is the log of an agent that asks for a tool, in pieces, and says what that said.
var agentLog = []runs.Event{
	{ID: 1, Kind: runs.KindBegin, Data: json.RawMessage(`{"attempt":1,"graph_id":"agent"}`)},
	{ID: 2, Kind: runs.KindTask, Node: "model", Step: 1, Data: json.RawMessage(`{"id":"t1","name":"model","input":{"messages":[]}}`)},
	{ID: 3, Kind: runs.KindMessage, Node: "model", Step: 1, Data: json.RawMessage(`{"id":"m1","type":"ai","content":"Let me see."}`)},
	{ID: 4, Kind: runs.KindMessage, Node: "model", Step: 1, Data: json.RawMessage(
		`{"id":"m1","type":"ai","content":"","tool_call_chunks":[{"index":0,"id":"c1","name":"weather","args":"{\"city\":\"Ky"}]}`)},
	{ID: 5, Kind: runs.KindMessage, Node: "model", Step: 1, Data: json.RawMessage(
		`{"id":"m1","type":"ai","content":"","tool_call_chunks":[{"index":0,"id":null,"name":null,"args":"oto\"}"}]}`)},
	{ID: 6, Kind: runs.KindUpdate, Node: "model", Step: 1, Data: json.RawMessage(`{"messages":[{"id":"m1","type":"ai",` +
		`"content":"Let me see.","tool_calls":[{"type":"tool_call","id":"c1","name":"weather","args":{"city":"Kyoto"}},` +
		`{"type":"tool_call","id":"c2","name":"fail","args":{}}]}]}`)},
	{ID: 7, Kind: runs.KindTask, Node: "tools", Step: 2, Data: json.RawMessage(
		`{"id":"t2","name":"tools","input":{"type":"tool_call","id":"c1","name":"weather","args":{"city":"Kyoto"}}}`)},
	{ID: 8, Kind: runs.KindTask, Node: "tools", Step: 2, Data: json.RawMessage(
		`{"id":"t3","name":"tools","input":{"type":"tool_call","id":"c2","name":"fail","args":{}}}`)},
	{ID: 9, Kind: runs.KindUpdate, Node: "tools", Step: 2, Data: json.RawMessage(
		`{"messages":[{"id":"m2","type":"tool","tool_call_id":"c1","content":"sunny"}]}`)},
	{ID: 10, Kind: runs.KindUpdate, Node: "tools", Step: 2, Data: json.RawMessage(
		`{"messages":[{"id":"m3","type":"tool","tool_call_id":"c2","status":"error","content":"no"}]}`)},
	{ID: 11, Kind: runs.KindEnd, Data: json.RawMessage(`{"status":"success"}`)},
}

// TestToolCallsTold: the newer protocol tells tool calls as blocks of messages, and on a channel of their own.
func TestToolCallsTold(t *testing.T) {
	n := newNarration()
	var got []string
	for _, e := range agentLog {
		list, err := n.tell(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			if one.Method == "messages" || one.Method == "tools" {
				data, _ := encode(one.Params.Data) // it is sent so
				got = append(got, one.Method+" "+strings.Join(one.Params.Namespace, "|")+" "+string(data))
			}
		}
	}
	want := []string{
		`messages  {"event":"message-start","id":"m1","role":"ai","run_id":""}`,
		`messages  {"content":{"text":"","type":"text"},"event":"content-block-start","index":0}`,
		`messages  {"delta":{"text":"Let me see.","type":"text-delta"},"event":"content-block-delta","index":0}`,
		`messages  {"content":{"text":"Let me see.","type":"text"},"event":"content-block-finish","index":0}`,
		`messages  {"content":{"args":"","id":"c1","index":0,"name":"weather","type":"tool_call_chunk"},"event":"content-block-start","index":1}`,
		`messages  {"delta":{"args":"{\"city\":\"Ky","type":"tool-call-delta"},"event":"content-block-delta","index":1}`,
		`messages  {"delta":{"args":"oto\"}","type":"tool-call-delta"},"event":"content-block-delta","index":1}`,
		`messages  {"content":{"args":{"city":"Kyoto"},"id":"c1","name":"weather","type":"tool_call"},"event":"content-block-finish","index":1}`,
		`messages  {"content":{"args":"","id":"c2","index":1,"name":"fail","type":"tool_call_chunk"},"event":"content-block-start","index":2}`,
		`messages  {"delta":{"args":"{}","type":"tool-call-delta"},"event":"content-block-delta","index":2}`,
		`messages  {"content":{"args":{},"id":"c2","name":"fail","type":"tool_call"},"event":"content-block-finish","index":2}`,
		`messages  {"event":"message-finish","reason":"stop"}`,
		`tools  {"event":"tool-started","input":{"city":"Kyoto"},"tool_call_id":"c1","tool_name":"weather"}`,
		`tools  {"event":"tool-started","input":{},"tool_call_id":"c2","tool_name":"fail"}`,
		`tools  {"event":"tool-finished","output":{"content":"sunny","id":"m2","tool_call_id":"c1","type":"tool"},"tool_call_id":"c1"}`,
		`messages tools:c1 {"event":"message-start","id":"m2","role":"tool","run_id":"","tool_call_id":"c1"}`,
		`messages tools:c1 {"content":{"text":"","type":"text"},"event":"content-block-start","index":0}`,
		`messages tools:c1 {"delta":{"text":"sunny","type":"text-delta"},"event":"content-block-delta","index":0}`,
		`messages tools:c1 {"content":{"text":"sunny","type":"text"},"event":"content-block-finish","index":0}`,
		`messages tools:c1 {"event":"message-finish","reason":"stop"}`,
		`tools  {"event":"tool-error","message":"no","tool_call_id":"c2"}`,
	}
	if len(got) < len(want) || strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestToolCallsStreamed: partial messages have the tool calls as far as they came, and events tell of tools.
func TestToolCallsStreamed(t *testing.T) {
	r := newRendering(runs.Run{ID: "r"}, []runs.Mode{runs.ModeMessages, runs.ModeEvents, runs.ModeTools})
	var partial, happened, tools []string
	for _, e := range agentLog {
		frames, err := r.frames(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			switch f.name {
			case "messages/partial":
				var list []struct {
					Calls json.RawMessage `json:"tool_calls"`
				}
				if err := json.Unmarshal(f.data, &list); err != nil {
					t.Fatal(err)
				}
				partial = append(partial, string(list[0].Calls))
			case "events":
				var one struct{ Event, Name string }
				if err := json.Unmarshal(f.data, &one); err != nil {
					t.Fatal(err)
				}
				happened = append(happened, one.Event+" "+one.Name)
			case "tools":
				var one struct{ Event string }
				if err := json.Unmarshal(f.data, &one); err != nil {
					t.Fatal(err)
				}
				tools = append(tools, one.Event)
			}
		}
	}
	for _, c := range []struct{ got, want []string }{
		{partial, []string{
			"", `[{"args":{"city":"Ky"},"id":"c1","name":"weather","type":"tool_call"}]`,
			`[{"args":{"city":"Kyoto"},"id":"c1","name":"weather","type":"tool_call"}]`,
		}},
		{happened, []string{
			"on_chain_start agent", "on_chain_start model", "on_chat_model_start model", "on_chat_model_stream model",
			"on_chat_model_stream model", "on_chat_model_stream model", "on_chat_model_end model", "on_chain_stream model",
			"on_chain_end model", "on_chain_start tools", "on_tool_start weather", "on_chain_start tools",
			"on_tool_start fail", "on_tool_end weather", "on_chain_stream tools", "on_chain_end tools", "on_tool_end fail",
			"on_chain_stream tools", "on_chain_end tools", "on_chain_end agent",
		}},
		{tools, []string{"tool-started", "tool-started", "tool-finished", "tool-error"}},
	} {
		if strings.Join(c.got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("got:\n%s\nwant:\n%s", strings.Join(c.got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestBegun: an object that is cut off anywhere is read as far as it goes.
func TestBegun(t *testing.T) {
	const whole = `{"a":"x\"y","b":[1,{"c":true}],"d":{"e":null}}`
	for i := range len(whole) + 1 {
		if o := begun(whole[:i]); i > 12 && o["a"] != `x"y` || o == nil {
			t.Errorf("begun(%s) = %v", whole[:i], o)
		}
	}
	if o := begun(strings.Repeat("[", 1<<16)); len(o) != 0 {
		t.Errorf("begun of no object = %v", o)
	}
}
