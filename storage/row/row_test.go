package row_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/graph"
	"annai/storage/row"
)

func codec(t testing.TB, opts row.Options) *row.Codec {
	t.Helper()
	c, err := row.New(opts)
	if err != nil {
		t.Fatalf("New(%+v) = %v", opts, err)
	}
	return c
}

// key returns 32 bytes.
func key(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

func record() graph.Record {
	return graph.Record{
		ID: 7, Parent: 5, Base: -3, LogBytes: 1 << 40, Namespace: "a:1", RunID: "run", Step: -1, Source: graph.SourceLoop,
		At: time.Date(2025, 1, 15, 19, 0, 0, 123, time.UTC), Graph: "案内", Snapshot: true,
		Writes: []graph.ChannelData{{Channel: "nil"}, {Channel: "empty", Data: []byte{}}, {Channel: "語", Data: []byte("\x00\xff")}},
		Tasks:  []graph.TaskData{{Node: "a"}, {Node: "b", Input: []byte("7")}},
		Joins:  []graph.JoinData{{Index: 3, Target: "c", Arrived: []string{"x", ""}}, {Target: "d"}},
	}
}

func writes() graph.TaskWrites {
	return graph.TaskWrites{
		Namespace: "a:1", Checkpoint: 7, Task: 2, Finished: true, Goto: "c",
		Writes: []graph.ChannelData{{Channel: "words", Data: []byte("[]")}}, Sends: []graph.TaskData{{Node: "b", Input: []byte("1")}},
		Interrupts: []graph.InterruptData{{ID: "i1", Node: "b", Question: []byte(`"何時？"`)}, {ID: "i2", Question: []byte{}, Answer: []byte("2")}},
		Answers:    [][]byte{nil, {}, []byte(`"yes"`)},
	}
}

var (
	atRecord = row.Place{Thread: "t", Namespace: "a:1", ID: 7}
	atWrites = row.Place{Thread: "t", Namespace: "a:1", ID: 7, Task: 2}
)

// every is a codec of every kind, by name.
func every(t testing.TB) map[string]*row.Codec {
	return map[string]*row.Codec{
		"plain":      codec(t, row.Options{}),
		"compressed": codec(t, row.Options{CompressAbove: 1}),
		"encrypted":  codec(t, row.Options{Key: key(1)}),
		"both":       codec(t, row.Options{Key: key(1), CompressAbove: 1}),
	}
}

func encode(t testing.TB, c *row.Codec) (r, w []byte) {
	t.Helper()
	r, blobs, err := c.SplitRecord("t", record())
	if err != nil || len(blobs) > 0 {
		t.Fatalf("EncodeRecord = %d large values, %v", len(blobs), err)
	}
	if w, blobs, err = c.SplitWrites("t", writes()); err != nil || len(blobs) > 0 {
		t.Fatalf("EncodeWrites = %d large values, %v", len(blobs), err)
	}
	return r, w
}

func TestRoundTrip(t *testing.T) {
	for name, c := range every(t) {
		r, w := encode(t, c)
		gotRecord, err := c.DecodeRecord(atRecord, r)
		if diff := cmp.Diff(record(), gotRecord); err != nil || diff != "" {
			t.Errorf("%s: DecodeRecord = %v (-want +got):\n%s", name, err, diff)
		}
		gotWrites, err := c.DecodeWrites(atWrites, w)
		if diff := cmp.Diff(writes(), gotWrites); err != nil || diff != "" {
			t.Errorf("%s: DecodeWrites = %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestBareRecord(t *testing.T) {
	c := codec(t, row.Options{})
	data, err := c.EncodeRecord("", graph.Record{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.DecodeRecord(row.Place{}, data)
	if diff := cmp.Diff(graph.Record{}, got); err != nil || diff != "" {
		t.Errorf("DecodeRecord = %v (-want +got):\n%s", err, diff)
	}
}

func TestCompression(t *testing.T) {
	r := graph.Record{Writes: []graph.ChannelData{{Channel: "c", Data: []byte(strings.Repeat("案内 ", 1000))}}}
	size := map[int]int{}
	for _, above := range []int{0, 1000, 10_000} {
		c := codec(t, row.Options{CompressAbove: above})
		data, err := c.EncodeRecord("t", r)
		if err != nil {
			t.Fatal(err)
		}
		size[above] = len(data)
		if _, err := codec(t, row.Options{}).DecodeRecord(row.Place{Thread: "t"}, data); err != nil {
			t.Errorf("DecodeRecord(compressed above %d) by a codec that compresses none = %v", above, err)
		}
	}
	if size[1000] > 200 || size[0] < 7000 || size[10_000] != size[0] {
		t.Errorf("sizes by threshold = %v, want only the one above 1000 small", size)
	}
}

func TestNobodyAppendsIntoAnother(t *testing.T) {
	c := codec(t, row.Options{})
	data, _ := encode(t, c)
	got, err := c.DecodeRecord(atRecord, data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Writes {
		_ = append(got.Writes[i].Data, "overwritten"...)
	}
	if diff := cmp.Diff(record(), got); diff != "" {
		t.Errorf("after appending to its slices (-want +got):\n%s", diff)
	}
}

// TestTorn cuts and changes rows everywhere.
func TestTorn(t *testing.T) {
	for name, c := range every(t) {
		r, w := encode(t, c)
		for n := range len(r) {
			if _, err := c.DecodeRecord(atRecord, r[:n]); !refused(err) {
				t.Errorf("%s: DecodeRecord(the first %d of %d bytes) = %v, want ErrInvalid or ErrDenied", name, n, len(r), err)
			}
		}
		for n := range len(w) {
			if _, err := c.DecodeWrites(atWrites, w[:n]); !refused(err) {
				t.Errorf("%s: DecodeWrites(the first %d of %d bytes) = %v, want ErrInvalid or ErrDenied", name, n, len(w), err)
			}
		}
		if _, err := c.DecodeRecord(atRecord, append(slices.Clone(r), 0)); !refused(err) {
			t.Errorf("%s: DecodeRecord(a byte too much) = %v, want ErrInvalid or ErrDenied", name, err)
		}
		if _, err := c.DecodeRecord(atRecord, w); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: DecodeRecord(writes) = %v, want ErrInvalid", name, err)
		}
	}
	for name, foreign := range map[string]string{"JSON": `{"ID":1}`, "a newer format": "\x03r\x00", "no format": "\x00r\x00", "an unknown flag": "\x02r\x80", "a huge list": "\x02w\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		c := codec(t, row.Options{})
		_, asRecord := c.DecodeRecord(atRecord, []byte(foreign))
		_, asWrites := c.DecodeWrites(atWrites, []byte(foreign))
		if !errors.Is(asRecord, fault.ErrInvalid) || !errors.Is(asWrites, fault.ErrInvalid) {
			t.Errorf("decode %s = %v, %v, want ErrInvalid", name, asRecord, asWrites)
		}
	}
}

func refused(err error) bool {
	return errors.Is(err, fault.ErrInvalid) || errors.Is(err, fault.ErrDenied)
}

func TestEncryption(t *testing.T) {
	c := codec(t, row.Options{Key: key(1)})
	data, pending := encode(t, c)
	if bytes.Contains(data, []byte("案内")) || bytes.Contains(pending, []byte("何時")) {
		t.Error("an encrypted row can be read")
	}
	if again, _ := encode(t, c); bytes.Equal(again, data) {
		t.Error("the same record makes the same row twice, want another nonce")
	}
	for name, p := range map[string]row.Place{
		"another thread": {Thread: "u", Namespace: "a:1", ID: 7}, "another namespace": {Thread: "t", Namespace: "a:2", ID: 7}, "another id": {Thread: "t", Namespace: "a:1", ID: 8},
		"another border": {Thread: "ta", Namespace: ":1", ID: 7},
	} {
		if _, err := c.DecodeRecord(p, data); !errors.Is(err, fault.ErrDenied) {
			t.Errorf("DecodeRecord(a row of %s) = %v, want ErrDenied", name, err)
		}
	}
	if _, err := c.DecodeWrites(row.Place{Thread: "t", Namespace: "a:1", ID: 7, Task: 3}, pending); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("DecodeWrites(a row of another task) = %v, want ErrDenied", err)
	}
	for i := range data {
		changed := slices.Clone(data)
		changed[i] ^= 2 // never makes an encrypted row a plain one that could pass
		if _, err := c.DecodeRecord(atRecord, changed); !refused(err) {
			t.Errorf("DecodeRecord(with byte %d changed) = %v, want ErrDenied or ErrInvalid", i, err)
		}
	}
}

func TestKeys(t *testing.T) {
	plain, _ := encode(t, codec(t, row.Options{}))
	secret, _ := encode(t, codec(t, row.Options{Key: key(1)}))
	for _, c := range []struct {
		name string
		opts row.Options
		row  []byte
		want error
	}{
		{"a secret row with another key", row.Options{Key: key(2)}, secret, fault.ErrDenied},
		{"a secret row without a key", row.Options{}, secret, fault.ErrDenied},
		{"a plain row with a key", row.Options{Key: key(1)}, plain, fault.ErrDenied},
		{"a plain row with a key and ReadPlain", row.Options{Key: key(1), ReadPlain: true}, plain, nil},
		{"a secret row with its key and ReadPlain", row.Options{Key: key(1), ReadPlain: true}, secret, nil},
	} {
		if _, err := codec(t, c.opts).DecodeRecord(atRecord, c.row); !errors.Is(err, c.want) {
			t.Errorf("DecodeRecord(%s) = %v, want %v", c.name, err, c.want)
		}
	}
	for _, n := range []int{0, 16, 31, 33} {
		if _, err := row.New(row.Options{Key: make([]byte, n)}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("New(a key of %d bytes) = %v, want ErrInvalid", n, err)
		}
	}
}

// FuzzDecode looks for rows that make the decoder panic, or that it reads in another way than it would write them.
func FuzzDecode(f *testing.F) {
	for _, c := range every(f) {
		r, w := encode(f, c)
		f.Add(r)
		f.Add(w)
		entries, _ := split(f, c)
		f.Add(entries[0].Data[:100])
		f.Add(entries[1].Data)
	}
	f.Add([]byte("\x01r\x00"))
	c := codec(f, row.Options{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := c.DecodeRecord(atRecord, data); err == nil {
			again, err := c.EncodeRecord("t", r)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.DecodeRecord(atRecord, again); err != nil || !cmp.Equal(got, r) {
				t.Errorf("DecodeRecord(%x) = %+v, once more %+v, %v", data, r, got, err)
			}
		} else if !refused(err) {
			t.Errorf("DecodeRecord(%x) = %v, want a kind", data, err)
		}
		if w, err := c.DecodeWrites(atWrites, data); err == nil {
			again, err := c.EncodeWrites("t", w)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.DecodeWrites(atWrites, again); err != nil || !cmp.Equal(got, w) {
				t.Errorf("DecodeWrites(%x) = %+v, once more %+v, %v", data, w, got, err)
			}
		} else if !refused(err) {
			t.Errorf("DecodeWrites(%x) = %v, want a kind", data, err)
		}
	})
}

func BenchmarkCodec(b *testing.B) {
	r := record()
	r.Writes = []graph.ChannelData{{Channel: "messages", Data: []byte(strings.Repeat(`{"role":"user","text":"今日のイベントは？"}`, 20)[:1000])}}
	for name, c := range map[string]*row.Codec{
		"plain":      codec(b, row.Options{}),
		"compressed": codec(b, row.Options{CompressAbove: 256}),
		"encrypted":  codec(b, row.Options{Key: key(1)}),
		"both":       codec(b, row.Options{Key: key(1), CompressAbove: 256}),
	} {
		data, err := c.EncodeRecord("t", r)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("encode 1 KB/"+name, func(b *testing.B) {
			for b.Loop() {
				_, _ = c.EncodeRecord("t", r)
			}
		})
		b.Run("decode 1 KB/"+name, func(b *testing.B) {
			for b.Loop() {
				_, _ = c.DecodeRecord(atRecord, data)
			}
		})
	}
}
