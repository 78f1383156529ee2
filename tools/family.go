package tools

import (
	"context"
	"encoding/json"
	"slices"
)

// A Family is tools of which one is meant by which fields an input has, for callers who name only the family.
type Family struct {
	Name string
	// Tools are those of which one is chosen.
	Tools []string
	// Roles may call any of it.
	Roles []Role
	// Choose returns the name of the tool, and may take fields out that are none of it. An error is given to the caller.
	Choose func(fields Fields) (tool string, err error)
}

// Fields are those that an input has; fields of null are left out.
type Fields map[string]any

// Any reports whether one of the fields is there.
func (f Fields) Any(names ...string) bool {
	for _, name := range names {
		if _, ok := f[name]; ok {
			return true
		}
	}
	return false
}

// AddFamily adds a family. Its tools are added by themselves.
func (r *Registry) AddFamily(f Family) { r.families = append(r.families, f) }

// CallFamily calls the tool of the family that the input means, with the errors of [Registry.Call] and those of [Family.Choose].
func (r *Registry) CallFamily(ctx context.Context, caller Caller, name string, input json.RawMessage) (json.RawMessage, error) {
	caller.Language = speak(caller.Language)
	for _, f := range r.families {
		if f.Name != name {
			continue
		}
		if !slices.Contains(f.Roles, caller.Role) {
			return nil, notForYou(f.Roles)
		}
		fields, err := readFields(input)
		if err != nil {
			return nil, err
		}
		tool, err := f.Choose(fields)
		if err != nil {
			return nil, err
		}
		rest, err := encode(fields)
		if err != nil {
			return nil, err
		}
		return r.Call(ctx, caller, tool, rest)
	}
	return nil, noSuchTool
}

// readFields returns the fields of an object, which no input is too.
func readFields(input json.RawMessage) (Fields, error) {
	if len(input) == 0 {
		return Fields{}, nil
	}
	value, err := decode(input)
	if err != nil {
		return nil, &InputError{Problems: []Problem{{Kind: NotJSON}}}
	}
	fields, ok := value.(map[string]any)
	if !ok && value != nil {
		return nil, &InputError{Problems: []Problem{{Kind: WrongType, Want: "object"}}}
	}
	present := Fields{}
	for name, field := range fields {
		if field != nil {
			present[name] = field
		}
	}
	return present, nil
}
