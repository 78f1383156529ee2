package row_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
	"annai/storage/row"
)

// Values around the threshold.
var (
	large = bytes.Repeat([]byte("L"), row.Large)
	other = bytes.Repeat([]byte("O"), row.Large+1)
	small = bytes.Repeat([]byte("S"), row.Large-1)
)

// album is a record with large values everywhere, and what a task left of it.
func album() (graph.Record, graph.TaskWrites) {
	r := graph.Record{
		ID: 7, Base: 7, Namespace: "a:1", At: time.Unix(0, 0).UTC(),
		Writes: []graph.ChannelData{{Channel: "a", Data: large}, {Channel: "b", Data: small}, {Channel: "c", Data: large}, {Channel: "nil"}},
		Tasks:  []graph.TaskData{{Node: "n", Input: other}},
	}
	w := graph.TaskWrites{
		Namespace: "a:1", Checkpoint: 7, Task: 2, Sends: []graph.TaskData{{Node: "n", Input: large}}, Answers: [][]byte{other, nil, {}},
		Interrupts: []graph.InterruptData{{ID: "i", Question: large, Answer: other}},
	}
	return r, w
}

// split returns the rows of the album, and those of its large values by their addresses.
func split(t testing.TB, c *row.Codec) (entries []row.Entry, values map[row.Address][]byte) {
	t.Helper()
	r, w := album()
	recordRow, of, err := c.SplitRecord("t", r)
	if err != nil {
		t.Fatalf("SplitRecord = %v", err)
	}
	writesRow, more, err := c.SplitWrites("t", w)
	if err != nil {
		t.Fatalf("SplitWrites = %v", err)
	}
	if len(of) != 2 || len(more) != 2 {
		t.Errorf("SplitRecord, SplitWrites = %d, %d large values, want each of two once", len(of), len(more))
	}
	values = map[row.Address][]byte{}
	for _, b := range append(of, more...) {
		if values[b.Address], err = c.EncodeBlob("t", b); err != nil {
			t.Fatalf("EncodeBlob = %v", err)
		}
	}
	return []row.Entry{{ID: 7, Task: row.Record, Data: recordRow}, {ID: 7, Task: 2, Data: writesRow}}, values
}

func TestSplit(t *testing.T) {
	r, w := album()
	want := r
	want.Pending = []graph.TaskWrites{w}
	for name, c := range every(t) {
		entries, values := split(t, c)
		if n := len(entries[1].Data); len(values) != 2 || n > 300 {
			t.Errorf("%s: %d large values apart from %d bytes, want 2 and little", name, len(values), n)
		}
		calls := 0
		got, err := c.Records("t", "a:1", entries, func(addresses []row.Address) (map[row.Address][]byte, error) {
			calls++
			if len(addresses) != 2 {
				t.Errorf("%s: fetch is asked for %d values, want each of two once", name, len(addresses))
			}
			return values, nil
		})
		if err != nil || calls != 1 || !reflect.DeepEqual(got, []graph.Record{want}) {
			t.Errorf("%s: Records = %d, %v after %d calls of fetch, want what was split", name, len(got), err, calls)
		}
		_ = append(got[0].Writes[0].Data, "overwritten"...)
		if !reflect.DeepEqual(got, []graph.Record{want}) {
			t.Errorf("%s: a value changed when another was appended to", name)
		}
	}
}

func TestSplitMissing(t *testing.T) {
	c, lost := codec(t, row.Options{}), errors.New("lost")
	entries, values := split(t, c)
	for a := range values {
		delete(values, a)
		break
	}
	for name, fetch := range map[string]struct {
		values map[row.Address][]byte
		err    error
		want   error
	}{
		"some":  {values, nil, row.ErrGone},
		"none":  {nil, nil, row.ErrGone},
		"fails": {nil, lost, lost},
	} {
		_, err := c.Records("t", "a:1", slices.Clone(entries), func([]row.Address) (map[row.Address][]byte, error) { return fetch.values, fetch.err })
		if !errors.Is(err, fetch.want) {
			t.Errorf("Records when fetch returns %s = %v, want %v", name, err, fetch.want)
		}
	}
	if _, err := c.DecodeRecord(row.Place{Thread: "t", Namespace: "a:1", ID: 7}, entries[0].Data); !errors.Is(err, row.ErrGone) {
		t.Errorf("DecodeRecord without its values = %v, want ErrGone", err)
	}
}

func TestAddress(t *testing.T) {
	addresses := map[row.Address]string{sha256.Sum256(large): "the hash"}
	for name, opts := range map[string]row.Options{"one key": {Key: key(1)}, "another key": {Key: key(2)}} {
		c := codec(t, opts)
		_, blobs, err := c.SplitRecord("t", graph.Record{Writes: []graph.ChannelData{{Data: large}}})
		if err != nil || len(blobs) != 1 {
			t.Fatalf("SplitRecord = %v, %v", blobs, err)
		}
		if same := addresses[blobs[0].Address]; same != "" {
			t.Errorf("the address with %s is that of %s", name, same)
		}
		addresses[blobs[0].Address] = name
		_, again, err := codec(t, opts).SplitWrites("u", graph.TaskWrites{Answers: [][]byte{large}})
		if err != nil || again[0].Address != blobs[0].Address {
			t.Errorf("the address of a value with %s = %x, then %x, %v, want the same", name, blobs[0].Address, again[0].Address, err)
		}
	}
}

