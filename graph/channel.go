package graph

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Schema is the list of channels of the state S. [Last], [Append] and the like add to it when the program starts; it
// must not be changed once a graph is compiled with it.
type Schema[S any] struct {
	channels []*channel[S]
	problems []string
}

// NewSchema returns a schema without channels.
func NewSchema[S any]() *Schema[S] { return new(Schema[S]) }

// A Channel is one field of the state S, with a reducer that takes updates of type U. [Last], [Append] and the like
// declare it, mostly in a package variable beside the struct.
type Channel[S, U any] struct{ def *channel[S] }

// Name returns the channel's name, as it stands in checkpoints and streams.
func (c Channel[S, U]) Name() string { return c.def.name }

// Write returns the write of the value to the channel, for an [Update]. To write a zero value is not the same as not to
// write.
func (c Channel[S, U]) Write(value U) Write[S] { return Write[S]{channel: c.def, value: value} }

// A Write is one channel and the value it gets, as [Channel.Write] made it.
type Write[S any] struct {
	channel *channel[S]
	value   any
}

// Channel returns the name of the channel.
func (w Write[S]) Channel() string { return w.channel.name }

// Value returns the value, which has the type of the channel's updates.
func (w Write[S]) Value() any { return w.value }

// written returns what was written to a channel whose updates are of type U.
func written[U, S any](w *Write[S]) U {
	value, _ := w.value.(U) // of the channel's own type, or nil if that is an interface
	return value
}

// MarshalJSON writes an update as an object of its channels. Of a channel that is written twice it has the last value.
// Channels whose names begin and end with two underscores are internal, and left out.
func (u Update[S]) MarshalJSON() ([]byte, error) {
	object := make(map[string]any, len(u))
	for _, w := range u {
		if name := w.channel.name; strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
			continue
		}
		object[w.channel.name] = w.Value()
	}
	return json.Marshal(object)
}

// channel is what the engine knows of a channel, its types erased.
type channel[S any] struct {
	name   string
	schema *Schema[S]
	index  int
	// exclusive channels may have one writer in a superstep.
	exclusive bool
	// ephemeral channels are empty between runs.
	ephemeral bool
	// at points to the field of a state that is a struct.
	at     func(state *S) any
	update reflect.Type
	reset  func(state *S)
	// clip takes the room behind a list; nil where there is none.
	clip   func(state *S)
	reduce func(state *S, spare *spare, w *Write[S])
	// decode reads an update, snapshot appends the channel's value to b, restore is its reverse.
	decode   func(data []byte) (Write[S], error)
	snapshot func(b []byte, state *S) ([]byte, error)
	restore  func(state *S, data []byte) error
}

// spare is the room behind a list that a run owns: the next update goes there. The state sees the list without that
// room, so that whoever appends to the list of the state copies it, and older states stay as they were.
type spare struct {
	list any // a pointer to the list, with its room; nil for none
}

// clipper returns what takes the room behind a value of type T, so that two nodes that append to the same state do not
// write to the same place; nil where there is none, because T is no list.
func clipper[T any]() func(value *T) {
	if reflect.TypeFor[T]().Kind() != reflect.Slice {
		return nil
	}
	return func(value *T) {
		list := reflect.ValueOf(value).Elem()
		list.SetCap(list.Len())
	}
}

// A Reducer is how the value T of a channel takes in an update U. For all values and updates this must hold:
//
//	Reduce(Reduce(t, x), y) = Reduce(t, Combine(x, y))
//
// Neither function changes its arguments. graphtest.CheckReducer looks for a counterexample. The engine itself calls
// only Reduce.
type Reducer[T, U any] struct {
	// Reduce returns the value after the update.
	Reduce func(value T, update U) T
	// Combine returns one update that does what the two do, in this order.
	Combine func(first, second U) U
}

// Reduce declares a channel with the reducer.
func Reduce[S, T, U any](s *Schema[S], name string, field func(*S) *T, r Reducer[T, U]) Channel[S, U] {
	clip, clipUpdate := clipper[T](), clipper[U]()
	return declare[S, T, U](s, name, field, func(state *S, _ *spare, w *Write[S]) {
		value, update := field(state), written[U](w)
		if clipUpdate != nil {
			clipUpdate(&update)
		}
		*value = r.Reduce(*value, update)
		if clip != nil {
			clip(value)
		}
	})
}

// Last declares a channel that keeps the last value written. Two writers in one superstep are an error.
func Last[S, T any](s *Schema[S], name string, field func(*S) *T) Channel[S, T] {
	clip := clipper[T]()
	c := declare[S, T, T](s, name, field, func(state *S, _ *spare, w *Write[S]) {
		value := field(state)
		*value = written[T](w)
		if clip != nil {
			clip(value)
		}
	})
	c.def.exclusive = true
	return c
}

// Ephemeral declares a channel like that of [Last] whose value lasts for one run: it is in the run's [Result] and in
// the checkpoints of a run that is not finished, but not in those of one that is, and every new input begins without
// it.
func Ephemeral[S, T any](s *Schema[S], name string, field func(*S) *T) Channel[S, T] {
	c := Last(s, name, field)
	c.def.ephemeral = true
	return c
}

