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
// a record that is not among them are left out.
func (c *Codec) Records(thread, namespace string, entries []Entry) ([]graph.Record, error) {
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(cmp.Compare(b.ID, a.ID), cmp.Compare(a.Task, b.Task)) })
	var out []graph.Record
	for _, e := range entries {
		p := Place{Thread: thread, Namespace: namespace, ID: e.ID}
		if e.Task == Record {
			r, err := c.DecodeRecord(p, e.Data)
			if err != nil {
				return nil, fmt.Errorf("record %d: %w", e.ID, err)
			}
			out = append(out, r)
			continue
		}
		if len(out) == 0 || out[len(out)-1].ID != e.ID {
			continue
		}
		p.Task = e.Task
		w, err := c.DecodeWrites(p, e.Data)
		if err != nil {
			return nil, fmt.Errorf("writes of task %d of record %d: %w", e.Task, e.ID, err)
		}
		last := &out[len(out)-1]
		last.Pending = append(last.Pending, w)
	}
	return out, nil
}
