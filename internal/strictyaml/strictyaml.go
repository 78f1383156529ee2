// Package strictyaml is the one home of the YAML library: it reads a document into a typed value and refuses unknown keys.
package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"annai/internal/fault"
)

// Decode reads the one document in data into v, a pointer. An unknown or repeated key, a value of the wrong type and a second
// document wrap [fault.ErrInvalid] with the line and the key. An empty document leaves v as it is.
func Decode(data []byte, v any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(v); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return fmt.Errorf("%w: %w", err, fault.ErrInvalid)
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
