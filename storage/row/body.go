package row

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/graph"
)

// A body is the fields in order: numbers as varints, texts and lists after their length, bytes after their length plus two, where 0 is nil and 1
// an address. What the place says is not in it.

// writer puts bodies together, behind what is there already. With a codec, it keeps large values apart.
type writer struct {
	codec *Codec
	blobs []Blob
}

func (w *writer) record(b []byte, r *graph.Record) []byte {
	b = binary.AppendVarint(b, r.Parent)
	b = binary.AppendVarint(b, r.Base)
	b = binary.AppendVarint(b, r.LogBytes)
	b = binary.AppendVarint(b, int64(r.Step))
	b = binary.AppendVarint(b, r.At.Unix())
	b = binary.AppendVarint(b, int64(r.At.Nanosecond()))
	b = appendString(b, r.RunID)
	b = appendString(b, string(r.Source))
	b = appendString(b, r.Graph)
	b = appendTruth(b, r.Snapshot)
	b = w.channels(b, r.Writes)
	b = w.tasks(b, r.Tasks)
	b = appendLength(b, len(r.Joins))
	for _, j := range r.Joins {
		b = binary.AppendVarint(b, int64(j.Index))
		b = appendString(b, j.Target)
		b = appendLength(b, len(j.Arrived))
		for _, source := range j.Arrived {
			b = appendString(b, source)
		}
	}
	return b
}

func (w *writer) writes(b []byte, t *graph.TaskWrites) []byte {
	b = appendTruth(b, t.Finished)
	b = appendString(b, t.Goto)
	b = w.channels(b, t.Writes)
	b = w.tasks(b, t.Sends)
	b = appendLength(b, len(t.Interrupts))
	for _, i := range t.Interrupts {
		b = appendString(b, i.ID)
		b = appendString(b, i.Node)
		b = w.bytes(b, i.Question)
		b = w.bytes(b, i.Answer)
	}
	b = appendLength(b, len(t.Answers))
	for _, answer := range t.Answers {
		b = w.bytes(b, answer)
	}
	return b
}

func (w *writer) channels(b []byte, channels []graph.ChannelData) []byte {
	b = appendLength(b, len(channels))
	for i := range channels {
		b = appendString(b, channels[i].Channel)
		b = w.bytes(b, channels[i].Data)
	}
	return b
}

func (w *writer) tasks(b []byte, tasks []graph.TaskData) []byte {
	b = appendLength(b, len(tasks))
	for i := range tasks {
		b = appendString(b, tasks[i].Node)
		b = w.bytes(b, tasks[i].Input)
	}
	return b
}

// What stands for bytes in format 2, where format 1 had 0 for nil and else the length plus one.
const (
	isNil     = 0
	isAddress = 1
	isInline  = 2 // and the length
)

func (w *writer) bytes(b, data []byte) []byte {
	switch {
	case data == nil:
		return append(b, isNil)
	case w.apart(data):
		return append(append(b, isAddress), w.large(data)...)
	default:
		return append(appendLength(b, len(data)+isInline), data...)
	}
}

// apart says whether a value is kept apart from the row.
func (w *writer) apart(value []byte) bool { return w.codec != nil && len(value) >= Large }

// large returns the address of a value, which it keeps once.
func (w *writer) large(value []byte) []byte {
	b := Blob{Address: w.codec.address(value), value: value}
	if !slices.ContainsFunc(w.blobs, func(o Blob) bool { return o.Address == b.Address }) {
		w.blobs = append(w.blobs, b)
	}
	return b.Address[:]
}

func appendLength(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendTruth(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendString(b []byte, s string) []byte {
	if len(s) < 0x80 {
		return append(append(b, byte(len(s))), s...)
	}
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// recordSize is about the size of a record's body, so that it is made in one piece.
func (w *writer) recordSize(r *graph.Record) int {
	n := 36 + len(r.RunID) + len(r.Source) + len(r.Graph) + w.channelsSize(r.Writes) + w.tasksSize(r.Tasks)
	for _, j := range r.Joins {
		n += 8 + len(j.Target)
		for _, source := range j.Arrived {
			n += 4 + len(source)
		}
	}
	return n
}

func (w *writer) writesSize(t *graph.TaskWrites) int {
	n := 32 + len(t.Goto) + w.channelsSize(t.Writes) + w.tasksSize(t.Sends)
	for _, i := range t.Interrupts {
		n += 16 + len(i.ID) + len(i.Node) + w.inRow(i.Question) + w.inRow(i.Answer)
	}
	for _, answer := range t.Answers {
		n += 5 + w.inRow(answer)
	}
	return n
}

func (w *writer) channelsSize(channels []graph.ChannelData) (n int) {
	for _, c := range channels {
		n += 8 + len(c.Channel) + w.inRow(c.Data)
	}
	return n
}

func (w *writer) tasksSize(tasks []graph.TaskData) (n int) {
	for _, t := range tasks {
		n += 8 + len(t.Node) + w.inRow(t.Input)
	}
	return n
}

// inRow is how many bytes of a value are in the row.
func (w *writer) inRow(value []byte) int {
	if w.apart(value) {
		return len(Address{})
	}
	return len(value)
}

// reader takes a body apart. After the first thing that can't be right everything read is zero, and end says so.
type reader struct {
	left    []byte
	torn    bool
	format  byte
	values  map[Address][]byte
	missing []Address // not among the values; they are read as nil
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
	switch {
	case n == isNil:
		return nil
	case d.format == 1:
		return d.take(n - 1)
	case n == isAddress:
		return d.large()
	default:
		return d.take(n - isInline)
	}
}

// large returns the value whose address comes next.
func (d *reader) large() []byte {
	var a Address
	if copy(a[:], d.take(uint64(len(a)))) < len(a) {
		return nil
	}
	value, found := d.values[a]
	if !found {
		d.missing = append(d.missing, a)
	}
	return value[:len(value):len(value)]
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
