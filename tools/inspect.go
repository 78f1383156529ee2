package tools

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// inspect returns what in value does not fit the schema, and takes fields out that are null, since null is how some say "absent". It knows
// the parts of JSON schema that [makeSchema] makes.
func inspect(s *jsonschema.Schema, value any, field string) []Problem {
	switch v := value.(type) {
	case map[string]any:
		if s.Type != "object" {
			return wrongType(s, field)
		}
		return inspectObject(s, v, field)
	case []any:
		if s.Type != "array" {
			return wrongType(s, field)
		}
		var problems []Problem
		for i, item := range v {
			if problems = append(problems, inspect(s.Items, item, join(field, strconv.Itoa(i)))...); len(problems) >= maxProblems {
				break
			}
		}
		return problems
	case string:
		return inspectText(s, v, field)
	case json.Number:
		return inspectNumber(s, v, field)
	case bool:
		if s.Type != "boolean" {
			return wrongType(s, field)
		}
		return nil
	default: // null, where there must be something
		return wrongType(s, field)
	}
}

func inspectObject(s *jsonschema.Schema, object map[string]any, field string) []Problem {
	maps.DeleteFunc(object, func(name string, value any) bool { return value == nil && s.Properties[name] != nil })
	var problems []Problem
	for _, name := range slices.Sorted(maps.Keys(object)) {
		property := s.Properties[name]
		if property == nil {
			problems = append(problems, Problem{Kind: UnknownField, Field: join(field, name)})
			continue
		}
		problems = append(problems, inspect(property, object[name], join(field, name))...)
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			problems = append(problems, Problem{Kind: Missing, Field: join(field, name)})
		}
	}
	return problems
}

func inspectText(s *jsonschema.Schema, text, field string) []Problem {
	switch {
	case s.Type != "string":
		return wrongType(s, field)
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(text)):
		words := make([]string, 0, len(s.Enum))
		for _, word := range s.Enum {
			words = append(words, word.(string))
		}
		return []Problem{{Kind: NotOneOf, Field: field, Want: strings.Join(words, ", ")}}
	}
	return nil
}

func inspectNumber(s *jsonschema.Schema, number json.Number, field string) []Problem {
	if s.Type != "integer" && s.Type != "number" {
		return wrongType(s, field)
	}
	n, err := number.Float64()
	if err != nil {
		return []Problem{{Kind: OutOfRange, Field: field, Want: "-1e308..1e308"}}
	}
	if s.Type == "integer" {
		if _, err := number.Int64(); err != nil {
			return wrongType(s, field)
		}
	}
	if s.Minimum != nil && n < *s.Minimum || s.Maximum != nil && n > *s.Maximum {
		return []Problem{{Kind: OutOfRange, Field: field, Want: limit(s.Minimum) + ".." + limit(s.Maximum)}}
	}
	return nil
}

func limit(n *float64) string {
	if n == nil {
		return "…"
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

func wrongType(s *jsonschema.Schema, field string) []Problem {
	return []Problem{{Kind: WrongType, Field: field, Want: s.Type}}
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}
