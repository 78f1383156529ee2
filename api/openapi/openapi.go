// Package openapi makes the OpenAPI document of the HTTP contract from the Go types of package api and one table of endpoints.
//
// The idea to hold: nothing is said twice. Names and types come from the structs, descriptions from their comments, and only what Go
// can't say (a largest length, a closed set of words) stands here. The package knows no HTTP library and nothing of how
// an endpoint works.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

// A Document is the OpenAPI document in its two forms, which say the same, and what people read.
type Document struct{ JSON, YAML, Markdown []byte }

// Make returns the document. Source holds the Go files of package api, for the comments.
func Make(source fs.FS) (Document, error) {
	comments, err := readComments(source)
	if err != nil {
		return Document{}, err
	}
	schemas, err := makeSchemas(comments)
	if err != nil {
		return Document{}, err
	}
	doc := describe(schemas)
	var compact, indented bytes.Buffer
	encoder := json.NewEncoder(&compact)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(doc); err != nil {
		return Document{}, fmt.Errorf("encode the document: %w", err)
	}
	if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
		return Document{}, fmt.Errorf("indent the document: %w", err)
	}
	yaml, err := toYAML(compact.Bytes())
	if err != nil {
		return Document{}, err
	}
	markdown, err := toMarkdown(schemas)
	if err != nil {
		return Document{}, err
	}
	return Document{JSON: indented.Bytes(), YAML: yaml, Markdown: markdown}, nil
}

func describe(schemas object) object {
	return object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "annai"},
			{"version", "1"},
			{"description", "A bilingual (Japanese / English) concierge. Times are RFC 3339 with an offset, dates 2006-01-02. " +
				"Every failure has the same envelope, whose text can be spoken."},
			{"license", object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}},
		}},
		{"servers", []object{{{"url", "/"}}}},
		{"paths", paths()},
		{"components", object{{"schemas", schemas}, {"securitySchemes", object{
			{"bearer", object{{"type", "http"}, {"scheme", "bearer"}}},
			{"header", object{{"type", "apiKey"}, {"in", "header"}, {"name", "X-Api-Key"}}},
		}}}},
	}
}

// paths turns the table of endpoints into the document's paths.
func paths() object {
	var doc object
	for _, e := range Endpoints() {
		operation := member{strings.ToLower(e.Method), e.operation()}
		if n := len(doc) - 1; n >= 0 && doc[n].key == e.Path {
			doc[n].value = append(doc[n].value.(object), operation)
			continue
		}
		doc = append(doc, member{e.Path, object{operation}})
	}
	return doc
}

func (e Endpoint) operation() object {
	o := object{{"operationId", e.ID}, {"summary", e.Summary}}
	if e.Description != "" {
		o = append(o, member{"description", e.Description})
	}
	if len(e.Params) > 0 {
		o = append(o, member{"parameters", parameters(e.Params)})
	}
	if e.Request != "" {
		o = append(o, member{"requestBody", object{
			{"required", true},
			{"content", object{{typeJSON, object{{"schema", ref(e.Request)}}}}},
		}})
	}
	if e.Role != "" { // a key is needed only where there are keys
		o = append(o, member{"security", []object{{}, {{"bearer", []string{}}}, {{"header", []string{}}}}}, member{"x-role", e.Role})
	}
	return append(o, member{"responses", e.responses()})
}

func (e Endpoint) responses() object {
	var o object
	for _, a := range e.Answers {
		o = append(o, member{strconv.Itoa(a.Status), a.response()})
	}
	for _, status := range e.Errors {
		o = append(o, member{strconv.Itoa(status), failed(http.StatusText(status))})
	}
	return append(o, member{"default", failed("Any other failure")})
}

func failed(description string) object {
	return object{
		{"description", description},
		{"content", object{{typeJSON, object{{"schema", ref("ErrorResponse")}}}}},
	}
}

func (a Answer) response() object {
	o := object{{"description", a.Description}}
	if a.Location {
		o = append(o, member{"headers", object{{"Location", object{{"schema", object{{"type", "string"}}}}}}})
	}
	var content object
	if a.Schema != "" {
		content = append(content, member{typeJSON, object{{"schema", ref(a.Schema)}}})
	}
	for _, mediaType := range a.Texts {
		content = append(content, member{mediaType, object{{"schema", object{{"type", "string"}}}}})
	}
	if content != nil {
		o = append(o, member{"content", content})
	}
	return o
}

func parameters(params []Param) []object {
	list := make([]object, 0, len(params))
	for _, p := range params {
		schema := object{{"type", "string"}}
		if p.Format != "" {
			schema = append(schema, member{"format", p.Format})
		}
		if p.Enum != nil {
			schema = append(schema, member{"enum", p.Enum})
		}
		list = append(list, object{
			{"name", p.Name}, {"in", p.In}, {"required", p.In == "path"}, {"description", p.Description}, {"schema", schema},
		})
	}
	return list
}

func ref(schema string) object { return object{{"$ref", schemaPath + schema}} }

// An object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, m.key)
		b = append(b, ':')
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.key, err)
		}
		b = append(b, value...)
	}
	return append(b, '}'), nil
}