// Append declares a channel that appends the values written to a list. A step costs the same however long the list is.
func Append[S, T any](s *Schema[S], name string, field func(*S) *[]T) Channel[S, []T] {
	return declare[S, []T, []T](s, name, field, func(state *S, room *spare, w *Write[S]) {
		added := written[[]T](w)
		if len(added) == 0 {
			return
		}
		list := field(state)
		own, ok := room.list.(*[]T)
		if !ok {
			own = new([]T)
			room.list = own
		}
		if len(*own) == 0 || len(*own) != len(*list) || &(*own)[0] != &(*list)[0] { // the state's list is another one
			*own = append(make([]T, 0, max(4, 2*(len(*list)+len(added)))), *list...)
		}
		*own = append(*own, added...)
		*list = slices.Clip(*own)
	})
}

// Sum declares a channel that adds up the numbers written; strings are concatenated.
func Sum[S any, T cmp.Ordered](s *Schema[S], name string, field func(*S) *T) Channel[S, T] {
	add := func(a, b T) T { return a + b }
	return Reduce(s, name, field, Reducer[T, T]{Reduce: add, Combine: add})
}

// Set declares a channel that keeps each value once, in the order in which they were first written.
func Set[S any, T comparable](s *Schema[S], name string, field func(*S) *[]T) Channel[S, []T] {
	return Reduce(s, name, field, SetReducer[T]())
}

// SetReducer is the reducer of [Set].
func SetReducer[T comparable]() Reducer[[]T, []T] {
	union := func(value, update []T) []T {
		out := slices.Clip(value)
		for _, v := range update {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		return out
	}
	return Reducer[[]T, []T]{Reduce: union, Combine: union}
}

// A Merge is an update of a [MergeByID] channel. First Overwrite empties the list; then the items whose ids are in
// Remove are removed; then each item of Put replaces the one that has its id, or is appended if there is none.
type Merge[T any] struct {
	Overwrite bool     `json:"overwrite,omitempty"`
	Remove    []string `json:"remove,omitempty"`
	Put       []T      `json:"put,omitempty"`
}

// MergeByID declares a channel with a list of items that have ids: an update puts items, removes some, or both. See
// [Merge].
func MergeByID[S, T any](s *Schema[S], name string, field func(*S) *[]T, id func(T) string) Channel[S, Merge[T]] {
	return Reduce(s, name, field, MergeReducer(id))
}

// MergeReducer is the reducer of [MergeByID].
func MergeReducer[T any](id func(T) string) Reducer[[]T, Merge[T]] {
	apply := func(list []T, m Merge[T]) []T {
		if m.Overwrite {
			list = nil
		}
		out := make([]T, 0, len(list)+len(m.Put))
		at := make(map[string]int, len(list)+len(m.Put))
		for _, item := range list {
			if !slices.Contains(m.Remove, id(item)) {
				at[id(item)] = len(out)
				out = append(out, item)
			}
		}
		for _, item := range m.Put {
			if i, ok := at[id(item)]; ok {
				out[i] = item
				continue
			}
			at[id(item)] = len(out)
			out = append(out, item)
		}
		return out
	}
	combine := func(x, y Merge[T]) Merge[T] {
		if y.Overwrite {
			return y
		}
		// What y removes must be gone even where x puts it, and y's items come after: the order of a removed and
		// re-added item is that of its second adding, so it stays in Remove.
		return Merge[T]{
			Overwrite: x.Overwrite,
			Remove:    append(slices.Clip(x.Remove), y.Remove...),
			Put:       apply(apply(nil, Merge[T]{Put: x.Put}), Merge[T]{Remove: y.Remove, Put: y.Put}),
		}
	}
	return Reducer[[]T, Merge[T]]{Reduce: apply, Combine: combine}
}

func declare[S, T, U any](s *Schema[S], name string, field func(*S) *T, reduce func(*S, *spare, *Write[S])) Channel[S, U] {
	clip := clipper[T]()
	clipState := func(*S) {}
	if clip != nil {
		clipState = func(state *S) { clip(field(state)) }
	}
	return add[S, U](s, &channel[S]{
		name:   name,
		reduce: reduce,
		at:     func(state *S) any { return field(state) },
		reset: func(state *S) {
			var zero T
			*field(state) = zero
		},
		clip:     clipState,
		snapshot: func(b []byte, state *S) ([]byte, error) { return appendJSON(b, *field(state)) },
		restore: func(state *S, data []byte) error {
			var value T
			err := json.Unmarshal(data, &value)
			*field(state) = value
			clipState(state)
			return err
		},
	})
}

// add takes a channel into the schema, with what follows from the type of its updates.
func add[S, U any](s *Schema[S], c *channel[S]) Channel[S, U] {
	c.schema, c.index, c.update = s, len(s.channels), reflect.TypeFor[U]()
	c.decode = func(data []byte) (Write[S], error) {
		var update U
		if err := json.Unmarshal(data, &update); err != nil {
			return Write[S]{}, err
		}
		return Channel[S, U]{def: c}.Write(update), nil
	}
	if c.name == "" {
		s.problems = append(s.problems, "a channel has no name")
	}
	if s.find(c.name) != nil {
		s.problems = append(s.problems, fmt.Sprintf("channel %q is declared twice", c.name))
	}
	s.channels = append(s.channels, c)
	return Channel[S, U]{def: c}
}

// find returns the channel of that name, or nil.
func (s *Schema[S]) find(name string) *channel[S] {
	for _, c := range s.channels {
		if c.name == name {
			return c
		}
	}
	return nil
}
