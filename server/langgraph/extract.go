package langgraph

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"annai/fault"
	"annai/runs"
)

// maxPaths is how many values a search may take out of each thread.
const maxPaths = 10

// extract takes the values at some paths out of a thread: "values.messages[-1].content", "metadata.owner". What is not
// there is null.
func extract(t runs.Thread, paths map[string]string) (map[string]any, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	if len(paths) > maxPaths {
		return nil, fmt.Errorf("extract: %d paths, at most %d: %w", len(paths), maxPaths, fault.ErrInvalid)
	}
	data, err := encode(threadOf(t))
	if err != nil {
		return nil, err
	}
	var whole any
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, fmt.Errorf("extract from thread %s: %w", t.ID, err)
	}
	out := map[string]any{}
	for name, path := range paths {
		root, _, _ := strings.Cut(path, ".")
		switch root, _, _ = strings.Cut(root, "["); root {
		case "values", "metadata", "config", "interrupts", "error":
		default:
			return nil, fmt.Errorf("extract: %q begins with none of values, metadata, config, interrupts and error: %w",
				path, fault.ErrInvalid)
		}
		out[name] = at(whole, path)
	}
	return out, nil
}

// at is the value at a path of names, with indices in brackets that count from the end where they are negative; nil if
// there is none.
func at(value any, path string) any {
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if i < 0 {
				i += len(v)
			}
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}
