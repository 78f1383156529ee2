package clean

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools"
)

func call(t *testing.T, image string, more string) (output, error) {
	t.Helper()
	r := tools.New(time.Now, tools.Options{})
	if err := Register(r, Options{}); err != nil {
		t.Fatal(err)
	}
	caller := tools.Caller{Role: tools.Visitor, Language: "ja"}
	raw, err := r.Call(t.Context(), caller, "flash_image.edit", json.RawMessage(`{"imageBytes":"`+image+`"`+more+`}`))
	if err != nil {
		return output{}, err
	}
	var out output
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out, nil
}

func TestTool(t *testing.T) {
	data := encoded(t, corners(60, 40, [4]color.Color{color.Black, color.White, color.White, color.Black}))
	standard := base64.StdEncoding.EncodeToString(data)
	for what, text := range map[string]string{
		"the usual alphabet": standard, "that of URLs": base64.RawURLEncoding.EncodeToString(data),
		"a data URL": "data:image/png;base64," + standard, "lines": standard[:40] + `\n` + standard[40:],
	} {
		out, err := call(t, text, "")
		if err != nil || out.Original || out.Width != 60 || out.Backend != "embedded" || len(out.Operations) != 2 {
			t.Errorf("Call with %s = %+.200v, %v, want a picture that was cleaned", what, out, err)
			continue
		}
		picture, err := base64.StdEncoding.DecodeString(out.ProcessedImageBytes)
		if err != nil {
			t.Fatal(err)
		}
		head, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil || head.Width != 60 || head.Height != 40 {
			t.Errorf("Call with %s: picture %+v, %v, want a PNG of 60 x 40", what, head, err)
		}
	}
}

// TestOriginal holds that what can't be cleaned comes back with the reason.
func TestOriginal(t *testing.T) {
	for reason, data := range map[string][]byte{
		"画素数": bomb(50_000, 50_000, 8), "読めない": []byte("hello"),
	} {
		out, err := call(t, base64.StdEncoding.EncodeToString(data), "")
		back, decodeErr := base64.StdEncoding.DecodeString(out.ProcessedImageBytes)
		if err := errors.Join(err, decodeErr); err != nil || !out.Original || !bytes.Equal(back, data) ||
			out.Confidence != 0 || !strings.Contains(out.Reason, reason) {
			t.Errorf("Call(%.20q) = %+v, %v, want the original because of %s", data, out, err, reason)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	full := make(chan struct{})
	out, err := Options{}.edit(ended, full, "en", input{ImageBytes: "aGVsbG8="})
	if err != nil || !out.Original || !strings.Contains(out.Reason, "not enough time") {
		t.Errorf("edit without a free slot = %+v, %v, want the original", out, err)
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct{ image, more, want string }{
		{"", "", "Base64"},
		{"!!!", "", "Base64"},
		{strings.Repeat("A", maxInput), "", "10MB"},
		{"aGVsbG8=", `,"operations":["sharpen"]`, "enhance_text"},
	} {
		_, err := call(t, test.image, test.more)
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(tools.Message(err, "ja"), test.want) {
			t.Errorf("Call(%.20q%s) = %v, want %q", test.image, test.more, err, test.want)
		}
	}
}
