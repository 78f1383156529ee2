package graph

import (
	"encoding/json"
	"strconv"
)

// appendJSON appends a value to a text of JSON, as json.Marshal writes it; numbers, texts and lists of texts, which are
// most of what is kept, take a shorter way.
func appendJSON(b []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case string:
		return appendText(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10), nil
	case []string:
		return appendTexts(b, v)
	}
	data, err := json.Marshal(value)
	return append(b, data...), err
}

func appendText(b []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			data, err := json.Marshal(s)
			return append(b, data...), err
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"'), nil
}

func appendTexts(b []byte, texts []string) ([]byte, error) {
	if texts == nil {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	for i, s := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendText(b, s); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}
