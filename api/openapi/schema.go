package openapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"annai/api"
)

const schemaPath = "#/components/schemas/"

// types are the types of the wire, in the order of the document. A struct inside one of them must be listed too.
func types() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[api.QueryRequest](), reflect.TypeFor[api.Resume](),
		reflect.TypeFor[api.CaptureRequest](), reflect.TypeFor[api.Capture](), reflect.TypeFor[api.CaptureField](),
		reflect.TypeFor[api.QueryResponse](), reflect.TypeFor[api.Metadata](), reflect.TypeFor[api.ProcessingInfo](),
		reflect.TypeFor[api.ModelUse](), reflect.TypeFor[api.ModelSentence](),
		reflect.TypeFor[api.TimeRange](), reflect.TypeFor[api.Passage](), reflect.TypeFor[api.Sentence](),
		reflect.TypeFor[api.VRM](), reflect.TypeFor[api.Card](), reflect.TypeFor[api.Interrupt](),
		reflect.TypeFor[api.Confirmation](), reflect.TypeFor[api.Field](),
		reflect.TypeFor[api.RunStarted](), reflect.TypeFor[api.NodeProgress](), reflect.TypeFor[api.SpokenSentence](),
		reflect.TypeFor[api.Cards](), reflect.TypeFor[api.Suggestions](),
		reflect.TypeFor[api.ErrorResponse](), reflect.TypeFor[api.ErrorBody](), reflect.TypeFor[api.ErrorDetail](),
		reflect.TypeFor[api.EventsResponse](), reflect.TypeFor[api.Window](), reflect.TypeFor[api.Event](),
		reflect.TypeFor[api.EmotionsResponse](), reflect.TypeFor[api.Emotion](),
		reflect.TypeFor[api.GraphResponse](), reflect.TypeFor[api.Node](), reflect.TypeFor[api.Subgraph](), reflect.TypeFor[api.Edge](),
		reflect.TypeFor[api.SpeechResponse](), reflect.TypeFor[api.VenueVoice](),
		reflect.TypeFor[api.MapPoint](), reflect.TypeFor[api.VenueKiosk](), reflect.TypeFor[api.VolumeHours](),
		reflect.TypeFor[api.StaffCallRequest](), reflect.TypeFor[api.StaffCallResponse](),
		reflect.TypeFor[api.FeedbackRequest](), reflect.TypeFor[api.Heartbeat](),
		reflect.TypeFor[api.KiosksResponse](), reflect.TypeFor[api.Kiosk](), reflect.TypeFor[api.CornerRequest](),
		reflect.TypeFor[api.HandoverRequest](), reflect.TypeFor[api.HandoverResponse](),
		reflect.TypeFor[api.KeptResponse](), reflect.TypeFor[api.KeptAnswer](),
		reflect.TypeFor[api.OpenSpan](), reflect.TypeFor[api.VenueDay](), reflect.TypeFor[api.VenueAppearance](),
		reflect.TypeFor[api.VenueResponse](), reflect.TypeFor[api.LocalText](), reflect.TypeFor[api.ReadyResponse](),
		reflect.TypeFor[api.ForgottenResponse](),
		reflect.TypeFor[api.PreviewResponse](),
		reflect.TypeFor[api.ToolsResponse](), reflect.TypeFor[api.Tool](), reflect.TypeFor[api.ToolAnnotations](), reflect.TypeFor[api.ToolFailure](),
	}
}

// makeSchemas returns the schemas of all types by name.
func makeSchemas(comments map[string]string) (object, error) {
	refs := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[api.Viseme]():      viseme(),
	}
	for _, t := range types() {
		refs[t] = &jsonschema.Schema{Ref: schemaPath + t.Name()}
	}
	var schemas object
	for _, t := range types() {
		schema, err := makeSchema(t, refs, comments)
		if err != nil {
			return nil, err
		}
		schemas = append(schemas, member{t.Name(), schema})
	}
	return append(schemas,
		member{"AnyObject", &jsonschema.Schema{Type: "object"}},
		member{"AnyValue", &jsonschema.Schema{Description: "Whatever the schema of the tool says."}},
	), nil
}

func makeSchema(t reflect.Type, refs map[reflect.Type]*jsonschema.Schema, comments map[string]string) (*jsonschema.Schema, error) {
	self := refs[t]
	delete(refs, t)
	defer func() { refs[t] = self }()
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: refs})
	if err != nil {
		return nil, fmt.Errorf("make the schema of %s: %w", t.Name(), err)
	}
	schema.AdditionalProperties = nil // fields may be added
	schema.Description = comments[t.Name()]
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := withoutNull(schema.Properties[name], field.Type, options)
		property.Description = comments[t.Name()+"."+field.Name]
		schema.Properties[name] = property
	}
	if constrain, ok := constraints()[t.Name()]; ok {
		constrain(schema)
	}
	return schema, nil
}

// withoutNull takes null from the types of a property, since lists are never null here and what may be absent is left out. Only a
// pointer that is always there may be null.
func withoutNull(property *jsonschema.Schema, t reflect.Type, options string) *jsonschema.Schema {
	nullable := t.Kind() == reflect.Pointer && options == ""
	switch {
	case nullable && property.Ref != "":
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Ref: property.Ref}, {Type: "null"}}}
	case nullable, len(property.Types) == 0:
		return property
	}
	rest := slices.DeleteFunc(property.Types, func(s string) bool { return s == "null" })
	property.Types = nil
	if len(rest) > 0 {
		property.Type = rest[0]
	}
	return property
}
