package graph

import (
	"encoding/json"
	"fmt"
	"maps"
)

// Values is the state of a graph whose channels are known only at run time: values that JSON can carry, by the names of
// channels that were declared with [LastValue], [AppendValue] or [ReduceValue]. A channel that was never written is not
// in the map. When a thread is loaded from its checkpoint, numbers become float64, as encoding/json makes them.
type Values map[string]any

// MarshalJSON writes an object; an empty one for nil.
func (v Values) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]any(v))
}

// LastValue declares a channel that keeps the last value written. Two writers in one superstep are an error.
func LastValue(s *Schema[Values], name string) Channel[Values, any] {
	c := declareValue(s, name, func(_, update any) any { return update })
	c.def.exclusive = true
	return c
}

// AppendValue declares a channel that appends what is written, a []any or a single value, to a list, a []any.
func AppendValue(s *Schema[Values], name string) Channel[Values, any] {
	return declareValue(s, name, func(value, update any) any {
		list, _ := value.([]any)
		if added, ok := update.([]any); ok {
			return append(list[:len(list):len(list)], added...)
		}
		return append(list[:len(list):len(list)], update)
	})
}

// ReduceValue declares a channel with a reducer of its own. The value is nil before the first update. Reduce must not
// change its arguments.
func ReduceValue(s *Schema[Values], name string, reduce func(value, update any) any) Channel[Values, any] {
	return declareValue(s, name, reduce)
}

func declareValue(s *Schema[Values], name string, reduce func(value, update any) any) Channel[Values, any] {
	set := func(state *Values, value any) {
		// Nodes and checkpoints hold the map as it was: a change is made in a copy.
		next := maps.Clone(*state)
		if next == nil {
			next = Values{}
		}
		next[name] = value
		*state = next
	}
	return add[Values, any](s, &channel[Values]{
		name: name,
		reduce: func(state *Values, _ *spare, w *Write[Values]) {
			set(state, reduce((*state)[name], w.value))
		},
		snapshot: func(b []byte, state *Values) ([]byte, error) {
			value, ok := (*state)[name]
			if !ok {
				return b, nil
			}
			data, err := json.Marshal(value)
			return append(b, data...), err
		},
		restore: func(state *Values, data []byte) error {
			if len(data) == 0 {
				return nil
			}
			var value any
			if err := json.Unmarshal(data, &value); err != nil {
				return fmt.Errorf("restore: %w", err)
			}
			set(state, value)
			return nil
		},
	})
}
