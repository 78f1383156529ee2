package network

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"annai/fault"
	"annai/internal/tensorfile"
)

// withHeader returns the file with a changed header; the tensors stay where they are.
func withHeader(t testing.TB, change func(h map[string]any)) string {
	t.Helper()
	length := binary.LittleEndian.Uint32([]byte(file[8:12]))
	var h map[string]any
	if err := json.Unmarshal([]byte(file[12:12+length]), &h); err != nil {
		t.Fatalf("header of the file inside: %v", err)
	}
	change(h)
	text, err := json.Marshal(h)
	if err != nil || len(text) > int(length) {
		t.Fatalf("header of %d bytes instead of %d, %v", len(text), length, err)
	}
	return file[:12] + string(text) + strings.Repeat(" ", int(length)-len(text)) + file[12+length:]
}

func field(name string, value any) func(map[string]any) {
	return func(h map[string]any) { h[name] = value }
}

func headField(i int, name string, value any) func(map[string]any) {
	return func(h map[string]any) { h["heads"].([]any)[i].(map[string]any)[name] = value }
}

// file is the network as it was before it was packed.
var file = func() string {
	file, err := tensorfile.Unpack("network", packed)
	if err != nil {
		panic(err)
	}
	return file
}()

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"empty", "", "does not begin with ANNAIRD3"},
		{"another network", "ANNAIEM1" + file[8:], "does not begin with ANNAIRD3"},
		{"cut off", file[:len(file)/2], "cut off after"},
		{"last byte missing", file[:len(file)-64], "cut off after"},
		{"newer version", withHeader(t, field("version", 4)), "version 4"},
		{"another width", withHeader(t, field("dim", 512)), "none that this program knows"},
		{"no layers", withHeader(t, field("layers", 0)), "none that this program knows"},
		{"many layers", withHeader(t, field("layers", 99)), "none that this program knows"},
		{"more layers", withHeader(t, field("layers", 12)), "has no tensor"},
		{"huge vocabulary", withHeader(t, field("vocab", int64(1<<40))), "none that this program knows"},
		{"another vocabulary", withHeader(t, field("vocab", 1000)), "not of the encoder"},
		{"fewer decisions", withHeader(t, func(h map[string]any) { h["heads"] = h["heads"].([]any)[:6] }), "has 6 decisions"},
		{"another decision", withHeader(t, headField(0, "name", "deed")), "none that this program knows"},
		{"no labels", withHeader(t, headField(3, "labels", []string{})), "none that this program knows"},
		{"no temperature", withHeader(t, headField(3, "temperature", 0)), "none that this program knows"},
		{"asks apart", withHeader(t, headField(2, "labels", []string{"yes", "no"})), "do not fit together"},
	} {
		_, err := New(test.file)
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("read(%s) = %v, want ErrInvalid that says %q", test.name, err, test.want)
		}
	}
}

// TestSize holds the file to what the program can afford.
func TestSize(t *testing.T) {
	if len(packed) > 7_200_000 {
		t.Errorf("the file of the network has %d bytes, want 7.2 MB at most", len(packed))
	}
}