// TestLargeRowsStay looks at what an encrypted large value opens at.
func TestLargeRowsStay(t *testing.T) {
	c := codec(t, row.Options{Key: key(1)})
	entries, values := split(t, c)
	fetch := func(values map[row.Address][]byte) func([]row.Address) (map[row.Address][]byte, error) {
		return func([]row.Address) (map[row.Address][]byte, error) { return values, nil }
	}
	var a, b row.Address
	for address := range values {
		a, b = b, address
	}
	if bytes.Contains(values[a], []byte("LLLL")) || bytes.Contains(values[b], []byte("OOOO")) {
		t.Error("an encrypted large value can be read")
	}
	exchanged := map[row.Address][]byte{a: values[b], b: values[a]}
	if _, err := c.Records("t", "a:1", slices.Clone(entries), fetch(exchanged)); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Records(values at each other's address) = %v, want ErrDenied", err)
	}
	for address := range values {
		values[address] = move(t, c, address.Place("t"), address.Place("u"), values[address])
	}
	if _, err := c.Records("t", "a:1", slices.Clone(entries), fetch(values)); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Records(values of another thread) = %v, want ErrDenied", err)
	}
}

func move(t *testing.T, c *row.Codec, from, to row.Place, data []byte) []byte {
	t.Helper()
	moved, err := c.Move(from, to, data)
	if err != nil {
		t.Fatalf("Move = %v", err)
	}
	return moved
}

func TestMove(t *testing.T) {
	to, toWrites := atRecord, atWrites
	to.Thread, toWrites.Thread = "u", "u"
	for name, c := range every(t) {
		r, w := encode(t, c)
		got, err := c.DecodeRecord(to, move(t, c, atRecord, to, r))
		if err != nil || !cmp.Equal(got, record()) {
			t.Errorf("%s: DecodeRecord(moved) = %v, %v, want the record", name, got, err)
		}
		gotWrites, err := c.DecodeWrites(toWrites, move(t, c, atWrites, toWrites, w))
		if err != nil || !cmp.Equal(gotWrites, writes()) {
			t.Errorf("%s: DecodeWrites(moved) = %v, %v, want the writes", name, gotWrites, err)
		}
		if again, err := c.DecodeRecord(atRecord, r); err != nil || !cmp.Equal(again, record()) {
			t.Errorf("%s: DecodeRecord(the one that was moved) = %v, want it as it was", name, err)
		}
		for n := range 4 {
			if _, err := c.Move(atRecord, to, r[:n]); n < 3 && !refused(err) {
				t.Errorf("%s: Move(the first %d bytes) = %v, want ErrInvalid or ErrDenied", name, n, err)
			}
		}
	}
	plain, _ := encode(t, codec(t, row.Options{}))
	secret, _ := encode(t, codec(t, row.Options{Key: key(1)}))
	if _, err := codec(t, row.Options{Key: key(1)}).Move(to, atRecord, secret); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Move(a row of another place) = %v, want ErrDenied", err)
	}
	if _, err := codec(t, row.Options{}).Move(atRecord, to, secret); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Move(a secret row without a key) = %v, want ErrDenied", err)
	}
	both := codec(t, row.Options{Key: key(1), ReadPlain: true})
	if got, err := codec(t, row.Options{Key: key(1)}).DecodeRecord(to, move(t, both, atRecord, to, plain)); err != nil || !cmp.Equal(got, record()) {
		t.Errorf("DecodeRecord(a plain row moved with a key) = %v, want it, encrypted", err)
	}
}

// TestFormat1 reads rows as they were before large values were kept apart.
func TestFormat1(t *testing.T) {
	c := codec(t, row.Options{})
	data, err := hex.DecodeString("01720002021200e296c0f80c020372756e046c6f6f700b636f6e6369657267654032000205776f7264730" +
		"95b22f09f8fae225d05656d7074790101036173" + "6b00010201630201610162")
	if err != nil {
		t.Fatal(err)
	}
	want := graph.Record{
		ID: 2, Parent: 1, Base: 1, LogBytes: 9, RunID: "run", Source: graph.SourceLoop, At: time.Date(2025, 1, 15, 19, 0, 1, 1, time.UTC), Graph: "concierge@2",
		Writes: []graph.ChannelData{{Channel: "words", Data: []byte(`["🏮"]`)}, {Channel: "empty", Data: []byte{}}}, Tasks: []graph.TaskData{{Node: "ask"}},
		Joins: []graph.JoinData{{Index: 1, Target: "c", Arrived: []string{"a", "b"}}},
	}
	got, err := c.DecodeRecord(row.Place{Thread: "t", ID: 2}, data)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("DecodeRecord = %v (-want +got):\n%s", err, diff)
	}
	data, err = hex.DecodeString("01770000000000010269310361736b0c22e4bd95e69982efbc9f220001062279657322")
	if err != nil {
		t.Fatal(err)
	}
	wantWrites := graph.TaskWrites{
		Checkpoint: 2, Answers: [][]byte{[]byte(`"yes"`)}, Interrupts: []graph.InterruptData{{ID: "i1", Node: "ask", Question: []byte(`"何時？"`)}},
	}
	gotWrites, err := c.DecodeWrites(row.Place{Thread: "t", ID: 2}, data)
	if diff := cmp.Diff(wantWrites, gotWrites); err != nil || diff != "" {
		t.Errorf("DecodeWrites = %v (-want +got):\n%s", err, diff)
	}
	long := graph.Record{ID: 1, Base: 1, At: time.Unix(0, 0).UTC(), Writes: []graph.ChannelData{{Channel: "c", Data: large}}}
	whole, err := c.EncodeRecord("t", long)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.DecodeRecord(row.Place{Thread: "t", ID: 1}, whole); err != nil || !reflect.DeepEqual(got, long) {
		t.Errorf("DecodeRecord(encoded whole) = %v, want it with its large value", err)
	}
}
