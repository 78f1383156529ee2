package graph

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unsafe"
)

// appender returns what appends a value of type T to a text of JSON. What it appends is what json.Marshal makes; numbers, plain texts and lists of
// them, which are most of what is kept, take a shorter way.
func appender[T any]() func(b []byte, value T) ([]byte, error) {
	t := reflect.TypeFor[T]()
	switch {
	case !plain(t):
	case t.Kind() == reflect.String:
		return func(b []byte, value T) ([]byte, error) { return appendText(b, *(*string)(unsafe.Pointer(&value))) }
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64:
		return func(b []byte, value T) ([]byte, error) {
			return strconv.AppendInt(b, int64(*(*int)(unsafe.Pointer(&value))), 10), nil
		}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String && plain(t.Elem()):
		return func(b []byte, value T) ([]byte, error) { return appendTexts(b, *(*[]string)(unsafe.Pointer(&value))) }
	}
	return func(b []byte, value T) ([]byte, error) {
		data, err := json.Marshal(value)
		return append(b, data...), err
	}
}

// plain reports whether json.Marshal writes a value of the type by its kind. Methods may say otherwise.
func plain(t reflect.Type) bool { return t.NumMethod() == 0 && reflect.PointerTo(t).NumMethod() == 0 }

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
