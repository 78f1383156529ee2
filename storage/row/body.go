package row

import (
	"encoding/binary"
	"fmt"
	"time"

	"annai/graph"
	"annai/internal/fault"
)

// A body is the fields in order: numbers as varints, texts and lists after their length, bytes after their length plus one, where 0 is nil.
// What the place says is not in it.

func appendRecord(b []byte, r graph.Record) []byte {
	for _, n := range [...]int64{r.Parent, r.Base, r.LogBytes, int64(r.Step), r.At.Unix(), int64(r.At.Nanosecond())} {
		b = binary.AppendVarint(b, n)
	}
	b = appendString(b, r.RunID)
	b = appendString(b, string(r.Source))
	b = appendString(b, r.Graph)
	b = appendBool(b, r.Snapshot)
	b = appendChannels(b, r.Writes)
	b = appendTasks(b, r.Tasks)
	b = binary.AppendUvarint(b, uint64(len(r.Joins)))
	for _, j := range r.Joins {
		b = binary.AppendVarint(b, int64(j.Index))
		b = appendString(b, j.Target)
		b = binary.AppendUvarint(b, uint64(len(j.Arrived)))
		for _, source := range j.Arrived {
			b = appendString(b, source)
		}
	}
	return b
}

func appendWrites(b []byte, w graph.TaskWrites) []byte {
	b = appendBool(b, w.Finished)
	b = appendString(b, w.Goto)
	b = appendChannels(b, w.Writes)
	b = appendTasks(b, w.Sends)
	b = binary.AppendUvarint(b, uint64(len(w.Interrupts)))
	for _, i := range w.Interrupts {
		b = appendString(b, i.ID)
		b = appendString(b, i.Node)
		b = appendBytes(b, i.Question)
		b = appendBytes(b, i.Answer)
	}
	b = binary.AppendUvarint(b, uint64(len(w.Answers)))
	for _, answer := range w.Answers {
		b = appendBytes(b, answer)
	}
	return b
}

func appendChannels(b []byte, channels []graph.ChannelData) []byte {
	b = binary.AppendUvarint(b, uint64(len(channels)))
	for _, c := range channels {
		b = appendString(b, c.Channel)
		b = appendBytes(b, c.Data)
	}
	return b
}

func appendTasks(b []byte, tasks []graph.TaskData) []byte {
	b = binary.AppendUvarint(b, uint64(len(tasks)))
	for _, t := range tasks {
		b = appendString(b, t.Node)
		b = appendBytes(b, t.Input)
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendBytes(b, data []byte) []byte {
	if data == nil {
		return append(b, 0)
	}
	return append(binary.AppendUvarint(b, uint64(len(data))+1), data...)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// recordSize is about the size of a record's body, so that it is made in one piece.
func recordSize(r graph.Record) int {
	n := 64 + len(r.RunID) + len(r.Source) + len(r.Graph) + channelsSize(r.Writes) + tasksSize(r.Tasks)
	for _, j := range r.Joins {
		n += 8 + len(j.Target)
		for _, source := range j.Arrived {
			n += 4 + len(source)
		}
	}
	return n
}

func writesSize(w graph.TaskWrites) int {
	n := 32 + len(w.Goto) + channelsSize(w.Writes) + tasksSize(w.Sends)
	for _, i := range w.Interrupts {
		n += 16 + len(i.ID) + len(i.Node) + len(i.Question) + len(i.Answer)
	}
	for _, answer := range w.Answers {
		n += 5 + len(answer)
	}
	return n
}

func channelsSize(channels []graph.ChannelData) (n int) {
	for _, c := range channels {
		n += 8 + len(c.Channel) + len(c.Data)
	}
	return n
}

func tasksSize(tasks []graph.TaskData) (n int) {
	for _, t := range tasks {
		n += 8 + len(t.Node) + len(t.Input)
	}
	return n
}

// reader takes a body apart. After the first thing that can't be right everything read is zero, and end says so.
type reader struct {
	left []byte
	torn bool
}

func (d *reader) record(r *graph.Record) {
	r.Parent, r.Base, r.LogBytes, r.Step = d.number(), d.number(), d.number(), int(d.number())
	seconds, nanoseconds := d.number(), d.number()
	r.At = time.Unix(seconds, nanoseconds).UTC()
	r.RunID, r.Source, r.Graph, r.Snapshot = d.text(), graph.Source(d.text()), d.text(), d.truth()
	r.Writes, r.Tasks = d.channels(), d.tasks()
	r.Joins = list(d, func() graph.JoinData {
		return graph.JoinData{Index: int(d.number()), Target: d.text(), Arrived: list(d, d.text)}
	})
}

func (d *reader) writes(w *graph.TaskWrites) {
	w.Finished, w.Goto, w.Writes, w.Sends = d.truth(), d.text(), d.channels(), d.tasks()
	w.Interrupts = list(d, func() graph.InterruptData {
		return graph.InterruptData{ID: d.text(), Node: d.text(), Question: d.bytes(), Answer: d.bytes()}
	})
	w.Answers = list(d, d.bytes)
}

func (d *reader) channels() []graph.ChannelData {
	return list(d, func() graph.ChannelData { return graph.ChannelData{Channel: d.text(), Data: d.bytes()} })
}

func (d *reader) tasks() []graph.TaskData {
	return list(d, func() graph.TaskData { return graph.TaskData{Node: d.text(), Input: d.bytes()} })
}

// list reads a list. Each element has a byte at least, so a length above what is left is refused before there is room made for it.
func list[T any](d *reader, element func() T) []T {
	n := d.length()
	if n > uint64(len(d.left)) {
		d.fail()
	}
	if d.torn || n == 0 {
		return nil
	}
	out := make([]T, 0, min(n, 64))
	for range n {
		if d.torn {
			return nil
		}
		out = append(out, element())
	}
	return out
}

func (d *reader) number() int64 {
	v, n := binary.Varint(d.left)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.left = d.left[n:]
	return v
}

func (d *reader) length() uint64 {
	v, n := binary.Uvarint(d.left)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.left = d.left[n:]
	return v
}

func (d *reader) truth() bool {
	v := d.length()
	if v > 1 {
		d.fail()
	}
	return v == 1
}

func (d *reader) text() string { return string(d.take(d.length())) }

func (d *reader) bytes() []byte {
	n := d.length()
	if n == 0 {
		return nil
	}
	return d.take(n - 1)
}

// take returns the next n bytes, with no room behind them that an append could reach.
func (d *reader) take(n uint64) []byte {
	if n > uint64(len(d.left)) {
		d.fail()
		return nil
	}
	out := d.left[:n:n]
	d.left = d.left[n:]
	return out
}

func (d *reader) fail() { d.torn, d.left = true, nil }

// end says whether the body was whole and nothing follows it.
func (d *reader) end() error {
	switch {
	case d.torn:
		return fmt.Errorf("the row is torn: %w", fault.ErrInvalid)
	case len(d.left) > 0:
		return fmt.Errorf("%d bytes follow the row: %w", len(d.left), fault.ErrInvalid)
	}
	return nil
}
