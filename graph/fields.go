package graph

import (
	"fmt"
	"reflect"

	"annai/fault"
)

// A Field describes a channel for programs that do not know the type of the state, such as a server.
type Field[S any] struct {
	// Name is the channel's.
	Name string
	// Update is the type of its updates.
	Update reflect.Type
	// Hidden says that the channel is a field of the state with the tag json:"-".
	Hidden bool

	decode func(data []byte) (Write[S], error)
}

// Read reads an update from JSON. What does not fit is [fault.ErrInvalid].
func (f Field[S]) Read(data []byte) (Write[S], error) {
	w, err := f.decode(data)
	if err != nil {
		return Write[S]{}, fmt.Errorf("%s: %w: %w", f.Name, err, fault.ErrInvalid)
	}
	return w, nil
}

// Fields returns the graph's channels in the order in which they were declared.
func (g *StateGraph[S]) Fields() []Field[S] {
	fields := make([]Field[S], 0, len(g.schema.channels))
	for _, c := range g.schema.channels {
		fields = append(fields, Field[S]{Name: c.name, Update: c.update, Hidden: c.hidden(), decode: c.decode})
	}
	return fields
}

// hidden reports whether the channel is a field of a struct with the tag json:"-".
func (c *channel[S]) hidden() bool {
	var state S
	value := reflect.ValueOf(&state).Elem()
	if c.at == nil || value.Kind() != reflect.Struct {
		return false
	}
	at := reflect.ValueOf(c.at(&state)).Pointer()
	for i := range value.NumField() {
		if value.Field(i).Addr().Pointer() == at && value.Field(i).Type().Size() > 0 {
			return value.Type().Field(i).Tag.Get("json") == "-"
		}
	}
	return false
}
