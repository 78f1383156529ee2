package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
)

// An Answer is all that a stream gave.
type Answer struct {
	Text  string
	Calls []ToolCall
	End   End
}

// Collect reads a stream to its end. If that is an error, the answer has what came before it.
func Collect(stream iter.Seq2[Delta, error]) (Answer, error) {
	var a Answer
	var text strings.Builder
	for d, err := range stream {
		if err != nil {
			a.Text = text.String()
			return a, err
		}
		text.WriteString(d.Text)
		if d.Call != nil {
			a.Calls = append(a.Calls, *d.Call)
		}
		if d.End != nil {
			a.End = *d.End
		}
	}
	a.Text = text.String()
	return a, nil
}

// Decode reads the text, which is to be one JSON value, into v: the answer to a [Request.Schema]. Anything else, unknown fields too, is
// [Malformed]. Whether the value makes sense is for the caller to see.
func (a Answer) Decode(v any) error {
	decoder := json.NewDecoder(bytes.NewReader([]byte(a.Text)))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(v)
	if err == nil && len(bytes.TrimSpace([]byte(a.Text)[decoder.InputOffset():])) > 0 {
		err = fmt.Errorf("there is more behind the value")
	}
	if err != nil {
		return &Failure{Kind: Malformed, Model: a.End.Model, Err: fmt.Errorf("an answer of %d bytes does not fit: %w", len(a.Text), err)}
	}
	return nil
}
