package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// plain matches strings that YAML reads as the same string without quotes.
var plain = regexp.MustCompile(`^[A-Za-z/$][A-Za-z0-9/$_{}.-]*$`)

// toYAML writes a JSON text as YAML in block style, in the same order. Strings that are not plain stay as JSON writes them,
// which is YAML too.
func toYAML(text []byte) ([]byte, error) {
	w := yamlWriter{in: json.NewDecoder(bytes.NewReader(text))}
	w.in.UseNumber()
	if err := w.value("", ""); err != nil {
		return nil, fmt.Errorf("write the document as YAML: %w", err)
	}
	return bytes.TrimLeft(w.out.Bytes(), "\n"), nil
}

type yamlWriter struct {
	in  *json.Decoder
	out bytes.Buffer
}

// value writes the next value. What comes on a line of its own starts with indent; lead separates a scalar from its key.
func (w *yamlWriter) value(indent, lead string) error {
	token, err := w.in.Token()
	if err != nil {
		return err
	}
	switch token := token.(type) {
	case json.Delim:
		return w.collection(token, indent, lead)
	case string:
		w.out.WriteString(lead + scalar(token) + "\n")
	default: // json.Number, bool, nil
		text, err := json.Marshal(token)
		if err != nil {
			return err
		}
		w.out.WriteString(lead + string(text) + "\n")
	}
	return nil
}

func (w *yamlWriter) collection(open json.Delim, indent, lead string) error {
	if !w.in.More() {
		_, err := w.in.Token()
		w.out.WriteString(lead + map[json.Delim]string{'{': "{}", '[': "[]"}[open] + "\n")
		return err
	}
	item := lead == " " && bytes.HasSuffix(w.out.Bytes(), []byte("-")) // the first key stands on the line of its dash
	if lead != "" && !item {
		w.out.WriteString("\n")
	}
	for first := true; w.in.More(); first = false {
		start := indent
		if item && first {
			start = " "
		}
		w.out.WriteString(start)
		if err := w.member(open, indent); err != nil {
			return err
		}
	}
	_, err := w.in.Token()
	return err
}

func (w *yamlWriter) member(open json.Delim, indent string) error {
	if open == '[' {
		w.out.WriteString("-")
		return w.value(indent+"  ", " ")
	}
	key, err := w.in.Token()
	if err != nil {
		return err
	}
	name, _ := key.(string)
	w.out.WriteString(scalar(name) + ":")
	return w.value(indent+"  ", " ")
}

func scalar(s string) string {
	reserved := map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}
	if plain.MatchString(s) && !reserved[strings.ToLower(s)] {
		return s
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
