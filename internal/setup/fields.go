package setup

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"annai/agent"
	"annai/graph"
	"annai/runs"
)

var messagesType = reflect.TypeFor[[]agent.Message]()

// Fields are the channels of a graph that may be written from outside. Messages are read in all forms in which
// LangGraph's clients send them.
func Fields[S any](g *graph.StateGraph[S], newID func() string) []runs.Field[S] {
	var fields []runs.Field[S]
	for _, f := range g.Fields() {
		if f.Hidden {
			continue
		}
		read := func(data json.RawMessage) (graph.Write[S], error) { return f.Read(data) }
		if f.Update == messagesType {
			read = func(data json.RawMessage) (graph.Write[S], error) {
				messages, err := agent.ReadMessages(data, newID)
				if err != nil {
					return graph.Write[S]{}, err
				}
				if data, err = json.Marshal(messages); err != nil {
					return graph.Write[S]{}, err
				}
				return f.Read(data)
			}
		}
		fields = append(fields, runs.Field[S]{Name: f.Name, Read: read})
	}
	return fields
}

// Schemas describe the state of a graph, and what may be written. What can't be described may be anything.
func Schemas[S any](g *graph.StateGraph[S]) runs.Schemas {
	input := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, f := range g.Fields() {
		if !f.Hidden {
			input.Properties[f.Name] = schemaOf(f.Update)
		}
	}
	state := schemaOf(reflect.TypeFor[S]())
	if state.Type != "object" {
		state = input
	}
	state.Required, state.AdditionalProperties = nil, nil
	return runs.Schemas{Input: text(input), Output: text(state), State: text(state), Config: text(&jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
	})}
}

func schemaOf(t reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{
		IgnoreInvalidTypes: true,
		TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[agent.Message]():   messageSchema(),
			reflect.TypeFor[json.RawMessage](): {},
		},
	})
	if err != nil {
		return &jsonschema.Schema{}
	}
	return s
}

// messageSchema is that of a message as LangChain writes it; other forms are taken too.
func messageSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Title: "Message", Properties: map[string]*jsonschema.Schema{
			"type": {Type: "string", Enum: []any{"human", "ai", "system", "tool", "remove"}}, "content": {},
			"id": {Type: "string"},
		},
	}
}

func text(s *jsonschema.Schema) json.RawMessage {
	data, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage("{}")
	}
	return data
}
