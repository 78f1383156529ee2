package embedded

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"annai/fault"
)

// withHeader returns the model file with a changed header; the tensors stay where they are.
func withHeader(t testing.TB, change func(h map[string]any, tensors []any)) string {
	t.Helper()
	length := binary.LittleEndian.Uint32([]byte(file[8:12]))
	var h map[string]any
	if err := json.Unmarshal([]byte(file[12:12+length]), &h); err != nil {
		t.Fatalf("header of the file inside: %v", err)
	}
	change(h, h["tensors"].([]any))
	text, err := json.Marshal(h)
	if err != nil || len(text) > int(length) {
		t.Fatalf("header of %d bytes instead of %d, %v", len(text), length, err)
	}
	return file[:12] + string(text) + strings.Repeat(" ", int(length)-len(text)) + file[12+length:]
}

func field(name string, value any) func(map[string]any, []any) {
	return func(h map[string]any, _ []any) { h[name] = value }
}

func tensorField(i int, name string, value any) func(map[string]any, []any) {
	return func(_ map[string]any, tensors []any) { tensors[i].(map[string]any)[name] = value }
}

func TestReadRefuses(t *testing.T) {
	const networkUnknown = `embedding model "use-ml3-ja-en" is not the network`
	for _, test := range []struct{ name, file, want string }{
		{"empty", "", "does not begin with ANNAIEM1"},
		{"foreign", "GGUF" + file[4:], "does not begin with ANNAIEM1"},
		{"pointer to a large file", "version https://git-lfs.github.com/spec/v1\n", "does not begin with ANNAIEM1"},
		{"only magic", file[:8], "cut off after 8 bytes"},
		{"cut in the header", file[:100], "cut off after 100 bytes"},
		{"cut in the tensors", file[:len(file)/2], "cut off after 8323872 bytes, before the end of \"emb.q\""},
		{"last byte missing", file[:len(file)-1], "before the end of \"p3.w\""},
		{"header too long", file[:8] + "\xff\xff\xff\xff" + file[12:], "header of 4294967295 bytes"},
		{"header no JSON", file[:12] + "!" + file[13:], "header of embedding model"},
		{"newer version", withHeader(t, field("version", 2)), "version 2, not 1"},
		{"no name", withHeader(t, field("name", "")), "not the network"},
		{"name with a slash", withHeader(t, field("name", "a/b")), "not the network"},
		{"other dimension", withHeader(t, field("dim", 256)), networkUnknown},
		{"other windows", withHeader(t, field("orders", []int{2, 3, 4})), networkUnknown},
		{"huge vocabulary", withHeader(t, field("vocab", int64(1<<40))), networkUnknown},
		{"no vocabulary", withHeader(t, field("vocab", -1)), networkUnknown},
		{
			"another vocabulary", withHeader(t, field("vocab", 46494)),
			`tensor "scores" of embedding model is f32 [46493] of 185972 bytes, not f32 [46494]`,
		},
		{"no tensors", withHeader(t, field("tensors", []any{})), `no tensor "scores"`},
		{"negative offset", withHeader(t, tensorField(0, "offset", -8)), `tensor "norm" of embedding model lies at -8`},
		{"far offset", withHeader(t, tensorField(0, "offset", int64(1<<62))), "before the end of \"norm\""},
		{"many bytes", withHeader(t, tensorField(0, "bytes", int64(1<<62))), "before the end of \"norm\""},
		{
			"too few bytes", withHeader(t, tensorField(3, "bytes", 11902207)),
			`tensor "emb.q" of embedding model is u4 [46493 512] of 11902207 bytes`,
		},
		{
			"more records", withHeader(t, tensorField(0, "shape", []int64{1 << 40})),
			`record 5020 of "norm" of embedding model is cut off`,
		},
		{
			"fewer records", withHeader(t, tensorField(0, "shape", []int{5019})),
			`"norm" of embedding model has more than its 5019 records`,
		},
		{"other type", withHeader(t, tensorField(5, "dtype", "f16")), `tensor "proj2.w" of embedding model is f16`},
	} {
		_, _, err := read(test.file)
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("read(%s) = %v, want ErrInvalid in one line that says %q", test.name, err, test.want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	broken := errors.New("broken pipe")
	for name, test := range map[string]struct {
		r    io.Reader
		want error
	}{
		"cut off":              {strings.NewReader(file[:5000]), fault.ErrInvalid},
		"a reader that breaks": {iotest.ErrReader(broken), fault.ErrUnavailable},
	} {
		if e, err := Load(test.r); e != nil || !errors.Is(err, test.want) {
			t.Errorf("Load(%s) = %v, %v; want %v", name, e, err, test.want)
		}
	}
}

// FuzzRead changes the model file: its beginning, something at another place, and its end.
func FuzzRead(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint32(0), uint32(0))
	f.Add([]byte("ANNAIEM1\x02\x00\x00\x00{}"), []byte{}, uint32(0), uint32(0))
	f.Add([]byte{}, []byte{255, 255, 255}, uint32(3904), uint32(0))          // records of the normalisation
	f.Add([]byte{}, []byte{0, 0, 0xc0, 0x7f}, uint32(408768+400), uint32(0)) // a score that is no number
	f.Add([]byte(file[:12]+strings.Replace(file[12:3904], `"scale":0.0107286`, `"scale":1e38`+"     ", 1)), []byte{},
		uint32(0), uint32(0))
	f.Fuzz(func(t *testing.T, head, patch []byte, at, cut uint32) {
		data := append([]byte{}, head...)
		data = append(data, file[min(len(data), len(file)):]...)
		copy(data[int(at)%len(data):], patch)
		c, m, err := read(string(data[:len(data)-int(cut)%len(data)]))
		if err != nil {
			if !errors.Is(err, fault.ErrInvalid) {
				t.Fatalf("read = %v, want ErrInvalid", err)
			}
			return
		}
		e := newEmbedder(c, fileHash, func() (*model, error) { return m, nil })
		v, err := e.Embed(t.Context(), []string{"傘 umbrella"})
		if err == nil && !v[0].IsUnit() || err != nil && !errors.Is(err, fault.ErrInvalid) {
			t.Fatalf("Embed with a loaded file = %v, %v; want a vector of unit length or ErrInvalid", v, err)
		}
	})
}
