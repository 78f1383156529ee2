package row

import (
	"cmp"
	"fmt"
	"slices"

	"annai/graph"
)

// Record is the Task of an [Entry] that is no task's writes.
const Record = -1

// Entry is a row as a query returns it.
type Entry struct {
	ID   int64
	Task int
	Data []byte
}

// Records decodes what was read of a namespace, in any order: records, newest first, each with the pending writes among the entries. Writes of
// a record that is not among them are left out. If there are large values, fetch is called once and returns their rows by address. Records may
// share memory with what was read, and values that are the same large one with each other.
//
// A row that is torn, foreign or of a newer format is [fault.ErrInvalid]; one that the key does not open, or that was made for another
// place, [fault.ErrDenied]. If fetch did not return all, that is [ErrGone].
func (c *Codec) Records(thread, namespace string, entries []Entry, fetch func([]Address) (map[Address][]byte, error)) ([]graph.Record, error) {
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(cmp.Compare(b.ID, a.ID), cmp.Compare(a.Task, b.Task)) })
	records, missing, err := c.records(thread, namespace, entries, nil)
	if err != nil || len(missing) == 0 {
		return records, err
	}
	values, err := c.blobs(thread, missing, fetch)
	if err != nil {
		return nil, err
	}
	if records, missing, err = c.records(thread, namespace, entries, values); err != nil {
		return nil, err
	}
	return records, gone(missing)
}

// records decodes sorted entries, and says which values are missing.
func (c *Codec) records(thread, namespace string, entries []Entry, values map[Address][]byte) (out []graph.Record, missing []Address, err error) {
	for _, e := range entries {
		p := Place{Thread: thread, Namespace: namespace, ID: e.ID}
		if e.Task == Record {
			r, more, err := c.decodeRecord(p, e.Data, values)
			if err != nil {
				return nil, nil, fmt.Errorf("record %d: %w", e.ID, err)
			}
			out, missing = append(out, r), append(missing, more...)
			continue
		}
		if len(out) == 0 || out[len(out)-1].ID != e.ID {
			continue
		}
		p.Task = e.Task
		w, more, err := c.decodeWrites(p, e.Data, values)
		if err != nil {
			return nil, nil, fmt.Errorf("writes of task %d of record %d: %w", e.Task, e.ID, err)
		}
		last := &out[len(out)-1]
		last.Pending, missing = append(last.Pending, w), append(missing, more...)
	}
	return out, missing, nil
}
