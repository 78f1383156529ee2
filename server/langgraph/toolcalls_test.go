package langgraph

import (
	"encoding/json"
	"strings"
	"testing"

	"annai/runs"
)

// happened is an event of a run.
func happened(kind runs.Kind, node string, step int, data ...string) runs.Event {
	return runs.Event{Kind: kind, Node: node, Step: step, Data: json.RawMessage(strings.Join(data, ""))}
}

// agentLog is the log of an agent that asks for a tool, in pieces, and says what that said.
var agentLog = []runs.Event{
	happened(runs.KindBegin, "", 0, `{"attempt":1,"graph_id":"agent"}`),
	happened(runs.KindTask, "model", 1, `{"id":"t1","name":"model","input":{"messages":[]}}`),
	happened(runs.KindMessage, "model", 1, `{"id":"m1","type":"ai","content":"Let me see."}`),
	happened(runs.KindMessage, "model", 1, `{"id":"m1","type":"ai","content":"","tool_call_chunks":`,
		`[{"index":0,"id":"c1","name":"weather","args":"{\"city\":\"Ky"}]}`),
	happened(runs.KindMessage, "model", 1, `{"id":"m1","type":"ai","content":"","tool_call_chunks":`,
		`[{"index":0,"id":null,"name":null,"args":"oto\"}"}]}`),
	happened(runs.KindUpdate, "model", 1, `{"messages":[{"id":"m1","type":"ai","content":"Let me see.","tool_calls":`,
		`[{"type":"tool_call","id":"c1","name":"weather","args":{"city":"Kyoto"}},`,
		`{"type":"tool_call","id":"c2","name":"fail","args":{}}]}]}`),
	happened(runs.KindTask, "tools", 2, `{"id":"t2","name":"tools",`,
		`"input":{"type":"tool_call","id":"c1","name":"weather","args":{"city":"Kyoto"}}}`),
	happened(runs.KindTask, "tools", 2, `{"id":"t3","name":"tools",`,
		`"input":{"type":"tool_call","id":"c2","name":"fail","args":{}}}`),
	happened(runs.KindUpdate, "tools", 2,
		`{"messages":[{"id":"m2","type":"tool","tool_call_id":"c1","content":"sunny"}]}`),
	happened(runs.KindUpdate, "tools", 2,
		`{"messages":[{"id":"m3","type":"tool","tool_call_id":"c2","status":"error","content":"no"}]}`),
	happened(runs.KindEnd, "", 0, `{"status":"success"}`),
}

// shorter makes lines of events shorter.
var shorter = strings.NewReplacer(`"content-block-`, `"`, `"type":"tool_call`, `"type":"call`, `"index":`, `"i":`,
	`"event":`, `"e":`)

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
				said := shorter.Replace(string(data))
				got = append(got, one.Method+" "+strings.Join(one.Params.Namespace, "|")+" "+said)
			}
		}
	}
	want := []string{
		`messages  {"e":"message-start","id":"m1","role":"ai","run_id":""}`,
		`messages  {"content":{"text":"","type":"text"},"e":"start","i":0}`,
		`messages  {"delta":{"text":"Let me see.","type":"text-delta"},"e":"delta","i":0}`,
		`messages  {"content":{"text":"Let me see.","type":"text"},"e":"finish","i":0}`,
		`messages  {"content":{"args":"","id":"c1","i":0,"name":"weather","type":"call_chunk"},"e":"start","i":1}`,
		`messages  {"delta":{"args":"{\"city\":\"Ky","type":"tool-call-delta"},"e":"delta","i":1}`,
		`messages  {"delta":{"args":"oto\"}","type":"tool-call-delta"},"e":"delta","i":1}`,
		`messages  {"content":{"args":{"city":"Kyoto"},"id":"c1","name":"weather","type":"call"},"e":"finish","i":1}`,
		`messages  {"content":{"args":"","id":"c2","i":1,"name":"fail","type":"call_chunk"},"e":"start","i":2}`,
		`messages  {"delta":{"args":"{}","type":"tool-call-delta"},"e":"delta","i":2}`,
		`messages  {"content":{"args":{},"id":"c2","name":"fail","type":"call"},"e":"finish","i":2}`,
		`messages  {"e":"message-finish","reason":"stop"}`,
		`tools  {"e":"tool-started","input":{"city":"Kyoto"},"tool_call_id":"c1","tool_name":"weather"}`,
		`tools  {"e":"tool-started","input":{},"tool_call_id":"c2","tool_name":"fail"}`,
		`tools  {"e":"tool-finished",` +
			`"output":{"content":"sunny","id":"m2","tool_call_id":"c1","type":"tool"},"tool_call_id":"c1"}`,
		`messages tools:c1 {"e":"message-start","id":"m2","role":"tool","run_id":"","tool_call_id":"c1"}`,
		`messages tools:c1 {"content":{"text":"","type":"text"},"e":"start","i":0}`,
		`messages tools:c1 {"delta":{"text":"sunny","type":"text-delta"},"e":"delta","i":0}`,
		`messages tools:c1 {"content":{"text":"sunny","type":"text"},"e":"finish","i":0}`,
		`messages tools:c1 {"e":"message-finish","reason":"stop"}`,
		`tools  {"e":"tool-error","message":"no","tool_call_id":"c2"}`,
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
			"on_chat_model_stream model", "on_chat_model_stream model", "on_chat_model_end model",
			"on_chain_stream model", "on_chain_end model", "on_chain_start tools", "on_tool_start weather",
			"on_chain_start tools", "on_tool_start fail", "on_tool_end weather", "on_chain_stream tools",
			"on_chain_end tools", "on_tool_end fail", "on_chain_stream tools", "on_chain_end tools",
			"on_chain_end agent",
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
