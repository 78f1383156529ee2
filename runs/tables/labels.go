package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"annai/fault"
	"annai/runs"
)

// labelSize is how many bytes of a digest are kept: two values never have the same.
const labelSize = 16

// labels are what an object is found by: one for each value that is no object, with the path to it, and one for each object that there is one. So an
// object holds all of another exactly if it has all of its labels.
func (s *Store) labels(o runs.Object) ([]string, error) {
	var found []string
	var walk func(path []string, o runs.Object) error
	walk = func(path []string, o runs.Object) error {
		for name, value := range o {
			at := append(slices.Clone(path), name)
			inner, is := value.(runs.Object)
			if is {
				value = nil
			}
			text, err := json.Marshal([]any{at, is, plain(value)})
			if err != nil {
				return fmt.Errorf("metadata: %w: %w", err, fault.ErrInvalid)
			}
			digest := s.codec.Digest(text)
			found = append(found, string(digest[:labelSize]))
			if is {
				if err := walk(at, inner); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err := walk(nil, o)
	slices.Sort(found)
	return found, err
}

// plain is a value without negative zeros, which equal zero and are another text.
func plain(value any) any {
	switch v := value.(type) {
	case float64:
		return v + 0
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case runs.Object:
		out := make(runs.Object, len(v))
		for name := range v {
			out[name] = plain(v[name])
		}
		return out
	default:
		return value
	}
}

// common says whether so many threads have the label that it is no way to find some.
func common(ctx context.Context, tx Tx, label string) (bool, error) {
	const some, count = 1000, `SELECT count(*) FROM (SELECT 1 FROM annai_labels WHERE label = $1 LIMIT $2) l`
	n := 0
	err := one(ctx, tx, count, []any{[]byte(label), int64(some + 1)}, &n)
	return n > some, err
}

// label writes the labels of a thread.
func label(ctx context.Context, tx Tx, thread string, labels []string) error {
	for _, l := range labels {
		const insert = `INSERT INTO annai_labels (label, thread) VALUES ($1, $2)`
		if err := tx.Later(ctx, insert, []byte(l), thread); err != nil {
			return err
		}
	}
	return nil
}
