package agent

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/llm" // for the prompt
)

//go:embed prompts/tool_selection.txt
var selectionPrompt string

// ToolSelector has a model, which may be a smaller one, choose which tools the agent's model is offered, by the last
// message of the person: at most so many, besides those that are always offered. If that fails all tools are offered.
func ToolSelector(model llm.Model, most int, always ...string) Middleware {
	m := Middleware{
		Name: "ToolSelector",
		WrapModelCall: func(ctx context.Context, r ModelRequest, next ModelHandler) (Message, error) {
			var names, list []string
			for _, t := range r.Tools {
				if !slices.Contains(always, t.Name) {
					names = append(names, t.Name)
					list = append(list, "- "+t.Name+": "+t.Description)
				}
			}
			if len(names) <= most {
				return next(ctx, r)
			}
			chosen, err := selectTools(ctx, model, r.Messages, names, list, most)
			if err == nil {
				r.Tools = slices.DeleteFunc(slices.Clone(r.Tools), func(t Tool) bool {
					return !slices.Contains(always, t.Name) && !slices.Contains(chosen, t.Name)
				})
			}
			return next(ctx, r)
		},
	}
	if model == nil || most < 1 {
		m.invalid = fmt.Errorf("no model, or at most %d tools: %w", most, fault.ErrInvalid)
	}
	return m
}

func selectTools(
	ctx context.Context, model llm.Model, messages []Message, names, list []string, most int,
) ([]string, error) {
	said := ""
	for _, m := range messages {
		if m.Type == TypeHuman {
			said = m.Text
		}
	}
	form, err := json.Marshal(map[string]any{
		"type": "object", "required": []string{"tools"}, "additionalProperties": false,
		"properties": map[string]any{"tools": map[string]any{
			"type": "array", "items": map[string]any{"type": "string", "enum": names},
		}},
	})
	if err != nil {
		return nil, err
	}
	answer, err := llm.Collect(model.Stream(ctx, llm.Request{Schema: form, Messages: []llm.Message{
		{
			Role: llm.System,
			Text: fmt.Sprintf("%s\nAt most %d of these:\n%s", selectionPrompt, most, strings.Join(list, "\n")),
		},
		{Role: llm.User, Text: short(said, 1000) + "\n"},
	}}))
	var choice struct{ Tools []string }
	if err == nil {
		err = answer.Decode(&choice)
	}
	choice.Tools = slices.DeleteFunc(choice.Tools, func(name string) bool { return !slices.Contains(names, name) })
	return choice.Tools[:min(len(choice.Tools), most)], err
}
