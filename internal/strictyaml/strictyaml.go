// Package strictyaml is the one home of the YAML library: it reads a document into a typed value
// and refuses unknown keys.
package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"annai/fault"
)

// Decode reads the one document in data into v, a pointer. An unknown or repeated key, a value of
// the wrong type and a second document wrap [fault.ErrInvalid]; the message has a line for each,
// with its line number and the key. An empty document leaves v as it is.
func Decode(data []byte, v any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(v); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return plain(err, data)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("more than one document: %w", fault.ErrInvalid)
	}
	return nil
}

// Encode writes v as one document, indented by two spaces.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(v), encoder.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// The library's words name Go types, which say nothing to those who write the file.
var (
	unknownKey  = regexp.MustCompile(`field (.+?) not found in type .+`)
	repeatedKey = regexp.MustCompile(`mapping key "?([^"]+?)"? already defined at line (\d+)`)
	wrongType   = regexp.MustCompile("cannot unmarshal !!(\\w+)(?: `([^`]*)`)? into (.+)$")
)

// plain says in words of the file, which is data, what is wrong with it.
func plain(err error, data []byte) error {
	var lines []string
	var typed *yaml.TypeError
	if errors.As(err, &typed) {
		lines = typed.Errors
	} else {
		lines = []string{syntax(strings.TrimPrefix(err.Error(), "yaml: "), data)}
	}
	for i, line := range lines {
		line = unknownKey.ReplaceAllStringFunc(line, unknown)
		line = repeatedKey.ReplaceAllString(line, `key "$1" is there twice, first in line $2`)
		lines[i] = wrongType.ReplaceAllStringFunc(line, func(s string) string {
			m := wrongType.FindStringSubmatch(s)
			return fmt.Sprintf("%s is not %s", kind(m[1], m[2]), want(m[3]))
		})
	}
	return fmt.Errorf("%s: %w", strings.Join(lines, "\n"), fault.ErrInvalid)
}

// unknown says that there is no such key. One of several words is the rest of a text that had a
// comma.
func unknown(words string) string {
	key := unknownKey.FindStringSubmatch(words)[1]
	if strings.Contains(key, " ") {
		return fmt.Sprintf("%q is no key; quote a text that has a comma", key)
	}
	return fmt.Sprintf("unknown key %q", key)
}

// kind names what stands in the file.
func kind(tag, value string) string {
	switch {
	case tag == "map":
		return "a group of keys"
	case tag == "seq":
		return "a list"
	case value != "":
		return fmt.Sprintf("%q", value)
	default:
		return "an empty value"
	}
}

// want names what should stand there, from the Go type.
func want(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case goType == "string":
		return "a text"
	case strings.HasSuffix(goType, ".text"):
		return "a text; write {ja: ..., en: ...}"
	case goType == "bool":
		return "true or false"
	case strings.Contains(goType, "int") || strings.HasPrefix(goType, "float"):
		return "a number"
	default:
		return "a group of keys"
	}
}

// Lines returns the line of each key and list item of the document in data, by a path like
// "calendars[1].visibility". There are none where data is no document.
func Lines(data []byte) map[string]int {
	lines := map[string]int{}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil || len(document.Content) == 0 {
		return lines
	}
	addLines(lines, "", document.Content[0])
	return lines
}

// maxDepth bounds how deep addLines goes; an alias may stand within what it names.
const maxDepth = 16

func addLines(lines map[string]int, path string, node *yaml.Node) {
	if strings.Count(path, ".")+strings.Count(path, "[") > maxDepth {
		return
	}
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			at := strings.TrimPrefix(path+"."+node.Content[i].Value, ".")
			lines[at] = node.Content[i].Line
			addLines(lines, at, node.Content[i+1])
		}
	case yaml.SequenceNode:
		for i, item := range node.Content {
			at := fmt.Sprintf("%s[%d]", path, i)
			lines[at] = item.Line
			addLines(lines, at, item)
		}
	case yaml.AliasNode, yaml.DocumentNode, yaml.ScalarNode:
	}
}
