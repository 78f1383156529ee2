package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A selection is what a fields parameter names: nil is everything below.
type selection map[string]selection

var errFields = errors.New("fields parameter")

// selectFields returns the part of a JSON answer that a fields parameter names: "items(id,start/dateTime),nextPageToken".
func selectFields(text []byte, fields string) (any, error) {
	chosen, rest, err := readFields(fields, 0)
	if err != nil {
		return nil, err
	}
	if rest != "" {
		return nil, fmt.Errorf("%q is left over: %w", rest, errFields)
	}
	var answer any
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	return chosen.of(answer), nil
}

// maxFieldsDepth is how deep a fields parameter may go.
const maxFieldsDepth = 10

// readFields reads a list of fields up to the end or the parenthesis that closes it.
func readFields(text string, depth int) (selection, string, error) {
	chosen := selection{}
	if depth > maxFieldsDepth {
		return nil, "", fmt.Errorf("too deep: %w", errFields)
	}
	for {
		end := strings.IndexAny(text, ",()/")
		if end < 0 {
			end = len(text)
		}
		name := strings.TrimSpace(text[:end])
		if name == "" {
			return nil, "", fmt.Errorf("a name is missing: %w", errFields)
		}
		below, rest, err := readBelow(text[end:], depth)
		if err != nil {
			return nil, "", err
		}
		chosen[name] = below
		if !strings.HasPrefix(rest, ",") {
			return chosen, rest, nil
		}
		text = rest[1:]
	}
}

// readBelow reads what stands behind a name: a path, a list in parentheses, or nothing.
func readBelow(text string, depth int) (selection, string, error) {
	switch {
	case strings.HasPrefix(text, "("):
		below, rest, err := readFields(text[1:], depth+1)
		if err == nil && !strings.HasPrefix(rest, ")") {
			err = fmt.Errorf("a parenthesis is open: %w", errFields)
		}
		if err != nil {
			return nil, "", err
		}
		return below, rest[1:], nil
	case strings.HasPrefix(text, "/"):
		end := strings.IndexAny(text[1:], ",()/")
		if end < 0 {
			end = len(text) - 1
		}
		name := strings.TrimSpace(text[1 : end+1])
		if name == "" || depth > maxFieldsDepth {
			return nil, "", fmt.Errorf("a name is missing: %w", errFields)
		}
		below, rest, err := readBelow(text[end+1:], depth+1)
		return selection{name: below}, rest, err
	default:
		return nil, text, nil
	}
}

// of returns the selected part of a JSON value.
func (s selection) of(v any) any {
	if _, all := s["*"]; s == nil || all {
		return v
	}
	switch v := v.(type) {
	case []any:
		part := make([]any, len(v))
		for i := range v {
			part[i] = s.of(v[i])
		}
		return part
	case map[string]any:
		part := map[string]any{}
		for name, below := range s {
			if inner, ok := v[name]; ok {
				part[name] = below.of(inner)
			}
		}
		return part
	default:
		return v
	}
}
