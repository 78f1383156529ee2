package openapi

import (
	"github.com/google/jsonschema-go/jsonschema"

	"annai/api"
)

// constraints is what the Go types can't say, by type.
func constraints() map[string]func(*jsonschema.Schema) {
	return map[string]func(*jsonschema.Schema){
		"QueryRequest":   constrainRequest,
		"CaptureRequest": constrainCapture,
		"Capture":        func(s *jsonschema.Schema) { s.Properties["from"].Enum = words("picture", "link", "text") },
		"QueryResponse":  constrainResponse,
		"Metadata":       constrainMetadata,
		"ErrorResponse":  func(s *jsonschema.Schema) { emotion(s); language(s) },
		"ErrorBody":      func(s *jsonschema.Schema) { s.Properties["code"].Enum = codes() },
		"RunStarted":     language,
		"Emotion":        constrainEmotion,
		"Sentence":       func(s *jsonschema.Schema) { face(s, "emotion") },
		"SpokenSentence": func(s *jsonschema.Schema) { face(s, "emotion") },
		"VRM":            func(s *jsonschema.Schema) { face(s, "expression"); share(s, "intensity") },
		"Card": func(s *jsonschema.Schema) {
			s.Properties["type"].Enum = words("event", "passage", "date", "prices", "map")
			s.Properties["status"].Enum = words("cancelled", "tentative")
			s.Properties["notice"].Enum = words("full", "reserved", "postponed")
		},
		"Event": func(s *jsonschema.Schema) {
			s.Properties["status"].Enum = words("confirmed", "tentative", "cancelled")
			s.Properties["notice"].Enum = words("full", "reserved", "postponed")
		},
		"ReadyResponse": constrainReady,
	}
}

func constrainRequest(s *jsonschema.Schema) {
	language(s)
	query, session := s.Properties["query"], s.Properties["sessionId"]
	query.MinLength, query.MaxLength = jsonschema.Ptr(1), jsonschema.Ptr(2000)
	session.MaxLength = jsonschema.Ptr(128)
	s.Properties["format"].Enum = words("natural", "spec")
	s.Required = nil
	for _, alias := range []string{"question", "text", "message"} {
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: []string{alias}})
		s.Properties[alias] = &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1), MaxLength: jsonschema.Ptr(2000), Description: "Alias of query."}
		s.PropertyOrder = append(s.PropertyOrder, alias)
	}
	s.Properties["session_id"] = &jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(128), Description: "Alias of sessionId."}
	s.PropertyOrder = append(s.PropertyOrder, "session_id")
	s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: []string{"query"}}, &jsonschema.Schema{Required: []string{"resume"}})
}

func constrainCapture(s *jsonschema.Schema) {
	language(s)
	s.Properties["text"].MaxLength, s.Properties["url"].MaxLength = jsonschema.Ptr(10_000), jsonschema.Ptr(2000)
	s.Properties["sessionId"].MaxLength = jsonschema.Ptr(128)
	s.Properties["session_id"] = &jsonschema.Schema{
		Type: "string", MaxLength: jsonschema.Ptr(128), Description: "Alias of sessionId.",
	}
	s.Properties["imageBytes"] = &jsonschema.Schema{Type: "string", Description: "Alias of image."}
	s.PropertyOrder = append(s.PropertyOrder, "session_id", "imageBytes")
	for _, one := range []string{"image", "imageBytes", "url", "text"} {
		s.OneOf = append(s.OneOf, &jsonschema.Schema{Required: []string{one}})
	}
}

func constrainResponse(s *jsonschema.Schema) {
	emotion(s)
	language(s)
}

func constrainMetadata(s *jsonschema.Schema) {
	language(s)
	share(s, "confidence")
	s.Properties["sourceStatus"].AdditionalProperties = &jsonschema.Schema{
		Type: "string", Enum: words("ok", "empty", "error", "disabled"),
	}
}

// viseme says how an [api.Viseme] is written: as a list of two.
func viseme() *jsonschema.Schema {
	ms := &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0)}
	shape := &jsonschema.Schema{Type: "string", Enum: words("a", "i", "u", "e", "o", "n", "")}
	return &jsonschema.Schema{
		Type: "array", PrefixItems: []*jsonschema.Schema{ms, shape},
		MinItems: jsonschema.Ptr(2), MaxItems: jsonschema.Ptr(2),
	}
}

func constrainReady(s *jsonschema.Schema) {
	s.Properties["status"].Enum = words("ok", "stopping")
	s.Properties["parts"].AdditionalProperties = &jsonschema.Schema{Type: "string", Enum: words("ok", "degraded", "error")}
}

func language(s *jsonschema.Schema) { s.Properties["language"].Enum = words("ja", "en") }

func share(s *jsonschema.Schema, property string) {
	s.Properties[property].Minimum, s.Properties[property].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0)
}

// faces are the faces of an avatar, which are also the tags of a text, in brackets.
var faces = []string{"happy", "relaxed", "sad", "surprised", "neutral"}

func constrainEmotion(s *jsonschema.Schema) {
	emotion(s)
	face(s, "expression")
	for _, f := range faces {
		s.Properties["tag"].Enum = append(s.Properties["tag"].Enum, "["+f+"]")
	}
}

func emotion(s *jsonschema.Schema) {
	s.Properties["emotion"].Enum = words("excited", "helpful", "apologetic", "surprised", "neutral")
}

func face(s *jsonschema.Schema, property string) { s.Properties[property].Enum = words(faces...) }

func codes() []any {
	return words(
		api.CodeInvalid, api.CodeUnauthorized, api.CodeDenied, api.CodeNotFound, api.CodeMethodNotAllowed, api.CodeTooSlow, api.CodeConflict, api.CodeCancelled,
		api.CodeTooLarge, api.CodeMediaType, api.CodeRateLimited, api.CodeInternal, api.CodeOverloaded, api.CodeUnavailable, api.CodeDeadline,
		api.CodeGone, api.CodeAmbiguous,
	)
}

func words(list ...string) []any {
	enum := make([]any, len(list))
	for i, word := range list {
		enum[i] = word
	}
	return enum
}
