package agent

import (
	"encoding/json"

	"annai/llm"
)

// notCarriedOut is what a model is told of a call that has no result.
const notCarriedOut = "This call was not carried out."

// ToModel turns a conversation into the messages of a model's request. Each tool call is followed by exactly one
// result, as providers demand: if the conversation has none, because the person wrote before it came or because it
// was removed, the model is told that the call was not carried out. A result without its call is left out, and so are
// messages without text and those of types that no model knows.
func ToModel(messages []Message) []llm.Message {
	var out []llm.Message
	for i, m := range messages {
		switch m.Type {
		case TypeSystem, TypeHuman:
			role := llm.User
			if m.Type == TypeSystem {
				role = llm.System
			}
			if m.Text != "" {
				out = append(out, llm.Message{Role: role, Text: m.Text})
			}
		case TypeAI:
			if m.Text != "" || len(m.ToolCalls) > 0 {
				out = append(out, llm.Message{Role: llm.Assistant, Text: m.Text, Calls: toCalls(m.ToolCalls)})
				out = append(out, results(m.ToolCalls, messages[i+1:])...)
			}
		case TypeTool, TypeRemove: // results stand with their calls
		}
	}
	return out
}

func toCalls(calls []ToolCall) []llm.ToolCall {
	var out []llm.ToolCall
	for _, c := range calls {
		out = append(out, llm.ToolCall{ID: c.ID, Name: c.Name, Arguments: orEmpty(c.Args), Extra: c.Extras})
	}
	return out
}

func fromCalls(calls []llm.ToolCall) []ToolCall {
	var out []ToolCall
	for _, c := range calls {
		out = append(out, ToolCall{ID: c.ID, Name: c.Name, Args: orEmpty(c.Arguments), Extras: c.Extra})
	}
	return out
}

// results are the tools' answers to the calls of a message, which come before the model's next one.
func results(calls []ToolCall, after []Message) []llm.Message {
	answers := map[string]string{}
	for _, m := range after {
		if m.Type == TypeAI {
			break
		}
		if m.Type == TypeTool {
			answers[m.ToolCallID] = m.Text
		}
	}
	out := make([]llm.Message, 0, len(calls))
	for _, c := range calls {
		text, ok := answers[c.ID]
		if !ok {
			text = notCarriedOut
		}
		out = append(out, llm.Message{Role: llm.Result, CallID: c.ID, Tool: c.Name, Text: text})
	}
	return out
}

// FromModel turns a model's answer into a message with the id.
func FromModel(a llm.Answer, id string) Message {
	m := Message{Type: TypeAI, ID: id, Text: a.Text, Extra: map[string]json.RawMessage{}}
	m.ToolCalls = fromCalls(a.Calls)
	set := func(name string, value any) {
		if data, err := json.Marshal(value); err == nil { // texts and numbers always can be written
			m.Extra[name] = data
		}
	}
	set("response_metadata", map[string]string{"model_name": a.End.Model, "finish_reason": finishReasons[a.End.Stop]})
	if u := a.End.Usage; u != (llm.Usage{}) {
		set("usage_metadata", map[string]int{
			"input_tokens": u.Prompt, "output_tokens": u.Answer, "total_tokens": u.Prompt + u.Answer,
		})
	}
	return m
}

// finishReasons are the ends of an answer as LangChain's libraries name them.
var finishReasons = map[llm.Stop]string{llm.Finished: "stop", llm.Length: "length", llm.Calls: "tool_calls"}
