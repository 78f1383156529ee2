package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"annai/civil"
	"annai/fault"
)

// schemas are a JSON schema in its two forms.
type schemas struct {
	tree *jsonschema.Schema
	text json.RawMessage
}

// TextOr is an answer that is a sentence or something else: Value where Text is empty.
type TextOr[T any] struct {
	Text  string
	Value T
}

// MarshalJSON writes the one of the two that is there.
func (t TextOr[T]) MarshalJSON() ([]byte, error) {
	if t.Text != "" {
		return encode(t.Text)
	}
	return encode(t.Value)
}

// Choices returns the types of which an answer may be.
func (TextOr[T]) Choices() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[T]()}
}

// A Choice is an answer that is of one of several types. It writes the one it is by MarshalJSON.
type Choice interface{ Choices() []reflect.Type }

// Null is the answer null, as one of the types of a [Choice].
type Null struct{}

// schemaOf makes the schema of a Go type.
func schemaOf[T any]() (schemas, error) {
	var zero T
	alternatives := []reflect.Type{reflect.TypeFor[T]()}
	if choice, ok := any(zero).(Choice); ok {
		alternatives = choice.Choices()
	}
	var trees []*jsonschema.Schema
	for _, t := range alternatives {
		tree, err := makeSchema(t)
		if err != nil {
			return schemas{}, err
		}
		trees = append(trees, tree)
	}
	tree := trees[0]
	if len(trees) > 1 {
		tree = &jsonschema.Schema{AnyOf: trees}
	}
	if tree.Type == "object" && len(tree.Properties) == 0 { // some models want the properties even if there are none
		return schemas{tree: tree, text: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)}, nil
	}
	text, err := encode(tree)
	return schemas{tree: tree, text: text}, err
}

// known are types whose JSON is not what their fields say.
var known = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[civil.Date](): {Type: "string", Format: "date"},
	reflect.TypeFor[time.Time]():  {Type: "string", Format: "date-time"},
	reflect.TypeFor[Null]():       {Type: "null"},
}

func makeSchema(t reflect.Type) (*jsonschema.Schema, error) {
	tree, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, fmt.Errorf("make the schema of %s: %w", t, err)
	}
	return tree, refine(tree, t)
}

// refine takes null from what may be left out, and adds what the tags enum, min and max say, in t and all that is in it.
func refine(s *jsonschema.Schema, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	withoutNull(s)
	switch {
	case known[t] != nil:
		return nil
	case t.Kind() == reflect.Slice && s.Items != nil:
		return refine(s.Items, t.Elem())
	case t.Kind() != reflect.Struct:
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil || f.Anonymous {
			continue
		}
		if err := refine(property, f.Type); err != nil {
			return err
		}
		if err := bound(property, f.Tag); err != nil {
			return fmt.Errorf("field %s of %s: %w", f.Name, t, err)
		}
	}
	return nil
}

func withoutNull(s *jsonschema.Schema) {
	for _, t := range s.Types {
		if t != "null" {
			s.Type = t
		}
	}
	s.Types = nil
}

func bound(s *jsonschema.Schema, tag reflect.StructTag) error {
	if words := tag.Get("enum"); words != "" {
		one := s
		if s.Items != nil {
			one = s.Items // each of a list is bounded
		}
		for word := range strings.SplitSeq(words, ",") {
			one.Enum = append(one.Enum, word)
		}
	}
	for name, to := range map[string]**float64{"min": &s.Minimum, "max": &s.Maximum} {
		if text := tag.Get(name); text != "" {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("tag %s: %w", name, fault.ErrInvalid)
			}
			*to = &n
		}
	}
	return nil
}

// maxProblems is how many are told at once.
const maxProblems = 5

// check returns the input with its fields in order and none of null, or an [*InputError]. No input is an empty object.
func (s schemas) check(input []byte) ([]byte, error) {
	if len(bytes.TrimSpace(input)) == 0 {
		input = []byte("{}")
	}
	value, err := decode(input)
	if err != nil {
		return nil, &InputError{Problems: []Problem{{Kind: NotJSON}}}
	}
	if value == nil {
		value = map[string]any{}
	}
	problems := inspect(s.tree, value, "")
	if len(problems) > 0 {
		return nil, &InputError{Problems: problems[:min(len(problems), maxProblems)]}
	}
	return encode(value)
}

// decode reads one JSON value, numbers as they are written.
func decode(input []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("decode input: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("decode input: more than one value: %w", fault.ErrInvalid)
	}
	return value, nil
}
