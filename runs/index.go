package runs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"annai/fault"
)

// An Index says what of an item's value searches compare with a query. The zero Index is all texts in it.
type Index struct {
	// Off is nothing at all.
	Off bool
	// Fields are paths to what counts: "title", "author.name", "tags[0]", "chapters[*].text"; "$" is all of the value.
	Fields []string
}

// UnmarshalJSON takes false, or a list of paths.
func (x *Index) UnmarshalJSON(data []byte) error {
	if string(data) == "false" {
		x.Off = true
		return nil
	}
	if err := json.Unmarshal(data, &x.Fields); err != nil {
		return fmt.Errorf("index is false or a list of paths: %w: %w", err, fault.ErrInvalid)
	}
	return nil
}

// text is what counts of a value, a line for each text.
func (x Index) text(value Object) string {
	if x.Off {
		return ""
	}
	fields := x.Fields
	if len(fields) == 0 {
		fields = []string{"$"}
	}
	var lines []string
	for _, field := range fields {
		for _, found := range reach(value, strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(field, "$"), "."), "[", ".[")) {
			lines = append(lines, texts(found)...)
		}
	}
	return strings.Join(lines, "\n")
}

// reach is what a path leads to. Its steps have dots between them: names, and places in lists in brackets.
func reach(value any, path string) []any {
	path = strings.TrimPrefix(path, ".")
	if path == "" {
		return []any{value}
	}
	step, rest, _ := strings.Cut(path, ".")
	var found []any
	switch v := value.(type) {
	case Object:
		if next, ok := v[step]; ok {
			return reach(next, rest)
		}
	case []any:
		if step == "[*]" {
			for _, each := range v {
				found = append(found, reach(each, rest)...)
			}
			return found
		}
		n, err := strconv.Atoi(strings.Trim(step, "[]"))
		if n < 0 {
			n += len(v)
		}
		if err == nil && n >= 0 && n < len(v) {
			return reach(v[n], rest)
		}
	}
	return found
}

// texts are all texts in a value, those of objects in the order of their names.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, each := range v {
			all = append(all, texts(each)...)
		}
		return all
	case Object:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, texts(v[name])...)
		}
		return all
	default:
		return nil
	}
}
